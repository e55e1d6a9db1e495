"""雙食: a hand of two shapes counts both in a book that says so, and what no reading changes counts once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scoring
from tests.unit.scoring.support.asking import ask, drawn, tally_of

BOTH = ("112233m667788t777z55z".replace("t", "p"), "5z")
"""Three kinds of equal chows, a pung and a pair; or seven pairs and a pung."""


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "club.toml"
    head = 'id = "club"\ntitle = "本會"\ntitle_en = "Club"\nbased_on = "mahjong_time"\nboth_shapes = "added"\n'
    path.write_text(f"{head}[patterns]\nhalf_flush = 4\n", encoding="utf-8")
    return str(path)


def answered(hand: dict[str, Any], rules: str) -> dict[str, Any]:
    response: dict[str, Any] = dict(scoring.answer(hand | {"rules": rules, "explain": True}, lang="en"))
    assert response["wins"], response["problems"]
    return response


def test_both_readings_are_added(rules: str) -> None:
    hand = ask(*BOTH, flowers="1f2f", seat="E", dealer="E", win="self_draw", discarder=None)
    plain, both = answered(hand, "mahjong_time"), answered(hand, rules)
    assert plain["division"].get("also") is None
    counted = tally_of(both)
    assert counted["seven_pairs_and_pung"] == 8
    assert counted["dragon_pung"] == 2, "the pung of each reading"
    assert counted["seat_flower"] == tally_of(plain)["seat_flower"] == 1, "flowers count once"
    assert both["tai"] == sum(counted.values()) > plain["tai"]
    assert both["division"]["pair"] == "55z"
    assert both["division"]["also"]["shape"] == "seven_pairs_and_pung"
    assert both["notes"] == ["the hand is five sets and a pair, and seven pairs and a pung too: both count"]
    told = {line["id"]: line["tiles"] for line in both["explain"]["patterns"]}
    assert told["seven_pairs_and_pung"]


def test_ways_of_winning_count_once(rules: str) -> None:
    hand = drawn(*BOTH, events=["last_tile"])
    both = tally_of(answered(hand, rules))
    assert both["last_draw"] == 1
    assert both.get("concealed_and_self_draw", 3) == 3


@pytest.mark.parametrize("hand", [ask("123456789m123p44s555z", "5z"), ask("1133557799m2244p666z", "4p")])
def test_a_hand_of_one_shape_is_as_before(rules: str, hand: dict[str, Any]) -> None:
    assert answered(hand, rules)["tai"] == answered(hand, "mahjong_time")["tai"]


def test_the_referee_is_told_the_same_tai(rules: str) -> None:
    both = answered(ask(*BOTH, seat="S", discarder="E"), rules)
    facts = {"discarder": "E", "claims": [{"who": "S", "tai": both["tai"]}]}
    ruled = scoring.ruling({"rules": rules, "incident": "several_wins", "dealer": "E", "facts": facts})
    asked = answered(ask(*BOTH, seat="S", discarder="E", dealer="E", base=None, per_tai=None), rules)
    assert [pay["points"] for pay in ruled["transfers"]] == [pay["points"] for pay in asked["transfers"]]


FEW = "12m456p789s234m567p88s3m"
TOTALS = [
    pytest.param("at_most = 9", FEW, BOTH[0], False, id="not more than 9"),
    pytest.param("at_least = 10", BOTH[0], FEW, True, id="10 and more, which neither reading has"),
    pytest.param("at_least = 13", BOTH[0], FEW, True, id="13 and more"),
]


@pytest.mark.parametrize(("limits", "has", "has_not", "counts"), TOTALS)
def test_a_pattern_on_the_total_looks_at_the_sum_of_both(
    limits: str, has: str, has_not: str, counts: bool, tmp_path: Path
) -> None:
    """雞糊 and the like ask for the hand's tai."""
    path = tmp_path / "club.toml"
    path.write_text(
        'id = "club"\ntitle = "本會"\ntitle_en = "Club"\nbased_on = "mahjong_time"\nboth_shapes = "added"\n'
        f'[own_patterns.on_total]\nname = "看總台"\ntai = 30\nall = ["by_discard"]\ntotal = {{ {limits} }}\n'
        f'has = {{ concealed = "{has}", win = "discard" }}\n'
        f'has_not = {{ concealed = "{has_not}", win = "discard" }}\n',
        encoding="utf-8",
    )
    answer = answered(ask(*BOTH), str(path))
    counted = tally_of(answer)
    assert ("on_total" in counted) == counts
    assert sum(tai for id_, tai in counted.items() if id_ != "on_total") == 13
    assert answer["tai"] == (43 if counts else 13)
    reasons = [reason["reason_text"] for reason in answer["explain"]["why_not"] if reason["id"] == "on_total"]
    assert reasons == ([] if counts else ["the other patterns total 13 tai"])
