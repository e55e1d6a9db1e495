"""底色: marks names on another ground than all tiles of the photo, because they may be lettering.

The tiles of a table are of one make: neighbouring faces have one ground under any lamp. Characters on a rack, a score
sheet or a box are on wood, cloth or plastic. The networks take them for tiles; only the ground differs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.detection.types import SURE, Detection
from vision.models.manifest import CLASSES
from vision.pixels import sight
from vision.pixels.values import Box, Picture

Floats = NDArray[np.float64]
GROUND, EVERY = 80, 2
"""Percentile of each channel in a box that gives its ground (ink is darker and covers less), and every how many pixels
one is counted."""
NEAREST, FEWEST = 5, 6
"""A ground is compared with this many nearest sure tiles, and with all of them, of which there must be ``FEWEST``."""
COLOUR = 0.12
"""Least difference of a channel's share (log) from the others' ground. Of 3,624 tiles of train photos 1 in 1,000
differs by 0.073; of 18 names read on painted racks 11 differ by more than 0.15 (docs/lab)."""
PALE, SHADE = 0.12, 0.6
"""A back is as pale as the faces if no channel differs by more from their ground, beyond the light (log), and the light
by no more than a shadow makes. Backs of a colour differ by 0.3 and more (train photos)."""
MOST = 0.25
"""If a larger share of a photo's tiles have another ground, the photo shows two makes, and no tile is marked."""
FLOOR = 20.0
"""Added to each channel, so that the dark has no colour."""


def grounds(pixels: Picture, boxes: Sequence[Box]) -> Floats:
    """(n, 3): the colour of each box's ground, as the share of each channel in it (log)."""
    seen = np.array([sight.whites(pixels, GROUND, EVERY, [box]) for box in boxes]).reshape(-1, 3) + FLOOR
    found: Floats = np.log(seen / seen.sum(axis=1, keepdims=True))
    return found


def strange(pixels: Picture, detections: Sequence[Detection], scale: tuple[float, float]) -> frozenset[int]:
    """The indices of tiles whose ground differs from the sure tiles around them, and from all.

    `pixels`: the ones used for naming; `detections`: in pixels of the full photo, which is ``scale`` times as large.
    """
    height, width = pixels.shape[:2]
    chosen: list[int] = []
    boxes: list[Box] = []
    for place, one in enumerate(detections):
        x1, y1, x2, y2 = (round(value / by) for value, by in zip(one.box, (*scale, *scale), strict=True))
        box = max(0, x1), max(0, y1), min(width, x2) - 1, min(height, y2) - 1
        if one.tile != CLASSES[-1] and not one.unread and not one.by and box[0] < box[2] and box[1] < box[3]:
            chosen.append(place)
            boxes.append(box)
    sure = np.array([detections[place].confidence >= SURE for place in chosen], dtype=bool)
    if sure.sum() < FEWEST:
        return frozenset()
    seen = grounds(pixels, boxes)
    middles = np.array([detections[place].center for place in chosen])
    of_all = np.median(seen[sure], axis=0)
    found = []
    for at, place in enumerate(chosen):
        far = np.where(sure, np.hypot(*(middles - middles[at]).T), np.inf)
        far[at] = np.inf
        near = np.median(seen[np.argsort(far, kind="stable")[:NEAREST]], axis=0)
        off = np.minimum(np.abs(seen[at] - near), np.abs(seen[at] - of_all))
        if off.max() > COLOUR:
            found.append(place)
    return frozenset(found) if len(found) <= MOST * len(chosen) else frozenset()


def as_pale_as_faces(
    pixels: Picture, boxes: Sequence[Sequence[float]], faces: Sequence[Sequence[float]], scale: tuple[float, float]
) -> list[bool]:
    """Which of the tiles in ``boxes`` have the colour of the usual face's ground, in light or shadow.

    `boxes`, `faces`: in pixels of the full photo, which is ``scale`` times as large as ``pixels``.
    """
    if not boxes or not faces:
        return [False] * len(boxes)
    usual = np.median([_ground(pixels, face, scale) for face in faces], axis=0)
    off = [_ground(pixels, box, scale) - usual for box in boxes]
    return [bool(np.abs(one - one.mean()).max() < PALE and abs(one.mean()) < SHADE) for one in off]


def _ground(pixels: Picture, full: Sequence[float], scale: tuple[float, float]) -> Floats:
    """(3,): each channel of a box's ground (log)."""
    height, width = pixels.shape[:2]
    x1, y1, x2, y2 = (round(value / by) for value, by in zip(full, (*scale, *scale), strict=True))
    left, top = min(max(0, x1), width - 1), min(max(0, y1), height - 1)
    box = left, top, min(width - 1, max(left, x2 - 1)), min(height - 1, max(top, y2 - 1))
    ground: Floats = np.log(sight.whites(pixels, GROUND, EVERY, [box]) + FLOOR)
    return ground
