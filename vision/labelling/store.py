"""資料集: one folder with the photos by content and one SQLite file with everything known of them.

``dataset.sqlite`` holds photos, labels and every earlier revision of the labels; ``photos/ab/abc….jpg`` the files,
named by their SHA-256, as they came. A save names the revision it was made on; onto an older one it is refused with
what has changed since. Each call opens its own connection: a store may be used from any thread or process.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import re
import sqlite3
import threading
import time
import unicodedata
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vision.files import put_file
from vision.labelling.changes import Change, differences
from vision.labelling.labels import SPLITS, Label, LabelledPhoto, PhotoInfo
from vision.labelling.messages import LabellingError
from vision.labelling.phash import look_of
from vision.photo.image import Photo, load_photo

FILE = "dataset.sqlite"
PHOTOS = "photos"
FORM = 1
"""Number of the tables' form, kept in the file."""
BATCH_SECONDS, TURN_SECONDS = 1.0, 0.15
"""Saves that belong together are written this often, and others then have this long: SQLite asks again every 0.1 s."""
_TABLES = """
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
_FIELDS = (
    "id, name, width, height, scene, source, licence, split, hidden_backs, look, revision, boxes, unchecked, least"
)


class Conflict(LabellingError):
    """A save onto an older revision: ``current`` is what the store holds, ``changes`` what somebody else did since."""

    def __init__(self, current: LabelledPhoto, base: int, changes: tuple[Change, ...]) -> None:
        super().__init__("conflict", name=current.photo.name, base=base, now=current.photo.revision, count=len(changes))
        self.current = current
        self.changes = changes


class DatasetStore:
    """資料集. ``create`` makes one, ``open`` takes an existing one; both raise LabellingError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / FILE
        self._mine = threading.local()

    @classmethod
    def create(cls, folder: Path, title: str = "") -> DatasetStore:
        """A new, empty dataset in a folder that is empty or not there yet."""
        store = cls(folder)
        if store._file.exists():
            raise LabellingError("dataset_exists", place=str(folder))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise LabellingError("folder_not_empty", place=str(folder))
            (folder / PHOTOS).mkdir()
        except OSError as error:
            raise LabellingError("folder_unusable", place=str(folder), reason=error.strerror or str(error)) from None
        part = folder / f"{FILE}.part"
        with contextlib.closing(sqlite3.connect(part)) as connection, connection:
            connection.executescript(_TABLES)
            about = {"form": str(FORM), "title": title or folder.resolve().name}
            connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        os.replace(part, store._file)
        return store

    @classmethod
    def open(cls, folder: Path) -> DatasetStore:
        """The dataset in a folder."""
        store = cls(folder)
        if not store._file.is_file():
            raise LabellingError("no_dataset", place=str(folder))
        form = store.about().get("form")
        if form != str(FORM):
            raise LabellingError("dataset_form", place=str(store._file), form=form, known=FORM)
        return store

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Many saves of this thread written to the disk about once a second, not one by one: for imports and runs that
        can be begun again. Others get their turn in between."""
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            self._mine.shared, self._mine.since = connection, time.monotonic()
            try:
                yield
            finally:
                self._mine.shared = None
                connection.commit()

    @contextlib.contextmanager
    def _connect(self, write: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it or nothing."""
        shared: sqlite3.Connection | None = getattr(self._mine, "shared", None)
        if shared is None:
            with self._opened() as connection:
                connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                try:
                    yield connection
                except BaseException:
                    connection.rollback()
                    raise
                connection.commit()
            return
        shared.execute("SAVEPOINT step")
        try:
            yield shared
        except BaseException:
            shared.execute("ROLLBACK TO step")
            raise
        finally:
            shared.execute("RELEASE step")
        if time.monotonic() - self._mine.since > BATCH_SECONDS:
            shared.commit()
            time.sleep(TURN_SECONDS)
            shared.execute("BEGIN IMMEDIATE")
            self._mine.since = time.monotonic()

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._file, timeout=20, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
                raise LabellingError("dataset_busy", place=str(self._file)) from None
            raise LabellingError("dataset_damaged", place=str(self._file), reason=str(error)) from None
        finally:
            connection.close()

    def about(self) -> Mapping[str, str]:
        """``title``, ``form`` and what else stands about the whole set."""
        with self._connect() as connection:
            return dict(connection.execute("SELECT key, value FROM about"))

    def describe(self, key: str, value: str) -> None:
        """Set one of the texts about the whole set."""
        with self._connect(write=True) as connection:
            connection.execute(
                "INSERT INTO about VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (key, value)
            )

    def add(self, data: bytes, name: str, **known: Any) -> tuple[PhotoInfo, bool]:
        """Take a photo in by its content; ``known``: ``scene``, ``source``, ``licence``, ``split``, ``hidden_backs``.
        The same file twice is one photo: (photo, False), nothing changed. Raises PhotoError for what is no photo."""
        id_ = hashlib.sha256(data).hexdigest()
        with self._connect() as connection:
            row = connection.execute(f"SELECT {_FIELDS} FROM photos WHERE id = ?", (id_,)).fetchone()
        if row:
            return _info(row), False
        photo = load_photo(data)
        suffix = _suffix(data)
        path = self._path(id_, suffix)
        if not path.exists() or path.stat().st_size != len(data):
            put_file(path, data)
        with self._connect(write=True) as connection:
            row = connection.execute(f"SELECT {_FIELDS} FROM photos WHERE id = ?", (id_,)).fetchone()
            if row:
                return _info(row), False
            stem = _free_stem(connection, safe_stem(name), id_)
            info = PhotoInfo(id_, stem + suffix, photo.size, look=look_of(photo.pixels))
            info = dataclasses.replace(info, **{key: _checked(key, value) for key, value in known.items()})
            _insert(connection, info)
        return info, True

    def photo_file(self, info: PhotoInfo) -> Path:
        """Where the photo's file is."""
        return self._path(info.id, Path(info.name).suffix)

    def load(self, info: PhotoInfo) -> Photo:
        """The decoded photo. Raises PhotoError."""
        return load_photo(self.photo_file(info))

    def _path(self, id_: str, suffix: str) -> Path:
        return self.folder / PHOTOS / id_[:2] / (id_ + suffix)

    def photos(
        self, *, offset: int = 0, limit: int = -1, split: str | None = None, scene: str | None = None
    ) -> list[PhotoInfo]:
        """A page of the photos, by name; ``split`` and ``scene`` choose among them ("" for those without)."""
        where, values = _where(split, scene)
        query = f"SELECT {_FIELDS} FROM photos{where} ORDER BY name LIMIT ? OFFSET ?"
        with self._connect() as connection:
            return [_info(row) for row in connection.execute(query, (*values, limit, offset))]

    def count(self, *, split: str | None = None, scene: str | None = None) -> int:
        """How many photos."""
        where, values = _where(split, scene)
        with self._connect() as connection:
            return int(connection.execute(f"SELECT count(*) FROM photos{where}", values).fetchone()[0])

    def __iter__(self) -> Iterator[LabelledPhoto]:
        """Every photo with its labels, by name; all of one moment."""
        with self._connect() as connection:
            rows = connection.execute(f"SELECT {_FIELDS}, labels FROM photos ORDER BY name").fetchall()
        return (LabelledPhoto(_info(row), _labels(row[-1])) for row in rows)

    def get(self, id_: str) -> LabelledPhoto:
        """One photo with its labels, by id or by name. Raises LabellingError."""
        with self._connect() as connection:
            return self._get(connection, id_)

    @staticmethod
    def _get(connection: sqlite3.Connection, id_: str) -> LabelledPhoto:
        query = f"SELECT {_FIELDS}, labels FROM photos WHERE id = ? OR name = ? ORDER BY id <> ?"
        row = connection.execute(query, (id_, id_, id_)).fetchone()
        if row is None:
            raise LabellingError("no_photo", name=id_)
        return LabelledPhoto(_info(row), _labels(row[-1]))

    def save(self, id_: str, labels: Sequence[Label], revision: int) -> LabelledPhoto:
        """Replace a photo's labels, made on ``revision``. Boxes are cut at the photo's edge. Raises Conflict when
        somebody saved since, LabellingError for a box outside the photo; then nothing is changed."""
        with self._connect(write=True) as connection:
            current = self._get(connection, id_)
            if current.photo.revision != revision:
                base = self._at(connection, current.photo.id, revision)
                raise Conflict(current, revision, differences(base, current.labels))
            fresh = _inside(labels, current.photo)
            if fresh == current.labels:
                return current
            _keep(connection, current)
            unsaid = [label for label in fresh if not label.checked]
            least = min((label.confidence for label in unsaid if label.confidence is not None), default=None)
            sums: dict[str, Any] = {"revision": revision + 1, "boxes": len(fresh)}
            sums |= {"unchecked": len(unsaid), "least": least}
            info = dataclasses.replace(current.photo, **sums)
            query = "UPDATE photos SET revision = ?, boxes = ?, unchecked = ?, least = ?, labels = ? WHERE id = ?"
            connection.execute(query, (*sums.values(), _text(fresh), info.id))
            return LabelledPhoto(info, fresh)

    def change(self, id_: str, **known: Any) -> PhotoInfo:
        """Set ``scene``, ``source``, ``licence``, ``split`` or ``hidden_backs``; the labels keep their revision."""
        unknown = set(known) - {"scene", "source", "licence", "split", "hidden_backs"}
        if unknown:
            raise LabellingError("unknown_key", field=min(unknown))
        with self._connect(write=True) as connection:
            info = self._get(connection, id_).photo
            info = dataclasses.replace(info, **{key: _checked(key, value) for key, value in known.items()})
            connection.execute(
                "UPDATE photos SET scene = ?, source = ?, licence = ?, split = ?, hidden_backs = ? WHERE id = ?",
                (info.scene, info.source, info.licence, info.split, info.hidden_backs, info.id),
            )
        return info

    def assign(self, splits: Mapping[str, str | None]) -> None:
        """Set the split of many photos by id, all or none."""
        with self._connect(write=True) as connection:
            values = [(_checked("split", split), id_) for id_, split in splits.items()]
            connection.executemany("UPDATE photos SET split = ? WHERE id = ?", values)

    def labels_at(self, id_: str, revision: int) -> tuple[Label, ...]:
        """The labels as they were at a revision. Raises LabellingError."""
        with self._connect() as connection:
            return self._at(connection, self._get(connection, id_).photo.id, revision)

    def _at(self, connection: sqlite3.Connection, id_: str, revision: int) -> tuple[Label, ...]:
        current = self._get(connection, id_)
        if revision == current.photo.revision:
            return current.labels
        query = "SELECT labels FROM history WHERE photo = ? AND revision = ?"
        row = connection.execute(query, (id_, revision)).fetchone()
        if row is None:
            raise LabellingError("no_revision", name=current.photo.name, revision=revision, now=current.photo.revision)
        return _labels(row[0])


