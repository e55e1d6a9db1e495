"""The other tests of this folder do the table "to add something, touch these files" of docs/architecture.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest

from tests.changed_copy import ROOT
from tests.unit.additions import (
    test_incident,
    test_label_format,
    test_language,
    test_page,
    test_pattern,
    test_ready_book,
    test_ready_own_pattern,
)

ADDED: dict[str, Callable[[], Mapping[str, str]]] = {
    "a pattern": test_pattern.added,
    "a ready own pattern": test_ready_own_pattern.added,
    "a ready house book": test_ready_book.added,
    "an incident": test_incident.added,
    "a label format": test_label_format.added,
    "a page": test_page.added,
    "a language": test_language.added,
}


@pytest.mark.parametrize("thing", ADDED)
def test_the_row_names_every_file_that_is_touched(thing: str) -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {thing} \| (.*) \|$", text, re.MULTILINE)
    named = re.findall(r"`([\w./-]+/[\w.-]*)`", row)
    assert all((ROOT / path).exists() for path in named), row
    for path in ADDED[thing]():
        assert any(path == place or (place.endswith("/") and path.startswith(place)) for place in named), path
