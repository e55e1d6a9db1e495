"""港式台灣麻雀: the ready book `hongkong_mjwaits` against the cases of the calculator that it comes from.

``data/hongkong_mjwaits_cases.jsonl`` has one line for each hand that its scoring.test.ts (commit 153055ef) scores, in
its order: the pattern under test and the number of the hand, the hand as a request, and the 番 that the test asserts
(null: the pattern does not count; `refused`: no winning hand; `total`: all 番 with the base of 5). If a test does not
say which tile was won, the request takes one that opens no set of the pattern under test. A hand that is seven pairs
and five sets has two tallies there; this book adds them, so a pattern of both stands with twice its 番.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.rulebook.loading import load_book
from tests.unit.scoring.support.asking import tally_of

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "hongkong_mjwaits_cases.jsonl").read_text("utf-8").splitlines()
]
BASE = 5
LEAST_SHARE = 0.95
EXPLAINED = {
    "三連刻 2": "345m three times and 333m 444m 555m both come to the most 番; ours takes the chows, theirs the pungs",
    "即食、食叮 2": "its rules give 食叮 5 番 and do not say what it is, so the book has no such pattern",
    "即食、食叮 3": "as the case before",
    "天胡、地胡、人胡 1": "a hand with a called pung, won on a discard: impossible as a win with the dealt tiles",
    "天胡、地胡、人胡 2": "as the case before",
    "天胡、地胡、人胡 3": "a called pung before one's first draw: impossible",
    "天胡、地胡、人胡 5": "as the first of them",
}
"""The cases in which the book does not agree, and why."""


def disagreement(case: dict[str, Any]) -> dict[str, object]:
    """What the case asserts and the book counts otherwise, by pattern; empty if they agree."""
    answer, expect = scoring.answer(case["request"]), case["expect"]
    wins = "error" not in answer and answer["wins"]
    if expect.get("refused") or not wins:
        return {} if bool(expect.get("refused")) != wins else {"wins": wins}
    counted = tally_of(answer)
    different: dict[str, object] = {id_: counted.get(id_) for id_, tai in expect.items() if counted.get(id_) != tai}
    if case.get("total", answer["tai"] + BASE) != answer["tai"] + BASE:
        different["total"] = answer["tai"] + BASE
    return different


@pytest.fixture(scope="module")
def different() -> dict[str, dict[str, object]]:
    found = {case["source"]: disagreement(case) for case in CASES}
    return {source: patterns for source, patterns in found.items() if patterns}


def test_it_agrees_but_for_what_is_explained(different: dict[str, dict[str, object]]) -> None:
    assert different.keys() == EXPLAINED.keys(), different


def test_the_share_that_agrees(different: dict[str, dict[str, object]]) -> None:
    assert len({case["source"] for case in CASES}) == len(CASES) == 292
    assert 1 - len(different) / len(CASES) >= LEAST_SHARE


def test_the_base_is_five() -> None:
    case = next(case for case in CASES if case["source"] == "底 1")
    answer = scoring.answer(case["request"])
    assert answer["transfers"][0]["points"] == answer["tai"] + BASE


def test_the_two_ways_to_read_a_tie_come_to_the_same() -> None:
    """The first explained case: 大三連刻 30 and 四暗刻 30 against 一色三同順 60."""
    case = next(case for case in CASES if case["source"] == "三連刻 2")
    counted = tally_of(scoring.answer(case["request"]))
    assert counted["hidden_three_equal"] == 30 + 30


def test_every_pattern_of_the_table_is_in_a_case() -> None:
    """Those that are not: an open one whose concealed twin is."""
    named = {id_ for case in CASES for id_, tai in case["expect"].items() if tai}
    left = load_book("hongkong_mjwaits").own_patterns.keys() - named
    assert {id_.replace("shown_", "hidden_") for id_ in left if id_.startswith("shown_")} <= named
    assert {id_ for id_ in left if not id_.startswith("shown_")} == set()
