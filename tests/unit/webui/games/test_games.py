"""The running table: sitting down, hands from the board and by hand, dealer and streak, undo, seats, rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
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
from webui.board.state import ASKED, Context
from webui.store.place import Place
from webui.store.upkeep.verify import verify
from webui.views.table.next_hand import defaults


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


def test_sitting_down(app: Flask, client: FlaskClient) -> None:
    assert "開一桌" in client.get("/table").get_data(as_text=True)
    assert open_table(client, base="50", per_tai="20").status_code == 303
    game = state(app)
    assert game.players == NAMES
    assert (game.base, game.per_tai, game.dealer) == (50, 20, "阿明")
    text = words(client.get("/table").get_data(as_text=True))
    for said in ("東風圈・阿明作莊", "底 50，每台 20", *NAMES):
        assert said in text
    assert open_table(client).status_code == 409  # one table at a time


@pytest.mark.parametrize("names", [("a", "b", "c", ""), ("a", "b", "c", "a"), ("a", "b", "c", " a\n")], ids=str)
def test_four_different_names(app: Flask, client: FlaskClient, names: tuple[str, ...]) -> None:
    answer = open_table(client, names)
    assert answer.status_code == 422
    assert "四個不同的名字" in answer.get_data(as_text=True)
    assert 'value="b"' in answer.get_data(as_text=True)  # typed text is still there
    assert entries(app) == []


@pytest.mark.parametrize(
    "fields",
    [{"base": "-1"}, {"base": "x"}, {"per_tai": "9999999"}, {"first_dealer": "4"}, {"rules": "/etc/passwd"}],
    ids=str,
)
def test_a_table_that_cannot_be(app: Flask, client: FlaskClient, fields: dict[str, str]) -> None:
    assert open_table(client, **fields).status_code == 422
    assert entries(app) == []


def test_a_hand_from_the_board(app: Flask, client: FlaskClient, page: Any) -> None:
    """The context comes from the table; the seats follow the dealer's seat wind; the totals from the answer."""
    open_table(client, base="10", per_tai="5")
    page.upload()
    assert page.fields()["base"] == "10"
    page.press(win="discard", seat="S", dealer="W", discarder="E")
    # the dealer 阿明 sits W: so 小美 N, 老王 E, Grace S
    assert words(page.html).count("Grace") >= 1
    answer = settle(page, into_game=True)
    assert answer.status_code == 303
    (hand,) = state(app).hands
    assert hand.winners == ("Grace",)
    assert hand.loser == "老王"
    points = 10 + 5 * hand.tai[0]
    assert dict(hand.points) == {"阿明": 0, "小美": 0, "老王": -points, "Grace": points}
    (record,) = entries(app, "record")
    assert record.content["players"] == {"E": "老王", "S": "Grace", "W": "阿明", "N": "小美"}
    assert (record.content["game"], record.content["number"]) == (state(app).id, 1)
    assert hand.records == (record.id,)
    assert state(app).dealer == "小美"
    assert verify(store_of(app)).findings == ()


def test_defaults_of_the_next_hand(app: Flask, client: FlaskClient) -> None:
    """莊家連莊, 圈風: the rules engine's result, in the context of the next hand."""
    with app.test_request_context():
        assert defaults() == Context(rules="common", unsaid=frozenset(ASKED))
    open_table(client, base="10", per_tai="5", rules="ntu")
    won(client, 0, 3)
    won(client, 0, 2, "1")
    with app.test_request_context():
        known = Context(rules="ntu", round="E", streak=2, base=10, per_tai=5)
        assert defaults() == replace(known, unsaid=frozenset({"seat", "win", "dealer"}))
    for chair in (1, 2, 3, 0):
        won(client, chair, 1)
    with app.test_request_context():
        assert defaults().round == "S"
        assert defaults().streak == 0


def test_the_board_starts_from_the_table(client: FlaskClient, page: Any) -> None:
    open_table(client, rules="common", base="30", per_tai="10")
    won(client, 0, 3)
    page.upload()
    fields = page.fields()
    assert [fields[key] for key in ("rules", "round", "streak", "base", "per_tai")] == ["common", "E", "1", "30", "10"]


@pytest.mark.parametrize("changed", [{"streak": "3"}, {"round": "W"}, {"rules": "ntu"}, {"base": "7"}], ids=str)
def test_a_hand_that_says_otherwise_is_not_counted(
    app: Flask, client: FlaskClient, page: Any, changed: dict[str, str]
) -> None:
    open_table(client)
    page.upload()
    form = page.fields()
    into = re.search(r'name="game" value="([^"]+)" id="settle-game"', page.html).group(1)  # type: ignore[union-attr]
    page.press(**changed)
    assert "settle-game" not in page.html
    assert "和牌局記的不同" in page.text
    answer = client.post("/records", data={**form, **changed, "game": into})
    assert answer.status_code == 409
    assert entries(app, "record") == []
    page.take(client.post("/table/align", data=page.fields()))
    assert "settle-game" in page.html
    assert settle(page, into_game=True).status_code == 303


