"""一起試: varies all open points of a board together, and tells which of them the number depends on.

A way answers every point at once. Ways without a win are impossible: the hand did win. A point
matters if another answer to it changes somebody's payment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from webui.board.asking.points import BLANKS, ROWS, UNREAD, Point
from webui.board.asking.winds import Numbers, among_players, with_winds
from webui.board.corrections import Correction, Drop
from webui.board.editing import apply_all
from webui.board.state import LASTING_FIELDS, Board

MOST_WAYS = 512
"""The most ways that are scored. Beyond, at most two points of the photos differ from the reading at once, then one."""
Way = tuple[int, ...]
"""The number of the answer given to each point; 0 is the board as it is."""


@dataclass(frozen=True, slots=True)
class Trials:
    """Open points, and the numbers of the hand for each way to answer them (empty: it does not win)."""

    points: tuple[Point, ...]
    tried: Mapping[Way, Numbers]

    @property
    def as_read(self) -> Way:
        """The way in which everything is as the board has it."""
        return (0,) * len(self.points)

    @property
    def possible(self) -> Mapping[Way, Numbers]:
        """The ways with which the hand wins, and the board as it is even if it does not; unlikely answers aside."""
        likely = {way: numbers for way, numbers in self.tried.items() if not self._unlikely(way)}
        won = {way: numbers for way, numbers in likely.items() if numbers}
        return {self.as_read: likely.get(self.as_read, {}), **won} if won else {}

    def _unlikely(self, way: Way) -> bool:
        return any(point.answers[answer].unlikely for point, answer in zip(self.points, way, strict=True))

    def asked(self) -> list[int]:
        """The points to ask about, the most telling first.

        Unread tiles are asked in any case. A point matters if two possible ways that differ in it alone give different
        numbers. If no point does although the numbers differ, every point in which the ways differ matters.
        """
        possible = self.possible
        always = [at for at, point in enumerate(self.points) if point.kind in (UNREAD, BLANKS, ROWS)]
        matter = [at for at in range(len(self.points)) if at not in always and _matters(possible, at)]
        if not always and not matter and _varied(possible.values()):
            matter = [at for at in range(len(self.points)) if len({way[at] for way in possible}) > 1]
        return [*always, *sorted(matter, key=lambda at: (_questions_left(possible, at, matter), _left(possible, at)))]


def try_all(
    board: Board, points: Sequence[Point], numbers: Callable[[Board], Numbers], *, by_name: bool = False
) -> Trials:
    """Scores the board in every way to answer its open points.

    Args:
        board: the hand.
        points: everything that is open.
        numbers: scores a board.
        by_name: the players are known by name, and their seats turn with the dealer's.
    """
    tried = {}
    for way in _ways(points):
        answered = _answered(board, points, way, by_name=by_name)
        tried[way] = among_players(numbers(answered), answered.context, by_name=by_name)
    return Trials(tuple(points), tried)


def _ways(points: Sequence[Point]) -> Iterable[Way]:
    """The ways to be scored: all likely ones together, and each unlikely answer with the rest as it is."""
    likely = [[at for at, answer in enumerate(point.answers) if not answer.unlikely or at == 0] for point in points]
    photos = [at for at, point in enumerate(points) if point.kind not in LASTING_FIELDS]
    if prod(map(len, likely)) <= MOST_WAYS:
        together: Iterable[Way] = product(*likely)
    else:
        rest = prod(len(likely[at]) for at in range(len(points)) if at not in photos)
        pairs = sum((len(likely[first]) - 1) * (len(likely[second]) - 1) for first, second in combinations(photos, 2))
        together = _few(likely, photos, 2 if pairs * rest <= 2 * MOST_WAYS else 1)
    return dict.fromkeys((*together, *_unlikely(points)))


def _few(likely: Sequence[Sequence[int]], photos: Sequence[int], most: int) -> Iterator[Way]:
    """The ways in which at most `most` points of the photos differ from the reading."""
    for count in range(most + 1):
        for changed in combinations(photos, count):
            yield from product(
                *(
                    answers if at not in photos else answers[1:] if at in changed else answers[:1]
                    for at, answers in enumerate(likely)
                )
            )


def _unlikely(points: Sequence[Point]) -> Iterator[Way]:
    for at, point in enumerate(points):
        for number, answer in enumerate(point.answers):
            if answer.unlikely:
                yield tuple(number if other == at else 0 for other in range(len(points)))


def _answered(board: Board, points: Sequence[Point], way: Way, *, by_name: bool) -> Board:
    """The board with an answer to each point. Boxes without a tile go last, from the last place on: all answers use the
    places that the tiles have before."""
    corrections: list[Correction] = []
    dropped: list[Drop] = []
    facts: dict[str, str] = {}
    for point, number in zip(points, way, strict=True):
        answer = point.answers[number]
        facts |= answer.said
        if number or point.kind == ROWS:  # a photo of several hands is read as none of them
            for correction in answer.corrections:
                if isinstance(correction, Drop):
                    dropped.append(correction)
                else:
                    corrections.append(correction)
    answered = apply_all(board, [*corrections, *sorted(dropped, key=lambda drop: -drop.place)])
    return with_winds(answered, facts, by_name=by_name) if facts else answered


def _matters(possible: Mapping[Way, Numbers], at: int) -> bool:
    """Whether two ways that differ in this point alone give different numbers."""
    same: dict[Way, list[Numbers]] = {}
    for way, numbers in possible.items():
        same.setdefault((*way[:at], -1, *way[at + 1 :]), []).append(numbers)
    return any(_varied(group) for group in same.values())


def _varied(group: Iterable[Numbers]) -> bool:
    """Whether any two of these differ."""
    distinct = [dict(numbers) for numbers in {frozenset(numbers.items()) for numbers in group}]
    return any(_differ(first, second) for first, second in combinations(distinct, 2))


def _differ(first: Numbers, second: Numbers) -> bool:
    """Whether two boards give different numbers, for a winning tile that both have, or over all of theirs."""
    if any(first[tile] != second[tile] for tile in first.keys() & second.keys()):
        return True
    return set(first.values()) != set(second.values())


def _questions_left(possible: Mapping[Way, Numbers], at: int, matter: Sequence[int]) -> float:
    """How many of the other points still matter once this one is answered, on average over its answers."""
    by_answer: dict[int, dict[Way, Numbers]] = {}
    for way, numbers in possible.items():
        by_answer.setdefault(way[at], {})[way] = numbers
    others = [other for other in matter if other != at]
    return sum(_matters(ways, other) for ways in by_answer.values() for other in others) / len(by_answer)


def _left(possible: Mapping[Way, Numbers], at: int) -> int:
    """How many different numbers are left at most once this point is answered."""
    left: dict[int, set[frozenset[tuple[str, tuple[object, ...]]]]] = {}
    for way, numbers in possible.items():
        left.setdefault(way[at], set()).add(frozenset(numbers.items()))
    return max(map(len, left.values()), default=0)
