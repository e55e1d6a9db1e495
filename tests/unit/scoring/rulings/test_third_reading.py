"""Sections 2, 3 and 5 of docs/rulings-contract.md, clause by clause."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoring
from scoring import ruling
from scoring.rulebook.loading import BOOK_IDS, READY_IDS
from tests.unit.scoring.support.asking import ask

ALL_FLOWERS = "12345678f"
HAND = ask("123456m789p123456s55p", "6s")
BOOKS_STAKES = {"base": None, "per_tai": None}


def ruled(incident: str, rules: str, facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = ruling({"rules": rules, "incident": incident, "facts": facts, **more})
    assert "error" not in answer, answer
    return answer


# ---- a self-draw begins with a draw ----


@pytest.mark.parametrize("rules", [*BOOK_IDS, *READY_IDS])
@pytest.mark.parametrize(
    ("turn", "outcome"),
    [
        ([], "allowed"),
        (["draw"], "allowed"),
        (["chow"], "barred"),
        (["pung"], "barred"),
        (["draw", "concealed_kong"], "allowed"),
    ],
)
def test_a_self_draw_begins_with_a_draw(rules: str, turn: list[str], outcome: str) -> None:
    """000 L446, L182; 001 L77; [R28]."""
    answer = ruled("calls", rules, {"act": "self_draw", "turn": turn}, who="S")
    assert answer["outcome"] == outcome
    if turn in (["chow"], ["pung"]):
        assert "000 L446" in answer["cites"] or "001 L77" in answer["cites"] or answer["readings"] == ["R28"]


# ---- reached for the wall ----


@pytest.mark.parametrize(("rules", "cite"), [("luohan", "000 L403"), ("ntu", "001 L83")])
def test_who_reached_for_the_wall_has_let_the_win_pass(rules: str, cite: str) -> None:
    claims = [{"who": "S", "tai": 1, "reached": True}]
    several = ruled("several_wins", rules, {"discarder": "E", "claims": claims}, marks={"N": ["watching"]})
    acts = [{"who": "S", "act": "reach", "t": 1}, {"who": "S", "act": "say_win", "t": 2}]
    priority = ruled("priority", rules, {"discarder": "E", "acts": acts}, marks={"N": ["watching"]})
    for answer in (several, priority):
        assert answer["hand"] == "goes_on"
        assert answer["marks"] == {"S": ["missed_win"], "N": ["watching"]}
        assert cite in answer["cites"]
        assert "過水" in answer["say"]["zh"]
        assert "let the win pass" in answer["say"]["en"]


def test_a_win_of_another_leaves_no_mark() -> None:
    acts = [
        {"who": "S", "act": "reach", "t": 1},
        {"who": "S", "act": "say_win", "t": 2},
        {"who": "W", "act": "say_win", "t": 2},
    ]
    answer = ruled("priority", "luohan", {"discarder": "E", "acts": acts})
    assert (answer["outcome"], answer["gets"], answer["lost"], answer["marks"]) == ("win", ["W"], ["S"], {})


@pytest.mark.parametrize("rules", ["mahjong_time", "common"])
def test_books_that_do_not_say_so_leave_no_mark(rules: str) -> None:
    acts = [{"who": "S", "act": "reach", "t": 1}, {"who": "S", "act": "say_win", "t": 2}]
    answer = ruled("priority", rules, {"discarder": "E", "acts": acts})
    assert (answer["outcome"], answer["marks"]) == ("win", {})


# ---- the referee and the tally pay the same ----


def house(folder: Path, base: str, text: str) -> str:
    path = folder / "house.toml"
    path.write_text(f'id = "house"\ntitle = "x"\ntitle_en = "x"\nbased_on = "{base}"\n{text}', encoding="utf-8")
    return str(path)


def test_a_table_with_another_value_of_the_flowers_pays_that(tmp_path: Path) -> None:
    """These payments were once 12, 11, 11 in every book."""
    rules = house(tmp_path, "luohan", "[patterns.eight_flowers]\ntai = 16\n")
    answer = ruled("flower_win", rules, {"kind": "eight", "replaced": True}, who="S")
    assert [one["points"] for one in answer["transfers"]] == [20, 19, 19]


FLOWER_WINS = ("hand_counts", "flowers_only", "forced_hand_counts", "forced_flowers_only", "paid_at_once")
SEATS = st.sampled_from("ESWN")
HOUSES = st.fixed_dictionaries(
    {
        "base_book": st.sampled_from(("luohan", "ntu")),
        "eight_flowers": st.integers(0, 40),
        "seven_rob_one": st.integers(0, 40),
        "dealt_flower_win": st.integers(0, 40),
        "dealer": st.integers(0, 3),
        "streak": st.integers(0, 4),
        "seat_flower": st.sampled_from(("kept", "added")),
        "flower_win": st.sampled_from((*FLOWER_WINS, "no_flower_win")),
        "tai_cap": st.sampled_from((0, 0, 6, 20)),
        "tai_cap_covers": st.sampled_from(("hand", "hand_and_dealer")),
        "least_tai": st.sampled_from((0, 0, 3, 10)),
        "streak_limit": st.sampled_from((0, 2)),
        "base": st.integers(0, 50),
        "per_tai": st.integers(0, 20),
        "several_winners": st.sampled_from(("nearest", "nearest_or_three", "each")),
    }
)


def written(folder: Path, said: dict[str, Any]) -> str:
    lines = [f"[patterns.{id_}]\ntai = {said[id_]}" for id_ in ("dealt_flower_win", "dealer", "streak")]
    for id_ in ("eight_flowers", "seven_rob_one"):
        lines.append(f"[patterns.{id_}]\ntai = {said[id_]}" + ("\nexcludes = []" * (said["seat_flower"] == "added")))
    lines.append(f'[flower_win]\nchoice = "{said["flower_win"]}"')
    for name in ("tai_cap", "least_tai", "streak_limit"):
        lines.append(f"[limits.{name}]\nvalue = {said[name]}")
    lines.append(f'[limits.tai_cap_covers]\nchoice = "{said["tai_cap_covers"]}"')
    lines += [f"[payment.{name}]\nvalue = {said[name]}" for name in ("base", "per_tai")]
    lines.append(f'[payment.several_winners]\nchoice = "{said["several_winners"]}"')
    return house(folder, said["base_book"], "\n".join(lines) + "\n")


def paid(answer: dict[str, Any]) -> list[tuple[Any, ...]]:
    return sorted((one["from"], one["to"], one["tai"], one["points"]) for one in answer["transfers"])


def check_flower_win(rules: str, winner: str, robbed: str, dealer: str, streak: int, kind: str, dealt: bool) -> None:
    win = "eight_flowers" if kind == "eight" else "seven_rob_one"
    tally = ask(
        "",
        None,
        win=win,
        flowers=ALL_FLOWERS,
        seat=winner,
        dealer=dealer,
        streak=streak,
        discarder=None if kind == "eight" else robbed,
        events=["dealt_flowers"] if dealt else [],
    )
    scored = scoring.answer(tally | {"rules": rules} | BOOKS_STAKES)
    facts = {"kind": kind, "replaced": True, "dealt": dealt} | ({"from": robbed} if kind != "eight" else {})
    answer = ruled("flower_win", rules, facts, who=winner, dealer=dealer, streak=streak)
    if answer["outcome"] == "not_ruled":
        return
    assert (answer["outcome"] == "flower_win") is scored["wins"]
    assert paid(answer) == paid(scored)


def check_wins(rules: str, dealer: str, streak: int) -> None:
    """Of any hand that the tally settles, the referee pays the same: alone, of several, in another's place."""
    asked = {"rules": rules, "seat": "S", "discarder": "E", "dealer": dealer, "streak": streak}
    scored = scoring.answer(HAND | asked | BOOKS_STAKES)
    if not scored["wins"]:
        return
    tai, about = scored["tai"], {"dealer": dealer, "streak": streak}
    several = ruled("several_wins", rules, {"discarder": "E", "claims": [{"who": "S", "tai": tai}]}, **about)
    assert paid(several) == paid(scored)
    win = {"winner": "S", "win": "discard", "discarder": "E", "tai": tai}
    place = ruled("pay_in_place", rules, win, **about)
    assert place["outcome"] == "not_ruled" or paid(place) == paid(scored)
    beside = ruled("false_win", rules, {"true_win": win, "shown": False}, who="W", face_tai=0, **about)
    assert [one for one in paid(beside) if one[1] == "S" and one[0] == "E"] == paid(scored)


