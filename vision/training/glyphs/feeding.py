"""Windows made by another process while the network learns."""

from __future__ import annotations

import multiprocessing
import queue
import random
import signal
from collections.abc import Sequence
from pathlib import Path

import cv2

from vision.training.glyphs.finding import Located, Turned
from vision.training.glyphs.tiles import read_store
from vision.training.glyphs.windows import Answer, Windows

WAITING, REMEMBERED, LEAST_REMEMBERED = 24, 160, 40
"""Batches that wait at most; batches that may be shown again, and how many there must be before."""
FRESH = 0.6
"""Share of the batches that were never shown."""
PATIENCE = 5.0
"""Seconds between two looks whether the other process still lives."""
Batches = multiprocessing.Queue


def _make(folder: Path, queued: Batches[Answer], job: tuple[int, int, Sequence[Located], Sequence[Turned]]) -> None:
    """The other process: put batches until it is ended, or the training is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both, and the training saves first
    cv2.setNumThreads(1)
    seed, count, located, hard = job
    windows = Windows(read_store(folder), seed, located=located, hard=hard)
    parent = multiprocessing.parent_process()
    while True:
        batch = windows.batch(count)
        while True:
            try:
                queued.put(batch, timeout=PATIENCE)
                break
            except queue.Full:
                if parent is None or not parent.is_alive():
                    queued.cancel_join_thread()
                    return


class Feed:
    """Batches of windows from another process; some are shown more than once."""

    def __init__(self, folder: Path, batch: int, rng: random.Random) -> None:
        """folder: the store; batch: windows of a batch; rng: of the seeds and of repetitions."""
        self._folder, self._batch, self._rng = folder, batch, rng
        self._shown: list[Answer] = []
        self._context = multiprocessing.get_context("spawn")  # torch's threads do not survive a fork
        self._process: multiprocessing.context.SpawnProcess | None = None

    def start(self, located: Sequence[Located], hard: Sequence[Turned]) -> None:
        """Begin, or begin again with other ``located`` characters and ``hard`` tiles."""
        self.stop()
        self._queued: Batches[Answer] = self._context.Queue(WAITING)
        job = (self._rng.randrange(1 << 30), self._batch, located, hard)
        self._process = self._context.Process(target=_make, args=(self._folder, self._queued, job), daemon=True)
        self._process.start()

    def next(self) -> Answer:
        """A batch. Raises RuntimeError if the other process ended."""
        if len(self._shown) >= LEAST_REMEMBERED and self._rng.random() >= FRESH:
            return self._rng.choice(self._shown)
        while True:
            try:
                batch = self._queued.get(timeout=PATIENCE)
                break
            except queue.Empty:
                if self._process is None or not self._process.is_alive():
                    raise RuntimeError("the process that makes windows has ended; its error is above") from None
        self._shown = [*self._shown[-REMEMBERED + 1 :], batch]
        return batch

    def stop(self) -> None:
        """End the other process, if there is one."""
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._queued.close()
            self._process = None
