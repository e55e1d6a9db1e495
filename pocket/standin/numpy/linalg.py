"""Small systems: lines and planes through points, axes of a heap of points, matrices turned round."""

from __future__ import annotations

import math
from typing import Any

from ._array import ndarray
from ._kinds import Number, float64
from ._making import array

_NOTHING = 1e-12
"""A pivot this small relative to the largest counts as zero."""


def norm(values: ndarray, axis: int, *, keepdims: bool = False) -> ndarray | Number:
    """The Euclidean length along an axis."""
    return values.along(lambda part: math.sqrt(sum(value * value for value in part)), float64, axis, kept=keepdims)


def inv(matrix: ndarray) -> ndarray:
    """The inverse of a square matrix. Raises ValueError for a singular one."""
    side = len(matrix)
    rows = [[*row.values, *(float(at == place) for place in range(side))] for at, row in enumerate(matrix)]
    for at in range(side):
        pivot = max(range(at, side), key=lambda row: abs(rows[row][at]))
        if not rows[pivot][at]:
            raise ValueError("singular matrix")
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(side):
            if other != at and rows[other][at]:
                share = rows[other][at]
                rows[other] = [value - share * by for value, by in zip(rows[other], rows[at], strict=True)]
    return array([row[side:] for row in rows])


def lstsq(matrix: ndarray, wanted: ndarray, rcond: None = None) -> tuple[ndarray, None, None, None]:
    """The least-squares solution of a matrix (m, n) for ``wanted`` (m,) or (m, k), by Householder reflections.

    Undetermined components stay 0.
    """
    columns = [wanted.values] if wanted.ndim == 1 else [column.values for column in wanted.T]
    n = matrix.shape[1]
    rows = [[*row.values, *(column[at] for column in columns)] for at, row in enumerate(matrix)]
    for at in range(min(n, len(rows))):
        _reflect(rows, at)
    largest = max((abs(rows[at][at]) for at in range(min(n, len(rows)))), default=0.0)
    solved = [[0.0] * len(columns) for _ in range(n)]
    for at in reversed(range(min(n, len(rows)))):
        if abs(rows[at][at]) > _NOTHING * largest:
            for k in range(len(columns)):
                known = sum(rows[at][other] * solved[other][k] for other in range(at + 1, n))
                solved[at][k] = (rows[at][n + k] - known) / rows[at][at]
    solution = array(solved)
    return (solution.reshape(n) if wanted.ndim == 1 else solution), None, None, None


def _reflect(rows: list[list[float]], at: int) -> None:
    """Make a column zero below the diagonal."""
    part = [row[at] for row in rows[at:]]
    length = math.sqrt(sum(value * value for value in part))
    part[0] += math.copysign(length, part[0])
    square = sum(value * value for value in part)
    if not square:
        return
    for column in range(at, len(rows[0])):
        share = 2 * sum(value * row[column] for value, row in zip(part, rows[at:], strict=True)) / square
        for value, row in zip(part, rows[at:], strict=True):
            row[column] -= share * value


def svd(matrix: ndarray, *, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """The singular values of points (n, 2), the larger first; with ``compute_uv`` as the second of three results, the
    last with the axes. Raises ValueError for more than two columns."""
    if matrix.shape[1] != 2:
        raise ValueError("only points of a plane have their axes found here")
    x, y = (column.values for column in matrix.T)
    a, b, c = sum(v * v for v in x), sum(v * w for v, w in zip(x, y, strict=True)), sum(v * v for v in y)
    angle = math.atan2(2 * b, a - c) / 2
    cos, sin = math.cos(angle), math.sin(angle)
    along = math.sqrt(sum((v * cos + w * sin) ** 2 for v, w in zip(x, y, strict=True)))
    across = math.sqrt(sum((w * cos - v * sin) ** 2 for v, w in zip(x, y, strict=True)))
    lengths = array([along, across])
    return (None, lengths, array([[cos, sin], [-sin, cos]])) if compute_uv else lengths
