"""The real payments of a photographed win at the running table, and their reasons: on the board, then on its record.

包牌 by the melds shown and by the last tiles, 代位賠付, 眼牌, the streak marker.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from tests.unit.webui.support.records_kit import at_table, open_table, settle, state, store_of, words
from webui import create_app

FLUSH = {
    "concealed": "34m88m",
    "winning": "5m",
    "meld:1": "123m",
    "meld:2": "456m",
    "meld:3": "777m",
    "meld:4": "999m",
}
DISCARD = {"win": "discard", "seat": "S", "dealer": "E", "discarder": "N"}  # 小美 wins, Grace discards


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def kept(page: Any, **fields: Any) -> str:
    """Keep the hand on the board as the table's next one; its record's page."""
    answer = settle(page, into_game=True, **fields)
    assert answer.status_code == 303, words(answer.get_data(as_text=True))
    html: str = page.client.get(answer.headers["Location"]).get_data(as_text=True)
    return html


def paid(html: str) -> list[str]:
    """The sentences of who pays whom."""
    found = re.search(r'<ul class="pay-sentences">(.*?)</ul>', html, re.S)
    assert found is not None
    return [unescape(one) for one in re.findall(r"<li>(.*?)</li>", found[1])]


def test_responsibility_by_the_melds_shown(app: Flask, client: FlaskClient, page: Any, reader: Any) -> None:
    """003 L183: four melds of the suit lay open; the discarder pays for all three, and board and record say so."""
    reader.groups = FLUSH
    open_table(client, rules="mahjong_time")
    page.upload()
    page.press(**DISCARD)
    shown = paid(page.html)
    assert [one.split(" ")[0] for one in shown] == ["Grace代阿明付小美", "Grace代老王付小美", "Grace付小美"]
    assert "已亮四組同花色" in words(page.html)
    assert "Grace一共付 34 點" in words(page.html)  # under the large number
    html = kept(page)
    assert paid(html) == shown
    assert "已亮四組同花色" in words(html)
    game = state(app)
    assert game.totals["Grace"] == -game.totals["小美"]
    assert game.totals["阿明"] == game.totals["老王"] == 0
    card = json.loads(unescape(re.search(r'data-card="([^"]*)"', html).group(1)))  # type: ignore[union-attr]
    assert dict(card["players"]) == game.totals


def test_no_responsibility_where_melds_and_win_do_not_agree(client: FlaskClient, page: Any, reader: Any) -> None:
    reader.groups = {"concealed": "777m34m88m", "winning": "5m", "meld:1": "123m", "meld:2": "456m", "meld:3": "999m"}
    open_table(client, rules="mahjong_time")
    page.upload()
    page.press(**DISCARD)
    (only,) = paid(page.html)  # three melds of the suit are not four
    assert only.startswith("Grace付小美")
    assert "包牌：" not in words(page.html)


def test_a_new_tile_among_the_last_five(app: Flask, client: FlaskClient, page: Any) -> None:
    """003 L186: the hand does not show it, so the table gives it."""
    open_table(client, rules="mahjong_time")
    page.upload()
    page.press(**DISCARD)
    assert len(paid(page.html)) == 1
    page.press(last_tiles="1")
    assert len(paid(page.html)) == 3
    assert page.fields()["last_tiles"] == "1"  # it stays ticked
    assert "剩最後五張" in words(kept(page))
    assert state(app).totals["Grace"] == -state(app).totals["小美"]
    at_table(client, "undo")
    at_table(client, "won", tai_1="3", source="3", last_tiles="1")
    assert state(app).totals["阿明"] == 0


def house_table(client: FlaskClient, setting: str) -> None:
    """A table that plays by a house book on the common table with one setting of its own."""
    file = f'id = "house"\ntitle = "我們"\ntitle_en = "ours"\nbased_on = "common"\n{setting}\n'
    took = client.post("/house/import", data={"file": (io.BytesIO(file.encode()), "ours.toml")})
    open_table(client, rules=re.search(r"house-[\w-]+", took.headers["Location"])[0])  # type: ignore[index]


@pytest.mark.parametrize("choice", ["paid_at_once", "flowers_only"])
def test_flowers_that_are_paid_at_once_leave_the_deal_as_it_is(
    choice: str, app: Flask, client: FlaskClient, page: Any, reader: Any
) -> None:
    house_table(client, f'flower_win = "{choice}"')
    reader.groups = {"concealed": "234m567p345s11z", "meld:1": "555m", "meld:2": "777z", "flowers": "12345678f"}
    page.upload()
    page.press(win="eight_flowers", seat="S", dealer="E")
    assert ("牌局繼續" in words(page.html)) is (choice == "paid_at_once")
    kept(page)
    game = state(app)
    assert game.totals["小美"] == 3 * (3 + 8) + 1 == -sum(game.totals[name] for name in ("阿明", "老王", "Grace"))
    assert (game.dealer == "阿明") is (choice == "paid_at_once")
    at_table(client, "undo")
    assert set(state(app).totals.values()) == {0}


@pytest.mark.parametrize(("choice", "shares"), [("feeder_pays", [1]), ("feeder_pays_half", [1, 1])])
def test_who_fed_is_asked_where_the_table_has_it(
    choice: str, shares: list[int], app: Flask, client: FlaskClient, page: Any
) -> None:
    """包牌 by whoever fed the decisive set: the form names the players, photographed or not, and he pays."""
    house_table(client, f'payment.responsibility = "{choice}"')
    page.upload()
    page.press(**DISCARD)  # 小美 wins, Grace discards
    asked = re.search(r'<select name="fed_by".*?</select>', page.html, re.S)
    assert asked is not None
    assert re.findall(r'value="(\d)"[^>]*>([^<]+)', asked[0]) == [
        *(("0", "阿明"), ("1", "小美"), ("2", "老王"), ("3", "Grace")),
    ]
    assert [one.split(" ")[0] for one in paid(page.html)] == ["Grace付小美"]
    page.press(fed_by="2")
    shown = paid(page.html)
    assert [one.split(" ")[0] for one in shown][-1] == "老王代Grace付小美"
    assert len(shown) == len(shares)
    assert "餵牌的人代付" in words(kept(page, fed_by="2"))
    game = state(app)
    assert game.totals["小美"] == -game.totals["老王"] - game.totals["Grace"] > 0
    assert (game.totals["Grace"] == 0) is (choice == "feeder_pays")
    assert 'name="fed_by"' in client.get("/table").get_data(as_text=True).split('id="step-won"')[1]


def test_paid_in_the_others_place(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client)
    at_table(client, "incident/wrong_pung", who="1", f_done="1")
    page.upload()  # East draws it: 阿明
    shown = paid(page.html)
    assert [one.split(" ")[0] for one in shown] == ["小美付阿明", "小美代老王付阿明", "小美代Grace付阿明"]
    html = kept(page)
    assert paid(html) == shown
    assert "代位賠付" in words(html)
    assert len(re.findall(r"<li>", re.search(r'class="more pay-ordinary">(.*?)</details>', html, re.S)[1])) == 3  # type: ignore[index]
    assert (state(app).totals["小美"], state(app).totals["Grace"]) == (-state(app).totals["阿明"], 0)


def test_a_watcher_pays_one_tai_more(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client)
    at_table(client, "watching", who="2")
    page.upload()
    page.press(**DISCARD)
    assert paid(page.html)[1:] == ["老王付小美眼牌費 1 點"]
    html = kept(page)
    assert paid(html)[1:] == ["老王付小美眼牌費 1 點"]
    assert "眼牌的人付胡家一台" in words(html)
    assert state(app).totals["老王"] == -1


def test_the_streak_marker_of_a_photographed_hand(app: Flask, client: FlaskClient, page: Any) -> None:
    """000 L387: the dealer collects by his die, even if it shows too little."""
    open_table(client)
    at_table(client, "drawn")
    page.upload()
    page.press(win="discard", seat="E", discarder="S")
    (full,) = paid(page.html)
    page.press(shown_streak="0")
    (less,) = paid(page.html)
    points = [int(re.search(r"(\d+) 點", one).group(1)) for one in (full, less)]  # type: ignore[union-attr]
    assert points[0] - points[1] == 2  # two tai a streak
    html = kept(page)
    assert paid(html) == [less]
    assert "連莊示記" in words(html)
    assert state(app).totals["阿明"] == points[1]


def test_a_hand_put_right_later_says_so_on_its_record(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client)
    page.upload()
    page.press(**DISCARD)
    answer = settle(page, into_game=True)
    game = state(app)
    right = {"game": game.id, "head": game.head, "tai_1": "0", "source": "3"}
    assert client.post(f"/table/amend/{game.hands[0].entry.id}", data=right).status_code == 303
    html = client.get(answer.headers["Location"]).get_data(as_text=True)
    assert paid(html) == ["Grace付小美 3 點（0 台）"]
    assert "更正過" in words(html)
    assert "<h1>小美 胡（Grace放槍）</h1>" in html  # the headline, too, has the current payment
    assert re.search(r'<p class="total"[^>]*><strong>0</strong>', html)
    assert re.search(r"牌和牌型是當時拍的：小美 \d+ 台", html)
    roles = re.findall(r'"pay-seat">([^<]*)<.*?"pay-roles">(.*?)</span></td>', html, re.S)
    assert {name: "胡家" in said for name, said in roles} == {
        "阿明": False,
        "小美": True,
        "老王": False,
        "Grace": False,
    }
    card = json.loads(unescape(re.search(r'data-card="([^"]*)"', html)[1]))  # type: ignore[index]
    assert (card["winner"], card["tai"], card["void"][:4]) == ("小美", 0, "更正過。")
    (row,) = re.findall(r'<li><a class="card record-row.*?</li>', client.get("/records").text, re.S)
    assert "更正過" in words(row)  # the list agrees with the table
    assert '<span class="row-tai"><strong>0</strong>' in row


def test_names_stay_with_their_players_where_a_correction_makes_another_one_east(
    app: Flask, client: FlaskClient, page: Any
) -> None:
    """If the dealer is East, an earlier correction turns the seats of a later hand: its record names no other
    player."""
    open_table(client, rules="mahjong_time")
    at_table(client, "won", tai_0="3", source="2")  # 阿明 deals on
    page.upload()
    page.press(win="discard", seat="S", discarder="N")
    answer = settle(page, into_game=True)
    first = state(app).hands[0].entry.id
    game = state(app)
    right = {"game": game.id, "head": game.head, "tai_2": "3", "source": "0"}  # 老王 won, so 小美 deals the second hand
    assert client.post(f"/table/amend/{first}", data=right).status_code == 303
    assert at_table(client, "recompute").status_code == 303
    points = state(app).hands[1].points
    assert state(app).hands[1].dealer == "小美"
    html = client.get(answer.headers["Location"]).get_data(as_text=True)
    shown = re.findall(r'"pay-seat">([^<]*)</span>\s*<span class="pay-points">([^<]*)<', html)
    assert {name: int(number) for name, number in shown} == points
    (said,) = paid(html)
    assert said.startswith("Grace付小美")
    roles = dict(re.findall(r'"pay-seat">([^<]*)<.*?"pay-roles">(.*?)</span></td>', html, re.S))
    assert "莊家" in roles["小美"]
    assert "莊家" not in roles["阿明"]


def test_putting_a_hand_right_keeps_who_answers_for_it(app: Flask, client: FlaskClient, page: Any, reader: Any) -> None:
    """The form has no melds to look at: what they showed is ticked already."""
    reader.groups = FLUSH
    open_table(client, rules="mahjong_time")
    page.upload()
    page.press(**DISCARD)
    settle(page, into_game=True)
    entry = state(app).hands[0].entry.id
    html = client.get(f"/table/amend/{entry}").get_data(as_text=True)
    assert re.search(r'name="responsible" value="1" checked', html)
    game = state(app)
    right = {"game": game.id, "head": game.head, "tai_1": "4", "source": "3", "responsible": "1"}
    assert client.post(f"/table/amend/{entry}", data=right).status_code == 303
    assert state(app).totals == {"阿明": 0, "小美": 7 + 7 + 8, "老王": 0, "Grace": -22}
    record = state(app).hands[0].records[0]
    game = state(app)
    nobody = {"game": game.id, "head": game.head, "ended": "drawn", "counts": "1"}
    assert client.post(f"/table/amend/{entry}", data=nobody).status_code == 303
    html = client.get(f"/records/{record}").get_data(as_text=True)
    assert re.search(r'id="amended">這一把 .* 在牌局更正過，收付是更正後的', html)
    assert "<h1>流局</h1>" in html
    assert re.findall(r'"pay-points">([^<]*)<', html) == ["0", "0", "0", "0"]


def test_a_second_winner_is_paid_as_the_table_pays(app: Flask, client: FlaskClient, page: Any, reader: Any) -> None:
    """The hand that joins the last one pays by the same rules: here the second winner's melds make it 包牌."""
    open_table(client, rules="mahjong_time")
    page.upload()
    page.press(**DISCARD)
    settle(page, into_game=True)
    first = dict(state(app).totals)
    reader.groups = FLUSH
    photo = io.BytesIO()
    Image.new("RGB", (1000, 320), (60, 120, 90)).save(photo, "JPEG")
    page.upload(photo.getvalue())
    page.press(**{**DISCARD, "seat": "W"})
    joins = re.search(r'name="joining" value="([^"]+)"', page.html)
    assert joins is not None
    page.take(client.post("/table/align", data={**page.fields(), "joining": joins[1]}))
    assert [one.split(" ")[0] for one in paid(page.html)] == ["Grace代阿明付老王", "Grace代小美付老王", "Grace付老王"]
    answer = client.post("/records", data={**page.fields(), "join": state(app).id})
    assert answer.status_code == 303
    assert len(paid(client.get(answer.headers["Location"]).get_data(as_text=True))) == 3
    game = state(app)
    assert (game.totals["小美"], game.totals["阿明"]) == (first["小美"], 0)
    assert game.totals["老王"] == -game.totals["Grace"] - first["小美"]


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("luohan", "只有離放槍的人最近的一家收"),
        ("ntu", "三家都胡就三家都收"),
        ("mahjong_time", "每一家都收"),
        ("common", "只有離放槍的人最近的一家收"),
    ],
)
def test_the_form_without_a_photo_says_whom_the_book_pays(client: FlaskClient, rules: str, said: str) -> None:
    open_table(client, rules=rules)
    assert said in words(client.get("/table").get_data(as_text=True))


