"""開戰績庫: for commands, which say where it is with ``--data``."""

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
    """The store of ``--data`` to be read: where its folder may not be written, a copy of its database elsewhere.

    The photos are read where they lie.
    """
    place = find_place(data)
    file = place.folder / DATABASE
    if not place.is_file or not file.is_file() or all(os.access(one, os.W_OK) for one in (place.folder, file)):
        return Store(place, before_upgrade=keep_backup).open()
    scratch = Path(tempfile.mkdtemp(prefix="paitai-"))
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    try:
        for one in place.folder.glob(f"{DATABASE}*"):
            if not one.name.endswith("-shm"):
                shutil.copyfile(one, scratch / one.name)
    except OSError as error:
        raise trouble(error, place) from error
    return Store(Place(f"sqlite:///{scratch / DATABASE}", place.folder), books=scratch / "books").open()