def _where(split: str | None, scene: str | None) -> tuple[str, list[str]]:
    parts = {"coalesce(split, '') = ?": split, "scene = ?": scene}
    chosen = {text: value for text, value in parts.items() if value is not None}
    return (" WHERE " + " AND ".join(chosen) if chosen else ""), list(chosen.values())


def _info(row: Sequence[Any]) -> PhotoInfo:
    id_, name, width, height, scene, source, licence, split, backs, *rest = row[:14]
    return PhotoInfo(id_, name, (width, height), scene, source, licence, split, bool(backs), *rest)


def _insert(connection: sqlite3.Connection, info: PhotoInfo) -> None:
    stem = _stem_key(Path(info.name).stem)
    values = (info.id, info.name, stem, *info.size, info.scene, info.source, info.licence, info.split)
    rest = (info.hidden_backs, info.look, info.revision, info.boxes, info.unchecked, info.least, "[]")
    connection.execute(f"INSERT INTO photos VALUES ({', '.join('?' * 16)})", (*values, *rest))


def _keep(connection: sqlite3.Connection, photo: LabelledPhoto) -> None:
    connection.execute(
        "INSERT INTO history VALUES (?, ?, ?)", (photo.photo.id, photo.photo.revision, _text(photo.labels))
    )


def _text(labels: Sequence[Label]) -> str:
    return json.dumps([label.to_json() for label in labels], ensure_ascii=False)


