"""Order: sorted, ranked, counted, found."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ._array import as_array, ndarray, places_of
from ._kinds import Kind, Number, bool_, float64, intp
from ._making import arange


def _key(value: Number) -> tuple[bool, Number]:
    """nan comes last."""
    return value != value, value


def _rows(values: ndarray, how: Callable[[list[Number]], list[Number]], dtype: Kind) -> ndarray:
    """``how`` of each row along the last axis."""
    side = values.shape[-1]
    count = len(values.values) // side if side else 0
    rows = [how(values.values[at * side : (at + 1) * side]) for at in range(count)]
    return ndarray([value for row in rows for value in row], values.shape, dtype)


def argsort(values: object, axis: int = -1, kind: str = "stable") -> ndarray:
    """The places in the order of their values along the last axis, equal ones as they stand."""
    given = as_array(values)
    if axis % given.ndim != given.ndim - 1:
        raise ValueError("only the last axis is sorted here")
    return _rows(given, lambda row: sorted(range(len(row)), key=lambda at: _key(row[at])), intp)


def sort(values: object) -> ndarray:
    """Sorted along the last axis."""
    given = as_array(values)
    return _rows(given, lambda row: sorted(row, key=_key), given.dtype)


def lexsort(keys: Sequence[ndarray]) -> ndarray:
    """The places in the order of the last key, then of the one before it."""
    rows = list(zip(*(key.values for key in reversed(keys)), strict=True))
    return ndarray(sorted(range(len(rows)), key=rows.__getitem__), (len(rows),), intp)


def nonzero(values: ndarray) -> tuple[ndarray, ...]:
    """The positions of nonzero values along each axis."""
    return tuple(ndarray(places, (len(places),), intp) for places in places_of(values))


def flatnonzero(values: object) -> ndarray:
    """The positions of nonzero values in the flattened array."""
    places = [at for at, value in enumerate(as_array(values).values) if value]
    return ndarray(places, (len(places),), intp)


def median(values: object, axis: int | None = None) -> ndarray | Number:
    """The middle value, or the mean of the middle two; nan for an empty array or one with a nan."""
    return as_array(values).along(_median, float64, axis)


def nanmedian(values: ndarray, axis: int) -> ndarray | Number:
    """The median without nan values."""
    return values.along(lambda part: _median([value for value in part if value == value]), float64, axis)


def quantile(values: object, share: float) -> float:
    """The value below which a share of all values fall, interpolated between two."""
    ordered = sorted(as_array(values).values)
    if not ordered:
        raise IndexError("the quantile of nothing")
    place = share * (len(ordered) - 1)
    before = min(math.floor(place), len(ordered) - 1)
    low, high, part = ordered[before], ordered[min(before + 1, len(ordered) - 1)], place - before
    return float(high - (high - low) * (1 - part) if part >= 0.5 else low + (high - low) * part)


def ptp(values: ndarray) -> Number:
    """From the smallest to the largest."""
    return values.max() - values.min()


def _median(part: Sequence[Number]) -> float:
    if not part or any(value != value for value in part):
        return math.nan
    ordered, half = sorted(part), len(part) // 2
    return float(ordered[half]) if len(part) % 2 else (ordered[half - 1] + ordered[half]) / 2


def bincount(values: ndarray, minlength: int = 0) -> ndarray:
    """How often each whole number comes."""
    counts = [0] * max([minlength, *(value + 1 for value in values.values)])
    for value in values.values:
        counts[value] += 1
    return ndarray(counts, (len(counts),), intp)


def unique(values: ndarray, *, return_index: bool = False) -> ndarray | tuple[ndarray, ndarray]:
    """Every value once, in order; ``return_index``: also the first position of each."""
    first: dict[Number, int] = {}
    for at, value in enumerate(values.values):
        first.setdefault(value, at)
    ordered = sorted(first)
    distinct = ndarray(ordered, (len(ordered),), values.dtype)
    return (distinct, ndarray([first[value] for value in ordered], distinct.shape, intp)) if return_index else distinct


def isin(values: ndarray, wanted: Sequence[Number]) -> ndarray:
    """Whether each value is in ``wanted``."""
    return ndarray([value in wanted for value in values.values], values.shape, bool_)


def setdiff1d(values: ndarray, without: ndarray) -> ndarray:
    """The values that the other does not hold, each once, in order."""
    left = sorted(set(values.values) - set(without.values))
    return ndarray(left, (len(left),), values.dtype)


def delete(values: ndarray, places: ndarray, axis: int) -> ndarray:
    """Without the places along an axis."""
    gone = {int(place) % values.shape[axis] for place in places.values}
    left = [place for place in range(values.shape[axis]) if place not in gone]
    chosen: ndarray = values[(*[slice(None)] * axis, left)]
    return chosen


def take_along_axis(values: ndarray, places: ndarray, axis: int) -> ndarray:
    """Of each row the values at that row's places. Raises ValueError for another axis."""
    if axis != 1 or values.ndim != 2:
        raise ValueError("values are taken along rows only")
    chosen: ndarray = values[arange(len(values)).reshape(-1, 1), places]
    return chosen
