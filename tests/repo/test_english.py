"""Our English has at most twice as many hard words and long sentences as nine good libraries (docs/style.md)."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks" / "testing"))

import english  # noqa: E402

ANCHOR_HITS, ANCHOR_LONG = 2.4, 0.065
"""Advised-against words per 1,000 and the share of long sentences in the anchors: `english.py --anchors`."""
FEW = 3
"""A short document may have so many of the words."""
GENERATED = ("docs/rules-", "docs/commands.md", "docs/style.md")
"""Pages made of clauses and catalogs, and the page that quotes the dialect."""


def units() -> dict[str, list[Path]]:
    """Packages and documents by name, with their files."""
    found = {package: english.files_in(ROOT / package) for package in english.PACKAGES}
    for path in english.documents():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".md" and (not name.startswith(GENERATED) or name == "docs/rules-reading.md"):
            found[name] = [path]
    return found


UNITS = units()


@cache
def figures(unit: str) -> english.Figures:
    """The counts of a unit, once."""
    return english.figures(UNITS[unit])


def test_the_units_are_there() -> None:
    assert len(UNITS) > 40
    assert all(UNITS.values())


@pytest.mark.parametrize("unit", UNITS)
def test_few_words_that_the_style_advises_against(unit: str) -> None:
    counts = figures(unit)
    most = max(FEW, 2 * ANCHOR_HITS * counts.words / 1000)
    assert counts.hits.total() <= most, f"python benchmarks/testing/english.py {unit}: {dict(counts.hits)}"


@pytest.mark.parametrize("unit", UNITS)
def test_few_long_sentences(unit: str) -> None:
    counts = figures(unit)
    most = max(FEW, 2 * ANCHOR_LONG * counts.sentences)
    assert counts.long_sentences <= most, f"python benchmarks/testing/english.py {unit}"


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.endswith(".md")])
def test_no_line_of_a_document_is_too_long(unit: str) -> None:
    lines = english.long_lines((ROOT / unit).read_text(encoding="utf-8"))
    assert len(lines) <= FEW, f"{unit}: lines {lines}"


def test_the_dialect_is_noticed() -> None:
    counts = english.Figures()
    counts.add("What was named and is no tile to other weights was not read, where nobody said so.")
    assert +counts.hits == {"what is": 1, "is no": 1, "where": 1, "said": 1, "nobody": 1}
    counts = english.Figures()
    counts.add("A named box that the second classifier calls background is shown as unread.")
    assert counts.hits.total() == 0


def test_prose_is_found_in_every_kind_of_file() -> None:
    source = '"""Module."""\n\nX = 1\n"""Of X."""\n# one\n# comment\nY = 2  # trailing\n'
    assert [text.words for text in english.python_texts(source)] == ["Module.", "Of X.", "one comment", "trailing"]
    script = 'const a = "//no"; // yes\n/** Also. */'
    assert [text.words.strip() for text in english.script_texts(script)] == ["yes", "Also."]
    document = "# Head\n\nText.\n\n```\ncode\n```\n| a | b |\n"
    words = [text.words.strip() for text in english.document_texts(document) if text.words.strip()]
    assert words == ["# Head", "Text.", "a", "b"]
    catalog = '[a]\nb = "Hello {name}."\nc = ["One.", "Two."]\n'
    assert [text.words for text in english.catalog_texts(catalog)] == ["Hello x.", "One.", "Two."]


def test_long_lines_leave_out_links() -> None:
    assert english.long_lines("a " * 70 + "\n" + "a " * 90 + "\n[x](" + "y" * 200 + ")") == [2]
    assert english.long_lines("| " + "a " * 60 + "| " + "b " * 60 + "|") == []
