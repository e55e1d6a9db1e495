"""House books of 1a3219a, without the later patterns, settings and definitions: they load with the same meaning."""

from pathlib import Path

import pytest

from scoring.rulebook.loading import load_book
from scoring.rulebook.model import LATER_PATTERNS
from scoring.rulebook.settings import DEFAULTS, LIMIT_FIELDS, WIN_FIELDS

COMPLETE = Path(__file__).parents[1] / "data" / "complete_1a3219a.toml"

# every key that a house file of then could have
FRIDAY = """
id = "friday"
title = "週五桌"
title_en = "Friday table"
based_on = "luohan"
plants = ["5f", "6f", "7f", "8f"]
flower_win = "flowers_only"

[exposed_kong_draw]
choice = "allowed"

[patterns]
four_concealed_pungs = 5
seven_pairs_and_pung = 8
half_melded = 0

[patterns.flower_set]
tai = 1
excludes = []

[patterns.all_chows]
definition = "all_chows.flowers_two_sided"
note = "我們這樣打"
note_en = "as we play"

[payment]
base = 50
per_tai = 20
several_winners = "each"
false_win_deal = "dealer_stays"

[payment.chips]
value = 100
"""


def test_a_house_book_on_a_built_in_one(tmp_path: Path) -> None:
    path = tmp_path / "friday.toml"
    path.write_text(FRIDAY, encoding="utf-8")
    book = load_book(path)
    rules = book.patterns
    assert {id_: rules[id_].tai for id_ in ("four_concealed_pungs", "seven_pairs_and_pung", "half_melded")} == {
        "four_concealed_pungs": 5,
        "seven_pairs_and_pung": 8,
        "half_melded": 0,
    }
    assert (rules["flower_set"].tai, rules["flower_set"].excludes) == (1, ())
    assert rules["all_chows"].definition == "all_chows.flowers_two_sided"
    assert rules["all_chows"].note.endswith("我們這樣打")
    assert (book.plants, book.flower_win) == (("5f", "6f", "7f", "8f"), "flowers_only")
    pay = book.payment
    assert (pay.base, pay.per_tai, pay.several_winners, pay.chips) == (50, 20, "each", 100)
    assert (pay.false_win_deal, book.exposed_kong_draw) == ("dealer_stays", "allowed")


def test_a_complete_book() -> None:
    """It does not mention later patterns, and later limits do not apply."""
    book, today = load_book(COMPLETE), load_book("common")
    assert {id_: book.patterns[id_].status for id_ in LATER_PATTERNS} == dict.fromkeys(LATER_PATTERNS, "not_mentioned")
    for id_ in set(book.patterns) - LATER_PATTERNS - {"earthly_win"}:
        assert (book.patterns[id_].tai, book.patterns[id_].status) == (
            today.patterns[id_].tai,
            today.patterns[id_].status,
        ), id_
    assert book.patterns["earthly_win"].excludes == ()
    assert {name: book.setting(name) for name in (*LIMIT_FIELDS, "multiplier", "seat_winds")} == {
        name: DEFAULTS[name] for name in (*LIMIT_FIELDS, "multiplier", "seat_winds")
    }
    assert set(WIN_FIELDS) == set(book.sources)


@pytest.mark.parametrize("id_", ["any_flower", "five_kongs"])
def test_a_complete_book_may_turn_a_later_pattern_on(tmp_path: Path, id_: str) -> None:
    names = 'name = "x"\nname_en = "x"\nstatus = "scored"\ntai = 3\n'
    path = tmp_path / "ours.toml"
    path.write_text(COMPLETE.read_text(encoding="utf-8") + f"\n[patterns.{id_}]\n{names}", encoding="utf-8")
    assert load_book(path).patterns[id_].tai == 3