@pytest.mark.parametrize("rules", [*BOOK_IDS, *READY_IDS])
def test_the_referee_and_the_tally_pay_the_same(rules: str) -> None:
    for dealt in (False, True):
        for kind in ("eight", "seven_rob_one"):
            check_flower_win(rules, "S", "W", "W", 2, kind, dealt)
    check_wins(rules, "E", 2)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(HOUSES, SEATS, st.integers(1, 3), SEATS, st.integers(0, 5), st.booleans())
def test_in_every_house_too(
    tmp_path: Path, said: dict[str, Any], winner: str, on: int, dealer: str, streak: int, dealt: bool
) -> None:
    rules = written(tmp_path, said)
    robbed = "ESWN"[("ESWN".index(winner) + on) % 4]
    for kind in ("eight", "seven_rob_one"):
        check_flower_win(rules, winner, robbed, dealer, streak, kind, dealt)
    check_wins(rules, dealer, streak)


def test_flowers_that_are_paid_at_once_end_no_hand(tmp_path: Path) -> None:
    rules = house(tmp_path, "luohan", '[flower_win]\nchoice = "paid_at_once"\n')
    answer = ruled("flower_win", rules, {"kind": "eight", "replaced": True}, who="S")
    assert (answer["outcome"], answer["hand"], answer["deal"]) == ("flower_win", "goes_on", None)
    assert len(answer["transfers"]) == 3


