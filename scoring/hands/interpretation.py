"""讀法: what the definitions look at: the facts of a hand, and one way of reading it."""

from collections.abc import Sequence

from scoring.hands.decomposition import Division, Set, meld_set, suit_keys
from scoring.hands.hand import SEATS, SETS, Hand, WinContext
from scoring.hands.traits import TRAITS, bits
from scoring.hands.waits import waits_of_keys
from scoring.tiles import DRAGONS, HONORS

_SUIT_OF = tuple(tile // 9 if tile < 27 else 3 for tile in range(34))
_SEAT_INDEX = {seat: place for place, seat in enumerate(SEATS)}
_DISCARDED = frozenset({"discard", "rob_kong"})
_ORDINARY = frozenset({"discard", "rob_kong", "self_draw"})

# sixteen sets of suits, by a bit for each of 萬筒索 and the honors, and the traits of each
_SUITS = tuple(frozenset(suit for suit in range(4) if mask >> suit & 1) for mask in range(16))
_SUIT_TRAITS = tuple(
    bits("honors" if 3 in suits else "no_honors")
    | (bits("one_suit") if len(suits - {3}) == 1 else 0)
    | (bits("no_suit") if not suits - {3} else 0)
    for suits in _SUITS
)
# the traits of 0-3 dragon pungs, and of 0-4 wind pungs
_DRAGON_TRAITS = (0, bits("dragon_pungs"), *[bits("dragon_pungs", "two_dragon_pungs")] * 2)
_WIND_TRAITS = (0, *[bits("wind_pungs")] * 2, *[bits("wind_pungs", "three_wind_pungs")] * 2)
_EVENTS = TRAITS["events"]
_CLOSED = TRAITS["closed"]
_SELF_DRAWN = TRAITS["self_drawn"]
_ROBBED_KONG = TRAITS["robbed_kong"]
_FLOWER_WIN = TRAITS["flower_win"]
_SINGLE_WAIT = TRAITS["single_wait"]
_FIVE_MELDS = TRAITS["five_melds"]
_FLOWERS = TRAITS["flowers"]
_FOUR_FLOWERS = TRAITS["four_flowers"]
_PUNGS = TRAITS["pungs"]
_NO_PUNGS = TRAITS["no_pungs"]
_NO_CHOWS = TRAITS["no_chows"]
_CONCEALED_PUNGS = TRAITS["concealed_pungs"]
_FOUR_CONCEALED_PUNGS = TRAITS["four_concealed_pungs"]
_SEVEN_PAIRS = TRAITS["seven_pairs"]


class Facts:
    """All that does not depend on the division. Made once a hand, never changed after.

    `plants`: the tiles of 梅蘭菊竹 in seat order. `flowers`: those that count.
    `waits`: kinds that complete the 16 tiles. `suits`: 0-2, and 3 for honors. `traits`: see `scoring.hands.traits`.
    """

    __slots__ = (
        "closed",
        "context",
        "drawn",
        "events",
        "flowers",
        "hand",
        "keys",
        "meld_sets",
        "own_seat_flowers",
        "round_wind",
        "seat_wind",
        "self_drawn",
        "suits",
        "traits",
        "waits",
        "winning_tile",
    )

    def __init__(
        self,
        hand: Hand,
        context: WinContext,
        plants: Sequence[int],
        *,
        with_seven_pairs: bool,
        flowers: tuple[int, ...] | None = None,
    ) -> None:
        melds, tile, win = hand.melds, hand.winning_tile, context.win
        self.hand = hand
        self.context = context
        self.events = context.events if win in _ORDINARY and not context.events else context.events_of(hand)
        self.closed = hand.closed if melds else True
        self.drawn = win not in _DISCARDED
        self.self_drawn = win == "self_draw" or context.self_drawn
        self.winning_tile = tile
        self.flowers = hand.flowers if flowers is None else flowers
        seat = _SEAT_INDEX[context.seat]
        self.seat_wind = 27 + seat
        self.round_wind = 27 + _SEAT_INDEX[context.round]
        self.own_seat_flowers = (34 + seat, plants[seat])
        self.keys = keys = suit_keys(hand.concealed)
        suits = (keys[0] > 0) | (keys[1] > 0) << 1 | (keys[2] > 0) << 2 | (keys[3] > 0) << 3
        self.meld_sets: tuple[Set, ...] = ()
        if melds:
            self.meld_sets = tuple([meld_set(meld) for meld in melds])
            for one in self.meld_sets:
                suits |= 1 << _SUIT_OF[one.first]
        self.suits = _SUITS[suits]
        self.waits: tuple[int, ...] = ()
        missing = hand.missing
        if missing == 0 and tile is not None:
            waiting = keys.copy()
            waiting[tile // 9] -= 1 << 3 * (tile % 9)
            self.waits = waits_of_keys(waiting, melds, with_seven_pairs)
        elif missing == 1:
            self.waits = waits_of_keys(keys, melds, with_seven_pairs)
        self.traits = self._traits() | _SUIT_TRAITS[suits]

    def _traits(self) -> int:
        """All but those of the suits."""
        traits = _CLOSED if self.closed else 0
        if self.self_drawn:
            traits |= _SELF_DRAWN
        elif self.context.win == "rob_kong":
            traits |= _ROBBED_KONG
        if self.context.flower_win:
            traits |= _FLOWER_WIN
        if self.events:
            traits |= _EVENTS
        if len(self.waits) == 1:
            traits |= _SINGLE_WAIT
        if len(self.meld_sets) == SETS:
            traits |= _FIVE_MELDS
        if self.flowers:
            traits |= _FLOWERS if len(self.flowers) < 4 else _FLOWERS | _FOUR_FLOWERS
        return traits

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles but the flowers, sorted."""
        return tuple(sorted((*self.hand.concealed, *(tile for meld in self.hand.melds for tile in meld.tiles))))


class Reading:
    """One division with the winning tile in one place of it: a set, or the pair (`place` None).

    `sets`: the closed sets in tile order, then the melds. `concealed_pungs`: a pung that a discard completed is none.
    `seven_pairs`: the pairs of 嚦咕嚦咕, `sets` then holds its pung only. `traits`: the hand's and its own.
    """

    __slots__ = (
        "chows",
        "concealed_pungs",
        "facts",
        "pair",
        "place",
        "pung_tiles",
        "pungs",
        "sets",
        "seven_pairs",
        "traits",
    )

    def __init__(self, facts: Facts, division: Division, place: Set | None) -> None:
        sets, self.pair, self.seven_pairs = division
        self.facts = facts
        self.sets = sets + facts.meld_sets
        self.place = place
        self.pungs = pungs = [one for one in self.sets if one.kind != "chow"]
        self.pung_tiles = {one.first for one in pungs}
        self.chows = len(self.sets) - len(pungs)
        lost = None if facts.drawn else place
        self.concealed_pungs = [one for one in pungs if one.concealed and one is not lost]
        self.traits = facts.traits | (self._pung_traits() if pungs else _NO_PUNGS)
        if self.seven_pairs:
            self.traits |= _SEVEN_PAIRS

    def _pung_traits(self) -> int:
        traits = _PUNGS if self.chows else _PUNGS | _NO_CHOWS
        concealed = len(self.concealed_pungs)
        if concealed >= 3:
            traits |= _CONCEALED_PUNGS if concealed == 3 else _CONCEALED_PUNGS | _FOUR_CONCEALED_PUNGS
        if 3 in self.facts.suits:
            honors = [one.first for one in self.pungs if one.first in HONORS]
            if honors:
                dragons = len([tile for tile in honors if tile in DRAGONS])
                traits |= _DRAGON_TRAITS[dragons] | _WIND_TRAITS[len(honors) - dragons]
        return traits

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles of the reading but the flowers."""
        return self.facts.tiles


def places(division: Division, winning_tile: int, one_is_enough: bool) -> list[Set | None]:
    """Where the winning tile can stand: a set of `division`, or the pair (None).

    `one_is_enough`: the place matters to nothing that counts, as for most books where the tile was drawn.
    """
    found: list[Set | None] = []
    for one in division.sets:
        if winning_tile in one.tiles and one not in found:
            if one_is_enough:
                return [one]
            found.append(one)
    if winning_tile in (division.pairs or (division.pair,)):
        found.append(None)
    return found
