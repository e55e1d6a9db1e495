"""座位與骰子: drawing seats, the first dealer, the wall break and the order of the deal, by dice.

Chairs 0-3 go counter-clockwise, so 下家 is +1. A stack is ``[chair of the wall, number from its owner's right]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from scoring.hands.hand import SEATS
from scoring.messages.complaints import BadRequest, refusal
from scoring.rulebook.model import RuleBook
from scoring.rulings.clauses import sources
from scoring.rulings.reader import Reader, complaint, show

if TYPE_CHECKING:
    from scoring.answers import SeatsAnswer, Taken

Stack = tuple[int, int]

DEALT_TILES = 16  # tiles of a hand; the dealer begins with one more
RESERVE = 16  # 鐵八墩
TAIL_STACKS = 8
HAND_TURNS = 16  # four turns of two stacks for each of four players
WALL_TILES = MappingProxyType({"with_flowers": (144,), "three_sets": (136, 140, 144), "without_flowers": (136,)})
DICE_COUNTS = MappingProxyType({"three": 3, "two": 2})

STEP_KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "east_place": ("chair", "throw"),
        "draw": ("east_place", "throw"),
        "sit": ("east_place", "drawn", "later"),
        "first_dealer": ("chair", "throw"),
        "break": ("dealer", "throw", "same_throw", "tiles"),
        "deal_order": ("dealer", "throw", "same_throw", "tiles"),
        "wall": ("drawn", "replaced", "tiles", "players"),
        "equipment": (),
    }
)


def count(chair: int, throw: int) -> int:
    """數: the chair that a throw points at, counted counter-clockwise with `chair` as 1.

    >>> [count(0, throw) for throw in (5, 6, 7, 8)]
    [0, 1, 2, 3]
    """
    return (chair + throw - 1) % 4


def stacks_of(tiles: int, dealer: int) -> tuple[int, int, int, int]:
    """How many stacks each chair's wall has: with 140 tiles the dealer and his opposite have 18, the others 17."""
    if tiles == 140:
        return tuple(18 if (chair - dealer) % 2 == 0 else 17 for chair in range(4))  # type: ignore[return-value]
    each = tiles // 8
    return (each, each, each, each)


def along(start: Stack, steps: int, sizes: Sequence[int]) -> Stack:
    """The stack `steps` further in the order of taking (negative: towards the tail).

    Stacks are taken clockwise: after the last of chair c comes the first of chair c - 1.
    """
    chair, number = start
    number += steps
    while number > sizes[chair]:
        number -= sizes[chair]
        chair = (chair - 1) % 4
    while number < 1:
        chair = (chair + 1) % 4
        number += sizes[chair]
    return chair, number


class _Question(Reader):
    """The values of one step's request; the first access to a missing or bad one is a complaint."""

    def __init__(self, request: Mapping[str, object], book: RuleBook) -> None:
        super().__init__(request)
        self.book_ = book

    def chair(self, key: str) -> int:
        return self._whole(key, 0, 3)

    def throw(self) -> int:
        dice = DICE_COUNTS[self.book_.rulings["dice"].choice]
        return self._whole("throw", dice, 6 * dice)

    def flag_or(self, key: str) -> bool:
        value = self.request.get(key)
        return bool(value is not None and self.flag(key, value))

    def tiles_in_box(self) -> int:
        known = WALL_TILES[self.book_.rulings["wall_tiles"].choice]
        value = self.request.get("tiles")
        if value is None:
            return known[-1]
        if type(value) is int and value in known:
            return value
        self.bad("unknown_value", key="tiles", value=show(value), known=", ".join(str(number) for number in known))
        return 144

    def _whole(self, key: str, least: int, most: int) -> int:
        value = self.request.get(key)
        if value is None:
            self.bad("missing_key", key=key)
            return least
        read = self.whole(key, value, least, most)
        return least if read is None else read

    def amount(self, key: str) -> int:
        return self._whole(key, 0, 144)

    def winds(self) -> Sequence[str]:
        value = self.request.get("drawn")
        if (
            isinstance(value, list | tuple)
            and len(value) == 4
            and set(SEATS) == {wind for wind in value if wind in SEATS}
        ):
            return value
        self.bad("not_four_winds", key="drawn", value=show(value))
        return SEATS


Cited = tuple[str, ...]
Step = Callable[[_Question], "tuple[SeatsAnswer, Cited]"]


def _east_place(q: _Question) -> tuple[SeatsAnswer, Cited]:
    return {"chair": count(q.chair("chair"), q.throw())}, ("seat_draw",)


def _draw(q: _Question) -> tuple[SeatsAnswer, Cited]:
    first = q.chair("east_place")
    if q.book_.rulings["seat_draw"].choice == "temporary_dealer":
        first = count(first, q.throw())
    return {"order": [(first + turn) % 4 for turn in range(4)]}, ("seat_draw.order",)


def _sit(q: _Question) -> tuple[SeatsAnswer, Cited]:
    place, drawn = q.chair("east_place"), q.winds()
    later = q.flag_or("later")
    seats = [0, 0, 0, 0]
    for chair, wind in enumerate(drawn):
        seats[(place + SEATS.index(wind)) % 4] = chair
    circle = all((seats[(at + 1) % 4] - seats[at]) % 4 == 1 for at in range(4))
    again = later and circle and q.book_.rulings["same_circle"].choice == "drawn_again"
    return {"seats": seats, "again": again}, ("seat_draw.sit", *(("same_circle",) if again else ()))


