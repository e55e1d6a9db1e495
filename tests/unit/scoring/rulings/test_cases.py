"""The worked cases, and one case for each clause that they leave out."""

import pytest

from scoring import ruling, seats
from scoring.conformance.cases import Case, read
from scoring.conformance.holding import differences

GOLD = read("rulings")
CLAUSES = (*read("rulings_clauses"), *read("decisions_rulings"), *read("house_books_rulings"))


def test_there_are_cases() -> None:
    assert len(GOLD) == 141
    assert len(CLAUSES) > 200


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in (*GOLD, *CLAUSES)])
def test_case(case: Case) -> None:
    answer = (seats if "step" in case.request else ruling)(case.request)
    assert differences(case, answer) == []
    assert bool(answer["problems"]) == bool(case.expect.get("refused"))
