"""選用的牌組: the tile set of a running table, of hands without a table, and of a scene that is labelled.

Stored in ``sets/chosen.json`` in the data folder, next to the sets and not in the records: it decides how photos are
read from now on, and does not concern settled hands.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from pathlib import Path

from vision.files import put_file
from vision.locks import locked
from vision.tileset.store import TileSetStore

FILE, LOCK = "chosen.json", "chosen.lock"
NO_TABLE = ""
"""Key of the choice without a running game."""
MOST_TABLES = 500
_writing = threading.Lock()


def choices(store: TileSetStore) -> dict[str, str]:
    """The name of the chosen set by the id of the game; empty for a damaged file."""
    path: Path = store.root / FILE
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        logging.getLogger("paitai.vision").warning("%s: %s", path, error)
        return {}
    return {str(key): str(name) for key, name in raw.items()} if isinstance(raw, dict) else {}


def chosen(store: TileSetStore, game: str = NO_TABLE) -> str:
    """The set of a running game, or the general choice if it has none; empty: none, or it was removed."""
    held = choices(store)
    name = held.get(game, held.get(NO_TABLE, ""))
    return name if name in store.names() else ""


def scene_key(labels: str, scene: str) -> str:
    """Key of the choice that holds for the photos of a ``scene`` in the label set ``labels``."""
    return f"label/{labels}/{scene}"


def chosen_for_scene(store: TileSetStore, labels: str, scene: str) -> str:
    """The set that a person named for a scene; empty if none was named or it was removed. It is never guessed."""
    name = choices(store).get(scene_key(labels, scene), "")
    return name if name in store.names() else ""


def choose(store: TileSetStore, name: str, game: str = NO_TABLE) -> None:
    """Use a set (empty: none) in a game, or for a scene (:func:`scene_key`), from the next photo on. Raises OSError."""
    with _writing, locked(store.root / LOCK):
        held: Mapping[str, str] = {**{key: one for key, one in choices(store).items() if key != game}, game: name}
        latest = dict(list(held.items())[-MOST_TABLES:])
        put_file(store.root / FILE, json.dumps(latest, ensure_ascii=False, indent=1).encode("utf-8"))
