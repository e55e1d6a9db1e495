"""請求: one `paitai score` request read strictly into values, with every problem of it at once.

A request with nothing wrong is read in one go, by its form. Any other is read part by part: unknown keys and names are
refused, and so is a hand that cannot be; each problem names key and value.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import UNSET, UnsetType

from scoring.hands.hand import (
    EVENTS,
    FLOWER_WINS,
    MELD_KINDS,
    SEATS,
    WINS,
    Event,
    Hand,
    Meld,
    MeldKind,
    Problem,
    Seat,
    Win,
    WinContext,
)
from scoring.hands.notation import NotationError, scan_tiles
from scoring.messages.complaints import MOST_PROBLEMS, BadRequest, Complaint, complaint
from scoring.rulebook.loading import RuleBook, RuleBookError, load_book
from scoring.tally.counting import Plan, plan_of
from scoring.tiles import FLOWERS

MOST_POINTS = 1_000_000_000
MOST_STREAK = 1000
"""Reasons that are told; who has made more mistakes than that has made one mistake often."""
MOST_LISTED, MOST_OVERRIDES = 50, 500
LONGEST_TEXT = 2000
"""Characters of one text of tiles."""
T = TypeVar("T")

Points = Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)]
Streak = Annotated[int, msgspec.Meta(ge=0, le=MOST_STREAK)]


class MeldForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of a request's melds as JSON."""

    kind: MeldKind
    tiles: str


class RequestForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request as JSON: its keys and the types of their values. UNSET where a key is not given."""

    rules: str
    concealed: str
    win: Win
    seat: Seat
    round: Seat
    dealer: Seat
    melds: tuple[MeldForm, ...] | UnsetType | None = UNSET
    flowers: str | UnsetType | None = UNSET
    winning_tile: str | UnsetType | None = UNSET
    discarder: Seat | UnsetType | None = UNSET
    streak: Streak | UnsetType | None = UNSET
    events: tuple[Event, ...] | UnsetType | None = UNSET
    base: Points | UnsetType | None = UNSET
    per_tai: Points | UnsetType | None = UNSET
    explain: bool | UnsetType | None = UNSET
    overrides: dict[str, int] | UnsetType | None = UNSET
    robbed_flower: str | UnsetType | None = UNSET
    responsible: Seat | UnsetType | None = UNSET


KEYS = frozenset(RequestForm.__struct_fields__)
REQUIRED = tuple(field.name for field in msgspec.structs.fields(RequestForm) if field.required)


class Request(NamedTuple):
    """A request that can be: hand, context, the plan of its rule book, points of base and tai.

    `explain`: whether reasons are wanted. `responsible`: who answers for the win (包牌).
    """

    hand: Hand
    context: WinContext
    plan: Plan
    base: int
    per_tai: int
    explain: bool = False
    responsible: Seat | None = None

    @property
    def book(self) -> RuleBook:
        """The rule book."""
        return self.plan.book


def _good_meld(one: object) -> Meld | None:
    """The meld, if it is written as it should be; else None, and reading it part by part tells why."""
    if not (isinstance(one, dict) and one.keys() == {"kind", "tiles"}):
        return None
    kind, tiles = one["kind"], one["tiles"]
    if not (isinstance(kind, str) and isinstance(tiles, str) and kind in MELD_KINDS):
        return None
    try:
        return Meld(cast(MeldKind, kind), tuple(sorted(scan_tiles(tiles))))
    except NotationError:
        return None


class _Reader:
    """Takes the values out of a request one by one and collects what is wrong with them."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.complaints: list[Complaint] = []
        self.unread: set[str] = set()

    def bad(self, sentence: str, /, **args: object) -> None:
        self.complaints.append(complaint(sentence, **args))

    def keys(self) -> None:
        for key in islice(self.request, MOST_PROBLEMS + len(KEYS)):
            if key not in KEYS:
                self.bad("unknown_key", key=_cut(str(key)), known=", ".join(sorted(KEYS)))
        for key in REQUIRED:
            if key not in self.request:
                self.bad("missing_key", key=key)

    def choice(self, key: str, choices: tuple[str, ...], otherwise: T) -> str | T:
        """A value out of closed choices; `otherwise` where it is not given, null, or bad."""
        value = self.request.get(key)
        if value is None:
            if key in REQUIRED and key in self.request:
                self.bad("unknown_value", key=key, value=_show(value), known=", ".join(choices))
            return otherwise
        if isinstance(value, str) and value in choices:
            return value
        self.unread.add(key)
        self.bad("unknown_value", key=key, value=_show(value), known=", ".join(choices))
        return otherwise

    def whole(self, key: str, otherwise: int, most: int) -> int:
        """A whole number from 0 to `most`."""
        value = self.request.get(key)
        if value is None:
            return otherwise
        if type(value) is int and 0 <= value <= most:
            return value
        self.bad("not_whole", key=key, value=_show(value), most=most)
        return otherwise

    def tiles(self, key: str, value: object) -> tuple[int, ...]:
        """A row of tiles, empty where it is bad."""
        if value is None and key != "concealed":
            return ()
        if not isinstance(value, str):
            self.unread.add(key.partition("[")[0])
            self.bad("not_text", key=key, value=_show(value))
            return ()
        if len(value) > LONGEST_TEXT:
            self.unread.add(key.partition("[")[0])
            self.bad("too_long", key=key, most=LONGEST_TEXT)
            return ()
        try:
            return scan_tiles(value)
        except NotationError as error:
            self.unread.add(key.partition("[")[0])
            sentences = [error.message(lang) for lang in ("zh", "en")]
            self.complaints.append(Complaint(f"{key}：{sentences[0]}", f"{key}: {sentences[1]}"))
            return ()

    def tile(self, key: str) -> int | None:
        """A single tile or null."""
        value = self.request.get(key)
        if value is None:
            return None
        before = len(self.complaints)
        tiles = self.tiles(key, value)
        if len(tiles) == 1:
            return tiles[0]
        self.unread.add(key)
        if len(self.complaints) == before:
            self.bad("not_one_tile", key=key, value=_show(value))
        return None

    def melds(self) -> tuple[Meld, ...]:
        value = self.request.get("melds")
        if value is None:
            return ()
        before = len(self.complaints)
        melds = self._melds(value)
        if len(self.complaints) > before:
            self.unread.add("melds")
        return melds

    def _melds(self, value: object) -> tuple[Meld, ...]:
        if not isinstance(value, list | tuple):
            self.bad("not_list", key="melds", value=_show(value))
            return ()
        if len(value) > MOST_LISTED:
            self.bad("too_many", key="melds", most=MOST_LISTED)
            return ()
        found: list[Meld] = []
        for place, one in enumerate(value):
            good = _good_meld(one)
            if good:
                found.append(good)
                continue
            key = f"melds[{place}]"
            if not isinstance(one, Mapping):
                self.bad("not_object", key=key, value=_show(one))
                continue
            for inner in one:
                if inner not in ("kind", "tiles"):
                    self.bad("unknown_key", key=f"{key}.{_cut(str(inner))}", known="kind, tiles")
            kind = one.get("kind")
            if not (isinstance(kind, str) and kind in MELD_KINDS):
                self.bad("unknown_value", key=f"{key}.kind", value=_show(kind), known=", ".join(MELD_KINDS))
                kind = None
            before = len(self.complaints)
            tiles = self.tiles(f"{key}.tiles", one.get("tiles", ""))
            if kind and len(self.complaints) == before:
                found.append(Meld(cast(MeldKind, kind), tuple(sorted(tiles))))
        return tuple(found)

    def events(self) -> frozenset[str]:
        value = self.request.get("events")
        if value is None:
            return frozenset()
        if not isinstance(value, list | tuple):
            self.bad("not_list", key="events", value=_show(value))
            return frozenset()
        if len(value) > MOST_LISTED:
            self.bad("too_many", key="events", most=MOST_LISTED)
            return frozenset()
        found: set[Event] = set()
        for one in value:
            if isinstance(one, str) and one in EVENTS:
                found.add(cast(Event, one))
            else:
                self.bad("unknown_value", key="events", value=_show(one), known=", ".join(EVENTS))
        return frozenset(found)

    def flag(self, key: str) -> bool:
        value = self.request.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.bad("not_flag", key=key, value=_show(value))
        return False

    def book(self) -> RuleBook | None:
        """The rule book with the overrides; each problem of either is a complaint."""
        rules, overrides = self.request.get("rules"), self.request.get("overrides")
        if "rules" not in self.request:
            return None
        if not isinstance(rules, str):
            self.bad("not_text", key="rules", value=_show(rules))
            return None
        if overrides is not None and not isinstance(overrides, Mapping):
            self.bad("not_object", key="overrides", value=_show(overrides))
            overrides = None
        elif overrides is not None and len(overrides) > MOST_OVERRIDES:
            self.bad("too_many", key="overrides", most=MOST_OVERRIDES)
            overrides = None
        try:
            return load_book(rules, overrides)
        except RuleBookError as error:
            for one in error.problems:
                self.complaints.append(Complaint(f"rules：{one.message('zh')}", f"rules: {one.message('en')}"))
            return None


