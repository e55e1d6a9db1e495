"""A database that another program has locked: a save waits or gets a message, a look is answered."""

from __future__ import annotations

import contextlib
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.serving import serving
from tests.unit.webui.support.records_kit import store_of
from webui import create_app
from webui.store.place import DATABASE
from webui.store.store import SAVERS

SEATS = {"first_dealer": "0", "rules": "luohan", **{f"name_{at}": name for at, name in enumerate("ABCD")}}


@contextlib.contextmanager
def served(folder: Path, reader: Any) -> Iterator[str]:
    with serving(create_app({"READER": reader, "DATA": str(folder)})) as port:
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def locked(folder: Path, how: str) -> Iterator[None]:
    other = sqlite3.connect(folder / DATABASE, isolation_level=None)
    try:
        for statement in how.split(";"):
            other.execute(statement)
        yield
    finally:
        other.close()


def asked(address: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Status, text, and when to come again."""
    data = urllib.parse.urlencode(form).encode() if form else None
    try:
        with urllib.request.urlopen(address, data, timeout=30) as answer:
            return answer.status, answer.read().decode(), ""
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers.get("Retry-After", "")


def test_pages_are_answered_while_savers_wait(tmp_path: Path, reader: Any) -> None:
    with served(tmp_path, reader) as address:
        asked(f"{address}/table")  # the database is made
        with ThreadPoolExecutor(SAVERS + 20) as pool:
            with locked(tmp_path, "BEGIN IMMEDIATE"):
                savers = [pool.submit(asked, f"{address}/table/start", SEATS) for _ in range(SAVERS + 20)]
                deadline = time.monotonic() + 20
                while sum(one.done() for one in savers) < 20 and time.monotonic() < deadline:
                    time.sleep(0.02)
                told = [one.result() for one in savers if one.done()]
                started = time.monotonic()
                assert asked(f"{address}/table")[0] == 200
                assert asked(f"{address}/records")[0] == 200
                assert time.monotonic() - started < 5
            answers = Counter(one.result()[0] for one in savers)
    assert len(told) == 20
    assert {status for status, _, _ in told} == {503}
    assert all("請過幾秒再按一次" in text and again == "3" for _, text, again in told)
    assert answers == {200: 1, 409: SAVERS - 1, 503: 20}  # the waiting ones saved one after the other


def test_one_that_locks_out_everybody_is_named(tmp_path: Path, reader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.store.engine.WAIT_SECONDS", 0.2)
    monkeypatch.setattr("webui.store.engine.READ_WAIT", 0.1)
    app = create_app({"READER": reader, "DATA": str(tmp_path)})
    client = app.test_client()
    client.get("/table")
    store_of(app).close()
    with locked(tmp_path, "PRAGMA journal_mode=DELETE;BEGIN EXCLUSIVE"):
        answer = client.post("/table/start", data=SEATS)
        assert (answer.status_code, client.get("/").status_code) == (503, 200)
        assert "database is locked" in answer.get_data(as_text=True)
    assert client.post("/table/start", data=SEATS).status_code == 303
