"""包牌 on the referee's sheet: who is liable for the win of an incident, and what is entered."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import entries, open_table, state, store_of, words
from webui import create_app

SEVERAL = {"f_discarder": "0", "f_claims_1": "3", "f_claims_3": "1"}
TRUE = {"who": "2", "f_shown": "0", "f_true_win_winner": "1", "f_true_win_discarder": "0", "f_true_win_tai": "3"}
WRONG = {"who": "0", "f_noticed": "won", "f_wins_1": "3"}
EXTRAS = re.compile(r"<label for=\"x-responsible[^>]*>([^<]+)</label><select[^>]*name=\"(\w+)\">(.*?)</select>", re.S)


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def sheet(client: FlaskClient, incident: str, **fields: Any) -> str:
    return client.get(f"/table/incident/{incident}", query_string=fields).get_data(as_text=True)


def offered(html: str) -> dict[str, tuple[str, list[str], str]]:
    """The selects of liable players by field: label, players in order, and the one who is selected ("" for nobody)."""
    return {
        name: (
            label,
            re.findall(r'value="\d"[^>]*>([^<]+)', options),
            "".join(re.findall(r"selected>([^<]+)", options)),
        )
        for label, name, options in EXTRAS.findall(html)
    }


def house_table(client: FlaskClient, choice: str) -> None:
    """A table that plays by a house book on luohan with its own rule on 包牌."""
    file = (
        f'id = "house"\ntitle = "我們"\ntitle_en = "ours"\nbased_on = "luohan"\npayment.responsibility = "{choice}"\n'
    )
    took = client.post("/house/import", data={"file": (io.BytesIO(file.encode()), "ours.toml")})
    open_table(client, rules=re.search(r"house-[\w-]+", took.headers["Location"])[0])  # type: ignore[index]


@pytest.mark.parametrize(
    ("lang", "label"), [("zh", "小美這一胡誰要包牌"), ("en", "Who is responsible for 小美&#39;s win")]
)
def test_each_winner_is_asked_for_and_nobody_is_the_default(client: FlaskClient, lang: str, label: str) -> None:
    open_table(client, rules="mahjong_time")
    client.set_cookie("lang", lang)
    first = offered(sheet(client, "several_wins", **SEVERAL))
    assert set(first) == {"f_responsible_1", "f_responsible_3"}
    assert first["f_responsible_1"] == (label, ["阿明", "老王", "Grace"], "")
    html = sheet(client, "several_wins", **SEVERAL, f_responsible_1="0")
    assert offered(html)["f_responsible_1"][2] == "阿明"
    assert {"zh": "小美這一胡由阿明包牌", "en": "阿明 is responsible for 小美"}[lang] in words(html)
    assert "放水玩家須賠償所有輸家" in html  # 003 L189


def test_the_true_win_stays_when_a_liable_player_is_added(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="mahjong_time")
    html = sheet(client, "false_win", **TRUE)
    assert offered(html) == {"f_responsible": ("這一胡誰要包牌", ["阿明", "老王", "Grace"], "")}
    assert re.findall(r"selected>([^<]+)", html)[:2] == ["小美", "阿明"]
    assert 'name="f_true_win_tai" inputmode="numeric" maxlength="3" value="3"' in html
    game = state(app)
    fields = {**TRUE, "f_responsible": "0", "game": game.id, "head": game.head}
    assert client.post("/table/incident/false_win", data=fields).status_code == 303
    assert state(app).totals == {"阿明": -19, "小美": 19, "老王": 0, "Grace": 0}  # the dealer's 7, and 6 for each other
    assert ["f_responsible", "0"] in entries(app)[-1].content["asked"]["form"]


@pytest.mark.parametrize(("choice", "paid"), [("feeder_pays", (0, -7)), ("feeder_pays_half", (-4, -3))])
def test_the_table_pays_as_its_book_says(app: Flask, client: FlaskClient, choice: str, paid: tuple[int, int]) -> None:
    house_table(client, choice)
    assert set(offered(sheet(client, "wrong_meld_discard", **WRONG))) == {"f_responsible_1"}
    game = state(app)
    fields = {**WRONG, "f_responsible_1": "2", "game": game.id, "head": game.head}
    assert client.post("/table/incident/wrong_meld_discard", data=fields).status_code == 303
    totals = state(app).totals
    assert (totals["阿明"], totals["老王"]) == paid
    assert "由老王包牌" in entries(app)[-1].content["say"]["zh"]


def test_nothing_is_asked_of_who_did_not_win(client: FlaskClient) -> None:
    open_table(client)
    html = sheet(client, "wrong_meld_discard", who="0", f_noticed="uncalled")
    assert offered(html) == {}
    assert "還有別的情形" not in html, "the sheet would have a button and no field"
    assert "還有別的情形" in sheet(client, "wrong_meld_discard", **WRONG)


def test_a_silent_book_pays_as_usual_and_asks_how_the_table_plays(client: FlaskClient) -> None:
    open_table(client)
    won = {"f_winner": "1", "f_win": "discard", "f_discarder": "0", "f_tai": "3"}
    html = sheet(client, "pay_in_place", **won)
    assert offered(html)["f_responsible"][1] == ["阿明", "老王", "Grace"]
    assert 'id="rule-responsibility"' not in html
    html = sheet(client, "pay_in_place", **won, f_responsible="2")
    assert "老王不用包" in words(html)
    assert 'id="rule-responsibility"' in html


@pytest.mark.parametrize(
    ("incident", "fields", "named"),
    [
        ("false_win", {**TRUE, "f_responsible": "1"}, "facts.true_win.winner"),
        ("false_win", {"who": "2", "f_shown": "0", "f_responsible": "1"}, "facts.true_win"),
        ("several_wins", {**SEVERAL, "f_responsible_1": "1"}, "facts.responsible.S"),
        ("several_wins", {**SEVERAL, "f_responsible_2": "1"}, "facts.responsible"),
        ("several_wins", {**SEVERAL, "f_responsible_1": "7"}, "facts.responsible.S"),
    ],
)
def test_who_cannot_be_liable_is_refused_by_name(
    app: Flask, client: FlaskClient, incident: str, fields: dict[str, str], named: str
) -> None:
    open_table(client, rules="mahjong_time")
    before = entries(app)
    answer = client.get(f"/table/incident/{incident}", query_string=fields)
    assert (answer.status_code, named in words(answer.get_data(as_text=True))) == (422, True)
    game = state(app)
    answer = client.post(f"/table/incident/{incident}", data={**fields, "game": game.id, "head": game.head})
    assert (answer.status_code, entries(app)) == (422, before)
