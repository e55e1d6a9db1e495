"""留著: cached results of pure functions. Asking again is one look into a dict."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Kept(dict[K, V]):
    """A cache of `make` by its argument. It empties itself when it is full.

    Quicker than `functools.lru_cache` for frequent questions: a hit costs no call and moves nothing.

    >>> squares = Kept(lambda number: number * number)
    >>> squares[12]
    144
    """

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[K], V], most: int = 1 << 14) -> None:
        super().__init__()
        self._make, self._most = make, most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._make(key)
        return value
