"""Light: white balance of a picture, the picture under another lamp, the clarity of a tile."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels.values import Box, Face, Floats, Picture

LEVELS = 256
"""Values that a channel of a pixel has."""


def whites(pixels: Picture, percentile: float, step: int, places: Sequence[Box] = ()) -> Floats:
    """The percentile (3,) of each channel.

    Args:
        pixels: the picture.
        percentile: 0 to 100.
        step: every how many pixels one is counted, each way.
        places: only in these (without any: everywhere), the last column and row included.
    """
    parts = [pixels[y1 : y2 + 1, x1 : x2 + 1] for x1, y1, x2, y2 in places] if places else [pixels]
    # Whole rows first: columns are then picked out of them without another copy.
    seen = [np.ascontiguousarray(part[::step])[:, ::step].reshape(-1, 3) for part in parts]
    every = np.concatenate(seen) if len(seen) > 1 else seen[0]
    counts = [np.bincount(every[:, channel], minlength=LEVELS) for channel in range(3)]
    return np.array([_percentile(one, percentile) for one in counts])


def _percentile(counts: NDArray[np.intp], percentile: float) -> float:
    """`np.percentile` from the counts of each level, equal to the last digit. Sorting two hundred thousand pixels
    takes four times as long as counting them."""
    up_to = np.cumsum(counts)
    last = int(up_to[-1]) - 1
    at = last * (percentile / 100)
    part = at - int(at)
    low = int(np.searchsorted(up_to, int(at), side="right"))
    high = int(np.searchsorted(up_to, min(int(at) + 1, last), side="right"))
    return high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part


def raised(pixels: Picture, gain: Floats) -> Picture:
    """The picture with each channel multiplied by ``gain`` (3,)."""
    levels = (np.arange(256)[:, None] * gain).clip(0, 255).astype(np.uint8)
    return np.stack([levels[pixels[:, :, channel], channel] for channel in range(3)], axis=2)


def face(pixels: Picture, box: Box, side: int, burnt: int) -> Face:
    """The light of a tile.

    Args:
        pixels: the picture.
        box: of the tile, inside the picture.
        side: the tile is measured at this size, in pixels.
        burnt: from which value of all three channels a pixel counts as burnt out.
    """
    left, top, right, bottom = box
    crop = pixels[top:bottom, left:right]
    grey = cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY).astype(np.float32)
    how = cv2.INTER_AREA if (right - left) * (bottom - top) > side * side else cv2.INTER_LINEAR
    small = cv2.resize(grey, (side, side), interpolation=how).astype(np.float32, copy=False)
    ordered = np.sort(small, axis=None)
    low, bright, high = (float(ordered[int(share * ordered.size)]) for share in (0.05, 0.9, 0.95))
    out = cv2.countNonZero(cv2.inRange(crop, (burnt, burnt, burnt), (255, 255, 255))) / grey.size
    return Face(bright, low, high, _steepest(small), out)


_ANGLES = np.radians(np.arange(0, 180, 22.5))
_DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1).astype(np.float32)


def _steepest(small: NDArray[np.float32]) -> float:
    """The least of the steepest changes in eight directions: motion blurs in one of them only."""
    across = cv2.Sobel(small, cv2.CV_32F, 1, 0)[2:-2, 2:-2].ravel()
    down = cv2.Sobel(small, cv2.CV_32F, 0, 1)[2:-2, 2:-2].ravel()
    slopes = np.abs(_DIRECTIONS @ np.stack([across, down]))
    place = int(0.97 * slopes.shape[1])
    least = float(np.partition(slopes[0], place)[place])
    for steep in slopes[1:]:
        if np.count_nonzero(steep < least) > place:  # only then is that direction's less
            least = float(np.partition(steep, place)[place])
    return least
