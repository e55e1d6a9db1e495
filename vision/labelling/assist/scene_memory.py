"""場景的記憶: the tile set that remembers the tiles of a scene.

A person may name a set, which tables and other scenes use too. Until then each scene of a label set remembers its own
tiles, in the label set's folder: the first confirmed tile teaches.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from vision.labelling.store import DatasetStore
from vision.tileset.chosen import chosen_for_scene
from vision.tileset.store import TileSetStore

FOLDER = "memory"
"""The folder in a label set with the memories of its scenes."""
_DIGITS = 16


def own_memory(store: DatasetStore, scene: str) -> tuple[Path, str]:
    """Root and name of a scene's own memory, which need not exist. Scenes may have names that folders cannot have."""
    return store.folder / FOLDER, hashlib.sha256(scene.encode("utf-8")).hexdigest()[:_DIGITS]


def memory_of(sets: TileSetStore, store: DatasetStore, scene: str) -> tuple[Path, str]:
    """Root and name of the tile set that remembers a scene: the named one, else the scene's own. Names of a set's own
    stay in it: tables cannot read them.

    ``sets``: the tile sets of the data folder; ``store``: the label set.
    """
    named = "" if store.names.own else chosen_for_scene(sets, store.folder.name, scene)
    return (sets.root, named) if named else own_memory(store, scene)


def memory_in_use(sets: TileSetStore, store: DatasetStore, scene: str) -> tuple[Path, str] | None:
    """The same for reading; None if nothing of the scene is remembered yet.

    ``sets``: the tile sets of the data folder; ``store``: the label set.
    """
    root, name = memory_of(sets, store, scene)
    return (root, name) if TileSetStore(root).state(name) else None
