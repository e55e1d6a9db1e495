"""聽牌: the kinds of tile that complete a hand which waits."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from scoring.hands.decomposition import CACHED_SUITS, HONOR_SUIT, OVERS, STEP, suit_keys
from scoring.hands.hand import Meld
from scoring.hands.kept import Kept
from scoring.hands.thirds import AFTERS, AFTERS_OF_HONORS, LOST, THIRD, THIRD_BITS, Afters, rank_sum
from scoring.tiles import BITS, COUNT, KINDS, placed


class SuitCan(NamedTuple):
    """What a suit can be, without the ways. `over`, `sets`, `pairs`: as those of `SuitWays`.

    `completing`: the tiles of the suit that make it sets only (two tiles over), or sets and the pair (one over).
    """

    over: int
    sets: bool
    pairs: bool
    completing: tuple[int, ...]


def _maker(suit: int) -> Callable[[int], SuitCan]:
    """What makes the `SuitCan` of one suit."""
    afters = AFTERS if suit < HONOR_SUIT else AFTERS_OF_HONORS

    def suit_can(key: int) -> SuitCan:
        low, middle, high = key & THIRD, key >> THIRD_BITS & THIRD, key >> 2 * THIRD_BITS
        size, ranks = key % COUNT % 3, rank_sum(low, middle, high)
        sets = pairs = False
        completing = 0
        if size == 0:
            sets = afters[afters[afters[0][low]][middle]][high] == 0
        elif size == 2:
            pairs = _are_sets_and(_TWO[2 * ranks % 3], low, middle, high, afters) != 0
            completing = _to_sets(-ranks % 3, low, middle, high, afters)
        else:
            completing = _to_sets_and_pair(ranks, low, middle, high, afters)
        if completing and key & _FOUR_OF_SUIT:
            completing &= ~sum(1 << place for place in range(9) if key >> BITS * place & 4)
        return _suit_can_of(SuitCan, (size << 2 * suit, sets, pairs, _SUIT_TILES[suit][completing]))

    return suit_can


_suit_can_of = tuple.__new__  # makes a named tuple in a third of the time that calling its class takes


# Of three ranks that are three apart, one in each third, only one kind can be taken or added: the ranks of sets add up
# to a multiple of three (`rank_sum`). They are named by the place of that rank in its third, and given as bits 0, 3, 6
# and more by it.


class _Taken(NamedTuple):
    """One or two tiles of a kind: the kind's place in its third, their key, and what a third with them has a bit of."""

    place: int
    tiles: int
    enough: int


_ONE = tuple(_Taken(place, 1 << BITS * place, COUNT << BITS * place) for place in range(3))
_TWO = tuple(_Taken(place, 2 << BITS * place, COUNT - 1 << BITS * place) for place in range(3))


def _are_sets_and(taken: _Taken, low: int, middle: int, high: int, afters: Afters) -> int:
    """The ranks, as bits, of which so many tiles stand beside sets only."""
    place, tiles, enough = taken
    found = 0
    begun = afters[0][low]
    if high & enough and afters[afters[begun][middle]][high - tiles] == 0:
        found = 64
    if middle & enough and afters[afters[begun][middle - tiles]][high] == 0:
        found |= 8
    if low & enough and afters[afters[afters[0][low - tiles]][middle]][high] == 0:
        found |= 1
    return found << place


def _to_sets(place: int, low: int, middle: int, high: int, afters: Afters) -> int:
    """The ranks, as bits, whose tile makes a suit sets only."""
    tile = 1 << BITS * place
    begun = afters[0][low]
    found = 1 if afters[afters[afters[0][low + tile]][middle]][high] == 0 else 0
    if begun != LOST:
        if afters[afters[begun][middle + tile]][high] == 0:
            found |= 8
        if afters[afters[begun][middle]][high + tile] == 0:
            found |= 64
    return found << place


def _to_sets_and_pair(ranks: int, low: int, middle: int, high: int, afters: Afters) -> int:
    """The ranks, as bits, whose tile makes a suit sets and a pair: with a pair beside it, or as its second.

    ranks: what the ranks add up to.
    """
    found = _are_sets_and(_ONE[ranks], low, middle, high, afters)
    for place, two, _ in _PAIRS[(low >> 1 | low >> 2) & _ODD_OF_THIRD]:
        found |= _to_sets((2 * place - ranks) % 3, low - two, middle, high, afters)
    for place, two, _ in _PAIRS[(middle >> 1 | middle >> 2) & _ODD_OF_THIRD]:
        found |= _to_sets((2 * place - ranks) % 3, low, middle - two, high, afters)
    for place, two, _ in _PAIRS[(high >> 1 | high >> 2) & _ODD_OF_THIRD]:
        found |= _to_sets((2 * place - ranks) % 3, low, middle, high - two, afters)
    return found


_ODD_OF_THIRD = 1 | 1 << BITS | 1 << 2 * BITS
_FOUR_OF_SUIT = sum(4 << BITS * place for place in range(9))
# the kinds of three ranks that are there twice or more, a bit each -> a pair of each
_PAIRS: Kept[int, list[_Taken]] = Kept(
    lambda kinds: [_TWO[place] for place in range(3) if kinds >> BITS * place & 1],
)


def _suit_tiles(ranks: int, suit: int) -> tuple[int, ...]:
    """The tiles of a suit whose ranks are given as nine bits."""
    return tuple([9 * suit + place for place in range(9) if ranks >> place & 1])


_SUIT_TILES = tuple(Kept(partial(_suit_tiles, suit=suit)) for suit in range(4))
CAN = tuple(Kept(_maker(suit), CACHED_SUITS) for suit in range(4))
"""What a suit can be and what would complete it, by suit and key."""


