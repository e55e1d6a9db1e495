"""資料集: one folder with the photos by content and one SQLite file for all other data.

``dataset.sqlite`` holds photos, labels and every earlier revision of the labels; ``photos/ab/abc….jpg`` holds the
files as they came, named by their SHA-256. A save names the revision it was made on. A save onto an older one is
refused with the changes since. Each call opens its own connection: a store may be used from any thread or process."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vision.files import part_of, put_file, put_part
from vision.labelling.changes import Change, differences
from vision.labelling.file_names import free_stem, safe_stem, suffix_of
from vision.labelling.labels import Label, LabelledPhoto, PhotoInfo
from vision.labelling.messages import LabellingError
from vision.labelling.messages.faults import system_fault
from vision.labelling.own.names import ABOUT_KEY, NameList, names_in, shown_name
from vision.labelling.phash import perceptual_hash
from vision.labelling.tables import (
    FIELDS,
    LATER_TABLES,
    SCHEMA,
    checked,
    info_from,
    insert,
    inside,
    keep_consent,
    keep_revision,
    labels_from,
    text_of,
    where,
)
from vision.photo.image import Photo, load_photo

__all__ = ["FILE", "Conflict", "DatasetStore", "labels_from", "safe_stem", "stamp"]

FILE = "dataset.sqlite"
_NO_ROOM = ("SQLITE_FULL", "SQLITE_IOERR")
_NOT_ALLOWED = ("SQLITE_READONLY", "SQLITE_CANTOPEN")
"""SQLite's errors for a full disk, and for a file that may not be written now: its content is whole."""
PHOTOS_FOLDER = "photos"
FORM_NUMBER = 1
"""Number of the tables' form, kept in the file."""
BATCH_SECONDS, TURN_SECONDS = 1.0, 0.15
"""Saves that belong together are written this often, and others then have this long: SQLite asks again every 0.1 s."""


class Conflict(LabellingError):
    """A save onto an older revision: ``current`` is the stored photo, ``changes`` are other people's changes since."""

    def __init__(self, current: LabelledPhoto, base: int, changes: tuple[Change, ...]) -> None:
        super().__init__("conflict", name=current.photo.name, base=base, now=current.photo.revision, count=len(changes))
        self.current = current
        self.changes = changes


