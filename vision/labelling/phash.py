"""相似: a perceptual hash, and the photos that are nearly the same picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

SMALL_SIDE_PIXELS = 16
"""A picture is made this small, and differences along its rows and columns are taken."""
HASH_BITS = 2 * SMALL_SIDE_PIXELS * SMALL_SIDE_PIXELS
BLOCK = 512
"""Pictures that are held against all others at a time: of 10,000 the distances of all would be 800 MB."""
ALIKE_BITS = 40
"""Bits, of HASH_BITS, in which two hashes of one picture (resized, compressed again, a little brighter) may differ."""


def perceptual_hash(pixels: NDArray[np.uint8]) -> str:
    """The hash of a picture (h, w, 3) in hexadecimal digits: the signs of its horizontal and vertical gradients."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (SMALL_SIDE_PIXELS + 1, SMALL_SIDE_PIXELS + 1), interpolation=cv2.INTER_AREA).astype(
        np.int16
    )
    across, down = np.diff(small, axis=1)[:SMALL_SIDE_PIXELS] > 0, np.diff(small, axis=0)[:, :SMALL_SIDE_PIXELS] > 0
    return np.packbits(np.concatenate((across, down)).ravel()).tobytes().hex()


def distances(looks: Sequence[str], others: Sequence[str]) -> NDArray[np.int64]:
    """Differing bits (n, m) between each of ``looks`` and each of ``others``."""
    signs = _signs(looks), _signs(others)
    differing: NDArray[np.int64] = ((HASH_BITS - signs[0] @ signs[1].T) / 2).astype(np.int64)
    return differing


def _signs(looks: Sequence[str]) -> NDArray[np.float32]:
    """Bits as -1 and 1: their product counts what agrees, at the speed of a matrix product."""
    raw = np.frombuffer(b"".join(bytes.fromhex(look) for look in looks), np.uint8)
    return np.unpackbits(raw).reshape(len(looks), HASH_BITS).astype(np.float32) * 2 - 1


def near_groups(looks: Sequence[str], most: int = ALIKE_BITS) -> list[list[int]]:
    """Places of pictures that are nearly the same, in groups of two and more: each is like another of its group."""
    group = np.arange(len(looks))  # each place bears the least place of its group
    for start in range(0, len(looks), BLOCK):
        near = distances(looks[start : start + BLOCK], looks) <= most
        for row in range(len(near)):
            joined = np.unique(group[near[row]])
            if len(joined) > 1:
                group[np.isin(group, joined)] = joined[0]
    groups: dict[int, list[int]] = {}
    for place, least in enumerate(group.tolist()):
        groups.setdefault(least, []).append(place)
    return [group for group in groups.values() if len(group) > 1]


def first_alike(looks: Sequence[str], most: int = ALIKE_BITS) -> list[int | None]:
    """For each picture the first earlier one that is nearly equal and not itself a copy; None without one."""
    firsts: list[int | None] = []
    originals: list[int] = []
    for start in range(0, len(looks), BLOCK):
        block = looks[start : start + BLOCK]
        before = originals.copy()
        near = (
            distances(block, [looks[place] for place in before]) <= most if before else np.zeros((len(block), 0), bool)
        )
        own = distances(block, block) <= most
        for row in range(len(block)):
            twin = int(near[row].argmax()) if near[row].any() else None
            if twin is not None:
                firsts.append(before[twin])
                continue
            beside = next((place for place in originals[len(before) :] if own[row, place - start]), None)
            firsts.append(beside)
            if beside is None:
                originals.append(start + row)
    return firsts
