"""進度: a line now and then while something long runs, for the log and for the page that reads it."""

from __future__ import annotations

import time

EVERY = 5.0
"""Seconds between two lines; the first comes at once, the last when all is done."""


class Teller:
    """How far ``what`` (one word: cutting, training, …) is on its way to ``total`` of a ``unit``. ``before``: what an
    earlier run has done already."""

    def __init__(self, what: str, unit: str, total: int, before: int = 0) -> None:
        self._what, self._unit, self._total, self._before = what, unit, total, before
        self._begun = time.monotonic()
        self._told: float | None = None

    def tell(self, done: int, loss: float | None = None) -> None:
        """Print a line where it is time for one: ``training: 12,800 of 60,000 crops  loss 1.250  410.0 crops/s``."""
        now = time.monotonic()
        if self._told is not None and now - self._told < EVERY and done < self._total:
            return
        self._told = now
        pace = (done - self._before) / max(now - self._begun, 1e-6)
        said = "" if loss is None else f"  loss {loss:.3f}"
        print(f"{self._what}: {done:,} of {self._total:,} {self._unit}{said}  {pace:.1f} {self._unit}/s", flush=True)