def test_a_hand_kept_outside_the_table(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client)
    page.upload()
    page.press(streak="5")
    assert settle(page).status_code == 303
    assert state(app).hands == ()
    assert entries(app, "record")[0].content["game"] is None


def test_two_phones_count_a_hand_once(app: Flask, client: FlaskClient, page: Any) -> None:
    """The second phone still shows the old table: its hand is not counted, and it gets a message."""
    open_table(client)
    page.upload()
    form = page.fields()
    into = re.search(r'name="game" value="([^"]+)" id="settle-game"', page.html).group(1)  # type: ignore[union-attr]
    won(client, 1, 2)
    answer = client.post("/records", data={**form, "game": into})
    assert answer.status_code == 409
    assert "剛剛有人先" in words(answer.get_data(as_text=True))
    assert entries(app, "record") == []
    assert len(state(app).hands) == 1


def test_a_form_of_the_table_from_before(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    old = hidden(client.get("/table").get_data(as_text=True))
    won(client, 1, 2)
    for action, fields in {
        "won": {"tai_0": "1", "source": "self_draw"},
        "drawn": {},
        "false-win": {"offender": "0"},
        "undo": {},
        "end": {},
        "rules": {"rules": "ntu"},
    }.items():
        assert client.post(f"/table/{action}", data={**old, **fields}).status_code == 409, action
    assert len(state(app).hands) == 1


def test_dealer_streak_and_totals_over_an_evening(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 0, 3)  # the dealer draws: 3 + 3 + 1 tai from each
    won(client, 0, 2, "1")  # 3 + 2 + 1 + 2 (連一拉一)
    at_table(client, "drawn")
    won(client, 2, 4, "0")  # the dealer with a streak of three discards: 3 + 4 + 1 + 6
    game = state(app)
    assert [dict(hand.points) for hand in game.hands] == [
        {"阿明": 21, "小美": -7, "老王": -7, "Grace": -7},
        {"阿明": 8, "小美": -8, "老王": 0, "Grace": 0},
        {"阿明": 0, "小美": 0, "老王": 0, "Grace": 0},
        {"阿明": -14, "小美": 0, "老王": 14, "Grace": 0},
    ]
    assert [(hand.dealer, hand.streak) for hand in game.hands] == [("阿明", at) for at in range(4)]
    assert game.totals == {"阿明": 15, "小美": -15, "老王": 7, "Grace": -7}
    assert (game.dealer, game.session.streak) == ("小美", 0)
    text = words(client.get("/table").get_data(as_text=True))
    for said in ("東風圈・小美作莊", "阿明 3 台自摸", "老王 4 台胡（阿明放槍）", "流局", "+15"):
        assert said in text


def test_several_winners(app: Flask, client: FlaskClient) -> None:
    """一炮多響: by the book; luohan pays the nearest only, mahjong_time each.

    The page shows it before the hand is stored.
    """
    open_table(client, rules="mahjong_time")
    won(client, 1, 2, "0", tai_2="3", several_winners="each")
    assert state(app).hands[0].winners == ("小美", "老王")
    at_table(client, "rules", rules="luohan")
    won(client, 1, 2, "0", tai_2="3")
    assert len(state(app).hands) == 1
    won(client, 1, 2, "0", tai_2="3", several_winners="nearest")
    assert state(app).hands[1].winners == ("小美",)


def test_the_discarder_pays_for_all(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="mahjong_time", base="10", per_tai="1")
    won(client, 1, 5, "2", responsible="1")
    points = state(app).hands[0].points
    assert points["老王"] == -points["小美"] == -(10 * 3 + 5 * 3 + 1)  # 阿明 deals: his share has one tai more
    assert points["阿明"] == points["Grace"] == 0


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"source": "self_draw"}, 422),
        ({"source": "self_draw", "tai_0": "1", "tai_1": "1"}, 422),
        ({"source": "0", "tai_0": "1"}, 422),
        ({"source": "9", "tai_0": "1"}, 422),
        ({"tai_0": "1"}, 422),
        ({"source": "1", "tai_0": "x"}, 422),
        ({"source": "1", "tai_0": "-1"}, 422),
        ({"source": "1", "tai_0": "1001"}, 422),
        ({"source": "1", "tai_0": "9" * 5000}, 422),
        ({"source": "1", "tai_0": "1", "east": "7"}, 422),
        ({"source": "1", "tai_0": "0"}, 303),
    ],
    ids=lambda value: str(value)[:60],
)
def test_hands_by_hand(app: Flask, client: FlaskClient, fields: dict[str, str], status: int) -> None:
    open_table(client)
    assert at_table(client, "won", **fields).status_code == status
    assert len(state(app).hands) == (status == 303)


def test_false_wins(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="ntu")
    at_table(client, "false-win", offender="2")
    (hand,) = state(app).hands
    assert (hand.kind, hand.loser) == ("false_win", "老王")
    assert hand.points["老王"] == -(12 + 12 + 13)  # base 4 + 8 tai; with the dealer one more
    assert state(app).dealer == "阿明"
    assert at_table(client, "false-win").status_code == 422
    at_table(client, "rules", rules="mahjong_time")
    at_table(client, "false-win", offender="1", waiting_0="1", waiting_1="1")
    assert dict(state(app).hands[1].points) == {"阿明": 32, "小美": -64, "老王": 16, "Grace": 16}
    at_table(client, "false-win", offender="1", unshown="1")
    assert not any(state(app).hands[2].points.values())


