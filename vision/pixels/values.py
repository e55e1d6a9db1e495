"""What the two adapters give: pictures, what a network saw in one, what a face looks like."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
"""Pixels (h, w, 3) RGB. In the pocket edition they lie in JavaScript: a picture there knows its ``shape``, and
rectangles can be cut out of it with slices, no more."""
Crops: TypeAlias = NDArray[np.uint8]
"""Square pictures (n, side, side, 3) RGB. In the pocket edition they lie in JavaScript too and know their ``shape``."""
Floats: TypeAlias = NDArray[np.float64]
Box: TypeAlias = tuple[int, int, int, int]
"""x1 y1 x2 y2 in whole pixels, the last ones outside."""
Tap: TypeAlias = tuple[int, int, float]
"""Pixels to the right and down of a pixel, and what share of the light there counts."""


class Seen(NamedTuple):
    """What a detector's network says of a picture: ``rows`` (n, 4 + classes) as cx cy w h in pixels of its input, then
    the scores; ``scale`` from picture to input, and the input's left and top ``margin``."""

    rows: Floats
    scale: float
    margin: tuple[int, int]


class Face(NamedTuple):
    """A tile's light, 0 to 255: of its ``bright`` part, the ``low`` and ``high`` ends of its contrast, the steepest
    change from pixel to pixel in the direction where that is least; and the share of its pixels that is ``burnt``
    out."""

    bright: float
    low: float
    high: float
    steepest: float
    burnt: float


class Cut(NamedTuple):
    """Which part of a crop is compared, and how: ``side`` in pixels, ``inner`` share of the crop, ``local`` light:
    slower changes than so many pixels are taken out."""

    side: int
    inner: float
    local: float
