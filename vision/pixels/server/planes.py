"""The homography between two photos of a table, and warping a photo."""

from __future__ import annotations

import cv2
import numpy as np

from vision.pixels.server.crops import GREY
from vision.pixels.values import Floats, Picture


def homography(points: Floats, there: Floats) -> Floats | None:
    """The matrix (3, 3) that maps points (n, 2) of a plane nearest to ``there`` (n, 2); None if there is none."""
    free, _ = cv2.findHomography(points, there, 0)
    return None if free is None else np.asarray(free).astype(np.float64)


def turned(pixels: Picture, matrix: Floats, size: tuple[int, int]) -> Picture:
    """The picture moved by ``matrix`` (2, 3), a turn and a shift, onto grey ground of ``size`` (width, height)."""
    moved = cv2.warpAffine(
        pixels, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(GREY, GREY, GREY)
    )
    return moved.astype(np.uint8, copy=False)
