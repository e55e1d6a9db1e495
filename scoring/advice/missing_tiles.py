"""缺幾張: how many tiles must still come in, for a hand and for every hand with one tile more or less.

A suit's table (`scoring.hands.shanten`) gives its missing tiles for each number of sets, with the pair or without. The
tables of three unchanged suits are added once, so a tile more or less in the fourth costs a dozen sums. Thousands of
hands that differ in a tile or two then take the time of a few.
"""

from collections.abc import Sequence
from functools import lru_cache

from scoring.hands.hand import SETS, Meld
from scoring.hands.shanten import FAR, suit_table
from scoring.hands.tables.suits import HONOR_SUIT, suit_keys
from scoring.tiles import BITS, COUNT, KINDS

Costs = tuple[int, ...]
"""By number of sets, from place `_PAIR` on with the pair: how many tiles are missing."""

_PAIR = SETS + 1
_PLACES = 2 * _PAIR
_ADDED = tuple(1 << BITS * (tile % 9) for tile in range(KINDS))
_PUNG_AND_PAIRS = 7  # pairs of 嚦咕嚦咕, besides its pung


@lru_cache(maxsize=1 << 14)
def _together(first: Costs, second: Costs) -> Costs:
    """What two parts of a hand lack together, for each number of sets, with the pair or without."""
    sums = [FAR] * _PLACES
    for sets in range(_PAIR):
        for more in range(_PAIR - sets):
            without = first[sets] + second[more]
            if without < sums[sets + more]:
                sums[sets + more] = without
            paired = min(first[sets] + second[more + _PAIR], first[sets + _PAIR] + second[more])
            if paired < sums[sets + more + _PAIR]:
                sums[sets + more + _PAIR] = paired
    return tuple(sums)


@lru_cache(maxsize=1 << 14)
def _reversed(costs: Costs, sets: int) -> Costs:
    """The missing tiles of the other suits, so that place i belongs to place i of this suit's table."""
    without, paired = costs[: sets + 1][::-1], costs[_PAIR : _PAIR + sets + 1][::-1]
    far = (FAR,) * (SETS - sets)
    return (*paired, *far, *without, *far)


class Melded:
    """The melds of a hand. They are fixed, their tiles are gone from the box, and they reduce the sets to be made."""

    def __init__(self, melds: Sequence[Meld], with_seven_pairs: bool) -> None:
        self.sets = SETS - len(melds)
        self.with_seven_pairs = with_seven_pairs and not melds
        gone = [0, 0, 0, 0]
        for meld in melds:
            for tile in meld.tiles:
                gone[tile // 9] += _ADDED[tile]
        self._gone = tuple(gone)

    def costs(self, suit: int, key: int) -> Costs:
        """The table of a suit's closed tiles."""
        chows = suit != HONOR_SUIT
        return suit_table(key, self._gone[suit], 9 if chows else 7, 0, 0, chows).missing


class ClosedTiles:
    """Closed tiles of a hand with melds: the number of missing tiles, now and with one tile more or less.

    >>> from scoring.hands.notation import parse_tiles
    >>> ready = ClosedTiles.of(parse_tiles("234m567p34s555m777z11z"), Melded((), False))
    >>> ready.missing, [tile for tile in range(34) if ready.with_tile(tile).missing == 0]
    (1, [19, 22])
    """

    __slots__ = ("_beside", "_melded", "keys", "missing")

    def __init__(self, keys: tuple[int, int, int, int], melded: Melded) -> None:
        self.keys = keys
        self._melded = melded
        characters, dots, bamboos, honors = (melded.costs(suit, key) for suit, key in enumerate(keys))
        plain, suited = _together(characters, dots), _together(bamboos, honors)
        beside = (
            _together(dots, suited),
            _together(characters, suited),
            _together(plain, honors),
            _together(plain, bamboos),
        )
        self._beside = tuple([_reversed(costs, melded.sets) for costs in beside])
        self.missing = self._missing(0, keys[0])

    @classmethod
    def of(cls, tiles: Sequence[int], melded: Melded) -> "ClosedTiles":
        """From tiles without flowers."""
        characters, dots, bamboos, honors = suit_keys(tiles)
        return cls((characters, dots, bamboos, honors), melded)

    def _missing(self, suit: int, key: int) -> int:
        lacking = min(map(int.__add__, self._beside[suit], self._melded.costs(suit, key)))
        if self._melded.with_seven_pairs:
            return min(lacking, _seven_pairs([*self.keys[:suit], key, *self.keys[suit + 1 :]]))
        return lacking

    def held(self, tile: int) -> int:
        """How many of a kind are among the closed tiles."""
        return self.keys[tile // 9] >> BITS * (tile % 9) & COUNT

    def kinds(self) -> list[int]:
        """The kinds that are held, in tile order."""
        return [tile for tile in range(KINDS) if self.held(tile)]

    def missing_with(self, tile: int) -> int:
        """How many tiles are missing when this one has come in. With one tile too many, one may be discarded freely."""
        suit = tile // 9
        return self._missing(suit, self.keys[suit] + _ADDED[tile])

    def missing_without(self, tile: int) -> int:
        """How many tiles are missing when this one has been discarded."""
        suit = tile // 9
        return self._missing(suit, self.keys[suit] - _ADDED[tile])

    def drawing(self) -> list[int]:
        """進張: the kinds that bring the hand one tile nearer, in tile order."""
        nearer = self.missing - 1
        return [tile for tile in range(KINDS) if self.missing_with(tile) == nearer]

    def with_tile(self, tile: int) -> "ClosedTiles":
        """The closed tiles and one more."""
        return self._changed(tile, _ADDED[tile])

    def without_tile(self, tile: int) -> "ClosedTiles":
        """The closed tiles and one less."""
        return self._changed(tile, -_ADDED[tile])

    def _changed(self, tile: int, by: int) -> "ClosedTiles":
        keys = [*self.keys]
        keys[tile // 9] += by
        characters, dots, bamboos, honors = keys
        return ClosedTiles((characters, dots, bamboos, honors), self._melded)

    def tiles(self) -> tuple[int, ...]:
        """The closed tiles themselves, sorted."""
        return tuple([tile for tile in range(KINDS) for _ in range(self.held(tile))])


def _seven_pairs(keys: Sequence[int]) -> int:
    """嚦咕嚦咕: how many tiles seven pairs and a pung lack. Four of a kind are two pairs."""
    pairs = singles = 0
    heights: set[int] = set()
    for suit, key in enumerate(keys):
        for rank in range(7 if suit == HONOR_SUIT else 9):
            held = key >> BITS * rank & COUNT
            heights.add(held)
            pairs += held >> 1
            singles += held & 1
    return min(_with_pung_of(held, pairs, singles) for held in heights)


def _with_pung_of(held: int, pairs: int, singles: int) -> int:
    lacking_pairs = max(0, _PUNG_AND_PAIRS - (pairs - (held >> 1)))
    from_singles = min(lacking_pairs, singles - (held & 1))
    return max(0, 3 - held) + from_singles + 2 * (lacking_pairs - from_singles)
