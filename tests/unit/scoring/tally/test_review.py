"""Every row of the rule tables in every book, and refusals. The answers were computed by hand from the documents."""

import os
from typing import Any

import pytest

import scoring
from scoring.conformance.cases import Case, read
from scoring.conformance.holding import differences
from scoring.languages import WHOLE

CASES = read("rule_tables")
ANSWERED = [pytest.param(case, id=case.id) for case in CASES if "error" not in case.expect]
REFUSED = [pytest.param(case, id=case.id) for case in CASES if "error" in case.expect]


@pytest.mark.parametrize("case", ANSWERED)
def test_answer(case: Case) -> None:
    request, expect = case.request, case.expect
    response = scoring.answer(request)
    assert differences(case, response) == []
    assert bool(response["problems"]) is not expect["wins"]
    paid = {one["from"]: one["tai"] for one in response["transfers"]}
    points = expect.get("points")
    if points is None:
        points = {seat: request["base"] + request["per_tai"] * tai for seat, tai in paid.items()}
    assert {one["from"]: one["points"] for one in response["transfers"]} == points
    assert {one["to"] for one in response["transfers"]} <= {request["seat"]}


@pytest.mark.parametrize("lang", WHOLE)
@pytest.mark.parametrize("case", REFUSED)
def test_refusal(case: Case, lang: str) -> None:
    response = scoring.answer(case.request, lang=lang)
    assert response.keys() == {"error", "problems"}
    assert differences(case, response) == []


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
        good: dict[str, Any] = dict(next(case.request for case in CASES if case.id == "luohan-plain"))
        request_ = good | request_ if request_ else {}
    response = ask(request_)
    assert response.keys() == {"error", "problems"}
    assert response["problems"]


@pytest.mark.skipif(os.name == "nt", reason="no device files")
def test_a_rule_book_is_a_file() -> None:
    """A pipe or device is not waited for."""
    good: dict[str, Any] = dict(next(case.request for case in CASES if case.id == "luohan-plain"))
    response = scoring.answer({**good, "rules": "/dev/null"}, lang="en")
    assert response["problems"] == ["rules: null: cannot be read: not a file"]
