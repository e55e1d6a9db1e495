"""救回: copies every readable entry of a damaged database into a new one, and names the missing ones.

Takes an entry only if its hash matches, so damaged entries are never taken. The damaged files are moved aside, never
deleted.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scoring.rulebook.loading import BOOK_IDS
from vision.files import part_of, replace_path, sync_folder
from webui.store import books
from webui.store.chain import KINDS, Entry, is_intact
from webui.store.engine import open_engine
from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.texts import unpack
from webui.store.upkeep.files import owned
from webui.store.upkeep.pages import Row, rows_of

ASIDE = "damaged"
"""Folder for the damaged files, inside the data folder."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A lost entry: its number, and its kind, time and id if they could be read."""

    seq: int
    kind: str = ""
    at: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Rescued:
    """How many entries were saved, which are missing, and the folder of the damaged files."""

    entries: int
    missing: tuple[Missing, ...]
    aside: Path


def rescue(place: Place) -> Rescued | None:
    """Replace a damaged database with a new one of all readable entries; None if it is not damaged.

    Raises StoreError if a server is running, if nothing could be saved, and for PostgreSQL.
    """
    if not place.is_file:
        raise StoreError("rescue_postgres", place=place.shown())
    file = place.folder / DATABASE
    with owned(place.folder):
        try:
            if not file.is_file() or not _damaged(place):
                return None
            entries, missing = readable(file, place.folder / "books")
            if not entries:
                raise StoreError("nothing_rescued", place=place.shown())
            aside = place.folder / ASIDE / time.strftime("%Y%m%d-%H%M%S")
            _put_in_place(place, entries, aside)
        except OSError as error:
            raise StoreError("unavailable", place=place.shown(), reason=error.strerror or error) from error
    return Rescued(len(entries), tuple(missing), aside)


def _damaged(place: Place) -> bool:
    store = Store(place)
    try:
        return bool(store.check())
    except StoreError as error:
        if error.key == "damaged":
            return True
        raise
    finally:
        store.close()


def readable(file: Path, kept_books: Path) -> tuple[list[Entry], list[Missing]]:
    """Every entry of a database file whose hash holds, oldest first, and the gaps between them. Raises OSError."""
    rows = list(rows_of(file))
    texts = _texts(rows, kept_books)
    by_number: dict[int, Entry] = {}
    seen: dict[int, Missing] = {}
    for row in rows:
        if len(row.values) != 8 or row.number < 1:
            continue
        _, id_, kind, at, about, stored, previous, hash_ = row.values
        if kind not in KINDS:
            continue
        seen.setdefault(row.number, Missing(row.number, *(str(value or "") for value in (kind, at, id_))))
        parts = (id_, kind, at, stored, previous, hash_)
        if row.whole and all(isinstance(part, str) for part in parts) and isinstance(about, str | None):
            text = unpack(str(stored), texts.get)
            entry = Entry(row.number, str(id_), str(kind), str(at), about, text, str(previous), str(hash_))
            if is_intact(entry):
                by_number[entry.seq] = entry
    last = max((*by_number, *(seq for seq in seen if seq <= max(by_number, default=0) + len(seen))), default=0)
    missing = [seen.get(seq, Missing(seq)) for seq in range(1, last + 1) if seq not in by_number]
    return [by_number[seq] for seq in sorted(by_number)], missing


def _texts(rows: Iterable[Row], kept_books: Path) -> dict[str, str]:
    """Shared texts by hash: from the database, from their copies in the data folder, and from the
    program's books."""
    candidates = [str(row.values[1]) for row in rows if len(row.values) == 2 and row.whole]
    candidates += [books.text_of(book) for book in BOOK_IDS]
    candidates += [path.read_text(encoding="utf-8", errors="replace") for path in kept_books.glob("*.toml")]
    return {hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(): text for text in candidates}


def _put_in_place(place: Place, entries: list[Entry], aside: Path) -> None:
    part = part_of(place.folder / "rescue")
    try:
        new = Place(f"sqlite:///{part / DATABASE}", part)
        store = Store(new, books=place.folder / "books", engine=open_engine(new, references=False))
        with contextlib.closing(store):  # also if it fails: a folder with an open file cannot be removed everywhere
            with store.writing() as writer:  # an entry may be about one that is lost
                for entry in entries:
                    writer.take(entry)
            with store.engine.connect() as connection:
                connection.connection.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[union-attr]
        aside.mkdir(mode=0o700, parents=True)
        for path in sorted(place.folder.glob(f"{DATABASE}*"), reverse=True):
            replace_path(path, aside / path.name)
        replace_path(part / DATABASE, place.folder / DATABASE)
        sync_folder(place.folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
