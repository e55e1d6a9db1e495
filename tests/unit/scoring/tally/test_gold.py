"""The examples of the documents, as docs/rules-reading.md reads them; each line names its source."""

import pytest

import scoring
from scoring.conformance.cases import Case, read
from scoring.conformance.holding import differences


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.id) for case in (*read("documents"), *read("decisions"), *read("house_books"))]
)
def test_gold(case: Case) -> None:
    response = scoring.answer(case.request)
    assert bool(response["problems"]) is not case.expect["wins"]
    assert differences(case, response) == []
    assert {one["to"] for one in response["transfers"]} == ({case.request["seat"]} if response["wins"] else set())


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
