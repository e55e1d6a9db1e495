"""/stage: the room's page shows the evening, the last hand and the live view, and is 304 while nothing changes."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import NAMES, at_table, open_table, settle, won, words
from vision.detection.types import Detection
from vision.multiview.tracking import Tracking
from webui.views.stage import live_of
from webui.web.extensions import WATCHING

READY = ["1m", "2m", "3m", "4m", "5m", "6m", "1p", "2p", "3p", "7s", "8s", "9s", "5z", "5z", "2s", "3s"]


def text_of(client: FlaskClient, address: str = "/stage") -> str:
    return words(client.get(address).get_data(as_text=True))


def tracked(codes: list[str], frames: int = 8) -> Tracking:
    """A still picture of a row of tiles."""
    tracking = Tracking()
    for _ in range(frames):
        row = [Detection(code, (60.0 * at, 100.0, 60.0 * at + 58, 180.0), 0.99) for at, code in enumerate(codes)]
        tracking = tracking.after(row, (1100, 400))
    return tracking


def test_it_shows_totals_and_the_last_hand_and_follows(client: FlaskClient) -> None:
    assert "還沒有開桌" in text_of(client)
    open_table(client)
    won(client, 1, 3, "2")
    page = client.get("/stage")
    text = words(page.get_data(as_text=True))
    for sentence in (*NAMES, "第 1 把", "小美 3 台胡（老王放槍）", "打了 1 把"):
        assert sentence in text
    same = client.get("/stage", headers={"If-None-Match": page.headers["ETag"]})
    assert same.status_code == 304
    won(client, 0, 2)
    assert client.get("/stage", headers={"If-None-Match": page.headers["ETag"]}).status_code == 200
    assert "第 2 把" in text_of(client)
    at_table(client, "end")
    assert "第 2 把" in text_of(client)


def test_the_tiles_and_tai_of_a_photographed_hand(client: FlaskClient, page: Any) -> None:
    open_table(client)
    page.upload()
    settle(page, into_game=True)
    html = client.get("/stage").get_data(as_text=True)
    assert html.count('class="tile') >= 17
    assert "stage-patterns" in html


def test_transparent_on_request(client: FlaskClient) -> None:
    assert 'class="stage clear"' in client.get("/stage?clear=1").get_data(as_text=True)
    assert 'class="stage"' in client.get("/stage").get_data(as_text=True)


def test_the_live_view_and_its_waits(app: Flask, client: FlaskClient) -> None:
    assert list(live_of(tracked(READY)).waits) == ["1s", "4s"]
    assert not live_of(tracked(READY, 2)).waits  # not settled
    assert not live_of(tracked(READY[:14])).waits
    assert "鏡頭前" not in text_of(client)
    app.extensions[WATCHING].put("0" * 8, tracked(READY))
    html = client.get("/stage").get_data(as_text=True)
    assert "鏡頭前" in html
