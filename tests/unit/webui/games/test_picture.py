"""The picture of an evening and its words: what they are drawn from, whatever the evening was like."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import (
    NAMES,
    at_table,
    entries,
    hidden,
    make_app,
    open_table,
    settle,
    state,
    store_of,
    won,
    words,
)
from webui.games.game import fold
from webui.games.results.chart import graph_of
from webui.store.place import find_place

LONG = ("阿明" * 12, "Maximiliane-Theodora <b>", "老王", "Grace")


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = make_app(find_place(str(tmp_path)), reader)
    yield made
    store_of(made).close()


def evening(client: FlaskClient, app: Flask, query: str = "") -> str:
    """The page of the end of the newest evening."""
    (*_, game) = entries(app, "game")
    return str(client.get(f"/games/{game.id}/evening{query}").get_data(as_text=True))


def picture(html: str) -> Any:
    """The data of the picture."""
    found = re.search(r'id="card" [^>]*data-card="([^"]*)"', html)
    assert found is not None
    return json.loads(unescape(found[1]))


def said(html: str) -> list[str]:
    """The lines of the words."""
    found = re.search(r'id="share-words">([^<]*)<', html)
    assert found is not None
    return unescape(found[1]).split("\n")


def test_all_of_it_in_the_page_s_language(app: Flask, client: FlaskClient) -> None:
    open_table(client, base="100", per_tai="20")
    won(client, 1, 3)
    won(client, 0, 7, "2")
    html = evening(client, app)
    found = picture(html)
    assert [(one["rank"], one["name"], one["points"], one["mark"]) for one in found["ranking"]] == [
        (1, "小美", 500, 1),
        (2, "阿明", 60, 0),
        (3, "Grace", -160, 3),
        (4, "老王", -400, 2),
    ]
    assert found["ranking"][0]["figures"] == "胡 1・自摸 1・放槍 0"
    assert found["about"] == "打了 2 把 · 還沒收桌"
    paid = [(one["payer"], one["payee"], one["points"]) for one in found["pays"]]
    assert paid == [("老王", "小美", 400), ("Grace", "小美", 100), ("Grace", "阿明", 60)]
    assert [one["words"] for one in found["best"]] == ["第 2 把：阿明 7 台胡（老王放槍）"]
    assert found["best"][0]["laid"] == []
    assert "羅漢" in found["book"]
    assert len(found["graph"]["lines"]) == 4
    lines = said(html)
    assert [lines[0].split()[0], *lines[1:7]] == [
        "這一晚的結算",
        "打了 2 把 · 還沒收桌",
        "",
        "1. 小美 +500",
        "2. 阿明 +60",
        "3. Grace -160",
        "4. 老王 -400",
    ]
    assert "老王 付給 小美 400" in lines
    assert "第 2 把：阿明 7 台胡（老王放槍）" in lines
    english = evening(client, app, "?lang=en")
    assert "老王 pays 小美 400" in said(english)
    assert picture(english)["about"].startswith("2 hands played")


@pytest.mark.parametrize(
    ("number", "names"), [("4", NAMES), ("3", NAMES[:3]), ("4", LONG)], ids=["four", "three", "long"]
)
def test_before_the_first_hand(number: str, names: tuple[str, ...], app: Flask, client: FlaskClient) -> None:
    """No graph, no payment, no best hand: that everybody is even, and each name as it was written."""
    open_table(client, names, players=number)
    at_table(client, "end")
    html = evening(client, app)
    found = picture(html)
    assert [one["name"] for one in found["ranking"]] == [one[:24] for one in names]
    assert {(one["rank"], one["points"]) for one in found["ranking"]} == {(1, 0)}
    assert (found["graph"], found["pays"], found["best"], found["best_more"]) == (None, [], [], "")
    assert found["notes"] == ["大家都不輸不贏。"]
    assert found["about"] == "打了 0 把"
    assert said(html)[-3] == "大家都不輸不贏。"
    assert said(html)[-1].startswith("見證碼 ")


def test_who_came_later_has_a_line_from_there(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 3)
    won(client, 0, 3)
    at_table(client, "replace", leaves="1", comes="小李")
    won(client, 2, 2)
    found = picture(evening(client, app))
    assert {one["name"] for one in found["ranking"]} == {*NAMES, "小李"}
    assert sum(one["points"] for one in found["ranking"]) == 0
    points = {line["name"]: line["path"].count(",") for line in found["graph"]["lines"]}
    assert points == {"阿明": 4, "小李": 2, "老王": 4, "Grace": 4, "小美": 4}
    at_table(client, "replace", leaves="2", comes="小陳")
    graph = graph_of(state(app))
    assert graph is not None
    assert [line.path.count(",") for line in graph.lines if line.name == "小陳"] == [1]


def test_sixty_hands(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    at_table(client, "drawn")
    (drawn,) = entries(app, "hand")
    with store_of(app).writing() as writer:
        for _ in range(59):
            writer.append("hand", drawn.content, about=state(app).id)
        game = entries(app, "game")[0]
        assert len(fold(game, writer.about(game.id), store_of(app).book_file).hands) == 60
    found = picture(evening(client, app))
    assert found["about"].startswith("打了 60 把")
    assert {len(line["dots"]) for line in found["graph"]["lines"]} == {1}


def test_the_tiles_of_the_best_hand(app: Flask, client: FlaskClient, page: Any) -> None:
    """As its record keeps them, until the hand is put right to another number of tai."""
    open_table(client)
    page.upload().press(win="self_draw")
    assert settle(page, into_game=True).status_code == 303
    (laid,) = picture(evening(client, app))["best"][0]["laid"]
    assert laid["groups"][laid["winning"]] == ["5s"]
    assert sum(map(len, laid["groups"])) == 19
    (hand,) = state(app).hands
    assert laid["who"] == hand.winners[0]
    known = hidden(client.get(f"/table/amend/{hand.entry.id}").get_data(as_text=True))
    for tai, there in ((hand.tai[0], 1), (hand.tai[0] + 1, 0)):
        chair = state(app).players.index(hand.winners[0])
        fields = {**known, f"tai_{chair}": str(tai), "source": "self_draw", "head": state(app).head}
        assert client.post(f"/table/amend/{hand.entry.id}", data=fields).status_code == 303
        assert len(picture(evening(client, app))["best"][0]["laid"]) == there


def test_several_best_hands_are_not_all_drawn(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    for _ in range(4):
        won(client, 0, 3)
    found = picture(evening(client, app))
    assert [one["words"] for one in found["best"]] == ["第 1 把：阿明 3 台自摸", "第 2 把：阿明 3 台自摸"]
    assert found["best_more"] == "還有 2 把一樣大。"


def test_what_was_settled_is_said_and_owed_no_more(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 3)
    at_table(client, "end")
    form = hidden(evening(client, app))
    (game,) = entries(app, "game")
    assert client.post(f"/games/{game.id}/paid", data={**form, "transfer": ["0", "1", "2"]}).status_code == 303
    found = picture(evening(client, app))
    assert found["pays"] == []
    assert found["notes"][0] == "沒有還欠著的。"
    assert sum("結清了" in one for one in found["notes"]) == 3


def test_the_pot_and_what_a_correction_left_behind(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 3)
    won(client, 0, 7)
    found = picture(evening(client, app, "?east_money=50"))
    assert [(one["payer"], one["payee"], one["points"]) for one in found["pays"]][-2:] == [
        ("阿明", "東錢", 50),
        ("小美", "東錢", 50),
    ]
    first = state(app).hands[0].entry.id
    known = hidden(client.get(f"/table/amend/{first}").get_data(as_text=True))
    client.post(f"/table/amend/{first}", data={**known, "tai_0": "3", "source": "self_draw"})
    assert "更正之後，有 1 筆收付要看一下" in picture(evening(client, app))["notes"]


def test_it_is_offered_where_the_evening_ends(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 3)
    page = f"/games/{state(app).id}"
    assert 'id="card"' not in client.get(page).get_data(as_text=True)
    over = at_table(client, "end").headers["Location"]
    assert over == page
    html = client.get(over).get_data(as_text=True)
    assert picture(html) == picture(evening(client, app))
    assert "傳給大家" in words(html)


def test_where_a_table_is_opened_earlier_evenings_show_what_they_came_to(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 3)
    at_table(client, "end")
    html = words(client.get("/table").get_data(as_text=True))
    assert "小美 +19 、 老王 -6 、 Grace -6 、 阿明 -7" in html
