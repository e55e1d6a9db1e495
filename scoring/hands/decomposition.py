"""拆牌: every way in which closed tiles divide into sets and a pair, put together of what each suit can be."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from scoring.hands.hand import Meld, MeldKind
from scoring.hands.shapes.declared import FIVE_SETS, Shape
from scoring.hands.tables.suits import OVERS, Set, SetKind, Suits, suits_of


class Division(NamedTuple):
    """拆法: the closed tiles as sets in tile order and a pair.

    `loose`: for a `shape` other than five sets, all tiles outside its sets, as pairs and single tiles. `pair` is then
    the first of these pairs, or -1. `pungs`: the number of pungs and kongs among the sets.
    """

    sets: tuple[Set, ...]
    pair: int
    loose: tuple[tuple[int, ...], ...]
    pungs: int
    shape: Shape = FIVE_SETS


# the sizes modulo 3 of four suits (`Suit.sums`) that a winning hand can have -> the suit with the pair
_PAIR_SUIT = {2 << 2 * pair: pair for pair in range(4)}


def divisions(keys: Sequence[int]) -> list[Division]:
    """Every division of closed tiles (`suit_keys`) into sets and one pair, in a fixed order.

    >>> from scoring.hands.tables.suits import suit_keys
    >>> [found.pair for found in divisions(suit_keys([0, 0, 0, 1, 1, 1, 2, 2, 2, 8, 8]))]
    [8, 8]
    """
    return divisions_of(suits_of(keys))


def divisions_of(suits: Suits) -> list[Division]:
    """As `divisions`, for suits that are looked up already."""
    characters, dots, bamboos, honors = suits
    pair_suit = _PAIR_SUIT.get(characters.sums + dots.sums + bamboos.sums + honors.sums & OVERS)
    if pair_suit is None:
        return []
    parts = [characters.sets, dots.sets, bamboos.sets, honors.sets]
    ways: list[Division] = []
    for pair, beside in suits[pair_suit].pairs:
        parts[pair_suit] = (beside,)
        for (sets, pungs), (sets2, pungs2), (sets3, pungs3), (sets4, pungs4) in product(*parts):
            ways.append(Division(sets + sets2 + sets3 + sets4, pair, (), pungs + pungs2 + pungs3 + pungs4))
    return ways


def meld_set(meld: Meld) -> Set:
    """The set that a meld is."""
    return _meld_set(meld.kind, meld.tiles)


@lru_cache(maxsize=1 << 10)
def _meld_set(meld_kind: MeldKind, meld_tiles: tuple[int, ...]) -> Set:
    tiles = tuple(sorted(meld_tiles))
    kind: SetKind = meld_kind if meld_kind in ("chow", "pung") else "kong"
    return Set(kind, tiles[0], tiles, meld_kind == "concealed_kong", True)
