"""拆牌: every way in which closed tiles divide into sets and a pair, suit by suit.

A suit is one int of `BITS` bits a rank (`suit_keys`), so a suit seen once is a look-up for ever after; the honors are a
fourth suit without chows. What a suit can be follows from its number of tiles: sets only (a multiple of three), or sets
and the pair.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import product
from typing import Literal, NamedTuple

from scoring.hands.hand import Meld, MeldKind
from scoring.hands.kept import Kept
from scoring.hands.thirds import STANDINGS, STANDINGS_OF_HONORS, THIRD, THIRD_BITS, rank_sum
from scoring.tiles import BITS, COUNT, placed

SetKind = Literal["chow", "pung", "kong"]

STEP = tuple(1 << BITS * (tile % 9) for tile in range(34))  # what one tile adds to its suit's key
_DOTS_AT, _BAMBOOS_AT, _HONORS_AT = 9 * BITS, 18 * BITS, 27 * BITS
_SUIT = (1 << 9 * BITS) - 1
_HONORS = (1 << 7 * BITS) - 1
HONOR_SUIT = 3
CACHED_SUITS = 1 << 15  # about 10 MB when full


class Set(NamedTuple):
    """面子: 順子, 刻子 or 槓子. `concealed`: made of one's own tiles, before the winning tile's place is looked at."""

    kind: SetKind
    first: int
    tiles: tuple[int, ...]
    concealed: bool = True
    melded: bool = False

    @property
    def is_pung(self) -> bool:
        """A kong is one too."""
        return self.kind != "chow"


class Division(NamedTuple):
    """拆法: the closed tiles as sets in tile order and a pair, or as seven pairs and the pung in `sets`.

    `pungs`: how many of the sets are no chows.
    """

    sets: tuple[Set, ...]
    pair: int
    pairs: tuple[int, ...]
    pungs: int


CHOWS = tuple(Set("chow", tile, (tile, tile + 1, tile + 2)) for tile in range(27))
_PUNGS = tuple(Set("pung", tile, (tile, tile, tile)) for tile in range(34))


def suit_keys(tiles: Iterable[int]) -> list[int]:
    """The four keys (萬, 筒, 索, honors) of tiles without flowers."""
    return keys_of(placed(tiles))


def keys_of(row: int) -> list[int]:
    """The four keys of tiles given as one number (`scoring.tiles.placed`)."""
    return [row & _SUIT, row >> _DOTS_AT & _SUIT, row >> _BAMBOOS_AT & _SUIT, row >> _HONORS_AT & _HONORS]


Sets = tuple[tuple[Set, ...], int]
"""Sets in tile order, and how many of them are pungs."""


def _beginning(sets: int, first: int) -> tuple[Set, ...]:
    """The sets that begin in three ranks from the tile `first` on; `sets`: pungs and chows as in `Standing`."""
    pungs, chows = sets >> 6, sets & 63
    found: tuple[Set, ...] = ()
    for place in range(3):
        if pungs >> place & 1:
            found += (_PUNGS[first + place],)
        found += (CHOWS[first + place],) * (chows >> 2 * place & 3) if chows else ()
    return found


_BEGINNING = tuple(
    tuple(Kept(partial(_beginning, first=first)) for first in range(9 * suit, 9 * suit + 9, 3)) for suit in range(4)
)


def _suit_sets(low: int, middle: int, high: int, suit: int) -> tuple[Sets, ...]:
    """Every division of one suit, given as its thirds, into sets only.

    How many chows begin at a rank is certain but for threes: three chows are the same tiles as the pungs of their three
    ranks. So there is one division with every pung that can be, and one for each three ranks in a row that have pungs
    in it (two such would be six pungs).
    """
    standings = STANDINGS if suit < HONOR_SUIT else STANDINGS_OF_HONORS
    begun, pungs, chows = standings[0][low]
    begun, more_pungs, more_chows = standings[begun][middle]
    begun, last_pungs, last_chows = standings[begun][high]
    if begun:
        return ()
    of_low, of_middle, of_high = _BEGINNING[suit]
    sets = of_low[pungs << 6 | chows] + of_middle[more_pungs << 6 | more_chows] + of_high[last_pungs << 6 | last_chows]
    pungs |= more_pungs << 3 | last_pungs << 6
    number = pungs.bit_count()
    threes = pungs & pungs >> 1 & pungs >> 2
    if not threes or suit == HONOR_SUIT:
        return ((sets, number),)
    with_chows = [_with_chows(sets, 9 * suit + place) for place in range(7) if threes >> place & 1]
    return (*[(changed, number - 3) for changed in with_chows], (sets, number))


def _with_chows(sets: Sequence[Set], first: int) -> tuple[Set, ...]:
    """The sets with three chows in place of the pungs of three ranks, in tile order."""
    kept = [one for one in sets if one.kind == "chow" or not first <= one.first <= first + 2]
    return tuple(sorted([*kept, *[CHOWS[first]] * 3], key=lambda one: (one.first, one.kind == "chow")))


def _suit_sets_and_pair(low: int, middle: int, high: int, suit: int) -> tuple[tuple[int, Sets], ...]:
    """Every division of one suit, given as its thirds, into sets and the pair: (pair, sets).

    The ranks of a set add up to a multiple of three, so what all ranks add up to tells which ranks the pair can have:
    one in each third.
    """
    place = 2 * rank_sum(low, middle, high) % 3
    tile, pair = 9 * suit + place, 2 << BITS * place
    two_or_more = COUNT - 1 << BITS * place
    found: tuple[tuple[int, Sets], ...] = ()
    if low & two_or_more:
        for sets in _suit_sets(low - pair, middle, high, suit):
            found += ((tile, sets),)
    if middle & two_or_more:
        for sets in _suit_sets(low, middle - pair, high, suit):
            found += ((tile + 3, sets),)
    if high & two_or_more:
        for sets in _suit_sets(low, middle, high - pair, suit):
            found += ((tile + 6, sets),)
    return found


class SuitWays(NamedTuple):
    """What one suit can be.

    `over`: how many of its tiles are over when threes are taken, in two bits of its own, so that those of all suits can
    be added: 0 sets only, 2 sets and the pair, 1 neither. In bits from `HELD_AT` on: whether there are any.
    `sets`: every division into sets only. `pairs`: every (pair, sets), where two tiles are over.
    """

    over: int
    sets: tuple[Sets, ...]
    pairs: tuple[tuple[int, Sets], ...]


HELD_AT = 8
OVERS = (1 << HELD_AT) - 1


_new = tuple.__new__  # makes a named tuple in a third of the time that calling its class takes


def _maker(suit: int) -> Callable[[int], SuitWays]:
    """What makes the ways of one suit."""

    def suit_ways(key: int) -> SuitWays:
        size = key % COUNT % 3  # the tiles of a key are its rest by COUNT, as every rank counts a power of 2**BITS
        over = size << 2 * suit | (key > 0) << HELD_AT + suit
        if size == 1:
            return SuitWays(over, (), ())
        low, middle, high = key & THIRD, key >> THIRD_BITS & THIRD, key >> 2 * THIRD_BITS
        if size == 0:
            return _new(SuitWays, (over, _suit_sets(low, middle, high, suit), ()))
        return _new(SuitWays, (over, (), _suit_sets_and_pair(low, middle, high, suit)))

    return suit_ways


_CHARACTERS, _DOTS, _BAMBOOS, _HONOR_WAYS = [Kept(_maker(suit), CACHED_SUITS) for suit in range(4)]

# the `over` of four suits together, where they can be a hand -> the suit that has the pair
_PAIR_SUIT = {2 << 2 * pair: pair for pair in range(4)}


Ways = Sequence[SuitWays]


def ways_of(keys: Sequence[int]) -> Ways:
    """What each of the four suits can be."""
    characters, dots, bamboos, honors = keys
    return _CHARACTERS[characters], _DOTS[dots], _BAMBOOS[bamboos], _HONOR_WAYS[honors]


def divisions(keys: Sequence[int]) -> list[Division]:
    """Every division of closed tiles (`suit_keys`) into sets and one pair, in a fixed order.

    >>> [found.pair for found in divisions(suit_keys([0, 0, 0, 1, 1, 1, 2, 2, 2, 8, 8]))]
    [8, 8]
    """
    return divisions_of(ways_of(keys))


def divisions_of(ways: Ways) -> list[Division]:
    """As `divisions`, of what the suits can be."""
    (over0, sets0, _), (over1, sets1, _), (over2, sets2, _), (over3, sets3, _) = ways
    pair_suit = _PAIR_SUIT.get(over0 + over1 + over2 + over3 & OVERS)
    if pair_suit is None:
        return []
    parts = [sets0, sets1, sets2, sets3]
    found: list[Division] = []
    for pair, beside in ways[pair_suit][2]:
        parts[pair_suit] = (beside,)
        try:
            ((one, pungs1),), ((two, pungs2),), ((three, pungs3),), ((four, pungs4),) = parts
        except ValueError:  # seldom: some suit divides in several ways, or in none
            for (one, pungs1), (two, pungs2), (three, pungs3), (four, pungs4) in product(*parts):
                sets, pungs = one + two + three + four, pungs1 + pungs2 + pungs3 + pungs4
                found.append(Division(sets, pair, (), pungs))
        else:
            sets, pungs = one + two + three + four, pungs1 + pungs2 + pungs3 + pungs4
            found.append(_new(Division, (sets, pair, (), pungs)))
    return found


def seven_pairs(keys: Sequence[int]) -> Division | None:
    """嚦咕嚦咕: seven pairs and a pung of 17 tiles, four of a kind being two pairs; never in two ways."""
    pairs: list[int] = []
    pung = -1
    for suit, key in enumerate(keys):
        tile = 9 * suit
        while key:
            count = key & COUNT
            if count == 1 or (count == 3 and pung >= 0):
                return None
            if count == 3:
                pung = tile
            else:
                pairs.extend([tile] * (count // 2))
            key >>= BITS
            tile += 1
    if pung < 0 or len(pairs) != 7:
        return None
    return Division((_PUNGS[pung],), pairs[0], tuple(pairs), 1)


def meld_set(meld: Meld) -> Set:
    """The set that a meld is."""
    return _meld_set(meld.kind, meld.tiles)


@lru_cache(maxsize=1 << 10)
def _meld_set(meld_kind: MeldKind, meld_tiles: tuple[int, ...]) -> Set:
    tiles = tuple(sorted(meld_tiles))
    kind: SetKind = meld_kind if meld_kind in ("chow", "pung") else "kong"
    return Set(kind, tiles[0], tiles, meld_kind == "concealed_kong", True)
