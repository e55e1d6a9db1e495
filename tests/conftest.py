"""Fixtures of every test: a data folder for the run, and stores on SQLite and PostgreSQL for tests that use one."""

from __future__ import annotations

import contextlib
import gc
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Generator, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from sqlalchemy import Engine, create_engine, event
from werkzeug.routing import Rule

from tests import workers
from tests.made_once import CompiledRules, CompiledTemplates, Tables, wait_for_no_disk
from tests.processes import MARK, left_after, marked
from webui.store import engine as database
from webui.store.place import DATABASE, Place
from webui.store.store import Store

# A busy machine is not a finding: the time of an example is no evidence.
# Every run uses the same examples, drawn from each test's own text, so a failure repeats (see also
# `same_examples`). `make explore` draws others.
settings.register_profile("paitai", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("explore", settings.get_profile("paitai"), derandomize=False)
settings.load_profile("paitai")
UNIT, REPO = Path(__file__).parent / "unit", Path(__file__).parent / "repo"
GRACE = 20.0
"""Seconds that processes have to end after the last test."""


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes of the run tell each other no more than is looked at."""
    workers.pytest_configure(config)


LIMIT = 300  # seconds for one test: many times the slowest on a busy machine
SLOW_LIMIT = 900  # if the server is slow on purpose (make e2e-slow)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Set the time limit, the group and the place of every test, before pytest-xdist looks for its groups."""
    same_examples()
    together(items)
    slow_first(items)
    limit_times(config, items)


def together(items: list[pytest.Item]) -> None:
    """Run the tests of one module in `tests/unit` or `tests/repo` in one worker, so that its fixtures are made once.

    Workers are then assigned modules instead of thousands of tests, which saves a twelfth of the processor time.
    """
    groups = {path: group_of(path) for path in {item.path for item in items}}
    for item in items:
        group = groups[item.path]
        if group is not None and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(group))


def group_of(path: Path) -> str | None:
    """The group of the tests of a module, if they run in one worker."""
    if not (path.is_relative_to(UNIT) or path.is_relative_to(REPO)):
        return None
    return str(path.relative_to(UNIT.parent).with_suffix(""))


def same_examples() -> None:
    """Keep words and numbers of loaded code out of hypothesis' examples, so that they do not depend on earlier tests.

    Before hypothesis reads all of that code, which it does when the tests are collected. `make explore` keeps them.
    """
    if settings.default is not None and settings.default.derandomize:
        none = providers.Constants()
        providers._get_local_constants = lambda: none


