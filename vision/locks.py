"""鎖: one process at a time, for what several may change: the page, a second window, commands in the terminal."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

WAIT_SECONDS = 20.0
"""Seconds that another one is waited for."""


@contextlib.contextmanager
def locked(path: Path, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock of a file; it is released however this process ends.

    Raises TimeoutError if another process holds it for longer, and OSError if the file cannot be made.
    """
    from filelock import FileLock

    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path, timeout=seconds, mode=0o600):
        yield
