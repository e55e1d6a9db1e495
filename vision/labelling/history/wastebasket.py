"""Wastebasket: photos taken out of a dataset with their labels and revisions, until they are restored or deleted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vision.files import remove_path
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import system_fault
from vision.labelling.store import DatasetStore, stamp


@dataclass(frozen=True)
class RemovedPhoto:
    """A photo in the wastebasket: its id, its name in the set, how many boxes it has, when it was removed (UTC)."""

    id: str
    name: str
    boxes: int
    at: str


def remove_photos(store: DatasetStore, ids: Iterable[str]) -> list[str]:
    """Move photos into the wastebasket and return the ids that existed. Their files do not move."""
    moved: list[str] = []
    with store.transaction(write=True) as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        for id_ in ids:
            row = _row(connection, id_)
            if row is None:
                continue
            history = connection.execute("SELECT revision, labels FROM history WHERE photo = ?", (id_,)).fetchall()
            mark = connection.execute("SELECT empty, partial FROM marks WHERE photo = ?", (id_,)).fetchone()
            content = json.dumps({"photo": row, "history": history, "mark": mark}, ensure_ascii=False)
            connection.execute("INSERT OR REPLACE INTO removed VALUES (?, ?, ?)", (id_, stamp(), content))
            for table, column in (("history", "photo"), ("marks", "photo"), ("photos", "id")):
                connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (id_,))
            moved.append(id_)
    return moved


def _row(connection: sqlite3.Connection, id_: str) -> list[object] | None:
    row = connection.execute("SELECT * FROM photos WHERE id = ?", (id_,)).fetchone()
    return list(row) if row else None


def removed_photos(store: DatasetStore) -> list[RemovedPhoto]:
    """The photos in the wastebasket, the newest first."""
    with store.transaction() as connection:
        rows = connection.execute("SELECT id, at, content FROM removed ORDER BY at DESC, id").fetchall()
    row = []
    for id_, at, content in rows:
        photo = json.loads(content)["photo"]
        row.append(RemovedPhoto(id_, str(photo[1]), int(photo[12]), at))
    return row


def restore_photos(store: DatasetStore, ids: Iterable[str]) -> list[str]:
    """Put photos back with their labels and revisions, and return their ids. A photo that was imported again meanwhile
    stays as it is, and so does its entry in the wastebasket."""
    back: list[str] = []
    with store.transaction(write=True) as connection:
        for id_ in ids:
            found = connection.execute("SELECT content FROM removed WHERE id = ?", (id_,)).fetchone()
            if found is None or _row(connection, id_) is not None:
                continue
            content = json.loads(found[0])
            row = content["photo"]
            taken = connection.execute("SELECT 1 FROM photos WHERE stem = ?", (row[2],)).fetchone()
            if taken:  # another photo has its name now
                stem, dot, suffix = str(row[1]).rpartition(".")
                row[1], row[2] = f"{stem}~{id_[:12]}{dot}{suffix}", f"{row[2]}~{id_[:12]}"
            connection.execute(f"INSERT INTO photos VALUES ({', '.join('?' * len(row))})", row)
            connection.executemany(
                "INSERT INTO history VALUES (?, ?, ?)", [(id_, *revision) for revision in content["history"]]
            )
            if content["mark"]:
                connection.execute("INSERT INTO marks VALUES (?, ?, ?)", (id_, *content["mark"]))
            connection.execute("DELETE FROM removed WHERE id = ?", (id_,))
            back.append(id_)
    return back


def empty_wastebasket(store: DatasetStore, ids: Sequence[str] | None = None) -> int:
    """Delete photos of the wastebasket for good, with their files: all, or the given ones. Returns how many."""
    wanted = {photo.id: photo for photo in removed_photos(store)}
    chosen = [id_ for id_ in (wanted if ids is None else ids) if id_ in wanted]
    with store.transaction(write=True) as connection:
        for id_ in chosen:
            connection.execute("DELETE FROM removed WHERE id = ?", (id_,))
        there = {id_ for id_ in chosen if _row(connection, id_) is not None}
    for id_ in chosen:
        if id_ in there:
            continue  # imported again meanwhile: the file is in use
        for file in (store.folder / "photos" / id_[:2]).glob(f"{id_}.*"):
            try:
                remove_path(file)
            except OSError as error:
                raise LabellingError("folder_unusable", place=str(file), reason=system_fault(error)) from None
    return len(chosen)
