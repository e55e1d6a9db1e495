"""自訂牌型: conditions in words, and the greatest number that each count of an own pattern can have."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.messages.conditions import MOST_TOTAL, condition_text, conditions_text, own_text, trait_text
from scoring.patterns.own.numbers import NUMBERS

CLOSED, HONORS, PUNGS = (trait_text(trait, "en") for trait in ("closed", "no_honors", "no_pungs"))
DRAGONS = "kinds of dragons held"


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ("closed", CLOSED),
        ({"all": ["closed"]}, CLOSED),
        ({"any": "closed"}, CLOSED),
        ({"all": ["closed", "no_honors"]}, f"{CLOSED}; {HONORS}"),
        ({"any": ["closed", "no_honors"]}, f"{CLOSED} or {HONORS}"),
        ({"all": ["closed", {"any": ["no_honors", "no_pungs"]}]}, f"{CLOSED}; ({HONORS} or {PUNGS})"),
        ({"all": ["closed", {"any": ["no_honors"]}]}, f"{CLOSED}; {HONORS}"),
        ({"any": [{"all": ["closed", "no_honors"]}, "no_pungs"]}, f"({CLOSED}; {HONORS}) or {PUNGS}"),
        ({"not": ["closed", "no_pungs"]}, f"not ({CLOSED}), not ({PUNGS})"),
        ({"not": "closed", "any": ["no_honors"]}, f"not ({CLOSED}); {HONORS}"),
        ({"all": ["closed", "no_honors"], "not": "no_pungs"}, f"{CLOSED}; {HONORS}; not ({PUNGS})"),
        ({"number": {"of": "dragon_kinds", "at_least": 2}}, f"{DRAGONS}: at least 2"),
        ({"number": {"of": "dragon_kinds", "at_least": 2, "at_most": 2}}, f"{DRAGONS}: exactly 2"),
        ({"number": {"of": "dragon_kinds", "at_most": 2}}, f"{DRAGONS}: at most 2"),
        ({"number": {"of": "dragon_kinds", "at_least": 1, "at_most": 2}}, f"{DRAGONS}: 1 to 2"),
        ({"number": {"of": "dragon_kinds", "at_least": 1, "at_most": 3}}, f"{DRAGONS}: at least 1"),
        (
            {"count": {"of": ["closed", "no_honors", "no_pungs"], "at_least": 2}},
            f"at least 2 of ({CLOSED}, {HONORS}, {PUNGS})",
        ),
        ({"count": {"of": ["closed", "no_honors"], "at_most": 1}}, f"at most 1 of ({CLOSED}, {HONORS})"),
        (
            {"count": {"of": ["closed", {"all": ["no_honors", "no_pungs"]}], "at_least": 1, "at_most": 1}},
            f"exactly 1 of ({CLOSED}, ({HONORS}; {PUNGS}))",
        ),
    ],
)  # fmt: skip
def test_a_condition_in_words(condition: Any, text: str) -> None:
    assert condition_text(condition, "en") == text


@pytest.mark.parametrize(
    ("own", "text"),
    [
        ({"if": {"all": []}, "each": "dragon_kinds", "total": None}, f"once for each of: {DRAGONS}"),
        ({"if": "closed", "each": None, "total": None}, CLOSED),
        ({"if": "closed", "each": None, "total": (5, 10)}, f"{CLOSED}; the other patterns total 5 to 10 tai"),
        ({"if": "closed", "each": None, "total": (0, 10)}, f"{CLOSED}; the other patterns total at most 10 tai"),
        ({"if": "closed", "each": None, "total": (5, 5)}, f"{CLOSED}; the other patterns total 5 tai"),
        (
            {"if": "closed", "each": None, "total": (5, MOST_TOTAL)},
            f"{CLOSED}; the other patterns total at least 5 tai",
        ),
    ],
)  # fmt: skip
def test_an_own_pattern_in_words(own: dict[str, Any], text: str) -> None:
    assert own_text({"own": own}, "en") == text
    assert own_text("closed", "en") == CLOSED


def test_several_conditions_have_brackets_and_one_has_none() -> None:
    both = {"all": ["closed", "no_pungs"]}
    assert conditions_text([both], "en") == f"{CLOSED}; {PUNGS}"
    assert conditions_text([both, "no_honors"], "en") == f"({CLOSED}; {PUNGS}); {HONORS}"


MOST = {
    "waits": 10, "calls": 5, "melds": 5, "kongs": 5, "concealed_kongs": 5, "exposed_kongs": 5, "flowers": 8,
    "own_flowers": 2, "other_flowers": 6, "loose_flowers": 6, "suits": 3, "wind_pungs": 4, "dragon_pungs": 3,
    "pungs": 5, "concealed_pungs": 5, "chows": 5, "called_chows": 5, "closed_chows": 5, "wind_kinds": 4,
    "dragon_kinds": 3, "pairs_of_258": 8, "concealed_pungs_or_kongs": 5, "four_with_pair": 1, "four_with_pung": 4,
    "four_in_chows": 3, "same_pungs_two_suits": 2, "two_brothers": 2, "small_three_brothers": 1,
    "small_three_sisters": 1, "big_three_sisters": 1, "old_and_young_pungs": 2, "same_chow_pairs": 2,
    "same_chows_two_suits": 2, "old_and_young": 2, "common_ranks": 3, "pungs_beside": 4, "pung_rows": 3,
    "pung_rows_with_pair": 3, "mixed_pung_rows": 3, "mixed_pung_rows_with_pair": 3, "chows_of_one_rank": 5,
}  # fmt: skip
"""The greatest number in a hand of five sets and a pair; a higher one is not asked for."""


@pytest.mark.parametrize("id_", MOST)
def test_the_greatest_number_that_a_hand_can_have(id_: str) -> None:
    assert NUMBERS[id_].most == MOST[id_]
