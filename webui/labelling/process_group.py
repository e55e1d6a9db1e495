"""行程群: a process started apart from the server's window, and ended together with everything it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import Any

PATIENCE_SECONDS = 10.0
"""Seconds that a process gets to end on request."""
CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW = 0x200, 0x08000000
"""Of Windows' CreateProcess; Python has the names there only."""


def own_group(system: str = os.name) -> dict[str, Any]:
    """What `subprocess.Popen` needs so that Ctrl+C in the server's window, or closing it, reaches the server alone."""
    if system == "posix":
        return {"start_new_session": True}
    return {"creationflags": CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW}


def end_group(process: subprocess.Popen[bytes], system: str = os.name) -> None:
    """End the process and everything it started: first by request, if the system can, then by force."""
    for how in ("SIGTERM", "SIGKILL"):
        if system == "posix":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, getattr(signal, how))
        else:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):  # it comes with every Windows
                command = ["taskkill", "/PID", str(process.pid), "/T", "/F"]
                subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE_SECONDS)
            process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE_SECONDS)
            return
