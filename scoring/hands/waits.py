"""聽牌: the kinds of tile that complete a hand which waits."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from scoring.hands.decomposition import CACHED_SUITS, HONOR_SUIT, STEP, SuitWays, rank_sum, suit_keys, suit_size
from scoring.hands.hand import Meld
from scoring.tiles import BITS, COUNT

_NEXT_TWO = 1 << BITS | 1 << 2 * BITS


_THREE_RANKS = 3 * BITS
_CHUNK = (1 << _THREE_RANKS) - 1
_FAILS = -1


class _Chunks(dict[int, int]):
    """For what three ranks hold: the chows that began on them and need so many of the two ranks after, or `_FAILS`.

    `begun`: the same of the ranks before: 3 × of the next rank + of the one after. The lowest rank stands in a pung if
    it can: no way is lost by that. Filled as it is asked.
    """

    def __init__(self, begun: int, chows: bool) -> None:
        super().__init__()
        self.begun, self.chows = begun, chows

    def __missing__(self, chunk: int) -> int:
        needed, after = divmod(self.begun, 3)
        found = _FAILS
        for place in range(3):
            left = (chunk >> BITS * place & COUNT) - needed
            if left < 0 or (left % 3 and not self.chows):
                break
            needed, after = after + left % 3, left % 3
        else:
            found = 3 * needed + after
        self[chunk] = found
        return found


_WITH_CHOWS = tuple(_Chunks(begun, True) for begun in range(15))
_WITHOUT_CHOWS = tuple(_Chunks(begun, False) for begun in range(15))


def _makes_sets(key: int, after: Sequence[_Chunks]) -> bool:
    """Whether a suit divides into sets only."""
    begun = after[0][key & _CHUNK]
    if begun >= 0:
        begun = after[begun][key >> _THREE_RANKS & _CHUNK]
        if begun >= 0:
            return after[begun][key >> 2 * _THREE_RANKS] == 0
    return False


def _makes_sets_and_pair(key: int, after: Sequence[_Chunks]) -> bool:
    for place in range(2 * rank_sum(key) % 3, 9, 3):  # as `suit_sets_and_pair`
        if key >> BITS * place & COUNT >= 2 and _makes_sets(key - (2 << BITS * place), after):
            return True
    return False


class SuitCan(NamedTuple):
    """Whether a suit can be sets only, or sets and the pair; `over`: its number of tiles modulo three."""

    over: int
    sets: bool
    pairs: bool


@lru_cache(maxsize=CACHED_SUITS)
def suit_can(key: int, suit: int) -> SuitCan:
    """What one suit can be, as `suit_ways` but without the ways."""
    over, chows = suit_size(key) % 3, _WITHOUT_CHOWS if suit == HONOR_SUIT else _WITH_CHOWS
    return SuitCan(over, over == 0 and _makes_sets(key, chows), over == 2 and _makes_sets_and_pair(key, chows))


@lru_cache(maxsize=CACHED_SUITS)
def _completing(key: int, suit: int, pair: bool) -> tuple[int, ...]:
    """The tiles of a suit that make it sets only, or sets and the pair."""
    near = key | key << BITS | key >> BITS | key << 2 * BITS | key >> 2 * BITS  # farther away it completes nothing
    after = _WITHOUT_CHOWS if suit == HONOR_SUIT else _WITH_CHOWS
    total = rank_sum(key)
    found: list[int] = []
    # sets add up to a multiple of three: without a pair to be found, only every third rank can complete them
    for place in range(9) if pair else range(-total % 3, 9, 3):
        if not near >> BITS * place & COUNT or key >> BITS * place & COUNT == 4:
            continue
        whole = key + (1 << BITS * place)
        if not pair:
            completes = _makes_sets(whole, after)
        else:
            completes = False
            for two in range(2 * (total + place) % 3, 9, 3):  # as `suit_sets_and_pair`
                if whole >> BITS * two & COUNT >= 2 and _makes_sets(whole - (2 << BITS * two), after):
                    completes = True
                    break
        if completes:
            found.append(9 * suit + place)
    return tuple(found)


def _open_suits() -> dict[tuple[int, ...], tuple[tuple[int, ...], tuple[int, ...]]]:
    """Sizes of the suits modulo three -> the suits that may take the winning tile, and those that are sets already.

    One tile over: that suit takes it and has the pair. Two suits with two over: one has the pair, one takes the tile.
    """
    found = {}
    for sizes in product(range(3), repeat=4):
        over = tuple(suit for suit in range(4) if sizes[suit])
        if [sizes[suit] for suit in over] in ([1], [2, 2]):
            found[sizes] = (over, tuple(suit for suit in range(4) if not sizes[suit]))
    return found


_OPEN_SUITS = _open_suits()


def _five_sets_waits(keys: Sequence[int], ways: Sequence[SuitWays | SuitCan]) -> tuple[int, ...]:
    open_suits = _OPEN_SUITS.get((ways[0].over, ways[1].over, ways[2].over, ways[3].over))
    if open_suits is None:
        return ()
    unfinished, finished = open_suits
    for suit in finished:
        if not ways[suit].sets:
            return ()
    first = unfinished[0]
    if len(unfinished) == 1:
        return _completing(keys[first], first, True)
    second = unfinished[1]
    found: tuple[int, ...] = ()
    if ways[second].pairs:
        found = _completing(keys[first], first, False)
    if ways[first].pairs:
        found += _completing(keys[second], second, False)
    return found


def _seven_pairs_waits(keys: Sequence[int]) -> tuple[int, ...]:
    """Eight pairs wait for any of their own, a single beside a pung for its second, two pungs for a fourth."""
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
    melds: Sequence[Meld],
    with_seven_pairs: bool,
    ways: Sequence[SuitWays | SuitCan] | None = None,
) -> tuple[int, ...]:
    """As `waits`, for closed tiles given as `suit_keys`; `ways`: what those suits can be, where it is known."""
    found = _five_sets_waits(keys, ways or [suit_can(key, suit) for suit, key in enumerate(keys)])
    if melds and found:
        found = tuple([tile for tile in found if _held(tile, keys, melds) < 4])
    if with_seven_pairs and not melds:
        more = _seven_pairs_waits(keys)
        if more:
            found = tuple(sorted({*found, *more}))
    return found


def _held(tile: int, keys: Sequence[int], melds: Sequence[Meld]) -> int:
    held = keys[tile // 9] >> BITS * (tile % 9) & COUNT
    for meld in melds:
        held += meld.tiles.count(tile)
    return held


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
    return waits_of_keys(suit_keys(concealed), melds, with_seven_pairs)


def waits_by_discard(
    concealed: Sequence[int], melds: Sequence[Meld] = (), *, with_seven_pairs: bool = False
) -> dict[int, tuple[int, ...]]:
    """For 17 tiles: each discard that leaves a waiting hand, and what it then waits for."""
    if len(concealed) + 3 * len(melds) != 17:
        return {}
    keys = suit_keys(concealed)
    found: dict[int, tuple[int, ...]] = {}
    for tile in sorted(set(concealed)):
        keys[tile // 9] -= STEP[tile]
        left = waits_of_keys(keys, melds, with_seven_pairs)
        keys[tile // 9] += STEP[tile]
        if left:
            found[tile] = left
    return found