def stamp() -> str:
    """Now, in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


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
        part = part_of(folder.with_name(f".{folder.name}"))
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            if folder.exists() and any(folder.iterdir()):
                raise LabellingError("folder_not_empty", place=str(folder))
            (part / PHOTOS_FOLDER).mkdir(parents=True)
            with contextlib.closing(sqlite3.connect(part / FILE)) as connection, connection:
                connection.executescript(f"BEGIN; {SCHEMA} {LATER_TABLES} COMMIT")  # else one wait for the disk a table
                about = {"form": str(FORM_NUMBER), "title": title or folder.resolve().name}
                connection.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()
            put_part(part, folder)  # whole under its name, or not there
        except (OSError, sqlite3.Error) as error:
            raise LabellingError("folder_unusable", place=str(folder), reason=system_fault(error)) from None
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return store

    @classmethod
    def open(cls, folder: Path) -> DatasetStore:
        """The dataset in a folder."""
        store = cls(folder)
        if not store._file.is_file():
            raise LabellingError("no_dataset", place=str(folder))
        form = store.about().get("form")
        if form != str(FORM_NUMBER):
            raise LabellingError("dataset_form", place=str(store._file), form=form, known=FORM_NUMBER)
        with store._opened() as connection:
            connection.executescript(LATER_TABLES)
        return store

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Write many saves of this thread about once a second instead of one by one, for imports and runs that can be
        repeated. Others get their turn in between."""
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            self._mine.shared, self._mine.since = connection, time.monotonic()
            try:
                yield
            finally:
                self._mine.shared = None
                connection.commit()

    @contextlib.contextmanager
    def transaction(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """One transaction on the file: all of it or nothing; within ``together``, a part of that."""
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
            if getattr(error, "sqlite_errorname", "").startswith(_NO_ROOM):
                raise LabellingError("dataset_unwritable", place=str(self._file), reason=system_fault(error)) from None
            if getattr(error, "sqlite_errorname", "").startswith(_NOT_ALLOWED):
                raise LabellingError("dataset_held", place=str(self._file), reason=system_fault(error)) from None
            raise LabellingError("dataset_damaged", place=str(self._file), reason=system_fault(error)) from None
        finally:
            connection.close()

    def about(self) -> Mapping[str, str]:
        """``title``, ``form`` and other data of the whole set."""
        with self.transaction() as connection:
            return dict(connection.execute("SELECT key, value FROM about"))

    @property
    def names(self) -> NameList:
        """The names that labels of this set may have. Raises LabellingError if the stored list is damaged."""
        return names_in(self.about().get(ABOUT_KEY, ""))

    def give_names(self, names: NameList) -> None:
        """Let labels have these names from now on. Raises LabellingError if a label has a name that they lack."""
        codes = set(names.codes)
        for photo in self:
            for label in photo.labels:
                if label.tile not in codes:
                    raise LabellingError("own_name_used", word=shown_name(label.tile), photo=photo.photo.name)
        self.describe(ABOUT_KEY, json.dumps(names.to_json(), ensure_ascii=False))

    def describe(self, key: str, value: str) -> None:
        """Set one of the texts about the whole set."""
        with self.transaction(write=True) as connection:
            connection.execute(
                "INSERT INTO about VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (key, value)
            )

    def add(self, data: bytes, name: str, **known: object) -> tuple[PhotoInfo, bool]:
        """Add a photo by its content; ``known``: ``scene``, ``source``, ``licence``, ``consent``, ``split``,
        ``hidden_backs``. The same file twice is one photo: (photo, False), nothing changed. Raises PhotoError if the
        data is not a photo."""
        id_ = hashlib.sha256(data).hexdigest()
        with self.transaction() as connection:
            row = connection.execute(f"SELECT {FIELDS} FROM photos WHERE id = ?", (id_,)).fetchone()
        if row:
            return info_from(row), False
        photo = load_photo(data)
        suffix = suffix_of(data)
        path = self._path(id_, suffix)
        if not path.exists() or path.stat().st_size != len(data):
            try:
                put_file(path, data)
            except OSError as error:
                raise LabellingError("folder_unusable", place=str(self.folder), reason=system_fault(error)) from None
        with self.transaction(write=True) as connection:
            row = connection.execute(f"SELECT {FIELDS} FROM photos WHERE id = ?", (id_,)).fetchone()
            if row:
                return info_from(row), False
            stem = free_stem(connection, safe_stem(name), id_)
            info = PhotoInfo(id_, stem + suffix, photo.size, perceptual_hash=perceptual_hash(photo.pixels))
            info = dataclasses.replace(info, **{key: checked(key, value) for key, value in known.items()})
            insert(connection, info)
        return info, True

    def photo_file(self, info: PhotoInfo) -> Path:
        """Path of the photo's file."""
        return self._path(info.id, Path(info.name).suffix)

    def load(self, info: PhotoInfo) -> Photo:
        """The decoded photo. Raises PhotoError."""
        return load_photo(self.photo_file(info))

    def _path(self, id_: str, suffix: str) -> Path:
        return self.folder / PHOTOS_FOLDER / id_[:2] / (id_ + suffix)

    def photos(
        self, *, offset: int = 0, limit: int = -1, split: str | None = None, scene: str | None = None
    ) -> list[PhotoInfo]:
        """A page of the photos, by name; ``split`` and ``scene`` choose among them ("" for photos without one)."""
        condition, values = where(split, scene)
        query = f"SELECT {FIELDS} FROM photos{condition} ORDER BY name LIMIT ? OFFSET ?"
        with self.transaction() as connection:
            return [info_from(row) for row in connection.execute(query, (*values, limit, offset))]

    def count(self, *, split: str | None = None, scene: str | None = None) -> int:
        """How many photos."""
        condition, values = where(split, scene)
        with self.transaction() as connection:
            return int(connection.execute(f"SELECT count(*) FROM photos{condition}", values).fetchone()[0])

    def __iter__(self) -> Iterator[LabelledPhoto]:
        """Every photo with its labels, by name; all of one moment."""
        with self.transaction() as connection:
            rows = connection.execute(f"SELECT {FIELDS}, labels FROM photos ORDER BY name").fetchall()
        return (LabelledPhoto(info_from(row), labels_from(row[-1])) for row in rows)

    def get(self, id_: str) -> LabelledPhoto:
        """One photo with its labels, by id or by name. Raises LabellingError."""
        with self.transaction() as connection:
            return self._get(connection, id_)

    @staticmethod
    def _get(connection: sqlite3.Connection, id_: str) -> LabelledPhoto:
        query = f"SELECT {FIELDS}, labels FROM photos WHERE id = ? OR name = ? ORDER BY id <> ?"
        row = connection.execute(query, (id_, id_, id_)).fetchone()
        if row is None:
            raise LabellingError("no_photo", name=id_)
        return LabelledPhoto(info_from(row), labels_from(row[-1]))

    def save(self, id_: str, labels: Sequence[Label], revision: int, *, empty: bool = False) -> LabelledPhoto:
        """Replace a photo's labels, made on ``revision``. Boxes are cut at the photo's edge. ``empty``: a person
        confirms that the photo has no tile (only without labels). Raises Conflict if somebody saved since,
        LabellingError for a box outside the photo; then nothing changes."""
        with self.transaction(write=True) as connection:
            current = self._get(connection, id_)
            if current.photo.revision != revision:
                base = self._at(connection, current.photo.id, revision)
                raise Conflict(current, revision, differences(base, current.labels))
            row = connection.execute("SELECT value FROM about WHERE key = ?", (ABOUT_KEY,)).fetchone()
            names_in(row[0] if row else "").check(labels)
            fresh = inside(labels, current.photo)
            empty = empty and not fresh
            if fresh == current.labels and empty == current.photo.empty:
                return current
            keep_revision(connection, current)
            unsaid = [label for label in fresh if not label.checked]
            least = min((label.confidence for label in unsaid if label.confidence is not None), default=None)
            sums: dict[str, Any] = {"revision": revision + 1, "boxes": len(fresh)}
            sums |= {"unchecked": len(unsaid), "least": least}
            partial = 0 if empty or (fresh and not unsaid) else current.photo.partial
            info = dataclasses.replace(current.photo, **sums, empty=empty, partial=partial)
            query = "UPDATE photos SET revision = ?, boxes = ?, unchecked = ?, least = ?, labels = ? WHERE id = ?"
            connection.execute(query, (*sums.values(), text_of(fresh), info.id))
            self._mark(connection, info)
            return LabelledPhoto(info, fresh)

    @staticmethod
    def _mark(connection: sqlite3.Connection, info: PhotoInfo) -> None:
        connection.execute("DELETE FROM marks WHERE photo = ?", (info.id,))
        if info.empty or info.partial:
            values = (info.id, info.revision if info.empty else None, info.partial)
            connection.execute("INSERT INTO marks VALUES (?, ?, ?)", values)

    def mark_partial(self, id_: str, missing: int) -> None:
        """Note that ``missing`` labels of an import could not be read. Until a person has checked every box of the
        photo, it neither measures nor trains."""
        with self.transaction(write=True) as connection:
            info = self._get(connection, id_).photo
            self._mark(connection, dataclasses.replace(info, partial=missing))

    def change(self, id_: str, **known: object) -> PhotoInfo:
        """Set ``scene``, ``source``, ``licence``, ``consent``, ``split`` or ``hidden_backs``; the labels keep their
        revision."""
        unknown = set(known) - {"scene", "source", "licence", "consent", "split", "hidden_backs"}
        if unknown:
            raise LabellingError("unknown_key", field=min(unknown))
        with self.transaction(write=True) as connection:
            info = self._get(connection, id_).photo
            info = dataclasses.replace(info, **{key: checked(key, value) for key, value in known.items()})
            connection.execute(
                "UPDATE photos SET scene = ?, source = ?, licence = ?, split = ?, hidden_backs = ? WHERE id = ?",
                (info.scene, info.source, info.licence, info.split, info.hidden_backs, info.id),
            )
            keep_consent(connection, info)
        return info

    def assign(self, splits: Mapping[str, str | None]) -> None:
        """Set the split of many photos by id, all or none."""
        with self.transaction(write=True) as connection:
            values = [(checked("split", split), id_) for id_, split in splits.items()]
            connection.executemany("UPDATE photos SET split = ? WHERE id = ?", values)

    def labels_at(self, id_: str, revision: int) -> tuple[Label, ...]:
        """The labels as they were at a revision. Raises LabellingError."""
        with self.transaction() as connection:
            return self._at(connection, self._get(connection, id_).photo.id, revision)

    def _at(self, connection: sqlite3.Connection, id_: str, revision: int) -> tuple[Label, ...]:
        current = self._get(connection, id_)
        if revision == current.photo.revision:
            return current.labels
        query = "SELECT labels FROM history WHERE photo = ? AND revision = ?"
        row = connection.execute(query, (id_, revision)).fetchone()
        if row is None:
            raise LabellingError("no_revision", name=current.photo.name, revision=revision, now=current.photo.revision)
        return labels_from(row[0])
