"""Results of the two adapters: pictures, a network's boxes, the light of a face."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]
"""Pixels (h, w, 3) RGB. In the pocket edition JavaScript holds them: a picture there has only a ``shape``, and slices
cut rectangles out of it."""
Crops: TypeAlias = NDArray[np.uint8]
"""Square pictures (n, side, side, 3) RGB. In the pocket edition they lie in JavaScript too and know their ``shape``."""
Floats: TypeAlias = NDArray[np.float64]
Box: TypeAlias = tuple[int, int, int, int]
"""x1 y1 x2 y2 in whole pixels, the last ones outside."""
Tap: TypeAlias = tuple[int, int, float]
"""Pixels to the right and down of a pixel, and what share of the light there counts."""


class Seen(NamedTuple):
    """A detector's output for a picture: ``rows`` (n, 4 + classes) as cx cy w h in pixels of its input, then the
    scores; ``scale`` from picture to input, and the input's left and top ``margin``."""

    rows: Floats
    scale: float
    margin: tuple[int, int]


class Face(NamedTuple):
    """A tile's light, 0 to 255: of its ``bright`` part, the ``low`` and ``high`` ends of its contrast, and the steepest
    change between pixels in the direction with the least. ``burnt``: the burnt-out share of its pixels."""

    bright: float
    low: float
    high: float
    steepest: float
    burnt: float


class Cut(NamedTuple):
    """The compared part of a crop: ``side`` in pixels, ``inner`` share of the crop, ``local`` light: changes slower
    than this many pixels are removed."""

    side: int
    inner: float
    local: float
