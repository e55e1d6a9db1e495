"""To add a pattern: its line in `PATTERNS`, its predicate and its reason, a sentence. The rest follows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.changed_copy import ROOT, changed_copy, edited, run_in

STRAIGHT = '''

# 一條龍


def _straight(reading: Reading) -> list[tuple[int, ...]]:
    """The chows 123, 456 and 789 of one suit, where it has all three."""
    chows = {one.first: one.tiles for one in reading.sets if not one.is_pung}
    suits = [[9 * suit + rank for rank in (0, 3, 6)] for suit in range(3)]
    return next(([chows[first] for first in firsts] for firsts in suits if chows.keys() >= {*firsts}), [])


def _is_straight(reading: Reading) -> bool:
    return bool(_straight(reading))


def _of_straight(reading: Reading) -> tuple[Tiles, ...]:
    return (tuple(tile for chow in _straight(reading) for tile in chow),)


@reading_definition("pure_straight", _is_straight, tiles=_of_straight)
def pure_straight(reading: Reading) -> Miss:
    """一條龍: 123, 456 and 789 of one suit."""
    return Miss("no_straight")
'''
REQUEST: dict[str, Any] = {
    "rules": "luohan",
    "overrides": {"pure_straight": 8},
    "concealed": "123456789m345p77s111z",
    "winning_tile": "5p",
    "win": "self_draw",
    "seat": "S",
    "round": "S",
    "dealer": "E",
    "explain": True,
}
OTHER = {**REQUEST, "concealed": "123456678m345p77s111z"}
HOUSE = "\n".join(
    ('id = "club"', 'title = "本會"', 'title_en = "Club"', 'based_on = "luohan"', "patterns.pure_straight = 5")
)
ASKED = """
import json, sys
import scoring
hand, other = json.loads(sys.argv[1])
there, missing = scoring.answer(hand, lang="en"), scoring.answer(other, lang="en")
print(json.dumps([there, missing, scoring.compare(hand, books=["common"]), scoring.what_if(other)]))
"""
PAGE = """
from scoring.rulebook.loading import load_book
from webui.house_rules.form import all_rows
rows = {row.key: row for row in all_rows(load_book("common"), "zh")}
print(rows["tai.pure_straight"].name, rows["tai.pure_straight"].now)
"""

SERVED = """
import json, sys
from tests.unit.webui.conftest import FakeReader, Page, grey_jpeg
from tests.unit.webui.house_rules.test_house_rules import start
from webui import create_app
reader = FakeReader()
reader.groups = {"concealed": "12346789m345p77s111z", "winning": "5m"}
client = create_app({"DATA": sys.argv[2], "READER": reader}).test_client()
said = {"api": client.post("/api/score", json=json.loads(sys.argv[1])).get_json()["patterns"]}
said["board"] = []
for tai in ("8", "0"):
    book = start(client, title=tai, **{"tai.pure_straight": tai})
    client.post(f"/house/{book}/use")
    page = Page(client, grey_jpeg()).upload()
    said["board"].append([page.tai, page.text])
print(json.dumps(said))
"""


def added() -> dict[str, str]:
    """The contributor's files: path -> text."""
    line = '    Pattern("all_pungs", "shape"),\n'
    declared = '    Pattern("pure_straight", "shape", since="0.4.0", name="一條龍", name_en="Pure straight"),\n'
    files = edited("scoring/rulebook/pattern_list.py", (line, line + declared))
    sets = "scoring/patterns/sets.py"
    files[sets] = (ROOT / sets).read_text(encoding="utf-8") + STRAIGHT
    for lang, sentence in (("zh", "沒有同一門的一二三、四五六、七八九"), ("en", "no 123, 456 and 789 of one suit")):
        known = "not_of_shape = "
        files |= edited(f"scoring/messages/{lang}.toml", (known, f'no_straight = "{sentence}"\n{known}'))
    return files


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return changed_copy(tmp_path_factory.mktemp("copy"), added())


