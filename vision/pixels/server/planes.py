"""How one photo of a table lies on another."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pixels.values import Floats


def homography(points: Floats, there: Floats) -> Floats | None:
    """The matrix (3, 3) that carries points (n, 2) of a plane nearest to ``there`` (n, 2); None where none does."""
    free, _ = cv2.findHomography(points, there, 0)
    return None if free is None else np.asarray(free).astype(np.float64)
