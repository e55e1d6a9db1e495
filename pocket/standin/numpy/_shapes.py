"""Shapes: how large, which one two arrays have in common, and which elements an index means."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any

Shape = tuple[int, ...]


def strides(shape: Shape) -> list[int]:
    """How many elements further the next one along each axis is."""
    steps = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        steps[axis] = steps[axis + 1] * shape[axis + 1]
    return steps


@lru_cache(1024)
def common(first: Shape, second: Shape) -> Shape:
    """The shape of two arrays together: axes of length 1 are repeated. Raises ValueError if they do not fit."""
    longer = max(len(first), len(second))
    sides = []
    for a, b in zip((1,) * (longer - len(first)) + first, (1,) * (longer - len(second)) + second, strict=True):
        if a != b and 1 not in (a, b):
            raise ValueError(f"operands could not be broadcast together with shapes {first} {second}")
        sides.append(b if a == 1 else a)
    return tuple(sides)


@lru_cache(1024)
def repeated(shape: Shape, into: Shape) -> list[int]:
    """For every element of ``into`` the element of ``shape`` at that position."""
    own = (1,) * (len(into) - len(shape)) + shape
    steps = [0 if side == 1 else step for side, step in zip(own, strides(own), strict=True)]
    return combined(list(zip(into, steps, strict=True)))


def combined(axes: Sequence[tuple[int, int]]) -> list[int]:
    """Places of the elements along axes given as (length, step), the last axis fastest."""
    places = [0]
    for length, step in axes:
        places = [place + at * step for place in places for at in range(length)]
    return places


def with_unknown(shape: Sequence[int], count: int) -> Shape:
    """A wanted shape for ``count`` elements with its -1 replaced. Raises ValueError if no length fits."""
    known = prod(side for side in shape if side != -1)
    filled = tuple((count // known if known else 0) if side == -1 else side for side in shape)
    if prod(filled) != count:
        raise ValueError(f"cannot reshape array of size {count} into shape {tuple(shape)}")
    return filled


@lru_cache(4096)
def plainly_chosen(shape: Shape, key: tuple[object, ...]) -> tuple[Shape, list[int]]:
    """As `chosen`, of an index without arrays; slices are given by their three numbers."""
    return chosen(shape, [slice(*part) if isinstance(part, tuple) else part for part in key])


def chosen(shape: Shape, key: Sequence[object]) -> tuple[Shape, list[int]]:
    """The shape and the positions of an index.

    ``key``: for each axis an int, a slice or (shape, numbers) of an array of ints; None for a new axis; Ellipsis for
    the other axes. The result's axes of neighbouring arrays stay in place; otherwise they come first, as in numpy.
    """
    steps, key = strides(shape), _spelled_out(shape, key)
    arrays = [at for at, part in enumerate(key) if isinstance(part, tuple)]
    taken: Shape = ()
    for at in arrays:
        taken = common(taken, key[at][0])
    together = [0] * prod(taken)
    start, axis = 0, 0
    parts: list[tuple[Shape, list[int] | None]] = []  # None: chosen by the arrays
    for part in key:
        if part is None:
            parts.append(((1,), [0]))
            continue
        side, step = shape[axis], steps[axis]
        axis += 1
        if isinstance(part, tuple):
            places = [_bounded(part[1][at], side) for at in repeated(part[0], taken)]
            together = [sum_ + place * step for sum_, place in zip(together, places, strict=True)]
            if (taken, None) not in parts:
                parts.append((taken, None))
        elif isinstance(part, slice):
            span = range(*part.indices(side))
            parts.append(((len(span),), [place * step for place in span]))
        else:
            start += _bounded(part, side) * step
    if arrays and arrays != list(range(arrays[0], arrays[-1] + 1)):
        parts.remove((taken, None))
        parts.insert(0, (taken, None))
    found = [start]
    for _, offsets in parts:
        these = together if offsets is None else offsets
        found = [place + offset for place in found for offset in these]
    return tuple(side for sides, _ in parts for side in sides), found


def _spelled_out(shape: Shape, key: Sequence[object]) -> list[Any]:
    """The index with an entry for every axis."""
    whole = list(key)
    if not any(part is Ellipsis for part in whole):
        whole.append(Ellipsis)
    at = next(place for place, part in enumerate(whole) if part is Ellipsis)
    missing = len(shape) - sum(part is not None and part is not Ellipsis for part in whole)
    if missing < 0:
        raise IndexError(f"too many indices for array of shape {shape}")
    return [*whole[:at], *[slice(None)] * missing, *whole[at + 1 :]]


def _bounded(place: int, side: int) -> int:
    if not -side <= place < side:
        raise IndexError(f"index {place} is out of bounds for axis with size {side}")
    return place + side if place < 0 else place
