"""`paitai records verify`: whatever is changed behind the program's back is found, and the first entry is named."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import paitai
import scoring
from scoring.languages import WHOLE
from tests.unit.webui.conftest import FakeReader, Page, grey_jpeg
from tests.unit.webui.support.records_kit import NAMES, entries, make_app, open_table, rewrite, settle, store_of, tamper
from webui.store.chain import Entry
from webui.store.place import Place, find_place
from webui.store.store import Store
from webui.store.upkeep.verify import Finding, verify


@pytest.fixture
def app(place: Place, reader: Any) -> Any:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Entry], Path]:
    """A table and three settled hands, played on the real page once for all tests: entries 1 to 7, and their folder."""
    folder = tmp_path_factory.mktemp("evening")
    app = make_app(find_place(str(folder)), FakeReader())
    client = app.test_client()
    client.set_cookie("rules", "luohan")
    page = Page(client, grey_jpeg())
    open_table(app.test_client())
    for number in range(3):
        page.upload(name=f"{number}.jpg")
        page.press(streak=str(number), seat="E")
        assert settle(page, into_game=True, once=str(number)).status_code == 303
        page.jpeg = page.jpeg + bytes([number])  # another photo
    found = entries(app)
    assert [entry.kind for entry in found] == ["game"] + ["record", "hand"] * 3
    store_of(app).close()
    return found, folder


@pytest.fixture
def kept(app: Flask, evening: tuple[list[Entry], Path]) -> Store:
    """That evening in a store of its own."""
    played, folder = evening
    store = store_of(app)
    for part in ("photos", "books"):
        if (folder / part).is_dir():
            shutil.copytree(folder / part, store.place.folder / part)
    with store.writing() as writer:
        for entry in played:
            writer.take(entry)
    return store


def first(store: Store) -> Finding:
    report = verify(store)
    assert not report.whole
    return next(finding for finding in report.findings if finding.breaks)


def test_what_nobody_changed_is_whole(kept: Store) -> None:
    report = verify(kept)
    assert report.findings == ()
    assert report.whole
    assert (report.entries, report.records, report.photos) == (7, 3, 3)
    with kept.reading() as view:
        head = view.head()
    assert head is not None
    assert report.head == head.hash


CHANGES: dict[str, tuple[str, int, str]] = {
    "content": ("UPDATE entries SET content = replace(content, '\"tai\"', '\"toi\"') WHERE seq = 4", 4, "changed"),
    "time": ("UPDATE entries SET at = '2020-01-01T00:00:00Z' WHERE seq = 2", 2, "changed"),
    "kind": ("UPDATE entries SET kind = 'end' WHERE seq = 7", 7, "changed"),
    "hash": ("UPDATE entries SET hash = 'f' || substr(hash, 2, 62) || 'g' WHERE seq = 3", 3, "changed"),
    "belongs to another": ("UPDATE entries SET about = NULL WHERE seq = 5", 5, "changed"),
    "gone": ("DELETE FROM entries WHERE seq = 7", 0, ""),
    "gone in the middle": ("DELETE FROM entries WHERE seq = 3", 4, "gap"),
    "index": ("UPDATE marks SET value = 'nobody' WHERE seq = 4 AND kind = 'player' AND value = '小美'", 4, "marks"),
    "index entry gone": ("DELETE FROM marks WHERE seq = 6 AND kind = 'pattern'", 6, "marks"),
    "index entry of nothing": ("INSERT INTO marks VALUES (7, 'player', 'nobody')", 7, "marks"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_found_and_named(kept: Store, name: str) -> None:
    statement, seq, what = CHANGES[name]
    tamper(kept, statement)
    if not seq:  # a cut-off end shows only beside a hash that somebody noted: every record and card has one
        assert verify(kept).entries == 6
        return
    found = first(kept)
    assert (found.seq, found.what) == (seq, what)


def forged(change: Callable[[dict[str, Any]], None]) -> Callable[[Store], None]:
    def forge(store: Store) -> None:
        with store.reading() as view:
            content = json.loads(list(view.every())[3].text)
        change(content)
        from webui.store.chain import canonical

        rewrite(store, 4, canonical(content))

    return forge


def more_tai(content: dict[str, Any]) -> None:
    for lang in WHOLE:
        content["answer"][lang]["tai"] += 5


def more_points(content: dict[str, Any]) -> None:
    content["answer"]["zh"]["transfers"][0]["points"] += 100


def another_book(content: dict[str, Any]) -> None:
    content["book"]["toml"] = content["book"]["toml"].replace("tai = 1", "tai = 2")


def another_book_with_its_hash(content: dict[str, Any]) -> None:
    from webui.store.books import sha256_of

    another_book(content)
    content["book"]["sha256"] = sha256_of(content["book"]["toml"])


def no_answer(content: dict[str, Any]) -> None:
    del content["answer"]["en"]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (more_tai, "answer"),
        (more_points, "answer"),
        (another_book, "book"),
        (another_book_with_its_hash, "answer"),
        (no_answer, "content"),
    ],
)
def test_a_forger_who_writes_all_hashes_anew_must_still_score_right(
    kept: Store, change: Callable[[dict[str, Any]], None], what: str
) -> None:
    forged(change)(kept)
    found = first(kept)
    assert (found.seq, found.what) == (4, what)


def test_records_from_before_liability_was_seen_in_the_melds_are_whole(kept: Store) -> None:
    """The shares that the discarder pays for others are new in an answer; all else must be the same."""

    def with_liability(change: int) -> Callable[..., dict[str, Any]]:
        def answer(request: dict[str, Any], *, lang: str) -> dict[str, Any]:
            plain = scoring.answer(request, lang=lang)
            own = [{**transfer, "points": transfer["points"] + change} for transfer in plain["transfers"]]
            return {**plain, "transfers": [*own, {"from": "S", "to": "E", "tai": 1, "points": 4, "for": "W"}]}

        return answer

    assert verify(kept, with_liability(0)).whole
    assert not verify(kept, with_liability(1)).whole


def test_photos_are_looked_at(kept: Store, app: Flask) -> None:
    sha256 = [entry.content["photos"][0]["sha256"] for entry in entries(app, "record")]
    path = kept.photos.path(sha256[1])
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)
    assert {one.what for one in verify(kept).findings} == {"photo_changed"}
    path.unlink()
    assert first(kept).what == "photo_missing"


def test_a_file_changed_on_the_disk(tmp_path: Any, reader: Any, jpeg: bytes, capsys: Any) -> None:
    """The file itself, with another program, then the command."""
    app = make_app(find_place(str(tmp_path / "data")), reader)
    page = Page(app.test_client(), jpeg)
    for streak in ("3", "2"):
        page.upload()
        page.press("", streak=streak)
        settle(page, player_E=NAMES[0])
    store_of(app).close()
    where = str(tmp_path / "data")
    assert paitai.main(["records", "verify", "--data", where, "--lang", "en"]) == 0
    assert "Nothing was changed: 2 entries (2 hands), 2 photos" in capsys.readouterr().out
    with sqlite3.connect(tmp_path / "data" / "paitai.sqlite") as connection:
        connection.execute("DROP TRIGGER entries_no_update")
        change = "UPDATE entries SET content = replace(content, '\"streak\":2', '\"streak\":9') WHERE seq = 2"
        connection.execute(change)
    connection.close()
    assert paitai.main(["records", "verify", "--data", where]) == 1
    assert "最先出問題的是第 2 筆(戰績" in capsys.readouterr().out.replace("（", "(")
    assert paitai.main(["records", "verify", "--data", where, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"][0]["what"] == "changed"


def test_an_engine_that_answers_otherwise_is_told(kept: Store) -> None:
    from scoring import answer

    def other(request: dict[str, Any], *, lang: str) -> dict[str, Any]:
        response = answer(request, lang=lang)
        return {**response, "tai": response["tai"] + 1}

    assert {one.what for one in verify(kept, other).findings} == {"answer"}
