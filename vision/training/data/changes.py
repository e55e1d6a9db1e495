"""Photos changed as a camera or a hand would: smaller, shaken, out of focus, turned, in other light; labels go along.

A benchmark reads them so, and a detector learns from them (:func:`made_worse`). Lengths of blur are in tiles.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.measure import Label

Pixels = NDArray[np.uint8]
Change = Callable[[Pixels, float], tuple[Pixels, NDArray[np.float64]]]
"""Changed pixels and the matrix (2, 3) that moves points along, for a photo and its tile length in pixels."""
STAY = np.array([[1.0, 0, 0], [0, 1.0, 0]])
SMALLER, SMALL_TILES, LEAST_SHARE = 0.6, (10.0, 40.0), 0.2
"""Of photos made worse: the share that is made smaller, to tiles of how many pixels, and to what share at least."""
LONGEST = 1152
"""Pixels of the longer side of a photo made worse: a detector looks at no more."""
BLURRED, SHAKEN, SPREAD = 0.3, (0.04, 0.18), (0.02, 0.06)
"""Of them: the share that is shaken or, as often, out of focus, and by how many tiles."""
ASKEW, STEEPEST = 0.3, 60.0
"""Of them: the share that is turned by any angle, and up to how many degrees."""


def turned(degrees: float) -> Change:
    """Turned on a canvas that holds all of it."""

    def change(pixels: Pixels, tile: float) -> tuple[Pixels, NDArray[np.float64]]:
        h, w = pixels.shape[:2]
        matrix = np.array(cv2.getRotationMatrix2D((w / 2, h / 2), degrees, 1.0), np.float64)
        cos, sin = abs(matrix[0, 0]), abs(matrix[0, 1])
        wide, high = math.ceil(w * cos + h * sin), math.ceil(w * sin + h * cos)
        matrix[:, 2] += (wide / 2 - w / 2, high / 2 - h / 2)
        out = cv2.warpAffine(pixels, matrix, (wide, high), borderMode=cv2.BORDER_CONSTANT, borderValue=(114, 114, 114))
        return out.astype(np.uint8, copy=False), matrix

    return change


def line_kernel(length: float, angle: float) -> NDArray[np.float32]:
    """The kernel of a motion blur ``length`` pixels long at ``angle`` (radians). Its weights sum to 1."""
    side = 2 * math.ceil(length / 2) + 1
    kernel = np.zeros((side, side), np.float32)
    across, down, middle = math.cos(angle) * length / 2, math.sin(angle) * length / 2, side // 2
    end, other = [(round((middle + sign * across) * 16), round((middle + sign * down) * 16)) for sign in (-1, 1)]
    cv2.line(kernel, end, other, (1.0,), 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def shaken(tiles: float, angle: float = 30.0) -> Change:
    """Motion blur along a line ``tiles`` tile lengths long at ``angle`` degrees."""

    def change(pixels: Pixels, tile: float) -> tuple[Pixels, NDArray[np.float64]]:
        kernel = line_kernel(max(1.0, tiles * tile), math.radians(angle))
        return cv2.filter2D(pixels, -1, kernel).astype(np.uint8, copy=False), STAY

    return change


def unfocused(tiles: float) -> Change:
    """Gaussian blur. Its standard deviation is ``tiles`` tile lengths."""

    def change(pixels: Pixels, tile: float) -> tuple[Pixels, NDArray[np.float64]]:
        return cv2.GaussianBlur(pixels, (0, 0), max(0.3, tiles * tile)).astype(np.uint8, copy=False), STAY

    return change


def lit(gain: float, noise: float = 0.0) -> Change:
    """Darker or brighter, with noise of that many grey levels."""

    def change(pixels: Pixels, tile: float) -> tuple[Pixels, NDArray[np.float64]]:
        grit = np.random.default_rng(7).standard_normal(pixels.shape) * noise
        return (pixels * gain + grit).clip(0, 255).astype(np.uint8), STAY

    return change


def lamp(*channels: float) -> Change:
    """Under a coloured lamp: red, green and blue weaker, each in its own measure."""

    def change(pixels: Pixels, tile: float) -> tuple[Pixels, NDArray[np.float64]]:
        return (pixels * np.array(channels)).astype(np.uint8), STAY

    return change


def smaller(share: float) -> Change:
    """The whole photo made smaller."""

    def change(pixels: Pixels, tile: float) -> tuple[Pixels, NDArray[np.float64]]:
        out = cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        return out.astype(np.uint8, copy=False), STAY * share

    return change


def far(share: float) -> Change:
    """The photo as the middle of a wider grey one: the hand fills only that share of the frame."""

    def change(pixels: Pixels, tile: float) -> tuple[Pixels, NDArray[np.float64]]:
        h, w = pixels.shape[:2]
        wide, high = round(w / share), round(h / share)
        out = np.full((high, wide, 3), 114, np.uint8)
        x, y = (wide - w) // 2, (high - h) // 2
        out[y : y + h, x : x + w] = pixels
        return out, STAY + np.array([[0, 0, x], [0, 0, y]])

    return change


def moved(labels: Sequence[Label], matrix: NDArray[np.float64]) -> list[Label]:
    """Labels after a change: boxes round the moved tiles. A tile turned by less than a right angle does not fill the
    box of its turned corners. So the box is drawn round an ellipse in the old one, about as a detector would draw
    it."""
    out = []
    for label in labels:
        x1, y1, x2, y2 = label.box
        middle = matrix[:, :2] @ ((x1 + x2) / 2, (y1 + y2) / 2) + matrix[:, 2]
        corners = np.abs(matrix[:, :2]) @ ((x2 - x1) / 2, (y2 - y1) / 2)
        round_ones = np.hypot(*(matrix[:, :2] * ((x2 - x1) / 2, (y2 - y1) / 2)).T)
        half = (corners + round_ones) / 2
        out.append(Label(label.tile, (*(middle - half).tolist(), *(middle + half).tolist())))
    return out


def made_worse(pixels: Pixels, labels: Sequence[Label], rng: random.Random) -> tuple[Pixels, list[Label]]:
    """A photo in the worst state to expect, to train a detector on. Each change has its own chance; some photos get
    none.

    ``pixels`` is (h, w, 3) RGB. Label boxes are in pixels: given of the old picture, returned of the new one.
    """
    longer = [max(label.box[2] - label.box[0], label.box[3] - label.box[1]) for label in labels]
    tile = float(np.median(longer)) if longer else 60.0
    share, least, most = 1.0, max(SMALL_TILES[0] / tile, LEAST_SHARE), min(SMALL_TILES[1] / tile, 1.0)
    if rng.random() < SMALLER and least < most:
        share = math.exp(rng.uniform(math.log(least), math.log(most)))
    changes = [smaller(min(share, LONGEST / max(pixels.shape)))]
    if rng.random() < BLURRED:
        by_hand = rng.random() < 0.5
        changes.append(
            shaken(rng.uniform(*SHAKEN), rng.uniform(0, 180)) if by_hand else unfocused(rng.uniform(*SPREAD))
        )
    if rng.random() < ASKEW:
        changes.append(turned(rng.uniform(-STEEPEST, STEEPEST)))
    remaining = list(labels)
    for change in changes:
        pixels, matrix = change(pixels, tile)
        tile *= math.sqrt(abs(np.linalg.det(matrix[:, :2])))
        remaining = moved(remaining, matrix)
    return pixels, remaining
