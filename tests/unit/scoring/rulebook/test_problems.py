"""Sentences of refused rule books: the file, the place, the reason, and long values shortened."""

from types import SimpleNamespace
from typing import Any

import pytest

from scoring.rulebook.errors import LONGEST_CHARACTERS, BookProblem, RuleBookError
from scoring.tally.examples import shown


@pytest.mark.parametrize("more", [-1, 0])
def test_a_value_that_fits_is_whole(more: int) -> None:
    name = "x" * (LONGEST_CHARACTERS - len("''") + more)
    message = BookProblem("f.toml", "pattern", name, "reserved_id", (("value", "a"),)).message("en")
    assert message == f"f.toml: pattern {name!r}: id 'a' is the name of a built-in book"


def test_a_longer_value_ends_with_dots() -> None:
    name = "x" * (LONGEST_CHARACTERS - len("''") + 1)
    message = BookProblem("f.toml", "pattern", name, "reserved_id", (("value", "a"),)).message("en")
    shown = repr(name)[: LONGEST_CHARACTERS - 1] + "…"
    assert len(shown) == LONGEST_CHARACTERS
    assert message == f"f.toml: pattern {shown}: id 'a' is the name of a built-in book"


def test_the_reason_has_each_language() -> None:
    problem = BookProblem("", "file", "", "reserved_id", (("value", "ntu"),))
    assert problem.reason_text("zh") == problem.message("zh") == "id 'ntu' 是內建規則書的名字"
    assert problem.message("en") == "id 'ntu' is the name of a built-in book"
    error = RuleBookError((problem, problem))
    assert error.messages("zh") == (problem.message("zh"),) * 2
    assert error.message("zh") == "\n".join(error.messages("zh"))
    assert str(error) == error.message("en")


def test_an_example_is_shown_in_sixty_characters() -> None:
    example: Any = SimpleNamespace(concealed="1" * 55, melds=("chow 123m",))
    assert shown(example) == "1" * 55 + " (cho"
