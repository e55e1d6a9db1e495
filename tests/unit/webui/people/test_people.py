"""玩家: figures over evenings, their pages, 換人, 再開一桌, unsettled amounts, and two spellings of one person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.webui.games.test_later_payments import KEPT, Evening, NoChipsError, as_entry, random_ending
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
from webui.games.game import come_to
from webui.people.figures import night_of, same_people, standings
from webui.people.nights import REMEMBERED
from webui.store.place import Place


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def text(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return words(answer.get_data(as_text=True))


def random_evening(rng: Random, corrected: bool) -> tuple[Evening, Evening]:
    """An evening with changes of players and perhaps corrections; and the one that was entered right at once."""
    endings: list[Any] = []
    evening, people = Evening("common", rng.randrange(4)), list("甲乙丙丁戊己")
    for _ in range(rng.randrange(2, 9)):
        if rng.random() < 0.3:
            game = evening.game
            leaves = rng.choice(game.session.players)
            comes = rng.choice([name for name in people if name not in game.players])
            endings.append(("replaced", {"leaves": leaves, "comes": comes}))
            evening.add(*endings[-1])
            continue
        endings.append(random_ending(rng))
        evening.play(endings[-1])
    hands = [at for at, one in enumerate(endings) if one[0] != "replaced"]
    if corrected and hands:
        number = rng.randrange(len(hands))
        endings[hands[number]] = random_ending(rng)
        evening.amend(number, endings[hands[number]])
        for _ in range(len(hands)):
            evening.recompute()
    again = Evening("common", evening.opened.content["first_dealer"])
    for one in endings:
        again.add(*one) if one[0] == "replaced" else again.play(one)
    return evening, again


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
def test_standings_are_the_sum_of_the_evenings_and_a_correction_is_as_a_replay(seed: int) -> None:
    rng = Random(seed)
    with suppress(NoChipsError):
        pairs = [random_evening(rng, corrected=True) for _ in range(3)]
        nights = [night_of(one.game) for one, _ in pairs]
        assert nights == [night_of(come_to(one.opened, one.about, KEPT.book_file)) for one, _ in pairs]
        figures = standings(nights)
        assert sum(one.points for one in figures) == 0
        for one in figures:
            assert one.points == sum(night.totals.get(one.name, 0) for night in nights)
            assert one.hands == sum(one.name in hand.points for night in nights for hand in night.hands)
            assert one.wins >= one.self_draws
            assert one.hands >= one.wins + one.discards
            for other in figures:
                assert one.against.get(other.name, 0) == -other.against.get(one.name, 0)
        replayed = standings([night_of(other.game) for _, other in pairs])
        assert [_plain(one) for one in figures] == [_plain(one) for one in replayed]


def _plain(one: Any) -> Any:
    points = [points for _, _, points in one.evenings]
    return (one.name, one.points, one.hands, one.wins, one.self_draws, one.discards, one.tai, points, one.against)


def test_past_hands_stay_with_whom_they_belonged_to() -> None:
    evening = Evening("common")
    evening.play(("won", 0, 3, 1))  # 甲 from 乙
    before = dict(evening.game.totals)
    evening.add("replaced", {"leaves": "甲", "comes": "戊"})
    evening.play(("won", 0, 2, None))  # 戊 sits in the first chair now
    evening.add("replaced", {"leaves": "丁", "comes": "甲"})  # 甲 is back, in the fourth
    game = evening.game
    assert (game.all_totals["甲"], game.totals["戊"] > 0, game.left) == (
        before["甲"],
        True,
        {"丁": game.all_totals["丁"]},
    )
    figures = {one.name: one for one in standings([night_of(game)])}
    assert [(figures[name].hands, figures[name].wins) for name in "甲戊丁"] == [(1, 1), (1, 1), (2, 0)]
    evening.amend(0, ("won", 1, 3, 0))
    assert evening.game.all_totals["甲"] < 0 < evening.game.all_totals["乙"] + before["甲"]
    assert as_entry(evening.game, ("drawn",))["kind"] == "drawn"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        pytest.param([("a", "b")], {"a": "b"}, id="merged"),
        pytest.param([("a", "b"), ("a", None)], {}, id="undone"),
        pytest.param([("a", "b"), ("b", "c")], {"a": "c", "b": "c"}, id="through-another"),
        pytest.param([("a", "b"), ("b", "a")], {"a": "b"}, id="no-circle"),
        pytest.param([("a", "b"), ("a", "c")], {"a": "c"}, id="the-last-word"),
    ],
)
def test_two_spellings_of_one_person(said: list[tuple[str, str | None]], meant: dict[str, str]) -> None:
    assert same_people([{"name": name, "is": is_} for name, is_ in said]) == meant


def test_the_pages_of_players(client: FlaskClient) -> None:
    assert "還沒有人打過" in text(client, "/people")
    open_table(client, ("<b>明", "小美", "老王", "Grace"))
    won(client, 0, 5, "1")
    won(client, 0, 3)
    won(client, 2, 1, "0")
    page = client.get("/people").get_data(as_text=True)
    assert "&lt;b&gt;明" in page
    assert "<b>明" not in page
    shown = text(client, "/people/player?name=%3Cb%3E明")
    for said in (
        "67% 3 把裡 2 把 · 把數還少",
        "33% 3 把裡 1 把",
        "50% 胡 2 次裡 1 次",
        "4.0 2 次胡牌",
        "最大的一把：5 台",
    ):
        assert said in shown
    assert client.get("/people/player?name=nobody").status_code == 404
    assert client.get("/people?period=1999").status_code == 404
    (period,) = set(re.findall(r'value="(\d{4}-Q\d)"', page))
    assert "小美" in text(client, f"/people?period={period}")
    assert "Standings" in text(client, "/people?lang=en")


def test_two_spellings_count_together_until_they_are_taken_apart(client: FlaskClient) -> None:
    open_table(client, ("阿明", "小美", "老王", "明"))
    won(client, 0, 5, "1")
    assert client.post("/people/same", data={"name": "明", "is": "阿明"}).status_code == 303
    assert "「明」也算在這裡" in text(client, "/people/player?name=明")
    assert "3. " in text(client, "/people")
    assert "4. " not in text(client, "/people")
    assert client.post("/people/same", data={"name": "明"}).status_code == 303
    assert "4. " in text(client, "/people")
    assert client.post("/people/same", data={"name": "誰", "is": "阿明"}).status_code == 422


def test_every_hand_is_listed_typed_ones_too_and_as_it_was_corrected(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 5, "1")
    won(client, 2, 1)
    at_table(client, "drawn", counts="1")
    first = state(app).hands[0].entry.id
    known = hidden(client.get(f"/table/amend/{first}").get_data(as_text=True))
    client.post(f"/table/amend/{first}", data={**known, "tai_3": "4", "source": "1"})
    paid = state(app).hands[0].points["Grace"]
    shown = text(client, "/records")
    for said in ("3 把", "更正過", f"Grace +{paid}"):
        assert said in shown
    assert "阿明 胡" not in shown
    players = (("player=Grace", 2), ("player=老王", 1))  # who won, and who paid for it
    for search, number in (*players, ("tai=2", 1), ("tai=1", 2), ("book=luohan", 3), ("book=ntu", 0)):
        assert f" {number} 把 " in text(client, f"/records?{search}")
    assert client.get("/records?tai=x").status_code == 422
    moved = client.get("/people/hands?player=Grace&tai=2")  # the address that listed them before
    assert (moved.status_code, moved.headers["Location"]) == (301, "/records?player=Grace&tai=2")
    total = state(app).totals["Grace"]
    assert f"Grace +{total}" in text(client, "/games")


def listed(client: FlaskClient, search: str = "") -> list[str]:
    """The rows of the list, each as its words."""
    html = client.get(f"/records?{search}").get_data(as_text=True)
    return [words(one) for one in re.findall(r"<li><a class=\"card record-row.*?</li>", html, re.S)]


def test_photographed_and_typed_hands_stand_in_one_list(app: Flask, client: FlaskClient, page: Any) -> None:
    page.upload()
    settle(page, player_E="小李")  # without a table
    open_table(client)
    page.upload(name="second.jpg")
    settle(page, into_game=True)
    won(client, 2, 9, "1")
    newest, photographed, alone = listed(client)
    for row, said in ((newest, ("第 2 把", "老王", "胡（小美放槍）", "9")), (alone, ("小李", "自摸"))):
        assert [one for one in said if one not in row] == []
    points = state(app).hands[0].points
    assert all(f"{name} {points[name]:+d}" in photographed for name in ("阿明", "小美", "老王", "Grace"))
    assert "箭字坎" in photographed
    assert listed(client, "pattern=dragon_pung") == [photographed, alone]
    assert listed(client, "player=老王") == [newest, photographed]
    assert listed(client, "player=小李") == [alone]
    assert listed(client, "tai=9") == [newest]
    at_table(client, "undo")
    at_table(client, "undo")  # the photographed one: its record stays, taken back
    row, other = listed(client)
    assert "已復原，不算" in row
    assert "+" not in row
    assert other == alone


def test_a_hand_is_found_by_the_rules_that_it_was_played_by(client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 5, "1")
    assert at_table(client, "rules", rules="ntu", sure="1").status_code == 303
    won(client, 2, 3, "1")
    (first,), (second,) = listed(client, "book=luohan"), listed(client, "book=ntu")
    assert "麻將羅漢" in first
    assert "第 2 把" in second
    assert listed(client) == [second, first]


def test_a_disputed_hand_of_an_evening_says_so_in_the_list(client: FlaskClient, page: Any) -> None:
    open_table(client)
    page.upload()
    at = settle(page, into_game=True).headers["Location"].split("?")[0]
    assert client.post(f"{at}/disputes", data={"who": "老王", "claim": "不對"}).status_code == 303
    (row,) = listed(client)
    assert "有爭議" in row


def test_another_player_takes_over(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 3)
    total = state(app).totals["阿明"]
    for taken in ("", "小美"):
        assert at_table(client, "replace", leaves="0", comes=taken).status_code == 422
    assert at_table(client, "replace", leaves="0", comes="小李").status_code == 303
    won(client, 0, 2, "1")
    game = state(app)
    assert (game.left, game.players[0], game.hands[1].winners) == ({"阿明": total}, "小李", ("小李",))
    assert f"阿明 先走了，+{total}" in text(client, "/table")
    for address in (f"/games/{game.id}", f"/games/{game.id}/evening", "/people"):
        assert "阿明" in text(client, address)
    assert client.get(f"/games/{game.id}/export.json").get_json()["left"] == {"阿明": total}
    assert "阿明" in client.get(f"/games/{game.id}/export.csv").get_data(as_text=True)
    at_table(client, "undo")
    at_table(client, "undo")
    assert state(app).players[0] == "阿明"
    assert not state(app).left


def test_what_was_not_settled_is_carried_over_and_marked(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 3)  # three of them owe the first
    at_table(client, "end")
    first = entries(app, "game")[0].id
    page = client.get(f"/games/{first}/evening").get_data(as_text=True)
    head = re.search(r'name="head" value="([^"]+)"', page).group(1)  # type: ignore[union-attr]
    assert client.post(f"/games/{first}/paid", data={"head": head}).status_code == 422
    assert client.post(f"/games/{first}/paid", data={"head": head, "transfer": "0"}).status_code == 303
    assert "結清了" in text(client, f"/games/{first}/evening")
    form = client.get(f"/table/again/{first}").get_data(as_text=True)
    assert form.count("<strong>") == 2
    assert 'value="阿明"' in form
    open_table(client, carry=first)
    second = state(app)
    carried = second.entry.content["carried"]["transfers"]
    assert len(carried) == 2
    assert not any(second.totals.values())
    assert "上次沒結，帶過來的" in text(client, "/table")
    assert "帶到下一桌" in text(client, f"/games/{first}/evening")
    shown = text(client, f"/games/{second.id}/evening")
    for payer, payee, points in carried:
        assert f"{payer} 付給 {payee} {points}" in shown
    assert "上一桌沒結的" not in text(client, f"/table/again/{first}")  # not twice
    assert "繼續打" not in text(client, f"/games/{first}")  # another table is open since
    at_table(client, "end")
    assert "繼續打" in text(client, f"/games/{second.id}")


def test_nothing_of_an_evening_is_read_again_while_it_stands(app: Flask, client: FlaskClient) -> None:
    REMEMBERED.clear()
    evening = Evening("common")
    rng = Random(7)
    for _ in range(2):
        evening.play(("won", rng.randrange(4), 2, None))
    with store_of(app).writing() as writer:
        for _ in range(3):
            opened = writer.append("game", evening.opened.content)
            for one in evening.about:
                writer.append(one.kind, one.content, about=opened.id)
    assert "3 晚" in text(client, "/people")
    read: list[str] = []
    with store_of(app).reading() as view:
        view_type = type(view)
    original = view_type.about
    view_type.about = lambda self, *ids: read.extend(ids) or original(self, *ids)  # type: ignore[method-assign,func-returns-value]
    try:
        assert "3 晚" in text(client, "/people")
        assert read == []  # nothing of an evening is read a second time
    finally:
        view_type.about = original  # type: ignore[method-assign]
