"""The page asks and pays every choice of a house book: false wins, drawn hands, 明槓自摸包, 人胡 with 地聽."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import (
    at_table,
    entries,
    hidden,
    open_table,
    settle,
    state,
    store_of,
    words,
)
from webui import create_app

KONG = {"concealed": "234m567p11z", "winning": "5s", "meld:1": "5555m", "meld:2": "777z", "flowers": ""}
KONG_HAND = {**KONG, "concealed": "234m567p34s11z"}


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def house(client: FlaskClient, base: str = "common", **settings: Any) -> str:
    """The key of a new house book with these settings."""
    fields = {f"pay.{name}": str(value) for name, value in settings.items()}
    answer = client.post("/house", data={"title": "我們的", "base": base, **fields})
    assert answer.status_code == 303, words(answer.get_data(as_text=True))
    return str(re.search(r"house-[^?]+", answer.headers["Location"])[0])  # type: ignore[index]


def step(html: str, id_: str) -> str:
    """One of the table's folded forms."""
    return html[html.index(f'id="{id_}"') :].split("</details>")[0]


@pytest.mark.parametrize(
    ("settings", "fields", "points", "shown"),
    [
        # base 3 and 1 a tai; 小美 did it, 阿明 deals: one tai more with him
        ({"false_win": "base_plus_tai", "false_win_tai": 5}, {}, (9, 8, 8), "一底加固定台數（5 台）；賠三家"),
        ({"false_win": "tai_only", "false_win_tai": 10}, {}, (10, 10, 10), "固定台數，不含底（10 台）；賠三家"),
        ({"false_win": "base_plus_waiting_tai"}, {"face_tai": "4"}, (8, 7, 7), "他自己聽的那副牌幾台"),
        ({"false_win": "base_plus_8", "false_win_to": "dealer_only"}, {}, (12, 0, 0), "只賠莊家"),
        ({"false_win": "base_plus_face_tai"}, {"face_tai": "2"}, (6, 5, 5), "他攤的牌幾台"),
        ({"false_win": "fixed_16"}, {"waiting_2": "1"}, (16, 32, 16), "誰正好聽那張"),
    ],
    ids=str,
)
def test_every_false_win_has_its_fields(
    app: Flask, client: FlaskClient, settings: Any, fields: Any, points: tuple[int, ...], shown: str
) -> None:
    open_table(client, rules=house(client, **settings))
    form = step(client.get("/table").get_data(as_text=True), "step-false")
    assert shown in words(form)
    assert all(f'name="{name}"' in form for name in fields)
    assert at_table(client, "false-win", offender="1", **fields).status_code == 303
    totals = state(app).totals
    assert (totals["阿明"], totals["老王"], totals["Grace"]) == points
    assert totals["小美"] == -sum(points)
    # put right by the same fields: the same player, the same payment
    entry = state(app).hands[0].entry.id
    page = client.get(f"/table/amend/{entry}").get_data(as_text=True)
    assert all(f'name="{name}"' in page for name in fields)
    client.post(f"/table/amend/{entry}", data={**hidden(page), "ended": "false_win", "offender": "2", **fields})
    assert state(app).totals["老王"] < 0


@pytest.mark.parametrize(
    ("choice", "fields", "dealer", "streak"),
    [
        ("deal_passes", {}, "小美", 0),
        ("stays_if_ready", {"dealer_ready": "1"}, "阿明", 1),
        ("stays_if_ready", {}, "小美", 0),
        ("streak_same", {}, "阿明", 0),
        ("streak_agreed", {"counts": "1"}, "阿明", 1),
        ("streak_agreed", {}, "阿明", 0),
    ],
    ids=str,
)
@pytest.mark.parametrize("amended", [False, True], ids=["entered", "amended"])
def test_drawn_hands_by_the_book(
    app: Flask, client: FlaskClient, choice: str, fields: Any, dealer: str, streak: int, amended: bool
) -> None:
    """過莊, 聽牌連莊, agreed or not: the same when a past hand is corrected to a drawn one."""
    open_table(client, rules=house(client, drawn_hand=choice))
    if amended:
        at_table(client, "won", tai_2="3", source="1")
        entry = state(app).hands[0].entry.id
        page = client.get(f"/table/amend/{entry}").get_data(as_text=True)
        answer = client.post(f"/table/amend/{entry}", data={**hidden(page), "ended": "drawn", **fields})
    else:
        answer = at_table(client, "drawn", **fields)
    assert answer.status_code == 303
    assert (state(app).dealer, state(app).session.streak) == (dealer, streak)


