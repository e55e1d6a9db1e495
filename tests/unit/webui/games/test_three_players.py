"""三人與 136 張: seats, rotation, payments, drawn hands and the referee with three; nothing of four players changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.settlement.session_json import session_from_json
from tests.unit.webui.support.records_kit import at_table, entries, hidden, open_table, settle, state, store_of, words
from webui import create_app
from webui.store.upkeep.verify import verify

THREE = ("阿明", "小美", "老王")


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def sit(client: FlaskClient, **more: str) -> Any:
    return open_table(client, THREE, players="3", **{"rules": "common", **more})


def test_three_sit_down(app: Flask, client: FlaskClient) -> None:
    assert sit(client).status_code == 303
    game = state(app)
    assert game.players == THREE
    assert entries(app, "game")[0].content["players"] == list(THREE)
    html = client.get("/table").get_data(as_text=True)
    assert len(re.findall(r'<span class="player', html)) == 3
    assert 'name="tai_3"' not in html


@pytest.mark.parametrize(
    "more", [{"name_2": ""}, {"name_2": "阿明"}, {"first_dealer": "3"}, {"players": "5", "name_3": ""}], ids=str
)
def test_three_different_names_and_a_dealer_among_them(app: Flask, client: FlaskClient, more: dict[str, str]) -> None:
    fields = {f"name_{at}": name for at, name in enumerate(THREE)}
    answer = client.post(
        "/table/start", data={**fields, "first_dealer": "0", "players": "3", "rules": "common", **more}
    )
    assert answer.status_code == 422
    assert entries(app) == []


def test_the_deal_goes_round_three(app: Flask, client: FlaskClient) -> None:
    """Three deals a round; the fourth round over, the 將 is over."""
    sit(client)
    rounds = []
    for turn in range(12):
        game = state(app)
        rounds.append((game.session.round_wind, game.dealer))
        at_table(client, "won", **{f"tai_{(turn + 1) % 3}": "1"}, source="self_draw")
    assert rounds == [(wind, name) for wind in "ESWN" for name in THREE]
    game = state(app)
    assert game.session.finished
    assert sum(game.totals.values()) == 0
    text = words(client.get("/table").get_data(as_text=True))
    assert "這一將打完了" in text
    fields = {f"place_{at}": name for at, name in enumerate(reversed(THREE))}
    assert at_table(client, "seating", **fields, first_dealer="3").status_code == 422
    assert at_table(client, "seating", **fields, first_dealer="2").status_code == 303
    assert state(app).session.players == tuple(reversed(THREE))


def test_payments_of_three(app: Flask, client: FlaskClient) -> None:
    """Base 3 and 1 a tai; a self-draw is paid by two, a false win to two, a discard by one."""
    sit(client)
    at_table(client, "won", tai_1="2", source="self_draw")  # the dealer pays one tai more
    assert state(app).totals == {"阿明": -6, "小美": 11, "老王": -5}
    at_table(client, "undo")
    at_table(client, "won", tai_2="4", source="0")
    assert state(app).totals == {"阿明": -8, "小美": 0, "老王": 8}
    at_table(client, "undo")
    at_table(client, "rule", rule="false_win", answer="tai_8")
    at_table(client, "false-win", offender="0")
    assert state(app).totals == {"阿明": -16, "小美": 8, "老王": 8}
    assert verify(store_of(app)).findings == ()


@pytest.mark.parametrize(("choice", "dealer"), [("streak_grows", "阿明"), ("deal_passes", "小美")])
def test_drawn_hands_of_three_follow_the_book(app: Flask, client: FlaskClient, choice: str, dealer: str) -> None:
    sit(client)
    at_table(client, "rule", rule="drawn_hand", answer=choice)
    at_table(client, "drawn")
    assert state(app).dealer == dealer


def test_two_of_three_win_on_one_discard(app: Flask, client: FlaskClient) -> None:
    sit(client)
    at_table(client, "won", tai_1="3", tai_2="2", source="0", several_winners="each")
    assert state(app).totals == {"阿明": -13, "小美": 7, "老王": 6}


def test_a_photographed_hand_of_three(app: Flask, client: FlaskClient, page: Any) -> None:
    """The board shows three seats, the answer is for three, and so is the record."""
    sit(client)
    page.upload()
    assert 'id="three-players"' in page.html
    assert 'id="seat-N"' not in page.html
    page.press(win="self_draw", seat="S", dealer="E")
    assert "北家" not in re.sub(r"<datalist.*?</datalist>", "", page.text.split("怎麼胡的")[0][-400:])
    assert settle(page, into_game=True).status_code == 303
    totals = state(app).totals
    assert totals["小美"] == -totals["阿明"] - totals["老王"] > 0
    (record,) = entries(app, "record")
    assert record.content["request"]["players"] == record.content["context"]["players"] == 3
    assert {one["from"] for one in record.content["answer"]["zh"]["transfers"]} == {"E", "W"}
    assert record.content["players"] == {"E": "阿明", "S": "小美", "W": "老王"}
    shown = client.get(f"/records/{record.id}")
    assert shown.status_code == 200
    for lang in ("zh", "en"):
        client.set_cookie("lang", lang)
        assert client.get(f"/records/{record.id}").status_code == 200
    assert client.post("/hand", data={**page.fields(), "seat": "N"}).status_code == 400


def test_four_players_keep_what_their_records_were(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client, rules="common")
    page.upload()
    page.press(win="self_draw", seat="S", dealer="E")
    settle(page, into_game=True)
    (record,) = entries(app, "record")
    assert "players" not in record.content["request"]
    assert not {"players", "responsible"} & record.content["context"].keys()


def test_corrections_with_three(app: Flask, client: FlaskClient) -> None:
    """A correction changes the dealer: what follows is marked and brought up to date."""
    sit(client)
    at_table(client, "won", tai_0="1", source="1")
    at_table(client, "won", tai_1="2", source="self_draw")
    entry = state(app).hands[0].entry.id
    html = client.get(f"/table/amend/{entry}").get_data(as_text=True)
    client.post(f"/table/amend/{entry}", data={**hidden(html), "tai_2": "1", "source": "0"})
    assert "當時 " in words(client.get("/table").get_data(as_text=True))
    at_table(client, "recompute")
    game = state(app)
    assert sum(game.totals.values()) == 0
    assert session_from_json(game.session.book, _session(client, game.id)).totals == game.session.totals


def _session(client: FlaskClient, id_: str) -> Any:
    exported = client.get(f"/games/{id_}/export.json").get_json()["session"]
    return exported | {"rules": exported["rules"]}


def test_the_referee_with_three(app: Flask, client: FlaskClient) -> None:
    """下家 of the third is the first; whoever is named must sit there."""
    sit(client, rules="luohan")
    text = words(client.get("/table/priority?f_discarder=2&f_acts=0.say_chow").get_data(as_text=True))
    assert "阿明吃" in text
    assert "Grace" not in text
    found = client.get("/table/incident/unmade_call?who=0&f_call=pung&f_discarder=2").get_data(as_text=True)
    assert "不罰" in words(found)  # the third sits before the first
    assert client.get("/table/incident/dead_hand?who=3&f_cause=peeked").status_code == 200  # asked again who it was
    assert client.get("/table/incident/unmade_call?who=0&f_call=pung&f_discarder=3").status_code == 422
    page = client.get("/table/incident/false_win?who=1&face_tai=2").get_data(as_text=True)
    client.post("/table/incident/false_win", data={**hidden(page), "who": "1", "face_tai": "2"})
    assert state(app).totals == {"阿明": 6, "小美": -11, "老王": 5}


def test_what_a_book_cannot_do_with_three_is_said(client: FlaskClient) -> None:
    sit(client, rules="luohan")
    wall = words(client.get("/table/wall").get_data(as_text=True))
    assert "照四家寫的" in wall
    assert "79" in wall  # 144 less 49 dealt are 95, less 16 that stay
    assert "插花的時機是照四個人寫的" in words(client.get("/table").get_data(as_text=True))
    assert at_table(client, "bets", inner_0="1").status_code == 422


# ---- a wall without flowers ----


def test_a_table_without_flowers(app: Flask, client: FlaskClient, page: Any) -> None:
    """136 tiles: a house book on the chosen one; the wall counts them, flowers in a hand are noted."""
    open_table(client, rules="common", without_flowers="1")
    game = state(app)
    assert game.session.book.without_flowers
    assert game.session.book.based_on == "common"
    assert len(entries(app, "book")) == 1
    assert "55" in words(client.get("/table/wall").get_data(as_text=True))  # 136 less 65 less 16
    broken = client.get("/table/wall?wall=9").get_data(as_text=True)
    assert broken.count("<rect") == 1 + 4 * 17
    assert client.get("/table/incident/flower_order").status_code == 422
    assert "flower_order" not in client.get("/table/incident").get_data(as_text=True)
    page.upload()
    page.press(win="self_draw", seat="S", dealer="E")
    assert "136 張、沒有花牌" in page.text
    assert "這桌說好的：不用花牌" in words(client.get("/table/house").get_data(as_text=True))


def test_three_without_flowers(app: Flask, client: FlaskClient) -> None:
    sit(client, without_flowers="1")
    assert "71" in words(client.get("/table/wall").get_data(as_text=True))  # 136 less 49 less 16
    at_table(client, "rule", rule="wall_tiles", answer="with_flowers")
    assert not state(app).session.book.without_flowers
    assert "79" in words(client.get("/table/wall").get_data(as_text=True))
