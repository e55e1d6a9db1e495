"""Reading a request key by key: readable values, and every complaint about the others."""

import json
from collections.abc import Mapping
from itertools import islice
from operator import itemgetter
from typing import Any, TypeVar

from scoring.api.requests.form import (
    KEYS,
    LONGEST_TEXT,
    MOST_LISTED,
    MOST_OVERRIDES,
    MOST_POINTS,
    MOST_STREAK,
    REQUIRED,
)
from scoring.hands.hand import EVENTS, MELD_KINDS, ORDINARY_WINS, PLAYERS, SEATS, WINS, Hand, Meld, MeldKind, WinContext
from scoring.hands.notation import NotationError, scan_tiles
from scoring.hands.tables.kept import Kept
from scoring.hands.tables.suits import Suits, scan_suits
from scoring.languages import WHOLE
from scoring.messages.complaints import MOST_PROBLEMS, Complaint, complaint
from scoring.rulebook.loading import BOOK_IDS, RuleBook, RuleBookError, load_book
from scoring.tiles import TILE_OF_CODE

T = TypeVar("T", bound=str)
_required_values = itemgetter(*REQUIRED)
_MELD_KEYS = frozenset({"kind", "tiles"})
_OBJECTS = (dict, Mapping)  # what JSON gives is looked at first: an abstract class takes longer


def _meld_of(case: tuple[MeldKind, str]) -> Meld:
    """A meld of its kind and its tiles as text. Raises ValueError or TypeError if they are unreadable."""
    kind, tiles = case
    if kind not in MELD_KINDS or not isinstance(tiles, str) or len(tiles) > LONGEST_KEPT:
        raise ValueError(f"no meld that is kept: {case!r}")
    return Meld(kind, tuple(sorted(scan_tiles(tiles))))


LONGEST_KEPT = 16
"""Characters of the tiles of a meld, or of a row, that is kept."""
MELDS = Kept(_meld_of)
"""By kind and tiles: hands have most of their melds in common."""


def _row_of(text: str) -> tuple[int, ...]:
    """A short row of tiles. Raises ValueError or TypeError if it is unreadable or longer."""
    if not isinstance(text, str) or len(text) > LONGEST_KEPT:
        raise ValueError(f"no row that is kept: {text!r}")
    return scan_tiles(text)


ROWS = Kept(_row_of)
"""By their text: most hands have the flowers of another."""

_DOCUMENT_BOOKS: Kept[str, RuleBook] = Kept(load_book)
"""By id: most requests name one of the documents' own books and change nothing of it."""

_SEATS = frozenset(SEATS)
_NO_HAND = Hand(())


def _ordinary_context(values: tuple[Any, ...]) -> WinContext:
    """An ordinary win of one of four, without events. Raises ValueError if it is another kind, or impossible."""
    win, seat, round_, dealer, streak, discarder = values
    known = win in ORDINARY_WINS and {seat, round_, dealer} <= _SEATS and (discarder is None or discarder in _SEATS)
    context = WinContext(win, seat, round_, dealer, streak, discarder)
    if not known or not 0 <= streak <= MOST_STREAK or context.problems(_NO_HAND):
        raise ValueError(f"no ordinary win: {values!r}")
    return context


ORDINARY_CONTEXTS = Kept(_ordinary_context)
"""By the values of the request: way of winning, seat, round, dealer, streak, discarder."""


