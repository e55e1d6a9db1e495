"""The store, the same on SQLite and PostgreSQL: the chain, searching, several writers, migrations, photos."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.made_once import SYNCHRONOUS
from webui.i18n import Texts
from webui.store import engine as database
from webui.store.chain import START, Entry, canonical, hash_of, is_intact, marks_of
from webui.store.errors import StoreError
from webui.store.photos import Photos
from webui.store.place import DATABASE, Place, find_place
from webui.store.store import PAGE_RECORDS, Query, Store, clean
from webui.store.tables import metadata
from webui.store.upkeep.verify import verify
from webui.web.errors import store_sentence

pytestmark = pytest.mark.usefixtures("short_contents")

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def answer(*patterns: str) -> dict[str, Any]:
    return {"zh": {"patterns": [{"id": one} for one in patterns]}}


def settled(player: str, *patterns: str, **more: Any) -> dict[str, Any]:
    """As much of a record as the store itself looks at."""
    return {"players": {"E": player}, "answer": answer(*patterns), "photos": [], "game": None, **more}


def test_entries_follow_each_other(store: Store) -> None:
    with store.writing() as writer:
        first = writer.append("game", {"players": ["a"]})
        second = writer.append("hand", {"x": 1}, about=first.id)
    assert (first.seq, first.previous) == (1, START)
    assert (second.seq, second.previous, second.about) == (2, first.hash, first.id)
    assert len(first.id) == 16
    with store.reading() as view:
        assert list(view.every()) == [first, second]
        assert view.head() == second
        assert view.entry(second.id) == second
        assert view.entry(second.id, "game") is None
        assert view.entry("nobody's") is None
        assert view.about(first.id) == [second]
    assert verify(store).whole


@given(content=st.dictionaries(st.text(), JSON, max_size=5))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_kept_comes_back(store: Store, content: dict[str, Any]) -> None:
    """Also odd characters: no database changes them, so no hash breaks by itself."""
    content.pop("once", None)
    with store.writing() as writer:
        kept = writer.append("end", content)
    with store.reading() as view:
        found = view.entry(kept.id)
    assert found == kept
    assert found is not None
    assert found.content == content
    assert is_intact(found)


def test_canonical_json_has_one_form() -> None:
    assert canonical({"b": [1, 2.5], "a": "台"}) == canonical(json.loads('{ "a": "台", "b": [1, 2.5]}'))
    assert canonical({"b": 1, "a": 2}) == '{"a":2,"b":1}'
    with pytest.raises(ValueError, match="Out of range"):
        canonical(float("nan"))


@pytest.mark.parametrize("field", ["seq", "id", "kind", "at", "about", "text", "previous"])
def test_the_hash_covers_every_field(field: str) -> None:
    parts: dict[str, Any] = {"seq": 1, "id": "i", "kind": "end", "at": "t", "about": None, "text": "{}"}
    parts["previous"] = START
    entry = Entry(**parts, hash=hash_of(*parts.values()))
    assert is_intact(entry)
    changed: dict[str, Any] = {**parts, field: 2 if field == "seq" else "other"}
    assert not is_intact(Entry(**changed, hash=entry.hash))


def test_an_error_keeps_nothing(store: Store) -> None:
    def fail() -> None:
        with store.writing() as writer:
            writer.append("end", {})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with store.reading() as view:
        assert view.head() is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET content = '{}'",
        "DELETE FROM entries",
        "UPDATE marks SET value = 'x'",
        "DELETE FROM marks",
        "TRUNCATE entries CASCADE",
    ],
)
def test_the_database_refuses_changes(store: Store, statement: str) -> None:
    if statement.startswith("TRUNCATE") and store.place.is_file:
        statement = "DELETE FROM marks WHERE 1"  # SQLite has no TRUNCATE
    with store.writing() as writer:
        kept = writer.append("record", settled("Mei", "self_draw"))
    with store.engine.connect() as connection, pytest.raises(DBAPIError, match="never changed"):
        connection.execute(text(statement))
    with store.reading() as view:
        assert list(view.every()) == [kept]
        assert view.marks() == {1: set(marks_of("record", kept.content))}


def test_the_chain_cannot_fork(store: Store) -> None:
    with store.writing() as writer:
        first = writer.append("end", {})
        writer.append("end", {}, about=first.id)
    fork = Entry(3, "other", "end", first.at, None, "{}", first.hash, "0" * 64)
    with pytest.raises(StoreError), store.writing() as writer:
        writer.take(fork)


def test_search(store: Store) -> None:
    times = ["2026-11-19T23:00:00Z", "2026-11-20T10:00:00Z", "2026-11-20T12:00:00Z", "2026-11-21T08:00:00Z"]
    hands = [("Mei", ["self_draw"]), ("Wang", ["half_flush"]), ("Mei", ["half_flush", "self_draw"]), ("Mei", [])]
    with store.writing() as writer:
        kept = [writer.append("record", settled(who, *ids), at=at) for at, (who, ids) in zip(times, hands, strict=True)]
        writer.append("end", {})

    def found(**query: str) -> list[int]:
        with store.reading() as view:
            return [kept.index(entry) for entry in view.search(Query(**query)).entries]

    assert found() == [3, 2, 1, 0]
    assert found(player="Mei") == [3, 2, 0]
    assert found(pattern="half_flush") == [2, 1]
    assert found(player="Mei", pattern="half_flush") == [2]
    assert found(since="2026-11-20T00:00:00Z", until="2026-11-21T00:00:00Z") == [2, 1]
    assert found(player="%") == []
    with store.reading() as view:
        assert sorted(view.values("player")) == ["Mei", "Wang"]


def test_pages(store: Store) -> None:
    with store.writing() as writer:
        ids = [writer.append("record", settled("Mei")).id for _ in range(2 * PAGE_RECORDS + 1)]
    with store.reading() as view:
        pages = [view.search(Query(), page) for page in (1, 2, 3, 99, 0)]
    assert [page.page for page in pages] == [1, 2, 3, 3, 1]
    assert [page.pages for page in pages] == [3] * 5
    assert [entry.id for page in pages[:3] for entry in page.entries] == ids[::-1]


def test_many_writers_make_one_chain(place: Place) -> None:
    """Threads with a store each: as several processes would."""
    stores = [Store(place) for _ in range(4)]

    def write(store: Store) -> None:
        for number in range(8):
            with store.writing() as writer:
                writer.append("end", {"number": number})

    threads = [threading.Thread(target=write, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report = verify(stores[0])
    assert (report.entries, report.findings) == (32, ())
    for store in stores:
        store.close()


def test_a_new_database_appears_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests copy a database instead of running migrations. Another store never opens half of the copy: SQLite
    would begin its own file in it, and find it damaged."""
    path, write = tmp_path / DATABASE, Path.write_bytes
    there = list[bool]()

    def watched(file: Path, data: bytes) -> int:
        there.append(path.exists())
        written = write(file, data)
        there.append(path.exists())
        return written

    monkeypatch.setattr(Path, "write_bytes", watched)
    store = Store(Place(f"sqlite:///{path}", tmp_path)).open()
    store.close()
    assert (there, list(tmp_path.iterdir())) == ([False, False], [path])


