"""The SQLite tables of a dataset, and how their rows become photos and labels."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vision.labelling.labels import SPLITS, Label, LabelledPhoto, PhotoInfo
from vision.labelling.messages import LabellingError
from vision.names import name_key

SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE photos (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, stem TEXT NOT NULL UNIQUE, width INTEGER NOT NULL, height INTEGER NOT NULL,
    scene TEXT NOT NULL, source TEXT NOT NULL, licence TEXT NOT NULL, split TEXT, hidden_backs INTEGER NOT NULL,
    look TEXT NOT NULL, revision INTEGER NOT NULL, boxes INTEGER NOT NULL, unchecked INTEGER NOT NULL, least REAL,
    labels TEXT NOT NULL);
CREATE TABLE history (
    photo TEXT NOT NULL REFERENCES photos(id), revision INTEGER NOT NULL, labels TEXT NOT NULL,
    PRIMARY KEY (photo, revision));
CREATE INDEX photos_by_name ON photos (name);
"""
LATER_TABLES = """
CREATE TABLE IF NOT EXISTS marks (photo TEXT PRIMARY KEY, empty INTEGER, partial INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS operations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL,
    changes TEXT NOT NULL, undone TEXT);
CREATE TABLE IF NOT EXISTS removed (id TEXT PRIMARY KEY, at TEXT NOT NULL, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS dismissed (finding TEXT PRIMARY KEY, how TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS consents (photo TEXT PRIMARY KEY, said TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS saves (
    photo TEXT NOT NULL, revision INTEGER NOT NULL, who TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (photo, revision));
CREATE TABLE IF NOT EXISTS handed (photo TEXT PRIMARY KEY, who TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS reviews (
    photo TEXT NOT NULL, who TEXT NOT NULL, other TEXT NOT NULL, revision INTEGER NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (photo, who));
CREATE TABLE IF NOT EXISTS passed (photo TEXT PRIMARY KEY, tile REAL NOT NULL, flower REAL NOT NULL);
"""
"""Tables added after form 1: older files get them when opened, older programs ignore them.

``marks.empty`` is the revision at which a person confirmed that the photo has no tile (a later save voids it).
``marks.partial`` is the number of unread labels of an import. ``passed`` is the threshold of confidence under which a
photo was confirmed."""
FIELDS = (
    "id, name, width, height, scene, source, licence, split, hidden_backs, look, revision, boxes, unchecked, least, "
    "EXISTS (SELECT 1 FROM marks WHERE photo = photos.id AND empty = photos.revision), "
    "coalesce((SELECT partial FROM marks WHERE photo = photos.id), 0), "
    "coalesce((SELECT said FROM consents WHERE photo = photos.id), '')"
)
"""What info_from makes a photo of."""
COLUMN_COUNT = 17


def where(split: str | None, scene: str | None) -> tuple[str, list[str]]:
    parts = {"coalesce(split, '') = ?": split, "scene = ?": scene}
    chosen = {text: value for text, value in parts.items() if value is not None}
    return (" WHERE " + " AND ".join(chosen) if chosen else ""), list(chosen.values())


def info_from(row: Sequence[Any]) -> PhotoInfo:
    id_, name, width, height, scene, source, licence, split, *rest = row[:COLUMN_COUNT]
    backs, hashed, revision, boxes, unchecked, least, empty, partial, consent = rest
    about = PhotoInfo(id_, name, (width, height), scene, source, licence, split, bool(backs), hashed)
    sums = {"revision": revision, "boxes": boxes, "unchecked": unchecked, "least": least}
    return dataclasses.replace(about, **sums, empty=bool(empty), partial=partial, consent=consent)


def insert(connection: sqlite3.Connection, info: PhotoInfo) -> None:
    stem = name_key(Path(info.name).stem)
    values = (info.id, info.name, stem, *info.size, info.scene, info.source, info.licence, info.split)
    rest = (info.hidden_backs, info.perceptual_hash, info.revision, info.boxes, info.unchecked, info.least, "[]")
    connection.execute(f"INSERT INTO photos VALUES ({', '.join('?' * 16)})", (*values, *rest))
    keep_consent(connection, info)


def keep_consent(connection: sqlite3.Connection, info: PhotoInfo) -> None:
    connection.execute("DELETE FROM consents WHERE photo = ?", (info.id,))
    if info.consent:
        connection.execute("INSERT INTO consents VALUES (?, ?)", (info.id, info.consent))


def keep_revision(connection: sqlite3.Connection, photo: LabelledPhoto) -> None:
    connection.execute(
        "INSERT INTO history VALUES (?, ?, ?)", (photo.photo.id, photo.photo.revision, text_of(photo.labels))
    )


def text_of(labels: Sequence[Label]) -> str:
    return json.dumps([label.to_json() for label in labels], ensure_ascii=False)


def labels_from(text: str) -> tuple[Label, ...]:
    return tuple(Label.from_json(values) for values in json.loads(text))


def inside(labels: Sequence[Label], photo: PhotoInfo) -> tuple[Label, ...]:
    """Labels cut at the edge; new ones get an id."""
    fresh: list[Label] = []
    used: set[str] = set()
    for label in labels:
        box = label.box.clipped(*photo.size)
        if box is None:
            raise LabellingError("label_outside", name=photo.name, tile=label.tile, box=_numbers(label))
        id_ = label.id if label.id and label.id not in used else uuid.uuid4().hex[:12]
        used.add(id_)
        fresh.append(dataclasses.replace(label, box=box, id=id_))
    return tuple(fresh)


def _numbers(label: Label) -> str:
    return " ".join(f"{value:g}" for value in label.box.outline)


def checked(key: str, value: object) -> Any:
    if key == "split" and value is not None and value not in SPLITS:
        raise LabellingError("no_split", split=value, known=", ".join(SPLITS))
    if key in ("scene", "source", "licence", "consent"):
        return " ".join(str(value).split())
    return value