# ---- a true win on the tile of a false one ----

TRUE = {"winner": "S", "win": "discard", "discarder": "E", "tai": 5}


@pytest.mark.parametrize(
    ("rules", "outcome", "points", "source"),
    [
        ("luohan", "false_win", [("E", "S", 9), ("W", "E", 6), ("W", "N", 5), ("W", "S", 5)], "000 L429"),
        ("ntu", "false_win", [("E", "S", 10), ("W", "E", 13), ("W", "N", 12), ("W", "S", 12)], "R30"),
        ("mahjong_time", "false_win", [("E", "S", 9), ("W", "E", 16), ("W", "N", 16), ("W", "S", 16)], "R30"),
        ("common", "false_win", [("E", "S", 9)], "R30"),
    ],
)
def test_a_true_win_beside_a_false_one_stands(rules: str, outcome: str, points: list[Any], source: str) -> None:
    facts = {"true_win": TRUE, "shown": True, "waiting": []}
    answer = ruled("false_win", rules, facts, who="W", face_tai=2)
    assert (answer["outcome"], answer["hand"], answer["deal"], answer["streak"]) == (outcome, "ends", "passes", "zero")
    assert sorted((one["from"], one["to"], one["points"]) for one in answer["transfers"]) == points
    assert source in (*answer["cites"], *answer["readings"])


def test_the_deal_follows_the_true_win() -> None:
    own = {"winner": "E", "win": "self_draw", "tai": 2}
    answer = ruled("false_win", "luohan", {"true_win": own}, who="W", face_tai=2)
    assert (answer["deal"], answer["streak"]) == ("stays", "grows")


@pytest.mark.parametrize(
    ("won", "key"),
    [
        ({"winner": "W", "win": "self_draw", "tai": 2}, "facts.true_win.winner"),
        ({"winner": "S", "win": "discard", "discarder": "W", "tai": 2}, "facts.true_win.discarder"),
        ({"winner": "S", "win": "discard", "discarder": "S", "tai": 2}, "facts.true_win.winner"),
        ({"winner": "S", "win": "discard", "tai": 2}, "facts.true_win.discarder"),
        ({"winner": "S", "win": "rob", "tai": 2}, "facts.true_win.win"),
        ({"winner": "S", "tai": 2}, "facts.true_win.win"),
        ({"winner": "S", "win": "self_draw", "tai": -2}, "facts.true_win.tai"),
        ("S", "facts.true_win"),
    ],
)
def test_a_true_win_that_cannot_be_is_refused(won: Any, key: str) -> None:
    answer = ruling({"rules": "luohan", "incident": "false_win", "who": "W", "facts": {"true_win": won}})
    assert any(key in problem for problem in answer["problems"]), answer


