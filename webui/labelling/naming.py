"""名稱: what class names meant in earlier imports, so that the next one from the same place need not ask again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from vision.labelling.labels import TILES
from webui.labelling import paths
from webui.web.json_body import JsonObject

NAMES_FILE = "label-names.json"
MOST_NAME_TABLES = 40
"""So many tables are kept, the newest first."""


def _file() -> Path:
    return paths.data_folder() / NAMES_FILE


def _tables() -> list[JsonObject]:
    kept = paths.read_json(_file()).get("tables")
    return [one for one in kept if _is_table(one)] if isinstance(kept, list) else []


def _is_table(one: Any) -> bool:
    names = one.get("names") if isinstance(one, dict) else None
    return isinstance(names, dict) and all(code == "" or code in TILES for code in names.values())


def remembered(source: str, names: Collection[str]) -> dict[str, str]:
    """What these names meant before: in an import that said the same source, else in one that told all of them.
    Numbers mean another tile in another list: they count only where the source is the same. "" leaves boxes out."""
    for table in _tables():
        told = table["names"]
        if source and table.get("source") == source:
            return {name: told[name] for name in names if name in told}
        if all(name in told and not name.strip().isdigit() for name in names):
            return {name: told[name] for name in names}
    return {}


def remember(source: str, codes: Mapping[str, str]) -> None:
    """Keep what a person said of the names of an import."""
    if not codes:
        return
    tables = _tables()
    before: dict[str, str] = next((one["names"] for one in tables if source and one.get("source") == source), {})
    tables = [one for one in tables if not source or one.get("source") != source]
    made = {"source": source, "names": {**before, **codes}}
    paths.write_json(_file(), {"tables": [made, *tables][:MOST_NAME_TABLES]})
