"""排隊: a limited number of places, given in the order of arrival."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from webui.web.errors import UserError

LONGEST_WAIT = 20  # seconds that anybody is asked to wait before coming again
LOOKS = 0.5
"""Seconds between two looks at whether somebody in line has gone."""


class Busy(UserError):
    """Too many photos wait for the reader."""

    def __init__(self, seconds: int = 3) -> None:
        super().__init__("error.busy", 503, retry_after=seconds)


class Gone(UserError):
    """The client has disconnected, so an answer would be useless."""

    def __init__(self) -> None:
        super().__init__("error.busy", 503)


@dataclass(eq=False, slots=True)
class _Waiting:
    """Somebody in line: called when the place is his; `ticket` is what he calls himself."""

    ticket: str
    called: threading.Event = field(default_factory=threading.Event)


class Line:
    """A limited number of places, safe for several threads and first come, first served.

    `patience`: seconds that `turn` waits at most. `most`: how many may wait; the next one is refused at once.
    """

    def __init__(self, places: int, patience: float = 0, most: int = 1000) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[_Waiting] = deque()
        self._free = self._size = places
        self._patience, self._most = patience, most

    @property
    def free_slots(self) -> int:
        """The number of free places."""
        return self._free

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return len(self._waiting)

    @property
    def size(self) -> int:
        """How many places there are."""
        return self._size

    def turn(self, gone: Callable[[], bool] = lambda: False) -> AbstractContextManager[None]:
        """A place, waiting at most the line's `patience`. Raises Busy, also if too many wait already, and Gone."""
        if not self.free_slots and self.waiting >= self._most:
            raise Busy(LONGEST_WAIT)
        return self.place(self._patience, LONGEST_WAIT, gone)

    @contextmanager
    def place(
        self, seconds: float = 0, again: int = 3, gone: Callable[[], bool] = lambda: False, ticket: str = ""
    ) -> Iterator[None]:
        """One of the places, after waiting for a limited time.

        Args:
            seconds: raise Busy after this time.
            again: the Retry-After seconds of that Busy.
            gone: whether the client has disconnected; raises Gone then.
            ticket: identifies this client for `ahead`.
        """
        self._take(seconds, again, gone, ticket)
        try:
            yield
        finally:
            with self._lock:
                if self._waiting:
                    self._waiting.popleft().called.set()  # the place goes on to the next one
                else:
                    self._free += 1

    def ahead(self, ticket: str) -> int | None:
        """How many wait before the client with this ticket; None if it is not waiting."""
        with self._lock:
            return next((at for at, waiting in enumerate(self._waiting) if waiting.ticket == ticket), None)

    def _take(self, seconds: float, again: int, gone: Callable[[], bool], ticket: str) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            waiting = _Waiting(ticket)
            self._waiting.append(waiting)
        until = time.monotonic() + seconds
        while not (left := gone()) and (rest := until - time.monotonic()) > 0:
            if waiting.called.wait(min(rest, LOOKS)):
                return
        with self._lock:
            if not waiting.called.is_set():
                self._waiting.remove(waiting)
                raise Gone if left else Busy(again)
