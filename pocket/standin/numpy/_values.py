"""One value for each value, or for each pair."""

from __future__ import annotations

import builtins
import cmath
import contextlib
import math
from collections.abc import Callable
from typing import Any

from ._array import as_array, ndarray
from ._kinds import Kind, Number, bool_, float64, joined
from ._pairs import NUMBERS, Operation, divided, larger, smaller
from ._shapes import common


def _each(
    how: Callable[[Any], Number], dtype: Kind = float64, quick: Callable[[Any], Number] | None = None
) -> Callable[[Any], Any]:
    """A function of arrays and of numbers out of one of numbers; ``quick`` gives the same or raises an error."""

    def of(values: object) -> Any:
        if isinstance(values, NUMBERS):
            return how(values)
        given = as_array(values)
        if quick is not None:
            with contextlib.suppress(ValueError, OverflowError):
                return ndarray(list(map(quick, given.values)), given.shape, dtype)
        return ndarray(list(map(how, given.values)), given.shape, dtype)

    return of


def _pairs(how: Operation, dtype: Kind | None = None) -> Callable[[Any, Any], Any]:
    """A function of two arrays or numbers out of one of two numbers."""

    def of(first: object, second: object) -> Any:
        if isinstance(first, NUMBERS) and isinstance(second, NUMBERS):
            return how(first, second)
        return as_array(first).with_each(second, how, dtype)

    return of


def _log(value: float) -> float:
    if value > 0:
        return math.log(value)
    return -math.inf if value == 0 else math.nan


def _log1p(value: float) -> float:
    return math.log1p(value) if value > -1 else _log(1 + value)


def _sqrt(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _exp(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _finite(value: Number) -> bool:
    return cmath.isfinite(value)


arctan2 = _pairs(math.atan2, float64)
cos = _each(math.cos)
exp = _each(_exp, quick=math.exp)
hypot = _pairs(math.hypot, float64)
isfinite = _each(_finite, bool_)
log = _each(_log, quick=math.log)
log1p = _each(_log1p, quick=math.log1p)
maximum = _pairs(larger)
minimum = _pairs(smaller)
radians = _each(math.radians)
sqrt = _each(_sqrt, quick=math.sqrt)
tan = _each(math.tan)


def abs(values: Any) -> ndarray | Number:
    """Each value without its sign."""
    return builtins.abs(values)


def clip(values: object, low: object, high: object) -> ndarray | Number:
    """Nothing below ``low`` nor above ``high``."""
    return minimum(maximum(values, low), high)


def where(condition: object, yes: object, no: object) -> ndarray:
    """``yes`` for true conditions, else ``no``."""
    which, first, second = as_array(condition), as_array(yes), as_array(no)
    shape = common(common(which.shape, first.shape), second.shape)
    triples = zip(which.spread(shape), first.spread(shape), second.spread(shape), strict=True)
    return ndarray([a if held else b for held, a, b in triples], shape, joined(first.dtype, second.dtype))


def divide(first: ndarray, second: ndarray, *, out: ndarray, where: ndarray) -> ndarray:
    """Quotients at the true positions of the mask; the values of ``out`` elsewhere."""
    shape = out.shape
    four = zip(first.spread(shape), second.spread(shape), where.spread(shape), out.values, strict=True)
    return ndarray([divided(a, b) if held else kept for a, b, held, kept in four], shape, float64)


def mean(values: object, axis: int | None = None) -> ndarray | Number:
    """The mean, of all or along an axis."""
    return as_array(values).mean(axis)


def average(values: ndarray, axis: int, weights: ndarray) -> ndarray:
    """The weighted mean of rows. Raises ValueError for another axis."""
    if axis != 0:
        raise ValueError("only rows are averaged here")
    total = weights.sum()
    mean: ndarray = (values * weights.reshape(-1, *(1,) * (values.ndim - 1))).sum(axis=0) / total
    return mean


def einsum(how: str, first: ndarray, second: ndarray) -> ndarray:
    """``ntc,mtc->nm``: each part of the first times each of the second. Raises ValueError for another pattern."""
    left, right, out = how.replace("->", ",").split(",")
    if left[1:] != right[1:] or out != left[0] + right[0]:
        raise ValueError(f"einsum {how!r} is not here")
    products: ndarray = first.reshape(len(first), -1) @ second.reshape(len(second), -1).T
    return products


def polyfit(x: ndarray, y: ndarray, degree: int) -> tuple[ndarray | Number, ndarray | Number]:
    """Slope and start of the line nearest to points. Raises ValueError for another degree."""
    if degree != 1:
        raise ValueError("only lines are fitted here")
    middle_x, middle_y = x.mean(), y.mean()
    off = x - middle_x
    slope = (off * (y - middle_y)).sum() / (off * off).sum()
    return slope, middle_y - slope * middle_x
