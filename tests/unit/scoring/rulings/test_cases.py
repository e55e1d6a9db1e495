"""The worked cases, and one case for each clause that they leave out."""

from typing import Any

import pytest

from scoring import ruling, seats
from scoring.conformance.cases import Case, read
from scoring.conformance.holding import differences

GOLD = read("rulings")
CLAUSES = (*read("rulings_clauses"), *read("decisions_rulings"), *read("house_books_rulings"))


def test_there_are_cases() -> None:
    assert len(GOLD) == 141
    assert len(CLAUSES) > 200


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in (*GOLD, *CLAUSES)])
def test_case(case: Case) -> None:
    answer = (seats if "step" in case.request else ruling)(case.request)
    assert differences(case, answer) == []
    assert bool(answer["problems"]) == bool(case.expect.get("refused"))


DEALS = {
    ("stays", "grows"): "the dealer deals again, the streak grows",
    ("stays", "same"): "the dealer deals again, the streak stays as it is",
    ("passes", "zero"): "the deal passes",
}


def test_the_sentence_ends_with_what_becomes_of_the_hand() -> None:
    ends = set()
    for case in (*GOLD, *CLAUSES):
        answer: Any = {} if "step" in case.request else ruling(case.request)
        if "say" not in answer:
            continue
        said, hand, deal = answer["say"]["en"], answer["hand"], (answer["deal"], answer["streak"])
        words = {"ends": "over", "void": "void"}.get(hand)
        if words and deal in DEALS:
            assert said.endswith(f"The hand is {words}; {DEALS[deal]}."), case.id
        elif words == "void":
            assert said.endswith("The hand is void.") is (answer["outcome"] != "game_over"), case.id
        else:
            assert "The hand is" not in said, case.id
            assert hand == "goes_on" or "The hand goes on" not in said, case.id
        ends.add((hand, *deal, said.endswith("The hand goes on.")))
    assert {(hand, goes_on) for hand, _, _, goes_on in ends} >= {
        ("ends", False), ("void", False), ("goes_on", True), ("goes_on", False)
    }  # fmt: skip
    assert len(ends) > 6
