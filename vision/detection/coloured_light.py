"""色光: a photo under a coloured lamp, or in little light, is read as if the light were white, and enough.

A party light or a screen leaves a channel or two so weak that red, green and black ink look alike. The faces of tiles
are pale, so the brightest of what lies in the boxes found says what white looks like there; each channel is then
brought to the same height, and the photo searched again. Where white is darker than in any photo that was learned, it
is made as bright as in most, and the grain that comes with it is spread a little. Photos in ordinary light are left as
they are.
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
"""The light is coloured where white has so little of its weakest channel beside its strongest. In the 1,318 train
photos it is above 0.78 but for 25 of one scene; measured on lamps laid over tables left out of training
(models/CARD.md)."""
DARK, BRIGHT = 90.0, 200.0
"""White of tiles below which a photo was taken in little light, and what it is brought to: of 567 train photos the
darkest has 95, 95 in 100 have more than 186."""
SPREAD: tuple[Tap, ...] = tuple((x, y, (2 - abs(x)) * (2 - abs(y)) / 16) for y in (-1, 0, 1) for x in (-1, 0, 1))
"""What a pixel of a photo in little light takes from those round it: grain is smaller than what is printed."""
MOST = 12.0
"""No channel is raised more: what is left of it is noise."""
WHITE_OF_PHOTO, WHITE_OF_TILES = 97, 90
"""Percentiles of each channel that stand for white: few of a photo's pixels are tiles, most of a box's are."""
EVERY, EVERY_IN_BOX = 4, 2
"""Of so many pixels one is looked at, each way."""


def search(detector: Detector, pixels: Picture) -> tuple[Picture, Found]:
    """The tiles that ``detector`` finds in ``pixels`` (h, w, 3) RGB, small ones looked for again, and the pixels to
    name them by: those, or under a coloured lamp or in little light what they were in white light."""
    found = look_again(detector, pixels, detector.find(pixels))
    white = in_white_light(pixels, found.boxes[found.scores >= BELIEVED])
    return (pixels, found) if white is pixels else (white, look_again(detector, white, detector.find(white)))


def in_white_light(pixels: Picture, boxes: NDArray[np.float64]) -> Picture:
    """``pixels`` (h, w, 3) RGB without the colour of the lamp and bright enough, given ``boxes`` (n, 4) x1 y1 x2 y2 of
    tiles; the same array where the light is ordinary or too few tiles tell."""
    white = unusual_white(pixels, boxes)
    if white is None:
        return pixels
    dark = is_little(white)
    even = white if is_coloured(white) else np.maximum(white, white.max())
    bright = sight.raised(pixels, np.minimum((BRIGHT if dark else white.max()) / np.maximum(even, 1.0), MOST))
    return sight.gathered(bright, SPREAD) if dark else bright


def unusual_white(pixels: Picture, boxes: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """What white looks like (3,) on the tiles in ``boxes`` (n, 4) x1 y1 x2 y2 of ``pixels`` (h, w, 3) RGB, where the
    light is coloured or little; None where it is ordinary or too few tiles tell."""
    if not _unusual(sight.whites(pixels, WHITE_OF_PHOTO, EVERY)):
        return None
    height, width = pixels.shape[:2]
    places = boxes.clip(0, (width, height, width, height)).astype(int)
    places = places[(places[:, :2] < np.minimum(places[:, 2:], (width, height))).all(axis=1)]  # not beside the photo
    if len(places) < FEWEST:
        return None
    corners = [(int(x1), int(y1), int(x2), int(y2)) for x1, y1, x2, y2 in places]
    white = sight.whites(pixels, WHITE_OF_TILES, EVERY_IN_BOX, corners)
    return white if _unusual(white) else None  # on a coloured cloth or a dark table the tiles are white


def is_coloured(white: NDArray[np.float64]) -> bool:
    """Whether white that looks so (3,) lies under a coloured lamp."""
    return bool(white.min() < COLOURED * white.max())


def is_little(white: NDArray[np.float64]) -> bool:
    """Whether white that looks so (3,) lies in little light."""
    return bool(white.max() < DARK)


def _unusual(white: NDArray[np.float64]) -> bool:
    return is_coloured(white) or is_little(white)
