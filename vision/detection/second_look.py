"""再看一次: searches again around tiles that are small in the photo, or all over the photo if none was found.

A hand that fills a third of the frame has few pixels at the detector's input and enough of them in the photo. A photo
with tiles of a good size is searched once.
"""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from vision.detection.detector import Detector, keep_best
from vision.detection.types import Found

SMALL = 0.036
"""Length of a face by the photo's longer side, below which tiles are small: 28 pixels of an input of 768."""
BELIEVED = 0.3
"""Score of a box that counts for finding the region of tiles."""
FEWEST = 3
"""With fewer boxes believed the whole photo is searched again, in parts."""
MARGIN = 4.0
"""Tile lengths added round the tiles."""
CLOSER = 0.7
"""Largest share of the photo's longer side for a part that is searched again."""
LARGE = 1100
"""Pixels of the longer side from which a photo without tiles is searched in parts. Smaller ones are frames of a live
view or show nothing more."""
PARTS, OVERLAP = 2, 0.2
"""Parts a side, and the share by which they overlap."""
REACH = 3.0
"""Tile lengths between tiles of one region."""
NEARER = 1.6
"""Tiles of the hand are at most this many times smaller than the largest; smaller ones are racks of other players."""
SAME = 0.5
"""IoU of two boxes of one tile."""


def look_again(detector: Detector, pixels: NDArray[np.uint8], found: Found) -> Found:
    """The boxes of ``detector`` in ``pixels`` (h, w, 3) RGB after a second look; the first ones if they are good."""
    height, width = pixels.shape[:2]
    longer = max(height, width)
    believed = np.flatnonzero(found.scores >= BELIEVED)
    if len(believed) < FEWEST:
        if longer < LARGE:
            return found
        parts = [_shifted(detector.find(pixels[y1:y2, x1:x2]), x1, y1) for x1, y1, x2, y2 in _parts(width, height)]
        found = _together([found, *parts])
        believed = np.flatnonzero(found.scores >= BELIEVED)
        if len(believed) < FEWEST:
            return found
    region = _region(found.boxes[believed], (width, height))
    if region is None:
        return found
    x1, y1, x2, y2 = region
    closer = _shifted(detector.find(pixels[y1:y2, x1:x2]), x1, y1)
    middles = (found.boxes[:, :2] + found.boxes[:, 2:]) / 2
    inside = ((middles > (x1, y1)) & (middles < (x2, y2))).all(axis=1)
    if (closer.scores >= BELIEVED).sum() < (found.scores[inside] >= BELIEVED).sum():
        return _together([found, closer])  # seen worse from near: nothing is lost
    return _together([found.taken(np.flatnonzero(~inside)), closer])


def _region(boxes: NDArray[np.float64], size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """The region of the hand's tiles, x1 y1 x2 y2 in whole pixels; None if a closer look is useless."""
    lengths = np.sqrt((boxes[:, 2:] - boxes[:, :2]).prod(axis=1))
    near = boxes[lengths * NEARER >= np.quantile(lengths, 0.9)]
    length = float(np.median(np.sqrt((near[:, 2:] - near[:, :2]).prod(axis=1))))
    longer = max(size)
    if length >= SMALL * longer:
        return None
    held = _largest_group(near, REACH * length)
    low, high = held[:, :2].min(axis=0) - MARGIN * length, held[:, 2:].max(axis=0) + MARGIN * length
    x1, y1 = (int(max(0, value)) for value in low)
    x2, y2 = (int(min(most, value)) for value, most in zip(high, size, strict=True))
    return (x1, y1, x2, y2) if max(x2 - x1, y2 - y1) <= CLOSER * longer else None


def _largest_group(boxes: NDArray[np.float64], reach: float) -> NDArray[np.float64]:
    """The most boxes whose middles hang together by steps of at most ``reach`` pixels."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    near = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1)) <= reach
    best = np.zeros(len(boxes), dtype=bool)
    left = np.ones(len(boxes), dtype=bool)
    while left.any():
        group = np.zeros(len(boxes), dtype=bool)
        group[int(left.argmax())] = True
        while True:
            more = near[group].any(axis=0)
            if (more == group).all():
                break
            group = more
        left &= ~group
        best = group if group.sum() > best.sum() else best
    return boxes[best]


def _parts(width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Overlapping parts of a photo, x1 y1 x2 y2."""

    def cuts(side: int) -> list[tuple[int, int]]:
        part = round(side * (1 + OVERLAP) / PARTS)
        return [(round(at * (side - part) / (PARTS - 1)), part) for at in range(PARTS)]

    return [(x, y, x + w, y + h) for x, w in cuts(width) for y, h in cuts(height)]


def _shifted(found: Found, x: int, y: int) -> Found:
    return replace(found, boxes=found.boxes + np.array((x, y, x, y), dtype=np.float64))


def _together(parts: list[Found]) -> Found:
    """Boxes of several looks as one, none of them twice, best first."""
    names = [field.name for field in fields(Found) if all(getattr(part, field.name) is not None for part in parts)]
    joined = Found(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})
    return joined.taken(keep_best(joined.boxes, joined.scores, SAME))
