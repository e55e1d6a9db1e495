"""讀法: the rule of each pattern in each book, as JSON values. The answers of the cases rest on them."""

from collections.abc import Iterator
from typing import Any

from scoring.rulebook.loading import BOOK_IDS, READY_IDS, RuleBook, load_book


def readings() -> Iterator[dict[str, object]]:
    """Yields one entry for each pattern of each book, the documents' own books first.

    ``status``: scored, not_counted or not_mentioned. ``reading``: our reading if the document is silent.
    """
    for id_ in (*BOOK_IDS, *READY_IDS):
        yield from _of(load_book(id_))


def _of(book: RuleBook) -> Iterator[dict[str, object]]:
    for id_, rule in book.patterns.items():
        entry: dict[str, Any] = {"book": book.id, "pattern": id_, "zh": rule.name, "en": rule.name_en}
        entry |= {"status": rule.status, "tai": rule.tai, "leaves_out": list(rule.excludes)}
        entry["definition"] = rule.definition
        if rule.cite and not rule.cite.house:
            entry["clause"] = f"{rule.cite.document} L{rule.cite.line}"
        if rule.note:
            entry["reading"] = {"zh": rule.note, "en": rule.note_en}
        yield entry
