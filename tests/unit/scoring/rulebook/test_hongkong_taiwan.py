"""港式台灣麻雀: the ready book against the 36 checks of the public guide that it comes from; it agrees with all.

The cases are those of calculator/engine.test.ts at e76af4b7, one entry for each of its checks on a hand's patterns.
What the book cannot say is listed in `EXPLAINED`.
"""

from __future__ import annotations

from typing import Any

import pytest

import scoring
from tests.unit.scoring.support.asking import ask, tally_of

Wanted = dict[str, int | None]
"""Pattern -> its tai, or None if the guide's case says that it does not count."""

CASES: list[tuple[str, dict[str, Any], Wanted]] = [
    (
        "無字花大平胡",
        ask("123m345567p234678s99p", "8s"),
        {"grand_chows": 15, "all_chows": None, "no_honors_no_flowers": None, "no_honors": None, "no_flowers": None}
        | {"single_wait": None, "fake_single": None, "pung_wait": None},
    ),
    (
        "大四喜",
        ask("123m55m111222333444z", "5m"),
        {"big_four_winds": 80, "small_four_winds": None, "big_winds": None, "small_winds": None, "single_wait": 2}
        | {"seat_wind_pung": 1, "any_wind_pung": 4, "half_flush": 30},
    ),
    ("十三么", ask("19m19p19s12345677z234s", "4s"), {"thirteen_orphans": 80}),
    (
        "對碰",
        ask("111m999p234m234p55s777s", "7s"),
        {"pung_wait": 2, "two_concealed_pungs": 3, "three_concealed_pungs": None, "two_meet": 2},
    ),
    (
        "副露、連莊、花",
        ask("55z234s789m", "9m", "pung 777z, chow 123m, pung 666z", flowers="16f", dealer="E", streak=2),
        {"seven_tiles": 20, "small_three_dragons": 20, "seat_flower": 2, "loose_flower": 1},
    ),
    (
        "間間胡",
        ask("222555m333p666888s77z", "7z", win="self_draw"),
        {"jianjian": 100, "all_pungs": None, "five_concealed_pungs": None},
    ),
    (
        "雙食",
        ask("11223344556688m999m", "8m"),
        {"seven_pairs_and_pung": 40, "full_flush": 160, "equal_chows": 6, "missing_suit": None, "ranked_pair": 2}
        | {"no_honors_no_flowers": 10, "fake_single": 2},
    ),
]
EXPLAINED = {
    "大雞胡": "the player says so, and the guide does not say of which hands; a table's own pattern with `total` can",
}


@pytest.mark.parametrize(("name", "request_", "wanted"), CASES, ids=[case[0] for case in CASES])
def test_a_case_of_the_guide(name: str, request_: dict[str, Any], wanted: Wanted) -> None:
    response = scoring.answer(request_ | {"rules": "hongkong_taiwan", "base": 5, "per_tai": 1})
    assert response["wins"], response["problems"]
    counted = tally_of(response)
    assert {id_: counted.get(id_) for id_ in wanted} == wanted, counted


def test_a_flower_win_is_a_hundred_and_the_base() -> None:
    flowers = ask("", None, win="eight_flowers", flowers="12345678f", rules="hongkong_taiwan", base=5, per_tai=1)
    response = scoring.answer(flowers)
    assert response["tai"] == 100
    assert {transfer["points"] for transfer in response["transfers"] if transfer["from"] != "W"} == {105}


def test_the_dealer_pays_and_receives_two_for_each_step_and_one() -> None:
    won = ask("123m345567p234678s99p", "8s", rules="hongkong_taiwan", dealer="E", streak=2, base=5, per_tai=1)
    response = scoring.answer(won)
    assert [transfer["tai"] - response["tai"] for transfer in response["transfers"]] == [5]


def test_a_hand_of_two_shapes_counts_both() -> None:
    """The guide's own total of its 雙食 hand: 126 for the pairs, 94 for the sets, 5 for the base."""
    response = scoring.answer(CASES[-1][1] | {"rules": "hongkong_taiwan", "base": 5, "per_tai": 1})
    assert (response["tai"], response["transfers"][0]["points"]) == (126 + 94, 126 + 94 + 5)
    division = response["division"]
    assert (division["sets"], division["pair"]) == (["123m", "123m", "456m", "456m", "999m"], "88m")
    assert division["also"]["shape"] == "seven_pairs_and_pung"
    assert response["notes"] == ["五搭一對和七對一刻都成，兩種都算（雙食）。"]


def test_what_the_book_cannot_say_is_written_down() -> None:
    assert len(EXPLAINED) == 1


@pytest.mark.parametrize(
    ("event", "pattern", "tai"), [("two_winners", "double_win", 5), ("three_winners", "triple_win", 10)]
)
def test_several_winners_of_a_discard(event: str, pattern: str, tai: int) -> None:
    hand = ask("123m345567p234678s99p", "8s", rules="hongkong_taiwan", base=5, per_tai=1)
    alone, several = scoring.answer(hand), scoring.answer(hand | {"events": [event]})
    assert tally_of(several) == tally_of(alone) | {pattern: tai}
    drawn_hand = hand | {"win": "self_draw", "discarder": None, "events": [event]}
    assert "error" in scoring.answer(drawn_hand)
    assert "error" in scoring.answer(hand | {"events": ["two_winners", "three_winners"]})
