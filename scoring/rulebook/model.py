"""規則書的值: what a rule book is made of, and what may stand in one. ``scoring.rulebook.loading`` loads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from scoring.rulebook.cites import Cite
from scoring.rulebook.rulings import RulingRule

BOOKS_DIR = Path(__file__).with_name("books")
BOOK_IDS: tuple[str, ...] = ("luohan", "ntu", "mahjong_time", "common")

PATTERN_IDS: tuple[str, ...] = (
    "dealer",
    "streak",
    "ready_declared",
    "seat_wind_pung",
    "round_wind_pung",
    "dragon_pung",
    "concealed_hand",
    "self_draw",
    "concealed_self_draw",
    "concealed_and_self_draw",
    "all_melded",
    "half_melded",
    "single_wait",
    "all_chows",
    "three_concealed_pungs",
    "four_concealed_pungs",
    "five_concealed_pungs",
    "all_pungs",
    "half_flush",
    "full_flush",
    "all_honors",
    "all_honors_overlap",
    "small_three_dragons",
    "big_three_dragons",
    "small_four_winds",
    "big_four_winds",
    "robbing_kong",
    "kong_bloom",
    "last_draw",
    "last_discard",
    "seat_flower",
    "flower_set",
    "eight_flowers",
    "seven_rob_one",
    "dealt_flower_win",
    "heavenly_ready",
    "earthly_ready",
    "earthly_ready_one_shot",
    "early_ready",
    "heavenly_win",
    "earthly_win",
    "human_win",
    "seven_pairs_and_pung",
)

PAYMENT_ONLY: frozenset[str] = frozenset({"dealer", "streak"})
"""莊家, 連N拉N: never part of a hand's tai; they stand in each transfer (docs/rules-reading.md, section 5)."""

PAYMENT_AMOUNTS: frozenset[str] = frozenset({"base", "per_tai", "chips"})
"""The payment rules that are numbers; all others are closed choices."""

MAY_BE_NEGATIVE: frozenset[str] = frozenset({"all_honors_overlap"})
MAX_TAI = 1000

VARIANTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "all_chows": (
            "all_chows.no_flowers_two_kinds",
            "all_chows.flowers_two_sided",
            "all_chows.no_flowers_two_sided",
        ),
        "all_melded": ("all_melded.discard", "all_melded.any_win"),
        "concealed_self_draw": ("concealed_self_draw", "concealed_self_draw.seven_pairs"),
        "eight_flowers": ("eight_flowers", "eight_flowers.flower_win_only"),
        "heavenly_ready": ("heavenly_ready", "heavenly_ready.non_dealer"),
        "earthly_ready": ("earthly_ready", "earthly_ready.non_dealer"),
        "heavenly_win": ("heavenly_win", "heavenly_win.no_kong"),
    }
)
"""Patterns by whose name the documents mean different things: the definitions that a book may choose from."""

Status = Literal["scored", "not_counted", "not_mentioned"]
FlowerWin = Literal["hand_counts", "flowers_only"]
ExposedKongDraw = Literal["no_win", "allowed"]
StreakMarker = Literal["not_mentioned", "as_shown", "required"]
SeveralWinners = Literal["nearest", "nearest_or_three", "each"]
DrawnHand = Literal["streak_grows", "streak_agreed"]
FalseWin = Literal["not_mentioned", "base_plus_face_tai", "base_plus_8", "fixed_16"]
FalseWinDeal = Literal["not_mentioned", "dealer_loses_deal", "dealer_stays", "deal_passes"]
Responsibility = Literal["not_mentioned", "discarder_pays_for_all"]
Watching = Literal["not_mentioned", "forbidden", "one_tai_to_winner"]
SideBets = Literal["not_mentioned", "inner_and_outer"]
SeatChange = Literal["each_jiang", "after_south_round"]


def definitions_of(pattern: str) -> tuple[str, ...]:
    """The definition names a book may give `pattern`; the first is the default."""
    return VARIANTS.get(pattern, (pattern,))


@dataclass(frozen=True, slots=True)
class Rule:
    """牌型: one pattern in one book. `tai` is 0 unless the status is `scored`.

    `excludes`: ids that are not counted where this pattern is.
    `note` / `note_en`: what the document does not say and how it is read.
    `optional_tai`: the document's own value of a pattern that it leaves to the table and that is off here.
    """

    id: str
    name: str
    name_en: str
    status: Status
    tai: int
    definition: str
    excludes: tuple[str, ...] = ()
    cite: Cite | None = None
    note: str = ""
    note_en: str = ""
    optional_tai: int | None = None

    @property
    def scored(self) -> bool:
        """Whether the book counts this pattern."""
        return self.status == "scored"


@dataclass(frozen=True, slots=True)
class Source:
    """付款條文: where a payment's choice comes from, and the note on how it is read."""

    cite: Cite | None = None
    note: str = ""
    note_en: str = ""


@dataclass(frozen=True, slots=True)
class Payment:
    """付款: who pays what, each a closed choice (docs/rules-reading.md, section 5).

    `chips` 0: no limit. `sources` by field name.
    """

    base: int
    per_tai: int
    streak_marker: StreakMarker
    several_winners: SeveralWinners
    drawn_hand: DrawnHand
    false_win: FalseWin
    false_win_deal: FalseWinDeal
    responsibility: Responsibility
    watching: Watching
    side_bets: SideBets
    chips: int
    seat_change: SeatChange
    sources: Mapping[str, Source] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class RuleBook:
    """規則書: one document or one table's house rules. Compared and hashed by identity; `load_book` caches.

    `plants`: the codes of 梅蘭竹菊 in seat order E S W N.
    `flower_win`: whether a complete hand adds to a flower win (花胡).
    `exposed_kong_draw`: whether the tile drawn after a 碰槓 may win. `sources`: of these two.
    `rulings`: what it rules beside the tally, by key (``scoring.rulebook.rulings``).
    `based_on`: the built-in book that a house file changes, or "".
    """

    id: str
    title: str
    title_en: str
    document: str
    based_on: str
    plants: tuple[str, ...]
    flower_win: FlowerWin
    exposed_kong_draw: ExposedKongDraw
    sources: Mapping[str, Source]
    patterns: Mapping[str, Rule]
    payment: Payment
    rulings: Mapping[str, RulingRule]
    file: str

    @property
    def dealer_tai(self) -> int:
        """莊家台."""
        return self.patterns["dealer"].tai

    @property
    def streak_tai(self) -> int:
        """連莊: tai for each step of the streak (2: 連N拉N = 2N)."""
        return self.patterns["streak"].tai


def tai_problem(name: str, tai: object) -> tuple[str, dict[str, object]] | None:
    """Why `tai` cannot be the value of pattern `name` (reason, its values), or None. 0 is allowed: it switches off."""
    if not isinstance(tai, int) or isinstance(tai, bool):
        return "wrong_type", {"key": "tai", "want_zh": "整數", "want_en": "an integer", "value": tai}
    if tai < 0 and name not in MAY_BE_NEGATIVE:
        return "negative", {"value": tai}
    if abs(tai) > MAX_TAI:
        return "tai_range", {"value": tai, "low": -MAX_TAI if name in MAY_BE_NEGATIVE else 0, "high": MAX_TAI}
    return None
