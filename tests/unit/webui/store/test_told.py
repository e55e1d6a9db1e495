"""Messages if records cannot be stored: a full disk, a database that is away, a backup that failed."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.unit.webui.support.records_kit import at_table, entries, make_app, open_table, settle, state, store_of, words
from webui import create_app
from webui.store.place import DATABASE, Place
from webui.store.upkeep.rotation import keep_backup
from webui.store.upkeep.verify import verify

PAGES = ("/", "/records", "/table", "/games", "/house", "/sets", "/label", "/sources", "/phones")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of three megabytes; only who may mount one has it."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk can be mounted by root only")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path) -> None:
    """Take every byte that is left, one by one at the end."""
    with (place / "filler").open("ab", buffering=0) as stream:
        for size in (65536, 4096, 512, 1):
            try:
                while True:
                    stream.write(b"x" * size)
            except OSError:
                continue
    assert os.statvfs(place).f_bavail == 0


def test_the_server_starts_on_a_full_disk_to_read(small_disk: Path, reader: Any, page: Any) -> None:
    data = small_disk / "data"
    app = make_app(Place(f"sqlite:///{data / DATABASE}", data), reader)
    page.client = app.test_client()
    page.client.set_cookie("rules", "luohan")
    page.upload()
    assert settle(page).status_code == 303
    open_table(page.client)
    (record,) = entries(app, "record")
    store_of(app).close()
    fill(small_disk)
    command = [sys.executable, "-m", "paitai", "serve", "--port", "0", "--no-browser", "--lang", "en"]
    with subprocess.Popen([*command, "--data", str(data)], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1].rstrip("/")
            for path in (*PAGES, f"/records/{record.id}", f"/records/{record.id}/photo1.jpg"):
                with urllib.request.urlopen(address + path, timeout=30) as answer:
                    assert answer.status == 200, path
            request = urllib.request.Request(f"{address}/api/score", data=b"{}", headers={"Host": "127.0.0.1"})
            with pytest.raises(urllib.error.HTTPError):
                urllib.request.urlopen(request, timeout=30)  # refused for what it is, not for the disk
        finally:
            server.terminate()
    (small_disk / "filler").unlink()
    again = make_app(Place(f"sqlite:///{data / DATABASE}", data), reader)
    assert verify(store_of(again)).findings == ()
    assert at_table(again.test_client(), "drawn").status_code == 303
    store_of(again).close()


def test_what_a_full_disk_refuses_is_told_and_the_rest_can_be_read(small_disk: Path, reader: Any, page: Any) -> None:
    data = small_disk / "data"
    app = make_app(Place(f"sqlite:///{data / DATABASE}", data), reader)
    page.client = app.test_client()
    page.client.set_cookie("rules", "luohan")
    open_table(page.client)
    page.upload()
    fill(small_disk)
    refused = settle(page, into_game=True)
    assert refused.status_code == 507
    assert "騰出空間" in words(refused.get_data(as_text=True))
    assert entries(app, "record") == []
    for path in PAGES:
        assert page.client.get(path, follow_redirects=True).status_code == 200, path
    assert "磁碟滿了" in words(at_table(page.client, "drawn").get_data(as_text=True))
    (small_disk / "filler").unlink()
    assert settle(page, into_game=True).status_code == 303
    assert len(state(app).hands) == 1
    store_of(app).close()


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("path", ["/records", "/table", "/records/nosuch", "/games", "/house"])
def test_a_database_that_is_away_is_told_and_nothing_is_called_missing(path: str, lang: str, tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    app = create_app(
        {"DATA": "postgresql+psycopg://nobody:hush@127.0.0.1:9/none", "READER": object(), "BACKUPS": tmp_path}
    )
    client = app.test_client()
    client.set_cookie("lang", lang)
    answer = client.get(path)
    assert answer.status_code in (200, 503, 507), answer.status_code
    told = words(answer.get_data(as_text=True))
    assert {"zh": "資料庫", "en": "database"}[lang] in told
    assert "hush" not in told
    store_of(app).close()


@pytest.mark.parametrize(("lang", "said"), [("zh", "自動備份沒有做成"), ("en", "automatic backup was not made")])
def test_a_backup_that_failed_is_told_where_records_are_looked_at(
    lang: str, said: str, tmp_path: Path, reader: Any
) -> None:
    data, stick = tmp_path / "data", tmp_path / "stick"
    app = make_app(Place(f"sqlite:///{data / DATABASE}", data), reader)
    store_of(app).second_place = stick
    client = app.test_client()
    open_table(client)
    client.set_cookie("lang", lang)
    pages = ("/records", f"/games/{state(app).id}/evening")
    keep_backup(store_of(app))
    for path in pages:
        assert 'id="failed-backup"' not in client.get(path).get_data(as_text=True), path
    for made in stick.iterdir():
        made.unlink()
    stick.rmdir()
    stick.write_text("a file where the memory stick was")
    with pytest.raises(Exception, match="backup_failed"):
        keep_backup(store_of(app))
    for path in pages:
        told = client.get(path).get_data(as_text=True)
        assert 'id="failed-backup"' in told, path
        assert said in words(told)
        assert "paitai backup" in told
    store_of(app).close()
