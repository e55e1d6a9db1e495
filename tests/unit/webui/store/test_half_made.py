"""Unfinished files of a crash are removed when the server starts, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from vision.files import part_of
from vision.labelling.store import DatasetStore
from webui.store.upkeep.files import put_right

DAYS = 2 * 86400


def aged(path: Path, seconds: float) -> None:
    os.utime(path, (time.time() - seconds,) * 2)


def test_half_made_jobs_and_parts_go(tmp_path: Path) -> None:
    kept = ["training/train-1/job.json", "training/train-2/work/models/manifest.json", "training/fresh-3/recipe.toml"]
    gone = ["training/train-4/recipe.toml", "training/compare-5/list.json", "photos/ab/x.jpg.1.part"]
    for name in (*kept, *gone):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "training" / "train-6").mkdir()
    for name in ("train-1", "train-2", "train-4", "compare-5", "train-6"):
        aged(tmp_path / "training" / name, DAYS)
    aged(tmp_path / "photos/ab/x.jpg.1.part", DAYS)
    put_right(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == set(kept)
    assert sorted(path.name for path in (tmp_path / "training").iterdir()) == ["fresh-3", "train-1", "train-2"]


KILLED = """
import os, pathlib, signal, sqlite3, sys
import vision.files, vision.labelling.store as store

def stop(*_):
    os.kill(os.getpid(), signal.SIGKILL)

folder = pathlib.Path(sys.argv[1])
if sys.argv[2] == "set":
    store.put_part = stop
    store.DatasetStore.create(folder / "datasets" / "evening")
vision.files.os.replace = stop
vision.files.put_file(folder / sys.argv[2], b"x")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot be asked whether a process lives without harm")
@pytest.mark.parametrize("what", ["set", "photos/ab/abc.jpg", "sets/red/set.json", "labelling.json"])
def test_what_a_kill_left_goes_at_the_next_start(what: str, tmp_path: Path) -> None:
    """Not a day later: the part names the process that was writing it. One that is being written stays."""
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), what], check=False)
    assert list(tmp_path.rglob("*.part"))
    writing = part_of(tmp_path / "settings.json")
    of_another_program = tmp_path / "film.part"
    for path in (writing, of_another_program):
        path.write_text("x")
    aged(of_another_program, DAYS)
    put_right(tmp_path)
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == {writing, of_another_program}
    (tmp_path / "datasets" / "old" / "photos").mkdir(parents=True)  # as earlier versions left one
    aged(tmp_path / "datasets" / "old", DAYS)
    put_right(tmp_path)
    assert not (tmp_path / "datasets" / "old").exists()
    assert DatasetStore.create(tmp_path / "datasets" / "evening").count() == 0
