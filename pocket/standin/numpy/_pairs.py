"""Operations on two numbers, and on two lists of them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from ._kinds import Number

Operation = Callable[[Number, Number], Number]
NUMBERS = (bool, int, float, complex)
"""Python's types of numbers."""


def divided(first: Number, second: Number) -> Number:
    """A quotient; by zero infinite, or nan if undefined (0 by 0, a complex number)."""
    try:
        return first / second
    except ZeroDivisionError:
        if not first or first != first or isinstance(first, complex):
            return math.nan
        return math.copysign(math.inf, first) * math.copysign(1.0, second)


def larger(first: Number, second: Number) -> Number:
    """The larger of two; nan if one is."""
    return first if first >= second or first != first else second


def smaller(first: Number, second: Number) -> Number:
    """The smaller of two; nan if one is."""
    return first if first <= second or first != first else second


_QUICK: dict[Operation, Operation] = {divided: operator.truediv, larger: max, smaller: min}
"""Python's own functions that do the same to most pairs, several times as fast."""


def pairs(how: Operation, first: list[Number], second: list[Number]) -> list[Number]:
    """``how`` of each pair of values."""
    quick = _QUICK.get(how, how)
    if quick is operator.truediv:
        try:
            return list(map(quick, first, second))
        except ZeroDivisionError:
            return list(map(how, first, second))
    if quick is not how and any(map(operator.ne, second, second)):  # with a nan
        return list(map(how, first, second))
    return list(map(quick, first, second))
