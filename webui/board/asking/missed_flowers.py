"""還有花牌嗎？: whether a photo may hide a flower that is not on the board, and whether one would change a payment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from scoring.answers import ScoreAnswer
from scoring.tiles import BACK, CODES, FLOWER_CODES
from webui.board.asking.aside import things_aside
from webui.board.request import request_of
from webui.board.state import Board, BoardTile

HIDING_NOTES = ("at_edge", "quality_small", "quality_blurred", "quality_dark", "quality_slanting")
"""Warnings of a photo on which the detector may have missed a tile."""


def may_miss_flower(
    board: Board, response: Mapping[str, object], answer: Callable[..., ScoreAnswer], won: str | None
) -> bool:
    """Whether to offer 「還有花牌嗎？」: something on a photo was not read or may be hidden, and a flower would count.

    Args:
        board: a hand that wins.
        response: its tally.
        answer: the rules.
        won: the winning tile if the board does not mark one.
    """
    return _may_hide_one(board) and any(
        differs(answer(request_of(_with_flower(board, code), won)), response)
        for code in CODES
        if code in FLOWER_CODES and not any(tile.tile == code and tile.group == "flowers" for tile in board.tiles)
    )


def _may_hide_one(board: Board) -> bool:
    aside = [board.tiles[place] for place in things_aside(board)]
    is_unknown = any((tile.open or tile.trust != "sure") and tile.tile != BACK and not tile.placed for tile in aside)
    return bool(board.shots) and (is_unknown or any(note.code in HIDING_NOTES for note in board.notes))


def _with_flower(board: Board, code: str) -> Board:
    return replace(board, tiles=(*board.tiles, BoardTile(code, "flowers", settled=True, placed=True)))


def differs(other: Mapping[str, object], response: Mapping[str, object]) -> bool:
    """Whether another tally is of a win and gives another number or other payments."""
    if "error" in other or not other.get("wins"):
        return False
    return any(other[key] != response[key] for key in ("tai", "transfers"))
