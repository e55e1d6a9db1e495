"""接上的列: which of the weak boxes continue a row of tiles, or fill a hole in one. Pure geometry of boxes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.geometry import covered

ALIKE = 1.3
"""Sides of tiles of one row differ at most by this factor."""
BESIDE = 1.4
"""Distance of the middles of neighbours, in longer sides of the larger box."""
STRAIGHT = 0.95
"""Cosine of the angle between the steps of a row, at least."""
EVEN = 1.35
"""Steps of one row differ at most by this factor."""
APART = 0.3
"""Share of the smaller box that neighbours may have in common, as boxes round turned tiles do, at most."""

Box = Sequence[float]


def in_rows(boxes: NDArray[np.float64], tiles: Sequence[int], others: Sequence[int]) -> list[int]:
    """Those of the ``others`` (places in ``boxes``) that continue a row of ``tiles``, or lie in a hole of one."""
    rows: list[list[float]] = boxes.tolist()
    row = [rows[place] for place in tiles]
    left = list(others)
    found: list[int] = []
    while True:
        added = [place for place in left if _in_row(rows[place], row)]
        if not added:
            return found
        row += [rows[place] for place in added]
        found += added
        left = [place for place in left if place not in added]


def fills_hole(box: Box, tiles: Sequence[Box]) -> bool:
    """Whether a box lies between two neighbours of one row of ``tiles``."""
    near = _neighbours(box, tiles)
    return any(_even(_way(box, tile), _way(other, box)) for tile in near for other in near if other is not tile)


def _in_row(box: Box, tiles: Sequence[Box]) -> bool:
    """Whether a box is one step from a tile in the direction of another one, or between two."""
    near = _neighbours(box, tiles)
    return fills_hole(box, near) or any(
        _beside(tile, other) and _even(_way(box, tile), _way(tile, other))
        for tile in near
        for other in tiles
        if other is not tile
    )


def _neighbours(box: Box, tiles: Sequence[Box]) -> list[Box]:
    """The tiles one step from a box; none if the box covers a part of any tile."""
    near = [tile for tile in tiles if _beside(box, tile)]
    return [] if near and any(covered(box, tile) > APART for tile in tiles) else near


def _beside(first: Box, second: Box) -> bool:
    wide, high = first[2] - first[0], first[3] - first[1]
    other_wide, other_high = second[2] - second[0], second[3] - second[1]
    alike = max(wide, other_wide) < ALIKE * min(wide, other_wide) and max(high, other_high) < ALIKE * min(
        high, other_high
    )
    return alike and 0 < math.hypot(*_way(first, second)) < BESIDE * max(wide, high, other_wide, other_high)


def _way(first: Box, second: Box) -> tuple[float, float]:
    """From the middle of one box to that of another."""
    return (second[0] + second[2] - first[0] - first[2]) / 2, (second[1] + second[3] - first[1] - first[3]) / 2


def _even(way: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two steps have one direction and length."""
    length, further = math.hypot(*way), math.hypot(*other)
    dot = way[0] * other[0] + way[1] * other[1]
    return dot > STRAIGHT * length * further and max(length, further) < EVEN * min(length, further)
