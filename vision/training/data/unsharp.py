"""A stored crop as a photo has it that was shaken or out of focus, most often sharpened again as the reading does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels.values import Tap
from vision.reading.sharpened import LEAST_LINE, LINE, SPOT, shaken, taken_back
from vision.training.data.crops import ROOM_SIDES
from vision.training.data.store import STORED_SIDE

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
TILE = STORED_SIDE / ROOM_SIDES
"""Pixels of the tile of a stored crop."""
SMALL, SMALLEST, LARGEST = 0.45, 17.0, 60.0
"""Share of crops shown as small tiles, and the range of their length in pixels."""
SHAKEN, UNFOCUSED = 0.62, 0.3
"""Shares of crops; the others are sharp."""
SHARPENED = 0.75
"""Share of unsharp crops that are sharpened again."""
GRAIN, LEVELS, PACKED = 0.5, 3.0, 0.35
"""Share of crops with grain, the most levels of it, and the share of crops packed as JPEG."""
ASTRAY, OFTEN, FAR_ASTRAY = math.radians(5), 0.9, math.radians(15)
"""Standard deviation of the estimated direction of a shake, the share of crops with it, and that of the rest."""
EDGE = cv2.BORDER_REPLICATE


def unsharp(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """A stored crop (112, 112, 3), changed as ``rng`` falls; as large as it was."""
    size = TILE
    if rng.random() < SMALL:
        size = rng.uniform(SMALLEST, LARGEST)
        few = round(STORED_SIDE * size / TILE)
        pixels = np.asarray(cv2.resize(pixels, (few, few), interpolation=cv2.INTER_AREA), np.uint8)
    kind = rng.random()
    direction = rng.uniform(0, math.pi)
    if kind < SHAKEN:
        length = rng.uniform(0.03, 0.13) if rng.random() < 0.7 else rng.uniform(0.1, 0.24)
        line = shaken(direction, length * size)
        pixels = _filtered(pixels, _kernel([(x, y, share) for (x, y), share in line.items()]))
    elif kind < SHAKEN + UNFOCUSED:
        spot = max(0.3, rng.uniform(0.015, 0.06) * size)
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), spot, borderType=EDGE), np.uint8)
    if rng.random() < GRAIN:
        grain = rng.standard_normal(pixels.shape, np.float32) * np.float32(rng.uniform(0, LEVELS))
        pixels = (pixels + grain).clip(0, 255).astype(np.uint8)
    if rng.random() < PACKED:
        packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 96))])[1]
        pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if kind < SHAKEN + UNFOCUSED and rng.random() < SHARPENED:
        told = direction + rng.normal() * (ASTRAY if rng.random() < OFTEN else FAR_ASTRAY)
        if kind >= SHAKEN:
            pixels = _focused(pixels, SPOT * size)
        elif size >= LEAST_LINE:
            pixels = _filtered(pixels, _taken_back(round(math.degrees(told) / 3) % 60 * 3, round(2 * LINE * size)))
    if pixels.shape[0] != STORED_SIDE:
        pixels = np.asarray(cv2.resize(pixels, (STORED_SIDE,) * 2, interpolation=cv2.INTER_LINEAR), np.uint8)
    return pixels


def _filtered(pixels: Pixels, kernel: Floats) -> Pixels:
    return np.asarray(cv2.filter2D(pixels, -1, kernel, borderType=EDGE), np.uint8)


def _focused(pixels: Pixels, sigma: float) -> Pixels:
    """As :func:`vision.pixels.sight.focused`: 3 - 3k + kk, with ``k`` the spot."""
    once = cv2.GaussianBlur(pixels.astype(np.float32), (0, 0), sigma, borderType=EDGE)
    twice = cv2.GaussianBlur(once, (0, 0), sigma, borderType=EDGE)
    return (3.0 * pixels - 3 * once + twice).clip(0, 255).astype(np.uint8)


def _kernel(taps: Sequence[Tap]) -> Floats:
    reach = max(max(abs(x), abs(y)) for x, y, _ in taps)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for x, y, share in taps:
        kernel[y + reach, x + reach] += share
    return kernel


@cache
def _taken_back(degrees: int, half_pixels: int) -> Floats:
    return _kernel(taken_back(math.radians(degrees), half_pixels / 2))
