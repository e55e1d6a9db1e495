"""請求的寫法: the keys and limits of a request, and a good request read in one go.

Whatever is out of the ordinary in a request is left to `scoring.api.requests.request`, which reads part by part and
tells why.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from scoring.hands.hand import (
    EVENTS,
    FLOWER_WINS,
    MELD_KINDS,
    ORDINARY_WINS,
    SEATS,
    WINS,
    Hand,
    Meld,
    MeldKind,
    Problem,
    Seat,
    WinContext,
)
from scoring.hands.notation import NotationError, scan_tiles
from scoring.hands.tables.kept import Kept
from scoring.hands.tables.suits import Suits, keys_of, scan_suits, suits_of
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, RuleBook, RuleBookError, load_book
from scoring.tally.counting import Plan, plan_of
from scoring.tiles import FLOWERS, KINDS, crowded, placed

REQUIRED = ("rules", "concealed", "win", "seat", "round", "dealer")
HAND_KEYS = frozenset({"rules", "overrides", "concealed", "melds", "flowers", "winning_tile"})
OCCASION_KEYS = frozenset(
    {
        *("win", "seat", "round", "dealer", "streak", "discarder", "events", "robbed_flower"),
        *("base", "per_tai", "explain", "responsible"),
    }
)
KEYS = HAND_KEYS | OCCASION_KEYS
MOST_POINTS = 1_000_000_000
MOST_STREAK = 1000
MOST_LISTED, MOST_OVERRIDES = 50, 500
LONGEST_TEXT = 2000
"""Characters of one text of tiles."""
_MOST_MELDS = 5
_MOST_CLOSED = 24  # tiles; with melds and flowers not too many of one kind for `crowded`


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


class Occasion(NamedTuple):
    """場合: what a request says beside the hand and the rules: how the hand was won, and what is played for.

    `base`, `per_tai`: None where they are the book's. `free`: it stands with whatever hand and rules; else it is to be
    looked at with them.
    """

    context: WinContext
    base: int | None
    per_tai: int | None
    explain: bool
    responsible: Seat | None
    free: bool


_REFUSED = (KeyError, TypeError, NotationError, RuleBookError)  # a key lacks, a value is of a wrong type, is no tile


def read_form(request: Mapping[str, Any]) -> Request | None:
    """The request as values, or None where anything is wrong with it, or so rare that it is not looked at here."""
    if not KEYS.issuperset(request):
        return None
    occasion = read_occasion(request)
    return occasion and read_with(request, occasion)


def read_occasion(request: Mapping[str, Any]) -> Occasion | None:
    """What a request says beside the hand and the rules, or None as in `read_form`."""
    try:
        return _occasion(request)
    except _REFUSED:
        return None


def read_with(request: Mapping[str, Any], occasion: Occasion) -> Request | None:
    """The hand and the rules of a request on an occasion that is read already, or None as in `read_form`."""
    try:
        hand = _hand(request)
        plan = _plan(request["rules"], request.get("overrides"))
    except _REFUSED:
        return None
    if hand is None:
        return None
    context, base, per_tai, explain, responsible, free = occasion
    if not free or hand.winning_tile is None:
        if context.problems(hand) or (responsible and responsible_problem(plan.book, context, responsible)):
            return None
        if hand.winning_tile is None and context.win not in FLOWER_WINS and not hand.missing:
            return None
    if base is None:
        base = plan.book.payment.base
    if per_tai is None:
        per_tai = plan.book.payment.per_tai
    return _tuple(Request, (hand, context, plan, base, per_tai, explain, responsible))


def _hand(request: Mapping[str, Any]) -> Hand | None:
    text, asked = request["concealed"], request.get("melds")
    if type(text) is not str:
        return None
    concealed, suits = scan_suits(text) or _other_form(text)
    flowers, laid = _FLOWERS[request.get("flowers")]
    melds: tuple[Meld, ...] = ()
    if asked:
        found: list[Meld] = []
        row = laid
        for one in asked:
            meld, melded = _MELDS[one["kind"]][one["tiles"]]
            found.append(meld)
            row += melded
            if len(one) > 2 or len(found) > _MOST_MELDS:
                return None
        melds = tuple(found)
        for suit in suits:
            row += suit.row
        if crowded(row):
            return None
    elif asked is not None and asked != []:
        return None
    if len(concealed) > _MOST_CLOSED:
        return None
    tile = _ONE_TILE[request.get("winning_tile")]
    if tile is not None and tile not in concealed:
        return None
    return _tuple(Hand, (concealed, melds, flowers, tile, suits))


def _other_form(text: str) -> tuple[tuple[int, ...], Suits]:
    """Closed tiles that are not written suit after suit. Raises NotationError for more of a kind than there are."""
    if len(text) > LONGEST_TEXT:
        raise NotationError("too_long", text="")
    tiles = scan_tiles(text)
    row = placed(tiles)
    if len(tiles) > _MOST_CLOSED or row >= _FLOWER or crowded(row):
        raise NotationError("too_many_of_a_kind")
    return tiles, suits_of(keys_of(row))


def _occasion(request: Mapping[str, Any]) -> Occasion | None:
    get = request.get
    win, streak, events, robbed = request["win"], get("streak"), get("events"), get("robbed_flower")
    if streak is None:
        streak = 0
    elif type(streak) is not int:
        return None
    context = _CONTEXTS[win, request["seat"], request["round"], request["dealer"], streak, get("discarder")]
    ordinary = not events and robbed is None and win in ORDINARY_WINS
    if not ordinary or events not in (None, []):
        context = context._replace(events=_events(events), robbed_flower=_ONE_TILE[robbed])
        if robbed is not None and context.robbed_flower not in FLOWERS:
            return None
    base, per_tai, explain, responsible = get("base"), get("per_tai"), get("explain"), get("responsible")
    for points in (base, per_tai):
        if points is not None and not (type(points) is int and 0 <= points <= MOST_POINTS):
            return None
    if not (explain is None or isinstance(explain, bool)) or not (responsible is None or responsible in SEATS):
        return None
    return Occasion(context, base, per_tai, explain is True, responsible, ordinary and responsible is None)


def _one_tile(text: str | None) -> int | None:
    if text is None:
        return None
    tiles = scan_tiles(text)
    if len(tiles) != 1:
        raise NotationError("not_one_tile", key="", value=text)
    return tiles[0]


def _flowers(text: str | None) -> tuple[tuple[int, ...], int]:
    """Flowers and the number of them (`scoring.tiles.placed`)."""
    tiles = () if text is None else scan_tiles(text)
    row = placed(tiles)
    if any(tile not in FLOWERS for tile in tiles) or len(tiles) > len(FLOWERS) or crowded(row):
        raise NotationError("flower_none", tile=tiles[0])
    return tiles, row


def _meld(kind: MeldKind, tiles: str) -> tuple[Meld, int]:
    """A meld and the number of its tiles."""
    meld = Meld(kind, tuple(sorted(scan_tiles(tiles))))
    if meld.problem():
        raise NotationError("meld_none", meld_kind=kind, codes=meld.tiles)
    return meld, placed(meld.tiles)


def _context(said: tuple[Any, ...]) -> WinContext:
    """The context of a win without events. Raises KeyError for what is none."""
    win, seat, round_, dealer, streak, discarder = said
    seats = {seat, round_, dealer} if discarder is None else {seat, round_, dealer, discarder}
    if win not in WINS or not seats <= _SEATS or not 0 <= streak <= MOST_STREAK:
        raise KeyError(said)
    context = WinContext(win, seat, round_, dealer, streak, discarder)
    if win in ORDINARY_WINS and context.problems(_NO_HAND):
        raise KeyError(said)
    return context


def _events(events: Any) -> frozenset[str]:
    """What happened. Raises KeyError for what is no event."""
    if events is None:
        return _NO_EVENTS
    if not isinstance(events, list | tuple) or len(events) > MOST_LISTED or not _EVENTS.issuperset(events):
        raise KeyError("events")
    return frozenset(events)


def _plan(rules: str, overrides: Any) -> Plan:
    if overrides is None or overrides == {}:
        if rules in _BUILT_IN:
            return _BUILT_IN_PLANS[rules]
        overrides = None
    elif not isinstance(overrides, dict) or len(overrides) > MOST_OVERRIDES:
        raise KeyError("overrides")
    if not isinstance(rules, str):
        raise KeyError("rules")
    return plan_of(load_book(rules, overrides))


def responsible_problem(book: RuleBook, context: WinContext, responsible: Seat) -> Problem | None:
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


_tuple = tuple.__new__  # of a named tuple, without its own call
_FLOWER = placed([KINDS])  # the least number that has a flower in it
_NO_HAND = Hand(())
_NO_EVENTS: frozenset[str] = frozenset()
_SEATS, _EVENTS = frozenset(SEATS), frozenset(EVENTS)
_BUILT_IN = frozenset((*BOOK_IDS, *READY_IDS))  # these do not change while the program runs
_BUILT_IN_PLANS: Kept[str, Plan] = Kept(lambda id_: plan_of(load_book(id_)))
# by their texts, which come again and again
_ONE_TILE = Kept(_one_tile, 1 << 10)
_FLOWERS = Kept(_flowers, 1 << 12)
_MELDS = {kind: Kept(partial(_meld, kind), 1 << 12) for kind in MELD_KINDS}
_CONTEXTS = Kept(_context, 1 << 12)
