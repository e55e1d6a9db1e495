"""A damaged database: no save on top of it, words that name the damage, and a rescue of everything readable."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from pathlib import Path

import pytest

import paitai
from scoring.rulebook.loading import load_book
from webui.store import books
from webui.store.chain import canonical
from webui.store.errors import StoreError
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import backup
from webui.store.upkeep.files import owned
from webui.store.upkeep.rescue import rescue
from webui.store.upkeep.rotation import KEPT, keep_backup, last_backup
from webui.store.upkeep.verify import verify

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> object:
    """The attack itself; its long form is a command."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks" / "records")
    import damaged_pages

    return damaged_pages


def damage(place: Place, words: bytes) -> None:
    """Change a byte of these words in the database's file, past SQLite."""
    with sqlite3.connect(place.folder / DATABASE) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    data = (place.folder / DATABASE).read_bytes()
    assert words in data
    (place.folder / DATABASE).write_bytes(data.replace(words, words[:-1] + b"?"))


def filled_with(place: Place, *texts: str) -> Store:
    store = Store(place)
    with store.writing() as writer:
        for text in texts:
            writer.append("end", {"text": text})
    return store


@pytest.fixture
def here(tmp_path: Path) -> Place:
    return Place(f"sqlite:///{tmp_path / 'data' / DATABASE}", tmp_path / "data")


def test_every_page_damaged_in_turn(pages: object, tmp_path: Path) -> None:
    """Each third page here; all of them with `benchmarks/records/damaged_pages.py`."""
    outcome = pages.damage_each_page(tmp_path, 12, step=3)  # type: ignore[attr-defined]
    assert outcome.problems == []
    assert sum(outcome.counts.values()) >= 10
    assert outcome.counts["rescued whole"] >= 3


@pytest.mark.skipif(sys.platform != "linux", reason="the room for files cannot be limited here")
def test_every_write_of_a_save_fails_in_turn(pages: object, tmp_path: Path) -> None:
    outcome = pages.fail_each_write(tmp_path / "writes")  # type: ignore[attr-defined]
    assert outcome.problems == []
    assert outcome.counts["through"] == 1
    assert sum(outcome.counts.values()) > 10


