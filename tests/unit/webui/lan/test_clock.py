"""The computer's clock jumps: phones stay paired, backups stay, and the records say so."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from webui import create_app
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.rotation import KEPT, _next_name, keep_backup
from webui.store.upkeep.verify import verify

PHONE = {"environ_base": {"REMOTE_ADDR": "192.168.1.9"}, "base_url": "http://192.168.1.5/"}
DAY = 86_400.0


@pytest.mark.parametrize("jump", [-DAY, -6 * 365 * DAY, 12 * 365 * DAY], ids=["a day back", "to 2020", "to 2038"])
def test_a_phone_stays_paired_when_the_clock_jumps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    app = create_app({"DATA": str(tmp_path), "READER": object(), "SECRET_KEY": "x"})
    client = app.test_client()
    answer = client.get("/pair", query_string={"key": app.extensions["paitai.door"].key}, **PHONE)
    assert "Max-Age=2592000" in answer.headers["Set-Cookie"]
    assert "Expires" not in answer.headers["Set-Cookie"]
    assert client.get("/records", **PHONE).status_code == 200
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() + jump)
    assert client.get("/records", **PHONE).status_code == 200


def test_a_cookie_of_a_month_ago_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = create_app({"DATA": str(tmp_path), "READER": object(), "SECRET_KEY": "x"})
    client = app.test_client()
    client.get("/pair", query_string={"key": app.extensions["paitai.door"].key}, **PHONE)
    monkeypatch.setattr("webui.web.pairings.steady._STARTED", time.time() - time.monotonic() + 31 * DAY)
    assert client.get("/records", **PHONE).status_code == 401


def test_backups_are_kept_by_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(Place(f"sqlite:///{tmp_path / DATABASE}", tmp_path))
    with store.writing() as writer:
        writer.append("person", {"name": "a", "is": None})
    folder = tmp_path / "backups"
    folder.mkdir()
    for number in range(KEPT):
        (folder / f"paitai-20990101-00000{number}.zip").write_bytes(b"an evening before")
    for _ in range(2):
        keep_backup(store)
    there = sorted(path.name for path in folder.glob("*.zip"))
    assert len(there) == KEPT
    assert [(folder / name).read_bytes()[:2] == b"PK" for name in there[-2:]] == [True, True], "both new ones stay"
    store.close()


def test_names_of_backups_only_go_forward() -> None:
    assert _next_name("") <= _next_name("paitai-99991231-235958.zip") == "paitai-99991231-235959.zip"


def test_verify_tells_of_a_clock_that_went_back(tmp_path: Path) -> None:
    store = Store(Place(f"sqlite:///{tmp_path / DATABASE}", tmp_path))
    with store.writing() as writer:
        for at in ("2026-11-27T20:00:00Z", "2020-01-01T00:00:00Z", "2038-01-01T00:00:00Z", "2026-11-27T21:00:00Z"):
            writer.append("person", {"name": "a", "is": None}, at=at)
    report = verify(store)
    assert [(finding.seq, finding.what) for finding in report.findings] == [(2, "clock"), (4, "clock")]
    assert report.whole, "nothing was changed"
    store.close()