def test_answers_explanations_comparisons_and_the_command_know_it(copy: Path, tmp_path: Path) -> None:
    there, missing, compared, changed = json.loads(run_in(copy, "-c", ASKED, json.dumps([REQUEST, OTHER])))
    (line,) = [line for line in there["patterns"] if line["id"] == "pure_straight"]
    assert (line["name"], line["tai"], line["cite"]) == ("Pure straight", 8, "本桌")
    (reason,) = [line for line in there["explain"]["patterns"] if line["id"] == "pure_straight"]
    assert reason["tiles"] == [["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m"]]
    (why_not,) = [line for line in missing["explain"]["why_not"] if line["id"] == "pure_straight"]
    assert why_not["reason_text"] == "no 123, 456 and 789 of one suit"
    assert missing["tai"] == there["tai"] - 8
    assert [line["name"] for line in compared["differences"] if line["id"] == "pure_straight"] == ["一條龍"]
    assert changed["now"]["tai"] == missing["tai"]
    hand = tmp_path / "hand.json"
    hand.write_text(json.dumps(REQUEST), encoding="utf-8")
    assert "一條龍" in run_in(copy, "-m", "paitai", "score", str(hand), "--lang", "zh")
    assert "pure_straight" in run_in(copy, "-m", "paitai", "rules", "show", "luohan")


def test_the_form_of_house_rules_asks_for_it(copy: Path) -> None:
    assert run_in(copy, "-c", PAGE).split() == ["一條龍", "0"]


def test_the_api_and_the_board_count_it(copy: Path, tmp_path: Path) -> None:
    said = json.loads(run_in(copy, "-c", SERVED, json.dumps(REQUEST), str(tmp_path)))
    assert [line["tai"] for line in said["api"] if line["id"] == "pure_straight"] == [8]
    (counted, shown), (without, _) = said["board"]
    assert counted == without + 8
    assert "一條龍 8" in shown


def test_the_referee_rules_by_a_book_that_counts_it(copy: Path, tmp_path: Path) -> None:
    house, asked = tmp_path / "house.toml", tmp_path / "asked.json"
    house.write_text(HOUSE, encoding="utf-8")
    asked.write_text(json.dumps({"rules": str(house), "incident": "wrong_pung", "who": "S", "facts": {"done": False}}))
    ruled = json.loads(run_in(copy, "-m", "paitai", "ruling", str(asked), "--json"))
    asked.write_text(json.dumps({"rules": "luohan", "incident": "wrong_pung", "who": "S", "facts": {"done": False}}))
    assert ruled["transfers"] == json.loads(run_in(copy, "-m", "paitai", "ruling", str(asked), "--json"))["transfers"]


def test_house_books_count_it_and_complete_books_of_before_need_not_mention_it(copy: Path, tmp_path: Path) -> None:
    before = ROOT / "tests" / "unit" / "scoring" / "data" / "complete_1a3219a.toml"
    shown = run_in(copy, "-m", "paitai", "rules", "show", str(before), "--lang", "en")
    assert [line.split()[-2:] for line in shown.splitlines() if "pure_straight" in line] == [["not", "mentioned"]]
    house = tmp_path / "house.toml"
    house.write_text(HOUSE, encoding="utf-8")
    assert "一條龍" in run_in(copy, "-m", "paitai", "rules", "check", str(house), "--lang", "zh")
    response = json.loads(
        run_in(copy, "-c", ASKED, json.dumps([{**REQUEST, "rules": str(house), "overrides": None}] * 2))
    )
    assert [line["tai"] for line in response[0]["patterns"] if line["id"] == "pure_straight"] == [5]


def test_the_docs_list_it(copy: Path, tmp_path: Path) -> None:
    for name in ("house-rules.md", "house-rules.en.md"):
        (tmp_path / name).write_text((ROOT / "docs" / name).read_text(encoding="utf-8"), encoding="utf-8")
    run_in(copy, "-m", "scoring.rulebook.markdown", str(tmp_path))
    for name in ("house-rules.md", "rules-compare.md", "rules-luohan.md"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "`pure_straight`" in text
        assert "一條龍" in text