def test_undo_voids_and_deletes_nothing(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client)
    won(client, 1, 5, "0")
    page.upload()
    settle(page, into_game=True)
    before = entries(app)
    assert at_table(client, "undo").status_code == 303
    assert entries(app)[: len(before)] == before
    void = entries(app)[-1]
    record = entries(app, "record")[0]
    assert (void.kind, void.content["record"]) == ("void", record.id)
    assert len(state(app).hands) == 1
    assert state(app).totals["小美"] == 9
    assert "被復原" in client.get(f"/records/{record.id}").get_data(as_text=True)
    assert "已復原，不算" in client.get("/records").get_data(as_text=True)
    at_table(client, "undo")
    assert state(app).hands == ()
    assert at_table(client, "undo").status_code == 409
    page.press()  # the same hand may be counted again after it was taken back
    assert settle(page, into_game=True).headers["Location"] != f"/records/{record.id}?settled=1"
    assert len(state(app).hands) == 1
    assert verify(store_of(app)).findings == ()


def test_the_end_and_playing_on(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 2)
    game = state(app)
    answer = at_table(client, "end")
    assert answer.headers["Location"] == f"/games/{game.id}"
    assert "開一桌" in client.get("/table").get_data(as_text=True)
    assert "小美" in client.get("/games").get_data(as_text=True)
    html = client.get(f"/games/{game.id}").get_data(as_text=True)
    assert "繼續打" in html
    assert client.post("/table/undo", data=hidden(html)).status_code == 303
    assert len(state(app).hands) == 1
    assert client.get("/games/nobody").status_code == 404


def test_four_rounds_and_the_next_ones(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    for _ in range(16):
        won(client, (NAMES.index(state(app).dealer) + 1) % 4, 1)
    game = state(app)
    assert game.session.finished
    assert "這一將打完了" in client.get("/table").get_data(as_text=True)
    assert won(client, 0, 1).status_code == 409
    seats = dict(enumerate(("Grace", "阿明", "小美", "老王")))
    answer = at_table(client, "seating", **{f"place_{at}": name for at, name in seats.items()}, first_dealer="1")
    assert answer.status_code == 303
    game = state(app)
    assert game.session.players == ("Grace", "阿明", "小美", "老王")
    assert (game.dealer, game.session.jiang, game.session.round) == ("阿明", 2, 0)
    assert game.players == NAMES  # the order of the columns stays
    won(client, 1, 2)
    assert state(app).hands[-1].winners == ("阿明",)
    at_table(client, "undo")
    at_table(client, "undo")
    assert state(app).session.finished


@pytest.mark.parametrize("places", [("阿明",) * 4, ("阿明", "小美", "老王", "x"), ("", "", "", "")], ids=str)
def test_seats_that_cannot_be(app: Flask, client: FlaskClient, places: tuple[str, ...]) -> None:
    open_table(client)
    fields = {f"place_{at}": name for at, name in enumerate(places)}
    assert at_table(client, "seating", **fields, first_dealer="0").status_code == 422


def test_seats_within_a_round_stay(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    won(client, 1, 1)
    fields = {f"place_{at}": name for at, name in enumerate(NAMES)}
    answer = at_table(client, "seating", **fields, first_dealer="0")
    assert answer.status_code == 409
    assert "照現在的規則這樣不行" in words(answer.get_data(as_text=True))


def test_chips_run_out(app: Flask, client: FlaskClient) -> None:
    """ntu: 200 chips each; who has none left pays none, and the game is over."""
    open_table(client, rules="ntu")
    won(client, 1, 300, "2")
    game = state(app)
    assert game.totals == {"阿明": 0, "小美": 200, "老王": -200, "Grace": 0}
    assert game.session.finished
    assert "籌碼 400" in words(client.get("/table").get_data(as_text=True))
    fields = {f"place_{at}": name for at, name in enumerate(NAMES)}
    assert at_table(client, "seating", **fields, first_dealer="0").status_code == 409


def test_a_house_book_in_the_middle_of_an_evening(app: Flask, client: FlaskClient) -> None:
    """The hands before stay as they were scored; the text of the book is kept with the game."""
    open_table(client)
    won(client, 0, 3)
    client.post("/house", data={"base": "luohan", "title": "週五桌", "tai.dealer": "3"})
    key = re.search(r"/house/(house-[\w-]+)", client.get("/house").get_data(as_text=True)).group(1)  # type: ignore[union-attr]
    assert client.post(f"/house/{key}/use").headers["Location"] == "/table"
    won(client, 0, 3, "1")
    first, second = state(app).hands
    assert first.points["小美"] == -7
    assert second.points["小美"] == -(3 + 3 + 3 + 2)  # 底, 台, the house's dealer tai, 連一拉一
    assert "週五桌" in client.get("/table").get_data(as_text=True)
    at_table(client, "undo")
    at_table(client, "undo")
    assert state(app).session.book.id == "luohan"
