"""改過的牌成為樣本: a person's corrections of a hand become references of the table's set.

A renamed tile is a reference of its new name. A box that was removed as "not a tile" is a reference of "no tile". Parts
of tiles teach nothing. Nor does a removed box that surely held a tile: it belonged to somebody else, or was double.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np

from scoring.tiles import FLOWER_CODES
from vision.detection.coloured_light import in_white_light
from vision.geometry import covered
from vision.messages import MessageError
from vision.models.manifest import NONE
from vision.pixels import sight
from vision.pixels.values import Floats, Picture
from vision.tileset.enrolment import crop_of, seen_whole
from vision.tileset.store import TileSetStore
from vision.tileset.values import OVER, SURELY_A_TILE, Reference, TileSet
from webui.board.corrections import place_after
from webui.board.state import FLOWER_SURE, Board, BoardTile
from webui.web.services import Services


def learn(board: Board, services: Services, store: TileSetStore, name: str) -> int:
    """Add the corrections of a board to the set of that name, which need not exist; returns the number of new
    references. Never raises: the hand is kept."""
    try:
        added = tuple(_references(board, services))
        if not added:
            return 0
        fresh: list[Reference] = []

        def with_new(held: TileSet) -> TileSet:
            crops = [reference.crop for reference in held.references]
            fresh.extend(
                reference for reference in added if not any(sight.same(reference.crop, crop) for crop in crops)
            )
            return held.with_references(tuple(fresh)) if fresh else held

        store.change(name, with_new, new=True)
        return len(fresh)
    except (MessageError, OSError, ValueError) as error:
        logging.getLogger("paitai.webui").warning("set %s: corrections not kept: %s", name, error)
        return 0


def corrected(board: Board) -> list[BoardTile]:
    """The tiles on photos that a person renamed, and the unread tiles and doubtful flowers that a person named."""
    return [seen for seen in board.tiles if seen.was and seen.settled and seen.box and _taught(seen)]


def _taught(seen: BoardTile) -> bool:
    doubtful_flower = seen.tile in FLOWER_CODES and (seen.confidence or 0.0) < FLOWER_SURE
    return seen.tile != seen.was or seen.unread or doubtful_flower


def taken_away(board: Board) -> list[BoardTile]:
    """Boxes of the reading that a person removed as "not a tile"."""
    gone = [seen for place, seen in enumerate(board.past.tiles) if place_after(board.past.steps, place) is None]
    return [
        seen
        for seen in gone
        if seen.box
        and (seen.confidence or 0.0) < SURELY_A_TILE
        and not any(
            other.box and other.shot == seen.shot and covered(seen.box, other.box) > OVER for other in board.tiles
        )
    ]


def to_learn(board: Board) -> int:
    """The number of corrections on the board that a set can learn."""
    return len(corrected(board)) + len(taken_away(board)) if board.shots else 0


def _references(board: Board, services: Services) -> Iterator[Reference]:
    named = [(seen, seen.tile) for seen in corrected(board)] + [(seen, NONE) for seen in taken_away(board)]
    for number, shot in enumerate(board.shots):
        of_shot = [(seen, tile) for seen, tile in named if seen.shot == number]
        jpeg = services.shelf.get(shot.photo) if of_shot and shot.photo else None
        if jpeg is None:
            continue
        pixels = services.load_photo(jpeg).pixels
        height, width = pixels.shape[:2]
        scale = np.array((width / shot.size[0], height / shot.size[1]) * 2)
        boxed = [tile for tile in board.tiles if tile.shot == number and tile.box]
        boxes = np.array([tile.box for tile in boxed], np.float64).reshape(-1, 4) * scale
        whole = {
            id(tile): bool(is_whole) for tile, is_whole in zip(boxed, seen_whole(boxes, (height, width)), strict=True)
        }
        pixels = in_white_light(pixels, boxes)
        for seen, tile in of_shot:
            if whole.get(id(seen), True):
                yield Reference(tile, _crop(pixels, np.array(seen.box) * scale), "correction")


def _crop(pixels: Picture, box: Floats) -> Picture:
    return crop_of(pixels, [float(value) for value in box])
