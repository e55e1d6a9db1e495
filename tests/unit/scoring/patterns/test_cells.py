"""Sections 3 and 4 of docs/rules-reading.md, cell by cell against every book; ids name book and pattern."""

import pytest

import scoring
from scoring.conformance.cases import Case, read
from scoring.conformance.holding import differences
from tests.unit.scoring.support import export_cells

CELLS = read("patterns")


def test_the_cases_are_those_of_the_rows() -> None:
    """Else: python -m tests.unit.scoring.support.export_cells"""
    assert export_cells.FILE.read_text("utf-8") == export_cells.lines()


def test_no_two_cases_have_one_name() -> None:
    assert len({case.id for case in CELLS}) == len(CELLS)


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.clause}-{case.id}") for case in CELLS])
def test_cell(case: Case) -> None:
    response = scoring.answer(case.request)
    assert response.get("problems") == []
    assert differences(case, response) == []
