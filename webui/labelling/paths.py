"""工作台: its paths in the data folder, its settings, and who may use it."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from flask import abort, current_app, g, has_request_context

from vision.files import put_file, replace_path
from vision.labelling.store import FILE, DatasetStore, safe_stem
from vision.names import name_key
from webui.store.place import find_place
from webui.web.json_body import JsonObject
from webui.web.security import is_local

SETTINGS_FILE = "labelling.json"
REMOVED = ".removed"
TAKEN = ("models", "new", "settings", "me")
"""Words that addresses use in the place of a set's name."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``phones``: paired phones may come to the workbench; ``records``: settled hands may be taken in, as the players
    agreed; ``people``: more than one person labels. All off until somebody turns them on."""

    phones: bool = False
    records: bool = False
    people: bool = False


def data_folder() -> Path:
    """The folder of the records; the workbench's folders are in it too."""
    return find_place(current_app.config["DATA"]).folder


def datasets_folder() -> Path:
    """The folder with one folder for each data set."""
    return data_folder() / "datasets"


def load_settings() -> Settings:
    """As they were kept; what cannot be read is off."""
    try:
        stored = json.loads((data_folder() / SETTINGS_FILE).read_text(encoding="utf-8"))
        return Settings(**{field.name: stored.get(field.name) is True for field in fields(Settings)})
    except (OSError, ValueError, AttributeError):
        return Settings()


def save_settings(**changed: bool) -> None:
    """Keep them."""
    write_json(data_folder() / SETTINGS_FILE, asdict(replace(load_settings(), **changed)))


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """In one step, so that no reader ever sees half of it."""
    put_file(path, json.dumps(value, ensure_ascii=False).encode())


def read_json(path: Path) -> JsonObject:
    """The content of a JSON file; empty if it is missing or damaged."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def is_open() -> bool:
    """Whether this client may use the workbench: this computer always, phones if the setting allows them."""
    if not has_request_context():
        return False
    if "label_open" not in g:
        g.label_open = is_local() or load_settings().phones
    return bool(g.label_open)


def takes_table_photos() -> bool:
    """Whether photos of the table may be taken in, by the one who asks."""
    return is_open() and load_settings().records


def names() -> list[str]:
    """The data sets, by the names of their folders."""
    folder = datasets_folder()
    names = [path.parent.name for path in folder.glob(f"*/{FILE}")] if folder.is_dir() else []
    return sorted(name for name in names if not name.endswith(".part"))


def open_set(name: str) -> DatasetStore:
    """Open the data set of that name; 404 if it is missing. Raises LabellingError if it cannot be read."""
    folder = datasets_folder() / name
    if name != safe_stem(name) or not (folder / FILE).is_file():
        abort(404)
    return DatasetStore.open(folder)


def folder_name(title: str) -> str:
    """A folder's name for a title that a person typed, not taken yet."""
    wanted = re.sub(r"[\s.%#?&]+", "-", safe_stem(title.replace(".", "-"))).strip("-") or "set"
    free_name, number = wanted, 1
    folder = datasets_folder()
    taken = {name_key(path.name) for path in folder.iterdir()} if folder.is_dir() else set()
    taken |= {name_key(word) for word in TAKEN}
    while name_key(free_name) in taken:
        number += 1
        free_name = f"{wanted}-{number}"
    return free_name


def removed_folder() -> Path:
    """The folder of removed sets."""
    return datasets_folder() / REMOVED


def removed_sets() -> list[str]:
    """The removed sets, by the names of their folders: the set's own, and when it was removed."""
    folder = removed_folder()
    return sorted(path.parent.name for path in folder.glob(f"*/{FILE}")) if folder.is_dir() else []


def remove_set(name: str) -> None:
    """Move a set out of sight; nothing of it is deleted."""
    target = removed_folder() / f"{name}~{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    target.parent.mkdir(parents=True, exist_ok=True)
    replace_path(datasets_folder() / name, target)


def _removed(name: str) -> Path:
    if name not in removed_sets():
        abort(404)
    return removed_folder() / name


def restore_set(name: str) -> str:
    """Restore a removed set, under its old name if that is free; returns its name."""
    place = _removed(name)
    free = folder_name(name.rpartition("~")[0])
    replace_path(place, datasets_folder() / free)
    return free


def delete_set(name: str) -> None:
    """Delete a removed set for good."""
    shutil.rmtree(_removed(name), ignore_errors=True)
