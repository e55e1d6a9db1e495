"""What tables agree on beyond the documents: drawn hands, false wins, four kongs, dice, notes."""

from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.rulebook.loading import load_book
from scoring.settlement.payments import Stakes, balance, false_win
from scoring.settlement.session import Drawn, Session
from scoring.settlement.session_json import session_from_json, session_to_json
from tests.unit.scoring.support.asking import ask, drawn

PLAYERS = ("a", "b", "c", "d")
HAND = "123456m789p123456s44z"


@pytest.fixture
def house(tmp_path: Path) -> Any:
    def made(text: str, base: str = "common") -> str:
        path = tmp_path / "house.toml"
        path.write_text(f'id = "house"\ntitle = "x"\ntitle_en = "x"\nbased_on = "{base}"\n{text}', encoding="utf-8")
        return str(path)

    return made


@pytest.mark.parametrize(
    ("choice", "ready", "dealer", "streak"),
    [
        ("streak_grows", False, 0, 3),
        ("streak_same", False, 0, 2),
        ("deal_passes", True, 1, 0),
        ("stays_if_ready", True, 0, 3),
        ("stays_if_ready", False, 1, 0),
    ],
)
def test_drawn_hands(house: Any, choice: str, ready: bool, dealer: int, streak: int) -> None:
    """The session and the referee deal on alike."""
    path = house(f'[payment]\ndrawn_hand = "{choice}"\n')
    book = load_book(path)
    after = Session(book, PLAYERS, streak=2).played(Drawn(True, ready))
    assert (after.dealer, after.streak) == (dealer, streak)
    assert session_from_json(book, session_to_json(after)) == after
    request = {"rules": path, "incident": "end_of_wall", "streak": 2, "draws_left": 0, "facts": {"event": "discarded"}}
    if choice == "stays_if_ready":
        assert scoring.ruling(request)["ask"] == ["dealer_ready"]
        request["facts"] = {"event": "discarded", "dealer_ready": ready}
    ruled = scoring.ruling(request)
    assert (ruled["deal"] == "stays") is (dealer == 0)
    assert (ruled["streak"] == "grows") is (streak == 3)
    assert ("本桌" in ruled["cites"]) is (choice != "streak_grows")


@pytest.mark.parametrize(
    ("text", "offender", "face", "points"),
    [
        ('false_win = "base_plus_tai"\n', "S", 0, {"E": 12, "W": 11, "N": 11}),
        ('false_win = "base_plus_tai"\nfalse_win_tai = 5\n', "S", 0, {"E": 9, "W": 8, "N": 8}),
        ('false_win = "tai_only"\nfalse_win_tai = 10\n', "S", 0, {"E": 10, "W": 10, "N": 10}),
        ('false_win = "base_plus_waiting_tai"\n', "S", 4, {"E": 8, "W": 7, "N": 7}),
        ('false_win = "base_plus_tai"\nfalse_win_to = "dealer_only"\n', "S", 0, {"E": 12}),
        ('false_win = "base_plus_tai"\nfalse_win_to = "dealer_only"\n', "E", 0, {"S": 12, "W": 12, "N": 12}),
        ('false_win = "fixed_16"\nfalse_win_to = "dealer_only"\n', "S", 0, {"E": 16}),
    ],
)
def test_false_wins(house: Any, text: str, offender: Any, face: int, points: dict[str, int]) -> None:
    path = house(f"[payment]\n{text}")
    paid = false_win(load_book(path), offender, Stakes(3, 1, "E"), face_tai=face)
    assert {one.payee: one.points for one in paid} == points
    assert sum(balance(paid).values()) == 0
    request = {"rules": path, "incident": "false_win", "who": offender, "facts": {"shown": True, "waiting": []}}
    if "waiting_tai" in text:
        assert scoring.ruling(request)["ask"] == ["face_tai"]
    ruled = scoring.ruling(request | {"face_tai": face})
    assert {one["to"]: one["points"] for one in ruled["transfers"]} == points
    assert ruled["cites"] == ["本桌"]


@pytest.mark.parametrize(("choice", "outcome"), [("play_on", "goes_on"), ("drawn", "drawn")])
def test_four_kongs_of_several_players(house: Any, choice: str, outcome: str) -> None:
    request = {"rules": house(f'[limits]\nfour_kongs_of_several = "{choice}"\n'), "incident": "end_of_wall"}
    assert scoring.ruling(request | {"facts": {"event": "four_kongs"}})["outcome"] == outcome


