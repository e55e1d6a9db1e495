"""胡哪一張: which tile won, asked by its picture: one of a whole hand's own, or one that a hand waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.tiles import name
from webui.board.asking.winning_tile import likely_places
from webui.board.corrections import Correction, Move, Put, format_corrections
from webui.board.panels.answer.waits import Wait
from webui.board.panels.reading.questions import ChoiceView, QuestionView
from webui.board.state import Board
from webui.i18n import Texts


def own_tile_question(board: Board, options: Mapping[str, int], texts: Texts) -> QuestionView:
    """Which of the closed tiles won, those first that lie as winning tiles are laid.

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
                texts("waits.won", tile=name(one.tile, texts.lang)),
                (one.tile,),
                texts("waits.tai_short", discard=one.discard, self_draw=one.self_draw) if with_tai else "",
                _won_with(board, one.tile),
            )
            for one in waits
        ),
    )


def _won_with(board: Board, tile: str) -> str:
    """The correction that lays the winning tile beside the sixteen; one that was taken for it goes back to them."""
    back: list[Correction] = [Move((place,), "concealed") for place, _ in board.in_group("winning")]
    return format_corrections([*back, Put(tile, "winning")])