# what a problem speaks of: it is not told where one of these could not be read, which is told already
_ABOUT: Mapping[str, tuple[str, ...]] = {
    "winning_tile_not_held": ("concealed",),
    "winning_tile_missing": ("concealed", "melds", "winning_tile"),
    "discarder_missing": ("win", "discarder"),
    "discarder_is_winner": ("win", "seat"),
    "discarder_needless": ("win",),
    "flower_win_needs": ("win", "flowers"),
    "robbed_flower_needless": ("win",),
    "robbed_flower_held": ("win", "flowers"),
    "robbed_flower_missing": ("win", "flowers", "robbed_flower"),
    "robbed_tile_held": ("win",),
    "event_win": ("win",),
    "event_needs_dealer": ("seat", "dealer"),
    "event_needs_non_dealer": ("seat", "dealer"),
    "replacement_without_kong": ("melds",),
    "replacement_without_flower": ("flowers",),
}


def _show(value: object) -> str:
    """A value as JSON writes it, cut where it is long."""
    try:
        return _cut(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):  # no JSON value, or nested too deeply to be shown
        return f"<{type(value).__name__}>"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def read_request(request: Mapping[str, Any]) -> Request:
    """The request as values. Raises BadRequest, which holds every problem of it."""
    try:
        quick = None if _is_oversized(request) else read_form(msgspec.convert(request, RequestForm))
    except (msgspec.ValidationError, UnicodeEncodeError):  # half a surrogate pair is no text
        quick = None
    return quick or _read_part_by_part(request)


def _is_oversized(request: object) -> bool:
    """Whether something in it is longer than any hand: told part by part, nothing of it read."""
    if not isinstance(request, dict):
        return False
    limits: dict[type, int] = {str: LONGEST_TEXT, list: MOST_LISTED, dict: MOST_OVERRIDES}
    return any(len(value) > limits[type(value)] for value in request.values() if type(value) in limits)


def read_form(form: RequestForm) -> Request | None:
    """The request of a form, or None where anything is wrong with it."""
    try:
        hand = Hand(
            scan_tiles(form.concealed),
            tuple([_meld(one.kind, one.tiles) for one in form.melds]) if form.melds else (),
            scan_tiles(form.flowers) if form.flowers else (),
            _one_tile(form.winning_tile) if isinstance(form.winning_tile, str) else None,
        )
        robbed = _one_tile(form.robbed_flower) if isinstance(form.robbed_flower, str) else None
        plan = plan_of(load_book(form.rules, form.overrides or None))
    except (NotationError, RuleBookError):
        return None
    context = _context(
        form.win,
        form.seat,
        form.round,
        form.dealer,
        form.streak or 0,
        form.discarder or None,
        form.events or (),
        robbed,
    )
    if hand.winning_tile is None and not context.flower_win and not hand.missing:
        return None
    if (robbed is not None and robbed not in FLOWERS) or hand.problems() or context.problems(hand):
        return None
    responsible = form.responsible or None
    if responsible and _responsible_problem(plan.book, context, responsible):
        return None
    payment = plan.book.payment
    base = form.base if isinstance(form.base, int) else payment.base
    per_tai = form.per_tai if isinstance(form.per_tai, int) else payment.per_tai
    return Request(hand, context, plan, base, per_tai, form.explain is True, responsible)


