"""胡哪一張: which tile won, asked by its picture: one of a whole hand's own, or one that a hand waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoring.tiles import name
from webui.board.asking.winning_tile import likely_places
from webui.board.corrections import Correction, Move, Put, format_corrections
from webui.board.panels.answer.how_won import Names, context_questions
from webui.board.panels.answer.waits import Wait
from webui.board.panels.reading.questions import ChoiceView, QuestionView
from webui.board.state import Board
from webui.i18n import Texts


def own_tile_question(board: Board, options: Mapping[str, int], texts: Texts) -> QuestionView:
    """Asks which closed tile won. Tiles with a gap before them, as players lay a winning tile, come first.

    Args:
        board: the hand.
        options: closed tile -> tai if it won.
        texts: of the page's language.
    """
    places: dict[str, int] = {}
    for place in [*likely_places(board), *(place for place, _ in board.in_group("concealed"))]:
        places.setdefault(board.tiles[place].tile, place)
    choices = tuple(
        ChoiceView("", (code,), texts("hand.tai", tai=options[code]), f"win:{place}")
        for code, place in places.items()
        if code in options
    )
    return QuestionView(1, texts("hand.which"), (), choices)


def wait_question(board: Board, waits: Sequence[Wait], texts: Texts, *, with_tai: bool) -> QuestionView:
    """Which tile from the river won a hand of sixteen tiles, at one tap; `with_tai`: the winds are known."""
    return QuestionView(
        1,
        texts("waits.ask", number=len(waits)),
        (),
        tuple(
            ChoiceView(
                texts("waits.won", tile=name(wait.tile, texts.lang)),
                (wait.tile,),
                texts("waits.tai_short", discard=wait.discard, self_draw=wait.self_draw) if with_tai else "",
                _won_with(board, wait.tile),
            )
            for wait in waits
        ),
        palette="add:concealed",
    )


def is_only_wait(board: Board, waits: Sequence[Wait]) -> bool:
    """Whether the hand can only have been won with one tile, and the page still has to ask who won."""
    is_sure = not any(tile.may_be_another or tile.uncertain for tile in board.tiles)
    return len(waits) == 1 and is_sure and {"seat", "win"} <= board.context.unsaid


def winner_question(board: Board, wait: Wait, names: Names, texts: Texts) -> QuestionView:
    """Asks who won a hand that waits for a single tile: the answer adds that tile too.

    Args:
        board: the hand of sixteen tiles.
        wait: the tile that they wait for.
        names: of the players, by seat.
        texts: of the page's language.
    """
    (asked,) = context_questions(board.context, names, texts)
    added = f"+{_won_with(board, wait.tile)}"
    rows = tuple(
        (label, tuple(replace(choice, action=choice.action + added) for choice in choices))
        for label, choices in asked.rows
    )
    text = texts("waits.only", tile=name(wait.tile, texts.lang), question=asked.text)
    return replace(asked, text=text, rows=rows, palette="add:concealed")


def _won_with(board: Board, tile: str) -> str:
    """The correction that adds the winning tile to the sixteen; a tile mistaken for it goes back to them."""
    back: list[Correction] = [Move((place,), "concealed") for place, _ in board.in_group("winning")]
    return format_corrections([*back, Put(tile, "winning")])
