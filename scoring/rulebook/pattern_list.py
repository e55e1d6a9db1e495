"""牌型表: every pattern that a book can score, declared once. `scoring.patterns` has the definitions.

This list gives the ids and their order, and the groups of the house rules' form. It says which patterns an older
complete book may lack, and names the patterns that a book does not mention.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from scoring.hands.shapes.declared import SHAPES

Group = Literal["dealer", "win", "shape", "honors", "kongs", "flowers", "ready"]


class Pattern(NamedTuple):
    """牌型: one pattern.

    `since`: the version that added it; an older complete book does not mention it. `name`, `name_en`: its names in a
    book without a table for it; empty if every built-in book names it. `excludes`: patterns that do not count together
    with it in such a book, if a table scores it. `certain`: its own tiles suffice, whatever the rest of the hand
    becomes.
    `wind`: the wind that it depends on.
    """

    id: str
    group: Group
    since: str = ""
    name: str = ""
    name_en: str = ""
    excludes: tuple[str, ...] = ()
    certain: bool = False
    wind: Literal["", "seat", "round"] = ""

    def not_mentioned(self) -> dict[str, object]:
        """Its table in a book that does not mention it."""
        table: dict[str, object] = {"name": self.name, "name_en": self.name_en, "status": "not_mentioned"}
        return {**table, "excludes": list(self.excludes)} if self.excludes else table


def _of_shapes() -> Iterator[Pattern]:
    """The pattern of each shape. A shape wins without melds, so a concealed hand is not counted as well."""
    for shape in SHAPES:
        if shape.since:
            yield Pattern(shape.id, "shape", shape.since, shape.name, shape.name_en, _NECESSARY)
        else:
            yield Pattern(shape.id, "shape")


_NECESSARY = ("concealed_hand", "concealed_and_self_draw")

PATTERNS: tuple[Pattern, ...] = (
    Pattern("dealer", "dealer"),
    Pattern("streak", "dealer"),
    Pattern("ready_declared", "ready"),
    Pattern("seat_wind_pung", "honors", certain=True, wind="seat"),
    Pattern("round_wind_pung", "honors", certain=True, wind="round"),
    Pattern("any_wind_pung", "honors", since="0.2.0", certain=True),
    Pattern("dragon_pung", "honors", certain=True),
    Pattern("concealed_hand", "win"),
    Pattern("self_draw", "win"),
    Pattern("concealed_self_draw", "win"),
    Pattern("concealed_and_self_draw", "win"),
    Pattern("all_melded", "win"),
    Pattern("half_melded", "win"),
    Pattern("single_wait", "win"),
    Pattern("all_chows", "shape"),
    Pattern("no_honors", "shape", since="0.2.0"),
    Pattern("no_flowers", "shape", since="0.2.0"),
    Pattern("no_honors_no_flowers", "shape", since="0.2.0"),
    Pattern("two_concealed_pungs", "shape", "0.4.0", "二暗刻", "Two concealed pungs", certain=True),
    Pattern("three_concealed_pungs", "shape", certain=True),
    Pattern("four_concealed_pungs", "shape", certain=True),
    Pattern("five_concealed_pungs", "shape", certain=True),
    Pattern("all_pungs", "shape"),
    Pattern("half_flush", "shape", certain=True),
    Pattern("full_flush", "shape", certain=True),
    Pattern("all_honors", "honors", certain=True),
    Pattern("all_honors_overlap", "honors"),
    Pattern("small_three_dragons", "honors"),
    Pattern("big_three_dragons", "honors"),
    Pattern("small_four_winds", "honors"),
    Pattern("big_four_winds", "honors"),
    Pattern("robbing_kong", "win"),
    Pattern("kong_bloom", "win"),
    Pattern("kong_each", "kongs", since="0.2.0", certain=True),
    Pattern("concealed_kong_each", "kongs", since="0.2.0", certain=True),
    Pattern("four_kongs", "kongs", since="0.2.0"),
    Pattern("five_kongs", "kongs", since="0.2.0"),
    Pattern("last_draw", "win"),
    Pattern("last_discard", "win"),
    Pattern("seat_flower", "flowers", certain=True, wind="seat"),
    Pattern("any_flower", "flowers", since="0.2.0", certain=True),
    Pattern("flower_set", "flowers", certain=True),
    Pattern("eight_flowers", "flowers"),
    Pattern("seven_rob_one", "flowers"),
    Pattern("dealt_flower_win", "flowers"),
    Pattern("heavenly_ready", "ready"),
    Pattern("earthly_ready", "ready"),
    Pattern("earthly_ready_one_shot", "ready"),
    Pattern("early_ready", "ready"),
    Pattern("heavenly_win", "ready"),
    Pattern("earthly_win", "ready"),
    Pattern("human_win", "ready"),
    *_of_shapes(),
)
"""In the order of the books and of every list."""

PATTERN_IDS: tuple[str, ...] = tuple([pattern.id for pattern in PATTERNS])
LATER_PATTERNS: frozenset[str] = frozenset([pattern.id for pattern in PATTERNS if pattern.since])
"""Patterns that complete files of earlier versions do not have: not mentioned there."""
UNMENTIONED: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {pattern.id: pattern.not_mentioned() for pattern in PATTERNS if pattern.name}
)
"""The tables of the patterns that a built-in book need not name."""
