"""最近的牌局: the last few games by their steps, so that the next hand adds only itself."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Generic, TypeVar

from webui.store.chain import Entry

Value = TypeVar("Value")


class Folded(Generic[Value]):
    """The last few games by the steps that they were made of: at the next hand only that hand is added."""

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._games: list[tuple[Entry, list[Entry], Value]] = []  # the newest first

    def longest(self, entry: Entry, steps: Sequence[Entry]) -> tuple[int, Value | None]:
        """The game that has most of these steps behind it and no others, and how many."""
        with self._lock:
            fitting = [
                (len(cached), game)
                for start, cached, game in self._games
                if len(cached) <= len(steps) and start == entry and steps[: len(cached)] == cached
            ]
        return max(fitting, key=lambda cached: cached[0], default=(0, None))

    def clear(self) -> None:
        """Forget them all."""
        with self._lock:
            self._games = []

    def keep(self, entry: Entry, steps: list[Entry], game: Value) -> None:
        """Cache it in place of the oldest game.

        entry: the one that opened the game. steps: the counted entries after it. game: their result.
        """
        with self._lock:
            others = [
                cached
                for cached in self._games
                if len(cached[1]) != len(steps) or cached[0] != entry or cached[1] != steps
            ]
            self._games = [(entry, steps, game), *others][: self._most]
