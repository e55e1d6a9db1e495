"""背景工作: ``python -m webui.labelling.runner FOLDER`` runs the commands of a job one after the other.

It is a process of its own: the page may be closed, and the server may end. ``job.json`` names the commands (the part
after ``paitai``; if ``makes`` exists, the command is done). While it lives it touches ``alive``. A file ``stop`` ends
it, and so does a command that fails; ``ended.json`` has the last exit status.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

from vision.files import put_file
from webui.labelling.process_group import end_group, own_group

BEAT = 1.0
"""Seconds between two looks."""
STOPPED = 130


def run(folder: Path) -> int:
    """Run all commands that are not done; the exit status of the last one."""
    job: dict[str, Any] = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    status = 0
    with (folder / "log.txt").open("a", encoding="utf-8") as log:
        for command in job["commands"]:
            if command.get("makes") and Path(command["makes"]).exists():
                continue
            status = _one(command["run"], folder, log)
            if status not in command.get("fine", (0,)):
                break
            status = 0
    put_file(folder / "ended.json", json.dumps({"status": status, "at": time.time()}).encode())
    return status


def _one(arguments: list[str], folder: Path, log: IO[str]) -> int:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    environment["PAITAI_PROGRESS"] = str(folder / "progress.jsonl")
    command = [sys.executable, "-m", "vision.lifeline", "paitai", *arguments]  # it must not outlive us, and start twice
    with subprocess.Popen(
        command, stdout=log, stderr=log, stdin=subprocess.PIPE, env=environment, **own_group()
    ) as process:
        while process.poll() is None:
            (folder / "alive").touch()
            if (folder / "stop").exists():
                end_group(process)
                return STOPPED
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(BEAT)
        return process.returncode


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[1])))
