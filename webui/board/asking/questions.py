"""問清楚: what the photo leaves open and the number depends on. It is asked before any number stands.

Each open point (sets that may be open or in the hand, a kong that may be concealed, a name that is not sure, a flower
left aside) has answers. All of them are scored; where two answers give different tai or payments, that point is a
`Question`, and each `Choice` says what it would change. Where the number is the same either way, nothing is asked.
What a person has said (`settled`, `placed`) is never asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from scoring.hands.hand import SEATS
from webui.board.asking.points import ROWS, UNREAD, Point, open_points
from webui.board.corrections import Correction, Drop, format_corrections
from webui.board.editing import apply_all
from webui.board.state import LASTING_FIELDS, Board, Context

MOST_ANSWERS = 96
"""So many ways to answer all questions are scored; beyond, each point is tried by itself."""

Numbers = Mapping[str, tuple[Any, ...]]
"""What a board gives: winning tile (empty where it is chosen) -> (tai, transfers); empty where it does not win."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer. `label`: key of its words; `tiles`: codes that it speaks of; `correction`: what it does, as text.

    `tai`: the hand's number with this answer, None where other answers have a say in it; `difference`: of that number
    to the one with the board as it is read, None where it depends.
    """

    label: str
    tiles: tuple[str, ...]
    correction: str
    tai: int | None
    difference: int | None


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to be said before a number stands. `kind`: ``rows``, ``unread``, ``sets``, ``kong``, ``winning``,
    ``name`` or ``flowers``.

    `tiles`: places on the board; `choices`: the board as it is read first.
    """

    kind: str
    tiles: tuple[int, ...]
    choices: tuple[Choice, ...]


def questions(board: Board, numbers: Callable[[Board], Numbers]) -> tuple[Question, ...]:
    """What has to be asked about this board, scored by `numbers`; nothing where no answer wins."""
    points = open_points(board)
    if not points:
        return ()
    tried = _tried(board, points, numbers)
    asked = [at for at, point in enumerate(points) if point.kind in (UNREAD, ROWS) or _matters(tried, points, at)]
    return tuple(_question(points[at], at, tried, alone=len(asked) == 1) for at in asked)


Tried = dict[tuple[int, ...], Numbers]
"""The answer given to each point (0: as it is read) -> what the hand gives then."""


def _tried(board: Board, points: Sequence[Point], numbers: Callable[[Board], Numbers]) -> Tried:
    return {way: numbers(_answered(board, points, way)) for way in _ways([len(point.answers) for point in points])}


def _ways(counts: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """Every way to answer; where they are too many, each answer with all others as read."""
    if prod(counts) <= MOST_ANSWERS:
        return product(*map(range, counts))
    return _singles(counts)


def _singles(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    zero = (0,) * len(counts)
    yield zero
    for at, count in enumerate(counts):
        for answer in range(1, count):
            yield (*zero[:at], answer, *zero[at + 1 :])


def _answered(board: Board, points: Sequence[Point], way: Sequence[int]) -> Board:
    """The board with an answer to each point. What is no tile is taken away at the end, from the last place on: all
    answers speak of the places that the tiles have before any of them is."""
    made: list[Correction] = []
    dropped: list[Drop] = []
    for point, answer in zip(points, way, strict=True):
        if answer or point.kind == ROWS:  # a photo of several hands is read as none of them
            corrections = point.answers[answer].corrections
            made += [one for one in corrections if not isinstance(one, Drop)]
            dropped += [one for one in corrections if isinstance(one, Drop)]
    return apply_all(board, [*made, *sorted(dropped, key=lambda drop: -drop.place)])


def _matters(tried: Tried, points: Sequence[Point], at: int) -> bool:
    """Whether two ways that differ in this point only give different numbers; unlikely answers aside."""
    given: dict[tuple[tuple[int, ...], str], tuple[Any, ...]] = {}
    for way, numbers in tried.items():
        if any(point.answers[answer].unlikely for point, answer in zip(points, way, strict=True)):
            continue
        rest = (*way[:at], -1, *way[at + 1 :])
        for tile, number in numbers.items():
            if given.setdefault((rest, tile), number) != number:
                return True
    return False


def _question(point: Point, at: int, tried: Tried, *, alone: bool) -> Question:
    choices = []
    for number, answer in enumerate(point.answers):
        tai, differences = set(), set()
        for way, numbers in tried.items():
            if way[at] != number:
                continue
            before = tried.get((*way[:at], 0, *way[at + 1 :]), {})
            tai |= {one[0] for one in numbers.values()}
            differences |= {one[0] - before[tile][0] for tile, one in numbers.items() if tile in before}
        choices.append(
            Choice(
                answer.label,
                answer.tiles,
                format_corrections(answer.corrections),
                tai.pop() if alone and len(tai) == 1 else None,
                differences.pop() if len(differences) == 1 else None,
            )
        )
    return Question(point.kind, point.tiles, tuple(choices))


def unsaid_that_matters(board: Board, numbers: Callable[[Board], Numbers], *, by_name: bool) -> frozenset[str]:
    """What nobody has said of how the hand was won, and the number depends on.

    Who won and how is asked of every hand, and first. Of round, dealer and streak only what two answers pay
    differently.

    Args:
        board: the board as it is now.
        numbers: what a board gives.
        by_name: the players are known by name, and their seats turn with the dealer's: who opened the wall is asked
            only where it changes what the same people pay.
    """
    unsaid = board.context.unsaid
    if not unsaid or unsaid & {"seat", "win"}:
        return unsaid
    missing = [key for key in LASTING_FIELDS if key in unsaid]
    given: dict[tuple[str, ...], Any] = {}
    each = {"streak": _STREAKS, "round": SEATS, "dealer": board.context.seats}
    for values in product(*(each[key] for key in missing)):
        context = _with_winds(board.context, dict(zip(missing, values, strict=True)), by_name=by_name)
        turn = SEATS.index(context.dealer) if by_name else 0
        given[values] = _turned_back(numbers(replace(board, context=context)), context, turn)
    return frozenset(key for at, key in enumerate(missing) if _varies(given, at))


_STREAKS = ("0", "1")
"""A streak pays by its number: two of them tell whether it pays at all."""


def _with_winds(context: Context, values: Mapping[str, str], *, by_name: bool) -> Context:
    """The context with these winds; by name the winner and the discarder turn with the dealer."""
    turn = SEATS.index(values.get("dealer", context.dealer)) - SEATS.index(context.dealer) if by_name else 0
    return replace(
        context,
        round=values.get("round", context.round),
        dealer=values.get("dealer", context.dealer),
        streak=int(values.get("streak", context.streak)),
        seat=context.turned(context.seat, turn),
        discarder=context.turned(context.discarder, turn) if context.discarder else None,
        responsible=context.turned(context.responsible, turn) if context.responsible else None,
    )


def _turned_back(numbers: Numbers, context: Context, turn: int) -> dict[str, Any]:
    """Who pays whom, counted from the dealer who is `turn` places from East."""
    return {
        tile: (
            tai,
            sorted((context.turned(one, -turn), context.turned(other, -turn), points) for one, other, points in paid),
        )
        for tile, (tai, paid) in numbers.items()
    }


def _varies(given: Mapping[tuple[str, ...], Any], at: int) -> bool:
    """Whether two ways that differ in this place only give different numbers."""
    seen: dict[tuple[str, ...], Any] = {}
    return any(seen.setdefault((*way[:at], *way[at + 1 :]), number) != number for way, number in given.items())
