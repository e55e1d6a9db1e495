"""What a row of the tables of tests is: one hand, and what each book counts for it."""

from typing import NamedTuple

from tests.unit.scoring.support.asking import Request

Tallies = dict[str, dict[str, int]]


class Row(NamedTuple):
    """A hand of one row of docs/rules-reading.md's table, and the patterns (id -> tai) that each book counts."""

    pattern: str
    what: str
    request: Request
    expected: Tallies


def every(**patterns: int) -> Tallies:
    """The same in every book."""
    return by(dict(patterns), dict(patterns), dict(patterns))


def by(luohan: dict[str, int], ntu: dict[str, int], common: dict[str, int]) -> Tallies:
    """Different in each book; mahjong_time scores as common."""
    return {"luohan": luohan, "ntu": ntu, "common": common, "mahjong_time": dict(common)}


def plus(expected: Tallies, **more: int) -> Tallies:
    """`expected` with more patterns in every book."""
    return {book: {**patterns, **more} for book, patterns in expected.items()}


def but(expected: Tallies, book: str, **patterns: int) -> Tallies:
    """`expected` with exactly these patterns in one book."""
    return {**expected, book: dict(patterns)}


CLOSED_DRAWN = by(
    {"concealed_hand": 1, "concealed_self_draw": 2},
    {"concealed_hand": 1, "self_draw": 1, "concealed_self_draw": 1},
    {"concealed_and_self_draw": 3},
)
