"""The middles of crops, pixel by pixel, as rows of numbers that can be compared."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pixels.values import Crops, Cut

Patches = NDArray[np.float32]
TURNS = 4


def shaped_patches(crops: Crops, cut: Cut, shapes: Sequence[tuple[float, float, float]]) -> Patches:
    """(n, shapes, d) of length 1: crops (n, s, s, 3) stretched (across, down) and turned (degrees)."""
    return np.stack([_unit(_patches(crops, cut.side, cut, shape)) for shape in shapes], axis=1)


def moved_patches(crops: Crops, cut: Cut, moves: int) -> Patches:
    """(n, 4 * places, d) of length 1: crops (n, s, s, 3) in four quarter turns, each moved by up to ``moves`` pixels
    in every direction."""
    patches = _patches(crops, cut.side + 2 * moves, cut)
    offsets = range(0, 2 * moves + 1)
    moved = [
        _unit(turned[:, y : y + cut.side, x : x + cut.side])
        for turned in (np.rot90(patches, quarter, (1, 2)) for quarter in range(TURNS))
        for y in offsets
        for x in offsets
    ]
    return np.stack(moved, axis=1)


def nearest(moved: Patches, shaped: Patches) -> NDArray[np.float32]:
    """(n, 4, m): how like each crop is in each quarter turn to each reference, at its best place and shape; -1 to 1."""
    n, m = len(moved), len(shaped)
    flat = moved.reshape(n * moved.shape[1], -1)
    alike = np.full((n, TURNS, m), -1.0, np.float32)
    for at in range(shaped.shape[1]):
        products = (flat @ shaped[:, at].T).reshape(n, TURNS, -1, m)
        alike = np.maximum(alike, products.max(axis=2))
    return alike


def _patches(crops: Crops, side: int, cut: Cut, shape: tuple[float, float, float] = (1.0, 1.0, 0)) -> Patches:
    """The middle of each crop at (n, side, side, 3), stretched and turned by ``shape``, Lab without slow changes of
    light."""
    across, down, turn = shape
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    found = np.empty((len(crops), side, side, 3), np.float32)
    for place, crop in enumerate(crops):
        whole = crop.shape[0]
        step = cut.inner * whole / cut.side
        mix = step * np.array([[across * cos, -down * sin], [across * sin, down * cos]])
        matrix = np.column_stack((mix, whole / 2 - mix @ (side / 2, side / 2))).astype(np.float32)
        soft = cv2.GaussianBlur(crop, (0, 0), 0.4 * max(step, 1.0))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = cv2.warpAffine(soft, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
        found[place] = lab - cv2.GaussianBlur(lab, (0, 0), cut.local)
    return found


def _unit(patches: Patches) -> Patches:
    """(n, side * side * 3) of mean 0 a channel and length 1."""
    centred = patches - patches.mean(axis=(1, 2), keepdims=True)
    flat = centred.reshape(len(patches), -1)
    unit: Patches = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return unit
