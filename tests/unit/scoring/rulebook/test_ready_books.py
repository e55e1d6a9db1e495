"""As other apps play: the ready books count like the program they come from, and name the source of each value.

The cases are results of open_mahjong_unity at the commit that the books name, under the presets that they name.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.api.terminal import summary
from scoring.messages import word
from scoring.rulebook.loading import READY_IDS, load_book
from scoring.rulebook.settings import Origin
from tests.unit.scoring.support.asking import ask, drawn, tally_of

GOLD = Path(__file__).parents[1] / "data" / "ready_books_gold.jsonl"
CASES = [json.loads(line) for line in GOLD.read_text("utf-8").splitlines()]
ENGINE_BOOKS = ("star31", "shenlaiye", "sml")
CHOWS = "chow 123m, chow 456m"


def theirs(patterns: dict[str, int]) -> dict[str, int]:
    """Our tally by the engine's names: it calls 見花見台 a flower of one's seat."""
    named = dict(patterns)
    if "any_flower" in named:
        named["seat_flower"] = named.pop("any_flower")
    return named


@pytest.mark.parametrize("rules", ENGINE_BOOKS)
def test_the_books_count_what_the_engine_counts(rules: str) -> None:
    cases = [case for case in CASES if case["request"]["rules"] == rules]
    assert len(cases) == 150
    wrong = []
    for case in cases:
        answer = scoring.answer(case["request"])
        if (answer["tai"], theirs(tally_of(answer))) != (case["expect"]["tai"], case["expect"]["patterns"]):
            wrong.append(case["id"])
    assert wrong == []


@pytest.mark.parametrize(
    ("request_", "rules", "there"),
    [
        # 平胡 with a middle wait and another wait: the engine requires an open end
        (ask("34555p123789s", "4p", CHOWS), "sml", False),
        (ask("456p123789s55m", "6p", CHOWS), "sml", True),
        (ask("123456m789p123456s55p", "6s"), "sml", False),
        (ask("123456m789p123456s55p", "6s", events=["human_win"], dealer="S"), "sml", False),
        (ask("123456m789p123456s55p", "6s"), "star31", False),
        (ask("123456m789p123456s55p", "6s"), "shenlaiye", True),
        (ask("456p456s44z", "6s", "chow 123m, chow 456m, chow 789m"), "sml", True),
        (ask("456p456s44z", "6s", "chow 123m, chow 456m, chow 789m"), "star31", False),
        (drawn("456p456s55p", "6s", "chow 123m, chow 456m, chow 789m"), "sml", False),
    ],
)
def test_all_chows_as_the_engine_reads_it(request_: dict[str, Any], rules: str, there: bool) -> None:
    assert ("all_chows" in tally_of(scoring.answer(request_ | {"rules": rules}))) is there


def test_the_pair_of_five_calls_is_no_single_wait() -> None:
    five = ask("55p", "5p", "chow 123m, chow 456m, chow 789m, pung 222s, pung 777p")
    for rules in ENGINE_BOOKS:
        assert "single_wait" not in tally_of(scoring.answer(five | {"rules": rules}))
    with_kong = ask("55p", "5p", "chow 123m, chow 456m, chow 789m, pung 222s, concealed_kong 7777p")
    for rules in ENGINE_BOOKS:
        assert "single_wait" in tally_of(scoring.answer(with_kong | {"rules": rules}))


def test_a_discard_that_fits_a_pung_and_a_chow_is_a_pung_in_star31() -> None:
    """2m completes 222 or the end of 123: the higher tally takes the chow, star31 the pung."""
    hand = ask("122223333m11p", "2m", "concealed_kong 8888p, concealed_kong 9999m")
    assert "three_concealed_pungs" in tally_of(scoring.answer(hand | {"rules": "star31"}))
    assert "four_concealed_pungs" in tally_of(scoring.answer(hand | {"rules": "shenlaiye"}))


@pytest.mark.parametrize("rules", READY_IDS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_ready_book_says_whose_values_it_has(rules: str, lang: str) -> None:
    book = load_book(rules)
    assert book.origin is not None
    named = word("documents", rules, lang)
    assert book.origin.commit in named
    changed = [rule for rule in book.patterns.values() if rule.changed]
    assert changed
    for rule in changed:
        note = rule.note if lang == "zh" else rule.note_en
        assert "本桌" not in note
        assert "原書：" not in note
        assert rule.seen or rule.id in ("no_honors", "no_flowers")
    request = ask("123456m789p123456s44z", "6s", flowers="12f", rules=rules, explain=True)
    text = summary(scoring.answer(request, lang=lang), lang=lang)
    assert book.title.split("的")[0] in text or book.title_en in text


def test_a_change_on_top_of_a_ready_book_is_the_tables() -> None:
    rule = load_book("star31", {"full_flush": 10}).patterns["full_flush"]
    assert rule.note.startswith("本桌改為 10 台")


CHOW_HAND = "123456m789p123456s55p"


@pytest.mark.parametrize(
    ("rules", "request_", "expected"),
    [
        # 口袋麻將: S3 平胡 whatever the wait, S2 門清自摸 with 天聽, S1 花槓 1 + 正花 1
        ("funclub", ask("345p55s123789s", "4p", "chow 123m, chow 456m"), {"all_chows": 2, "single_wait": 1}),
        (
            "funclub",
            ask("123456m789p123456s44z", "6s", flowers="1234f"),
            {"concealed_hand": 1, "flower_set": 1, "seat_flower": 1},
        ),
        (
            "funclub",
            drawn("123456m789p123456s44z", "6s", events=["heavenly_ready"], dealer="S"),
            {"heavenly_ready": 16, "concealed_and_self_draw": 3},
        ),
        (
            "funclub",
            drawn("123456m789p123456s44z", "6s", events=["earthly_win"], dealer="S"),
            {"earthly_win": 16},
        ),
        # shifu: S2 花槓 2 + 正花 1, S1 門清 自摸 不求 apart, S2 字一色 with 碰碰胡
        ("shifu", ask(CHOW_HAND, "6s"), {"all_chows": 2, "concealed_hand": 1}),
        (
            "shifu",
            drawn("123456m789p123456s44z", "6s", flowers="1234f"),
            {"flower_set": 2, "seat_flower": 1, "concealed_hand": 1, "self_draw": 1, "concealed_self_draw": 1},
        ),
        (
            "shifu",
            drawn("123456m789p123456s44z", "6s", events=["earthly_win"], dealer="S"),
            {"earthly_win": 16},
        ),
        (
            "shifu",
            ask("111777z55z", "5z", "pung 222z, pung 333z, pung 666z", seat="E", round="S"),
            {"all_honors": 16, "all_pungs": 4, "seat_wind_pung": 1, "round_wind_pung": 1, "concealed_hand": 0},
        ),
    ],
)
def test_the_tables_of_two_peers(rules: str, request_: dict[str, Any], expected: dict[str, int]) -> None:
    found = tally_of(scoring.answer(request_ | {"rules": rules}))
    assert {id_: found.get(id_, 0) for id_ in expected} == expected
    assert not {"concealed_hand", "self_draw"} & set(found) - set(expected)


@pytest.mark.parametrize(
    ("part", "text"),
    [("", "a-program 1234567"), ("rules.md", "a-program 1234567（rules.md）")],
    ids=["whole", "a part"],
)
def test_how_the_source_of_a_ready_book_is_named(part: str, text: str) -> None:
    assert str(Origin("a-program", "https://example.org", "1234567", part)) == text
