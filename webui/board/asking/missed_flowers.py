"""花牌算幾張: whether a flower more would change a payment, so that the page says how many it counts beside the number.

A flower that the detector did not find is no point to ask about: the photo has nothing of it. The number of flowers
therefore always stands beside the tai, and one tap adds one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from scoring.answers import ScoreAnswer
from scoring.tiles import BACK, CODES, PLANTS, SEASONS
from webui.board.asking.aside import things_aside
from webui.board.request import request_of
from webui.board.state import Board, BoardTile

HIDING_NOTES = ("at_edge", "quality_small", "quality_blurred", "quality_dark", "quality_slanting")
"""Warnings of a photo on which the detector may have missed a tile."""


def flower_would_pay(
    board: Board, response: Mapping[str, object], answer: Callable[..., ScoreAnswer], won: str | None
) -> bool:
    """Whether a flower that is not on the board would change a payment, or all that lack of one kind (四季 or 四君子).

    False without a photo: a person entered everything.

    Args:
        board: a hand that wins.
        response: its tally.
        answer: the rules.
        won: the winning tile if the board does not mark one.
    """
    held = {tile.tile for tile in board.tiles if tile.group == "flowers"}
    kinds = [[CODES[tile] for tile in kind if CODES[tile] not in held] for kind in (SEASONS, PLANTS)]
    trials = [*((code,) for kind in kinds for code in kind), *(tuple(kind) for kind in kinds if len(kind) > 1)]
    return bool(board.shots) and any(
        differs(answer(request_of(_with_flowers(board, codes), won)), response) for codes in trials
    )


def may_hide_flower(board: Board) -> bool:
    """Whether something on a photo was not read or may be hidden."""
    aside = [board.tiles[place] for place in things_aside(board)]
    is_unknown = any((tile.open or tile.trust != "sure") and tile.tile != BACK and not tile.placed for tile in aside)
    return bool(board.shots) and (is_unknown or any(note.code in HIDING_NOTES for note in board.notes))


def _with_flowers(board: Board, codes: Sequence[str]) -> Board:
    added = [BoardTile(code, "flowers", settled=True, placed=True) for code in codes]
    return replace(board, tiles=(*board.tiles, *added))


def differs(other: Mapping[str, object], response: Mapping[str, object]) -> bool:
    """Whether another tally is of a win and gives another number or other payments."""
    if "error" in other or not other.get("wins"):
        return False
    return any(other[key] != response[key] for key in ("tai", "transfers"))