def slow_first(items: list[pytest.Item]) -> None:
    """Move slow tests to the front, so that no worker is still busy with one after the others have ended.

    Workers get the largest groups first, and groups of one size as they are collected.
    """
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def limit_times(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that hangs ends with its stack and does not block the others, unless `--timeout` is given."""
    if not config.pluginmanager.hasplugin("timeout") or config.getoption("timeout") is not None:
        return
    limit = SLOW_LIMIT if os.environ.get("PAITAI_SLOW") == "1" else LIMIT
    for item in items:
        if item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(limit))


COLLECT_AFTER = (50_000, 20, 20)  # new objects; runs that looked at new ones; runs that looked at newer ones


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let each worker compile other modules first: a fresh clone has no compiled ones, and the work is shared.

    Everything loaded by then stays to the end, so the garbage collector need not check it again. That saves a tenth of
    the time of a test with a page.
    """
    gc.set_threshold(*COLLECT_AFTER)
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and session.config.args == session.config.getini("testpaths"):
        count = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        for path in sorted(Path(__file__).parent.rglob("test_*.py"))[int(worker[2:]) :: count]:
            with contextlib.suppress(Exception, pytest.skip.Exception):  # raised again when pytest reaches this module
                import_module(".".join(path.relative_to(session.config.rootpath).with_suffix("").parts))
    collected = yield
    gc.freeze()
    return collected


@pytest.fixture(scope="session", autouse=True)
def whole_run(request: pytest.FixtureRequest) -> None:
    """What holds for every test. pytest looks up each such fixture for each test: one of them asks for the others."""
    for name in ("no_process_left", "data_folder", "made_once"):
        request.getfixturevalue(name)


@pytest.fixture(scope="session")
def no_process_left() -> Iterator[None]:
    """No process that the tests started survives them, even if its parent was killed."""
    patch = pytest.MonkeyPatch()
    mark = f"{os.getpid()}-{secrets.token_hex(4)}"
    patch.setenv(MARK, mark)
    yield
    patch.undo()
    left = left_after(GRACE, lambda: marked(mark))
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert not left, f"the tests left processes behind: {left}"


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory, no_process_left: None) -> Iterator[Path]:
    """PAITAI_DATA for the whole run, also in processes that tests start: no real records are touched."""
    folder = tmp_path_factory.mktemp("data")
    patch = pytest.MonkeyPatch()
    patch.setenv("PAITAI_DATA", str(folder))
    patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    yield folder
    patch.undo()


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The applications and databases of the run share what depends on nothing of them: see `tests.made_once`."""
    patch = pytest.MonkeyPatch()
    patch.setattr(Flask, "jinja_options", {"bytecode_cache": CompiledTemplates()})
    rules = CompiledRules()
    patch.setattr(Rule, "compile", lambda rule: rules.compile(rule))
    tables = Tables(tmp_path_factory.mktemp("tables"))
    patch.setattr(database, "upgrade", tables.upgrade)
    patch.setattr(database, "make_private", tables.make_private)
    wait_for_no_disk(patch)
    yield
    patch.undo()


def _postgres_binaries() -> Path | None:
    """The folder with initdb and pg_ctl, the newest version first."""
    named = shutil.which("initdb")
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    found = [*([Path(named).parent] if named else []), *places]
    return next((path for path in found if (path / "initdb").is_file() and (path / "pg_ctl").is_file()), None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The folder of the socket of a PostgreSQL server that lives as long as the tests. Skips without PostgreSQL."""
    pytest.importorskip("psycopg", reason="psycopg (extra `postgres`) is not installed: PostgreSQL is not tested")
    binaries = _postgres_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server found (initdb, pg_ctl): the records are tested on SQLite only")
    as_user: list[str] = []
    folder = Path(tempfile.mkdtemp(prefix="pt"))  # short: the path of a socket may not be long
    if os.name != "nt" and os.getuid() == 0:  # the server refuses to run as root
        runuser = shutil.which("runuser")
        if runuser is None or subprocess.run(["id", "postgres"], capture_output=True).returncode:
            pytest.skip("running as root without a user `postgres`: PostgreSQL is not tested")
        as_user = [runuser, "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")

    def run(*command: str) -> None:
        done = subprocess.run([*as_user, *command], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr

    data, log = str(folder / "data"), str(folder / "log")
    settings = f"-k {folder} -c listen_addresses='' -c fsync=off -c shared_buffers=16MB -c max_connections=40"
    try:
        run(str(binaries / "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        run(str(binaries / "pg_ctl"), "-D", data, "-l", log, "-w", "-o", settings, "start")
        yield str(folder)
        close_connections()
    finally:
        with contextlib.suppress(AssertionError):
            run(str(binaries / "pg_ctl"), "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_records(postgres: str) -> Iterator[Any]:
    """The database of the server, which each test empties for itself."""
    from tests.postgres import Database

    opened = Database(postgres)
    yield opened
    opened.close()


def wait_for_backups() -> None:
    """Until no backup is being made: it would read a folder, and open connections, that the next test has."""
    for thread in threading.enumerate():
        if thread.name == "backup":
            thread.join(LIMIT)
            assert not thread.is_alive(), "a backup does not end"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """No test begins while a backup of an earlier one is being made."""
    try:
        return (yield)
    finally:
        wait_for_backups()


CONNECTIONS: list[Any] = []
"""Every connection that tests opened and have not closed.

This list keeps them from being collected while open, which would warn and fail in another test.
"""


def close_connections() -> None:
    """Close the open connections."""
    while CONNECTIONS:
        CONNECTIONS.pop().close()


@pytest.fixture
def closing_engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every engine that a test opens is closed after it, when no backup uses it any more."""
    made: list[Engine] = []

    def create(*args: Any, **options: Any) -> Engine:
        made.append(create_engine(*args, **options))
        event.listen(made[-1], "connect", lambda connection, _: CONNECTIONS.append(connection))
        return made[-1]

    monkeypatch.setattr("webui.store.engine.create_engine", create)
    yield
    wait_for_backups()
    for engine in made:
        engine.dispose()
    close_connections()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path, closing_engines: None) -> Place:
    """An empty place for records, once on each database."""
    if request.param == "sqlite":
        return Place(f"sqlite:///{tmp_path / 'data' / DATABASE}", tmp_path / "data")
    server = request.getfixturevalue("postgres")
    request.getfixturevalue("postgres_records").empty()
    return Place(f"postgresql+psycopg://postgres@/records?host={server}", tmp_path / "data")


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """An empty store, once on each database."""
    opened = Store(place).open()
    yield opened
    opened.close()