class FieldReader:
    """Takes the values out of a request one by one and collects the complaints.

    `unread`: keys with unreadable values. Each already has an entry in `complaints`.
    """

    __slots__ = ("complaints", "request", "unread")

    def __init__(self, request: Mapping[str, object]) -> None:
        self.request = request
        self.complaints: list[Complaint] = []
        self.unread: set[str] = set()

    def bad(self, sentence: str, /, **args: object) -> None:
        """Complain with a sentence of the catalogs."""
        self.complaints.append(complaint(sentence, **args))

    def keys(self) -> None:
        """Complain of keys that are unknown or missing."""
        if KEYS.issuperset(self.request):
            try:
                _required_values(self.request)
            except KeyError:
                pass  # reported below, one by one
            else:
                return
        for key in islice(self.request, MOST_PROBLEMS + len(KEYS)):
            if key not in KEYS:
                self.bad("unknown_key", key=_cut(str(key)), known=", ".join(sorted(KEYS)))
        for key in REQUIRED:
            if key not in self.request:
                self.bad("missing_key", key=key)

    def choice(self, key: str, choices: tuple[T, ...]) -> T | None:
        """A value out of closed choices; None if it is missing, null or bad."""
        value = self.request.get(key)
        if value in choices:
            chosen: T = value
            return chosen
        if value is None and not (key in REQUIRED and key in self.request):
            return None
        if value is not None:
            self.unread.add(key)
        self.bad("unknown_value", key=key, value=shown(value), known=", ".join(choices))
        return None

    def ordinary_context(self) -> WinContext | None:
        """The context of an ordinary hand without events, won by one of four; None for others and for bad values."""
        value = self.request.get
        streak = value("streak", 0)
        if type(streak) is not int or value("events", NO_LIST) != NO_LIST:
            return None
        if value("players") is not None or value("robbed_flower") is not None:
            return None
        try:
            return ORDINARY_CONTEXTS[
                value("win"), value("seat"), value("round"), value("dealer"), streak, value("discarder")
            ]
        except (TypeError, ValueError):
            return None  # reported by `context`, key by key

    def context(self) -> tuple[WinContext, int, frozenset[str]]:
        """How the hand was won, how many play, and which of `win`, `seat`, `dealer` are not known."""
        win = self.choice("win", WINS)
        players = self.players()
        sitting = SEATS[:players]
        seat, round_ = self.choice("seat", sitting), self.choice("round", SEATS)
        dealer, discarder = self.choice("dealer", sitting), self.choice("discarder", sitting)
        streak, events, robbed = self.whole("streak", 0, MOST_STREAK), self.events(), self.tile("robbed_flower")
        unknown = frozenset([key for key, value in (("win", win), ("seat", seat), ("dealer", dealer)) if value is None])
        context = WinContext(
            win or "discard", seat or "E", round_ or "E", dealer or "E", streak, discarder, events, robbed
        )
        return context, players, unknown

    def players(self) -> int:
        """The number of players; four if it is missing, null or bad."""
        value = self.request.get("players")
        if value is not None and not (type(value) is int and value in PLAYERS):
            self.bad("unknown_value", key="players", value=shown(value), known=", ".join(map(str, PLAYERS)))
            return PLAYERS[0]
        return value or PLAYERS[0]

    def whole(self, key: str, otherwise: int, most: int, least: int = 0) -> int:
        """A whole number from `least` to `most`; `otherwise` if it is missing, null or bad."""
        value = self.request.get(key)
        if value is None:
            return otherwise
        if type(value) is int and least <= value <= most:
            return value
        self.bad("not_whole", key=key, value=shown(value), least=least, most=most)
        return otherwise

    def stakes(self, book: RuleBook | None) -> tuple[int, int]:
        """Points of base and tai; the book's values if they are missing, null or bad."""
        base, per_tai = self.request.get("base"), self.request.get("per_tai")
        if type(base) is type(per_tai) is int and 0 <= base <= MOST_POINTS and 0 <= per_tai <= MOST_POINTS:
            return base, per_tai
        usual = (book.payment.base, book.payment.per_tai) if book else (0, 1)
        return self.whole("base", usual[0], MOST_POINTS), self.whole("per_tai", usual[1], MOST_POINTS)

    def closed(self) -> tuple[tuple[int, ...], Suits | None]:
        """The closed tiles (none if they are bad), and their suits if the text is in canonical order."""
        value = self.request.get("concealed", "")
        if isinstance(value, str) and len(value) <= LONGEST_TEXT:
            known = scan_suits(value)
            if known:
                return known
        return self._scan("concealed", value), None

    def tiles(self, key: str) -> tuple[int, ...]:
        """A row of tiles; empty if it is missing, null or bad."""
        value: Any = self.request.get(key)
        if value is None:
            return ()
        try:
            return ROWS[value]
        except (TypeError, ValueError):
            return self._scan(key, value)  # which reports the problem

    def _scan(self, key: str, value: object, place: int | None = None) -> tuple[int, ...]:
        """`place`: of the meld whose tiles they are."""
        if isinstance(value, str) and len(value) <= LONGEST_TEXT:
            try:
                return scan_tiles(value)
            except NotationError as error:
                at = key if place is None else f"{key}[{place}].tiles"
                zh, en = [error.message(lang) for lang in WHOLE]
                self.complaints.append(Complaint(f"{at}：{zh}", f"{at}: {en}"))
        else:
            at = key if place is None else f"{key}[{place}].tiles"
            if isinstance(value, str):
                self.bad("too_long", key=at, most=LONGEST_TEXT)
            else:
                self.bad("not_text", key=at, value=shown(value))
        self.unread.add(key)
        return ()

    def tile(self, key: str) -> int | None:
        """A single tile or null."""
        value = self.request.get(key)
        if value is None:
            return None
        if isinstance(value, str) and value in TILE_OF_CODE:
            return TILE_OF_CODE[value]
        before = len(self.complaints)
        tiles = self._scan(key, value)
        if len(tiles) == 1:
            return tiles[0]
        self.unread.add(key)
        if len(self.complaints) == before:
            self.bad("not_one_tile", key=key, value=shown(value))
        return None

    def melds(self) -> tuple[Meld, ...]:
        """The melds that can be read."""
        value = self.request.get("melds")
        if value is None:
            return ()
        before = len(self.complaints)
        melds: list[Meld] = []
        if not isinstance(value, list | tuple):
            self.bad("not_list", key="melds", value=shown(value))
        elif len(value) > MOST_LISTED:
            self.bad("too_many", key="melds", most=MOST_LISTED)
        else:
            for place, entry in enumerate(value):
                try:
                    if len(entry) == len(_MELD_KEYS):
                        melds.append(MELDS[entry["kind"], entry["tiles"]])
                        continue
                except (KeyError, TypeError, ValueError):
                    pass  # reported by `_meld`
                meld = self._meld(place, entry)
                if meld:
                    melds.append(meld)
        if len(self.complaints) > before:
            self.unread.add("melds")
        return tuple(melds)

    def _meld(self, place: int, entry: object) -> Meld | None:
        if not isinstance(entry, _OBJECTS):
            self.bad("not_object", key=f"melds[{place}]", value=shown(entry))
            return None
        if not entry.keys() <= _MELD_KEYS:
            for inner in entry:
                if inner not in _MELD_KEYS:
                    self.bad("unknown_key", key=f"melds[{place}].{_cut(str(inner))}", known="kind, tiles")
        kind, tiles = entry.get("kind"), entry.get("tiles", "")
        if kind not in MELD_KINDS:
            self.bad("unknown_value", key=f"melds[{place}].kind", value=shown(kind), known=", ".join(MELD_KINDS))
            kind = None
        before = len(self.complaints)
        scanned = self._scan("melds", tiles, place)
        return Meld(kind, tuple(sorted(scanned))) if kind and len(self.complaints) == before else None

    def events(self) -> frozenset[str]:
        """The events that can be read."""
        value = self.request.get("events")
        if value is None or value == []:
            return NO_EVENTS
        if not isinstance(value, list | tuple):
            self.bad("not_list", key="events", value=shown(value))
            return NO_EVENTS
        if len(value) > MOST_LISTED:
            self.bad("too_many", key="events", most=MOST_LISTED)
            return NO_EVENTS
        for event in value:
            if not (isinstance(event, str) and event in EVENTS):
                self.bad("unknown_value", key="events", value=shown(event), known=", ".join(EVENTS))
        return frozenset([event for event in value if isinstance(event, str) and event in EVENTS])

    def flag(self, key: str) -> bool:
        """Whether something is wanted."""
        value = self.request.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.bad("not_flag", key=key, value=shown(value))
        return False

    def book(self) -> RuleBook | None:
        """The rule book with the overrides; each problem of either is a complaint."""
        rules, overrides = self.request.get("rules"), self.request.get("overrides")
        if overrides is None and rules in BOOK_IDS:
            return _DOCUMENT_BOOKS[rules]
        if "rules" not in self.request:
            return None
        if not isinstance(rules, str):
            self.bad("not_text", key="rules", value=shown(rules))
            return None
        if overrides is not None and not isinstance(overrides, Mapping):
            self.bad("not_object", key="overrides", value=shown(overrides))
            overrides = None
        elif overrides is not None and len(overrides) > MOST_OVERRIDES:
            self.bad("too_many", key="overrides", most=MOST_OVERRIDES)
            overrides = None
        try:
            return load_book(rules, overrides)
        except RuleBookError as error:
            for problem in error.problems:
                self.complaints.append(Complaint(f"rules：{problem.message('zh')}", f"rules: {problem.message('en')}"))
            return None


NO_EVENTS: frozenset[str] = frozenset()
NO_LIST: list[object] = []

# the keys that a problem is about: if one of them was unreadable, the problem is not reported again
ABOUT: Mapping[str, tuple[str, ...]] = {
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


def shown(value: object) -> str:
    """A value as JSON, cut if it is long."""
    try:
        return _cut(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):  # no JSON value, or nested too deeply to be shown
        return f"<{type(value).__name__}>"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
