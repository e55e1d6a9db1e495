"""What the network found on crops: where a character is, and how sure it is of each of the eight.

Answers of a scan: for each size in :data:`GLYPH_INPUTS` the probabilities (turns, n, 8, h, w) of the eight characters
in each cell, for n crops in up to four quarter turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.models.manifest import GLYPH_INPUTS

Answers = Sequence[NDArray[np.float32]]
CELL = 4
"""Pixels from one cell of an answer to the next."""
CHARACTER_SIDE = 20.0
"""Usual longer side of a character that the network finds, in pixels."""
LEAST, LEAST_OF_OTHERS = 0.4, 0.8
"""Least probability of a located character, and its least share of the largest of the other characters."""
BINS = (0.0, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99, 1.0)
"""Bounds of the odds in a report."""


@dataclass(frozen=True)
class Turned:
    """A tile of the store, by its place, turned by so many quarters against the clock."""

    place: int
    quarters: int


@dataclass(frozen=True)
class Located:
    """A character on a tile: ``x`` and ``y`` of its middle and its ``size``, as shares of the side of the turned
    crop."""

    tile: Turned
    character: int
    x: float
    y: float
    size: float


def largest(answers: Answers) -> NDArray[np.float32]:
    """The largest probability of each character in any cell, turn and size: (n, 8)."""
    return np.asarray(np.max([level.max(axis=(0, 3, 4)) for level in answers], axis=0), np.float32)


def odds(probabilities: NDArray[np.float32]) -> NDArray[np.float64]:
    """``p / (1 - p)`` of each character over the sum of all eight, (n, 8)."""
    certain = probabilities.astype(np.float64)
    ratios = certain / np.maximum(1 - certain, 1e-5)
    return np.asarray(ratios / np.maximum(ratios.sum(axis=1, keepdims=True), 1e-12))


def locate(answers: Answers, places: Sequence[int], characters: Sequence[int]) -> list[Located]:
    """The tiles on which their own character was found, with its place.

    Args:
        answers: of the scan of n tiles.
        places: of these tiles in the store (n,).
        characters: that the tiles bear if they bear one (n,).
    """
    found = []
    rivals = largest(answers)
    for row, (place, character) in enumerate(zip(places, characters, strict=True)):
        own = [level[:, row, character] for level in answers]
        level = int(np.argmax([cells.max() for cells in own]))
        quarters, y, x = (int(index) for index in np.unravel_index(own[level].argmax(), own[level].shape))
        other = float(np.delete(rivals[row], character).max())
        if float(own[level][quarters, y, x]) > max(LEAST, LEAST_OF_OTHERS * other):
            side = GLYPH_INPUTS[level]
            middle = ((x + 0.5) * CELL / side, (y + 0.5) * CELL / side)
            found.append(Located(Turned(place, quarters), character, *middle, CHARACTER_SIDE / side))
    return found


def reliability(probabilities: NDArray[np.float32], characters: NDArray[np.int64]) -> dict[str, object]:
    """How often the surest character is right: in all, and for odds between the bounds of :data:`BINS`.

    `probabilities`: the largest of each character (n, 8); `characters`: the true ones (n,).
    """
    shares = odds(probabilities)
    right = shares.argmax(axis=1) == characters
    second = np.argsort(-shares, axis=1)[:, :2] == characters[:, None]
    number = np.clip(np.searchsorted(BINS, shares.max(axis=1), side="right") - 1, 0, len(BINS) - 2)
    bins = [
        {"from": BINS[place], "to": BINS[place + 1], "tiles": int(chosen.sum()), "accuracy": _mean(right[chosen])}
        for place in range(len(BINS) - 1)
        if (chosen := number == place).any()
    ]
    return {"tiles": len(right), "accuracy": _mean(right), "among_two": _mean(second.any(axis=1)), "odds": bins}


def _mean(values: NDArray[np.bool_]) -> float | None:
    return round(float(values.mean()), 4) if len(values) else None
