"""Boxes as x1 y1 x2 y2: how much two of them share. Plain numbers for two boxes, arrays for many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
EDGE = 2
"""Pixels between a box and the photo's edge below which the edge may cut the tile."""


def area(box: Sequence[float]) -> float:
    """Area of one box; 0 for an inverted one."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def shared(first: Sequence[float], second: Sequence[float]) -> float:
    """Area that two boxes have in common."""
    width = min(first[2], second[2]) - max(first[0], second[0])
    height = min(first[3], second[3]) - max(first[1], second[1])
    return width * height if width > 0 and height > 0 else 0.0


def iou(first: Sequence[float], second: Sequence[float]) -> float:
    """Intersection by union of two boxes, 0 to 1.

    >>> iou((0, 0, 10, 10), (5, 0, 15, 10))
    0.3333333333333333
    """
    both = shared(first, second)
    return both / (area(first) + area(second) - both) if both else 0.0


def covered(first: Sequence[float], second: Sequence[float]) -> float:
    """Share of the smaller of two boxes inside the other, 0 to 1.

    >>> covered((0, 0, 10, 10), (5, 5, 6, 6))
    1.0
    """
    both = shared(first, second)
    return both / min(area(first), area(second)) if both else 0.0


def intersections(first: NDArray[np.number], second: NDArray[np.number]) -> Floats:
    """Areas (n, m) that boxes (n, 4) and (m, 4) have in common."""
    first, second = first.astype(np.float64), second.astype(np.float64)
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    both: Floats = (high - low).clip(min=0).prod(axis=2)
    return both


def areas(boxes: NDArray[np.number]) -> Floats:
    """Areas (n,) of boxes (n, 4)."""
    sizes: Floats = (boxes[:, 2:] - boxes[:, :2]).astype(np.float64).clip(min=0).prod(axis=1)
    return sizes


def overlaps(first: NDArray[np.number], second: NDArray[np.number]) -> Floats:
    """IoU (n, m) of boxes (n, 4) and (m, 4)."""
    both = intersections(first, second)
    union = areas(first)[:, None] + areas(second)[None] - both
    shares: Floats = np.divide(both, union, out=np.zeros_like(both), where=union > 0)
    return shares


def coverage(first: NDArray[np.number], second: NDArray[np.number]) -> Floats:
    """Share (n, m) of the smaller of each two boxes (n, 4) and (m, 4) inside the other."""
    both = intersections(first, second)
    smaller = np.minimum(areas(first)[:, None], areas(second)[None])
    shares: Floats = np.divide(both, smaller, out=np.zeros_like(both), where=smaller > 0)
    return shares


def at_edge(boxes: NDArray[np.number], height: int, width: int) -> NDArray[np.bool_]:
    """Which of boxes (n, 4) reach the edge of a photo of ``height`` and ``width`` pixels."""
    near = (boxes[:, :2] < EDGE).any(axis=1) | (boxes[:, 2] > width - EDGE) | (boxes[:, 3] > height - EDGE)
    return np.asarray(near)
