"""The homography between two photos of a table, in plain Python."""

from __future__ import annotations

import numpy as np

from vision.pixels.values import Floats

ROUNDS = 10
"""So often the distances are made smaller, as OpenCV does."""


def homography(points: Floats, there: Floats) -> Floats | None:
    """The matrix (3, 3) that maps points (n, 2) of a plane nearest to ``there`` (n, 2); None if there is none."""
    own, other = _spread(points), _spread(there)
    from_, to = _carried(own, points), _carried(other, there)
    rows, wanted = [], []
    for (x, y), (u, v) in zip(from_, to, strict=True):
        rows += [[x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y], [0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y]]
        wanted += [u, v]
    found = np.linalg.lstsq(np.array(rows), np.array(wanted), rcond=None)[0]
    for _ in range(ROUNDS):
        found = found + _step(found, from_, to)
    matrix = np.linalg.inv(other) @ np.array([*found, 1.0]).reshape(3, 3) @ own
    last = float(matrix[2, 2])
    return matrix / last if abs(last) > 1e-12 and bool(np.isfinite(matrix).all()) else None


def _step(found: Floats, from_: Floats, to: Floats) -> Floats:
    """By how much to change the eight numbers so that the points come nearer (Gauss and Newton)."""
    a, b, c, d, e, f, g, h = (float(value) for value in found)
    rows, off = [], []
    for (x, y), (u, v) in zip(from_, to, strict=True):
        depth = g * x + h * y + 1
        depth = depth if abs(depth) > 1e-9 else 1e-9
        across, down = (a * x + b * y + c) / depth, (d * x + e * y + f) / depth
        one = [x / depth, y / depth, 1 / depth]
        rows += [
            [*one, 0.0, 0.0, 0.0, -across * x / depth, -across * y / depth],
            [0.0, 0.0, 0.0, *one, -down * x / depth, -down * y / depth],
        ]
        off += [u - across, v - down]
    step: Floats = np.linalg.lstsq(np.array(rows), np.array(off), rcond=None)[0]
    return step


def _spread(points: Floats) -> Floats:
    """The matrix (3, 3) that brings points round 0, about 1 apart from it."""
    middle = points.mean(axis=0)
    scale = 1 / max(float(np.abs(points - middle).mean()), 1e-9)
    x, y = float(middle[0]), float(middle[1])
    return np.array([[scale, 0.0, -scale * x], [0.0, scale, -scale * y], [0.0, 0.0, 1.0]])


def _carried(matrix: Floats, points: Floats) -> Floats:
    scale = float(matrix[0, 0])
    found: Floats = points * scale + np.array([float(matrix[0, 2]), float(matrix[1, 2])])
    return found
