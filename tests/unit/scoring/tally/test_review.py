"""Every row of the rule tables in every book, and what is refused: answers worked out by hand from the documents."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import scoring
from tests.unit.scoring.support.asking import tally_of

DATA = Path(__file__).parents[1] / "data" / "review.jsonl"
LINES = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
ANSWERED = [pytest.param(line, id=line["id"]) for line in LINES if "error" not in line["expect"]]
REFUSED = [pytest.param(line, id=line["id"]) for line in LINES if "error" in line["expect"]]


@pytest.mark.parametrize("line", ANSWERED)
def test_answer(line: dict[str, Any]) -> None:
    request, expect = line["request"], line["expect"]
    response = scoring.answer(request)
    assert "error" not in response
    assert tally_of(response) == expect["patterns"]
    assert (response["wins"], response["tai"]) == (expect["wins"], expect["tai"])
    assert bool(response["problems"]) is not expect["wins"]
    assert response["waits"] == expect.get("waits", response["waits"])
    paid = {one["from"]: one["tai"] for one in response["transfers"]}
    assert paid == expect.get("transfers", paid)
    points = expect.get("points")
    if points is None:
        points = {seat: request["base"] + request["per_tai"] * tai for seat, tai in paid.items()}
    assert {one["from"]: one["points"] for one in response["transfers"]} == points
    assert {one["to"] for one in response["transfers"]} <= {request["seat"]}
    left_out = [[one["id"], one["because"]] for one in response["left_out"]]
    assert left_out == expect.get("left_out", left_out)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("line", REFUSED)
def test_refusal(line: dict[str, Any], lang: str) -> None:
    response = scoring.answer(line["request"], lang=lang)
    assert response.keys() == {"error", "problems"}
    told = "\n".join(response["problems"])
    assert [name for name in line["expect"]["names"] if name not in told] == []


NO_REQUESTS: list[Any] = [
    None,
    True,
    3,
    1.5,
    "123m",
    [],
    [{}],
    {},
    {"events": 5},
    {"events": [[]]},
    {"events": ["rain"]},
]


@pytest.mark.parametrize("request_", NO_REQUESTS, ids=repr)
@pytest.mark.parametrize("ask", [scoring.answer, scoring.compare, scoring.what_if, scoring.ready])
def test_what_is_no_request_is_refused(ask: Any, request_: Any) -> None:
    if isinstance(request_, dict):
        good: dict[str, Any] = next(line["request"] for line in LINES if line["id"] == "luohan-plain")
        request_ = good | request_ if request_ else {}
    response = ask(request_)
    assert response.keys() == {"error", "problems"}
    assert response["problems"]


@pytest.mark.skipif(os.name == "nt", reason="no device files")
def test_a_rule_book_is_a_file() -> None:
    """A pipe or device is not waited for."""
    good: dict[str, Any] = next(line["request"] for line in LINES if line["id"] == "luohan-plain")
    response = scoring.answer({**good, "rules": "/dev/null"}, lang="en")
    assert response["problems"] == ["rules: null: cannot be read: not a file"]
