"""先問: the page's view of the questions that replace the number."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.tiles import FLOWER_CODES, name
from webui.board.asking.points import FLOWER, NAME, UNREAD
from webui.board.asking.questions import Choice, Question
from webui.board.corrections import Correction, Only, parse
from webui.board.photos.rival_hands import other_hands
from webui.board.state import Board
from webui.i18n import Texts

OTHER = "other:"
"""A button that turns to another hand of the photo, won on the same discard, sends this and the line around it."""


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """One answer: its words, the tiles next to them, its effect on the number (empty: none), and the button's value.

    `picture`: a part of a photo: number, x, y, width and height. `spoken`: the words for screen readers if `text` alone
    is unclear.
    """

    text: str
    tiles: tuple[str, ...]
    effect: str
    action: str
    spoken: str = ""
    picture: tuple[int, tuple[int, int, int, int]] | None = None


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question: its number on the page (from 1), its sentence, the places it concerns, and the answers.

    `unknown`: it concerns a tile of a set that may be new to PaiTai. `elsewhere`: words of a link to the form below,
    which has the rarer answers. `rows`: the answers in rows with headings; `choices` is then empty. `palette`: a
    button's value that opens all tiles.
    """

    number: int
    text: str
    tiles: tuple[int, ...]
    choices: tuple[ChoiceView, ...]
    unknown: bool = False
    elsewhere: str = ""
    rows: tuple[tuple[str, tuple[ChoiceView, ...]], ...] = ()
    palette: str = ""


def question_views(questions: tuple[Question, ...], texts: Texts) -> tuple[QuestionView, ...]:
    """The questions in words."""
    return tuple(
        QuestionView(
            number,
            texts(f"ask.{question.kind}", number=len(question.tiles)),
            question.tiles,
            tuple(_choice(choice, question.kind, texts) for choice in question.choices),
            unknown=question.kind == UNREAD
            or any(code in FLOWER_CODES for choice in question.choices for code in choice.tiles),
            palette=f"edit:{question.tiles[0]}" if question.kind in (UNREAD, NAME, FLOWER) else "",
        )
        for number, question in enumerate(questions, start=1)
    )


def _choice(choice: Choice, kind: str, texts: Texts) -> ChoiceView:
    if choice.label == "row":
        return _row(parse(choice.correction)[0], "answer.row", texts)
    named = name(choice.tiles[0], texts.lang) if choice.label == "name" else ""
    text = texts(f"answer.{choice.label}", tile=named)
    if kind == FLOWER and choice.label == "name":
        return ChoiceView("", choice.tiles, _effect(choice, texts), choice.correction, spoken=text)
    return ChoiceView(text, choice.tiles, _effect(choice, texts), choice.correction)


def other_hand_views(board: Board, texts: Texts) -> tuple[ChoiceView, ...]:
    """The other hands of the photo, each by its picture, to be looked at next: 一炮多響."""
    return tuple(_row(hand, "answer.other_row", texts, OTHER) for hand in other_hands(board))


def _row(only: Correction, words: str, texts: Texts, action: str = "") -> ChoiceView:
    """One of several hands, by its picture."""
    assert isinstance(only, Only)
    xs, ys = [x for x, _ in only.line], [y for _, y in only.line]
    window = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
    return ChoiceView(texts(words), (), "", action + str(only), picture=(only.shot, window))


def _effect(choice: Choice, texts: Texts) -> str:
    """``5 台（+3）``: the number with this answer, and how far it is from the board as it is read."""
    difference = f"{choice.difference:+d}" if choice.difference else ""
    if choice.tai is not None:
        number = texts("hand.tai", tai=choice.tai)
        return f"{number}（{difference}）" if difference else number
    return texts("answer.difference", difference=difference) if difference else ""
