"""第二個程序: while this process reads one photo, a second process reads others.

Outside the networks Python works on one thing at a time. Two photos read in one process on two cores waited for each
other for an eighth of the time (docs/measurements.md). The process starts when a second photo arrives during a reading.
It ends after an idle time, when a large photo needs its memory, and with this process. Photos that it cannot read are
read again here, which produces the error's sentence.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from vision.lifeline import end_with_parent
from webui.web.photos.page import page_jpeg
from webui.web.photos.readings import ReadPhoto

AT_ONCE = 2
"""One photo is read there and another is ready, so the process need not wait for the answer of the first."""
IDLE = 120.0
"""Seconds without a photo after which the process ends."""
TRIES = 3
"""So often the process may end while it starts, for example for want of memory."""
PATIENCE = 60.0
"""Seconds that one photo may take: a process that needs longer hangs."""
SetInUse: TypeAlias = tuple[Path, str, Hashable]
"""A tile set: the folder of all sets, its name, the state of its files."""
ReadsAs: TypeAlias = tuple[int, SetInUse | None]
"""How often networks were loaded, and the tile set in use: what tells readings from others."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What reads: the folder of the networks, None for the shipped ones, and what tells their readings from others."""

    model: Path | None
    reads_as: ReadsAs


Read = Callable[[bytes], ReadPhoto | None]
"""Maps a photo's bytes to its page content; None if the caller has to read it."""


class SecondProcess:
    """The process, whether it is there or not. Safe for several threads, of which `AT_ONCE` have it at a time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle = IDLE
        self._pool: ProcessPoolExecutor | None = None
        self._ready: Future[bool] | None = None
        self._timer: threading.Timer | None = None
        self._claims = 0
        self._resting = 0
        self._failures = 0

    @contextmanager
    def claimed(self, weights: Weights) -> Iterator[Read | None]:
        """A place in the process; None if none is free or the process is not ready. Starts the process if necessary."""
        with self._changed:
            pool = self._claim(weights)
        if pool is None:
            yield None
            return
        try:
            yield lambda photo: self._read(pool, weights, photo)
        finally:
            with self._changed:
                self._claims -= 1
                self._end_later()
                self._changed.notify_all()

    @contextmanager
    def resting(self) -> Iterator[None]:
        """End the process during the block, after the photos that it is reading."""
        with self._changed:
            self._resting += 1
            self._changed.wait_for(lambda: not self._claims)
            self._end()
        try:
            yield
        finally:
            with self._changed:
                self._resting -= 1

    def close(self) -> None:
        """It ends now and is not started again: the server ends."""
        with self._changed:
            self._resting += 1
            self._end()

    def _claim(self, weights: Weights) -> ProcessPoolExecutor | None:
        if self._resting or self._claims >= AT_ONCE:
            return None
        try:
            if self._pool is None or self._ready is None:
                self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_begin)
                self._ready = self._pool.submit(_prepared, weights)
                self._end_later()
            if not self._ready.done():
                return None
            self._ready.result()
        except (BrokenExecutor, ImportError, NotImplementedError, OSError, RuntimeError) as error:
            # No room for another process, or a system without semaphores: nothing to try again. A process that was
            # killed while it started is tried again at the next photo.
            logging.getLogger("paitai.webui").warning("photos are read in one process: %r", error)
            self._failures += 1
            if not isinstance(error, BrokenExecutor) or self._failures >= TRIES:
                self._resting += 1
            self._end()
            return None
        self._claims += 1
        return self._pool

    def _read(self, pool: ProcessPoolExecutor, weights: Weights, photo: bytes) -> ReadPhoto | None:
        try:
            return pool.submit(_read, weights, photo).result(PATIENCE)
        except (BrokenExecutor, CancelledError, RuntimeError, TimeoutError) as error:  # it was killed, or hangs
            logging.getLogger("paitai.webui").warning("the second process is given up: %r", error)
        with self._changed:
            if self._pool is pool:
                self._end()
        return None

    def _end_later(self) -> None:
        """End the process after an idle time; every request starts that time again."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._idle, self._end_when_idle)
        self._timer.daemon = True
        self._timer.start()

    def _end_when_idle(self) -> None:
        with self._changed:
            if not self._claims:
                self._end()

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        pool, self._pool, self._ready, self._timer = self._pool, None, None, None
        if pool is not None:
            for process in list((pool._processes or {}).values()):
                process.kill()  # it has nothing to lose, and may hang
            pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Initialize the process."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in the terminal is for the server, with which this ends
    from vision.pixels.server.cores import leave_others

    leave_others()


class _InUse:
    """In the process: the reader and the tile set that were asked for last."""

    def __init__(self) -> None:
        self.weights: Weights | None = None
        self.reader: Any = None
        self.matcher: Any = None


_in_use = _InUse()


def _prepared(weights: Weights) -> bool:
    """In the process: load missing weights; returns whether they can be used."""
    if weights == _in_use.weights:
        return True
    from vision.messages import MessageError
    from vision.reading.pipeline import Reader
    from vision.tileset.store import TileSetStore

    before, _in_use.weights = _in_use.weights, None
    loads, tile_set = weights.reads_as
    try:
        if before is None or before.reads_as[0] != loads:
            _in_use.reader = Reader.load(weights.model)
        _in_use.matcher = None
        if tile_set is not None:
            root, name, _ = tile_set
            _in_use.matcher = _in_use.reader.matcher(TileSetStore(root).load(name))
    except (ImportError, MessageError, OSError):  # the process that reads the photo then shows the sentence
        return False
    _in_use.weights = weights
    return True


def _read(weights: Weights, data: bytes) -> ReadPhoto | None:
    """In the process: the page content of a photo; None if anything is wrong with it, which the server then reports."""
    from vision.photo.image import PhotoError, load_photo

    try:
        if not _prepared(weights):
            return None
        photo = load_photo(data)
        return ReadPhoto(_in_use.reader.read(photo, matcher=_in_use.matcher), page_jpeg(photo, data))
    except (MemoryError, PhotoError):
        return None
