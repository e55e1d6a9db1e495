"""自訂牌形的表: a table's own winning shape to form fields and back, with the problems of each field."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.hands.shapes.declared import SHAPE_PREFIX
from scoring.rulebook import wording as words
from scoring.rulebook.errors import BookProblem
from scoring.rulebook.loading import RuleBook
from webui.board.state import Fields
from webui.web.forms import whole

TEXTS = ("name", "name_en", "text", "text_en", "each")
NUMBERS = ("tai", "sets", "pungs", "pairs", "singles", "apart", "again")
PARTS = NUMBERS[1:]
"""The parts of a shape that are numbers, in the order of the form."""
UNSHOWN = ("note", "note_en", "seen")
MOST = 999_999_999

Raw = dict[str, Any]


class ShapeRow(NamedTuple):
    """One own shape as a list shows it. `also`: further words by which it is found."""

    id: str
    name: str
    also: str
    tai: int
    parts: str
    excluded: str


def rows(book: RuleBook, lang: str) -> list[ShapeRow]:
    """The shapes that a house book declares."""
    other = "en" if lang == "zh" else "zh"
    return [
        ShapeRow(
            rule.id,
            words.name(rule, lang),
            f"{rule.id} {words.name(rule, other)}",
            rule.tai,
            words.definition(rule, lang),
            words.excluded(book, rule, lang),
        )
        for rule in book.patterns.values()
        if rule.definition.startswith(SHAPE_PREFIX)
    ]


def new_id(raw: Mapping[str, object]) -> str:
    """An id that no shape of the book has, nor one of another table's."""
    while (id_ := f"shape_{secrets.token_hex(3)}") in raw:
        pass
    return id_


def fields_of(table: Mapping[str, Any]) -> Raw:
    """The fields of the form for a shape as a book writes it: key -> text, or the list of excluded patterns."""
    fields: Raw = {key: str(table.get(key, "")) for key in (*TEXTS, *NUMBERS)}
    return fields | {"excludes": [str(pattern) for pattern in table.get("excludes", [])]}


def table_of(form: Fields) -> Raw:
    """The shape's table for the book. The book's reader finds its problems."""
    table: Raw = {key: text for key in TEXTS if (text := _text(form, key))}
    for key in NUMBERS:
        text = _text(form, key)
        number = whole(text, MOST) if text else 0
        if number is None or number or key == "tai":
            table[key] = text if number is None else number
    excludes = [str(id_)[:60] for id_ in form.getlist("excludes")]
    return table | ({"excludes": excludes} if excludes else {})


def unshown(table: Mapping[str, object]) -> Raw:
    """The keys of a shape that the form does not show; they stay unchanged."""
    return {key: table[key] for key in UNSHOWN if key in table}


def field_of(problem: BookProblem) -> str:
    """The field that a problem of the shape is about; "parts" if it is about all of them together."""
    key = str(dict(problem.values).get("key", ""))
    return key if key in (*TEXTS, *NUMBERS, "excludes") else "parts"


def _text(form: Fields, key: str) -> str:
    return " ".join(str(form.get(key) or "").split())[:200]