def _labels(text: str) -> tuple[Label, ...]:
    return tuple(Label.from_json(values) for values in json.loads(text))


def _inside(labels: Sequence[Label], photo: PhotoInfo) -> tuple[Label, ...]:
    """Cut at the edge, and named where they have no name yet."""
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


def _checked(key: str, value: Any) -> Any:
    if key == "split" and value is not None and value not in SPLITS:
        raise LabellingError("no_split", split=value, known=", ".join(SPLITS))
    if key in ("scene", "source", "licence"):
        return " ".join(str(value).split())
    return value


def _suffix(data: bytes) -> str:
    """By content: a PNG that calls itself .jpg misleads other tools."""
    if data.startswith(b"\xff\xd8"):
        return ".jpg"
    if data.startswith(b"\x89PNG"):
        return ".png"
    return ".webp" if data[8:12] == b"WEBP" else ".heic"


_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]+')
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def safe_stem(name: str) -> str:
    """The name without folder and suffix, of characters that every file system takes; at most 120 bytes."""
    stem = unicodedata.normalize("NFC", name.replace("\\", "/").rsplit("/", 1)[-1])
    if "." in stem[1:]:
        stem = stem.rsplit(".", 1)[0]
    stem = " ".join(_UNSAFE.sub("_", stem).split()).strip(". -")
    while len(stem.encode("utf-8", "replace")) > 120:
        stem = stem[:-1]
    stem = stem.encode("utf-8", "replace").decode().rstrip(". -") or "photo"
    return f"_{stem}" if _RESERVED.fullmatch(stem) else stem


def _stem_key(stem: str) -> str:
    """Names that some file system takes for one have one key."""
    return unicodedata.normalize("NFC", stem.casefold())


def _free_stem(connection: sqlite3.Connection, stem: str, id_: str) -> str:
    for length in (0, 6, 12, 64):
        wanted = f"{stem}~{id_[:length]}" if length else stem
        if connection.execute("SELECT 1 FROM photos WHERE stem = ?", (_stem_key(wanted),)).fetchone() is None:
            return wanted
    raise AssertionError("two photos with one SHA-256")
