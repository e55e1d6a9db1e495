"""戰績庫: the records of one place. Entries are never changed, only followed by more."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Select, bindparam, func, select
from sqlalchemy.exc import SQLAlchemyError

from vision.files import put_file
from webui.store import engine as database
from webui.store.chain import START, Entry, Parsed, canonical, hash_of, is_intact, marks_of
from webui.store.contents.search import PAGE_RECORDS, Found, Query
from webui.store.contents.typed import clean, utc_now
from webui.store.device import HERE, Device, device_of, program_version, said_by
from webui.store.errors import StoreError
from webui.store.photos import Photos
from webui.store.place import Place
from webui.store.tables import entries, marks, texts
from webui.store.texts import pack, unpack

NAMED_ENTRIES = 8  # damaged entries that are named
SAVERS = 12  # may wait to save; the next one is asked to come again, so that threads remain free for pages

# The questions that pages ask most, put together once, which takes longer than the answer of SQLite.
EVERY = select(entries).order_by(entries.c.seq)
NEWEST_FIRST = select(entries).order_by(entries.c.seq.desc())
HEAD = NEWEST_FIRST.limit(1)
OF_ID = select(entries).where(entries.c.id == bindparam("id"))
ABOUT = EVERY.where(entries.c.about.in_(bindparam("ids", expanding=True)))
OF_KIND = NEWEST_FIRST.where(entries.c.kind == bindparam("kind"))
OF_KINDS = NEWEST_FIRST.where(entries.c.kind.in_(bindparam("kinds", expanding=True)))
NEWEST_GAME = NEWEST_FIRST.where(
    entries.c.kind == "game", entries.c.id.not_in(select(marks.c.value).where(marks.c.kind == "merged"))
).limit(1)


class View:
    """The entries as of one moment."""

    def __init__(self, connection: Connection, parsed: Parsed | None = None) -> None:
        self._connection = connection
        self._parsed = parsed or Parsed()

    def _entries(self, wanted: Select[Any], **values: object) -> Iterator[Entry]:
        for row in self._connection.execute(wanted, values):
            yield self._entry(*row)

    def _entry(self, *row: Any) -> Entry:
        seq, id_, kind, at, about, stored, previous, hash_ = row
        return Entry(seq, id_, kind, at, about, unpack(stored, self._text), previous, hash_)

    def _text(self, sha256: str) -> str | None:
        """A shared text; None if it is missing."""
        known = self._parsed.texts
        if sha256 not in known:
            text = self._connection.execute(select(texts.c.text).where(texts.c.sha256 == sha256)).scalar()
            if text is None:
                return None
            known[sha256] = text
        return known[sha256]

    def entry(self, id_: str, kind: str | None = None) -> Entry | None:
        """The entry of that id (and kind), or None."""
        if not re.fullmatch(r"[\w-]{1,32}", id_, re.ASCII):
            return None
        wanted = OF_ID.where(entries.c.kind == kind) if kind else OF_ID
        return next(self._entries(wanted, id=id_), None)

    def at(self, seq: int) -> Entry | None:
        """The entry with that number, or None."""
        return next(self._entries(select(entries).where(entries.c.seq == seq)), None)

    def about(self, *ids: str) -> list[Entry]:
        """The entries about these entries, oldest first."""
        return [self._parsed.same(entry) for entry in self._entries(ABOUT, ids=ids)]

    def about_each(self, ids: Sequence[str]) -> dict[str, list[Entry]]:
        """The entries about each of these, oldest first. For very many: they are not cached."""
        replies = dict[str, list[Entry]]({id_: [] for id_ in ids})
        for entry in self._entries(ABOUT, ids=ids):
            replies[str(entry.about)].append(entry)
        return replies

    def these(self, ids: Sequence[str]) -> dict[str, Entry]:
        """The entries of these ids that there are."""
        return {entry.id: entry for entry in self._entries(select(entries).where(entries.c.id.in_(ids)))}

    def moments(self, kind: str, *marked: tuple[str, Sequence[str]]) -> dict[str, tuple[int, str]]:
        """Number and time by id of the entries of one kind, unread; `marked`: kinds and values of their marks."""
        wanted = select(entries.c.id, entries.c.seq, entries.c.at).where(entries.c.kind == kind)
        for of, values in marked:
            having = select(marks.c.seq).where(marks.c.kind == of, marks.c.value.in_(values))
            wanted = wanted.where(entries.c.seq.in_(having))
        return {id_: (seq, at) for id_, seq, at in self._connection.execute(wanted)}

    def of_kind(self, kind: str, most: int | None = None, *, readable: bool = True) -> list[Entry]:
        """The entries of one kind, newest first. `readable`: leave out entries that this version cannot read."""
        if not readable:
            return list(self._entries(OF_KIND.limit(most), kind=kind))
        return list(islice((entry for entry in self._entries(OF_KIND, kind=kind) if entry.fault is None), most))

    def of_kinds(self, *kinds: str) -> dict[str, list[Entry]]:
        """The entries of each of these kinds, newest first, with those that this version cannot read."""
        entries_of = dict[str, list[Entry]]({kind: [] for kind in kinds})
        for entry in self._entries(OF_KINDS, kinds=kinds):
            entries_of[entry.kind].append(entry)
        return entries_of

    def unreadable(self) -> tuple[Entry, ...]:
        """Every entry that this version cannot read, oldest first. Only new entries are looked at again."""
        return self._parsed.unreadable(lambda seq: self._entries(EVERY.where(entries.c.seq > seq)), self.at)

    def newest_game(self) -> Entry | None:
        """The table that was opened last; one that came from another device's records goes on there, not here."""
        return next(self._entries(NEWEST_GAME), None)

    def heads(self, kind: str) -> dict[str, str]:
        """The id of every entry of one kind, oldest first, with the hash of the newest entry about it or of itself."""
        head_of = dict[str, str]()
        own = select(entries.c.id, entries.c.hash).where(entries.c.kind == kind).order_by(entries.c.seq)
        for id_, hash_ in self._connection.execute(own):
            head_of[id_] = hash_
        ids = select(entries.c.id).where(entries.c.kind == kind)
        newest = select(func.max(entries.c.seq)).where(entries.c.about.in_(ids)).group_by(entries.c.about)
        wanted = select(entries.c.about, entries.c.hash).where(entries.c.seq.in_(newest))
        head_of.update((str(about), hash_) for about, hash_ in self._connection.execute(wanted))
        return head_of

    def head(self) -> Entry | None:
        """The last entry of all."""
        return next(self._entries(HEAD), None)

    def every(self) -> Iterator[Entry]:
        """The whole chain, oldest first."""
        return self._entries(EVERY)

    def marked(self, kind: str, *values: str) -> list[tuple[str, Entry]]:
        """Value and entry of every mark of that kind with one of these values, oldest first."""
        wanted = select(marks.c.value, entries).join(entries, entries.c.seq == marks.c.seq)
        wanted = wanted.where(marks.c.kind == kind, marks.c.value.in_(values)).order_by(entries.c.seq)
        return [(row[0], self._entry(*row[1:])) for row in self._connection.execute(wanted)]

    def marks(self) -> dict[int, set[tuple[str, str]]]:
        """All marks by the number of their entry."""
        marks_of_seq: dict[int, set[tuple[str, str]]] = {}
        for seq, kind, value in self._connection.execute(select(marks)):
            marks_of_seq.setdefault(seq, set()).add((kind, value))
        return marks_of_seq

    def values(self, kind: str) -> list[str]:
        """Every value of one kind of marks."""
        return list(self._connection.execute(select(marks.c.value).where(marks.c.kind == kind).distinct()).scalars())

    def search(self, query: Query, page: int = 1) -> Found:
        """The records that fit, one page of them."""
        wanted = select(entries).where(entries.c.kind == "record")
        if query.since:
            wanted = wanted.where(entries.c.at >= query.since)
        if query.until:
            wanted = wanted.where(entries.c.at < query.until)
        for kind in ("player", "pattern"):
            if value := getattr(query, kind):
                having = select(marks.c.seq).where(marks.c.kind == kind, marks.c.value == value)
                wanted = wanted.where(entries.c.seq.in_(having))
        total = self._connection.execute(select(func.count()).select_from(wanted.subquery())).scalar_one()
        page = min(max(page, 1), max(1, -(-total // PAGE_RECORDS)))
        shown = wanted.order_by(entries.c.seq.desc()).limit(PAGE_RECORDS).offset((page - 1) * PAGE_RECORDS)
        return Found(tuple(self._entries(shown)), total, page)


class Writer(View):
    """The one writer: what it appends is kept together, or not at all. `keep_text`: text and hash to a second copy
    outside of the database, of what many entries stand on. `device`: on which entries are made from now on."""

    def __init__(
        self,
        connection: Connection,
        parsed: Parsed | None = None,
        keep_text: Callable[[str, str], object] | None = None,
        device: Callable[[], Device] = lambda: HERE,
        author: Callable[[], Mapping[str, Any]] = dict,
    ) -> None:
        super().__init__(connection, parsed)
        self._device, self._author = device, author
        self._keep_text = keep_text or (lambda text, sha256: None)

    def append(
        self, kind: str, content: Mapping[str, object], about: str | None = None, at: str | None = None
    ) -> Entry:
        """Add an entry to the chain.

        Args:
            kind: one of `webui.store.chain.KINDS`.
            content: its content, as JSON.
            about: id of the entry that it is about.
            at: time as ISO 8601 in UTC; now if None.
        """
        device = self._device()
        if kind != "device" and said_by(self.of_kind("device", 1)) != device:
            self.append("device", device._asdict() | {"version": program_version()})
        return self.follow(
            secrets.token_urlsafe(12), kind, at or utc_now(), about, canonical({**content, **self._author()})
        )

    def follow(self, id_: str, kind: str, at: str, about: str | None, text: str) -> Entry:
        """Append an entry of another chain to ours: its number and hashes are new.

        Args:
            id_: its id there; the other fields are theirs too.
            kind: one of `webui.store.chain.KINDS`.
            at: UTC as ISO 8601.
            about: id of the entry that it is about, which must be here.
            text: its content as canonical JSON.
        """
        before = self.head()
        seq, previous = (before.seq + 1, before.hash) if before else (1, START)
        entry = Entry(seq, id_, kind, at, about, text, previous, hash_of(seq, id_, kind, at, about, text, previous))
        self.take(entry)
        return entry

    def take(self, entry: Entry) -> None:
        """Put in an entry as it is, with its marks."""
        stored, taken = pack(entry.kind, entry.text, entry.raw)
        for sha256, text in taken.items():
            there = select(texts.c.sha256).where(texts.c.sha256 == sha256)  # not cached: another save may have failed
            if self._connection.execute(there).first() is None:
                self._connection.execute(texts.insert(), {"sha256": sha256, "text": text})
                self._keep_text(text, sha256)
        row = {
            "seq": entry.seq,
            "id": entry.id,
            "kind": entry.kind,
            "at": entry.at,
            "about": entry.about,
            "content": stored,
            "previous": entry.previous,
            "hash": entry.hash,
        }
        self._connection.execute(entries.insert(), row)
        new_marks = marks_of(entry.kind, entry.raw)
        if new_marks:
            rows = [{"seq": entry.seq, "kind": kind, "value": value} for kind, value in new_marks]
            self._connection.execute(marks.insert(), rows)


class Store:
    """The records of one place, safe for several threads and processes. Raises StoreError, and nothing else."""

    def __init__(
        self,
        place: Place,
        books: Path | None = None,
        *,
        second_place: Path | None = None,
        before_upgrade: Callable[[Store], object] = lambda _: None,
        engine: Engine | None = None,
    ) -> None:
        self.place = place
        self._make_backup = before_upgrade
        self.author: Callable[[], Mapping[str, Any]] = dict  # what every new entry keeps of the phone that makes it
        self.second_place = second_place
        """A second folder for backups (`webui.store.upkeep.rotation`). That module also gives `before_upgrade`, called
        before a database of an earlier form is changed."""
        self._books = books or place.folder / "books"
        self.photos = Photos(place.folder / "photos")
        self._engine = engine or database.open_engine(place)
        self._lock = threading.RLock()
        self._checking = threading.RLock()
        self._damage: str | None = None  # the damage; empty: none; None: not checked yet
        self._savers = threading.BoundedSemaphore(SAVERS)
        self._parsed = Parsed()
        self._ready = False

    @property
    def engine(self) -> Engine:
        """The connections to the database, past all that the store promises: for repairs and tests."""
        return self._engine

    def open(self) -> Store:
        """Make the folder and bring the database to today's form, after a look at it and a backup; once is enough."""
        with self._lock:
            if not self._ready:
                try:
                    database.make_private(self.place)
                    database.upgrade(self._engine, before=self._before_upgrade)
                except (SQLAlchemyError, OSError, StoreError) as error:
                    self._engine.dispose()  # the caller gets no store that it could close
                    if isinstance(error, StoreError):
                        raise
                    raise database.trouble(error, self.place) from error
                self._ready = True
        return self

    def _before_upgrade(self) -> None:
        self._ready = True  # as far as reading goes: entries have had one form all along
        try:
            self.refuse_damaged()
            self._make_backup(self)
        finally:
            self._ready = False

    def check(self) -> str:
        """Check the whole database and return its damage, or an empty text. A damaged store refuses saves from then on.

        Missing entries are not damage: `webui.store.upkeep.verify` names them.
        """
        with self._checking:
            self.open()
            try:
                self._damage = database.damage_of(self._engine) or self._unreadable()
            except (SQLAlchemyError, OSError) as error:
                raise database.trouble(error, self.place) from error
            return self._damage

    def _unreadable(self) -> str:
        """The numbers of entries that do not match their hash."""
        with self._engine.connect() as connection, connection.begin():
            wrong = [f"#{entry.seq}" for entry in View(connection).every() if not is_intact(entry)]
        return " ".join([*wrong[:NAMED_ENTRIES], *(["…"] if len(wrong) > NAMED_ENTRIES else [])])

    def refuse_damaged(self) -> None:
        """Raise StoreError if the database is damaged. Checks it first if necessary."""
        damage = self.check() if self._damage is None else self._damage
        if damage:
            raise StoreError("damaged", place=self.place.shown(), what=damage)

    @contextmanager
    def _begun(self, *, writes: bool) -> Iterator[Connection]:
        self.open()
        try:
            with self._engine.connect().execution_options(writes=writes) as connection, connection.begin():
                if writes:
                    database.lock(connection)
                yield connection
        except (SQLAlchemyError, OSError) as error:
            failure = database.trouble(error, self.place)
            if failure.key == "damaged":
                self._damage = str(failure.values["what"])
            raise failure from error

    @contextmanager
    def reading(self) -> Iterator[View]:
        """A view of one moment."""
        with self._begun(writes=False) as connection:
            yield View(connection, self._parsed)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """The one writer. Commits to the disk when the block ends without an error.

        Raises StoreError if the database is damaged or stays locked, or if too many wait already.
        """
        self.refuse_damaged()
        if not self._savers.acquire(blocking=False):
            raise StoreError("busy")
        try:
            with self._begun(writes=True) as connection:
                yield Writer(
                    connection, self._parsed, self.book_file, lambda: device_of(self.place.folder), self.author
                )
        finally:
            self._savers.release()

    def book_file(self, toml: str, sha256: str) -> str:
        """A rule book's text as a file that the rules can load, named by its hash."""
        path = self._books / f"{sha256}.toml"
        data = toml.encode("utf-8")
        try:
            if not path.is_file() or path.stat().st_size != len(data):
                put_file(path, data)
        except OSError as error:
            raise database.trouble(error, self.place) from error
        return str(path)

    def close(self) -> None:
        """Close the connections. Later use opens new ones."""
        self._engine.dispose()
        self._ready = False


__all__: Sequence[str] = (
    "PAGE_RECORDS",
    "Found",
    "Query",
    "Store",
    "StoreError",
    "View",
    "Writer",
    "clean",
    "utc_now",
)
