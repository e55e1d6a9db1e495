"""The array: values in one list, the last axis fastest, and the operators on them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, compress
from math import prod
from typing import Any

from ._kinds import (
    Kind,
    Number,
    bool_,
    complex128,
    float64,
    intp,
    joined,
    kind_of,
    kind_of_value,
    kind_of_values,
)
from ._pairs import NUMBERS, Operation, divided, larger, pairs, smaller
from ._shapes import Shape, chosen, combined, common, plainly_chosen, repeated, strides, with_unknown

Reduction = Callable[[Sequence[Number]], Number]
Axis = int | tuple[int, ...] | None


class ndarray:
    """``values`` in one list, ``shape``, and the ``dtype`` that they are of."""

    __slots__ = ("dtype", "shape", "values")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: list[Number], shape: Shape, dtype: Kind) -> None:
        self.values, self.shape, self.dtype = values, shape, dtype

    @property
    def ndim(self) -> int:
        """How many axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many values."""
        return len(self.values)

    @property
    def T(self) -> ndarray:
        """The axes the other way round."""
        return self.transpose()

    @property
    def real(self) -> ndarray:
        """The real part of each value."""
        return ndarray([value.real for value in self.values], self.shape, float64)

    @property
    def imag(self) -> ndarray:
        """The imaginary part of each value."""
        return ndarray([value.imag for value in self.values], self.shape, float64)

    def conj(self) -> ndarray:
        """Each value's conjugate."""
        return ndarray([value.conjugate() for value in self.values], self.shape, self.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[ndarray | Number]:
        if len(self.shape) == 1:
            return iter(self.values)
        return (self[at] for at in range(self.shape[0]))

    def __repr__(self) -> str:
        return f"array({self.tolist()})"

    def _only(self) -> Number:
        if len(self.values) != 1:
            raise ValueError("the truth value of an array with more than one element is ambiguous")
        return self.values[0]

    def __bool__(self) -> bool:
        return bool(self._only())

    def __float__(self) -> float:
        return float(self._only())

    def __int__(self) -> int:
        return int(self._only())

    def tolist(self) -> Any:
        """Nested lists of Python's numbers."""
        return list(self.values) if len(self.shape) == 1 else [part.tolist() for part in self]

    def copy(self) -> ndarray:
        """A new array with the same values."""
        return ndarray(list(self.values), self.shape, self.dtype)

    def astype(self, dtype: Kind | type) -> ndarray:
        """The values as another kind."""
        kind = kind_of(dtype)
        return self.copy() if kind is self.dtype else ndarray(list(map(kind.cast, self.values)), self.shape, kind)

    def reshape(self, *shape: Any) -> ndarray:
        """The same values in another shape; one side may be -1."""
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        return ndarray(list(self.values), with_unknown(wanted, len(self.values)), self.dtype)

    def transpose(self, *axes: int) -> ndarray:
        """The axes in another order; without one, the other way round."""
        order = axes or tuple(reversed(range(len(self.shape))))
        steps = strides(self.shape)
        places = combined([(self.shape[axis], steps[axis]) for axis in order])
        return ndarray([self.values[at] for at in places], tuple(self.shape[axis] for axis in order), self.dtype)

    def spread(self, shape: Shape) -> list[Number]:
        """The values repeated to fill ``shape``."""
        if self.shape == shape:
            return self.values
        count = prod(shape)
        if not count or len(self.values) == 1:
            return self.values[:1] * count
        longer = len(shape) - len(self.shape)
        if self.shape == shape[longer:]:  # all of them, several times
            return self.values * (count // len(self.values))
        if not longer and self.shape == (*shape[:-1], 1):  # each of them, several times
            return list(chain.from_iterable(zip(*[self.values] * shape[-1], strict=True)))
        return list(map(self.values.__getitem__, repeated(self.shape, shape)))

    # parts

    def __getitem__(self, key: object) -> ndarray | Number:
        if type(key) is int:  # the most frequent key
            return self.values[key] if len(self.shape) == 1 else self._row(key)
        if type(key) is tuple and len(key) == len(self.shape) == 2 and type(key[0]) is type(key[1]) is int:
            return self._row(key[0]).values[key[1]]
        if isinstance(key, ndarray) and len(key.shape) == 1:
            return self._rows(key)
        plain = _plain(key)
        shape, places = chosen(self.shape, _index(key)) if plain is None else plainly_chosen(self.shape, plain)
        values = list(map(self.values.__getitem__, places))
        return ndarray(values, shape, self.dtype) if shape or plain is None else values[0]

    def _rows(self, key: ndarray) -> ndarray:
        """The rows that a mask holds, or those with these numbers."""
        count, length = self.shape[0], prod(self.shape[1:])
        masks = key.dtype is bool_
        if masks and len(key.values) != count:
            raise IndexError(f"boolean index did not match indexed array: {len(key.values)} is not {count}")
        whole = len(self.shape) == 1
        rows = self.values if whole else list(zip(*[iter(self.values)] * length, strict=True))
        if length == 0:
            rows = [()] * count
        taken = list(compress(rows, key.values) if masks else map(rows.__getitem__, key.values))
        values = taken if whole else list(chain.from_iterable(taken))
        return ndarray(values, (len(taken), *self.shape[1:]), self.dtype)

    def _row(self, at: int) -> ndarray:
        if not -self.shape[0] <= at < self.shape[0]:
            raise IndexError(f"index {at} is out of bounds for axis 0 with size {self.shape[0]}")
        length = len(self.values) // self.shape[0]
        start = at % self.shape[0] * length
        return ndarray(self.values[start : start + length], self.shape[1:], self.dtype)

    def __setitem__(self, key: object, value: object) -> None:
        shape, places = chosen(self.shape, _index(key))
        filled = as_array(value)
        while len(filled.shape) > len(shape) and filled.shape[0] == 1:
            filled = ndarray(filled.values, filled.shape[1:], filled.dtype)
        if common(filled.shape, shape) != shape:
            raise ValueError(f"could not broadcast input array from shape {filled.shape} into shape {shape}")
        for at, one in zip(places, filled.spread(shape), strict=True):
            self.values[at] = self.dtype.cast(one)

    # operators

    def with_each(self, other: object, how: Operation, dtype: Kind | None = None) -> ndarray:
        """``how(own, other)`` for every pair of values; ``dtype`` if it is not the higher of both kinds."""
        if isinstance(other, NUMBERS):
            kind = dtype or joined(self.dtype, kind_of_value(other))
            return ndarray(pairs(how, self.values, [other] * len(self.values)), self.shape, kind)
        others = as_array(other)
        kind = dtype or joined(self.dtype, others.dtype)
        if self.shape == others.shape:
            return ndarray(pairs(how, self.values, others.values), self.shape, kind)
        shape = common(self.shape, others.shape)
        return ndarray(pairs(how, self.spread(shape), others.spread(shape)), shape, kind)

    def __add__(self, other: object) -> ndarray:
        return self.with_each(other, operator.add)

    def __radd__(self, other: object) -> ndarray:
        return self.with_each(other, operator.add)

    def __sub__(self, other: object) -> ndarray:
        return self.with_each(other, operator.sub)

    def __rsub__(self, other: object) -> ndarray:
        return as_array(other).with_each(self, operator.sub)

    def __mul__(self, other: object) -> ndarray:
        return self.with_each(other, operator.mul)

    def __rmul__(self, other: object) -> ndarray:
        return self.with_each(other, operator.mul)

    def __truediv__(self, other: object) -> ndarray:
        return self._shares(other, divided)

    def __rtruediv__(self, other: object) -> ndarray:
        return as_array(other)._shares(self, divided)

    def _shares(self, other: object, how: Operation) -> ndarray:
        values = self.with_each(other, how)
        values.dtype = joined(values.dtype, float64)
        return values

    def __mod__(self, other: object) -> ndarray:
        return self.with_each(other, operator.mod)

    def __pow__(self, other: object) -> ndarray:
        return self.with_each(other, operator.pow)

    def __and__(self, other: object) -> ndarray:
        return self.with_each(other, operator.and_, self.dtype)

    __rand__ = __and__

    def __or__(self, other: object) -> ndarray:
        return self.with_each(other, operator.or_, self.dtype)

    __ror__ = __or__

    def __lt__(self, other: object) -> ndarray:
        return self.with_each(other, operator.lt, bool_)

    def __le__(self, other: object) -> ndarray:
        return self.with_each(other, operator.le, bool_)

    def __gt__(self, other: object) -> ndarray:
        return self.with_each(other, operator.gt, bool_)

    def __ge__(self, other: object) -> ndarray:
        return self.with_each(other, operator.ge, bool_)

    def __eq__(self, other: object) -> Any:
        return self.with_each(other, operator.eq, bool_)

    def __ne__(self, other: object) -> Any:
        return self.with_each(other, operator.ne, bool_)

    def __neg__(self) -> ndarray:
        return ndarray(list(map(operator.neg, self.values)), self.shape, self.dtype)

    def __abs__(self) -> ndarray:
        kind = float64 if self.dtype is complex128 else self.dtype
        return ndarray(list(map(abs, self.values)), self.shape, kind)

    def __invert__(self) -> ndarray:
        return ndarray(list(map(operator.not_, self.values)), self.shape, bool_)

    def __matmul__(self, other: ndarray) -> ndarray | Number:
        rows = [self.values] if len(self.shape) == 1 else [row.values for row in self]
        columns = [other.values] if len(other.shape) == 1 else [column.values for column in other.T]
        if rows and columns and len(rows[0]) != len(columns[0]):
            raise ValueError(f"matmul: shapes {self.shape} and {other.shape} do not fit")
        products = [sum(map(operator.mul, row, column)) for row in rows for column in columns]
        shape = (*self.shape[:-1], *other.shape[1:])
        return ndarray(products, shape, joined(self.dtype, other.dtype)) if shape else products[0]

    # one value of many

    def along(
        self, how: Callable[[Sequence[Number]], Number], dtype: Kind, axis: Axis = None, *, kept: bool = False
    ) -> ndarray | Number:
        """``how`` of all values, or along one axis or several; ``kept``: the axes stay, with length 1."""
        if axis is None:
            return how(self.values)
        gone = sorted(number % len(self.shape) for number in (axis if isinstance(axis, tuple) else (axis,)))
        left = [number for number in range(len(self.shape)) if number not in gone]
        turned = self.transpose(*left, *gone) if gone[0] != len(left) else self
        count = prod(self.shape[number] for number in gone)
        parts = [
            turned.values[at * count : (at + 1) * count] for at in range(prod(self.shape[number] for number in left))
        ]
        shape = tuple(
            1 if number in gone else side for number, side in enumerate(self.shape) if kept or number not in gone
        )
        return ndarray(list(map(how, parts)), shape, dtype) if shape else how(self.values)

    def sum(self, axis: Axis = None, *, keepdims: bool = False) -> ndarray | Number:
        """All values together."""
        return self.along(sum, joined(self.dtype, intp), axis, kept=keepdims)

    def mean(self, axis: Axis = None, *, keepdims: bool = False) -> ndarray | Number:
        """The mean; of none: nan."""
        return self.along(
            lambda part: sum(part) / len(part) if part else math.nan, joined(self.dtype, float64), axis, kept=keepdims
        )

    def prod(self, axis: Axis = None) -> ndarray | Number:
        """All values multiplied."""
        return self.along(prod, joined(self.dtype, intp), axis)

    def max(self, axis: Axis = None, *, keepdims: bool = False, initial: Number | None = None) -> ndarray | Number:
        """The largest value. Raises ValueError for an empty array without ``initial``."""
        how = max if initial is None else lambda part: max([initial, *part])
        return self.along(how, self.dtype, axis, kept=keepdims)

    def min(self, axis: Axis = None, *, keepdims: bool = False, initial: Number | None = None) -> ndarray | Number:
        """The smallest value. Raises ValueError for an empty array without ``initial``."""
        how = min if initial is None else lambda part: min([initial, *part])
        return self.along(how, self.dtype, axis, kept=keepdims)

    def any(self, axis: Axis = None) -> ndarray | Number:
        """Whether one is true."""
        return self.along(any, bool_, axis)

    def all(self, axis: Axis = None) -> ndarray | Number:
        """Whether none is false."""
        return self.along(all, bool_, axis)

    def argmax(self, axis: Axis = None) -> ndarray | Number:
        """The place of the largest value, the first of equal ones."""
        return self.along(lambda part: part.index(max(part)), intp, axis)

    def argmin(self, axis: Axis = None) -> ndarray | Number:
        """The place of the smallest value, the first of equal ones."""
        return self.along(lambda part: part.index(min(part)), intp, axis)

    def clip(self, min: object = None, max: object = None) -> ndarray:
        """Nothing below ``min`` nor above ``max``."""
        clipped = self if min is None else self.with_each(min, larger)
        return clipped if max is None else clipped.with_each(max, smaller)


def as_array(value: Any) -> ndarray:
    """An array of an array, a number or nested sequences of numbers and arrays."""
    if isinstance(value, ndarray):
        return value
    if isinstance(value, NUMBERS):
        return ndarray([value], (), kind_of_value(value))
    parts = list(value)
    if set(map(type, parts)).issubset(NUMBERS):
        return ndarray(parts, (len(parts),), kind_of_values(parts))
    arrays = [as_array(part) for part in parts]
    if any(item.shape != arrays[0].shape for item in arrays):
        raise ValueError("the parts of an array have different shapes")
    kind = joined(*(item.dtype for item in arrays))
    values = [number for item in arrays for number in item.values]
    return ndarray(values, (len(arrays), *arrays[0].shape), kind)


def _plain(key: object) -> tuple[object, ...] | None:
    """An index without arrays that can be remembered: slices as their three numbers; None for another."""
    parts: list[object] = []
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, slice):
            parts.append((part.start, part.stop, part.step))
        elif part is None or part is Ellipsis or type(part) is int:
            parts.append(part)
        else:
            return None
    return tuple(parts)


def _index(key: object) -> list[Any]:
    """An index as :func:`chosen` takes it: arrays as (shape, numbers), masks as the places they hold."""
    parts: list[Any] = []
    for part in key if isinstance(key, tuple) else (key,):
        if isinstance(part, list | range):
            part = as_array(part) if len(part) else ndarray([], (0,), intp)
        if not isinstance(part, ndarray):
            parts.append(part)
        elif part.dtype is bool_:
            parts += [((len(places),), places) for places in places_of(part)]
        else:
            parts.append((part.shape, part.values))
    return parts


def places_of(mask: ndarray) -> list[list[int]]:
    """The positions, along each axis, of nonzero values."""
    flat = [at for at, value in enumerate(mask.values) if value]
    steps = strides(mask.shape)
    return [[at // step % side for at in flat] for side, step in zip(mask.shape, steps, strict=True)]
