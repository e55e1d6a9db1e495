"""What a crash left half made goes when the server starts, and nothing else."""

from __future__ import annotations

import os
import time
from pathlib import Path

from webui.store.files import put_right

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
