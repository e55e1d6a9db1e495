"""讀法: what the definitions look at: the facts of a hand, and one way of reading it."""

from collections.abc import Sequence

from scoring.hands.decomposition import Division, Set, meld_set, suit_keys
from scoring.hands.hand import SEATS, Hand, WinContext
from scoring.hands.waits import waits_of_keys

_SUIT_OF = tuple(tile // 9 if tile < 27 else 3 for tile in range(34))


class Facts:
    """All that does not depend on the division. Made once a hand, never changed after.

    `plants`: the tiles of 梅蘭菊竹 in seat order. `flowers`: those that count.
    `waits`: kinds that complete the 16 tiles. `suits`: 0-2, and 3 for honors.
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
        self.hand = hand
        self.context = context
        self.events = context.events
        self.closed = hand.closed if hand.melds else True
        self.drawn = context.drawn
        self.self_drawn = context.self_drawn
        self.winning_tile = hand.winning_tile
        self.flowers = hand.flowers if flowers is None else flowers
        seat = SEATS.index(context.seat)
        self.seat_wind = 27 + seat
        self.round_wind = 27 + SEATS.index(context.round)
        self.own_seat_flowers = (34 + seat, plants[seat])
        self.keys = suit_keys(hand.concealed)
        self.meld_sets = tuple(meld_set(meld) for meld in hand.melds)
        suits = {suit for suit in range(4) if self.keys[suit]}
        suits.update(_SUIT_OF[meld.first] for meld in self.meld_sets)
        self.suits = suits
        self.waits: tuple[int, ...] = ()
        missing = hand.missing
        if missing == 0 and hand.winning_tile is not None:
            tile = hand.winning_tile
            keys = list(self.keys)
            keys[tile // 9] -= 1 << 3 * (tile % 9)
            self.waits = waits_of_keys(keys, hand.melds, with_seven_pairs)
        elif missing == 1:
            self.waits = waits_of_keys(self.keys, hand.melds, with_seven_pairs)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles but the flowers, sorted."""
        return tuple(sorted((*self.hand.concealed, *(tile for meld in self.hand.melds for tile in meld.tiles))))


class Reading:
    """One division with the winning tile in one place of it: a set, or the pair (`place` None).

    `sets`: the closed sets in tile order, then the melds. `concealed_pungs`: a pung that a discard completed is none.
    `seven_pairs`: the pairs of 嚦咕嚦咕, `sets` then holds its pung only.
    """

    __slots__ = ("chows", "concealed_pungs", "facts", "pair", "place", "pung_tiles", "pungs", "sets", "seven_pairs")

    def __init__(self, facts: Facts, division: Division, place: Set | None) -> None:
        self.facts = facts
        self.sets = division.sets + facts.meld_sets
        self.pair = division.pair
        self.seven_pairs = division.pairs
        self.place = place
        self.pungs = [one for one in self.sets if one.kind != "chow"]
        self.pung_tiles = {one.first for one in self.pungs}
        self.chows = len(self.sets) - len(self.pungs)
        lost = None if facts.drawn else place
        self.concealed_pungs = [one for one in self.pungs if one.concealed and one is not lost]

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles of the reading but the flowers."""
        return self.facts.tiles


def places(division: Division, winning_tile: int, drawn: bool) -> list[Set | None]:
    """Where the winning tile can stand: a set of `division`, or the pair (None); one is enough if it was drawn."""
    found: list[Set | None] = []
    for one in division.sets:
        if winning_tile in one.tiles and one not in found:
            found.append(one)
    if winning_tile in (division.pairs or (division.pair,)):
        found.append(None)
    return found[:1] if drawn else found