def _open_suits() -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """The `over` of four suits together -> the suits that may take the winning tile, and those that are sets already.

    One tile over: that suit takes it and has the pair. Two suits with two over: one has the pair, one takes the tile.
    """
    found = {}
    for sizes in product(range(3), repeat=4):
        open_ = tuple(suit for suit in range(4) if sizes[suit])
        if [sizes[suit] for suit in open_] in ([1], [2, 2]):
            over = sum(size << 2 * suit for suit, size in enumerate(sizes))
            found[over] = (open_, tuple(suit for suit in range(4) if not sizes[suit]))
    return found


_OPEN_SUITS = _open_suits()


def _five_sets_waits(keys: Sequence[int]) -> tuple[int, ...]:
    cans = [can[key] for can, key in zip(CAN, keys, strict=True)]
    open_suits = _OPEN_SUITS.get(sum([can.over for can in cans]) & OVERS)
    if open_suits is None:
        return ()
    unfinished, finished = open_suits
    if any(not cans[suit].sets for suit in finished):
        return ()
    if len(unfinished) == 1:
        return cans[unfinished[0]].completing
    first, second = [cans[suit] for suit in unfinished]
    found = first.completing if second.pairs else ()
    return found + second.completing if first.pairs else found


def waits_before(tile: int, keys: Sequence[int], pair_suit: int) -> tuple[int, ...]:
    """What five sets and a pair waited for before their winning tile came, as `_five_sets_waits`.

    keys: with that tile. pair_suit: the suit that has the pair in them.
    """
    suit = tile // 9
    _, _, pairs, completing = CAN[suit][keys[suit] - STEP[tile]]
    if suit == pair_suit or not pairs:
        return completing
    others = CAN[pair_suit][keys[pair_suit]][3]
    return completing + others if suit < pair_suit else others + completing


def without(tile: int, keys: Sequence[int]) -> list[int]:
    """The keys without one tile of theirs."""
    rest = [*keys]
    rest[tile // 9] -= STEP[tile]
    return rest


_ODD = sum(1 << BITS * place for place in range(9))
_ODD_KINDS = sum(1 << BITS * tile for tile in range(KINDS))
_FOURS = 4 * _ODD_KINDS


def may_be_pairs(row: int) -> bool:
    """Whether 16 or 17 tiles (`scoring.tiles.placed`) may be or wait for seven pairs and a pung; most may not."""
    return (row & _ODD_KINDS).bit_count() <= 3


def holds_four(row: int) -> bool:
    """Whether four of a kind are among tiles."""
    return row & _FOURS != 0


def not_held(waits: tuple[int, ...], row: int) -> tuple[int, ...]:
    """Those waits of which the hand itself, melds among it, does not hold all four."""
    return tuple([tile for tile in waits if row >> BITS * tile & COUNT < 4])


def _seven_pairs_waits(keys: Sequence[int]) -> tuple[int, ...]:
    """Eight pairs wait for any of their own, a single beside a pung for its second, two pungs for a fourth."""
    if sum([(key & _ODD).bit_count() for key in keys]) > 2:  # most hands: too many kinds once or three times
        return ()
    kinds: dict[int, list[int]] = {1: [], 2: [], 3: [], 4: []}
    for suit, key in enumerate(keys):
        tile = 9 * suit
        while key:
            if key & COUNT:
                kinds[key & COUNT].append(tile)
            key >>= BITS
            tile += 1
    singles, threes = kinds[1], kinds[3]
    if not singles and not threes:
        return tuple(kinds[2])
    if len(singles) == 1 and len(threes) == 1:
        return tuple(singles)
    if not singles and len(threes) == 2:
        return tuple(threes)
    return ()


def waits_of_keys(keys: Sequence[int], melded: int, with_seven_pairs: bool) -> tuple[int, ...]:
    """As `waits`, for closed tiles given as `suit_keys` and melds as one number (`scoring.tiles.placed`)."""
    found = _five_sets_waits(keys)
    if melded and found:
        found = not_held(found, melded + sum([key << 9 * BITS * suit for suit, key in enumerate(keys)]))
    if with_seven_pairs and not melded:
        more = _seven_pairs_waits(keys)
        if more:
            found = tuple(sorted({*found, *more}))
    return found


def _row_of(melds: Sequence[Meld]) -> int:
    return sum([placed(meld.tiles) for meld in melds])


def waits(concealed: Sequence[int], melds: Sequence[Meld] = (), *, with_seven_pairs: bool = False) -> tuple[int, ...]:
    """The kinds that complete a hand of 16 tiles (three a meld), in tile order.

    A kind of which the hand itself holds all four is no wait. Tiles seen elsewhere on the table do not matter.

    >>> from scoring.hands.notation import parse_tiles
    >>> from scoring.tiles import format_tiles
    >>> format_tiles(waits(parse_tiles("234m567p34s555m777z11z")))
    '25s'
    """
    if len(concealed) + 3 * len(melds) != 16:
        return ()
    return waits_of_keys(suit_keys(concealed), _row_of(melds), with_seven_pairs)


def waits_by_discard(
    concealed: Sequence[int], melds: Sequence[Meld] = (), *, with_seven_pairs: bool = False
) -> dict[int, tuple[int, ...]]:
    """For 17 tiles: each discard that leaves a waiting hand, and what it then waits for."""
    if len(concealed) + 3 * len(melds) != 17:
        return {}
    keys, melded = suit_keys(concealed), _row_of(melds)
    found: dict[int, tuple[int, ...]] = {}
    for tile in sorted(set(concealed)):
        keys[tile // 9] -= STEP[tile]
        left = waits_of_keys(keys, melded, with_seven_pairs)
        keys[tile // 9] += STEP[tile]
        if left:
            found[tile] = left
    return found
