"""Arrays made, and put together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

from ._array import as_array, ndarray
from ._kinds import Kind, Number, float64, intp, joined, kind_of, kind_of_value


def array(values: object, dtype: Kind | type | None = None) -> ndarray:
    """A new array from any nested numbers."""
    converted = as_array(values)
    return converted.copy() if dtype is None else converted.astype(dtype)


def asarray(values: object, dtype: Kind | type | None = None) -> ndarray:
    """The array itself if it already has that kind, else a converted copy."""
    converted = as_array(values)
    return converted if dtype is None or converted.dtype is kind_of(dtype) else converted.astype(dtype)


def full(shape: object, value: Number, dtype: Kind | type | None = None) -> ndarray:
    """The same value everywhere."""
    sides = shape if isinstance(shape, tuple) else (shape,)
    kind = kind_of_value(value) if dtype is None else kind_of(dtype)
    return ndarray([kind.cast(value)] * prod(sides), sides, kind)


def zeros(shape: object, dtype: Kind | type = float64) -> ndarray:
    """0 everywhere."""
    return full(shape, 0, dtype)


def zeros_like(other: ndarray) -> ndarray:
    """0 everywhere, as large as another."""
    return full(other.shape, 0, other.dtype)


def ones(shape: object, dtype: Kind | type = float64) -> ndarray:
    """1 everywhere."""
    return full(shape, 1, dtype)


def eye(side: int) -> ndarray:
    """1 on the diagonal, else 0."""
    return ndarray([float(row == column) for row in range(side) for column in range(side)], (side, side), float64)


def arange(start: Number, stop: Number | None = None, step: Number = 1) -> ndarray:
    """Evenly spaced numbers; only ``start``: from 0 to before it."""
    first, last = (0, start) if stop is None else (start, stop)
    count = max(0, math.ceil((last - first) / step))
    values = [first + at * step for at in range(count)]
    whole = all(isinstance(number, int) for number in (first, last, step))
    return ndarray(values if whole else list(map(float, values)), (count,), intp if whole else float64)


class _Ranges:
    """``r_[2:5]``: the numbers of a slice."""

    def __getitem__(self, key: slice) -> ndarray:
        return arange(key.start or 0, key.stop)


r_ = _Ranges()


def ix_(*places: Any) -> tuple[ndarray, ...]:
    """An index that takes every row of the first with every column of the second, and so on."""
    count = len(places)
    arrays = [array(row, intp) if len(row) else zeros(0, intp) for row in places]
    return tuple(row.reshape((1,) * at + (-1,) + (1,) * (count - 1 - at)) for at, row in enumerate(arrays))


def concatenate(parts: Sequence[object], axis: int = 0) -> ndarray:
    """Arrays one after the other along an existing axis. Raises ValueError if the other axes differ."""
    arrays = [as_array(part) for part in parts]
    first = arrays[0].shape
    axis %= len(first)
    if any(part.shape[:axis] + part.shape[axis + 1 :] != first[:axis] + first[axis + 1 :] for part in arrays):
        raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
    lengths = [prod(part.shape[axis:]) for part in arrays]
    values = [
        value
        for at in range(prod(first[:axis]))
        for part, length in zip(arrays, lengths, strict=True)
        for value in part.values[at * length : (at + 1) * length]
    ]
    shape = (*first[:axis], sum(part.shape[axis] for part in arrays), *first[axis + 1 :])
    return ndarray(values, shape, joined(*(part.dtype for part in arrays)))


def stack(parts: Sequence[object], axis: int = 0) -> ndarray:
    """Arrays of one shape along a new axis."""
    arrays = [as_array(part) for part in parts]
    return concatenate([part.reshape((*part.shape[:axis], 1, *part.shape[axis:])) for part in arrays], axis)


def column_stack(parts: Sequence[object]) -> ndarray:
    """Columns, or arrays of columns, side by side."""
    arrays = [as_array(part) for part in parts]
    return concatenate([part.reshape(-1, 1) if part.ndim == 1 else part for part in arrays], axis=1)


def vstack(parts: Sequence[object]) -> ndarray:
    """Rows, or arrays of rows, below each other."""
    arrays = [as_array(part) for part in parts]
    return concatenate([part.reshape(1, -1) if part.ndim == 1 else part for part in arrays])


def roll(values: ndarray, shift: int, axis: int) -> ndarray:
    """Everything moved on along an axis, what falls out put in at the other end."""
    side = values.shape[axis]
    places = [(at - shift) % side for at in range(side)]
    chosen: ndarray = values[(*[slice(None)] * axis, places)]
    return chosen


def diff(values: ndarray) -> ndarray:
    """What each value of a row is more than the one before it."""
    return ndarray([two - first for first, two in pairwise(values.values)], (max(0, len(values) - 1),), values.dtype)


def fill_diagonal(values: ndarray, value: Number) -> None:
    """Set the diagonal to one value."""
    rows, columns = values.shape
    for at in range(min(rows, columns)):
        values.values[at * columns + at] = values.dtype.cast(value)
