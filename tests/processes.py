"""The processes that a test has started, even without a parent: each carries a mark in its environment."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

MARK = "PAITAI_TEST_RUN"
KEPT = "multiprocessing.resource_tracker"
"""Python's own helper, which ends with the process that it helps."""


def marked(mark: str) -> dict[int, str]:
    """The command of every living process with that mark, by its id; empty if the system does not tell."""
    found: dict[int, str] = {}
    wanted = f"{MARK}={mark}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if int(place.name) == os.getpid() or wanted not in (place / "environ").read_bytes().split(b"\0"):
                continue
            command = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
            if command and KEPT not in command and alive(int(place.name)):
                found[int(place.name)] = command[:300]
        except OSError:  # it has ended, or is another user's
            continue
    return found


def alive(pid: int) -> bool:
    """Whether a process has not ended; a zombie has ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def left_after(seconds: float, processes: Callable[[], dict[int, str]]) -> dict[int, str]:
    """The processes that still live after so many seconds."""
    until = time.monotonic() + seconds
    while (left := processes()) and time.monotonic() < until:
        time.sleep(0.05)
    return left
