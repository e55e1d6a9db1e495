"""對照: every kind of difference between an answer and its case is found, key by key."""

from __future__ import annotations

from typing import Any

import pytest

import scoring
from scoring.conformance.cases import SUITES, suite
from scoring.conformance.holding import differences
from scoring.conformance.readings import readings
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, load_book

CASE = next(case for case in suite("score") if case.expect.get("patterns") and case.expect.get("transfers"))
REFUSED = next(case for case in suite("score") if "error" in case.expect)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        pytest.param({"wins": False}, "wins", id="wins"),
        pytest.param({"tai": 99}, "tai", id="tai"),
        pytest.param({"patterns": []}, "patterns", id="no pattern"),
        pytest.param({"patterns": 5}, "patterns", id="patterns of another form"),
        pytest.param({"transfers": []}, "transfers", id="nobody pays"),
        pytest.param({"error": "no"}, "refused", id="refused"),
    ],
)
def test_another_answer_differs(change: dict[str, Any], key: str) -> None:
    answer = scoring.answer(CASE.request)
    assert differences(CASE, answer) == []
    (text,) = differences(CASE, {**answer, **change})
    assert text.startswith(key)
    assert differences(CASE, {**answer, **change}, ["waits"]) == ([text] if key == "refused" else [])


def test_a_missing_key_is_named() -> None:
    answer = scoring.answer(CASE.request)
    del answer["tai"]
    assert differences(CASE, answer) == [f"tai: 'missing', not {CASE.expect['tai']}"]


@pytest.mark.parametrize("answer", [None, 5, [], "no JSON"])
def test_what_is_no_answer_differs(answer: object) -> None:
    assert differences(CASE, answer)
    assert differences(REFUSED, answer)


def test_a_request_that_must_be_refused_must_be_and_by_name() -> None:
    assert differences(REFUSED, scoring.answer(REFUSED.request)) == []
    assert differences(REFUSED, scoring.answer(CASE.request)) == ["answered, not refused"]
    assert differences(REFUSED, {"error": "no", "problems": ["no"]})


def test_every_case_has_its_own_name_in_its_suite() -> None:
    for name in SUITES:
        ids = [case.id for case in suite(name)]
        assert len(ids) > 20
        assert len(set(ids)) == len(ids), name


def test_each_book_says_how_it_reads_each_pattern() -> None:
    said = {(entry["book"], entry["pattern"]) for entry in readings()}
    assert said == {(book, pattern) for book in (*BOOK_IDS, *READY_IDS) for pattern in load_book(book).patterns}
