"""工作: background jobs: reading a set, ranking it, training, comparing. Started, stopped, resumed."""

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
_children: list[subprocess.Popen[bytes]] = []  # of this process, to be reaped


class Command(TypedDict):
    """A command of a job: ``run`` follows ``paitai``; ``makes``: exists once it is done; ``fine``: exit statuses
    that do not count as failure."""

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
        """The number of photos done and of all photos, if the log has them."""
        match_ = next((match for line in reversed(self.log) if (match := _COUNTED.fullmatch(line))), None)
        return (int(match_[1]), int(match_[2])) if match_ else None


def jobs_folder() -> Path:
    """The folder of all jobs; trainings keep their results there too."""
    return paths.data_folder() / "training"


def tail(path: Path, lines: int) -> list[str]:
    """The last lines of a text file."""
    try:
        with path.open("rb") as handle:
            handle.seek(max(0, path.stat().st_size - 60_000))
            text = handle.read().decode("utf-8", "replace")
    except OSError:
        return []
    cleaned = [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line.rsplit("\r", 1)[-1]).strip() for line in text.split("\n")]
    return [line for line in cleaned if line][-lines:]


def new_folder(kind: str) -> tuple[str, Path]:
    """A fresh id and its folder."""
    id_ = f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    folder = jobs_folder() / id_
    folder.mkdir(parents=True)
    return id_, folder


def begin(id_: str, kind: str, commands: Sequence[Command], about: Mapping[str, object]) -> None:
    """Write the job down and start it.

    Args:
        id_: of the job's folder, which exists.
        kind: ``prelabel``, ``queue``, ``health``, ``train`` or ``compare``.
        commands: run one after the other.
        about: shown on the page.
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
    """Start or resume a job; a running one goes on. Raises LabellingError for a job that came with a backup."""
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
    # not in the job's folder: an interpreter looks for modules in the folder that it starts in
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
    job = find(id_)
    if job and job.state == "running":
        (job.folder / "stop").touch()


def find(id_: str) -> Job | None:
    """The job of that id."""
    if not re.fullmatch(r"[a-z]+-[0-9a-f-]{8,40}", id_):
        return None
    folder = jobs_folder() / id_
    content = paths.read_json(folder / "job.json")
    if not content:
        return None
    return Job(
        id_,
        str(content.get("kind", "")),
        folder,
        content.get("about", {}),
        float(content.get("begun", 0)),
        _state(folder),
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
    jobs = [job for name in reversed(names) if (job := find(name))]
    return [job for job in jobs if kind in ("", job.kind) and (about is None or job.about.get(about[0]) == about[1])]