def test_models_and_migrations_agree(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_last_migration_is_the_one_that_is_named() -> None:
    files = sorted((Path(database.__file__).with_name("migrations") / "versions").glob("[0-9]*.py"))
    assert files[-1].name.startswith(database.REVISION)


def test_an_upgrade_keeps_what_is_there(place: Place) -> None:
    """From the very first form, with entries in it: they stay as they were and can be found afterwards."""
    old = database.open_engine(place)
    place.folder.mkdir(parents=True, exist_ok=True)
    database.upgrade(old, "0001")
    content = settled("Mei", "self_draw", once="token")
    entry = Entry(1, "id", "record", "2026-11-20T10:00:00Z", None, canonical(content), START, "")
    hashed = hash_of(1, "id", "record", entry.at, None, entry.text, START)
    with old.connect().execution_options(writes=True) as connection, connection.begin():
        connection.execute(
            text("INSERT INTO entries VALUES (1, 'id', 'record', :at, NULL, :content, :previous, :hash)"),
            {"at": entry.at, "content": entry.text, "previous": START, "hash": hashed},
        )
    old.dispose()
    store = Store(place)
    with store.reading() as view:
        assert [one.id for one in view.search(Query(player="Mei", pattern="self_draw")).entries] == ["id"]
        assert view.marks() == {1: set(marks_of("record", content))}
        (kept,) = view.every()
    assert is_intact(kept)
    with store.writing() as writer:
        assert writer.append("end", {}).previous == hashed
    store.close()


def test_a_newer_database_is_refused(store: Store) -> None:
    with store.engine.connect().execution_options(writes=True) as connection, connection.begin():
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    other = Store(store.place)
    with pytest.raises(StoreError, match="newer"):
        other.open()
    other.close()


def test_an_address_that_is_none() -> None:
    for url in ("mysql://user:secret@host/x", "nonsense://"):
        with pytest.raises(StoreError, match="bad_address") as error:
            Store(find_place(url))
        assert "secret" not in str(error.value)


def test_a_server_that_is_away(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    store = Store(Place(f"postgresql+psycopg://mei:secret@/x?host={tmp_path}", tmp_path))
    with pytest.raises(StoreError, match="unavailable") as error:
        store.open()
    assert "secret" not in str(error.value)
    assert "secret" not in store_sentence(error.value, Texts("zh"))
    store.close()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    store = Store(find_place(str(blocked / "data")))
    with pytest.raises(StoreError, match="unavailable"):
        store.open()
    store.close()


def test_where_the_records_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PAITAI_DATA", str(tmp_path))
    assert find_place() == Place(f"sqlite:///{tmp_path / DATABASE}", tmp_path)
    assert find_place(str(tmp_path / "other")).folder == tmp_path / "other"
    assert find_place("postgresql+psycopg://host/x").folder == tmp_path
    monkeypatch.delenv("PAITAI_DATA")
    assert find_place().folder.name == "paitai"
    assert find_place("postgresql+psycopg://u:pw@host/x").shown() == "postgresql+psycopg://u:***@host/x"


def test_sqlite_is_set_up_for_safety(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SYNCHRONOUS", SYNCHRONOUS)
    store = Store(find_place(str(tmp_path))).open()
    with store.engine.connect().execution_options(writes=True) as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}
    store.close()


def test_photos_are_files_by_hash(tmp_path: Path) -> None:
    photos = Photos(tmp_path)
    sha256 = photos.put(b"a photo")
    assert photos.get(sha256) == b"a photo"
    assert photos.put(b"a photo") == sha256
    assert [path.name for path in tmp_path.glob("??/*.jpg")] == [f"{sha256}.jpg"]
    assert photos.state(sha256) == "whole"
    photos.path(sha256).write_bytes(b"another")
    assert photos.state(sha256) == "changed"
    assert photos.put(b"a photo") == sha256
    assert photos.state("0" * 64) == "missing"
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_only_hashes_name_photos(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no hash"):
        Photos(tmp_path).get(name)


@given(st.text())
def test_clean_text_is_one_line(typed: str) -> None:
    kept = clean(typed)
    assert len(kept) <= 24
    assert kept.isprintable()
    assert kept == clean(kept)
    kept.encode("utf-8")
