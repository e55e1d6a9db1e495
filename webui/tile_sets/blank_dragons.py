"""認得的白板: an answer about one photo, that its blank tiles are white dragons, holds for the table's later ones.

Unread tiles that look like white dragons are then named so, but only if the hand is whole with them: a pale back and a
bare patch of table look the same.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path

from scoring.languages import WHOLE
from vision.files import put_file
from vision.locks import locked
from webui.board.asking.aside import put_aside, stands
from webui.board.asking.blanks import WHITE
from webui.board.photos.standing import standing_of
from webui.board.state import KNOWN_DRAGONS, Board, BoardTile, Note
from webui.i18n import Texts

FILE, LOCK = "blank_dragons.json", "blank_dragons.lock"
MOST_TABLES = 4


def remember(board: Board, folder: Path, game: str) -> None:
    """Store that a person named unread tiles of the hand white dragons, or forget it after another answer: another
    name, or that none is of the hand.

    Never raises: the hand is kept.

    Args:
        board: the hand with its corrections.
        folder: the data folder.
        game: id of the running table.
    """
    blank = [tile for tile in board.tiles if tile.unread and tile.was == WHITE and tile.box]
    named = [tile for tile in blank if tile.settled and tile.group != "other"]
    if not named and not any(tile.settled or tile.placed for tile in blank):
        return
    try:
        with locked(folder / LOCK):
            tables = {key: value for key, value in _tables(folder).items() if key != game}
            if named and all(tile.tile == WHITE for tile in blank if tile.settled):
                tables[game] = True
            latest = dict([*tables.items()][-MOST_TABLES:])
            put_file(folder / FILE, json.dumps(latest).encode("ascii"), durable=False)
    except (OSError, ValueError) as error:
        logging.getLogger("paitai.webui").warning("white dragons of a table are not kept: %s", error)


def with_known_dragons(board: Board, folder: Path, game: str) -> Board:
    """The board of a fresh reading with its unread white dragons named, if this table has such and the hand is whole
    with them only. A warning says so."""
    if not any(map(_may_be_dragon, board.tiles)) or game not in _tables(folder):
        return board
    tiles = tuple(replace(tile, settled=True) if _may_be_dragon(tile) else tile for tile in board.tiles)
    places = tuple(place for place, tile in enumerate(board.tiles) if _may_be_dragon(tile))
    note = Note(KNOWN_DRAGONS, "photo", {lang: Texts(lang)("ask.blanks_known") for lang in WHOLE}, places)
    named = replace(board, tiles=tiles, past=replace(board.past, tiles=tiles), notes=(*board.notes, note))
    is_whole = stands(named) and standing_of(named).fine
    return named if is_whole and not stands(put_aside(board)) else board


def _may_be_dragon(tile: BoardTile) -> bool:
    return tile.open and tile.tile == WHITE and tile.group != "other" and tile.box is not None


def _tables(folder: Path) -> dict[str, bool]:
    """The tables with such dragons, by the id of the game; empty for a damaged file."""
    try:
        raw = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        logging.getLogger("paitai.webui").warning("%s: %s", folder / FILE, error)
        return {}
    return dict.fromkeys(raw, True) if isinstance(raw, dict) else {}
