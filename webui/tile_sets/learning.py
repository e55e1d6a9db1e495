"""改過的牌成為樣本: every tile that a person named otherwise in a recorded hand is a reference of the table's set."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np

from vision.detection.coloured_light import in_white_light
from vision.messages import MessageError
from vision.tileset.enrolment import crop_of
from vision.tileset.store import TileSetStore
from vision.tileset.values import Reference, TileSet
from webui.board.state import Board, BoardTile
from webui.web.services import Services


def learn(board: Board, services: Services, store: TileSetStore, name: str) -> int:
    """Add the corrected tiles of a settled hand to the set; how many were new. Never raises: the hand is kept."""
    try:
        added = tuple(_references(board, services))
        if not added:
            return 0
        fresh: list[Reference] = []

        def with_new(held: TileSet) -> TileSet:
            crops = [one.crop for one in held.references]
            fresh.extend(one for one in added if not any(np.array_equal(one.crop, crop) for crop in crops))
            return held.with_references(tuple(fresh)) if fresh else held

        store.change(name, with_new)
        return len(fresh)
    except (MessageError, OSError, ValueError) as error:
        logging.getLogger("paitai.webui").warning("set %s: corrections not kept: %s", name, error)
        return 0


def corrected(board: Board) -> list[BoardTile]:
    """The tiles that a person gave another name than the reading did, with a place in a photo."""
    return [seen for seen in board.tiles if seen.was and seen.tile != seen.was and seen.settled and seen.box]


def _references(board: Board, services: Services) -> Iterator[Reference]:
    for number, shot in enumerate(board.shots):
        tiles = [seen for seen in corrected(board) if seen.shot == number]
        jpeg = services.shelf.get(shot.photo) if tiles and shot.photo else None
        if jpeg is None:
            continue
        pixels = services.load_photo(jpeg).pixels
        across, down = pixels.shape[1] / shot.size[0], pixels.shape[0] / shot.size[1]
        boxes = [one.box for one in board.tiles if one.shot == number and one.box]
        pixels = in_white_light(pixels, np.array(boxes, np.float64) * (across, down, across, down))
        for seen in tiles:
            assert seen.box is not None
            x1, y1, x2, y2 = seen.box
            crop = crop_of(pixels, (x1 * across, y1 * down, x2 * across, y2 * down))
            yield Reference(seen.tile, crop, "correction")
