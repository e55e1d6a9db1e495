"""插花 at the running table: inner and outer bets, when the book lets them begin and end, and what they pay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.support.records_kit import at_table, entries, open_table, settle, state, store_of, words
from webui import create_app
from webui.games.bets import Outer, SideBets, _changes
from webui.games.results.evening import evening_of
from webui.store.upkeep.verify import verify

OUTER = {"bettor_0": "阿姨", "follows_0": "1", "stake_0": "5"}  # follows 小美


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def undo(app: Flask, client: FlaskClient) -> None:
    game = state(app)
    assert client.post("/table/undo", data={"game": game.id, "head": game.head}).status_code == 303


def test_inner_bets_raise_the_base_between_two_players(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    assert at_table(client, "bets", inner_1="1", inner_2="2").status_code == 303
    assert "內插 2 底" in words(client.get("/table").get_data(as_text=True))
    at_table(client, "won", tai_1="2", source="self_draw")
    # 小美 added one base: with 阿明 (dealer) 3 x 2 + 3, with 老王 (two more) 3 x 4 + 2, with Grace 3 x 2 + 2
    assert state(app).totals == {"阿明": -9, "小美": 31, "老王": -14, "Grace": -8}


def test_an_outer_bettor_wins_and_loses_with_the_player_he_follows(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    assert at_table(client, "bets", **OUTER).status_code == 303
    at_table(client, "won", tai_1="2", source="self_draw")
    game = state(app)
    assert dict(game.session.bettors) == {"阿姨": 15}
    assert sum(game.totals.values()) == -15
    assert sum(one.points for one in evening_of(game).payments if one.payee == "阿姨") == 15
    assert client.get(f"/games/{game.id}/evening").status_code == 200
    assert "阿姨" in client.get("/table").get_data(as_text=True)
    rows = client.get(f"/games/{game.id}/export.csv").get_data(as_text=True).splitlines()
    assert rows[0].endswith("阿姨（外插）,見證碼")
    assert rows[1].split(",")[-2] == "15"
    undo(app, client)
    undo(app, client)
    assert (state(app).bets, state(app).rows) == (type(game.bets)(), ())
    assert verify(store_of(app)).findings == ()


def test_a_false_win_pays_the_bets_too(app: Flask, client: FlaskClient) -> None:
    """000 L432: the one who claims falsely owes the side stake; his own backer owes it to the three."""
    open_table(client)
    at_table(client, "bets", inner_1="1", **OUTER)
    answer = client.get("/table/incident/false_win?who=1&face_tai=0")
    assert "阿姨付老王外插 5 點" in words(answer.get_data(as_text=True))
    game = state(app)
    entered = {"game": game.id, "head": game.head, "who": "1", "face_tai": "0"}
    assert client.post("/table/incident/false_win", data=entered).status_code == 303
    by_sheet = state(app)
    assert by_sheet.totals == {"阿明": 7 + 5, "小美": -19, "老王": 6 + 5, "Grace": 6 + 5}
    undo(app, client)
    at_table(client, "false-win", offender="1", face_tai="0", east="0")
    assert state(app).totals == by_sheet.totals
    assert state(app).session.bettors == by_sheet.session.bettors == (("阿姨", -15),)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"bettor_0": "阿姨", "follows_0": "1"}, "外插要填"),
        ({"stake_0": "5", "follows_0": "1"}, "外插要填"),
        ({**OUTER, "follows_0": "7"}, "外插要填"),
        ({**OUTER, "bettor_0": "小美"}, "「小美」已經是玩家"),
        ({**OUTER, "bettor_1": "阿姨", "follows_1": "2", "stake_1": "3"}, "「阿姨」已經是玩家"),
        ({**OUTER, "stake_0": "-5"}, "「-5」"),
        ({"inner_0": "10"}, "「10」"),
    ],
    ids=["no stake", "no name", "follows nobody", "a player", "twice", "negative", "too many bases"],
)
def test_a_bet_that_cannot_be_is_refused(app: Flask, client: FlaskClient, fields: dict[str, str], said: str) -> None:
    open_table(client)
    before = entries(app)
    answer = at_table(client, "bets", **fields)
    assert (answer.status_code, said in words(answer.get_data(as_text=True))) == (422, True)
    assert entries(app) == before


def test_the_book_says_when(app: Flask, client: FlaskClient) -> None:
    """000 L347: no bet of more than one base, and no outer bet, begins while a streak runs."""
    open_table(client)
    at_table(client, "drawn")
    answer = at_table(client, "bets", **OUTER)
    assert answer.status_code == 422
    assert "阿姨現在不能這樣插花（麻將羅漢規則 第 347 行）" in words(answer.get_data(as_text=True))
    assert at_table(client, "bets", agreed="1", **OUTER).status_code == 303
    open_bets = state(app).bets
    assert at_table(client, "bets", **OUTER).status_code == 303  # nothing new: nothing to bar, nothing to enter
    assert (state(app).bets, len(entries(app, "bets"))) == (open_bets, 1)


def test_only_where_the_book_has_them(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="ntu")
    assert "內插" not in words(client.get("/table").get_data(as_text=True))
    assert at_table(client, "bets", **OUTER).status_code == 422


def test_a_photographed_hand_pays_them_and_says_so(app: Flask, client: FlaskClient, page: Any) -> None:
    open_table(client)
    at_table(client, "bets", inner_0="1", **OUTER)
    page.upload()
    page.press(win="discard", seat="S", dealer="E", discarder="N")
    said = words(page.html)
    assert "Grace付阿姨外插 5 點" in said
    assert "插花算在內" in said
    answer = settle(page, into_game=True)
    assert answer.status_code == 303
    record = words(client.get(answer.headers["Location"]).get_data(as_text=True))
    assert "Grace付阿姨外插 5 點" in record
    assert "插花算在內" in record
    assert "照台數本來是" in record
    assert dict(state(app).session.bettors) == {"阿姨": 5}


def test_names_never_meet(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    at_table(client, "bets", **OUTER)
    taken = {"name_0": "阿姨", "name_1": "小美", "name_2": "老王", "name_3": "Grace"}
    assert at_table(client, "names", **taken).status_code == 422
    renamed = {**taken, "name_0": "阿明二", "name_1": "美美"}
    assert at_table(client, "names", **renamed).status_code == 303
    at_table(client, "won", tai_1="0", source="0")
    assert dict(state(app).session.bettors) == {"阿姨": 5}


NAMES = ("阿明", "小美", "老王", "Grace")
AUNT, UNCLE = Outer("阿姨", 1, 5), Outer("舅舅", 3, 5)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (SideBets(), SideBets(), []),
        (SideBets((1, 0, 2, 0), (AUNT,)), SideBets((1, 0, 2, 0), (AUNT,)), []),
        (
            SideBets((0, 1, 2, 0)),
            SideBets((3, 1, 1, 0)),
            [
                ("阿明", {"act": "start", "bases": 3, "lost": False}),
                ("老王", {"act": "stop", "bases": 2, "lost": True}),
            ],
        ),
        (SideBets(outer=(UNCLE,)), SideBets(outer=(UNCLE, AUNT)), [("阿姨", {"act": "start", "lost": True})]),
        (SideBets(outer=(UNCLE, AUNT)), SideBets(outer=(AUNT,)), [("舅舅", {"act": "stop", "lost": False})]),
        (SideBets(outer=(AUNT,)), SideBets(outer=(Outer("阿姨", 0, 5),)), [("阿姨", {"act": "change", "lost": True})]),
        (SideBets(outer=(AUNT,)), SideBets(outer=(Outer("阿姨", 1, 6),)), [("阿姨", {"act": "change", "lost": True})]),
    ],
)
def test_the_referee_is_asked_about_each_bet_begun_moved_or_ended(
    before: SideBets, after: SideBets, changes: list[tuple[str, dict[str, Any]]]
) -> None:
    """And told whether the player lost the last hand, and how many deals are left."""
    session: Any = SimpleNamespace(round=2, dealer=1, first_dealer=3, players=NAMES)
    last = {"小美": -1, "老王": -9, "Grace": 0, "阿明": 10}
    kind = "outer" if before.outer or after.outer else "inner"
    expected = [(name, {"bet": kind, "deals_left": 16 - (2 * 4 + 2)} | facts) for name, facts in changes]
    assert _changes(session, before, after, NAMES, last) == expected
