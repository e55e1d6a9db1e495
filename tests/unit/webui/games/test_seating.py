"""座位與骰子, 優先權: the pages of the evening's start, the wall break, the counter and the order of claims."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlencode, urlparse

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.rulebook.loading import BOOK_IDS
from tests.unit.webui.support.records_kit import NAMES, at_table, make_app, open_table, state, store_of, words
from webui.games.game import Game
from webui.games.walls import SIDE_PIXELS, picture, throw
from webui.store.place import Place
from webui.views.table.next_hand import defaults

SITTING = {f"name_{chair}": name for chair, name in enumerate(NAMES)}


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


def show(client: FlaskClient, page: str, **fields: Any) -> str:
    return words(client.get(f"/table/{page}?{urlencode(fields, doseq=True)}").get_data(as_text=True))


def test_the_evening_starts_as_the_worked_example(app: Flask, client: FlaskClient) -> None:
    """rulings s1 and s3: 11 points from chair 0, winds S N W E, 9 points for the first dealer."""
    asked = {**SITTING, "rules": "luohan", "thrower": "0", "place": "11"}
    assert "老王坐的地方就是東位" in show(client, "seats", **asked)
    asked |= {f"wind_{chair}": wind for chair, wind in enumerate("SNWE")}
    text = show(client, "seats", **asked)
    assert "東：Grace ・" not in text
    for said in ("東：Grace", "南：阿明", "西：老王", "北：小美"):
        assert said in text
    asked["first"] = "9"
    html = client.get(f"/table/seats?{urlencode(asked)}").get_data(as_text=True)
    assert "Grace起莊" in words(html)
    client.post(
        "/table/start",
        data={
            "name_0": "老王",
            "name_1": "小美",
            "name_2": "Grace",
            "name_3": "阿明",
            "first_dealer": "2",
            "rules": "luohan",
        },
    )
    assert (state(app).players, state(app).dealer) == (("老王", "小美", "Grace", "阿明"), "Grace")
    for name, chair in (("老王", 0), ("小美", 1), ("Grace", 2), ("阿明", 3)):
        assert f'name="name_{chair}" value="{name}"' in html


@pytest.mark.parametrize("book", BOOK_IDS)
def test_the_page_throws_for_every_book(client: FlaskClient, book: str) -> None:
    kept = {**SITTING, "rules": book, "thrower": "1", "page": "start", "throw": "place"}
    answer = client.post("/table/dice", data=kept)
    assert answer.status_code == 303
    (thrown,) = parse_qs(urlparse(answer.headers["Location"]).query)["place"]
    assert len(thrown.split("-")) == (2 if book == "mahjong_time" else 3)
    assert "點" in words(client.get(answer.headers["Location"]).get_data(as_text=True))


def test_dice_are_fair_enough() -> None:
    counts = [0] * 6
    for one in throw(6000):
        counts[one - 1] += 1
    assert min(counts) > 800


def test_a_throw_that_cannot_be_is_refused_by_name(client: FlaskClient) -> None:
    assert "throw" in show(client, "seats", **SITTING, rules="luohan", thrower="0", place="19")
    text = show(
        client,
        "seats",
        **SITTING,
        rules="luohan",
        thrower="0",
        place="9",
        wind_0="E",
        wind_1="E",
        wind_2="S",
        wind_3="W",
    )
    assert "各一次" in text
    assert client.post("/table/dice", data={"page": "start", "throw": "money"}).status_code == 400
    assert client.get("/table/wall").status_code == 409


def test_the_wall_break_and_the_seats_it_gives(app: Flask, client: FlaskClient) -> None:
    open_table(client, first_dealer="2")
    text = show(client, "wall", wall="7")
    assert "數到阿明家的牌牆，留 7 墩，從阿明家第 8 墩開始，老王先拿" in text
    assert "這一把的東家：阿明" in text
    with app.test_request_context("/", headers={"Cookie": f"break={state(app).id}:0:0"}):
        assert defaults().dealer == "W"
    with app.test_request_context("/", headers={"Cookie": f"break={state(app).id}:1:0"}):
        assert defaults().dealer == "E"  # of another hand


def test_the_counter_tells_what_is_barred(client: FlaskClient) -> None:
    open_table(client)
    assert "63 張可摸" in show(client, "wall")
    text = show(client, "wall", drawn="50", replaced="10")
    assert "現在不能： 吃、碰、碰槓" in text
    assert "drawn" in show(client, "wall", drawn="64")


def test_the_picture_has_every_stack_on_the_table() -> None:
    broken = {"start": [0, 8], "tail": [[0, 7], [0, 6]], "side": 0, "stays": 7}
    drawn = picture(NAMES, "ESWN", 2, broken)
    assert len(drawn.boxes) == 72
    assert len({(one.x, one.y) for one in drawn.boxes}) == 72
    assert all(0 < one.x < SIDE_PIXELS - one.width and 0 < one.y < SIDE_PIXELS - one.height for one in drawn.boxes)
    assert sorted(one.kind for one in drawn.boxes if one.kind != "wall") == ["start", *["stays"] * 5, *["tail"] * 2]


def test_priority_by_taps(client: FlaskClient) -> None:
    open_table(client)
    assert "誰打的牌" in show(client, "priority")
    assert "小美摸牌" in show(client, "priority", f_discarder="0")
    text = show(client, "priority", f_discarder="0", f_acts=["1.reach", "1.take_in", "2.say_win", "3.say_pung"])
    assert "老王胡" in text
    assert "不成立： Grace" in text
    late = show(client, "priority", f_discarder="0", f_acts=["1.reach", "1.take_in", "3.say_pung"])
    assert "小美摸牌" in late


def test_priority_by_the_second(client: FlaskClient) -> None:
    open_table(client, rules="common")
    assert "小美吃" in show(client, "priority", f_discarder="0", f_acts=["1.say_chow", "1.show", "3.say_pung.4"])
    assert "Grace碰" in show(client, "priority", f_discarder="0", f_acts=["1.say_chow", "1.show", "3.say_pung.2"])


def test_nonsense_in_the_address_is_no_error(client: FlaskClient) -> None:
    open_table(client)
    at_table(client, "drawn")
    for query in ("f_discarder=9", "f_discarder=0&f_acts=x", "f_discarder=0&f_acts=1.fly&f_acts=0.say_win"):
        assert client.get(f"/table/priority?{query}").status_code == 200
    for query in ("wall=x", "wall=1-1-1-1-99", "drawn=-4", "replaced=99999"):
        assert client.get(f"/table/wall?{query}").status_code == 200


def test_a_long_name_fits_between_wall_and_edge() -> None:
    """In the picture there is less room at the sides than above and below."""
    labels = picture(("隔壁的老王", "隔壁老王", "隔壁老王", "Grace"), "ESWN").labels
    assert [(one.name, one.squeezed is not None) for one in labels] == [
        ("隔壁的老王", False),
        ("隔壁老王", True),
        ("隔壁老王", False),
        ("Grace", False),
    ]


@pytest.mark.parametrize(
    ("dealer", "wind", "players", "east"),
    [(0, "E", 4, 0), (0, "S", 4, 3), (2, "S", 4, 1), (2, "W", 4, 0), (3, "N", 4, 0), (1, "S", 3, 0), (0, "W", 3, 1)],
)
def test_east_sits_as_many_chairs_before_the_dealer_as_his_wind_says(
    dealer: int, wind: str, players: int, east: int
) -> None:
    game: Any = SimpleNamespace(session=SimpleNamespace(dealer=dealer), players=("",) * players)
    assert Game.east_of(game, wind) == east
