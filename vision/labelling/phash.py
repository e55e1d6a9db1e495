"""相似: a perceptual hash, and the photos that are nearly the same picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 16
"""A picture is made this small, and differences along its rows and columns are taken."""
BITS = 2 * SIDE * SIDE
ALIKE = 40
"""Bits, of BITS, in which two hashes of one picture (resized, compressed again, a little brighter) may differ."""


def perceptual_hash(pixels: NDArray[np.uint8]) -> str:
    """The hash of a picture (h, w, 3) in hexadecimal digits: where it grows brighter rightwards, where downwards."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (SIDE + 1, SIDE + 1), interpolation=cv2.INTER_AREA).astype(np.int16)
    across, down = np.diff(small, axis=1)[:SIDE] > 0, np.diff(small, axis=0)[:, :SIDE] > 0
    return np.packbits(np.concatenate((across, down)).ravel()).tobytes().hex()


def distances(looks: Sequence[str], others: Sequence[str]) -> NDArray[np.int64]:
    """Differing bits (n, m) between each of ``looks`` and each of ``others``."""
    signs = _signs(looks), _signs(others)
    differing: NDArray[np.int64] = ((BITS - signs[0] @ signs[1].T) / 2).astype(np.int64)
    return differing


def _signs(looks: Sequence[str]) -> NDArray[np.float32]:
    """Bits as -1 and 1: their product counts what agrees, at the speed of a matrix product."""
    raw = np.frombuffer(b"".join(bytes.fromhex(look) for look in looks), np.uint8)
    return np.unpackbits(raw).reshape(len(looks), BITS).astype(np.float32) * 2 - 1


def near_groups(looks: Sequence[str], most: int = ALIKE) -> list[list[int]]:
    """Places of pictures that are nearly the same, in groups of two and more: each is like another of its group."""
    parent = list(range(len(looks)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for i, j, _ in near_pairs(looks, most) if looks else []:
        one, other = sorted((root(i), root(j)))
        parent[other] = one
    groups: dict[int, list[int]] = {}
    for place in range(len(looks)):
        groups.setdefault(root(place), []).append(place)
    return [group for group in groups.values() if len(group) > 1]


def near_pairs(looks: Sequence[str], most: int = ALIKE) -> list[tuple[int, int, int]]:
    """Places of all pairs that differ in at most ``most`` bits, with the count; a few rows at a time."""
    found: list[tuple[int, int, int]] = []
    for start in range(0, len(looks), 512):
        near = distances(looks[start : start + 512], looks)
        for i, j in np.argwhere(near <= most):
            if start + i < j:
                found.append((start + int(i), int(j), int(near[i, j])))
    return found
