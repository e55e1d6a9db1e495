"""並列: a comparison under the books that the request names."""

from __future__ import annotations

from typing import Any

import pytest

import scoring
from tests.unit.scoring.support.asking import ask

HAND = ask("123m345567p234678s99p", "8s", rules="luohan")


def columns(books: list[str]) -> list[str]:
    return [column["column"] for column in scoring.compare(HAND | {"books": books})["books"]]


def test_a_comparison_names_its_books() -> None:
    assert columns(["luohan", "hongkong_taiwan"]) == ["luohan", "hongkong_taiwan"]
    assert columns(["star31"]) == ["request", "star31"]


@pytest.mark.parametrize("wrong", [["/etc/passwd"], "star31x", [3], {}, [[]]], ids=str)
def test_a_path_is_refused_for_a_request_may_come_over_the_network(wrong: Any) -> None:
    refused = scoring.compare(HAND | {"books": wrong}, lang="en")
    assert "books: unknown value" in refused["problems"][0]
