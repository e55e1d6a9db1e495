"""三人: score, ruling and seats with three players equal the answers for four, without North."""

from __future__ import annotations

from typing import Any

import pytest

import scoring
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, load_book
from scoring.settlement.session import Drawn, Session, Won
from tests.unit.scoring.support.asking import ask, drawn

HAND = "123456m789p55s678s"
THREE = ("a", "b", "c")
WINS = [
    drawn(HAND, "6m", "pung 111p", dealer="E"),
    drawn(HAND, "6m", "pung 111p", dealer="W", streak=2),
    drawn(HAND, "6m", "kong 1111p", dealer="E", events=["kong_replacement"]),
    ask(HAND, "6m", "pung 111p", dealer="E", discarder="W"),
    ask("", None, win="eight_flowers", flowers="12345678f", dealer="E", discarder=None),
]


@pytest.mark.parametrize("request_", WINS, ids=lambda one: one["win"])
@pytest.mark.parametrize("rules", [*BOOK_IDS, *READY_IDS])
def test_nobody_pays_in_the_north(rules: str, request_: dict[str, Any]) -> None:
    asked = {**request_, "rules": rules, "seat": "S"}
    four, three = scoring.answer(asked), scoring.answer({**asked, "players": 3})
    assert scoring.answer({**asked, "players": 4}) == four
    assert three["transfers"] == [one for one in four["transfers"] if one["from"] != "N"]
    assert {key: value for key, value in three.items() if key != "transfers"} == {
        key: value for key, value in four.items() if key != "transfers"
    }


@pytest.mark.parametrize("key", ["seat", "dealer", "discarder", "responsible"])
def test_the_north_is_refused(key: str) -> None:
    request = {**ask(HAND, "6m", "pung 111p", dealer="E", discarder="W"), "rules": "luohan", "seat": "S", "players": 3}
    assert "error" not in scoring.answer(request)
    refused = scoring.answer({**request, key: "N"})
    assert f'{key}：不認得 "N"（可用：E, S, W）' in refused["problems"]
    assert "error" not in scoring.answer({**request, "round": "N"})


@pytest.mark.parametrize("players", [1, 5, "3", 3.0, True, [3]], ids=repr)
def test_how_many_is_three_or_four(players: Any) -> None:
    win = {**ask(HAND, "6m", "pung 111p", dealer="E", discarder="W"), "rules": "luohan", "players": players}
    assert any(one.startswith("players：") for one in scoring.answer(win)["problems"])
    incident = {"rules": "luohan", "incident": "dead_again", "who": "E", "players": players}
    assert any(one.startswith("players：") for one in scoring.ruling(incident)["problems"])
    wall = {"rules": "luohan", "step": "wall", "drawn": 0, "replaced": 0, "players": players}
    assert any(one.startswith("players：") for one in scoring.seats(wall)["problems"])


INCIDENTS = [
    ("false_win", {"shown": True, "waiting": ["E"]}),
    ("pay_for_all", {}),
    ("false_win", {"shown": True, "waiting": [], "true_win": {"winner": "E", "win": "self_draw", "tai": 2}}),
]


@pytest.mark.parametrize(("incident", "facts"), INCIDENTS, ids=lambda one: str(one)[:20])
@pytest.mark.parametrize("rules", BOOK_IDS)
def test_rulings_pay_nobody_in_the_north(rules: str, incident: str, facts: dict[str, Any]) -> None:
    asked = {"rules": rules, "incident": incident, "who": "S", "face_tai": 2, "facts": facts}
    four, three = scoring.ruling(asked), scoring.ruling({**asked, "players": 3})
    assert three["transfers"] == [one for one in four["transfers"] if "N" not in (one["from"], one["to"])]
    assert (three["outcome"], three["hand"], three["deal"]) == (four["outcome"], four["hand"], four["deal"])


def test_east_plays_after_west() -> None:
    """下家 of West is East: the chow is his, the flowers go round three, the nearest of two winners is he."""
    chow = {"rules": "luohan", "incident": "calls", "who": "E", "draws_left": 20, "facts": {"act": "chow", "from": "W"}}
    assert scoring.ruling(chow)["outcome"] == "barred"
    assert scoring.ruling({**chow, "players": 3})["outcome"] == "allowed"
    acts = [{"who": "E", "act": "say_chow", "t": 1}]
    first = {"rules": "luohan", "incident": "priority", "players": 3, "facts": {"discarder": "W", "acts": acts}}
    assert scoring.ruling(first)["gets"] == ["E"]
    flowers = {"rules": "luohan", "incident": "flower_order", "dealer": "S", "players": 3, "facts": {"flowers": {}}}
    assert [one["who"] for one in scoring.ruling(flowers)["rounds"][0]] == ["S", "W", "E"]
    claims = [{"who": "S", "tai": 1}, {"who": "E", "tai": 1}]
    several = {"rules": "luohan", "incident": "several_wins", "facts": {"discarder": "W", "claims": claims}}
    assert scoring.ruling({**several, "players": 3})["gets"] == ["E"]


@pytest.mark.parametrize("name", ["N"])
@pytest.mark.parametrize("place", ["who", "dealer", "facts", "marks", "duties"])
def test_rulings_refuse_the_north(name: str, place: str) -> None:
    asked: dict[str, Any] = {"rules": "luohan", "incident": "unmade_call", "who": "S", "players": 3}
    asked["facts"] = {"call": "pung", "discarder": "E"}
    assert "error" not in scoring.ruling(asked)
    bad = {
        "who": name,
        "dealer": name,
        "facts": {"call": "pung", "discarder": name},
        "marks": {name: ["dead_hand"]},
        "duties": [{"who": name, "wins": "any", "draws": 8, "since": 0}],
    }
    assert "error" in scoring.ruling({**asked, place: bad[place]})


@pytest.mark.parametrize(("players", "left"), [(4, 144 - 65 - 16), (3, 144 - 49 - 16)])
def test_the_wall_of_three_is_longer(players: int, left: int) -> None:
    wall = {"rules": "luohan", "step": "wall", "drawn": 0, "replaced": 0, "players": players}
    assert scoring.seats(wall)["draws_left"] == left


def test_a_session_of_three() -> None:
    session = Session(load_book("common"), THREE, totals=(0, 0, 0))
    assert session.seats == ("E", "S", "W")
    assert [session.seat(chair, 1) for chair in range(3)] == ["W", "E", "S"]
    assert all(session.chair(session.seat(chair, 2), 2) == chair for chair in range(3))
    for _ in range(3):
        session = session.played(Won(session.dealer, ("S",), ()))
    assert (session.round_wind, session.dealer) == ("S", 0)
    assert session.played(Drawn()).streak == 1
    for bad in (("a",), ("a", "b", "c", "d", "e")):
        with pytest.raises(ValueError, match="four, three or two players"):
            Session(load_book("common"), bad, totals=(0,) * len(bad))
    with pytest.raises(ValueError, match="3 players have 4 totals"):
        Session(load_book("common"), THREE)
    with pytest.raises(ValueError, match="chairs are 0-2"):
        session.seat(3, 0)
