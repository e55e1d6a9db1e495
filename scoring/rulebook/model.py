"""規則書的值: the values of a rule book and their allowed contents. ``scoring.rulebook.loading`` loads them."""

import os
from collections.abc import Mapping
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoring.rulebook.pattern_list import LATER_PATTERNS, PATTERN_IDS
from scoring.rulebook.settings import (
    HOUSE_CITE,
    BothShapes,
    Cite,
    ExposedKongDraw,
    FlowerWin,
    HeldFourth,
    Limits,
    Origin,
    Payment,
    SeatWinds,
    Source,
    WinningPlace,
)

if TYPE_CHECKING:  # scoring by the documents' own books needs neither
    from scoring.rulebook.own_patterns import OwnPattern
    from scoring.rulebook.rulings import RulingRule
else:  # names in quotes would start Python's compiler each time the program starts
    OwnPattern = RulingRule = object

__all__ = [
    "BOOKS_DIR",
    "BOOK_IDS",
    "DICE_EVENTS",
    "HOUSE_CITE",
    "LATER_PATTERNS",
    "MAY_BE_NEGATIVE",
    "PARTS",
    "PATTERN_IDS",
    "PAYMENT_ONLY",
    "READY_BOOKS_DIR",
    "READY_IDS",
    "VARIANTS",
    "Cite",
    "Limits",
    "Payment",
    "Rule",
    "RuleBook",
    "Source",
    "Status",
    "all_definitions",
    "definition_id",
    "definitions_of",
    "parts_of",
    "tai_problem",
]

BOOKS_DIR = os.path.join(os.path.dirname(__file__), "books")
BOOK_IDS: tuple[str, ...] = ("luohan", "ntu", "mahjong_time", "common")
READY_BOOKS_DIR = os.path.join(os.path.dirname(__file__), "ready")
READY_IDS: tuple[str, ...] = ("star31", "shenlaiye", "sml", "funclub", "shifu", "hongkong_taiwan", "hongkong_mjwaits")
"""House books that come with the program: as other apps play."""

PAYMENT_ONLY: frozenset[str] = frozenset({"dealer", "streak"})
"""莊家, 連N拉N: never part of a hand's tai; they stand in each transfer (docs/rules-reading.md, section 5)."""

DICE_EVENTS: frozenset[str] = frozenset({"triple_dice", "red_dice", "dice_return"})
"""Events of a hand's dice; see `RuleBook.dice_that_count`."""

MAY_BE_NEGATIVE: frozenset[str] = frozenset({"all_honors_overlap"})
MAX_TAI = 1000

VARIANTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "all_chows": (
            "all_chows.no_flowers_two_kinds",
            "all_chows.flowers_two_sided",
            "all_chows.no_flowers_two_sided",
            "all_chows.flowers_two_kinds",
            "all_chows.no_flowers_not_single",
            "all_chows.flowers_not_single",
            "all_chows.no_flowers_every_two_sided",
            "all_chows.flowers_every_two_sided",
            "all_chows.no_flowers_open_end",
            "all_chows.flowers_open_end",
            "all_chows.no_flowers_every_open_end",
            "all_chows.flowers_every_open_end",
            "all_chows.no_flowers_any_wait",
            "all_chows.flowers_any_wait",
        ),
        "single_wait": ("single_wait", "single_wait.shape", "single_wait.kind_and_shape"),
        "all_melded": ("all_melded.discard", "all_melded.any_win"),
        "concealed_self_draw": ("concealed_self_draw", "concealed_self_draw.seven_pairs"),
        "kong_bloom": ("kong_bloom", "kong_bloom.heavenly_win_by_kong", "kong_bloom.any_kong"),
        "eight_flowers": ("eight_flowers", "eight_flowers.flower_win_only"),
        "heavenly_ready": ("heavenly_ready", "heavenly_ready.non_dealer"),
        "earthly_ready": ("earthly_ready", "earthly_ready.non_dealer"),
        "heavenly_win": ("heavenly_win", "heavenly_win.no_kong"),
        "human_win": ("human_win", "human_win.first_discard"),
    }
)
"""Patterns by whose name the documents mean different things: the definitions that a book may choose from."""

PARTS: Mapping[str, Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "all_chows": MappingProxyType(
            {
                "pair": ("suits", "any"),
                "self_draw": ("not_counted", "counted"),
                "robbed_kong": ("counted", "not_counted"),
                "closed": ("counted", "not_counted"),
                "many_waits": ("counted", "not_counted"),
            }
        ),
        "single_wait": MappingProxyType({"five_calls": ("counted", "not_counted")}),
        "sixteen_unconnected": MappingProxyType({"last": ("any", "pair")}),
    }
)
"""Further choices of a definition, each with its default first: keys of the pattern's own table."""

Status = Literal["scored", "not_counted", "not_mentioned"]


def definitions_of(pattern: str) -> tuple[str, ...]:
    """The definition names a book may give `pattern`; the first is the default."""
    return VARIANTS.get(pattern, (pattern,))