def test_the_board_asks_who_discarded_the_tile_of_an_exposed_kong(
    app: Flask, client: FlaskClient, page: Any, reader: Any
) -> None:
    """明槓自摸包: no payment before the feeder is named; then he pays for all three, on the board, the table and the
    record."""
    reader.groups = KONG_HAND
    open_table(client, rules=house(client, exposed_kong_draw="feeder_pays"))
    page.upload()
    page.press(win="self_draw", seat="S", dealer="E")
    assert "kong-feeder" not in page.html
    page.press(events=["kong_replacement"])
    page.press(re.search(r'value="([^"]+)" id="answer-1"', page.html)[1])  # type: ignore[index]  # 明槓
    assert 'id="kong-feeder"' in page.html
    assert "選槓的那張是誰打的" in page.text
    assert "settle-game" not in page.html
    assert settle(page).status_code == 409  # nor can it be kept by a form of its own
    page.press(responsible="N")
    assert "Grace代阿明付小美" in page.text
    assert "由打出那張槓牌的人付三家" in page.text
    assert settle(page, into_game=True).status_code == 303
    totals = state(app).totals
    assert totals["Grace"] == -totals["小美"] < 0
    assert totals["阿明"] == totals["老王"] == 0
    (record,) = entries(app, "record")
    assert record.content["request"]["responsible"] == record.content["context"]["responsible"] == "N"


def test_a_hand_that_was_typed_says_who_fed_the_kong(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules=house(client, exposed_kong_draw="feeder_pays"))
    assert 'name="kong_fed_by"' in client.get("/table").get_data(as_text=True)
    at_table(client, "won", tai_1="2", source="self_draw", kong_fed_by="3")
    totals = state(app).totals
    assert (totals["小美"], totals["Grace"]) == (16, -16)  # 6 and 5 and 5
    entry = state(app).hands[0].entry
    assert entry.content["why"] == ["kong_fed"]
    page = client.get(f"/table/amend/{entry.id}").get_data(as_text=True)
    assert re.search(r'id="kong_fed_by">.*<option value="3" selected>', page)
    at_table(client, "undo")
    at_table(client, "won", tai_1="2", source="self_draw")
    assert state(app).totals["Grace"] == -5


def test_other_books_ask_for_no_feeder(client: FlaskClient, page: Any, reader: Any) -> None:
    reader.groups = KONG_HAND
    open_table(client, rules="luohan")
    assert "kong_fed_by" not in client.get("/table").get_data(as_text=True)
    page.upload()
    page.press(win="self_draw", seat="S", dealer="E", events=["kong_replacement"])
    assert "kong-feeder" not in page.html


@pytest.mark.parametrize(("rules", "contradicts"), [("sml", False), ("luohan", True)])
def test_the_book_is_asked_whether_two_events_contradict(
    client: FlaskClient, page: Any, reader: Any, rules: str, contradicts: bool
) -> None:
    """A ready book whose 人胡 leaves 地聽 out accepts both; in another book they contradict."""
    rules = house(client, rules) if rules == "sml" else rules
    reader.groups = {"concealed": "123m456m789p55s678s44z", "winning": "4z", "flowers": ""}
    page.upload()
    page.press(win="discard", seat="S", dealer="E", discarder="N", rules=rules, events=["earthly_ready"])
    chip = re.search(r'<input[^>]*value="human_win"[^>]*>', page.html)
    assert chip is not None
    assert ("disabled" in chip[0]) is contradicts


def test_flowers_under_a_book_without_flowers_are_noted(client: FlaskClient, page: Any) -> None:
    """A wall of 136 tiles: the board warns that the flowers may be misread, and counts on."""
    answer = client.post("/house", data={"title": "無花", "base": "common"})
    key = str(re.search(r"house-[^?]+", answer.headers["Location"])[0])  # type: ignore[index]
    toml = client.get(f"/house/{key}.toml").get_data(as_text=True) + '\n[rulings]\nwall_tiles = "without_flowers"\n'
    from io import BytesIO

    answer = client.post("/house/import", data={"file": (BytesIO(toml.encode()), "a.toml")})
    key = str(re.search(r"house-[^?]+", answer.headers["Location"])[0])  # type: ignore[index]
    page.upload()
    page.press(win="self_draw", seat="S", dealer="E", rules=key)
    assert "這本規則書用 136 張、沒有花牌" in page.text
    page.press(rules="common")
    assert "136 張" not in page.text


def test_a_typed_win_keeps_to_the_least_tai_and_the_caps(app: Flask, client: FlaskClient) -> None:
    """The table pays as the tally does: fewer tai do not win, more than the cap count the cap."""
    open_table(client, rules=house(client, least_tai=3, tai_cap=10, points_cap=12))
    refused = at_table(client, "won", tai_1="2", source="2")
    assert refused.status_code == 422
    assert "2 台不到這一桌的起胡（3 台）" in words(refused.get_data(as_text=True))
    assert not state(app).hands
    at_table(client, "won", tai_1="13", source="2")
    assert state(app).totals["小美"] == 12  # base 3 and 10 tai are 13 points
