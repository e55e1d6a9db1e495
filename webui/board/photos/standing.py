"""張數: the groups of the board as a layout, and how its hand stands with what holds under every rule book."""

from __future__ import annotations

from typing import Any, cast

from vision.layout.grouping import Group, TableLayout
from vision.reading.checks import Standing, hand_of, standing
from webui.board.scoring import melds_of
from webui.board.state import Board


def layout_of(board: Board) -> TableLayout:
    """The groups of the board as a layout."""
    groups = []
    for kind in ("concealed", "winning", "flowers", "other"):
        members = tuple(place for place, tile in enumerate(board.tiles) if tile.group == kind)
        if members:
            groups.append(Group(cast(Any, kind), members))
    for _, kind, tiles in melds_of(board):
        groups.append(Group("meld", tuple(place for place, _ in tiles), cast(Any, kind)))
    return TableLayout(0.0, (), tuple(groups))


def standing_of(board: Board) -> Standing:
    """How the hand on the board stands: tiles too many or too few, and whether it wins."""
    layout = layout_of(board)
    return standing(hand_of([one.tile for one in board.tiles], layout), layout)
