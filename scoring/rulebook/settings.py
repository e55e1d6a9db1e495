"""規定: the settings of a book besides its patterns: winning, payments, limits. Closed choices or bounded numbers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

Section = Literal["", "payment", "limits"]

SeatWinds = Literal["wall_break", "dealer"]
FlowerWin = Literal[
    "hand_counts", "flowers_only", "forced_hand_counts", "forced_flowers_only", "paid_at_once", "no_flower_win"
]
ExposedKongDraw = Literal["no_win", "allowed", "feeder_pays"]
WinningPlace = Literal["most_tai", "pung_first"]
HeldFourth = Literal["no_wait", "wait"]
BothShapes = Literal["best", "added"]

StreakMarker = Literal["not_mentioned", "as_shown", "required"]
SeveralWinners = Literal["nearest", "nearest_or_three", "each"]
DrawnHand = Literal["streak_grows", "streak_agreed", "streak_same", "deal_passes", "stays_if_ready"]
FalseWin = Literal[
    "not_mentioned",
    "base_plus_face_tai",
    "base_plus_8",
    "fixed_16",
    "base_plus_tai",
    "tai_only",
    "base_plus_waiting_tai",
]
FalseWinTo = Literal["each", "dealer_only"]
FalseWinDeal = Literal[
    "not_mentioned", "dealer_loses_deal", "dealer_loses_deal_else_grows", "dealer_stays", "deal_passes"
]
Responsibility = Literal["not_mentioned", "discarder_pays_for_all", "feeder_pays", "feeder_pays_half"]
Watching = Literal["not_mentioned", "forbidden", "one_tai_to_winner"]
SideBets = Literal["not_mentioned", "inner_and_outer"]
SeatChange = Literal["each_jiang", "after_south_round"]
WinDice = Literal["not_mentioned", "multiplies"]
Pulls = Literal["not_mentioned", "half_more_half_back"]

CapCovers = Literal["hand", "hand_and_dealer"]
StreakLimitThen = Literal["deal_passes", "counts_no_more"]
HeavenlyDealer = Literal["counted", "streak_only", "not_counted"]
ClaimOrder = Literal["as_the_book", "pung_before_chow_only"]
FourKongs = Literal["play_on", "drawn"]

HAND_COUNTS: frozenset[str] = frozenset({"hand_counts", "forced_hand_counts"})
"""The choices of `flower_win` that add a complete hand."""

FORCED: frozenset[str] = frozenset({"forced_hand_counts", "forced_flowers_only"})
"""The choices of `flower_win` that force eight flowers to be laid down at once."""


class Cite(NamedTuple):
    """出處: document, 1-based line and a short quote from that line; line 0: the table's own rule (本桌).

    `through`: for an exclusion by way of a contained pattern, the pattern that the quote is about.
    """

    document: str
    line: int
    quote: str
    through: str = ""

    @property
    def house(self) -> bool:
        """Whether it is the table's rule, not a document's."""
        return not self.line

    def __str__(self) -> str:
        return f"{self.document} L{self.line}" if self.line else self.document


HOUSE_CITE = Cite("本桌", 0, "")


class Origin(NamedTuple):
    """來源: the public program whose way of playing a ready book writes down, at one commit; `part`: of it."""

    name: str
    url: str
    commit: str
    part: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.commit}" + (f"（{self.part}）" if self.part else "")


class Source(NamedTuple):
    """付款條文: the clauses of a choice, the note on our reading, and the source of other tables' value."""

    cite: Cite | None = None
    note: str = ""
    note_en: str = ""
    seen: str = ""