def _one_tile(text: str) -> int:
    tiles = scan_tiles(text)
    if len(tiles) != 1:
        raise NotationError("not_one_tile", key="", value=text)
    return tiles[0]


@lru_cache(maxsize=1 << 12)
def _meld(kind: MeldKind, tiles: str) -> Meld:
    return Meld(kind, tuple(sorted(scan_tiles(tiles))))


@lru_cache(maxsize=1 << 12)
def _context(
    win: Win,
    seat: Seat,
    round_: Seat,
    dealer: Seat,
    streak: int,
    discarder: Seat | None,
    events: tuple[Event, ...],
    robbed_flower: int | None,
) -> WinContext:
    return WinContext(win, seat, round_, dealer, streak, discarder, frozenset(events), robbed_flower)


def _read_part_by_part(request: Mapping[str, Any]) -> Request:
    if not isinstance(request, Mapping):
        raise BadRequest([complaint("not_request", value=_show(request))])
    reader = _Reader(request)
    if not (request.keys() <= KEYS) or not all(key in request for key in REQUIRED):
        reader.keys()
    book = reader.book()
    concealed = reader.tiles("concealed", request.get("concealed", ""))
    melds = reader.melds()
    flowers = reader.tiles("flowers", request.get("flowers"))
    winning_tile = reader.tile("winning_tile")
    win = reader.choice("win", WINS, None)
    seat = reader.choice("seat", SEATS, None)
    round_ = reader.choice("round", SEATS, None)
    dealer = reader.choice("dealer", SEATS, None)
    discarder = reader.choice("discarder", SEATS, None)
    streak = reader.whole("streak", 0, MOST_STREAK)
    events = reader.events()
    robbed = reader.tile("robbed_flower")
    base = reader.whole("base", book.payment.base if book else 0, MOST_POINTS)
    per_tai = reader.whole("per_tai", book.payment.per_tai if book else 1, MOST_POINTS)
    explain = reader.flag("explain")
    responsible = cast("Seat | None", reader.choice("responsible", SEATS, None))
    if robbed is not None and robbed not in FLOWERS:
        reader.bad("robbed_flower_none", tile=robbed)
        robbed = None

    hand = Hand(concealed, melds, flowers, winning_tile)
    found: list[Problem] = hand.problems()
    if win and winning_tile is None and win not in FLOWER_WINS and not hand.missing:
        found.append(Problem("winning_tile_missing", {"win": win}))
    context = WinContext(
        cast(Win, win or "discard"),
        cast(Seat, seat or "E"),
        cast(Seat, round_ or "E"),
        cast(Seat, dealer or "E"),
        streak,
        cast("Seat | None", discarder),
        events,
        robbed,
    )
    found.extend(context.problems(hand))
    if found:
        unread = {key for key, value in (("win", win), ("seat", seat), ("dealer", dealer)) if value is None}
        unread |= reader.unread
        for problem in found:
            if unread.isdisjoint(_ABOUT.get(problem.key, ())):
                reader.bad(problem.key, **problem.args)
    if responsible and book and seat and reader.unread.isdisjoint(("win", "discarder")):
        unable = _responsible_problem(book, context, responsible)
        if unable:
            reader.bad(unable.key, **unable.args)
    if reader.complaints or book is None:
        raise BadRequest(reader.complaints)
    return Request(hand, context, plan_of(book), base, per_tai, explain, responsible)


def _responsible_problem(book: RuleBook, context: WinContext, responsible: Seat) -> Problem | None:
    """Why he cannot answer for the win under this book, or None."""
    rule = book.payment.responsibility
    if rule == "not_mentioned":
        return Problem("responsible_needless", {})
    if responsible == context.seat:
        return Problem("responsible_is_winner", {"seat": responsible})
    discarded = context.win in ("discard", "rob_kong")
    if rule == "discarder_pays_for_all" and not (discarded and responsible == context.discarder):
        return Problem("responsible_not_discarder", {"seat": responsible})
    return None
