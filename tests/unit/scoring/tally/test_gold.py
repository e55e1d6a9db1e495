"""The examples of the documents, as docs/rules-reading.md reads them; each line names its source."""

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from tests.unit.scoring.support.asking import tally_of

LINES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "gold.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("line", [pytest.param(line, id=line["id"]) for line in LINES])
def test_gold(line: dict[str, Any]) -> None:
    expect = line["expect"]
    response = scoring.answer(line["request"])
    assert response["problems"] == []
    assert response["wins"] is expect["wins"]
    assert tally_of(response) == expect["patterns"]
    assert response["tai"] == expect["tai"]
    if "waits" in expect:
        assert response["waits"] == expect["waits"]
    if "transfers" in expect:
        assert {one["from"]: one["tai"] for one in response["transfers"]} == expect["transfers"]
    assert {one["to"] for one in response["transfers"]} == {line["request"]["seat"]}


def test_the_contracts_example() -> None:
    """contract.md prints this request and this response."""
    request = {
        **{"rules": "luohan", "overrides": {"four_concealed_pungs": 5}, "concealed": "234m567p345s11z"},
        **{"melds": [{"kind": "pung", "tiles": "555m"}, {"kind": "pung", "tiles": "777z"}], "flowers": "1f6f"},
        **{"winning_tile": "5s", "win": "discard", "seat": "E", "round": "E", "dealer": "S", "streak": 0},
        **{"discarder": "N", "events": [], "base": 3, "per_tai": 1},
    }
    response = scoring.answer(request)
    for pattern in response["patterns"]:
        assert pattern.pop("name")
    assert response == {
        "rules": "luohan",
        "wins": True,
        "tai": 2,
        "patterns": [
            {"id": "dragon_pung", "tai": 1, "count": 1, "cite": "000 L34"},
            {"id": "seat_flower", "tai": 1, "count": 1, "cite": "000 L206"},
        ],
        "left_out": [],
        "division": {"sets": ["234m", "567p", "345s", "555m", "777z"], "pair": "11z", "winning_set": "345s"},
        "waits": ["2s", "5s"],
        "transfers": [{"from": "N", "to": "E", "tai": 2, "points": 5}],
        "problems": [],
    }
