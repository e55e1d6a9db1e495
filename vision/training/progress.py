"""Progress of long work: a line now and then for the log, and JSON lines in a separate file for the page.

The environment variable PAITAI_PROGRESS names that file; without it only the log is written. Its lines are
``{"step": NAME, "at": N, "of": N}`` at the start of a recipe's step, ``{"phase": WORD}`` and ``{"phase": WORD, "done":
N, "total": N, "unit": WORD, "pace": PER_SECOND, "loss": NUMBER or null}``.

Also how such work is asked to end.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from types import FrameType

EVERY = 5.0
"""Seconds between two lines; the first comes at once, the last when all is done."""
VARIABLE = "PAITAI_PROGRESS"


def note(**values: object) -> None:
    """Append one line to the progress file, if there is one. A full disk does not end a training."""
    if path := os.environ.get(VARIABLE):
        with contextlib.suppress(OSError), open(path, "a", encoding="utf-8") as handle:
            handle.write(json.dumps(values) + "\n")


def begin_phase(name: str) -> None:
    """A part of the work whose length is not known begins: loading, measuring, exporting."""
    note(phase=name)
    print(name, flush=True)


class ProgressReporter:
    """Reports progress of ``what`` (one word: cutting, training, …) towards ``total`` of a ``unit``. ``before``: the
    part that an earlier run has done."""

    def __init__(self, what: str, unit: str, total: int, before: int = 0) -> None:
        self._what, self._unit, self._total, self._before = what, unit, total, before
        self._begun = time.monotonic()
        self._told: float | None = None

    def tell(self, done: int, loss: float | None = None) -> None:
        """Report when it is time to: ``training: 12,800 of 60,000 crops  loss 1.250  410.0 crops/s`` in the log."""
        now = time.monotonic()
        if self._told is not None and now - self._told < EVERY and done < self._total:
            return
        self._told = now
        pace = (done - self._before) / max(now - self._begun, 1e-6)
        note(phase=self._what, done=done, total=self._total, unit=self._unit, pace=round(pace, 3), loss=loss)
        suffix = "" if loss is None else f"  loss {loss:.3f}"
        print(f"{self._what}: {done:,} of {self._total:,} {self._unit}{suffix}  {pace:.1f} {self._unit}/s", flush=True)


class Stop:
    """Whether the training was asked to end, by SIGTERM or Ctrl-C."""

    def __init__(self) -> None:
        self.asked = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
