"""輪替的備份: made automatically at an evening's end and before every migration; the newest few are kept.

Backups in the data folder hold records only, because their photos are there anyway. Backups in the second place
(another disk, a memory stick) hold everything.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from vision.files import put_file, remove_path
from webui.store.errors import StoreError
from webui.store.store import Store, utc_now
from webui.store.upkeep.backup import backup

FOLDER, STATUS = "backups", "last.json"
NAME, NAMES = "paitai-%Y%m%d-%H%M%S.zip", "paitai-????????-??????.zip"
KEPT = 7
"""The number of backups in each place."""
VARIABLE = "PAITAI_BACKUPS"
"""Names the second place if the command does not."""
_making = threading.Lock()


@dataclass(frozen=True, slots=True)
class LastBackup:
    """When the last one was made (UTC), and what went wrong: the key of a sentence with its values, or nothing."""

    at: str
    error: str = ""
    values: tuple[tuple[str, str], ...] = ()


def second_place(named: Path | None) -> Path | None:
    """The folder that the command names, else that of PAITAI_BACKUPS, else none."""
    folder = named or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    return folder.expanduser().absolute() if folder else None


def keep_backup(store: Store) -> None:
    """Make one in each place and let the oldest go. Raises StoreError; what went wrong is kept to be shown."""
    with _making:
        error: StoreError | None = None
        try:
            _keep(store, store.place.folder / FOLDER, everything=False)
            if store.second_place is not None:
                _keep(store, store.second_place, everything=True)
        except StoreError as problem:
            error = problem
        except OSError as problem:
            place = store.second_place or store.place.folder
            error = StoreError("backup_failed", file=str(place), reason=problem.strerror or problem)
        status = {"at": utc_now(), "error": error.key if error else ""}
        status |= {"values": {key: str(value) for key, value in error.values.items()} if error else {}}  # type: ignore[dict-item]
        with contextlib.suppress(OSError):
            put_file(store.place.folder / FOLDER / STATUS, json.dumps(status).encode())
        if error:
            raise error


def keep_records(store: Store) -> None:
    """Make a backup of the records in the data folder, before something is merged into them. Raises StoreError."""
    with store.reading() as view:
        if view.head() is None:
            return
    try:
        with _making:
            _keep(store, store.place.folder / FOLDER, everything=False)
    except OSError as problem:
        raise StoreError("backup_failed", file=str(store.place.folder), reason=problem.strerror or problem) from problem


def keep_backup_beside(store: Store) -> None:
    """Same in the background, so that the answer does not wait."""

    def work() -> None:
        try:
            keep_backup(store)
        except StoreError as error:
            logging.getLogger("paitai.webui").warning("no backup: %s", error)

    with contextlib.suppress(RuntimeError):  # a browser's Python has no threads; its owner is offered a file instead
        threading.Thread(target=work, name="backup", daemon=True).start()


def last_backup(store: Store) -> LastBackup | None:
    """The outcome of the last backup; None if there was none."""
    try:
        status = json.loads((store.place.folder / FOLDER / STATUS).read_text(encoding="utf-8"))
        return LastBackup(
            str(status["at"]), str(status["error"]), tuple((str(k), str(v)) for k, v in status["values"].items())
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def failed_backup(store: Store) -> LastBackup | None:
    """The last backup if it failed; None if it succeeded or there was none."""
    last = last_backup(store)
    return last if last and last.error else None


def _keep(store: Store, folder: Path, *, everything: bool) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    there = sorted(folder.glob(NAMES))
    target = folder / _next_name(there[-1].name if there else "")
    if not target.exists():
        backup(store, target, photos=everything, files=everything)
    for old in sorted(folder.glob(NAMES))[:-KEPT]:
        remove_path(old)


def _next_name(last: str) -> str:
    """The name of a backup made now, never before the last one's: with a clock that went back the new one stays.

    >>> _next_name("paitai-20990101-235959.zip")
    'paitai-20990102-000000.zip'
    """
    name = time.strftime(NAME)
    if name >= last:
        return name
    with contextlib.suppress(ValueError, OverflowError):
        return (datetime.strptime(last, NAME) + timedelta(seconds=1)).strftime(NAME)
    return name