def definition_id(pattern: str, definition: str, parts: Mapping[str, str]) -> str:
    """The id of a definition with all its parts that differ from the default.

    >>> definition_id("all_chows", "all_chows.flowers_two_sided", {"pair": "any", "self_draw": "not_counted"})
    'all_chows.flowers_two_sided+pair=any'
    """
    known = PARTS.get(pattern, {})
    chosen = [f"+{part}={parts[part]}" for part, choices in known.items() if parts.get(part, choices[0]) != choices[0]]
    return definition + "".join(chosen)


def parts_of(definition: str) -> tuple[str, dict[str, str]]:
    """A definition id taken apart: the name in the list of `definitions_of`, and its parts that are not the default.

    >>> parts_of("all_chows.flowers_two_sided+pair=any")
    ('all_chows.flowers_two_sided', {'pair': 'any'})
    """
    name, *parts = definition.split("+")
    return name, dict(part.split("=", 1) for part in parts)


def all_definitions(pattern: str) -> tuple[str, ...]:
    """Every definition id of a pattern, with every choice of its parts."""
    known = PARTS.get(pattern, {})
    combinations = [dict(zip(known, chosen, strict=True)) for chosen in product(*known.values())]
    return tuple(definition_id(pattern, name, parts) for name in definitions_of(pattern) for parts in combinations)


class Rule(NamedTuple):
    """牌型: one pattern in one book; compared and hashed by identity. `tai` is 0 unless the status is `scored`.

    `excludes`: ids that do not count together with this pattern.
    `note` / `note_en`: how we read a silent document.
    `optional_tai`: a second value. The document leaves the pattern to the table and it is off here, or the document
    counts it in two ways.
    `exclusion_cites`: the own clauses of `excludes`, by excluded id.
    `changed`: the keys that a table changed: `tai`, `status`, `definition`, `excludes`.
    `seen`: the source of another table's value. `stated`: the parts of the definition that the file names.
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
    exclusion_cites: Mapping[str, Cite] = MappingProxyType({})
    changed: frozenset[str] = frozenset()
    seen: str = ""
    stated: frozenset[str] = frozenset()

    # by identity: there is one of each, and it is looked up often
    __eq__, __ne__, __hash__ = object.__eq__, object.__ne__, object.__hash__  # type: ignore[misc]

    def cite_against(self, excluded: str) -> Cite | None:
        """The clause by which `excluded` does not count together with this pattern."""
        return self.exclusion_cites.get(excluded, self.cite)

    @property
    def scored(self) -> bool:
        """Whether the book counts this pattern."""
        return self.status == "scored"


class RuleBook(NamedTuple):
    """規則書: one document or one table's house rules. Compared and hashed by identity; `load_book` caches.

    `plants`: the codes of 梅蘭竹菊 in seat order E S W N.
    `seat_winds`: whether East is at the break of the wall, or the dealer.
    `flower_win`: whether flowers alone win, and whether a complete hand is added (花胡).
    `exposed_kong_draw`: whether the tile drawn after a 碰槓 may win. `sources`: for these three.
    `rulings`: decisions on incidents, by key (``scoring.rulebook.rulings``).
    `based_on`: the built-in book that a house file changes, or "". `seen`: the sources of other tables' values.
    `winning_place`: the reading that counts if a discard fits both a pung and a chow.
    `origin`: the public program that plays by this book.
    `held_fourth`: whether a kind of which the hand itself holds all four is a wait.
    `both_shapes`: what counts of a hand that is five sets and another shape: the better one, or both (雙食).
    `own_patterns`: additional data on the table's own patterns (自訂牌型), which are also in `patterns`.
    """

    id: str
    title: str
    title_en: str
    document: str
    based_on: str
    plants: tuple[str, ...]
    seat_winds: SeatWinds
    flower_win: FlowerWin
    exposed_kong_draw: ExposedKongDraw
    sources: Mapping[str, Source]
    patterns: Mapping[str, Rule]
    payment: Payment
    limits: Limits
    rulings: Mapping[str, RulingRule]
    file: str
    seen: tuple[str, ...] = ()
    winning_place: WinningPlace = "most_tai"
    held_fourth: HeldFourth = "no_wait"
    both_shapes: BothShapes = "best"
    origin: Origin | None = None
    own_patterns: Mapping[str, OwnPattern] = MappingProxyType({})

    # by identity: there is one of each, and it is looked up often
    __eq__, __ne__, __hash__ = object.__eq__, object.__ne__, object.__hash__  # type: ignore[misc]

    def setting(self, name: str) -> object:
        """The value of a setting, from any section."""
        for part in (self.payment, self.limits):
            if name in part._fields:
                return getattr(part, name)
        return getattr(self, name)

    def source(self, name: str) -> Source:
        """The source of a setting's value."""
        for sources in (self.sources, self.payment.sources, self.limits.sources):
            if name in sources:
                return sources[name]
        return Source()

    @property
    def dice_that_count(self) -> frozenset[str]:
        """豹子, 全紅, 骰歸: the events of the dice that change a payment in this book."""
        counts = {
            "triple_dice": self.payment.multiplier > 1,
            "red_dice": self.payment.red_dice_tai > 0,
            "dice_return": self.payment.dice_return_tai > 0,
        }
        return frozenset(event for event, counted in counts.items() if counted)

    @property
    def without_flowers(self) -> bool:
        """無花: whether its wall has the 136 tiles and no flowers."""
        return self.rulings["wall_tiles"].choice == "without_flowers"

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
