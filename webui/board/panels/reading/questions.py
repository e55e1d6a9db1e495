"""先問: the questions that stand where the number would stand, as the page shows them."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.tiles import FLOWER_CODES, name
from webui.board.open_points import UNREAD
from webui.board.questions import Choice, Question
from webui.i18n import Texts


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """One answer: its words, the tiles beside them, what it does to the number (empty: nothing), and what is sent."""

    text: str
    tiles: tuple[str, ...]
    effect: str
    action: str


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question: its number on the page (from 1), its sentence, the places it is about, and the answers.

    `unknown`: it is about a tile that may be of a set nobody has shown.
    """

    number: int
    text: str
    tiles: tuple[int, ...]
    choices: tuple[ChoiceView, ...]
    unknown: bool = False


def question_views(questions: tuple[Question, ...], texts: Texts) -> tuple[QuestionView, ...]:
    """The questions in words."""
    return tuple(
        QuestionView(
            number,
            texts(f"ask.{one.kind}", number=len(one.tiles)),
            one.tiles,
            tuple(_choice(choice, texts) for choice in one.choices),
            unknown=one.kind == UNREAD or any(code in FLOWER_CODES for choice in one.choices for code in choice.tiles),
        )
        for number, one in enumerate(questions, start=1)
    )


def _choice(choice: Choice, texts: Texts) -> ChoiceView:
    named = name(choice.tiles[0], texts.lang) if choice.label == "name" else ""
    return ChoiceView(
        texts(f"answer.{choice.label}", tile=named), choice.tiles, _effect(choice, texts), choice.correction
    )


def _effect(choice: Choice, texts: Texts) -> str:
    """``5 台（+3）``: the number with this answer, and how far it is from the board as it is read."""
    difference = f"{choice.difference:+d}" if choice.difference else ""
    if choice.tai is not None:
        number = texts("hand.tai", tai=choice.tai)
        return f"{number}（{difference}）" if difference else number
    return texts("answer.difference", difference=difference) if difference else ""
