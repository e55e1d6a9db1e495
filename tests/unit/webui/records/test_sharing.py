"""A record is verified from its page, opened by others at the table, and names the version of its book."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import entries, make_app, rewrite, settle, store_of, words
from webui.records.sharing import link_of
from webui.store.place import DATABASE, Place


@pytest.fixture
def app(tmp_path: Any, reader: Any) -> Iterator[Flask]:
    made = make_app(Place(f"sqlite:///{tmp_path / DATABASE}", tmp_path), reader)
    yield made
    store_of(made).close()


@pytest.mark.parametrize(
    ("host", "phones", "address", "reaches"),
    [
        ("http://127.0.0.1:8016/", None, "http://127.0.0.1:8016/records/a", False),
        ("http://localhost:8016/", None, "http://localhost:8016/records/a", False),
        ("http://127.0.0.1:8016/", "http://192.168.1.5:8016/", "http://192.168.1.5:8016/records/a", True),
        ("http://192.168.1.5:8016/", None, "http://192.168.1.5:8016/records/a", True),
    ],
    ids=["this computer", "its name", "phones are let in", "from a phone"],
)
def test_the_address_is_one_that_the_others_can_open(
    host: str, phones: str | None, address: str, reaches: bool
) -> None:
    link = link_of("/records/a", host, phones)
    assert (link.address, link.reaches, link.picture.startswith("data:image/svg")) == (address, reaches, reaches)


def test_verified_from_its_page(app: Flask, client: FlaskClient, page: Any) -> None:
    page.upload().press(win="self_draw")
    path = settle(page).headers["Location"].split("?")[0]
    assert "沒有被改過：從" not in words(client.get(path).get_data(as_text=True))
    assert client.get(f"{path}?verify=1", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert client.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200
    text = words(client.get(f"{path}?verify=1").get_data(as_text=True))
    assert "沒有被改過：從第一筆到最後一筆共 1 筆" in text
    (entry,) = entries(app, "record")
    rewrite(store_of(app), entry.seq, entry.text.replace('"wins":true', '"wins":false'))
    text = words(client.get(f"{path}?verify=1").get_data(as_text=True))
    assert "沒有被改過：" not in text
    assert "第 1 筆：" in text


def test_the_version_of_the_book_is_on_answer_record_and_card(app: Flask, client: FlaskClient, page: Any) -> None:
    page.upload().press(win="self_draw")
    (version,) = {part.split("）")[0] for part in page.text.split("版本 ")[1:]}
    assert len(version) == 6
    html = client.get(settle(page).headers["Location"]).get_data(as_text=True)
    assert html.count(f"版本 {version}") + html.count(f"\\u7248\\u672c {version}") >= 2
