"""鏡像: finds photos that are mirrored, as front cameras save them, and flips them.

Most tiles look almost the same in a mirror and are read. 伍, 七筒, 七萬, 九萬, 北 and flowers do not: they are
unsure, or become another tile, and some become it surely. So a few such tiles are looked at again, flipped. If they are
sure then, the photo is mirrored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.detection.classifier import Classifier
from vision.detection.types import MIRRORED, SURE, Detection
from vision.models.manifest import CLASSES
from vision.photo.image import Photo
from vision.pixels import sight
from vision.pixels.values import Picture
from vision.reading.joining import CONTRADICTED

HANDED = frozenset(f"{number}f" for number in range(1, 9)) | {
    *("2m", "5m", "7m", "8m", "9m", "6p", "7p"),
    *("2z", "3z", "4z"),
}
"""Names of tiles that look different in a mirror, and names that they get there."""
TAKEN_FOR = {"6p": ("7p",), "3z": ("4z",), "8m": ("2m",)}
"""Names that a mirror gives surely, and the tiles that get them: in 300 train photos 16 of 133 of 七筒. No tile of
these photos, read as it lies, has such a name and flipped surely the other. 六萬 and 九萬 are not here: in some designs
either is the other's mirror image."""
FEWEST, MOST = 2, 12
"""Tiles that must be unsure as they are and sure flipped; the most tiles that are looked at flipped. A tile with a name
of :data:`TAKEN_FOR` that flipped is surely the other one is enough alone."""
CLEAR, WORSE = 0.9, 0.5
"""Probability of a name from which a flipped tile is sure, and below which it speaks for the photo as it is."""


@dataclass(frozen=True)
class Mirror:
    """What a few tiles, looked at flipped, say of a photo: whether it is ``mirrored``, and which tiles are ``taken``
    for others if it is."""

    mirrored: bool = False
    taken: tuple[Detection, ...] = ()


def mirror(photo: Photo, seen: Sequence[Detection], classifier: Classifier) -> Mirror:
    """Whether the tiles ``seen`` in ``photo`` are clearer flipped."""
    handed = [tile for tile in seen if tile.tile in HANDED and not tile.by]
    doubtful = [tile for tile in handed if tile.unread or tile.confidence < SURE][:MOST]
    suspects = [tile for tile in seen if tile.tile in TAKEN_FOR and not (tile.by or tile.unread or tile in doubtful)]
    suspects = suspects[:MOST]
    if len(doubtful) < FEWEST:
        doubtful = []
    if not doubtful and not suspects:
        return Mirror()
    sure = [tile for tile in handed if not tile.unread and tile.confidence >= CLEAR][:MOST] if doubtful else []
    looked_at = (*doubtful, *sure, *suspects)
    read = classifier.read(*_flipped_part(photo, looked_at))[:, : len(CLASSES)]
    best, names = read.max(axis=1), [CLASSES[number] for number in read.argmax(axis=1)]
    speaking = int((best[: len(doubtful)] >= CLEAR).sum())
    against = int((best[len(doubtful) : len(doubtful) + len(sure)] < WORSE).sum())
    flipped = list(zip(looked_at, names, best, strict=True))[len(doubtful) + len(sure) :]
    taken = {tile: share for tile, name, share in flipped if name in TAKEN_FOR[tile.tile]}
    by_doubtful = speaking >= FEWEST and 2 * speaking > len(doubtful) and speaking > 2 * against
    surely = max(taken.values(), default=0.0) >= CLEAR
    return Mirror(by_doubtful or (surely and not against), tuple(taken))


def _flipped_part(photo: Photo, tiles: Sequence[Detection]) -> tuple[Picture, NDArray[np.float64]]:
    """The part of the photo round some tiles, flipped, and their boxes (n, 4) in it. To flip the whole photo takes
    longer than to read the tiles."""
    boxes = np.array([tile.box for tile in tiles]) / np.array(photo.scale * 2)
    longest = float((boxes[:, 2:] - boxes[:, :2]).max())
    height, width = photo.pixels.shape[:2]
    left, top = (max(0, math.floor(value - longest)) for value in boxes[:, :2].min(axis=0))
    right, bottom = (math.ceil(value + longest) for value in boxes[:, 2:].max(axis=0))
    right, bottom = min(width, right), min(height, bottom)
    matrix = np.array([[-1.0, 0.0, right - 1.0], [0.0, 1.0, -float(top)]])
    flipped = np.stack((right - boxes[:, 2], boxes[:, 1] - top, right - boxes[:, 0], boxes[:, 3] - top), axis=1)
    return sight.turned(photo.pixels, matrix, (right - left, bottom - top)), flipped


def flip(photo: Photo) -> Photo:
    """The photo with left and right exchanged."""
    height, width = photo.pixels.shape[:2]
    matrix = np.array([[-1.0, 0.0, width - 1.0], [0.0, 1.0, 0.0]])
    return Photo(sight.turned(photo.pixels, matrix, (width, height)), photo.size)


def doubted(tile: Detection) -> Detection:
    """The tile, not sure of its name."""
    return replace(tile, confidence=min(tile.confidence, CONTRADICTED))


def flipped_back(photo: Photo, read: Sequence[Detection]) -> tuple[Detection, ...]:
    """Tiles read in the flipped photo, in pixels of ``photo`` and marked as such."""
    return tuple(replace(_mirrored(photo, tile), by=MIRRORED) for tile in read)


def _mirrored(photo: Photo, tile: Detection) -> Detection:
    x1, y1, x2, y2 = tile.box
    return replace(tile, box=(photo.size[0] - x2, y1, photo.size[0] - x1, y2))