@pytest.mark.parametrize(
    ("text", "events", "points", "noted"),
    [
        ("red_dice_tai = 1\n", ["red_dice"], 3 + 1 + 1, False),
        ("dice_return_tai = 2\n", ["dice_return"], 3 + 1 + 2, False),
        (
            "red_dice_tai = 1\ndice_return_tai = 2\nmultiplier = 2\n",
            ["red_dice", "triple_dice"],
            (3 + 1 + 1) * 2,
            False,
        ),
        ("", ["red_dice"], 3 + 1, True),
        ("", ["triple_dice"], 3 + 1, True),
    ],
)
def test_dice(house: Any, text: str, events: list[str], points: int, noted: bool) -> None:
    hand = ask(HAND, "6s", events=events, dealer="N", discarder="S") | {"rules": house(f"[payment]\n{text}")}
    answer = scoring.answer(hand)
    assert [one["points"] for one in answer["transfers"]] == [points]
    assert bool(answer.get("notes")) is noted


def test_a_streak_beyond_the_most_and_a_dealers_ready_are_noted(house: Any) -> None:
    rules = house("[limits]\nstreak_limit = 3\n")
    beyond = scoring.answer(ask(HAND, "6s", dealer="E", streak=5) | {"rules": rules})
    assert beyond["transfers"][0]["tai"] == 1 + 1 + 2 * 3
    assert "最多算連 3" in beyond["notes"][0]
    assert "notes" not in scoring.answer(ask(HAND, "6s", dealer="E", streak=3) | {"rules": rules})
    ready = drawn(HAND, "6s", events=["heavenly_ready"], dealer="E")
    assert "莊家宣告不計" in scoring.answer(ready | {"rules": "luohan"})["notes"][0]
    assert "notes" not in scoring.answer(ready | {"rules": "common"})


def test_a_wall_without_flowers(house: Any) -> None:
    rules = house('[rulings]\nwall_tiles = "without_flowers"\n')
    assert scoring.seats({"rules": rules, "step": "equipment"})["tiles"] == [136]
    wall = scoring.seats({"rules": rules, "step": "wall", "drawn": 52, "replaced": 0})
    assert (wall["lying"], wall["draws_left"]) == (19, 3)
    assert "error" in scoring.seats({"rules": rules, "step": "wall", "drawn": 1, "replaced": 0, "tiles": 144})


def test_who_fed_an_exposed_kong_pays_for_the_draw(house: Any) -> None:
    hand = drawn("123m456m789p55s678s", "6m", "kong 1111p", events=["kong_replacement"], dealer="N")
    rules = house('exposed_kong_draw = "feeder_pays"\n')
    asked = hand | {"rules": rules}
    assert "responsible" in scoring.answer(asked)["notes"][0]
    answer = scoring.answer(asked | {"responsible": "W"})
    assert {one["from"] for one in answer["transfers"]} == {"W"}
    assert len(answer["transfers"]) == 3
    assert "error" in scoring.answer(asked | {"responsible": asked["seat"]})
    added = asked | {"melds": [{"kind": "added_kong", "tiles": "1111p"}]}
    assert len(scoring.answer(added)["transfers"]) == 3
    assert "error" in scoring.answer(added | {"responsible": "W"})  # nobody fed an added kong
    assert "error" in scoring.answer(ask(HAND, "6s", discarder="S") | {"rules": rules, "responsible": "W"})


@pytest.mark.parametrize(
    ("rules", "shown", "tai"),
    [("luohan", 1, 1 + 2), ("luohan", 3, 1 + 4), ("ntu", 0, 1), ("ntu", 2, 1 + 4), ("luohan", None, 1 + 4)],
)
def test_the_marker_of_the_streak(rules: str, shown: int | None, tai: int) -> None:
    """000 L387: the dealer collects no more than the marker shows. 001 L313: nothing without a marker."""
    hand = ask(HAND, "6s", seat="E", dealer="E", streak=2, discarder="S") | {"rules": rules, "shown_streak": shown}
    answer = scoring.answer(hand)
    assert answer["transfers"][0]["tai"] - answer["tai"] == tai
    assert "error" in scoring.answer(hand | {"rules": "common", "shown_streak": 1})


def test_human_win_and_earthly_ready_where_the_book_foresees_both() -> None:
    both = ask(HAND, "6s", events=["human_win", "earthly_ready"], dealer="N", discarder="N")
    answer = scoring.answer(both | {"rules": "shenlaiye"})
    counted = {one["id"] for one in answer["patterns"]}
    assert ("human_win" in counted, "earthly_ready" in counted) == (True, False)
    assert "error" in scoring.answer(both | {"rules": "luohan"})


# ---- caps in points, and dealer and streak tai for the least ----


@pytest.mark.parametrize(
    ("dealer", "points"),
    [("N", {"E": 300}), ("E", {"E": 600}), ("S", {"E": 600})],
    ids=["no-dealer", "the-dealer-pays", "the-dealer-is-paid"],
)
def test_the_cap_in_points(house: Any, dealer: str, points: dict[str, int]) -> None:
    rules = house("[payment]\nbase = 100\nper_tai = 50\n[limits]\npoints_cap = 300\npoints_cap_dealer = 600\n")
    large = ask("111222333z666s99s", "6s", "pung 777z", seat="S", discarder="E", dealer=dealer)
    answer = scoring.answer(large | {"rules": rules, "base": None, "per_tai": None})
    assert {transfer["from"]: transfer["points"] for transfer in answer["transfers"]} == points
    assert f"{max(points.values())} 點" in answer["notes"][0]
    small = ask(HAND, "6s", seat="S", discarder="E", dealer="N") | {"rules": rules, "base": 3, "per_tai": 1}
    assert "notes" not in scoring.answer(small)


@pytest.mark.parametrize(
    ("covers", "dealer", "streak", "wins"),
    [("hand", "S", 1, False), ("hand_and_dealer", "S", 1, True), ("hand_and_dealer", "N", 1, False)],
)
def test_dealer_and_streak_tai_may_count_for_the_least(
    house: Any, covers: str, dealer: str, streak: int, wins: bool
) -> None:
    rules = house(f'[limits]\nleast_tai = 4\nleast_tai_covers = "{covers}"\n')
    hand = ask("123456m789p123456s44z", "6s", seat="S", discarder="E", dealer=dealer, streak=streak)
    answer = scoring.answer(hand | {"rules": rules})
    assert answer["wins"] is wins
    if not wins:
        assert "只有 1 台，本桌 4 台起胡" in answer["problems"][0]


# ---- kongs and flowers that are paid at once ----


@pytest.mark.parametrize(
    ("facts", "points"),
    [
        ({"what": "kong", "discarder": "W"}, {"W": 10}),
        ({"what": "added_kong"}, {"W": 10, "N": 10, "E": 10}),
        ({"what": "concealed_kong"}, {"W": 20, "N": 20, "E": 20}),
        ({"what": "flower", "number": 2}, {"W": 10, "N": 10, "E": 10}),
    ],
    ids=lambda value: value.get("what") if "what" in value else "",
)
def test_kongs_and_flowers_are_paid_at_once(house: Any, facts: dict[str, Any], points: dict[str, int]) -> None:
    rules = house("[payment]\nkong_points = 10\nconcealed_kong_points = 20\nflower_points = 5\n")
    ruled = scoring.ruling({"rules": rules, "incident": "at_once", "who": "S", "facts": facts})
    assert (ruled["outcome"], ruled["hand"], ruled["cites"]) == ("paid_at_once", "goes_on", ["本桌"])
    assert {transfer["from"]: transfer["points"] for transfer in ruled["transfers"]} == points
    assert {(transfer["to"], transfer["reason"], transfer["tai"]) for transfer in ruled["transfers"]} == {
        ("S", "at_once", 0)
    }


def test_at_once_asks_only_where_the_book_pays(house: Any) -> None:
    request = {"incident": "at_once", "who": "S", "facts": {}}
    assert scoring.ruling(request | {"rules": "luohan"})["outcome"] == "not_ruled"
    rules = house("[payment]\nflower_points = 5\n")
    assert scoring.ruling(request | {"rules": rules})["ask"] == ["what"]
    kong = {"what": "kong"}
    assert scoring.ruling(request | {"rules": rules, "facts": kong})["outcome"] == "not_ruled"
    three = scoring.ruling({**request, "rules": rules, "facts": {"what": "flower"}, "players": 3})
    assert [transfer["from"] for transfer in three["transfers"]] == ["W", "E"]


@pytest.mark.parametrize(
    ("ready", "paid"),
    [
        ([], []),
        (["S"], [("E", "S"), ("N", "S"), ("W", "S")]),
        (["S", "N"], [("E", "N"), ("E", "S"), ("W", "N"), ("W", "S")]),
        (["E", "S", "W", "N"], []),
    ],
)
def test_ready_hands_are_paid_after_a_drawn_hand(house: Any, ready: list[str], paid: list[tuple[str, str]]) -> None:
    rules = house("[payment]\nready_points = 7\n")
    ruled = scoring.ruling({"rules": rules, "incident": "ready_paid", "facts": {"ready": ready}})
    assert (ruled["outcome"], ruled["hand"], ruled["cites"]) == ("ready_paid", None, ["本桌"])
    assert sorted((transfer["from"], transfer["to"]) for transfer in ruled["transfers"]) == paid
    assert {transfer["points"] for transfer in ruled["transfers"]} <= {7}
    silent = scoring.ruling({"rules": "common", "incident": "ready_paid", "facts": {"ready": ready}})
    assert silent["outcome"] == "not_ruled"
