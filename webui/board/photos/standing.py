"""張數: the groups of the board as a layout, and its tile count compared with a whole hand."""

from __future__ import annotations

from typing import Any, cast

from vision.layout.grouping import Group, TableLayout
from vision.reading.checks import Standing, hand_of, standing
from webui.board.request import melds_of
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
    """The tile count of the hand compared with a whole hand, and whether it wins."""
    layout = layout_of(board)
    return standing(hand_of([tile.tile for tile in board.tiles], layout), layout)
