"""底色: what lies among tiles and has another ground than all of them may be lettering, and is to be looked at.

The tiles of a table are of one make: beside each other their faces have one ground, whatever the lamp. Characters on a
rack, a score sheet or a box stand on wood, cloth or plastic. A name read there has what a tile has for the networks,
but not its ground.
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
"""Percentile of each channel in a box that stands for its ground (ink is darker and covers less), and of how many
pixels one is looked at, each way."""
NEAREST, FEWEST = 5, 6
"""A ground is held against those of so many sure tiles nearest to it, and of all; with fewer nothing is said."""
COLOUR = 0.12
"""How far the share of a channel (log) in a ground must be from theirs. Of 3,624 tiles of train photos 1 in 1,000 is
0.073 away from its neighbours, of 18 names read on painted racks 11 are further than 0.15 (models/CARD.md)."""
MOST = 0.25
"""Where a larger share of a photo's tiles have another ground, two makes lie there, and nothing is said."""
FLOOR = 20.0
"""Added to each channel, so that the dark has no colour."""


def grounds(pixels: Picture, boxes: Sequence[Box]) -> Floats:
    """(n, 3): the colour of each box's ground, as the share of each channel in it (log)."""
    seen = np.array([sight.whites(pixels, GROUND, EVERY, [box]) for box in boxes]).reshape(-1, 3) + FLOOR
    found: Floats = np.log(seen / seen.sum(axis=1, keepdims=True))
    return found


def strange(pixels: Picture, detections: Sequence[Detection], scale: tuple[float, float]) -> frozenset[int]:
    """The places of the tiles whose ground is unlike that of the sure tiles round them, and of all.

    `pixels`: they were named by; `detections`: in pixels of the full photo, which are ``scale`` times as many.
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
