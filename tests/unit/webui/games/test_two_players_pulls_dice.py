"""二人、拉與踢半、胡牌骰 at the running table: sitting down, the rows, the sentences, what a form must say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import at_table, open_table, state, store_of, won, words
from webui import create_app
from webui.views.rules.house_rules import keep, load
from webui.views.table.steps import game_and_stale

FOUR = ("阿明", "小美", "老王", "阿華")
BOOK = 'based_on = "common"\ntitle = "港式桌"\ntitle_en = "Hong Kong table"\n[payment]\n'


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def sit(app: Flask, client: FlaskClient, payment: str, names: tuple[str, ...] = FOUR, **more: str) -> None:
    with app.test_request_context():
        key = keep(load((BOOK + payment).encode(), "a.toml"), BOOK + payment, None)
    assert open_table(client, names, rules=key, **more).status_code == 303


def page_of(client: FlaskClient) -> str:
    return words(client.get("/table").get_data(as_text=True))


def test_pulls_stand_in_the_rows_and_beside_the_names(app: Flask, client: FlaskClient) -> None:
    sit(app, client, 'pulls = "half_more_half_back"\nbase = {value = 10}\nper_tai = {value = 2}\n')
    won(client, 1, 0, source="2")
    won(client, 1, 0, source="2")
    game = state(app)
    assert game.totals == {"阿明": 0, "小美": 27, "老王": -27, "阿華": 0}
    assert "拉：老王多付小美 5" in page_of(client)
    assert "被小美拉 2 次，27 點" in page_of(client)
    won(client, 2, 0)
    assert "踢半：小美退老王 14" in page_of(client)
    at_table(client, "undo")
    assert state(app).totals["小美"] == 27
    csv = client.get(f"/games/{game.id}/export.csv").get_data(as_text=True)
    assert "拉：老王多付小美 5" in csv


def test_a_correction_of_the_first_hand_moves_the_pull(app: Flask, client: FlaskClient) -> None:
    sit(app, client, 'pulls = "half_more_half_back"\nbase = {value = 10}\nper_tai = {value = 2}\n')
    won(client, 1, 0, source="2")
    won(client, 1, 0, source="2")
    first = state(app).hands[0].entry.id
    at_table(client, f"amend/{first}", tai_1="0", source="3")
    assert state(app).totals == {"阿明": 0, "小美": 22, "老王": -12, "阿華": -10}
    assert "拉：" not in page_of(client)


def test_the_dice_must_be_said_and_multiply(app: Flask, client: FlaskClient) -> None:
    sit(app, client, 'win_dice = "multiplies"\nbase = {value = 10}\nper_tai = {value = 2}\n')
    assert 'name="win_dice"' in client.get("/table").get_data(as_text=True)
    refused = won(client, 1, 0, source="2")
    assert refused.status_code == 422
    assert "請填贏家擲出的點數" in words(refused.get_data(as_text=True))
    won(client, 1, 0, source="2", win_dice="6")
    assert state(app).totals["小美"] == 60
    entry = state(app).hands[0].entry
    assert (entry.content["said"], entry.content["why"]) == ({"win_dice": "6"}, ["win_dice"])
    won(client, 1, 0, source="2", win_dice="1")
    entry = state(app).hands[1].entry
    assert (entry.content["said"], entry.content["why"]) == ({"win_dice": "1"}, []), "a throw of one multiplies nothing"


def test_a_book_without_dice_asks_for_none(app: Flask, client: FlaskClient) -> None:
    sit(app, client, "base = {value = 10}\n")
    assert 'name="win_dice"' not in client.get("/table").get_data(as_text=True)


def test_two_sit_down_and_play(app: Flask, client: FlaskClient) -> None:
    sit(app, client, "base = {value = 10}\nper_tai = {value = 2}\n", ("阿明", "小美"), players="2")
    game = state(app)
    assert game.players == ("阿明", "小美")
    won(client, 1, 3)
    totals = state(app).totals
    assert sum(totals.values()) == 0
    assert totals["小美"] > 0
    assert state(app).dealer == "小美"
    assert "不到四個人打" in words(client.get("/table/wall").get_data(as_text=True))
    missing = {"name_0": "阿明", "name_1": "", "first_dealer": "0", "players": "2", "rules": "common"}
    at_table(client, "end")
    answer = client.post("/table/start", data=missing)
    assert answer.status_code == 422
    assert "請填兩個不同的名字" in words(answer.get_data(as_text=True))


def test_what_a_correction_would_pay_has_the_pull_in_it(app: Flask, client: FlaskClient) -> None:
    """「當時」 and 「更正後」 are the row's own points, so the totals move by what was announced."""
    sit(app, client, 'pulls = "half_more_half_back"\nbase = {value = 10}\nper_tai = {value = 2}\n')
    won(client, 0, 1, source="1")
    won(client, 2, 5, source="3")
    won(client, 2, 5, source="3")
    first = state(app).hands[0].entry.id
    at_table(client, f"amend/{first}", ended="won", tai_1="1", source="0")
    with app.test_request_context():
        game, stale = game_and_stale(state(app).id)
    assert stale
    for outdated in stale:
        assert outdated.kept == next(row for row in game.rows if row.entry.id == outdated.hand.entry.id).points
    at_table(client, "recompute")
    rows = {row.entry.id: row.points for row in state(app).rows}
    assert {outdated.hand.entry.id: rows[outdated.hand.entry.id] for outdated in stale} == {
        outdated.hand.entry.id: outdated.now for outdated in stale
    }
    with app.test_request_context():
        assert not game_and_stale(state(app).id)[1]