def _first_dealer(q: _Question) -> tuple[SeatsAnswer, Cited]:
    return {"chair": count(q.chair("chair"), q.throw())}, ("first_dealer",)


def _broken(q: _Question) -> tuple[int, int, int, Sequence[int], Stack]:
    """Dealer, side, stacks that stay, the sizes of the walls, and the first stack that is taken."""
    dealer, throw, tiles = q.chair("dealer"), q.throw(), q.tiles_in_box()
    same = q.flag_or("same_throw")
    if same and q.book_.rulings["wall_break"].choice == "always_thrown":
        q.bad("same_throw_refused", key="same_throw", rules=q.book_.id)
    side = dealer if same else count(dealer, throw)
    sizes = stacks_of(tiles, dealer)
    return dealer, side, throw, sizes, along((side, throw), 1, sizes)


def _break(q: _Question) -> tuple[SeatsAnswer, Cited]:
    dealer, side, stays, sizes, start = _broken(q)
    east = dealer if q.book_.seat_winds == "dealer" else side
    tail = [list(along(start, -step, sizes)) for step in range(1, TAIL_STACKS + 1)]
    winds = [SEATS[(chair - east) % 4] for chair in range(4)]
    same = "wall_break.same_throw" if q.flag_or("same_throw") else "wall_break"
    answer: SeatsAnswer = {"side": side, "stays": stays, "start": list(start), "tail": tail, "winds": winds}
    return answer, (same, "wall_break.winds")


def _deal_order(q: _Question) -> tuple[SeatsAnswer, Cited]:
    dealer, side, stays, sizes, start = _broken(q)
    takes: list[Taken] = [
        {
            "chair": (dealer + turn) % 4,
            "stacks": [list(along(start, 2 * turn, sizes)), list(along(start, 2 * turn + 1, sizes))],
        }
        for turn in range(HAND_TURNS)
    ]
    answer: SeatsAnswer = {
        "takes": takes,
        "last": list(along(start, 2 * HAND_TURNS, sizes)),
        "replacement": list(along((side, stays), 0, sizes)),
    }
    return answer, ("deal_order", "deal_order.replacement")


def _wall(q: _Question) -> tuple[SeatsAnswer, Cited]:
    dealt = q.players() * DEALT_TILES + 1
    lying = q.tiles_in_box() - dealt - q.amount("drawn") - q.amount("replaced")
    if lying < RESERVE and not q.complaints:
        q.bad("below_reserve", key="drawn", lying=lying)
    return {"lying": lying, "draws_left": lying - RESERVE}, ("reserve",)


def _equipment(q: _Question) -> tuple[SeatsAnswer, Cited]:
    rulings = q.book_.rulings
    answer: SeatsAnswer = {
        "dice": DICE_COUNTS[rulings["dice"].choice],
        "tiles": list(WALL_TILES[rulings["wall_tiles"].choice]),
        "wind_marker": rulings["wind_marker"].choice == "used",
        "streak_die": rulings["streak_die"].choice == "used",
        "chips": q.book_.payment.chips or None,
    }
    return answer, ("dice", "wall_tiles", "wind_marker", "streak_die")


STEPS: Mapping[str, Step] = MappingProxyType(
    {
        "east_place": _east_place,
        "draw": _draw,
        "sit": _sit,
        "first_dealer": _first_dealer,
        "break": _break,
        "deal_order": _deal_order,
        "wall": _wall,
        "equipment": _equipment,
    }
)


def seats(request: Mapping[str, object], *, lang: str = "zh", book: RuleBook | None = None) -> SeatsAnswer:
    """Answers one `paitai seats` request. A request that cannot be read gets ``error`` and all its ``problems``.

    `book` overrides the book that the request names.

    >>> seats({"rules": "luohan", "step": "wall", "drawn": 50, "replaced": 10})["draws_left"]
    3
    """
    try:
        used, step, fields, clauses = _answered(request, book)
    except BadRequest as error:
        return cast("SeatsAnswer", refusal(error.complaints, lang))
    stands_on = sources(used, clauses)
    answer = {"rules": used.id, "step": step, **fields, **stands_on.to_json(), "problems": []}
    return cast("SeatsAnswer", answer)


def _answered(request: Mapping[str, object], book: RuleBook | None) -> tuple[RuleBook, str, SeatsAnswer, Cited]:
    if not isinstance(request, Mapping):
        raise BadRequest([complaint("not_request", value=show(request))])
    reader = Reader(request)
    step = request.get("step")
    known = isinstance(step, str) and step in STEPS
    keys = STEP_KEYS[step] if known and isinstance(step, str) else ()
    if known or step is None:
        every = tuple(dict.fromkeys(key for keys in STEP_KEYS.values() for key in keys))
        reader.keys(("rules", "step", *(keys if known else every)), ("rules", "step"))
    else:
        reader.bad("unknown_value", key="step", value=show(step), known=", ".join(STEPS))
        reader.keys(tuple(request), ("rules",))
    book = book or reader.book()
    if book is None or not known or not isinstance(step, str):
        raise BadRequest(reader.complaints)
    question = _Question(request, book)
    fields, clauses = STEPS[step](question)
    complaints = [*reader.complaints, *question.complaints]
    if complaints:
        raise BadRequest(complaints)
    return book, step, fields, clauses
