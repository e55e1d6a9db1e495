"""The worked cases, and one case for each clause that they leave out: the answer is the one that stands beside it."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring import ruling, seats

DATA = Path(__file__).parents[1] / "data"


def read(name: str) -> list[Any]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


GOLD = read("rulings_gold.jsonl")
CLAUSES = read("rulings_clauses.jsonl")


def test_there_are_cases() -> None:
    assert len(GOLD) == 141
    assert len(CLAUSES) > 200


@pytest.mark.parametrize("case", [*GOLD, *CLAUSES])
def test_case(case: dict[str, Any]) -> None:
    request, expect = case["request"], case["expect"]
    answer = (seats if "step" in request else ruling)(request)
    if expect.get("refused"):
        assert answer["error"]
        assert answer["problems"]
        return
    assert answer["problems"] == []
    assert {key: _plain(key, answer[key]) for key in expect} == expect


def _plain(key: str, value: Any) -> Any:
    """The value as the cases write it: steps by id, transfers without a reason, duties as they begin."""
    match key:
        case "steps":
            return [step["id"] for step in value]
        case "transfers":
            return [{name: one[name] for name in one if name != "reason"} for one in value]
        case "duties":
            return [{name: one[name] for name in one if name != "since"} for one in value]
        case _:
            return value
