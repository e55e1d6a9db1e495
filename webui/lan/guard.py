"""Limits connections: per address, and of strangers in all. Paired phones come first.

A connection counts as a stranger's until a request with a paired phone's cookie arrives on it. Over a limit the guard
closes the oldest connection of the address with the most, not the new one. Nobody can shut the others out by waiting.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

MOST_OF_ADDRESS = 40
"""Connections of one address; a browser opens six."""
MOST_STRANGERS = 300
"""Connections of all who are not paired."""

Drop = Callable[[], None]


class Guard:
    """The connections of one listener, safe for several threads."""

    def __init__(self, of_address: int = MOST_OF_ADDRESS, strangers: int = MOST_STRANGERS) -> None:
        self._limits = of_address, strangers
        self._lock = threading.RLock()
        self._address: dict[Hashable, str] = {}
        self._strangers: dict[str, dict[Hashable, Drop]] = {}
        self._paired: dict[str, dict[Hashable, Drop]] = {}

    def admit(self, who: Hashable, address: str, drop: Drop) -> None:
        """Admit connection `who` from `address`. If there are too many, the `drop` of another connection is called."""
        of_address, strangers = self._limits
        dropped: list[Drop] = []
        with self._lock:
            if self.count(address) >= of_address:
                dropped.append(self._oldest(self._strangers if address in self._strangers else self._paired, address))
            elif sum(map(len, self._strangers.values())) >= strangers:
                most = max(self._strangers, key=lambda one: len(self._strangers[one]))
                dropped.append(self._oldest(self._strangers, most))
            self._address[who] = address
            self._strangers.setdefault(address, {})[who] = drop
        for drop_it in dropped:
            drop_it()

    def welcome(self, who: Hashable) -> None:
        """Count the connection as a paired phone's; ignored if it has ended."""
        with self._lock:
            address = self._address.get(who)
            if address is not None and who in self._strangers.get(address, {}):
                self._paired.setdefault(address, {})[who] = self._take(self._strangers, address, who)

    def leave(self, who: Hashable) -> None:
        """Forget an ended connection; ignored if it was dropped before."""
        with self._lock:
            address = self._address.pop(who, None)
            for held in (self._strangers, self._paired):
                if address is not None and who in held.get(address, {}):
                    self._take(held, address, who)

    def count(self, address: str) -> int:
        """How many connections of that address there are."""
        with self._lock:
            return len(self._strangers.get(address, ())) + len(self._paired.get(address, ()))

    @staticmethod
    def _take(held: dict[str, dict[Hashable, Drop]], address: str, who: Hashable) -> Drop:
        drop = held[address].pop(who)
        if not held[address]:
            del held[address]
        return drop

    def _oldest(self, held: dict[str, dict[Hashable, Drop]], address: str) -> Drop:
        who = next(iter(held[address]))
        del self._address[who]
        return self._take(held, address, who)
