"""工作: what runs beside the page: reading a set, ranking it, training, comparing. Begun, stopped, gone on with."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from vision.labelling.messages import LabellingError
from webui.labelling import paths
from webui.labelling.process_group import own_group
from webui.store.upkeep.files import RESTORED

STALE = 15.0
"""Seconds after which a job that gives no sign of life is taken for ended."""
KEPT_LINES = 40
_COUNTED = re.compile(r"(\d+)/(\d+)")
_children: list[subprocess.Popen[bytes]] = []  # those of this process, so that they leave no zombies


class Command(TypedDict):
    """What a job does: ``run`` follows ``paitai``; ``makes``: what tells that it is done; ``fine``: exit statuses that
    are no failure."""

    run: list[str]
    makes: NotRequired[str]
    fine: NotRequired[list[int]]


@dataclass(frozen=True, slots=True)
class Job:
    """一項工作: its folder, ``kind`` (``prelabel``, ``queue``, ``health``, ``train``, ``compare``), its matter, when it
    began, and ``state``: ``running``, ``done``, ``stopped``, ``failed``."""

    id: str
    kind: str
    folder: Path
    about: Mapping[str, Any]
    begun: float
    state: str

    @property
    def log(self) -> list[str]:
        """The last lines that it wrote; a line that was written over counts as its last state."""
        return tail(self.folder / "log.txt", KEPT_LINES)

    @property
    def restored(self) -> bool:
        """Whether it came with a backup: it is shown, but its commands are another's and are not run here."""
        return (self.folder / RESTORED).exists()

    @property
    def counted(self) -> tuple[int, int] | None:
        """How many photos it has behind it, of how many, where it says so."""
        found = next((match for line in reversed(self.log) if (match := _COUNTED.fullmatch(line))), None)
        return (int(found[1]), int(found[2])) if found else None


def jobs_folder() -> Path:
    """Where jobs are; trainings keep their results there too."""
    return paths.data_folder() / "training"


def tail(path: Path, lines: int) -> list[str]:
    """The last lines of a text file."""
    try:
        with path.open("rb") as handle:
            handle.seek(max(0, path.stat().st_size - 60_000))
            text = handle.read().decode("utf-8", "replace")
    except OSError:
        return []
    found = [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line.rsplit("\r", 1)[-1]).strip() for line in text.split("\n")]
    return [line for line in found if line][-lines:]


def new_folder(kind: str) -> tuple[str, Path]:
    """A fresh id and its folder."""
    id_ = f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    folder = jobs_folder() / id_
    folder.mkdir(parents=True)
    return id_, folder


def begin(id_: str, kind: str, commands: Sequence[Command], about: Mapping[str, Any]) -> None:
    """Write the job down and start it.

    Args:
        id_: of the job's folder, which is there.
        kind: ``prelabel``, ``queue``, ``health``, ``train`` or ``compare``.
        commands: done one after the other.
        about: what the page shows of it.
    """
    folder = jobs_folder() / id_
    job = {"kind": kind, "commands": list(commands), "about": about, "begun": time.time()}
    try:
        paths.write_json(folder / "job.json", job)
    except OSError:  # a full disk: nothing half made stays
        shutil.rmtree(folder, ignore_errors=True)
        raise
    go_on(id_)


def go_on(id_: str) -> None:
    """Start it, or start it again where it ended; nothing where it runs. Raises LabellingError for one that came with
    a backup."""
    job = find(id_)
    if job is None or job.state == "running":
        return
    if job.restored:
        raise LabellingError("job_restored")
    for name in ("stop", "ended.json"):
        (job.folder / name).unlink(missing_ok=True)
    (job.folder / "alive").touch()
    environment = {**os.environ, "PAITAI_DATA": str(paths.data_folder())}
    command = [sys.executable, "-m", "webui.labelling.runner", str(job.folder)]
    # not in the folder of the job: an interpreter looks for modules where it is started
    _children[:] = [child for child in _children if child.poll() is None]
    _children.append(
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            **own_group(),
        )
    )


def stop(id_: str) -> None:
    """Ask it to end; what it has made so far stays."""
    found = find(id_)
    if found and found.state == "running":
        (found.folder / "stop").touch()


def find(id_: str) -> Job | None:
    """The job of that id."""
    if not re.fullmatch(r"[a-z]+-[0-9a-f-]{8,40}", id_):
        return None
    folder = jobs_folder() / id_
    said = paths.read_json(folder / "job.json")
    if not said:
        return None
    return Job(
        id_, str(said.get("kind", "")), folder, said.get("about", {}), float(said.get("begun", 0)), _state(folder)
    )


def _state(folder: Path) -> str:
    ended = paths.read_json(folder / "ended.json")
    if ended:
        return "done" if ended.get("status") == 0 else "stopped" if (folder / "stop").exists() else "failed"
    try:
        alive = time.time() - (folder / "alive").stat().st_mtime < STALE
    except OSError:
        alive = False
    return "running" if alive else "stopped"


def listed(kind: str = "", about: tuple[str, str] | None = None) -> list[Job]:
    """The jobs, newest first; of one kind, of one set."""
    folder = jobs_folder()
    names = sorted((path.parent.name for path in folder.glob("*/job.json")), key=lambda name: name.split("-", 1)[-1])
    found = [job for name in reversed(names) if (job := find(name))]
    return [job for job in found if kind in ("", job.kind) and (about is None or job.about.get(about[0]) == about[1])]
