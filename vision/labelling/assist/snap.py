"""Snapping: the box of the tile that a person pointed at, found by the model's detector in the neighbourhood."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from vision.labelling.labels import Box, Point

if TYPE_CHECKING:
    from vision.detection.detector import Detector
    from vision.pixels.values import Picture

REACH_SIDES = 6.0
"""Side of the searched neighbourhood, as a multiple of the expected box's longer side. Of 4, 6, 9 and 14 it gave the
best boxes on tiles that the detector had missed in the whole photo."""
SIZE_RATIOS = (0.5, 2.0)
"""Side of a found box by that of the expected one."""
PASS = 0.05
"""A found box must be at least this likely, less what its middle is away."""


def snap(detector: Detector, pixels: Picture, scale: tuple[float, float], point: Point, expected: Box) -> Box | None:
    """The tile's box at ``point`` (pixels of the full photo), about as large as ``expected``; None if the detector sees
    none. ``pixels`` is the decoded photo, ``scale`` the number of full-photo pixels per decoded pixel."""
    import numpy as np

    sx, sy = scale
    cx, cy, w, h = point[0] / sx, point[1] / sy, expected.width / sx, expected.height / sy
    reach = max(w, h) * REACH_SIDES / 2
    left, top = max(0, int(cx - reach)), max(0, int(cy - reach))
    part = np.ascontiguousarray(pixels[top : int(cy + reach) + 1, left : int(cx + reach) + 1])
    if min(part.shape[:2]) < 8:
        return None
    detections = detector.find(part)
    best: tuple[float, Any] | None = None
    corner = np.array((left, top, left, top), dtype=np.float64)
    for box, score in zip(detections.boxes + corner, detections.scores, strict=True):
        x1, y1, x2, y2 = box
        size = math.sqrt((x2 - x1) * (y2 - y1) / (w * h))
        if not (x1 <= cx <= x2 and y1 <= cy <= y2 and SIZE_RATIOS[0] < size < SIZE_RATIOS[1]):
            continue
        worth = float(score) * (1 - math.hypot((x1 + x2) / 2 - cx, (y1 + y2) / 2 - cy) / max(w, h))
        if worth > PASS and (best is None or worth > best[0]):
            best = worth, box
    if best is None:
        return None
    x1, y1, x2, y2 = (float(value) for value in best[1] * (sx, sy, sx, sy))
    return Box(x1, y1, x2, y2)
