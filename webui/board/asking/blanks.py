"""這幾張是白板嗎: one question about all tiles that look like white dragons and were not read, instead of one for each.

A white dragon without a frame, a pale back and a bare patch of table look alike. On one photo they are all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.tiles import BACK
from webui.board.corrections import Correction, Meld, Move, Name
from webui.board.state import Board, BoardTile

WHITE, FEWEST = "5z", 2
"""The tile that they look like, and how many tiles make a group. Any other name is possible for a single one."""


def blank_places(board: Board) -> tuple[int, ...]:
    """Places of the group: tiles of the hand read as white dragons without certainty, one of them unread at least."""
    places = tuple(place for place, tile in enumerate(board.tiles) if tile.group != "other" and _may_be_blank(tile))
    enough = len(places) >= FEWEST and any(board.tiles[place].open for place in places)
    return places if enough else ()


def as_dragons(places: Sequence[int]) -> tuple[Correction, ...]:
    """They are white dragons."""
    return tuple(Name(place, WHITE) for place in places)


def as_backs(board: Board, places: Sequence[int]) -> tuple[Correction, ...]:
    """They lie face down: a whole meld of them is a concealed kong, and others are of no hand."""
    number = board.tiles[places[0]].meld
    of_meld = tuple(place for place, tile in enumerate(board.tiles) if number and tile.meld == number)
    is_kong = len(of_meld) == 4 and of_meld == tuple(places)
    last: Correction = Meld(of_meld, "concealed_kong") if is_kong else Move(tuple(places), "other")
    return (*(Name(place, BACK) for place in places), last)


def _may_be_blank(tile: BoardTile) -> bool:
    if tile.tile != WHITE or tile.box is None or not (tile.open or tile.may_be_another):
        return False
    blank = (tile.confidence or 0.0) + sum(share for code, share in tile.others if code == BACK)
    return all(share <= blank for code, share in tile.others if code != BACK)
