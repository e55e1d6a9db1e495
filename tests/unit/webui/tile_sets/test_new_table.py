"""A table with its own records: asked for its tiles when it opens, and no player accused while a tile is in doubt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from tests.unit.webui.support.records_kit import make_app, open_table, store_of
from webui.store.place import Place


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    app = make_app(place, reader)
    yield app
    store_of(app).close()


def test_nobody_is_accused_while_a_tile_is_in_doubt(page: Any, client: Any, reader: Any, hand: Any) -> None:
    open_table(client)
    reader.groups = hand(concealed="234m569p34s11z")
    reader.confidences = {5: 0.7}
    page.upload()
    assert "這張是什麼牌？" in page.text
    assert "相公、詐胡" not in page.text
    page.press("look:5")
    assert "還不是胡牌" in page.text
    assert "相公、詐胡" in page.text


def test_a_table_that_has_just_been_opened_asks_for_its_tiles(client: Any) -> None:
    assert "這桌用哪副牌？" not in client.get("/table").get_data(as_text=True)
    open_table(client)
    html = client.get("/table").get_data(as_text=True)
    assert "這桌用哪副牌？" in html
    assert "略過，直接拍胡的牌" in html


def test_a_table_without_flowers_is_not_asked_for_them(client: Any) -> None:
    open_table(client, without_flowers="1")
    assert "這桌用哪副牌？" not in client.get("/table").get_data(as_text=True)
