"""資料庫: the connection to SQLite or PostgreSQL, set up so that commits reach the disk, and the database's form."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, NoSuchModuleError, SQLAlchemyError

from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place

REVISION = "0003"
"""The form that this version reads and writes: the last file of `migrations/versions`."""
LOCK = 0x70616974  # one writer at a time in PostgreSQL; an arbitrary number that other programs do not use
MIGRATIONS = Path(__file__).with_name("migrations")
SYNCHRONOUS = "FULL"  # what was committed is on the disk
LEAST_ROOM_BYTES = 100_000  # bytes: with less the disk is full
WAIT_SECONDS = 10  # seconds for another writer or for the server
READ_WAIT = 1  # seconds to wait for a lock that excludes readers too: a page can do without its table
CONNECTIONS, MORE_CONNECTIONS = 10, 30  # connections kept open; extra connections under load


def open_engine(place: Place, *, references: bool = True) -> Engine:
    """The engine of a place; opens nothing yet. Raises StoreError for an unusable address.

    `references`: whether SQLite refuses an entry about a missing entry.
    """
    pool: dict[str, Any] = {"pool_size": CONNECTIONS, "max_overflow": MORE_CONNECTIONS, "pool_timeout": WAIT_SECONDS}
    try:
        if place.is_file:
            # the path as it is: in an address a ? would end it
            path = place.url.removeprefix("sqlite:///")
            connect = partial(_connect_sqlite, path, place, references=references)
            engine = create_engine(URL.create("sqlite", database=path), creator=connect, **pool)
            event.listen(engine, "checkout", _check_out_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        if not place.url.startswith("postgresql"):
            raise StoreError("bad_address", place=place.url.partition("://")[0] + "://")
        return create_engine(place.url, pool_pre_ping=True, connect_args={"connect_timeout": WAIT_SECONDS}, **pool)
    except ModuleNotFoundError:
        raise StoreError("no_driver") from None
    except (ArgumentError, NoSuchModuleError):
        raise StoreError("bad_address", place=place.url.partition("://")[0] + "://") from None


class _OnlyRead(sqlite3.Connection):
    """A connection that writes no files next to the database, for a full disk. For one use only."""

    used = False


def _connect_sqlite(path: str, place: Place, *, references: bool) -> sqlite3.Connection:
    """A connection to the file; read-only if the disk is full, because SQLite cannot make its own files then."""
    connection = sqlite3.connect(path, timeout=WAIT_SECONDS, check_same_thread=False)
    try:
        connection.isolation_level = None  # the driver would begin too late: `_begin_sqlite` does it
        refers = f"foreign_keys={'ON' if references else 'OFF'}"
        synchronous = f"synchronous={SYNCHRONOUS}"
        for pragma in ("journal_mode=WAL", synchronous, refers, f"busy_timeout={WAIT_SECONDS * 1000}"):
            connection.execute(f"PRAGMA {pragma}")
        return connection
    except sqlite3.Error as error:
        connection.close()
        journal = Path(f"{path}-wal")
        no_journal = not journal.is_file() or journal.stat().st_size == 0  # its content would be missing
        full = isinstance(error, sqlite3.OperationalError) and _no_room(place)
        if not (full and Path(path).is_file() and no_journal):
            raise
    address = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
    reading = sqlite3.connect(address, uri=True, check_same_thread=False, factory=_OnlyRead)
    reading.isolation_level = None
    return reading


def _check_out_sqlite(connection: object, _record: object, _proxy: object) -> None:
    """A connection that only reads is let go after its first use: by then there may be room again."""
    if isinstance(connection, _OnlyRead):
        if connection.used:
            raise DisconnectionError
        connection.used = True


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql(f"PRAGMA busy_timeout={1000 * (WAIT_SECONDS if writes else READ_WAIT)}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def make_private(place: Place) -> None:
    """Make the folder, and a new database's file, for their owner alone, whatever the mask. Raises OSError."""
    place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = place.folder / DATABASE
    if place.is_file and not path.exists():
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def lock(connection: Connection) -> None:
    """Become the only writer until the transaction ends (SQLite: since it began)."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def upgrade(engine: Engine, to: str = REVISION, before: Callable[[], None] = lambda: None) -> None:
    """Bring the database to this version's form, in one transaction. Refuses a newer form.

    `before`: called before an existing database of an earlier form is changed.
    """
    known = sorted(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    with engine.connect() as connection, connection.begin():
        now = revision_of(connection)
    if now == to:
        return
    if now in known:
        before()
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        lock(connection)
        now = revision_of(connection)
        if now == to:
            return
        if now is not None and now not in known:
            raise StoreError("newer", revision=now)
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, to)


def revision_of(connection: Connection) -> str | None:
    """The form of the database; None if it is new."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def damage_of(engine: Engine) -> str:
    """SQLite's findings about the file's pages and indexes; empty if it is whole, and for PostgreSQL, which checks its
    own files."""
    if engine.dialect.name != "sqlite":
        return ""
    try:
        with engine.connect() as connection, connection.begin():
            faults = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(3)")]
    except DBAPIError as error:
        if not is_damage(error):
            raise
        faults = [str(error.orig)]
    return "" if faults == ["ok"] else "; ".join(line.splitlines()[-1] for line in faults if line)


def is_damage(error: BaseException) -> bool:
    """Whether a database error means that its file is damaged."""
    name = getattr(getattr(error, "orig", None), "sqlite_errorname", "")
    return str(name).startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def is_full(error: BaseException) -> bool:
    """Whether an error of the database or the system means that the disk is full."""
    name = getattr(getattr(error, "orig", None), "sqlite_errorname", "")
    return name == "SQLITE_FULL" or getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)


def _no_room(place: Place) -> bool:
    """Whether the database's folder has almost no free space: SQLite has several names for that."""
    try:
        return place.is_file and shutil.disk_usage(place.folder).free < LEAST_ROOM_BYTES
    except OSError:
        return False


def trouble(error: SQLAlchemyError | OSError, place: Place) -> StoreError:
    """What went wrong with the database or its folder, as the store's own error."""
    reason: object = error
    if isinstance(error, DBAPIError):
        reason = error.orig
    elif isinstance(error, OSError):
        reason = error.strerror or error
    shown = str(reason).strip().splitlines()[0]
    if is_damage(error):
        return StoreError("damaged", place=place.shown(), what=shown)
    return StoreError(
        "disk_full" if is_full(error) or _no_room(place) else "unavailable", place=place.shown(), reason=shown
    )
