"""A table's photo and zones in a backup: restored, merged, or on a phone they come back, and the dispute with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pocket.worker.application import Application
from tests.unit.pocket.test_application import upload
from tests.unit.webui.support.records_kit import entries, open_table, store_of
from tests.unit.webui.support.whole_tables import WON, TableReader, record_won, state_of_rows
from webui import create_app
from webui.store.place import find_place
from webui.store.store import Store
from webui.store.upkeep.backup import backup, restore
from webui.store.upkeep.merging.merge import merge
from webui.store.upkeep.verify import verify


@pytest.fixture
def saved(tmp_path: Path, jpeg: bytes) -> tuple[Path, str, str, bytes]:
    """A backup, the record in it, its page with a dispute, and its photo."""
    app = create_app({"READER": TableReader(1), "DATA": str(tmp_path / "laptop")})
    client = app.test_client()
    assert record_won(client, jpeg).status_code == 303
    (entry,) = entries(app, "record")
    dispute = {"who": "小美", "claim": "那張 9 條是我的。"}
    assert client.post(f"/records/{entry.id}/disputes", data=dispute).status_code == 303
    page = client.get(f"/records/{entry.id}").get_data(as_text=True)
    photo = client.get(f"/records/{entry.id}/photo1.jpg").data
    backup(store_of(app), tmp_path / "a.zip")
    store_of(app).close()
    return tmp_path / "a.zip", entry.id, page, photo


def zones_on(page: str) -> list[str]:
    """The boxes of the zones, and the list of zones with their tiles."""
    assert page.count('class="box of-') == len(state_of_rows(*WON).tiles)
    return re.findall(r'<(?:rect class="box|li class="of)[^>]*>', page)


@pytest.mark.parametrize("way", ["restore", "merge"])
def test_photo_zones_and_dispute_come_back(way: str, saved: tuple[Path, str, str, bytes], tmp_path: Path) -> None:
    file, record, before, photo = saved
    data = tmp_path / "other"
    if way == "merge":  # beside an evening of its own
        there = create_app({"DATA": str(data)})
        open_table(there.test_client())
        store_of(there).close()
    store = Store(find_place(str(data)))
    if way == "restore":
        restore(store, file)
    else:
        merge(store, file, lambda chain, book_file: ())
    store.close()
    app = create_app({"READER": TableReader(1), "DATA": str(data)})
    client = app.test_client()
    page = client.get(f"/records/{record}").get_data(as_text=True)
    assert zones_on(page) == zones_on(before)
    assert "那張 9 條是我的。" in page
    assert client.get(f"/records/{record}/photo1.jpg").data == photo
    report = verify(store_of(app))
    assert (report.whole, report.photos, report.findings) == (True, 1, ())
    store_of(app).close()


def test_a_phone_shows_them_and_gives_them_back(saved: tuple[Path, str, str, bytes], tmp_path: Path) -> None:
    file, record, before, photo = saved
    phone = Application(tmp_path / "phone", "/folder/")
    headers, body = upload(file)
    assert phone.answer("POST", "/pocket/restore", "", headers, body).status == 303
    shown = phone.answer("GET", f"/records/{record}", "", {}, b"")
    assert zones_on(shown.body.decode()) == zones_on(before)
    assert phone.answer("GET", f"/records/{record}/photo1.jpg", "", {}, b"").body == photo
    (tmp_path / "b.zip").write_bytes(phone.answer("GET", "/pocket/backup.zip", "", {}, b"").body)
    again = Store(find_place(str(tmp_path / "again")))
    restore(again, tmp_path / "b.zip")
    with again.reading() as view:
        entry = view.entry(record, "record")
    assert entry is not None
    assert len(entry.content["table"]["tiles"]) == len(state_of_rows(*WON).tiles)
    assert verify(again).photos == 1
    again.close()