def test_an_entry_that_is_not_what_its_hash_says_stops_saves_until_it_is_rescued(
    here: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pages are sound, so that SQLite itself sees nothing."""
    filled_with(here, "first", "the second", "third").close()
    damage(here, b"the second")
    store = Store(here)
    with pytest.raises(StoreError, match=r"damaged.*#2"), store.writing():
        pytest.fail("a save was let in")
    with pytest.raises(StoreError, match="damaged"):
        backup(store, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()
    store.close()
    there = str(here.folder)
    assert paitai.main(["backup", str(tmp_path / "a.zip"), "--data", there, "--lang", "en"]) == 2
    assert "paitai records rescue" in capsys.readouterr().err
    assert paitai.main(["records", "rescue", "--data", there, "--lang", "en"]) == 1
    told = capsys.readouterr()
    assert "Missing: entry 2 (table ended, " in told.err
    assert "Saved 2 entries" in told.out
    (aside,) = (here.folder / "damaged").iterdir()
    assert (aside / DATABASE).is_file()
    store = Store(here)
    with store.writing() as writer:
        writer.append("end", {"text": "after"})
    assert [(one.seq, one.what) for one in verify(store).findings] == [(3, "gap")]
    store.close()
    assert paitai.main(["records", "rescue", "--data", there, "--lang", "en"]) == 0
    assert "is not damaged" in capsys.readouterr().out


def test_rescue_waits_for_no_server(here: Place) -> None:
    filled_with(here, "x").close()
    with owned(here.folder), pytest.raises(StoreError, match="owned"):
        rescue(here)
    assert rescue(here) is None


def test_a_file_that_is_no_database_is_left_as_it_is(here: Place) -> None:
    filled_with(here, "x").close()
    for path in here.folder.glob(f"{DATABASE}*"):
        path.unlink()
    (here.folder / DATABASE).write_bytes(b"nothing" * 4000)
    with pytest.raises(StoreError, match="nothing_rescued"):
        rescue(here)
    assert (here.folder / DATABASE).read_bytes() == b"nothing" * 4000


def test_what_the_journal_holds_is_rescued_too(here: Place) -> None:
    """After a power cut the last saves are in the journal file."""
    store = filled_with(here, "first")
    with store.writing() as writer:
        writer.append("end", {"text": "the last one"})
    kept = {path.name: path.read_bytes() for path in here.folder.glob(f"{DATABASE}*")}
    store.close()
    for name, data in kept.items():
        (here.folder / name).write_bytes(data)
    journal = here.folder / f"{DATABASE}-wal"
    assert b"the last one" in journal.read_bytes()
    from webui.store.upkeep.rescue import readable

    found, missing = readable(here.folder / DATABASE, here.folder / "books")
    assert [entry.content["text"] for entry in found] == ["first", "the last one"]
    assert missing == []


@pytest.mark.usefixtures("short_contents")
def test_a_book_stands_in_the_database_once(store: Store) -> None:
    """Entry and hash are unchanged; the database stores a hundredth."""
    book = books.keep(load_book("luohan"), books.text_of("luohan"))
    with store.writing() as writer:
        for number in range(5):
            entry = writer.append("record", record_with(book, number))
    with store.reading() as view:
        kept = view.entry(entry.id)
        assert kept is not None
        assert kept.text == canonical(record_with(book, 4))
        assert sum(1 for _ in view.every()) == 5
    with store.engine.connect() as connection:
        stored = list(connection.exec_driver_sql("SELECT content FROM entries").scalars())
        assert connection.exec_driver_sql("SELECT count(*) FROM texts").scalar() == 1
    assert max(map(len, stored)) < 2_000
    assert [one.what for one in verify(store, answer=lambda *_, **__: {}).findings] == []
    assert books.text_of("luohan") in [path.read_text("utf-8") for path in (store.place.folder / "books").glob("*")]


def record_with(book: dict[str, object], number: int) -> dict[str, object]:
    answers = {lang: {"patterns": []} for lang in ("zh", "en")}
    return {"book": book, "request": {"n": number}, "answer": answers, "photos": [], "once": str(number)}


@pytest.mark.usefixtures("short_contents")
def test_a_text_whose_save_failed_is_kept_by_the_next(store: Store) -> None:
    """Else the next entry would stand on a text that is nowhere."""
    book = books.keep(load_book("ntu"), books.text_of("ntu"))
    with contextlib.suppress(RuntimeError), store.writing() as writer:
        entry = writer.append("record", record_with(book, 1))
        assert writer.entry(entry.id) is not None  # it was read within the save
        raise RuntimeError
    with store.writing() as writer:
        entry = writer.append("record", record_with(book, 2))
    store.close()
    with store.reading() as view:
        kept = view.entry(entry.id)
    assert kept is not None
    assert kept.content["book"]["toml"] == books.text_of("ntu")
    assert store.check() == ""


def test_backups_at_an_evening_s_end_take_turns(here: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest few stay, in both places; the second one has the photos too."""
    store = Store(here, second_place=tmp_path / "stick")
    with store.writing() as writer:
        writer.append("end", {"photos": [{"sha256": store.photos.put(b"photo" * 100)}]})
    for number in range(KEPT + 2):
        monkeypatch.setattr(
            "webui.store.upkeep.rotation.time.strftime", lambda _, n=number: f"paitai-20260101-00000{n}.zip"
        )
        keep_backup(store)
    monkeypatch.undo()
    for folder in (here.folder / "backups", tmp_path / "stick"):
        names = sorted(path.name for path in folder.glob("*.zip"))
        assert names == [f"paitai-20260101-00000{n}.zip" for n in range(2, KEPT + 2)]
    sizes = [(folder / names[-1]).stat().st_size for folder in (here.folder / "backups", tmp_path / "stick")]
    assert sizes[0] < sizes[1]
    last = last_backup(store)
    assert last is not None
    assert last.error == ""
    (tmp_path / "stick").rename(tmp_path / "gone")
    (tmp_path / "stick").write_text("a file in its place")
    with pytest.raises(StoreError, match="backup_failed"):
        keep_backup(store)
    last = last_backup(store)
    assert last is not None
    assert last.error == "backup_failed"
    store.close()


def test_an_older_form_is_backed_up_before_it_is_changed(here: Place, tmp_path: Path) -> None:
    """And not changed at all if it is damaged."""
    from webui.store import engine as database
    from webui.store.upkeep.backup import restore

    here.folder.mkdir()
    old = database.open_engine(here)
    database.upgrade(old, "0002")
    row = "INSERT INTO entries VALUES (1, 'a', 'game', '2026-01-01T00:00:00Z', NULL, '{}', '%s', '%s')"
    from webui.store.chain import START, hash_of

    hash_ = hash_of(1, "a", "game", "2026-01-01T00:00:00Z", None, "{}", START)
    with old.connect() as connection, connection.begin():
        connection.exec_driver_sql(row % (START, hash_))
    old.dispose()
    store = Store(here, before_upgrade=keep_backup).open()
    (made,) = (here.folder / "backups").glob("*.zip")
    store.close()
    new = Store(Place(f"sqlite:///{tmp_path / 'new' / DATABASE}", tmp_path / "new"))
    assert restore(new, made).entries == 1
    new.close()


def test_a_damaged_older_form_is_not_changed(here: Place) -> None:
    from webui.store import engine as database

    here.folder.mkdir()
    old = database.open_engine(here)
    database.upgrade(old, "0002")
    with old.connect() as connection, connection.begin():
        connection.exec_driver_sql("INSERT INTO entries VALUES (1, 'a', 'game', 'x', NULL, '{}', 'y', 'z')")
    old.dispose()
    with pytest.raises(StoreError, match=r"damaged.*#1"):
        Store(here).open()
    with old.connect() as connection:
        assert database.revision_of(connection) == "0002"
    old.dispose()


def test_list_and_export_say_what_is_damaged(here: Place, capsys: pytest.CaptureFixture[str]) -> None:
    filled_with(here, "x" * 9000).close()
    data = (here.folder / DATABASE).read_bytes()
    (here.folder / DATABASE).write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
    for action in ("export", "list", "verify"):
        assert paitai.main(["records", action, "--data", str(here.folder), "--lang", "en"]) == 2
        told = capsys.readouterr().err
        assert "records rescue" in told, action


def test_a_disk_without_room_is_called_full(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite reports only `disk I/O error` if it cannot make its own files."""
    from sqlite3 import OperationalError

    from sqlalchemy.exc import DBAPIError

    from webui.store.engine import trouble

    here.folder.mkdir()
    error = DBAPIError("", None, OperationalError("disk I/O error"))
    assert trouble(error, here).key == "unavailable"
    monkeypatch.setattr("webui.store.engine.shutil.disk_usage", lambda _: type("Usage", (), {"free": 0}))
    assert trouble(error, here).key == "disk_full"
