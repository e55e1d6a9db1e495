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


def _won_with(board: Board, tile: str) -> str:
    """The correction that adds the winning tile to the sixteen; a tile mistaken for it goes back to them."""
    back: list[Correction] = [Move((place,), "concealed") for place, _ in board.in_group("winning")]
    return format_corrections([*back, Put(tile, "winning")])
