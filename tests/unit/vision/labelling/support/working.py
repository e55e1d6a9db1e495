"""Work for the pools, which leaves a trace in a file, so that a test can count it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any


def note(payload: dict[str, Any]) -> dict[str, Any]:
    """Write a line for each call; the payload may then ask for a failure."""
    with Path(payload["log"]).open("a") as handle:
        handle.write(f"{payload['n']}\n")
    if payload.get("raises"):
        raise ValueError(f"photo {payload['n']}")
    if payload.get("kills"):
        os.kill(os.getpid(), signal.SIGKILL)
    once = payload.get("kills_once")
    if once and not Path(once).exists():
        Path(once).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(payload.get("sleep", 0))
    return {"n": payload["n"], "pid": os.getpid()}
