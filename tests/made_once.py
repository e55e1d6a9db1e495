"""What hundreds of applications and databases of a run are made of alike, made for the first of them only: compiled
templates, addresses, the tables. Each test still has its own application and its own database."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy import Engine, event
from werkzeug.routing import Rule

from webui.store import engine as database
from webui.store.place import DATABASE, Place

SYNCHRONOUS = database.SYNCHRONOUS
"""What the product asks of SQLite; see `wait_for_no_disk`."""


def wait_for_no_disk(patch: pytest.MonkeyPatch) -> None:
    """Let this process write without waiting for the disk, which takes a quarter of the time of tests that write.

    Whether writes last is tested by servers that are killed: they are processes of their own, and wait.
    """
    patch.setattr(os, "fsync", lambda handle: None)
    patch.setattr(database, "SYNCHRONOUS", "OFF")


class CompiledTemplates(BytecodeCache):
    """Templates by their source: a change of one is another source."""

    def __init__(self) -> None:
        self._compiled: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._compiled:
            bucket.bytecode_from_string(self._compiled[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._compiled[bucket.key] = bucket.bytecode_to_string()


class CompiledRules:
    """A cache of werkzeug's compiled addresses, which take nine tenths of the time to make an application.

    ``compile`` replaces `Rule.compile`.
    """

    MADE = ("_parts", "_trace", "_converters", "arguments")
    BUILDERS = ("_build", "_build_unknown")

    def __init__(self) -> None:
        self._compile = Rule.compile
        self._known: dict[tuple[Any, ...], dict[str, Any]] = {}

    def compile(self, rule: Rule) -> None:
        """Prepare a rule that is bound to a map, from an equal compiled one."""
        assert rule.map is not None
        converters = frozenset(rule.map.converters.items())
        address = (rule.rule, rule.host, rule.subdomain, rule.map.host_matching, rule.merge_slashes)
        key = (*address, repr(rule.defaults), converters)
        if key not in self._known:
            self._compile(rule)
            if all(hasattr(rule, name) for name in (*self.MADE, *self.BUILDERS)):  # another werkzeug: slower tests
                self._known[key] = {name: getattr(rule, name) for name in self.MADE}
                self._known[key] |= {name: getattr(rule, name).__func__ for name in self.BUILDERS}
            return
        for name, made in self._known[key].items():
            setattr(rule, name, made.__get__(rule, None) if name in self.BUILDERS else made.copy())


class Tables:
    """The tables of a new database: a copied file, or for PostgreSQL the statements that made them.

    Alembic would read and run every migration each time. ``upgrade`` and ``make_private`` replace those of
    `webui.store.engine` and call them. They then find the tables, and handle other databases and earlier forms alone.
    """

    def __init__(self, folder: Path) -> None:
        """``folder``: an empty one, for a database."""
        self._upgrade = database.upgrade
        self._make_private = database.make_private
        engine = database.open_engine(Place(f"sqlite:///{folder / DATABASE}", folder))
        self._upgrade(engine)
        engine.dispose()
        self._file = (folder / DATABASE).read_bytes()
        self._statements: list[tuple[str, Any]] = []

    def upgrade(self, engine: Engine, to: str = database.REVISION, before: Callable[[], None] = lambda: None) -> None:
        """As `webui.store.engine.upgrade`."""
        if to == database.REVISION and engine.dialect.name == "postgresql":
            self._state(engine)
        self._upgrade(engine, to, before)

    def make_private(self, place: Place) -> None:
        """As `webui.store.engine.make_private`, with the tables already in a new file."""
        if place.is_file and not (place.folder / DATABASE).exists():
            with suppress(OSError):
                self._put(place.folder)
        self._make_private(place)

    def _put(self, folder: Path) -> None:
        """Create the file in one step, because several stores may open the same new place. Never overwrite a file."""
        beside = folder.with_name(f"{folder.name}-{secrets.token_hex(8)}")
        whole = beside / DATABASE
        try:
            self._make_private(Place(f"sqlite:///{whole}", beside))
            whole.write_bytes(self._file)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.link(whole, folder / DATABASE)
        finally:
            shutil.rmtree(beside, ignore_errors=True)

    def _state(self, engine: Engine) -> None:
        from tests import postgres  # whose library may be missing

        """Run the statements in a new database; the first time they are noted."""
        with engine.connect().execution_options(writes=True) as connection, connection.begin():
            database.lock(connection)
            if database.revision_of(connection) is None and not postgres.made.fetch(connection):
                for statement, parameters in self._statements:
                    connection.exec_driver_sql(statement, parameters)
        if not self._statements:
            event.listen(engine, "before_cursor_execute", self._note)
            self._upgrade(engine)
            event.remove(engine, "before_cursor_execute", self._note)
            with engine.connect() as connection:
                postgres.made.note(connection, database.REVISION)

    def _note(self, _c: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        if not statement.lstrip().upper().startswith(("SELECT", "SHOW")):
            self._statements.append((statement, parameters or None))
