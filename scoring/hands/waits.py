"""聽牌: the kinds of tile that complete a hand which waits."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from scoring.hands.decomposition import divisions
from scoring.hands.hand import Meld
from scoring.hands.shapes.declared import Shape
from scoring.hands.shapes.missing import Lacking
from scoring.hands.tables.kept import Kept
from scoring.hands.tables.suits import CACHED_SUITS, CODES_BY_KEY, OVERS, Suits, suit_keys
from scoring.hands.tables.thirds import (
    AFTERS,
    AFTERS_OF_HONORS,
    LOST,
    PAIRS,
    RANK,
    RANK_BITS,
    RANK_SUMS,
    SIZES,
    STEP,
    THIRD,
    THIRD_BITS,
    Afters,
)
from scoring.tiles import BITS, COUNT, KINDS, placed


class SuitCan(NamedTuple):
    """The possibilities of a suit, without its divisions.

    `over`: its number of tiles modulo three. `is_sets`, `is_sets_and_pair`: whether it divides so.
    `completing`: the ranks (a bit each) whose tile makes it sets only (two tiles over), or sets and the pair (one).
    """

    over: int
    is_sets: bool
    is_sets_and_pair: bool
    completing: int


def _suit_can(afters: Afters, code: int) -> SuitCan:
    low, middle, high = code & THIRD, code >> THIRD_BITS & THIRD, code >> 2 * THIRD_BITS
    over = (SIZES[low] + SIZES[middle] + SIZES[high]) % 3
    if over == 0:
        return SuitCan(0, afters[afters[afters[0][low]][middle]][high] == 0, False, 0)
    ranks = (RANK_SUMS[low] + RANK_SUMS[middle] + RANK_SUMS[high]) % 3
    pairs = False
    if over == 2:
        pairs = _are_sets_and(2 * ranks % 3, low, middle, high, afters, number=2) != 0
        completing = _to_sets(-ranks % 3, low, middle, high, afters)
    else:
        completing = _to_sets_and_pair(ranks, low, middle, high, afters)
    if completing and code & _FOUR_OF_SUIT:
        completing &= ~sum([1 << place for place in range(9) if code >> RANK_BITS * place & 4])
    return SuitCan(over, False, pairs, completing)


# Of three ranks that are three apart, one in each third, only one kind can be taken or added: the ranks of sets add up
# to a multiple of three (`RANK_SUMS`). A group of such ranks is named by the place of its rank in the third. It is
# given as bits 0, 3, 6 and so on.


def _are_sets_and(place: int, low: int, middle: int, high: int, afters: Afters, *, number: int) -> int:
    """The ranks, as bits, whose one or two tiles leave sets only when they are taken away."""
    tiles, at = number << RANK_BITS * place, RANK << RANK_BITS * place
    completing = 0
    begun = afters[0][low]
    if high & at >= tiles and afters[afters[begun][middle]][high - tiles] == 0:
        completing = 64
    if middle & at >= tiles and afters[afters[begun][middle - tiles]][high] == 0:
        completing |= 8
    if low & at >= tiles and afters[afters[afters[0][low - tiles]][middle]][high] == 0:
        completing |= 1
    return completing << place


def _to_sets(place: int, low: int, middle: int, high: int, afters: Afters) -> int:
    """The ranks, as bits, whose tile makes a suit sets only."""
    tile = 1 << RANK_BITS * place
    first = afters[0]
    begun = first[low]
    completing = 0 if afters[afters[first[low + tile]][middle]][high] else 1
    if begun != LOST:
        then = afters[begun]
        if not afters[then[middle + tile]][high]:
            completing |= 8
        if not afters[then[middle]][high + tile]:
            completing |= 64
    return completing << place


def _to_sets_and_pair(ranks: int, low: int, middle: int, high: int, afters: Afters) -> int:
    """The ranks, as bits, whose tile makes a suit sets and a pair: it completes a set, or it is the pair's second tile.

    ranks: the sum of the suit's ranks.
    """
    completing = _are_sets_and(ranks, low, middle, high, afters, number=1)
    for place in PAIRS[low]:
        completing |= _to_sets((2 * place - ranks) % 3, low - _TWO[place], middle, high, afters)
    for place in PAIRS[middle]:
        completing |= _to_sets((2 * place - ranks) % 3, low, middle - _TWO[place], high, afters)
    for place in PAIRS[high]:
        completing |= _to_sets((2 * place - ranks) % 3, low, middle, high - _TWO[place], afters)
    return completing


_TWO = tuple(2 << RANK_BITS * place for place in range(3))
_FOUR_OF_SUIT = sum(4 << RANK_BITS * place for place in range(9))


def _suit_tiles(suit: int, ranks: int) -> tuple[int, ...]:
    """The tiles of a suit whose ranks are given as nine bits."""
    return tuple([9 * suit + place for place in range(9) if ranks >> place & 1])


_SUIT_TILES = tuple(Kept(partial(_suit_tiles, suit)) for suit in range(4))
_CAN = Kept(partial(_suit_can, AFTERS), CACHED_SUITS)
_HONORS_CAN = Kept(partial(_suit_can, AFTERS_OF_HONORS), CACHED_SUITS)
# by suit and code: 萬筒索 can be the same
_CANS = (_CAN, _CAN, _CAN, _HONORS_CAN)


def _open_suits() -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """The `over` of four suits together -> the suits that may take the winning tile, and the suits of complete sets.

    One tile over: that suit takes it and has the pair. Two suits with two over: one has the pair, one takes the tile.
    """
    open_suits = {}
    for sizes in product(range(3), repeat=4):
        open_ = tuple(suit for suit in range(4) if sizes[suit])
        if [sizes[suit] for suit in open_] in ([1], [2, 2]):
            over = sum(size << 2 * suit for suit, size in enumerate(sizes))
            open_suits[over] = (open_, tuple(suit for suit in range(4) if not sizes[suit]))
    return open_suits


_OPEN_SUITS = _open_suits()


def _five_sets_waits(keys: Sequence[int]) -> tuple[int, ...]:
    cans = [can[CODES_BY_KEY[key]] for can, key in zip(_CANS, keys, strict=True)]
    open_suits = _OPEN_SUITS.get(sum([can.over << 2 * suit for suit, can in enumerate(cans)]) & OVERS)
    if open_suits is None:
        return ()
    unfinished, finished = open_suits
    if any(not cans[suit].is_sets for suit in finished):
        return ()
    completing = [_SUIT_TILES[suit][cans[suit].completing] for suit in unfinished]
    if len(unfinished) == 1:
        return completing[0]
    first, second = unfinished
    tiles = completing[0] if cans[second].is_sets_and_pair else ()
    return tiles + completing[1] if cans[first].is_sets_and_pair else tiles


def waits_before(tile: int, suits: Suits, pair_suit: int) -> tuple[int, ...]:
    """What five sets and a pair waited for before their winning tile came, as `_five_sets_waits`.

    suits: with that tile. pair_suit: the suit that has the pair in them.
    """
    suit = tile // 9
    before = _CANS[suit][suits[suit].code - STEP[tile]]
    completing = _SUIT_TILES[suit][before.completing]
    if suit == pair_suit or not before.is_sets_and_pair:
        return completing
    others = _SUIT_TILES[pair_suit][_CANS[pair_suit][suits[pair_suit].code].completing]
    return completing + others if suit < pair_suit else others + completing


_ONE = tuple(1 << BITS * (tile % 9) for tile in range(KINDS))  # what one tile adds to its suit's key


def without(tile: int, keys: Sequence[int]) -> list[int]:
    """The keys without one tile of theirs."""
    rest = [*keys]
    rest[tile // 9] -= _ONE[tile]
    return rest


_FOURS = sum(4 << BITS * tile for tile in range(KINDS))


def holds_four(row: int) -> bool:
    """Whether four of a kind are among tiles."""
    return row & _FOURS != 0


def not_held(waits: tuple[int, ...], row: int) -> tuple[int, ...]:
    """The waits without the kinds of which the hand itself holds all four, melds included."""
    return tuple([tile for tile in waits if row >> BITS * tile & COUNT < 4])


def _shape_waits(shape: Shape, keys: Sequence[int]) -> tuple[int, ...]:
    """The kinds that make 16 closed tiles a hand of this shape."""
    lacking = Lacking.of(shape, keys)
    if lacking.missing != 1:
        return ()
    return tuple([tile for tile in range(KINDS) if not lacking.missing_if(tile, 1)])


def waits_of_keys(keys: Sequence[int], melded: int, shapes: Sequence[Shape]) -> tuple[int, ...]:
    """As `waits`, for closed tiles given as `suit_keys` and melds as one number (`scoring.tiles.placed`).

    keys: of the closed tiles. melded: the row of the melds. shapes: the shapes that win besides five sets.
    """
    tiles = _five_sets_waits(keys)
    if melded and tiles:
        tiles = not_held(tiles, melded + sum([key << 9 * BITS * suit for suit, key in enumerate(keys)]))
    if shapes and not melded:
        more = {tile for shape in shapes for tile in _shape_waits(shape, keys)}
        if more:
            tiles = tuple(sorted(more.union(tiles)))
    return tiles


def with_held_fourths(waits: tuple[int, ...], keys: Sequence[int], melded: int) -> tuple[int, ...]:
    """The waits, and the kinds of which the hand itself holds all four that would complete five sets and a pair.

    waits: without those. keys: of the closed tiles before the winning tile. melded: the row of the melds.
    """
    row = melded + sum([key << 9 * BITS * suit for suit, key in enumerate(keys)])
    if not holds_four(row):
        return waits
    more = [
        tile
        for tile in range(KINDS)
        if row >> BITS * tile & COUNT == 4
        and divisions([key + (tile // 9 == suit) * _ONE[tile] for suit, key in enumerate(keys)])
    ]
    return tuple(sorted({*waits, *more}))


def _row_of(melds: Sequence[Meld]) -> int:
    return sum([placed(meld.tiles) for meld in melds])


def waits(concealed: Sequence[int], melds: Sequence[Meld] = (), shapes: Sequence[Shape] = ()) -> tuple[int, ...]:
    """The kinds that complete a hand of 16 tiles (three a meld), in tile order.

    A kind of which the hand itself holds all four does not count. Tiles seen elsewhere on the table do not matter.

    concealed: the closed tiles, 16 less three a meld. shapes: the shapes that win besides five sets.

    >>> from scoring.hands.notation import parse_tiles
    >>> from scoring.tiles import format_tiles
    >>> format_tiles(waits(parse_tiles("234m567p34s555m777z11z")))
    '25s'
    """
    if len(concealed) + 3 * len(melds) != 16:
        return ()
    return waits_of_keys(suit_keys(concealed), _row_of(melds), shapes)


def waits_by_discard(
    concealed: Sequence[int], melds: Sequence[Meld] = (), shapes: Sequence[Shape] = ()
) -> dict[int, tuple[int, ...]]:
    """For 17 tiles: each discard that leaves a waiting hand, and what it then waits for.

    concealed: the closed tiles, 17 less three a meld. shapes: the shapes that win besides five sets.
    """
    if len(concealed) + 3 * len(melds) != 17:
        return {}
    keys, melded = suit_keys(concealed), _row_of(melds)
    by_discard: dict[int, tuple[int, ...]] = {}
    for tile in sorted(set(concealed)):
        left = waits_of_keys(without(tile, keys), melded, shapes)
        if left:
            by_discard[tile] = left
    return by_discard
