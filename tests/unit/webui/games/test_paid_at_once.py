"""當場收、聽牌費: kongs, flowers and ready hands are paid from the table page, and stand in the evening's record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import at_table, hidden, open_table, state, store_of, words
from webui import create_app
from webui.house_rules import registry
from webui.store.upkeep.verify import verify
from webui.views.rules.house_rules import keep, load

FOUR = ("阿明", "小美", "老王", "阿華")
BOOK = """\
based_on = "common"
title = "當場收"
title_en = "At once"
[payment]
ready_points = {value = 50}
concealed_kong_points = {value = 20}
flower_points = {value = 5}
"""


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


@pytest.fixture
def table(app: Flask, client: FlaskClient) -> FlaskClient:
    with app.test_request_context():
        key = keep(load(BOOK.encode(), "a.toml"), BOOK, None)
        assert key in registry.known()
    assert open_table(client, FOUR, rules=key).status_code == 303
    return client


def test_ready_players_are_paid_with_the_drawn_hand(app: Flask, table: FlaskClient) -> None:
    page = words(table.get("/table").get_data(as_text=True))
    assert "沒聽的付給每個聽牌的 50 點" in page
    assert at_table(table, "drawn", f_ready=["-", "1", "3"]).status_code == 303
    game = state(app)
    assert game.totals == {"阿明": -100, "小美": 100, "老王": -100, "阿華": 100}
    assert [row.kind for row in game.rows] == ["fine", "drawn"]
    assert "沒聽牌的付給聽牌的" in words(table.get("/table").get_data(as_text=True))
    assert verify(store_of(app)).findings == ()


@pytest.mark.parametrize("ready", [["-"], ["-", "0", "1", "2", "3"]])
def test_nobody_pays_if_all_or_none_were_ready(app: Flask, table: FlaskClient, ready: list[str]) -> None:
    at_table(table, "drawn", f_ready=ready)
    assert [row.kind for row in state(app).rows] == ["drawn"]


def test_the_fee_can_be_taken_back_and_amended(app: Flask, table: FlaskClient) -> None:
    at_table(table, "drawn", f_ready=["-", "1"])
    at_table(table, "undo")
    at_table(table, "undo")
    assert state(app).rows == ()
    at_table(table, "drawn", f_ready=["-", "1"])
    fee = state(app).rows[0]
    assert (fee.kind, fee.entry.content["asked"]) == (
        "fine",
        {"incident": "ready_paid", "form": [["f_ready", "-"], ["f_ready", "1"]]},
    )
    form = table.get(f"/table/amend/{fee.entry.id}").get_data(as_text=True)
    assert "沒聽牌的付給聽牌的" in words(form)
    assert table.post(f"/table/amend/{fee.entry.id}/lift", data=hidden(form)).status_code == 303
    assert set(state(app).totals.values()) == {0}


def test_a_kong_is_two_taps_from_the_table(app: Flask, table: FlaskClient) -> None:
    page = table.get("/table").get_data(as_text=True)
    part = page[page.index('id="step-at-once"') :]
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="([^"]*at_once[^"]*)"', part)]
    assert len(links) == 8, "two kinds that the book pays, four players"
    sheet = table.get(next(link for link in links if "concealed_kong" in link and "who=2" in link))
    assert "老王當場收" in words(sheet.get_data(as_text=True))
    entered = hidden(sheet.get_data(as_text=True))
    assert table.post("/table/incident/at_once", data=entered).status_code == 303
    assert state(app).totals == {"阿明": -20, "小美": -20, "老王": 60, "阿華": -20}


def test_a_book_without_such_payments_asks_nothing(client: FlaskClient) -> None:
    open_table(client, FOUR, rules="common")
    page = client.get("/table").get_data(as_text=True)
    assert "step-at-once" not in page
    assert 'name="f_ready"' not in page
