"""名稱: what class names meant in earlier imports, so that the next one from the same place need not ask again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from vision.labelling.labels import TILES
from vision.labelling.own.names import NameList
from vision.messages import OWN
from webui.labelling import paths
from webui.web.json_body import JsonObject

NAMES_FILE = "label-names.json"
MOST_NAME_TABLES = 40
"""The most tables remembered, the newest first."""


def _file() -> Path:
    return paths.data_folder() / NAMES_FILE


def _tables() -> list[JsonObject]:
    tables = paths.read_json(_file()).get("tables")
    return [table for table in tables if _is_table(table)] if isinstance(tables, list) else []


def _is_table(table: object) -> bool:
    names = table.get("names") if isinstance(table, dict) else None
    return isinstance(names, dict) and all(
        code == "" or code in TILES or code.startswith(OWN) for code in names.values()
    )


def remembered(source: str, names: Collection[str], listed: NameList) -> dict[str, str]:
    """The earlier meaning of these names: from an import of the same source, else from one that had all of them.
    Numbers mean another tile in another list, so they count only for the same source. "" leaves boxes out. Only what
    the set's own list has counts.

    `source`: of the import; `names`: of its classes; `listed`: the names of the set.
    """
    codes = {"", *listed.codes}
    return {name: code for name, code in _remembered(source, names).items() if code in codes}


def _remembered(source: str, names: Collection[str]) -> dict[str, str]:
    for table in _tables():
        told = table["names"]
        if source and table.get("source") == source:
            return {name: told[name] for name in names if name in told}
        if all(name in told and not name.strip().isdigit() for name in names):
            return {name: told[name] for name in names}
    return {}


def remember(source: str, codes: Mapping[str, str]) -> None:
    """Remember a person's answers for the names of an import."""
    if not codes:
        return
    tables = _tables()
    before: dict[str, str] = next((table["names"] for table in tables if source and table.get("source") == source), {})
    tables = [table for table in tables if not source or table.get("source") != source]
    latest = {"source": source, "names": {**before, **codes}}
    paths.write_json(_file(), {"tables": [latest, *tables][:MOST_NAME_TABLES]})
