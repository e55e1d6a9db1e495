"""A record is verified from its page, opened by others at the table, and names the version of its book."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import (
    at_table,
    entries,
    make_app,
    open_table,
    rewrite,
    settle,
    state,
    store_of,
    words,
)
from webui.records.sharing import address_for_others, link_of
from webui.store.place import DATABASE, Place

ROOT = Path(__file__).parents[4]


@pytest.fixture
def app(tmp_path: Any, reader: Any) -> Iterator[Flask]:
    made = make_app(Place(f"sqlite:///{tmp_path / DATABASE}", tmp_path), reader)
    yield made
    store_of(made).close()


LAN = "http://192.168.1.5:8016/"
HERE = (
    "http://127.0.0.1:8016/",
    "http://localhost:8016/",
    "http://[::1]:8016/",
    "http://0.0.0.0:8016/",
    "http://[::]:8016/",
)
ONLY_HERE = re.compile(r"127\.0\.0\.1|localhost|\[::1?\]|0\.0\.0\.0")


@pytest.mark.parametrize(
    ("host", "phones", "address"),
    [
        *((host, None, "") for host in HERE),
        *((host, LAN, f"{LAN}records/a") for host in HERE),
        (LAN, None, f"{LAN}records/a"),
        ("https://paitai.example/", None, "https://paitai.example/records/a"),
        ("http://[fd00::7]:8016/", None, "http://[fd00::7]:8016/records/a"),
        ("http://[::ffff:127.0.0.1]:8016/", None, ""),
        ("http://[broken/", None, ""),
    ],
)
def test_the_address_is_one_that_the_others_can_open(host: str, phones: str | None, address: str) -> None:
    assert address_for_others("/records/a", host, phones) == address
    link = link_of("/records/a", host, phones)
    assert (link.address, link.picture.startswith("data:image/svg")) == (address, bool(address))


SHARED = {
    "record: link and QR code": "/records/{record}",
    "record: its picture": "/records/{record}",
    "evening: picture and words": "/games/{game}/evening",
    "evening that is over: picture and words": "/games/{game}",
    "table: earlier evenings": "/table",
    "phones: link and QR code": "/phones",
    "phones: the pocket edition's QR code": "/phones?pocket=https://localhost:8017/",
}
"""Every place that hands something on, by the page on which it is made."""


@pytest.mark.parametrize("phones", [None, LAN], ids=["this computer only", "phones are let in"])
def test_nothing_that_is_shared_names_this_computer(
    phones: str | None, app: Flask, client: FlaskClient, page: Any
) -> None:
    """Not in a picture's data, not in words, not as an address; with phones let in, theirs is there."""
    open_table(client)
    page.upload()
    settle(page, into_game=True)
    game = state(app)
    at_table(client, "end")
    app.config["PHONE_URL"] = phones
    for (place, path), host in product(SHARED.items(), HERE[:3]):
        asked = path.format(record=game.hands[0].records[0], game=game.id)
        answer = client.get(asked, base_url=host)
        assert answer.status_code == 200, place
        html = answer.get_data(as_text=True).replace("https://localhost:8017/", "", 2)  # repeated to the sender
        assert ONLY_HERE.findall(html) == [], place
        assert (LAN.rstrip("/") in html) is bool(phones and path != "/table"), place


MAKERS = {
    "webui/records/sharing.py": {"host_url", "segno.make"},  # asks whether others can open it
    "webui/views/api/tokens.py": {"host_url"},  # where a program of this computer asks: read there, sent to nobody
    "webui/views/records/records.py": {"host_url"},  # through sharing.py
    "webui/views/table/evening.py": {"host_url"},  # through sharing.py
    "webui/views/phone/pairing.py": {"segno.make"},  # the phones' address, or one that sharing.py lets through
    "webui/lan/announcement.py": {"segno.make"},  # the phones' address, in the terminal
    "webui/static/js/records/main.js": {"navigator.share", "clipboard.writeText"},  # the text of the page
    "webui/static/js/table/main.js": {"location.href"},  # asks for its own page again
    "webui/static/js/table/stage.js": {"location.href"},  # asks for its own page again
    "webui/static/js/table/refused.js": {"location.href"},  # the path of an entry, for its own form
    "pocket/site/shell.js": {"location.origin"},  # whether a link leads out
    "pocket/site/sw.js": {"location.origin", "location.href"},  # the folder that it answers for
    "webui/static/js/shared/sw.js": {"location.origin"},  # whether a request is ours
}
"""Every file that makes an address with a host or a QR code, or hands something over; a new one must be listed here."""
MAKES = re.compile(
    r"(?:request\.)(host_url|url_root|base_url)|(_external)=True|(segno\.make)|(navigator\.share)\("
    r"|(clipboard\.writeText)|(location\.(?:href|origin))(?! = )"
)


def test_every_place_that_makes_an_address_is_known() -> None:
    found: dict[str, set[str]] = {}
    paths = [path for folder in ("webui", "pocket") for path in (ROOT / folder).rglob("*")]
    for path in paths:
        if path.suffix in (".py", ".js", ".html") and not {"node_modules", "labelling"} & {
            *path.parts
        }:  # the workbench hands nothing on
            made = {next(filter(None, one)) for one in MAKES.findall(path.read_text(encoding="utf-8"))}
            if made:
                found[path.relative_to(ROOT).as_posix()] = made
    found["webui/records/sharing.py"].add("host_url")  # its argument
    assert found == MAKERS


def test_verified_from_its_page(app: Flask, client: FlaskClient, page: Any) -> None:
    page.upload().press(win="self_draw")
    path = settle(page).headers["Location"].split("?")[0]
    assert "沒有被改過：從" not in words(client.get(path).get_data(as_text=True))
    for other in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Referer": "https://evil.example/"},
        {"Origin": "http://evil.example"},
    ):
        assert client.get(f"{path}?verify=1", headers=other).status_code == 403
    own = {"Referer": "http://localhost/records"}
    assert client.get(f"{path}?verify=1", headers=own).status_code == 200
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


@pytest.mark.parametrize(
    ("hosted", "drawn", "refused"),
    [("https://paitai.example/", True, False), ("https://localhost:8017/", False, True), ("http://a/", False, False)],
)
def test_the_pocket_edition_s_address_is_one_that_a_phone_can_open(
    hosted: str, drawn: bool, refused: bool, client: FlaskClient
) -> None:
    html = client.get("/phones", query_string={"pocket": hosted}).get_data(as_text=True)
    assert ("data:image/svg" in html) is drawn
    assert ("手機掃了也打不開" in html) is refused
