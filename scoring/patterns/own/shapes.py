"""形: tests that only own patterns need: combinations of sets, and the places of terminals and honors."""

from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from itertools import product

from scoring.hands.interpretation import Reading
from scoring.hands.tables.suits import Set
from scoring.tiles import DRAGONS as DRAGON_TILES
from scoring.tiles import WINDS as WIND_TILES

Tiles = tuple[int, ...]
Found = list[Set]
_HONOR_SUIT = 27


def of_sets(
    find: Callable[[Reading, int], Found],
) -> tuple[Callable[[Reading], bool], Callable[[Reading], bool], Callable[[Reading], Tiles]]:
    """Three functions: whether the sets are all there, whether all but one are, and their tiles.

    find: returns the sets of a reading if at most the given number is missing, else [].
    """

    def holds(reading: Reading) -> bool:
        return bool(find(reading, 0))

    def near(reading: Reading) -> bool:
        return bool(find(reading, 1))

    def tiles(reading: Reading) -> Tiles:
        return tuple([tile for set_ in find(reading, 0) for tile in set_.tiles])

    return holds, near, tiles


def _by_first(sets: Found) -> dict[int, Set]:
    return {set_.first: set_ for set_ in sets}


def _chows(reading: Reading) -> Found:
    return [set_ for set_ in reading.sets if not set_.is_pung]


def _together(sets: dict[int, Set], wanted: list[list[int]], fewer: int) -> Found:
    """The first list of which at most `fewer` sets are missing."""
    for firsts in wanted:
        present = [sets[first] for first in firsts if first in sets]
        if len(present) >= len(firsts) - fewer:
            return present
    return []


_STRAIGHTS = [[9 * suit + rank for rank in (0, 3, 6)] for suit in range(3)]
_ALIKE = [[9 * suit + rank for suit in range(3)] for rank in range(9)]


def straight(reading: Reading, fewer: int) -> Found:
    """一條龍: the chows 123, 456 and 789 of one suit."""
    return _together(_by_first(_chows(reading)), _STRAIGHTS, fewer)


def closed_straight(reading: Reading, fewer: int) -> Found:
    """暗龍: a straight of which no chow was called."""
    return _together(_by_first([chow for chow in _chows(reading) if not chow.melded]), _STRAIGHTS, fewer)


def called_straight(reading: Reading, fewer: int) -> Found:
    """明龍: a straight with a called chow, and no other without."""
    return [] if closed_straight(reading, 0) else straight(reading, fewer)


def mixed_straight(reading: Reading, fewer: int) -> Found:
    """雜龍: chows 123, 456 and 789 that are not all of one suit."""
    return _mixed(_chows(reading), fewer)


def closed_mixed_straight(reading: Reading, fewer: int) -> Found:
    """暗雜龍: the same, of which no chow was called."""
    return _mixed([chow for chow in _chows(reading) if not chow.melded], fewer)


def _mixed(chows: Found, fewer: int) -> Found:
    if fewer:
        return []
    parts = [[chow for chow in chows if chow.first % 9 == rank] for rank in (0, 3, 6)]
    return next(([*three] for three in product(*parts) if len({chow.first // 9 for chow in three}) > 1), [])


def with_one_rank(reading: Reading) -> bool:
    """帶X: whether each set and pair of suits has a tile of one rank from 2 to 8."""
    groups = [tiles for tiles in _groups(reading) if tiles[0] < _HONOR_SUIT]
    return bool(groups) and any(all(rank in [tile % 9 for tile in tiles] for tiles in groups) for rank in range(1, 8))


def same_chows(reading: Reading, fewer: int) -> Found:
    """三相逢: the same chow in all three suits."""
    return _together(_by_first(_chows(reading)), _ALIKE, fewer)


def same_pungs(reading: Reading, fewer: int) -> Found:
    """三同刻: the same pung in all three suits."""
    return _together(_by_first(reading.pungs), _ALIKE, fewer)


def chows_alike(number: int) -> Callable[[Reading, int], Found]:
    """一般高: `number` equal chows. A hand with one of two is not reported as near."""

    def find(reading: Reading, fewer: int) -> Found:
        chows = _chows(reading)
        counts = Counter(set_.first for set_ in chows)
        least = number - fewer
        first = next((first for first, count in sorted(counts.items()) if count >= least > 1), None)
        return [set_ for set_ in chows if set_.first == first][:number]

    return find


def chow_from(firsts: AbstractSet[int]) -> Callable[[Reading, int], Found]:
    """A chow that begins with one of these tiles."""
    return lambda reading, fewer: [] if fewer else [set_ for set_ in _chows(reading) if set_.first in firsts][:1]


def pung_from(tile: int) -> Callable[[Reading, int], Found]:
    """A pung or kong of this tile."""
    return lambda reading, fewer: [] if fewer else [set_ for set_ in reading.pungs if set_.first == tile]


def has_chow(reading: Reading) -> bool:
    """Whether a set is a chow."""
    return reading.chows > 0


def has_pung(reading: Reading) -> bool:
    """Whether a set is a pung or a kong."""
    return bool(reading.pungs)


def pair_of(tile: int) -> Callable[[Reading], bool]:
    """Whether the pair, or one of several, is of this tile."""
    return lambda reading: tile == reading.pair or (tile, tile) in reading.loose


def pung_of(wanted: Callable[[Reading], AbstractSet[int]]) -> Callable[[Reading], Tiles]:
    """The tiles of the pungs of these tiles."""
    return lambda reading: tuple(
        [tile for set_ in reading.pungs if set_.first in wanted(reading) for tile in set_.tiles]
    )


WINDS = pung_of(lambda _: frozenset(WIND_TILES))
DRAGONS = pung_of(lambda _: frozenset(DRAGON_TILES))


def seat_is_round_wind(reading: Reading) -> bool:
    """Whether the wind of the seat is that of the round."""
    return reading.facts.seat_wind == reading.facts.round_wind


def suited(reading: Reading) -> int:
    """How many of 萬筒索 there are."""
    return (reading.facts.suit_mask & 7).bit_count()


def five_kinds(reading: Reading) -> bool:
    """五門齊: all three suits, a wind and a dragon."""
    tiles = set(reading.tiles)
    return suited(reading) == 3 and not tiles.isdisjoint(WIND_TILES) and not tiles.isdisjoint(DRAGON_TILES)


def _outside(tile: int) -> bool:
    return tile >= _HONOR_SUIT or tile % 9 in (0, 8)


def all_inside(reading: Reading) -> bool:
    """斷么: no tile is a terminal or an honor."""
    return not any(map(_outside, reading.tiles))


def all_outside(reading: Reading) -> bool:
    """混老頭, 清老頭, 字一色: every tile is a terminal or an honor."""
    return all(map(_outside, reading.tiles))


def _groups(reading: Reading) -> list[Tiles]:
    """The sets and the pair, or of another shape all pairs and single tiles, each with its tiles."""
    return [*(set_.tiles for set_ in reading.sets), *(reading.loose or ((reading.pair,),))]


def inside(reading: Reading) -> int:
    """How many of the sets and pairs have no terminal and no honor."""
    return sum([not any(map(_outside, tiles)) for tiles in _groups(reading)])


def every_outside(reading: Reading) -> bool:
    """全帶么: each set and the pair have a terminal or an honor."""
    return not inside(reading)


def every_terminal(reading: Reading) -> bool:
    """純全帶么: each set and the pair contain a terminal; no honors."""
    return not inside(reading) and max(reading.tiles) < _HONOR_SUIT
