"""Kinds of numbers: their order, the common kind of two, and the conversion of a value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Number = Any
"""bool, int, float or complex: a value of an array."""


class Kind:
    """What numpy calls a dtype: ``rank`` (of two kinds the higher one comes out) and the type of its values."""

    def __init__(self, name: str, rank: int, cast: Callable[[Any], Number]) -> None:
        self.name, self.rank, self.cast = name, rank, cast

    def __call__(self, value: object) -> Number:
        return self.cast(value)

    def __repr__(self) -> str:
        return self.name


bool_ = Kind("bool", 0, bool)
intp = Kind("int64", 1, int)
float64 = Kind("float64", 2, float)
complex128 = Kind("complex128", 3, complex)
uint8, float32 = intp, float64
number = float64  # any kind, in annotations only

_OF_TYPES = {bool: bool_, int: intp, float: float64, complex: complex128}


def kind_of(wanted: Kind | type) -> Kind:
    """The kind that a dtype argument means: one of ours or Python's own type."""
    return wanted if isinstance(wanted, Kind) else _OF_TYPES[wanted]


def kind_of_value(value: Number) -> Kind:
    """The kind of one value."""
    return _OF_TYPES[type(value)]


def kind_of_values(values: Sequence[Number]) -> Kind:
    """The kind that holds all the values; without any, as in numpy, float64."""
    types = set(map(type, values))
    return max((_OF_TYPES[kind_type] for kind_type in types), key=lambda kind: kind.rank) if types else float64


def joined(*kinds: Kind) -> Kind:
    """The kind that holds values of all of them."""
    return max(kinds, key=lambda kind: kind.rank)
