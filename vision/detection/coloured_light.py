"""色光: reads a photo under a coloured lamp, or in little light, as in white and sufficient light.

A party light or a screen can weaken a channel or two so much that red, green and black ink look alike. Faces are pale,
so the brightest pixels inside the boxes show the colour of white. Each channel is scaled to the same level and the
photo is searched again. If white is darker than in any training photo, the photo is brightened and its noise smoothed.
Photos in ordinary light stay unchanged.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.detection.detector import Detector
from vision.detection.second_look import BELIEVED, FEWEST, look_again
from vision.detection.types import Found
from vision.pixels import sight
from vision.pixels.values import Picture, Tap

COLOURED = 0.7
"""The light is coloured below this ratio of white's weakest channel to its strongest. In the 1,318 train photos it is
above 0.78 except for 25 of one scene. Measured on lamps laid over tables left out of training (docs/lab)."""
DARK, BRIGHT = 90.0, 200.0
"""Level of white below which a photo is dark, and its level after brightening. Of 567 train photos the darkest has 95,
and 95% have more than 186."""
SPREAD: tuple[Tap, ...] = tuple((x, y, (2 - abs(x)) * (2 - abs(y)) / 16) for y in (-1, 0, 1) for x in (-1, 0, 1))
"""Weights of a pixel's neighbours in a dark photo: noise is finer than print."""
MOST = 12.0
"""Largest factor of a channel; beyond it is noise."""
WHITE_OF_PHOTO, WHITE_OF_TILES = 97, 90
"""Percentiles of each channel that stand for white: few of a photo's pixels are tiles, most of a box's are."""
EVERY, EVERY_IN_BOX = 4, 2
"""Every how many pixels one is counted, each way."""


def search(detector: Detector, pixels: Picture) -> tuple[Picture, Found]:
    """The tiles that ``detector`` finds in ``pixels`` (h, w, 3) RGB, including a second look for small ones. Also the
    pixels for naming them: the given ones, or a white-balanced or brightened copy."""
    found = look_again(detector, pixels, detector.find(pixels))
    white = in_white_light(pixels, found.boxes[found.scores >= BELIEVED])
    return (pixels, found) if white is pixels else (white, look_again(detector, white, detector.find(white)))


def in_white_light(pixels: Picture, boxes: NDArray[np.float64]) -> Picture:
    """``pixels`` (h, w, 3) RGB in white and sufficient light, from ``boxes`` (n, 4) x1 y1 x2 y2 of tiles. The same
    array if the light is ordinary or there are too few tiles."""
    white = unusual_white(pixels, boxes)
    if white is None:
        return pixels
    dark = is_little(white)
    even = white if is_coloured(white) else np.maximum(white, white.max())
    bright = sight.raised(pixels, np.minimum((BRIGHT if dark else white.max()) / np.maximum(even, 1.0), MOST))
    return sight.gathered(bright, SPREAD) if dark else bright


def unusual_white(pixels: Picture, boxes: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The colour of white (3,) on the tiles in ``boxes`` (n, 4) x1 y1 x2 y2 of ``pixels`` (h, w, 3) RGB. None if the
    light is ordinary or there are too few tiles."""
    if not _unusual(sight.whites(pixels, WHITE_OF_PHOTO, EVERY)):
        return None
    height, width = pixels.shape[:2]
    places = boxes.clip(0, (width, height, width, height)).astype(int)
    places = places[(places[:, :2] < np.minimum(places[:, 2:], (width, height))).all(axis=1)]  # not outside the photo
    if len(places) < FEWEST:
        return None
    corners = [(int(x1), int(y1), int(x2), int(y2)) for x1, y1, x2, y2 in places]
    white = sight.whites(pixels, WHITE_OF_TILES, EVERY_IN_BOX, corners)
    return white if _unusual(white) else None  # on a coloured cloth or a dark table the tiles are white


def is_coloured(white: NDArray[np.float64]) -> bool:
    """Whether this colour of white (3,) means a coloured lamp."""
    return bool(white.min() < COLOURED * white.max())


def is_little(white: NDArray[np.float64]) -> bool:
    """Whether this colour of white (3,) means little light."""
    return bool(white.max() < DARK)


def _unusual(white: NDArray[np.float64]) -> bool:
    return is_coloured(white) or is_little(white)
