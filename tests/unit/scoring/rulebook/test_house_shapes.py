"""自訂牌形: shapes that a house book declares, and refusals with shape and reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.hands.notation import parse_tiles
from scoring.rulebook.loading import RuleBookError, load_book
from scoring.rulebook.terminal import rules_check, rules_diff
from tests.unit.scoring.support.asking import ask, tally_of
from webui.house_rules import editing
from webui.house_rules.winning_shapes import rows

SHAPE = {"name": "兩搭五對", "name_en": "Two sets and five pairs", "tai": 6, "sets": 2, "pairs": 5, "singles": 1}
HAND = ("123m456p11335577s11z9m", "9m")


def written(tmp_path: Path, table: dict[str, Any], more: str = "") -> str:
    """The path of a house book with this shape."""
    lines = [
        f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in table.items()
    ]
    head = 'id = "club"\ntitle = "本會"\ntitle_en = "Club"\nbased_on = "common"\n'
    path = tmp_path / "club.toml"
    path.write_text("\n".join([head, more, "[winning_shapes.pairs_and_sets]", *lines]) + "\n", encoding="utf-8")
    return str(path)


def test_it_wins_and_is_counted(tmp_path: Path) -> None:
    rules = written(tmp_path, SHAPE | {"excludes": ["concealed_hand"]})
    response = scoring.answer(ask(*HAND, rules=rules))
    assert tally_of(response)["pairs_and_sets"] == 6
    assert "concealed_hand" not in tally_of(response)
    assert response["division"]["shape"] == "pairs_and_sets"
    assert [line["cite"] for line in response["patterns"] if line["id"] == "pairs_and_sets"] == ["本桌"]
    assert not scoring.answer(ask(*HAND, rules="common"))["wins"]


def test_waits_and_advice_know_it(tmp_path: Path) -> None:
    rules = written(tmp_path, SHAPE)
    request = ask("123m456p11335577s11z", None, rules=rules)
    assert len(scoring.ready(request)["waits"]) == 34
    assert scoring.advise(request)["shanten"] == 0
    farther = ask("123m456p113355789s1z", None, rules=rules)
    assert scoring.advise(farther)["shanten"] >= 0


def test_a_hand_of_five_sets_says_why_not(tmp_path: Path) -> None:
    rules = written(tmp_path, SHAPE | {"text_en": "two sets and five pairs"})
    response = scoring.answer(ask("123456789m123p44s555z", "5z", rules=rules, explain=True), lang="en")
    (why,) = [line for line in response["explain"]["why_not"] if line["id"] == "pairs_and_sets"]
    assert why["reason_text"] == "not two sets and five pairs"


def test_a_shape_of_named_tiles(tmp_path: Path) -> None:
    winds = {"name": "四風各二", "tai": 3, "each": "1234z", "again": 4, "sets": 3}
    rules = written(tmp_path, winds)
    assert tally_of(scoring.answer(ask("123m456p789s11223344z", "4z", rules=rules)))["pairs_and_sets"] == 3
    assert not scoring.answer(ask("123m456p789s11223355z", "5z", rules=rules))["wins"]
    waits = {wait["tile"] for wait in scoring.ready(ask("123m456p78s11223344z", None, rules=rules))["waits"]}
    assert waits == {"6s", "9s"}
    assert parse_tiles("1234z")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"singles": 2}, "its parts are 18 tiles together"),
        ({"sets": 1, "pairs": 7, "singles": 0, "pungs": 0}, None),
        ({"sets": 0, "pairs": 7, "singles": 0, "pungs": 1}, "it is the built-in shape 'Seven pairs and a pung'"),
        ({"sets": 5, "pairs": 1, "singles": 0}, "it is the built-in shape 'Five sets and a pair'"),
        ({"again": 1, "singles": 0}, "again counts tiles of each and apart"),
        ({"each": "1z1z", "singles": 0}, "must name tiles in order"),
        ({"each": "1f", "singles": 0}, "must name tiles in order"),
        ({"each": "huh", "singles": 0}, "must name tiles in order"),
        ({"sets": "two"}, "must be an integer"),
        ({"sets": 9}, "out of range"),
        ({"tai": -1}, "negative tai"),
        ({"huh": 1}, "unknown key 'huh'"),
        ({"name": "平胡"}, "is the name of another pattern"),
        ({"excludes": ["nothing"]}, "unknown exclude"),
        ({"sets": 1, "pungs": 1, "pairs": 3, "singles": 4, "each": "1z"}, "too many kinds of parts"),
    ],
)
def test_refusals(tmp_path: Path, change: dict[str, Any], reason: str | None) -> None:
    rules = written(tmp_path, SHAPE | change)
    if reason is None:
        assert load_book(rules).patterns["pairs_and_sets"].scored
        return
    with pytest.raises(RuleBookError) as caught:
        load_book(rules)
    assert any(reason in problem.reason_text("en") for problem in caught.value.problems), [
        problem.reason_text("en") for problem in caught.value.problems
    ]


def test_the_terminal_and_the_form_know_it(tmp_path: Path) -> None:
    path = written(tmp_path, SHAPE)
    assert "兩搭五對" in rules_check(path, lang="zh")
    assert "Two sets and five pairs" in rules_diff("common", path, lang="en")
    (row,) = rows(load_book(path), "zh")
    assert (row.id, row.name, row.tai) == ("pairs_and_sets", "兩搭五對", 6)
    toml = editing.edited(
        Path(path).read_text(encoding="utf-8"), "common", {"tai.pairs_and_sets": "9", "title": "本會"}
    )
    again = tmp_path / "again.toml"
    again.write_text(toml, encoding="utf-8")
    assert load_book(str(again)).patterns["pairs_and_sets"].tai == 9
