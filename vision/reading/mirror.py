"""鏡像: finds photos that are mirrored, as front cameras save them, and flips them.

Most tiles look almost the same in a mirror and are read. 伍, 七筒, 七萬, 九萬, 北 and flowers do not: they are
unsure, or become another tile. So a few such tiles are looked at again, flipped. If they are sure then, the photo is
mirrored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.detection.classifier import Classifier
from vision.detection.types import MIRRORED, SURE, Detection
from vision.models.manifest import CLASSES
from vision.photo.image import Photo
from vision.pixels import sight

HANDED = frozenset(f"{number}f" for number in range(1, 9)) | {
    *("2m", "5m", "7m", "8m", "9m", "6p", "7p"),
    *("2z", "3z", "4z"),
}
"""Names of tiles that look different in a mirror, and names that they get there."""
FEWEST, MOST = 2, 12
"""Tiles that must be unsure as they are and sure flipped; the most tiles that are looked at flipped."""
CLEAR, WORSE = 0.9, 0.5
"""Probability of a name from which a flipped tile is sure, and below which it speaks for the photo as it is."""


def is_mirrored(photo: Photo, seen: Sequence[Detection], classifier: Classifier) -> bool:
    """Whether the tiles ``seen`` in ``photo`` are clearer flipped."""
    handed = [tile for tile in seen if tile.tile in HANDED and not tile.by]
    doubtful = [tile for tile in handed if tile.unread or tile.confidence < SURE][:MOST]
    if len(doubtful) < FEWEST:
        return False
    sure = [tile for tile in handed if not tile.unread and tile.confidence >= CLEAR][:MOST]
    flipped = flip(photo)
    boxes = np.array([_mirrored(photo, tile).box for tile in (*doubtful, *sure)]) / np.array(photo.scale * 2)
    best = classifier.read(flipped.pixels, boxes)[:, : len(CLASSES)].max(axis=1)
    speaking = int((best[: len(doubtful)] >= CLEAR).sum())
    against = int((best[len(doubtful) :] < WORSE).sum())
    return speaking >= FEWEST and 2 * speaking > len(doubtful) and speaking > 2 * against


def flip(photo: Photo) -> Photo:
    """The photo with left and right exchanged."""
    height, width = photo.pixels.shape[:2]
    matrix = np.array([[-1.0, 0.0, width - 1.0], [0.0, 1.0, 0.0]])
    return Photo(sight.turned(photo.pixels, matrix, (width, height)), photo.size)


def flipped_back(photo: Photo, read: Sequence[Detection]) -> tuple[Detection, ...]:
    """Tiles read in the flipped photo, in pixels of ``photo`` and marked as such."""
    return tuple(replace(_mirrored(photo, tile), by=MIRRORED) for tile in read)


def _mirrored(photo: Photo, tile: Detection) -> Detection:
    x1, y1, x2, y2 = tile.box
    return replace(tile, box=(photo.size[0] - x2, y1, photo.size[0] - x1, y2))
