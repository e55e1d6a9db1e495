"""Sections 3 and 4 of docs/rules-reading.md, cell by cell against every book; ids name the book's clause."""

import pytest

import scoring
from scoring.rulebook.loading import load_book
from tests.unit.scoring.support import rows_declared, rows_flowers, rows_sets, rows_winning
from tests.unit.scoring.support.asking import tally_of
from tests.unit.scoring.support.cells import Row

ROWS = (*rows_winning.ROWS, *rows_sets.ROWS, *rows_flowers.ROWS, *rows_declared.ROWS)


def _clause(book: str, pattern: str) -> str:
    cite = load_book(book).patterns[pattern].cite
    return f"{book}-{f'L{cite.line}' if cite else 'silent'}-{pattern}"


CELLS = [
    pytest.param(row, book, id=f"{_clause(book, row.pattern)}-{row.what.replace(' ', '_')}")
    for row in ROWS
    for book in row.expected
]


@pytest.mark.parametrize(("row", "book"), CELLS)
def test_cell(row: Row, book: str) -> None:
    response = scoring.answer(row.request | {"rules": book})
    assert response.get("problems") == []
    assert response["wins"]
    assert tally_of(response) == row.expected[book]
    assert response["tai"] == sum(row.expected[book].values())
