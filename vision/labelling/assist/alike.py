"""相像的牌: unconfirmed boxes grouped by the impression that their crops make on the networks, to be named once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.pixels.values import Crops

if TYPE_CHECKING:
    from vision.tileset.features import Networks

ALIKE = 0.9
"""Likeness, at the best of four quarter turns, from which two crops belong together; 1 for the same crop. On made
photos of two designs (290 boxes) groups of two and more hold four of five boxes, and 19 of 20 of these rightly."""


def impressions(networks: Networks, crops: Crops) -> list[NDArray[np.float32]]:
    """(n, turns, classes) of each network: its answer to ``crops`` in four quarter turns, with mean 0, length 1."""
    result = []
    for raw in networks.describe(crops):
        centred = raw.transpose(1, 0, 2) - raw.mean(axis=2).T[:, :, None]
        lengths = np.maximum(np.linalg.norm(centred, axis=2, keepdims=True), 1e-9)
        result.append((centred / lengths).astype(np.float32))
    return result


def impression_likeness(
    first: Sequence[NDArray[np.number]], second: Sequence[NDArray[np.number]]
) -> NDArray[np.float32]:
    """(n, m): how alike two lists of crops are, by their :func:`impressions`, at the best of four turns."""
    turns = first[0].shape[1]
    at_turn = np.zeros((turns, len(first[0]), len(second[0])), np.float32)
    for one, other in zip(first, second, strict=True):
        for turn in range(turns):
            at_turn[turn] += np.einsum("ntc,mtc->nm", np.roll(one, -turn, axis=1), other) / (turns * len(first))
    best: NDArray[np.float32] = at_turn.max(axis=0)
    return best


def alike_groups(seen: Sequence[NDArray[np.float32]]) -> list[list[int]]:
    """The places of crops that look alike, the largest group first. Each crop joins the first group whose first member
    it resembles. ``seen``: their :func:`impressions`."""
    groups: list[list[int]] = []
    likeness = impression_likeness(seen, seen) if seen else np.zeros((0, 0), np.float32)
    for place in range(len(likeness)):
        alike = likeness[place, [group[0] for group in groups]]
        best = int(alike.argmax()) if groups else 0
        if groups and alike[best] >= ALIKE:
            groups[best].append(place)
        else:
            groups.append([place])
    return sorted(groups, key=len, reverse=True)
