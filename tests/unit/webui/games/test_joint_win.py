"""一炮多響: two photographed winners on one discard are one hand of the table."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from tests.unit.webui.support.records_kit import at_table, entries, make_app, open_table, settle, state, store_of, words
from webui.games.game import Game
from webui.store.place import Place
from webui.store.upkeep.verify import verify

# 阿明 deals and sits E, 小美 S, 老王 W, Grace N; 老王 discards
FIRST = {"win": "discard", "seat": "E", "dealer": "E", "discarder": "W"}
SECOND = {**FIRST, "seat": "N"}


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


def press(page: Any, path: str, **fields: str) -> Any:
    """Send the board's form elsewhere; what it answers is the page then, unless it leads away."""
    answer = page.client.post(path, data={**page.fields(), **fields})
    if answer.status_code != 303:
        page.take(answer)
    return answer


def first_hand(page: Any) -> None:
    page.upload()
    page.press(**FIRST)
    assert settle(page, into_game=True).status_code == 303


def second_hand(page: Any, **context: str) -> None:
    """Another photo, of the same discard."""
    photo = io.BytesIO()
    Image.new("RGB", (1000, 320), (60, 120, 90)).save(photo, "JPEG")
    page.upload(photo.getvalue())
    page.press(**{**SECOND, **context})
    found = re.search(r'name="joining" value="([^"]+)"', page.html)
    assert found is not None
    press(page, "/table/align", joining=found[1])


def keep(page: Any, app: Flask) -> Any:
    return press(page, "/records", join=state(app).id)


def seen(game: Game) -> tuple[Any, ...]:
    return game.session.dealer, game.session.streak, [hand.winners for hand in game.hands], game.totals


def test_both_are_one_hand(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client, rules="mahjong_time", base="10", per_tai="5")
    first_hand(page)
    alone = state(app)
    tai = alone.hands[0].tai[0]
    assert (alone.session.streak, alone.totals["老王"]) == (1, -(10 + 5 * (tai + 1)))  # the dealer's tai on top
    second_hand(page)
    assert page.fields()["streak"] == "0"  # as the last hand found the table
    assert "Grace也胡，和上一把算成一把" in words(page.html)
    other = page.tai
    assert keep(page, app).status_code == 303
    (hand,) = state(app).hands
    assert (hand.winners, hand.tai) == (("Grace", "阿明"), (other, tai))  # the nearest after the discarder first
    assert dict(hand.points) == {
        "阿明": 10 + 5 * (tai + 1),
        "小美": 0,
        "老王": -(20 + 5 * (tai + 1 + other)),
        "Grace": 10 + 5 * other,
    }
    assert (state(app).session.streak, state(app).dealer) == (1, "阿明")  # moved once
    records = entries(app, "record")
    assert hand.records == tuple(one.id for one in records)
    assert [one.content["number"] for one in records] == [1, 1]
    assert records[1].content["players"] == records[0].content["players"]
    table = client.get("/table").get_data(as_text=True)
    assert all(f'href="/records/{one.id}"' in table for one in records)
    assert verify(store_of(app)).findings == ()


def test_undo_takes_back_one_winner_after_the_other(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client, rules="mahjong_time")
    states = [seen(state(app))]
    first_hand(page)
    states.append(seen(state(app)))
    second_hand(page)
    keep(page, app)
    states.append(seen(state(app)))
    second_hand(page, seat="S")
    keep(page, app)
    assert state(app).hands[0].winners == ("Grace", "阿明", "小美")
    void = []
    for before in reversed(states):
        at_table(client, "undo")
        assert seen(state(app)) == before
        void.append(entries(app, "void")[-1].content["record"])
    assert void == [one.id for one in reversed(entries(app, "record"))]


def test_another_discard_is_the_next_hand(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client, rules="mahjong_time")
    first_hand(page)
    second_hand(page)
    press(page, "/table/align", apart="1")
    assert page.fields()["streak"] == "1"
    assert "joining" not in page.fields()
    assert settle(page, into_game=True).status_code == 303
    assert [hand.winners for hand in state(app).hands] == [("阿明",), ("Grace",)]


def test_a_third_winner_where_the_book_then_pays_all_three(app: Flask, client: FlaskClient, page: Any) -> None:
    """Of two winners the nearest is paid, of three all: the second's amount is no longer known, so it must be given."""
    open_table(client, rules="ntu")
    at_table(client, "won", tai_0="3", source="2")
    second_hand(page)
    assert keep(page, app).status_code == 303
    page.upload(name="third.jpg")
    page.press(**{**SECOND, "seat": "S"})
    assert "三家都胡同一張" in words(page.html)
    assert 'name="joining"' not in page.html
    before = seen(state(app))
    answer = press(page, "/records", join=state(app).id, streak="0")
    assert answer.status_code == 409
    assert "三家都胡同一張" in answer.get_data(as_text=True)
    assert (len(entries(app, "record")), seen(state(app))) == (1, before)


@pytest.mark.parametrize(
    "changed", [{"streak": "3"}, {"seat": "E"}, {"discarder": "S"}, {"dealer": "N"}, {"round": "W"}], ids=str
)
def test_a_hand_that_says_otherwise_does_not_join(
    changed: dict[str, str], app: Flask, client: FlaskClient, page: Any
) -> None:
    open_table(client, rules="mahjong_time")
    first_hand(page)
    second_hand(page)
    page.press(**changed)
    assert "settle-join-keep" not in page.html
    assert "是同一張，照上一把算台" in page.text
    before = seen(state(app))
    assert keep(page, app).status_code == 409
    assert (len(entries(app, "record")), seen(state(app))) == (1, before)


def test_what_no_further_winner_can_join(app: Flask, client: FlaskClient, page: Any) -> None:
    """A hand that was self-drawn or drawn, a self-drawn hand on the board, a discard that all three have won on."""
    open_table(client, rules="mahjong_time")
    page.upload()
    page.press(**SECOND)
    assert "settle-join" not in page.html
    for fields in ({"tai_0": "3", "source": "self_draw"}, {"tai_0": "1", "tai_1": "1", "tai_2": "1", "source": "3"}):
        at_table(client, "won", **fields)
        page.upload()
        page.press(**SECOND)
        assert "settle-join" not in page.html
    at_table(client, "drawn")
    page.upload()
    page.press(**SECOND)
    assert "settle-join" not in page.html
    at_table(client, "won", tai_0="3", source="2")
    page.upload()
    page.press(**SECOND)
    assert "settle-join" in page.html
    page.press(win="self_draw")
    assert "settle-join" not in page.html


def test_the_table_has_moved_on(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client, rules="mahjong_time")
    first_hand(page)
    second_hand(page)
    at_table(client, "drawn")
    assert keep(page, app).status_code == 409
    assert len(entries(app, "record")) == 1


def test_joining_a_hand_that_was_noted_without_a_photo(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client, rules="mahjong_time")
    at_table(client, "won", tai_0="3", source="2")
    second_hand(page)
    assert keep(page, app).status_code == 303
    (hand,) = state(app).hands
    assert hand.winners == ("Grace", "阿明")
    assert hand.records == (entries(app, "record")[0].id,)


def test_a_winner_who_is_not_paid_is_kept_with_the_hand(app: Flask, client: FlaskClient, page: Any) -> None:
    """攔胡: the nearest was kept first; the other's photo is kept too, paid nothing, and named with the reason."""
    open_table(client, rules="common")
    page.upload()
    page.press(**SECOND)  # Grace, the nearest after 老王
    assert settle(page, into_game=True).status_code == 303
    before = state(app)
    second_hand(page, seat="E")
    assert "阿明被攔胡、不收錢" in page.text
    answer = keep(page, app)
    assert answer.status_code == 303
    after = state(app)
    assert (after.totals, after.dealer) == (before.totals, before.dealer)
    (hand,) = after.hands
    assert (hand.winners, [one.name for one in hand.blocked]) == (("Grace",), ["阿明"])
    assert len(hand.records) == 2
    shown = words(client.get(answer.headers["Location"]).get_data(as_text=True))
    assert "這一把不收錢" in shown
    (row,) = re.findall(r'<li><a class="card record-row.*?</li>', client.get("/records").text, re.S)
    assert "阿明的牌" in words(row)  # the other winner's hand is one tap away
    assert "台也胡，攔胡" in words(client.get("/table").get_data(as_text=True))
    assert verify(store_of(app)).findings == ()


def test_the_nearer_winner_s_photo_comes_second_and_takes_the_hand(app: Flask, client: FlaskClient, page: Any) -> None:
    """攔胡 the other way round: who was kept first is named as not paid; nothing has to be taken back by hand."""
    open_table(client, rules="common")
    page.upload()
    page.press(**SECOND)
    settle(page, into_game=True)  # Grace alone, as it has to come out
    alone = state(app)
    at_table(client, "undo")
    at_table(client, "won", tai_0="3", source="2")  # 阿明, further from 老王, is entered first
    second_hand(page)
    assert "離放槍最近的Grace收" in page.text
    assert keep(page, app).status_code == 303
    after = state(app)
    assert (after.totals, after.dealer, after.session.streak) == (alone.totals, alone.dealer, alone.session.streak)
    (hand,) = after.hands
    assert (hand.winners, [one.name for one in hand.blocked]) == (("Grace",), ["阿明"])
    assert "阿明 3 台也胡，攔胡" in words(client.get("/table").get_data(as_text=True))
    assert verify(store_of(app)).findings == ()
