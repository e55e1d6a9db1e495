"""請求: one `paitai score` request read strictly into values, with every problem of it at once.

A request with nothing wrong is read in one go, by its form. Any other is read part by part: unknown keys and names are
refused, and so is a hand that cannot be; each problem names key and value.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple, cast

import msgspec
from msgspec import UNSET

from scoring.api.request_form import (
    KEYS,
    LONGEST_TEXT,
    MOST_LISTED,
    MOST_OVERRIDES,
    MOST_POINTS,
    MOST_STREAK,
    REQUIRED,
    RequestForm,
)
from scoring.hands.hand import (
    FLOWER_WINS,
    MELD_KINDS,
    SEATS,
    WINS,
    Hand,
    Meld,
    MeldKind,
    Problem,
    Seat,
    Win,
    WinContext,
)
from scoring.hands.kept import Kept
from scoring.hands.notation import NotationError, scan_row, scan_tiles
from scoring.messages.complaints import BadRequest, complaint
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, RuleBook, RuleBookError, load_book
from scoring.tally.counting import Plan, plan_of
from scoring.tiles import FLOWERS


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
    tile = robbed = None
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    try:
        concealed, row = scan_row(form.concealed)
        if form.melds:
            melds = tuple([_MELDS[one.kind][one.tiles] for one in form.melds])
        if form.flowers:
            flowers = scan_tiles(form.flowers)
        if isinstance(form.winning_tile, str):
            tile = _ONE_TILE[form.winning_tile]
        if isinstance(form.robbed_flower, str):
            robbed = _ONE_TILE[form.robbed_flower]
        plan = _book_plan(form.rules, form.overrides or None)
    except (NotationError, RuleBookError):
        return None
    hand = Hand(concealed, melds, flowers, tile, row)
    events = frozenset(form.events) if form.events else _NO_EVENTS
    context = WinContext(
        form.win, form.seat, form.round, form.dealer, form.streak or 0, form.discarder or None, events, robbed
    )
    if tile is None and not context.flower_win and not hand.missing:
        return None
    if (robbed is not None and robbed not in FLOWERS) or hand.problems() or context.problems(hand):
        return None
    responsible = form.responsible or None
    if responsible and _responsible_problem(plan.book, context, responsible):
        return None
    base, per_tai = form.base, form.per_tai
    payment = plan.book.payment
    if base is None or base is UNSET:
        base = payment.base
    if per_tai is None or per_tai is UNSET:
        per_tai = payment.per_tai
    return Request(hand, context, plan, base, per_tai, form.explain is True, responsible)


_NO_EVENTS: frozenset[str] = frozenset()
_BUILT_IN = frozenset((*BOOK_IDS, *READY_IDS))  # these do not change while the program runs
_BUILT_IN_PLANS: Kept[str, Plan] = Kept(lambda id_: plan_of(load_book(id_)))


def _book_plan(rules: str, overrides: Mapping[str, int] | None) -> Plan:
    if overrides is None and rules in _BUILT_IN:
        return _BUILT_IN_PLANS[rules]
    return plan_of(load_book(rules, overrides))


def _one_tile(text: str) -> int:
    tiles = scan_tiles(text)
    if len(tiles) != 1:
        raise NotationError("not_one_tile", key="", value=text)
    return tiles[0]


def _meld(tiles: str, kind: MeldKind) -> Meld:
    return Meld(kind, tuple(sorted(scan_tiles(tiles))))


# melds and single tiles by their texts
_ONE_TILE = Kept(_one_tile, 1 << 10)
_MELDS = {kind: Kept(partial(_meld, kind=kind), 1 << 12) for kind in MELD_KINDS}


def _read_part_by_part(request: Mapping[str, Any]) -> Request:
    from scoring.api.request_parts import ABOUT, PartReader, shown  # good requests need none of it

    if not isinstance(request, Mapping):
        raise BadRequest([complaint("not_request", value=shown(request))])
    reader = PartReader(request)
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
            if unread.isdisjoint(ABOUT.get(problem.key, ())):
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
