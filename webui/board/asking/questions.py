"""問清楚: the questions that a person answers before the page shows a number, and how each changes the number.

This is the only place that decides what to ask: points of the photos and winds vary together (`asking.trials`). Facts
that change no payment are not asked about, nor are facts that a person has confirmed (`settled`, `placed`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webui.board.asking.aside import waits_for_one
from webui.board.asking.points import BLANKS, FLOWER, NAME, ROWS, UNREAD, Point, open_points
from webui.board.asking.trials import Trials, try_all
from webui.board.asking.winds import Numbers, wind_points
from webui.board.corrections import Move, format_corrections
from webui.board.state import LASTING_FIELDS, Board

NONE_OF_THESE = "none"
"""Label of the answer that no unread thing is of this hand."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer. `label`: key of its words; `tiles`: the codes it mentions; `correction`: its effect, as text.

    `tai`: the hand's number with this answer, None if other answers change it too. `difference`: from the number of the
    board as it is, None if it varies.
    """

    label: str
    tiles: tuple[str, ...]
    correction: str
    tai: int | None
    difference: int | None


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to answer before the page shows a number.

    `kind`: ``rows``, ``unread``, ``blanks``, ``sets``, ``kong``, ``winning``, ``name``, ``flower`` or ``flowers``.
    `tiles`: places on the board. `choices`: the present state of the board first.
    """

    kind: str
    tiles: tuple[int, ...]
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Asking:
    """Everything to answer: `questions` about the photos, the most telling first; `unsaid`: facts of how the hand
    was won. `winds_first`: the unsaid facts tell more than the first question."""

    questions: tuple[Question, ...] = ()
    unsaid: frozenset[str] = frozenset()
    winds_first: bool = False


def what_to_ask(board: Board, numbers: Callable[[Board], Numbers], *, by_name: bool = False) -> Asking:
    """Everything to answer before the page shows a number. Who won and how comes first if the hand can win.

    Args:
        board: the hand, after `put_aside`.
        numbers: scores a board.
        by_name: the players are known by name, and their seats turn with the dealer's.
    """
    photos = open_points(board)
    if photos and photos[0].kind == ROWS:
        return Asking((_question(0, try_all(board, photos, numbers), alone=True),))
    trials = try_all(board, (*photos, *wind_points(board.context)), numbers, by_name=by_name)
    if not trials.possible:
        return Asking(() if waits_for_one(board) else _before_no_win(trials))
    if board.context.unsaid & {"seat", "win"}:
        return Asking(unsaid=board.context.unsaid, winds_first=True)
    asked = trials.asked()
    unsaid = frozenset(trials.points[at].kind for at in asked) & frozenset(LASTING_FIELDS)
    about_photos = [at for at in asked if trials.points[at].kind not in LASTING_FIELDS]
    questions = _questions(trials, about_photos, alone=len(asked) == 1)
    return Asking(questions, unsaid, bool(unsaid) and asked[0] not in about_photos)


def _before_no_win(trials: Trials) -> tuple[Question, ...]:
    """The doubtful tiles of a hand that does not win as it is read: they are asked about before anybody is accused."""
    doubted = [at for at, point in enumerate(trials.points) if point.kind in (UNREAD, BLANKS, NAME, FLOWER)]
    return _questions(trials, doubted, alone=False)


def _questions(trials: Trials, asked: list[int], *, alone: bool) -> tuple[Question, ...]:
    questions = [_question(at, trials, alone=alone) for at in asked]
    unread = [trials.points[at] for at in asked if trials.points[at].kind == UNREAD]
    if len(unread) < 2:
        return tuple(questions)
    none = _none_of(unread)
    return tuple(
        Question(question.kind, question.tiles, (*question.choices, none)) if question.kind == UNREAD else question
        for question in questions
    )


def _none_of(points: list[Point]) -> Choice:
    """One answer for all unread things: none of them is of this hand."""
    places = tuple(place for point in points for place in point.tiles)
    return Choice(NONE_OF_THESE, (), str(Move(places, "other")), None, None)


def _question(at: int, trials: Trials, *, alone: bool) -> Question:
    point = trials.points[at]
    choices = []
    for number, answer in enumerate(point.answers):
        tai, differences = set(), set()
        for way, numbers in trials.tried.items():
            if way[at] != number:
                continue
            before = trials.tried.get((*way[:at], 0, *way[at + 1 :]), {})
            tai |= {value[0] for value in numbers.values()}
            differences |= {value[0] - before[tile][0] for tile, value in numbers.items() if tile in before}
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