def offered(html: str) -> list[str]:
    """The answers offered in the place of the number."""
    return [words(one).strip() for one in re.findall(r'<button class="chip answer[^>]*>(.*?)</button>', html, re.S)]


@pytest.mark.parametrize(("rules", "second"), [("luohan", "只有離放槍最近的一家收"), ("mahjong_time", "兩家都收")])
def test_who_won_and_who_paid_is_asked_by_names(client: FlaskClient, page: Any, rules: str, second: str) -> None:
    """A second winner is offered before the second photo, with what this book does with two."""
    open_table(client, rules=rules)
    page.shoot()
    players = ["阿明", "小美", "老王", "Grace"]  # a row for each winner, a column for each who may have paid
    rows = [["自摸" if payer == winner else payer for payer in players] for winner in players]
    assert offered(page.html) == [one for row in rows for one in row]
    page.press("say:seat=S")  # as without scripts, or from the form: the winner alone
    asked = offered(page.html)
    assert asked[0] == "自摸"
    assert {one.split("放槍")[0] for one in asked[1:4]} == {"阿明", "老王", "Grace"}
    page.press("say:win=discard,discarder=N")
    while page.tai is None:  # if the book does not make the dealer East: the opener of the wall
        page.press(re.search(r'value="(say:dealer=E[^"]*)"', page.html)[1])  # type: ignore[index]
    assert "Grace付" in page.html.split('class="total-paid"')[1].split("</ul>")[0]
    assert second in words(page.html.split('id="second-winner"')[1].split("</p>")[0])


def test_an_entry_that_comes_twice_is_done_once(app: Flask, client: FlaskClient) -> None:
    """A phone that did not hear the answer sends it again, under the name that it gave it."""
    open_table(client)
    game = state(app)
    form = {"game": game.id, "head": game.head, "tai_0": "3", "source": "self_draw"}
    answers = [client.post("/table/won", data=form, headers={"X-Entry": "one", "X-PaiTai": "entry"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert len(state(app).hands) == 1
    late = client.post("/table/won", data=form, headers={"X-Entry": "two", "X-PaiTai": "entry"})
    assert late.status_code == 409
    assert "剛剛有人先" in late.get_json()["error"]


def test_a_phone_that_follows_is_told_of_changes_only(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    game = state(app)
    address = f"/games/{game.id}/head.json"
    first = client.get(address)
    assert first.get_json() == {"head": game.head}
    assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    client.post("/table/won", data={"game": game.id, "head": game.head, "tai_0": "3", "source": "self_draw"})
    assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200
    assert client.get("/games/none/head.json").status_code == 404
