"""聽牌: the kinds of tile that complete a hand which waits."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import NamedTuple

from scoring.hands.decomposition import CACHED_SUITS, HONOR_SUIT, OVERS, STEP, SuitWays, over_of, suit_keys
from scoring.hands.hand import Meld
from scoring.hands.kept import Kept
from scoring.hands.thirds import AFTER, AFTER_HONORS, LOST, THIRD, THIRD_BITS
from scoring.tiles import BITS, COUNT, KINDS, placed

_PAIR, _TILE = 1, 2  # what was taken of three ranks: the pair, the tile that completes them


def _takings(third: int) -> tuple[tuple[int, int, int], ...]:
    """Three ranks with the pair taken out or not, with a further tile or not: (what was taken, the rest, the tile)."""
    counts = [third >> BITS * place & COUNT for place in range(3)]
    found = [(0, third, 0)]
    found += [(_PAIR, third - (2 << BITS * two), 0) for two in range(3) if counts[two] >= 2]
    for more in range(3):
        if counts[more] < 4:
            whole = third + (1 << BITS * more)
            found.append((_TILE, whole, 1 << more))
            pairs = [two for two in range(3) if counts[two] + (two == more) >= 2]
            found += [(_PAIR | _TILE, whole - (2 << BITS * two), 1 << more) for two in pairs]
    return tuple(found)


_TAKINGS = Kept(_takings)
End = tuple[int, int, int]  # what was taken, the chows begun, the ranks whose tile does it as bits


def _ends(begun: int, chows: bool) -> Callable[[int], tuple[End, ...]]:
    """How three ranks can end after those chows."""
    afters = AFTER if chows else AFTER_HONORS

    def ends(third: int) -> tuple[End, ...]:
        found: dict[tuple[int, int], int] = {}
        for taken, rest, tile in _TAKINGS[third]:
            after = afters[rest][begun]
            if after != LOST:
                found[taken, after] = found.get((taken, after), 0) | tile
        return tuple([(taken, after, tiles) for (taken, after), tiles in found.items()])

    return ends


class _Ends(NamedTuple):
    """How three ranks can end, by the chows begun before; `last`: those ends after which no chow is open."""

    by_begun: tuple[Kept[int, tuple[End, ...]], ...]
    last: tuple[Kept[int, tuple[End, ...]], ...]


def _all_ends(chows: bool) -> _Ends:
    by_begun = tuple(Kept(_ends(begun, chows)) for begun in range(15))

    def last(begun: int) -> Callable[[int], tuple[End, ...]]:
        return lambda third: tuple([end for end in by_begun[begun][third] if end[1] == 0])

    return _Ends(by_begun, tuple(Kept(last(begun)) for begun in range(15)))


_WITH_CHOWS, _WITHOUT_CHOWS = _all_ends(True), _all_ends(False)


class SuitCan(NamedTuple):
    """What a suit can be, without the ways. `over`, `sets`, `pairs`: as those of `SuitWays`.

    `completing`: the tiles of the suit that make it sets only (two tiles over), or sets and the pair (one over).
    """

    over: int
    sets: bool
    pairs: bool
    completing: tuple[int, ...]


def _suit_can(key: int, suit: int) -> SuitCan:
    by_begun, last = _WITHOUT_CHOWS if suit == HONOR_SUIT else _WITH_CHOWS
    middle, high = key >> THIRD_BITS & THIRD, key >> 2 * THIRD_BITS
    sets = pairs = False
    completing = 0
    for taken, begun, tiles in by_begun[0][key & THIRD]:
        for taken_too, begun_too, tiles_too in by_begun[begun][middle]:
            if taken & taken_too:
                continue
            both = taken | taken_too
            for taken_last, _, tiles_last in last[begun_too][high]:
                if not both & taken_last:
                    what = both | taken_last
                    sets = sets or what == 0
                    pairs = pairs or what == _PAIR
                    completing |= tiles | tiles_too << 3 | tiles_last << 6
    return SuitCan(over_of(key, suit), sets, pairs, _SUIT_TILES[suit][completing])


def _suit_tiles(ranks: int, suit: int) -> tuple[int, ...]:
    """The tiles of a suit whose ranks are given as nine bits."""
    return tuple([9 * suit + place for place in range(9) if ranks >> place & 1])


_SUIT_TILES = tuple(Kept(partial(_suit_tiles, suit=suit)) for suit in range(4))
CAN = tuple(Kept(partial(_suit_can, suit=suit), CACHED_SUITS) for suit in range(4))
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


def _five_sets_waits(keys: Sequence[int], ways: Sequence[SuitWays | SuitCan]) -> tuple[int, ...]:
    open_suits = _OPEN_SUITS.get(ways[0][0] + ways[1][0] + ways[2][0] + ways[3][0] & OVERS)
    if open_suits is None:
        return ()
    unfinished, finished = open_suits
    for suit in finished:
        if not ways[suit][1]:
            return ()
    first = unfinished[0]
    if len(unfinished) == 1:
        return CAN[first][keys[first]].completing
    second = unfinished[1]
    found: tuple[int, ...] = ()
    if ways[second].pairs:
        found = CAN[first][keys[first]].completing
    if ways[first].pairs:
        found += CAN[second][keys[second]].completing
    return found


_ODD = sum(1 << BITS * place for place in range(9))
_ODD_KINDS = sum(1 << BITS * tile for tile in range(KINDS))
_FOURS = 4 * _ODD_KINDS


def may_be_pairs(row: int) -> bool:
    """Whether 16 or 17 tiles (`scoring.tiles.placed`) may be or wait for seven pairs and a pung; most may not."""
    return (row & _ODD_KINDS).bit_count() <= 3


def holds_four(row: int) -> bool:
    """Whether four of a kind are among tiles."""
    return row & _FOURS != 0


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


def waits_of_keys(
    keys: Sequence[int],
    melded: int,
    with_seven_pairs: bool,
    ways: Sequence[SuitWays | SuitCan] | None = None,
) -> tuple[int, ...]:
    """As `waits`, for closed tiles given as `suit_keys` and melds as one number (`scoring.tiles.placed`).

    `ways`: what those suits can be, where it is known.
    """
    found = _five_sets_waits(keys, ways or [can[key] for can, key in zip(CAN, keys, strict=True)])
    if melded and found:
        found = tuple([tile for tile in found if melded >> BITS * tile & COUNT == 0 or _held(tile, keys, melded) < 4])
    if with_seven_pairs and not melded:
        more = _seven_pairs_waits(keys)
        if more:
            found = tuple(sorted({*found, *more}))
    return found


def _held(tile: int, keys: Sequence[int], melded: int) -> int:
    return (keys[tile // 9] >> BITS * (tile % 9) & COUNT) + (melded >> BITS * tile & COUNT)


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
