"""The packages with some files added or changed, for tests that do a contributor's work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]


def changed_copy(folder: Path, files: Mapping[str, str]) -> Path:
    """Fill `folder` with links to the project, and with `files` (path -> whole text) in place of the originals.

    A package with a change becomes a real folder of linked files; the rest is linked directly. What Python has compiled
    is linked too, so that a process need not compile a whole package anew for a change of one module.
    """
    changed = {Path(path).parts[0] for path in files}
    for entry in ROOT.iterdir():
        if entry.name in changed and entry.is_dir():
            _link_files(entry, folder / entry.name, {Path(path).with_suffix("") for path in files})
        elif not entry.name.startswith("."):
            (folder / entry.name).symlink_to(entry)
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def _link_files(original: Path, place: Path, changed: Collection[Path]) -> None:
    """Link every file under a folder, except what was compiled of changed modules (paths in the project, without
    ``.py``)."""
    for inside, _, names in os.walk(original):
        there = Path(inside)
        here = place / there.relative_to(original)
        here.mkdir(parents=True)
        compiled = there.name == "__pycache__"
        for name in names:
            if not (compiled and there.parent.relative_to(ROOT) / name.partition(".")[0] in changed):
                (here / name).symlink_to(there / name)


def edited(path: str, *changes: tuple[str, str]) -> dict[str, str]:
    """A file of the project with texts replaced, each of which must stand in it once; for `changed_copy`."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for before, after in changes:
        assert text.count(before) == 1, f"{path}: {before!r} stands there {text.count(before)} times"
        text = text.replace(before, after)
    return {path: text}


def run_in(copy: Path, *arguments: str, status: int = 0) -> str:
    """Python's output with these arguments and the packages of the copy."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout
