"""The end of an evening: fewest transfers, ranking, 東錢; a past hand put right and names changed, with a trace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.webui.support.records_kit import (
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
from webui.games.results.evening import evening_of, fewest_transfers
from webui.store.place import Place
from webui.store.upkeep.verify import verify


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


@given(st.lists(st.integers(-1_000_000, 1_000_000), min_size=3, max_size=3))
def test_everyone_is_even_after_the_transfers(points: list[int]) -> None:
    totals = dict(zip("abcd", [*points, -sum(points)], strict=True))
    left = dict(totals)
    payments = fewest_transfers(totals)
    for one in payments:
        assert one.payee is not None
        assert one.points > 0
        left[one.payer] += one.points
        left[one.payee] -= one.points
    assert set(left.values()) == {0}
    assert len(payments) <= max(0, sum(value != 0 for value in totals.values()) - 1)


@pytest.mark.parametrize(
    ("totals", "number"),
    [
        ((0, 0, 0, 0), 0),
        ((5, -5, 0, 0), 1),
        ((5, -5, 7, -7), 2),
        ((5, 7, -5, -7), 2),
        ((10, 5, -5, -10), 2),
        ((30, -10, -20, 0), 2),
        ((30, -5, -10, -15), 3),
    ],
)
def test_as_few_transfers_as_there_can_be(totals: tuple[int, ...], number: int) -> None:
    assert len(fewest_transfers(dict(zip("abcd", totals, strict=True)))) == number


def test_totals_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="add up to zero"):
        fewest_transfers({"a": 1, "b": 2})


def test_the_page_of_the_end(app: Flask, client: FlaskClient) -> None:
    open_table(client, base="100", per_tai="20")
    won(client, 1, 3)
    won(client, 0, 7, "2")
    won(client, 1, 2)
    end = evening_of(state(app), 50)
    assert [
        (one.name, one.wins, one.self_draws, one.discards) for one in end.standings if one.wins or one.discards
    ] == [
        ("小美", 2, 2, 0),
        ("阿明", 1, 0, 0),
        ("老王", 0, 0, 1),
    ]
    assert end.pot == 100
    assert [hand.number for hand in end.best] == [2]
    text = words(client.get(f"/games/{state(app).id}/evening?east_money=50").get_data(as_text=True))
    for said in ("小美 放東錢 100", "老王 付給", "第 2 把", "東錢一共 100"):
        assert said in text
    for bad in ("-1", "x", "9" * 30, "²"):
        answer = client.get(f"/games/{state(app).id}/evening?east_money={bad}")
        assert answer.status_code == 422
    assert client.get("/games/nobody/evening").status_code == 404


def test_the_best_hand_is_one_winners(app: Flask, client: FlaskClient) -> None:
    """Two winners of 6 and 4 tai are not a hand of 10; with 8 tai somebody else has the best one."""
    open_table(client, rules="mahjong_time")
    won(client, 0, 6, "2", tai_1="4")
    assert [hand.number for hand in evening_of(state(app)).best] == [1]
    text = words(client.get(f"/games/{state(app).id}/evening").get_data(as_text=True))
    assert "第 1 把：阿明 6 台胡（老王放槍）" in text
    won(client, 3, 8, "0")
    assert [hand.number for hand in evening_of(state(app)).best] == [2]


def test_the_best_hand_shows_its_photo_where_there_is_one(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client)
    page.upload()
    assert settle(page, into_game=True).status_code == 303
    address = f"/games/{state(app).id}/evening"
    record = state(app).hands[0].records[0]
    assert f'src="/records/{record}/photo1.jpg"' in client.get(address).get_data(as_text=True)
    at_table(client, "undo")
    page.upload()
    app.extensions["paitai.services"].shelf.clear()
    assert settle(page, into_game=True, photoless="1").status_code == 303
    html = client.get(address).get_data(as_text=True)
    assert "photo1.jpg" not in html
    assert f'href="/records/{state(app).hands[0].records[0]}"' in html


def amend(client: FlaskClient, entry: str, **fields: str) -> Any:
    known = hidden(client.get(f"/table/amend/{entry}").get_data(as_text=True))
    return client.post(f"/table/amend/{entry}", data={**known, **fields})


def test_a_past_hand_is_put_right_with_a_trace(app: Flask, client: FlaskClient) -> None:
    """The hands after it stay as they were entered; undo takes the correction back."""
    open_table(client, base="100", per_tai="20")
    won(client, 1, 3)
    won(client, 0, 7, "2")
    before = state(app)
    first, second = before.hands
    assert amend(client, first.entry.id, tai_1="5", source="self_draw").status_code == 303
    after = state(app)
    assert (after.hands[0].tai, after.hands[0].winners) == ((5,), ("小美",))
    assert after.hands[0].points["小美"] == first.points["小美"] + 3 * 2 * 20
    assert after.hands[1].points == second.points
    assert sum(after.totals.values()) == 0
    assert after.totals != before.totals
    page = words(client.get("/table").get_data(as_text=True))
    assert "更正過" in page
    assert "5 台" in page
    (kept,) = entries(app, "amended")
    assert kept.content["entry"] == first.entry.id
    assert entries(app, "hand")[0].content["tai"] == [3]  # the entry stays
    assert verify(store_of(app)).findings == ()
    at_table(client, "undo")
    assert state(app).totals == before.totals
    assert not state(app).hands[0].amended


def test_a_correction_moves_the_dealer(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 1)  # the dealer wins and stays
    assert state(app).dealer == "阿明"
    assert amend(client, state(app).hands[0].entry.id, tai_2="1", source="self_draw").status_code == 303
    assert state(app).dealer == "小美"
    assert amend(client, state(app).hands[0].entry.id, ended="drawn").status_code == 303
    assert (state(app).dealer, state(app).hands[0].kind) == ("阿明", "drawn")


def test_what_cannot_be_put_right(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 3)
    entry = state(app).hands[0].entry.id
    for fields in (
        {},
        {"tai_1": "3", "source": "1"},
        {"tai_1": "3", "tai_2": "2", "source": "self_draw"},
        {"tai_1": "x"},
    ):
        assert amend(client, entry, **fields).status_code == 422
    assert client.get("/table/amend/nobody").status_code == 409
    assert amend(client, "nobody").status_code == 409
    assert client.post(f"/table/amend/{entry}", data={"tai_1": "4"}).status_code == 409
    assert entries(app, "amended") == []


def test_names_are_corrected_from_the_first_hand_on(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 3)
    before = state(app)
    new = {"name_0": "阿明", "name_1": "小美美", "name_2": "老王", "name_3": "Grace"}
    assert at_table(client, "names", **new).status_code == 303
    after = state(app)
    assert after.hands[0].winners == ("小美美",)
    assert after.totals == {{"小美": "小美美"}.get(name, name): points for name, points in before.totals.items()}
    won(client, 1, 2)
    assert state(app).hands[1].winners == ("小美美",)
    assert at_table(client, "names", **{**new, "name_0": "Grace"}).status_code == 422
    at_table(client, "undo")
    at_table(client, "undo")
    assert state(app).totals == before.totals


def test_seats_noted_wrongly_are_put_right_by_swapping_names(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 3)
    before = state(app).totals
    swapped = {"name_0": "小美", "name_1": "阿明", "name_2": "老王", "name_3": "Grace"}
    assert at_table(client, "names", **swapped).status_code == 303
    after = state(app)
    assert (after.hands[0].winners, after.dealer) == (("阿明",), "阿明")  # who won deals next, whatever his name is
    assert after.totals == {**before, "阿明": before["小美"], "小美": before["阿明"]}


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([("drawn", {})], "記了第 1 把，流局"),
        ([("won", {"tai_2": "4", "source": "0"})], "記了第 1 把，老王 4 台胡（阿明放槍）"),
        ([("drawn", {}), ("undo", {})], "復原了一步"),
        ([("rules", {"rules": "ntu"})], "換了規則或底台"),
        ([("bets", {"inner_0": "1"})], "改了插花"),
        ([("names", {f"name_{at}": name for at, name in enumerate("甲乙丙丁")})], "改了名字"),
        ([("incident/unmade_call", {"who": "3", "f_call": "pung", "f_discarder": "0"})], "記了一個裁決"),
        ([("end", {})], "收了桌"),
    ],
    ids=["drawn", "won", "undone", "book", "bets", "names", "ruling", "ended"],
)
def test_a_form_that_comes_too_late_says_what_changed(
    app: Flask, client: FlaskClient, steps: list[tuple[str, dict[str, str]]], said: str
) -> None:
    open_table(client)
    old = state(app)
    for action, fields in steps:
        assert at_table(client, action, **fields).status_code == 303
    answer = client.post("/table/drawn", data={"game": old.id, "head": old.head})
    assert answer.status_code == 409
    assert f"剛剛有人先{said}。這一筆沒有記下" in words(answer.get_data(as_text=True))


def test_rules_change_says_from_which_hand_on(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 3)
    assert "從第 2 把起改用" in words(client.get("/table").get_data(as_text=True))


def test_groups_of_four_are_found_in_any_order() -> None:
    for signs in product((1, -1), repeat=2):
        totals = {"a": 3 * signs[0], "b": 8 * signs[1], "c": -3 * signs[0], "d": -8 * signs[1]}
        assert len(fewest_transfers(totals)) == 2
