"""改過的牌成為樣本: what a person said of the tiles of a hand is remembered as the look of the table's set.

A tile that was named otherwise is a reference of its name, a box that was taken away as no tile a reference of "no
tile". Parts of tiles teach nothing, and neither does a box taken away that was surely a tile: such a one was somebody
else's, or was there twice.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np

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
from webui.board.state import Board, BoardTile
from webui.web.services import Services


def learn(board: Board, services: Services, store: TileSetStore, name: str) -> int:
    """Add what a person said of the board's tiles to the set of that name, which need not be there; how many
    references are new. Never raises: the hand is kept."""
    try:
        added = tuple(_references(board, services))
        if not added:
            return 0
        fresh: list[Reference] = []

        def with_new(held: TileSet) -> TileSet:
            crops = [one.crop for one in held.references]
            fresh.extend(one for one in added if not any(sight.same(one.crop, crop) for crop in crops))
            return held.with_references(tuple(fresh)) if fresh else held

        store.change(name, with_new, new=True)
        return len(fresh)
    except (MessageError, OSError, ValueError) as error:
        logging.getLogger("paitai.webui").warning("set %s: corrections not kept: %s", name, error)
        return 0


def corrected(board: Board) -> list[BoardTile]:
    """The tiles that a person gave another name than the reading did, with a place in a photo."""
    return [seen for seen in board.tiles if seen.was and seen.tile != seen.was and seen.settled and seen.box]


def taken_away(board: Board) -> list[BoardTile]:
    """What the reading took for tiles and a person said is none."""
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
    """How many tiles of the board a person said something of that a set can remember."""
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
        kept = [one for one in board.tiles if one.shot == number and one.box]
        boxes = np.array([one.box for one in kept], np.float64).reshape(-1, 4) * scale
        whole = {
            id(one): bool(is_whole) for one, is_whole in zip(kept, seen_whole(boxes, (height, width)), strict=True)
        }
        pixels = in_white_light(pixels, boxes)
        for seen, tile in of_shot:
            if whole.get(id(seen), True):
                yield Reference(tile, _crop(pixels, np.array(seen.box) * scale), "correction")


def _crop(pixels: Picture, box: Floats) -> Picture:
    return crop_of(pixels, [float(value) for value in box])
