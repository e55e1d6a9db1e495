"""To add a ready own pattern: its table with two hands. The form, the list and the docs follow, and the hands hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.changed_copy import ROOT, changed_copy, run_in

READY = "scoring/rulebook/own_ready.toml"
TABLE = """
[own_patterns.no_dragons_at_all]
name = "無三元一條龍"
name_en = "Straight without dragons"
tai = 2
all = ["straight"]
not = ["dragon_pung"]
has = "123456789m345p77s111z"
has_not = "123456789m77s111z555z"
"""
SHOWN = """
import sys
from webui import create_app
page = create_app({"DATA": sys.argv[1], "READER": object()}).test_client()
for lang in ("zh", "en"):
    print(page.get(f"/house/new?base=luohan&lang={lang}").text)
"""


def added() -> dict[str, str]:
    """The contributor's files: path -> text."""
    return {READY: (ROOT / READY).read_text(encoding="utf-8") + TABLE}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return changed_copy(tmp_path_factory.mktemp("copy"), added())


def test_the_form_offers_it(copy: Path, tmp_path: Path) -> None:
    shown = run_in(copy, "-c", SHOWN, str(tmp_path))
    assert "把無三元一條龍加進來" in shown
    assert "Straight without dragons" in shown


def test_the_docs_list_it(copy: Path, tmp_path: Path) -> None:
    for name in ("house-rules.md", "house-rules.en.md"):
        (tmp_path / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8")
    run_in(copy, "-m", "scoring.rulebook.markdown", str(tmp_path))
    assert "無三元一條龍" in (tmp_path / "house-rules.md").read_text(encoding="utf-8")


def test_its_hands_are_held_to_and_the_page_draws_them(copy: Path) -> None:
    run_in(
        copy,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "tests/unit/scoring/rulebook/test_own_patterns.py",
        "tests/unit/webui/house_rules/test_own_patterns.py::test_ready_ones_are_taken_in_and_out_by_one_tap[sqlite]",
    )
