"""開戰績庫: opens the store for commands, which name its place with ``--data``."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from webui.store.engine import trouble
from webui.store.place import DATABASE, Place, find_place
from webui.store.store import Store
from webui.store.upkeep.rotation import keep_backup


def open_store(data: str | None = None) -> Store:
    """The store of ``--data`` (see `find_place`), ready."""
    return Store(find_place(data), before_upgrade=keep_backup).open()


def open_copy(data: str | None = None) -> Store:
    """The store of ``--data`` for reading. If its folder is read-only, a copy of its database elsewhere.

    Photos are read from their own folder.
    """
    place = find_place(data)
    file = place.folder / DATABASE
    if not place.is_file or not file.is_file() or all(os.access(path, os.W_OK) for path in (place.folder, file)):
        return Store(place, before_upgrade=keep_backup).open()
    scratch = Path(tempfile.mkdtemp(prefix="paitai-"))
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    try:
        for path in place.folder.glob(f"{DATABASE}*"):
            if not path.name.endswith("-shm"):
                shutil.copyfile(path, scratch / path.name)
    except OSError as error:
        raise trouble(error, place) from error
    return Store(Place(f"sqlite:///{scratch / DATABASE}", place.folder), books=scratch / "books").open()