class Payment(NamedTuple):
    """付款: who pays what, each a closed choice. `chips` 0: no limit. `sources` by field name.

    `multiplier`: multiplies all payments of a hand for which the dealer threw 豹子, three of a kind.
    `false_win_tai`: for choices of `false_win` with a number of tai. `red_dice_tai`, `dice_return_tai`: tai added to
    every payment of a hand for which the dealer threw 全紅 or 骰歸.
    `kong_points`, `concealed_kong_points`, `flower_points`: what each payer pays at once (當場收).
    `ready_points`: what each player without a ready hand pays each ready player after a drawn hand (聽牌費).
    `win_dice`: whether the winner throws dice that multiply the payments (胡牌骰規).
    `pulls`: whether a player who pays the same winner again pays more, until he wins (拉、踢半). `pulls_most`: after so
    many pulls in a row the pull is cut (斬), 0 for no end.
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
    multiplier: int = 1
    false_win_tai: int = 8
    false_win_to: FalseWinTo = "each"
    red_dice_tai: int = 0
    dice_return_tai: int = 0
    kong_points: int = 0
    concealed_kong_points: int = 0
    flower_points: int = 0
    ready_points: int = 0
    win_dice: WinDice = "not_mentioned"
    pulls: Pulls = "not_mentioned"
    pulls_most: int = 0
    sources: Mapping[str, Source] = MappingProxyType({})


class Limits(NamedTuple):
    """限制: caps and least values of a table; the defaults limit nothing. `sources` by field name.

    `tai_cap` 封頂, `least_tai` 起胡, `streak_limit` 連莊上限: 0 for none.
    `least_tai_covers`: whether dealer and streak tai count for the least. `points_cap`, `points_cap_dealer`: the most
    points that one player pays for a win, and the same if the dealer pays or is paid (0: no other cap for him).
    `heavenly_win_dealer_tai`: whether a 天胡 also collects the dealer's tai.
    `claim_order`: whether 碰 precedes 吃 regardless of who called or reached first.
    `four_kongs_of_several`: whether four kongs of several players end the hand as drawn.
    """

    tai_cap: int = 0
    tai_cap_covers: CapCovers = "hand"
    least_tai: int = 0
    least_tai_covers: CapCovers = "hand"
    points_cap: int = 0
    points_cap_dealer: int = 0
    streak_limit: int = 0
    streak_limit_then: StreakLimitThen = "deal_passes"
    heavenly_win_dealer_tai: HeavenlyDealer = "counted"
    claim_order: ClaimOrder = "as_the_book"
    four_kongs_of_several: FourKongs = "play_on"
    sources: Mapping[str, Source] = MappingProxyType({})


AMOUNTS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "base": (0, 1_000_000),
        "per_tai": (0, 1_000_000),
        "chips": (0, 1_000_000),
        "multiplier": (1, 100),
        "false_win_tai": (0, 1000),
        "red_dice_tai": (0, 100),
        "dice_return_tai": (0, 100),
        "kong_points": (0, 1_000_000),
        "concealed_kong_points": (0, 1_000_000),
        "flower_points": (0, 1_000_000),
        "ready_points": (0, 1_000_000),
        "pulls_most": (0, 100),
        "tai_cap": (0, 1000),
        "least_tai": (0, 1000),
        "points_cap": (0, 1_000_000),
        "points_cap_dealer": (0, 1_000_000),
        "streak_limit": (0, 1000),
    }
)
"""The settings that are numbers, with the least and the greatest; all others are closed choices."""

WIN_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "seat_winds": get_args(SeatWinds),
        "flower_win": get_args(FlowerWin),
        "exposed_kong_draw": get_args(ExposedKongDraw),
        "winning_place": get_args(WinningPlace),
        "held_fourth": get_args(HeldFourth),
        "both_shapes": get_args(BothShapes),
    }
)
"""The choices about winning, which stand at the top of a file."""


_DEFAULT_VALUES = (*Payment._field_defaults.items(), *Limits._field_defaults.items())

WIN_FIELDS: tuple[str, ...] = tuple(WIN_CHOICES)
PAYMENT_FIELDS: tuple[str, ...] = tuple(name for name in Payment._fields if name != "sources")
LIMIT_FIELDS: tuple[str, ...] = tuple(name for name in Limits._fields if name != "sources")
SETTINGS: tuple[str, ...] = (*WIN_FIELDS, *PAYMENT_FIELDS, *LIMIT_FIELDS)
"""Every setting, in the order of the documentation; their names are unique."""

CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **WIN_CHOICES,
        **{
            name: get_args(kind)
            for section in (Payment, Limits)
            for name, kind in section.__annotations__.items()
            if name != "sources" and name not in AMOUNTS
        },
    }
)
"""Each setting that is a choice, and what it may be; the first is the default of one that may be left out."""

DEFAULTS: Mapping[str, object] = MappingProxyType(
    {
        **{name: value for name, value in _DEFAULT_VALUES if name != "sources"},
        "seat_winds": "wall_break",
        "winning_place": "most_tai",
        "held_fourth": "no_wait",
        "both_shapes": "best",
    }
)
"""The settings that a file need not have, as complete files of earlier versions do not, and what they are then."""


def section_of(setting: str) -> Section:
    """The table of a file that contains the setting, "" for the top level."""
    if setting in WIN_CHOICES:
        return ""
    return "payment" if setting in PAYMENT_FIELDS else "limits"
