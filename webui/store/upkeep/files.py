"""The data folder apart from the database: the files of a backup, and the repairs at the server's start."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from vision.files import is_left, is_part
from vision.locks import locked
from webui.store.errors import StoreError
from webui.store.place import DATABASE

OWN = (
    *("photos", "keys", "books", "incoming", "logs", "unrecorded", "backups", "damaged", "tokens"),
    *("restoring.json", "serving.json", "device.json"),
)
"""Names that the file walk leaves out: a backup adds them another way (photos of records), can make them again, or
must not give them away (keys, tokens, photos without a record)."""
LEFT_OUT = ("thumbs",)
LEFT_SUFFIXES = (".part", ".lock", "-wal", "-shm", "-journal")
PRIVATE = ("photos", "keys", "books", "datasets", "models", "training", "incoming", "sets", "unrecorded", "tokens")
OWNER = "server.lock"
"""Held by the server that serves the folder."""
HALF_MADE_SECONDS = 3600.0
"""A folder for a job in which none was written down for so long was left by a crash."""
MADE = ("job.json", "work")
"""The description of a job, and the results of a training."""
RESTORED = "restored"
"""An empty file in the folder of every job that came with a backup."""
TABLES_HALF_MADE = {"photos", "dataset.sqlite.part", "dataset.sqlite.part-journal"}
"""What earlier versions left of a label set that was being made."""


def paths_of(folder: Path, *, photos: bool = True) -> Iterator[str]:
    """The files to save, as paths inside `folder` with ``/``. Links are not followed.

    `photos`: include the photos of data sets.
    """
    for root, folders, files in os.walk(folder):
        inside = Path(root).relative_to(folder)
        in_set = len(inside.parts) == 2 and inside.parts[0] == "datasets"
        left = OWN if not inside.parts else ("photos",) if in_set and not photos else ()
        folders[:] = sorted(name for name in folders if name not in (*left, *LEFT_OUT) and not name.endswith(".part"))
        for name in sorted(files):
            path = Path(root) / name
            own = not inside.parts and (name.startswith(DATABASE) or name in OWN)
            if not own and not name.endswith(LEFT_SUFFIXES) and path.is_file() and not path.is_symlink():
                yield (inside / name).as_posix()


@contextlib.contextmanager
def steady(path: Path) -> Iterator[Path]:
    """The file as of one moment. SQLite itself copies a database, so its journal is included."""
    if path.suffix != ".sqlite":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="paitai-backup-") as temporary:
        copy = Path(temporary) / path.name
        source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)
        with contextlib.closing(source), contextlib.closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        yield copy


@contextlib.contextmanager
def owned(folder: Path) -> Iterator[None]:
    """Be the only server, restore or rescue of a data folder. Raises StoreError if another one is running.

    A folder without a lock (full disk, read-only) can still be read.
    """
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(locked(folder / OWNER, 0))
        except TimeoutError:
            raise StoreError("owned", place=str(folder)) from None
        except OSError:
            pass
        yield


def put_right(folder: Path) -> None:
    """At the server's start: remove half-written files, and restrict the folder to its owner."""
    for part in _parts(folder):
        with contextlib.suppress(OSError):
            if is_left(part):
                shutil.rmtree(part) if part.is_dir() else part.unlink()
    for half_made in _half_made(folder):
        with contextlib.suppress(OSError):
            if time.time() - half_made.stat().st_mtime > HALF_MADE_SECONDS:
                shutil.rmtree(half_made)
    for place in (folder, *(folder / name for name in PRIVATE)):
        if place != folder and place.is_dir() and not place.is_symlink():
            with contextlib.suppress(OSError):
                place.chmod(0o700)
    for path in folder.glob(f"{DATABASE}*"):
        with contextlib.suppress(OSError):
            path.chmod(0o600)


def _parts(folder: Path) -> Iterator[Path]:
    """Every part file in the store's own folders, and the named ones elsewhere. Links are not followed."""
    yield from filter(is_part, folder.glob("*.part"))
    for place in PRIVATE:
        for root, folders, files in os.walk(folder / place):
            yield from (Path(root) / name for name in (*folders, *files) if name.endswith(".part"))
            folders[:] = [name for name in folders if not name.endswith(".part")]


def _half_made(folder: Path) -> Iterator[Path]:
    """Folders of jobs in which none was written down, and of label sets (of earlier versions) without their tables."""
    for job in (folder / "training").glob("*-*"):
        if not any((job / name).exists() for name in MADE):
            yield job
    for label_set in (folder / "datasets").glob("[!.]*"):
        inside = {path.name for path in label_set.iterdir()} if label_set.is_dir() else {"a file"}
        if inside <= TABLES_HALF_MADE and not any((label_set / "photos").glob("*")):
            yield label_set