# ---- facts of the document ----


@pytest.mark.parametrize(
    ("incident", "who", "facts", "outcome", "cite"),
    [
        ("self_draw_touch", "W", {"touched": "below"}, "barred", "000 L182"),
        ("self_draw_touch", "W", {"touched": "below", "laid_down": True}, "false_win", "000 L182"),
        ("flower_fault", "W", {"fault": "wrong_replaced", "touched": True, "robbed": True}, "win", "000 L464"),
        ("flower_fault", "W", {"fault": "wrong_replaced", "seen": True, "robbed": True}, "win", "000 L464"),
        ("shown_tile", "W", {"how": "misnamed", "tiles": "5m", "discard": "4m"}, "liable_for_both", "000 L369"),
        ("side_bets", None, {"bet": "outer", "act": "meddled"}, "win_void", "000 L347"),
        ("side_bets", None, {"bet": "inner", "act": "stop", "next_jiang": True}, "barred", "000 L347"),
        ("side_bets", None, {"bet": "inner", "act": "stop", "next_jiang": True, "lost": True}, "allowed", "000 L347"),
    ],
)
def test_facts_of_the_document(incident: str, who: str | None, facts: dict[str, Any], outcome: str, cite: str) -> None:
    answer = ruled(incident, "luohan", facts, face_tai=1, **({"who": who} if who else {}))
    assert answer["outcome"] == outcome
    assert cite in answer["cites"]
    for other in ("ntu", "mahjong_time", "common"):
        ruled(incident, other, facts, face_tai=1, **({"who": who} if who else {}))


# ---- clauses and their words ----


def test_a_late_pung_is_warned_of() -> None:
    """004 L80. A player with a warning stays warned; the ruling adds nothing."""
    request = {"discarder": "E", "acts": [{"who": "N", "act": "say_pung", "t": 4}]}
    answer = ruled("priority", "common", request)
    assert (answer["outcome"], answer["marks"]) == ("draw", {"N": ["warned"]})
    assert "004 L80" in answer["cites"]
    again = ruled("priority", "common", request, marks={"N": ["warned"]})
    assert again["marks"] == {"N": ["warned"]}
    assert "警告" not in again["say"]["zh"]


def test_an_allowed_chow_cites_what_allows_it() -> None:
    answer = ruled("calls", "ntu", {"act": "chow", "from": "E"}, who="S", draws_left=9)
    assert answer["cites"] == ["001 L52", "001 L157"]


def test_the_common_table_names_its_reading_of_several_wins() -> None:
    claims = [{"who": "S", "tai": 1}, {"who": "W", "tai": 1}]
    assert ruled("several_wins", "common", {"discarder": "E", "claims": claims})["readings"] == ["R29"]


def test_a_table_that_changed_it_is_cited_for_itself(tmp_path: Path) -> None:
    rules = house(tmp_path, "common", '[payment.several_winners]\nchoice = "each"\n')
    claims = [{"who": "S", "tai": 1}, {"who": "W", "tai": 1}]
    answer = ruled("several_wins", rules, {"discarder": "E", "claims": claims})
    assert (answer["gets"], answer["cites"], answer["readings"]) == (["S", "W"], ["本桌"], [])


def test_a_ruling_shows_the_words_of_its_clause() -> None:
    answer = ruled("wrong_pung", "luohan", {"done": True}, who="S")
    assert {one["cite"] for one in answer["quotes"]} == set(answer["cites"])
    assert all(one["quote"] for one in answer["quotes"])


# ---- a tile that does not complete the hand ----


@pytest.mark.parametrize("since", [[], [{"act": "discard", "tile": "9p"}]])
@pytest.mark.parametrize(("lang", "words"), [("zh", "四萬、七萬"), ("en", "4 characters, 7 characters")])
def test_a_tile_that_is_no_wait_is_refused(since: list[Any], lang: str, words: str) -> None:
    facts = {"passed": "4m", "waits": "47m", "tile": "1m", "since": since}
    answer = ruling({"rules": "luohan", "incident": "missed_win", "who": "S", "facts": facts}, lang=lang)
    assert words in answer["problems"][0]
