"""To add a winning shape: its declaration in `SHAPES`. Everything else follows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.changed_copy import ROOT, changed_copy, edited, run_in

DECLARED = "scoring/hands/shapes/declared.py"
SHAPE = """    Shape(
        *("two_sets_and_pairs", "two_sets_and_pairs", "兩搭五對", "Two sets and five pairs"),
        "兩搭五對加任何一張",
        "two sets, five pairs and any one tile",
        since="0.4.0",
        sets=2,
        pairs=5,
        singles=1,
    ),
"""
REQUEST: dict[str, Any] = {
    "rules": "common",
    "overrides": {"two_sets_and_pairs": 6},
    "concealed": "123m456p11335577s11z9m",
    "winning_tile": "9m",
    "win": "self_draw",
    "seat": "S",
    "round": "S",
    "dealer": "E",
    "explain": True,
}
ASKED = """
import json, sys
import scoring
hand = json.loads(sys.argv[1])
left = {**hand, "concealed": hand["concealed"][:-2], "winning_tile": None}
plain = {**hand, "overrides": {}}
answers = [scoring.answer(hand), scoring.ready(left), scoring.advise(left), scoring.answer(plain, lang="en")]
print(json.dumps([*answers, scoring.what_if(plain)]))
"""
PAGE = """
from scoring.rulebook.loading import load_book
from webui.house_rules.form import all_rows
rows = {row.key: row for row in all_rows(load_book("common"), "zh")}
print(rows["tai.two_sets_and_pairs"].name, rows["tai.two_sets_and_pairs"].now)
"""
OWN = """
id = "club"
title = "本會"
title_en = "Club"
based_on = "common"
patterns.two_sets_and_pairs = 6
[own_patterns.flush_of_pairs]
name = "清一色兩搭五對"
tai = 3
all = ["two_sets_and_pairs", "closed"]
has = { concealed = "123m456p11335577s11z9m" }
has_not = { concealed = "123m456p789s123s456m11z" }
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    last = '    Shape(\n        *("sixteen_unconnected"'
    return changed_copy(tmp_path_factory.mktemp("copy"), edited(DECLARED, (last, SHAPE + last)))


def test_it_is_counted_waited_for_and_advised(copy: Path) -> None:
    won, waiting, advice, refused, changed = json.loads(run_in(copy, "-c", ASKED, json.dumps(REQUEST)))
    (line,) = [line for line in won["patterns"] if line["id"] == "two_sets_and_pairs"]
    assert (line["name"], line["tai"]) == ("兩搭五對", 6)
    assert won["division"]["shape"] == "two_sets_and_pairs"
    assert {wait["tile"] for wait in waiting["waits"]} >= {"9m", "2p", "6z"}
    assert advice["shanten"] == 0
    assert "two sets, five pairs and any one tile" in refused["problems"][0]
    assert changed["now"]["wins"] is False


def test_a_house_book_gives_it_tai_and_names_it_in_its_own_patterns(copy: Path, tmp_path: Path) -> None:
    assert run_in(copy, "-c", PAGE).split() == ["兩搭五對", "0"]
    house = tmp_path / "house.toml"
    house.write_text(OWN, encoding="utf-8")
    assert "清一色兩搭五對" in run_in(copy, "-m", "paitai", "rules", "show", str(house), "--lang", "zh")


def test_the_docs_list_it(copy: Path, tmp_path: Path) -> None:
    for name in ("house-rules.md", "house-rules.en.md"):
        (tmp_path / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8")
    run_in(copy, "-m", "scoring.rulebook.markdown", str(tmp_path))
    assert "兩搭五對加任何一張" in (tmp_path / "house-rules.md").read_text(encoding="utf-8")
    assert "`two_sets_and_pairs`" in (tmp_path / "rules-common.en.md").read_text(encoding="utf-8")


def test_the_tests_of_shapes_hold_it(copy: Path) -> None:
    code = (
        "from scoring.hands.shapes.declared import SHAPES, WINNING_TILES; "
        "print({shape.tiles for shape in SHAPES} == {WINNING_TILES})"
    )
    assert run_in(copy, "-c", code).strip() == "True"
