"""The rows of the tables as cases that any engine can be held against.

    PYTHONPATH=. python -m tests.unit.scoring.support.export_cells

writes `scoring/conformance/cases/patterns.jsonl`; a test says when that has to be done again.
"""

from __future__ import annotations

import json
from pathlib import Path

from scoring.rulebook.loading import load_book
from tests.unit.scoring.support import rows_declared, rows_flowers, rows_sets, rows_winning
from tests.unit.scoring.support.cells import Row

ROWS: tuple[Row, ...] = (*rows_winning.ROWS, *rows_sets.ROWS, *rows_flowers.ROWS, *rows_declared.ROWS)
FILE = Path(__file__).parents[4] / "scoring" / "conformance" / "cases" / "patterns.jsonl"


def lines() -> str:
    """One JSON line a row and book: the clause is the book's own of the row's pattern."""
    return "".join(f"{json.dumps(_case(row, book), ensure_ascii=False)}\n" for row in ROWS for book in row.expected)


def _case(row: Row, book: str) -> dict[str, object]:
    cite = load_book(book).patterns[row.pattern].cite
    clause = f"{cite.document} L{cite.line}" if cite else f"silent on {row.pattern}"
    patterns = row.expected[book]
    return {
        "id": f"{book}-{row.pattern}-{row.what.replace(' ', '_')}",
        "source": clause,
        "request": row.request | {"rules": book},
        "expect": {"wins": True, "tai": sum(patterns.values()), "patterns": patterns},
    }


if __name__ == "__main__":
    FILE.write_text(lines(), encoding="utf-8")
