"""Holes that strangers found one by one: who may fetch, promote and learn what, and what a phone types."""

from __future__ import annotations

import errno
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.unit.webui.lan.test_phones import PHONE, Phone, act, page_of
from tests.unit.webui.support.records_kit import entries, open_table, state, store_of, words
from webui import create_app
from webui.store.errors import StoreError


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    settings = {"DATA": str(tmp_path / "data"), "KEYS": tmp_path / "keys", "PHONE_URL": "http://192.168.1.5/"}
    return create_app({"READER": object(), **settings})


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Referer": "http://evil.example/"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_another_site_does_not_make_the_owner_fetch_a_backup(app: Flask, headers: dict[str, str], status: int) -> None:
    answer = app.test_client().get("/backup/paitai.zip", headers=headers)
    assert answer.status_code == status
    answer.close()


def test_a_phone_in_the_workbench_promotes_no_model(app: Flask) -> None:
    owner, phone = app.test_client(), Phone(app)
    assert phone.get("/label/models") == 403
    assert owner.post("/label/settings", data={"phones": "on"}).status_code in (302, 303)
    assert phone.get("/label/models") == 200
    assert phone.post("/label/models/promote", model="shipped") == 403


@pytest.mark.parametrize("kind", ["database", "file"])
def test_phones_do_not_learn_where_the_owners_files_are(app: Flask, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    phone, owner = Phone(app), app.test_client()
    place = store_of(app).place.shown()

    reading, left = store_of(app).reading, [1]

    def full() -> Any:
        if not left:
            return reading()
        if kind == "database":
            raise StoreError("disk_full", place=place, reason="database or disk is full")
        left.clear()  # its answer reads the names of house rules
        raise OSError(errno.ENOSPC, "No space left on device", place)

    monkeypatch.setattr(store_of(app), "reading", full)
    shown = phone.client.get("/records", **PHONE).get_data(as_text=True)
    assert "磁碟" in words(shown)
    assert str(store_of(app).place.folder) not in shown
    assert (place in owner.get("/records").get_data(as_text=True)) == (kind == "database")


def test_names_that_look_the_same_are_one_person(app: Flask) -> None:
    phone = Phone(app)
    wide, apart, hidden = "Ａmy", unicodedata.normalize("NFD", "José"), "阿\u200b明\ufeff"
    open_table(app.test_client(), (wide, apart, hidden, "丁"))
    assert state(app).players == ("Amy", "José", "阿明", "丁")
    assert act(phone, "replace", leaves="3", comes="José\u2060") in (409, 422), "he sits there already"
    assert entries(app, "replaced") == []


@pytest.mark.parametrize(("typed", "tai"), [("９", 9), ("１２", 12), (" 7 ", 7)])
def test_tai_of_a_chinese_keyboard(app: Flask, typed: str, tai: int) -> None:
    phone = Phone(app)
    open_table(app.test_client())
    assert act(phone, "won", tai_0=typed, source="1") == 303
    assert entries(app, "hand")[0].content["tai"] == [tai]
    assert f"{tai} 台" in words(page_of(phone))
