"""手牌: a hand and how it was won, as values, with the problems of each.

Only an impossible hand has problems: five of a kind, a winning tile that is not held, 天胡 by discard. A hand that does
not win, because it is short or has no shape, has none here. `scoring.tally.best` says why it does not win.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from scoring.hands.tables.kept import Kept
from scoring.hands.tables.suits import Suits, suit_keys, suits_of
from scoring.tiles import BITS, FLOWERS, KINDS, copies, counts, crowded, placed

MeldKind = Literal["chow", "pung", "kong", "added_kong", "concealed_kong"]
Win = Literal["discard", "self_draw", "rob_kong", "eight_flowers", "seven_rob_one"]
Seat = Literal["E", "S", "W", "N"]
Event = Literal[
    "kong_replacement",
    "flower_replacement",
    "last_tile",
    "heavenly_ready",
    "earthly_ready",
    "earthly_ready_one_shot",
    "early_ready",
    "ready_declared",
    "heavenly_win",
    "earthly_win",
    "human_win",
    "dealt_flowers",
    "eighth_self_drawn",
    "after_exposed_kong",
    "ready_void",
    "kong_upon_kong",
    "within_seven_discards",
    "within_ten_discards",
    "within_four_discards",
    "soon_after_ready",
    "two_winners",
    "three_winners",
    "triple_dice",
    "red_dice",
    "dice_return",
]

MELD_KINDS: tuple[MeldKind, ...] = get_args(MeldKind)
WINS: tuple[Win, ...] = get_args(Win)
SEATS: tuple[Seat, ...] = get_args(Seat)
OTHERS: dict[Seat, tuple[Seat, Seat, Seat]] = {
    "E": ("S", "W", "N"),
    "S": ("E", "W", "N"),
    "W": ("E", "S", "N"),
    "N": ("E", "S", "W"),
}
EVENTS: tuple[str, ...] = get_args(Event)
RARE_EVENTS = frozenset(
    {
        *("kong_upon_kong", "within_seven_discards", "within_ten_discards"),
        *("two_winners", "three_winners", "within_four_discards", "soon_after_ready"),
    }
)
"""Events that only own patterns ask for (槓上槓, 七隻內, 一發, 雙響 and the like); others are not asked about them."""
PLAYERS = (4, 3, 2)
"""How many may sit at a table: with three (三人) they are East, South and West."""
KONGS = frozenset({"kong", "added_kong", "concealed_kong"})
FLOWER_WINS = frozenset({"eight_flowers", "seven_rob_one"})
SETS = 5  # sets of a winning hand, besides its pair
_SURE = 60  # up to this many tiles `crowded` is exact
_FLOWERS_AT = BITS * KINDS


class Problem(NamedTuple):
    """問題: one reason, as the key of a sentence in the catalogs and what fills it."""

    key: str
    args: dict[str, object]


class Meld(NamedTuple):
    """副露, 暗槓: a set on the table, its tiles sorted."""

    kind: MeldKind
    tiles: tuple[int, ...]

    @property
    def exposed(self) -> bool:
        """Everything but a concealed kong is."""
        return self.kind != "concealed_kong"

    def problem(self) -> Problem | None:
        """Why these tiles do not form such a meld, or None."""
        if _is_meld(self.kind, self.tiles):
            return None
        return Problem("meld_none", {"meld_kind": self.kind, "codes": self.tiles})


@lru_cache(maxsize=1 << 12)
def _is_meld(kind: MeldKind, tiles: tuple[int, ...]) -> bool:
    low, high = min(tiles, default=KINDS), max(tiles, default=KINDS)
    if high >= KINDS:
        return False
    if kind == "chow":
        return sorted(tiles) == [low, low + 1, low + 2] and high < 27 and low // 9 == high // 9
    return len(tiles) == (4 if kind in KONGS else 3) and low == high


# melds and flowers come again and again
_CAN_BE_FLOWERS: Kept[tuple[int, ...], bool] = Kept(
    lambda tiles: len(set(tiles)) == len(tiles) and all(tile in FLOWERS for tile in tiles)
)
_MELD_ROWS: Kept[Meld, int] = Kept(lambda meld: -1 if meld.problem() else placed(meld.tiles))


class Hand(NamedTuple):
    """手牌: closed tiles including the winning tile (None if unknown), melds and flowers.

    `known_suits`: the closed tiles by suit, if they were looked up already (see `suits`). The closed tiles then hold no
    flower and at most four of a kind.
    """

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    winning_tile: int | None = None
    known_suits: Suits | None = None

    @property
    def suits(self) -> Suits:
        """The closed tiles suit by suit."""
        return self.known_suits or suits_of(suit_keys(self.concealed))

    @property
    def row(self) -> int:
        """The closed tiles as one number (`scoring.tiles.placed`)."""
        if not self.known_suits:
            return placed(self.concealed)
        characters, dots, bamboos, honors = self.known_suits
        return characters.row + dots.row + bamboos.row + honors.row

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles, flowers among them."""
        tiles = self.concealed
        for meld in self.melds:
            tiles += meld.tiles
        return tiles + self.flowers

    @property
    def closed(self) -> bool:
        """門清: no call was made. A concealed kong is not a call."""
        return not any(meld.exposed for meld in self.melds)

    @property
    def missing(self) -> int:
        """The number of missing closed tiles; negative if there are too many."""
        return 3 * (SETS - len(self.melds)) + 2 - len(self.concealed)

    def _rows(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        melded = tuple(tile for meld in self.melds for tile in meld.tiles)
        return (("concealed", self.concealed), ("melds", melded), ("flowers", self.flowers))

    def problems(self) -> list[Problem]:
        """All problems of the hand; empty if it is valid."""
        concealed, melds, flowers, tile, known = self
        problems: list[Problem] = []
        if not known or melds or not _CAN_BE_FLOWERS[flowers]:
            problems += self._tile_problems()
        if tile is not None and tile not in concealed:
            problems.append(Problem("winning_tile_not_held", {"tile": tile}))
        return problems

    def _tile_problems(self) -> list[Problem]:
        """Of the tiles, whatever the winning one is."""
        concealed, melds, flowers, _, _ = self
        closed = row = self.row
        bad_meld = False
        for meld in melds:
            melded = _MELD_ROWS[meld]
            bad_meld = bad_meld or melded < 0
            row += melded
        misplaced = closed >> _FLOWERS_AT or not _CAN_BE_FLOWERS[flowers]
        if not (bad_meld or misplaced or len(concealed) + 4 * len(melds) > _SURE or crowded(row)):
            return []  # most hands
        problems = [problem for meld in melds if (problem := meld.problem())] + [*self._too_many()]
        return [*problems, *self._misplaced()] if misplaced else problems

    def _too_many(self) -> Iterator[Problem]:
        for tile, count in enumerate(counts(self.tiles)):
            if count > copies(tile):
                where = ", ".join(key for key, tiles in self._rows() if tile in tiles)
                args = {"where": where, "tile": tile, "count": count, "copies": copies(tile)}
                yield Problem("too_many_of_a_kind", args)

    def _misplaced(self) -> Iterator[Problem]:
        """Flowers among the closed tiles, and others among the flowers."""
        yield from (Problem("flower_concealed", {"tile": tile}) for tile in self.concealed if tile >= KINDS)
        yield from (Problem("flower_none", {"tile": tile}) for tile in self.flowers if tile < KINDS)


class WinContext(NamedTuple):
    """胡牌情況: how the hand was won, by whom and when. The book decides what the seats follow.

    `discarder` is also the player of the robbed kong or flower. `robbed_flower`: the tile another had shown (000 L245).
    """

    win: Win
    seat: Seat
    round: Seat
    dealer: Seat
    streak: int = 0
    discarder: Seat | None = None
    events: frozenset[str] = frozenset()
    robbed_flower: int | None = None

    @property
    def flower_win(self) -> bool:
        """花胡."""
        return self.win in FLOWER_WINS

    @property
    def drawn(self) -> bool:
        """Whether the winning tile came from the wall: also the replacement tile of a flower win."""
        return self.win in ("self_draw", "eight_flowers", "seven_rob_one")

    @property
    def self_drawn(self) -> bool:
        """自摸: drawn and paid as such; a robbed flower counts as a discard unless the eighth was self-drawn."""
        return self.win in ("self_draw", "eight_flowers") or (
            self.win == "seven_rob_one" and "eighth_self_drawn" in self.events
        )

    def events_of(self, hand: Hand) -> frozenset[str]:
        """The events, with the ones that follow from the hand and need not be given.

        The winning tile of a flower win is the replacement of the last flower, unless the flowers were dealt (000
        L224). A win with the first tile and a concealed kong is a win with the kong's replacement (000 L275, L281).
        """
        events = self.events
        if self.win in FLOWER_WINS and "dealt_flowers" not in events:
            events |= {"flower_replacement"}
        if "kong_upon_kong" in events:
            events |= {"kong_replacement"}
        if not events.isdisjoint(_FIRST_TILE) and any(meld.kind == "concealed_kong" for meld in hand.melds):
            events |= {"kong_replacement"}
        return events

    def exposed_kong_draw(self, hand: Hand) -> bool:
        """碰槓之補牌: the winning tile was drawn in a turn that began with an exposed kong (000 L442, L444).

        Without the event `after_exposed_kong` this is known only if the hand has no other kong to replace.
        """
        if "after_exposed_kong" in self.events:
            return True
        others = ("added_kong", "concealed_kong")
        return "kong_replacement" in self.events and all(meld.kind not in others for meld in hand.melds)

    def problems(self, hand: Hand) -> list[Problem]:
        """Every reason why this hand cannot have been won so."""
        win, seat, _, _, _, discarder, events, robbed_flower = self
        hand_problems: list[Problem] = []
        if (discarder is None) == (win in _PAID_BY_ONE) or discarder == seat:
            hand_problems.append(self._discarder_problem())
        if win not in ORDINARY_WINS or robbed_flower is not None:
            hand_problems += self._hand_problems(hand)
        if events:
            hand_problems += self._event_problems(hand)
        return hand_problems

    def _discarder_problem(self) -> Problem:
        if self.discarder is None:
            return Problem("discarder_missing", {"win": self.win})
        if self.win not in _PAID_BY_ONE:
            return Problem("discarder_needless", {"seat": self.discarder, "win": self.win})
        return Problem("discarder_is_winner", {"seat": self.discarder})

    def _hand_problems(self, hand: Hand) -> Iterator[Problem]:
        flowers = len(hand.flowers)
        if self.win == "eight_flowers" and flowers != 8:
            yield Problem("flower_win_needs", {"win": self.win, "needed": "8", "count": flowers})
        if self.win == "seven_rob_one" and flowers not in (7, 8):
            yield Problem("flower_win_needs", {"win": self.win, "needed": "7-8", "count": flowers})
        if self.robbed_flower is not None:
            if self.win != "seven_rob_one":
                yield Problem("robbed_flower_needless", {"tile": self.robbed_flower, "win": self.win})
            elif flowers == 7 and self.robbed_flower in hand.flowers:
                yield Problem("robbed_flower_held", {"tile": self.robbed_flower})
        elif "eighth_self_drawn" in self.events and self.win == "seven_rob_one" and flowers == 8:
            yield Problem("robbed_flower_missing", {})
        if self.win == "rob_kong" and hand.winning_tile is not None:
            count = hand.tiles.count(hand.winning_tile)
            if count > 1:
                yield Problem("robbed_tile_held", {"tile": hand.winning_tile, "count": count - 1})

    def _event_problems(self, hand: Hand) -> Iterator[Problem]:
        events = self.events
        for event in sorted(events):
            wins = _EVENT_WINS.get(event)
            if wins and self.win not in wins:
                yield Problem("event_win", {"event": event, "win": self.win})
            if event in _CLOSED_EVENTS and not hand.closed:
                yield Problem("event_melds", {"event": event})
            for other in sorted(_CONTRADICTIONS.get(event, ())):
                if other in events:
                    yield Problem("events_contradict", {"event": event, "other": other})
        if "heavenly_win" in events and self.seat != self.dealer:
            yield Problem("event_needs_dealer", {"event": "heavenly_win", "seat": self.seat})
        for event in ("earthly_win", "human_win"):
            if event in events and self.seat == self.dealer:
                yield Problem("event_needs_non_dealer", {"event": event, "seat": self.seat})
        if "kong_replacement" in events and not any(meld.kind in KONGS for meld in hand.melds):
            yield Problem("replacement_without_kong", {"event": "kong_replacement"})
        if "flower_replacement" in events and not hand.flowers:
            yield Problem("replacement_without_flower", {"event": "flower_replacement"})
        if "after_exposed_kong" in events and not any(meld.kind == "kong" for meld in hand.melds):
            yield Problem("replacement_without_exposed_kong", {"event": "after_exposed_kong"})
        if "kong_upon_kong" in events and sum(meld.kind in KONGS for meld in hand.melds) < 2:
            yield Problem("kong_upon_kong_needs_two", {"event": "kong_upon_kong"})
        if "ready_void" in events and events.isdisjoint(VOIDABLE):
            yield Problem("void_without_ready", {"event": "ready_void"})
        if "soon_after_ready" in events and events.isdisjoint(_READY):
            yield Problem("soon_without_ready", {"event": "soon_after_ready"})


VOIDABLE = frozenset({"heavenly_ready", "earthly_ready", "earthly_ready_one_shot"})
_READY = VOIDABLE | {"early_ready", "ready_declared"}
_FIRST_TILE = frozenset({"heavenly_win", "earthly_win"})
ORDINARY_WINS: frozenset[str] = frozenset({"discard", "self_draw"})
_PAID_BY_ONE: frozenset[str] = frozenset({"discard", "rob_kong", "seven_rob_one"})
_DRAWN: frozenset[str] = frozenset({"self_draw", "eight_flowers", "seven_rob_one"})
_SELF_DRAWN: frozenset[str] = frozenset({"self_draw", "eight_flowers"})
_EVENT_WINS: dict[str, frozenset[str]] = {
    "kong_replacement": _DRAWN,
    "flower_replacement": _DRAWN,
    "heavenly_win": _SELF_DRAWN,
    "earthly_win": _SELF_DRAWN,
    "human_win": frozenset({"discard"}),
    "dealt_flowers": FLOWER_WINS,
    "eighth_self_drawn": frozenset({"seven_rob_one"}),
    "after_exposed_kong": _DRAWN,
    "kong_upon_kong": _DRAWN,
    "two_winners": frozenset({"discard", "rob_kong"}),
    "three_winners": frozenset({"discard", "rob_kong"}),
}
# declared or won with the tiles of the deal: no call can have been made before
_CLOSED_EVENTS = frozenset(
    {
        *("heavenly_ready", "earthly_ready", "earthly_ready_one_shot", "early_ready"),
        *("heavenly_win", "earthly_win", "human_win"),
    }
)


def _contradictions(*pairs: tuple[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {first: tuple(others) for first, others in pairs}


_CONTRADICTIONS = _contradictions(
    ("two_winners", ("three_winners",)),
    # a win with the dealt tiles comes before any discard of one's own, and before the end of the wall
    ("heavenly_win", ("earthly_win", "human_win", "heavenly_ready", "last_tile", "ready_declared")),
    ("earthly_win", ("human_win", "last_tile")),
    ("human_win", ("last_tile",)),
    ("earthly_ready", ("heavenly_win", "earthly_win", "human_win", "heavenly_ready")),
    ("earthly_ready_one_shot", ("heavenly_win", "earthly_win", "human_win", "heavenly_ready", "last_tile")),
    ("early_ready", ("heavenly_win", "earthly_win", "human_win")),
    ("dealt_flowers", ("earthly_ready", "earthly_ready_one_shot", "last_tile", "after_exposed_kong")),
)
