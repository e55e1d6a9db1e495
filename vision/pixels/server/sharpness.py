"""How steeply light changes in a picture, and the picture with light taken from one pixel to others."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels.values import Box, Floats, Picture, Tap


def steepness(pixels: Picture, boxes: Sequence[Box], share: float, sigma: float) -> Floats:
    """(2, 3): the squared gradient across, down, and across times down, summed over all boxes: of the detail that a
    blur removes, and of the rest.

    Args:
        pixels: the picture.
        boxes: the measured parts of it.
        share: scale at which they are measured, at most 1.
        sigma: of the blur, in pixels at that scale.
    """
    found = np.zeros((2, 3))
    for left, top, right, bottom in boxes:
        grey = cv2.cvtColor(pixels[top:bottom, left:right], cv2.COLOR_RGB2GRAY).astype(np.float32)
        if share < 1:
            size = (round((right - left) * share), round((bottom - top) * share))
            grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32, copy=False)
        soft = cv2.GaussianBlur(grey, (0, 0), sigma).astype(np.float32, copy=False)
        found += [_products(grey - soft), _products(soft)]
    return found


def _products(grey: NDArray[np.float32]) -> list[float]:
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0)[1:-1, 1:-1].astype(np.float64).ravel()
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1)[1:-1, 1:-1].astype(np.float64).ravel()
    return [float(across @ across), float(down @ down), float(across @ down)]


def gathered(pixels: Picture, taps: Sequence[Tap]) -> Picture:
    """Each pixel as the weighted sum of the pixels at ``taps`` from it; edges repeat outside the picture."""
    reach = max(max(abs(right), abs(down)) for right, down, _ in taps)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for right, down, weight in taps:
        kernel[reach + down, reach + right] += weight
    return cv2.filter2D(pixels, -1, kernel, borderType=cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)


def focused(pixels: Picture, sigma: float) -> Picture:
    """Sharpen against a Gaussian of ``sigma`` pixels: three times the picture, minus three times the blurred picture,
    plus the picture blurred twice."""
    light = pixels.astype(np.float32)
    once = cv2.GaussianBlur(light, (0, 0), sigma)
    twice = cv2.GaussianBlur(light, (0, 0), sigma * math.sqrt(2))
    return (3 * light - 3 * once + twice).round().clip(0, 255).astype(np.uint8)
