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


def _rank(tile: int) -> int:
    """0 for 1, up to 8 for 9; honors have none (-1)."""
    return tile % 9 if tile < _HONOR_SUIT else -1


def no_fives(reading: Reading) -> bool:
    """缺五: no 5 of any suit."""
    return all(_rank(tile) != 4 for tile in reading.tiles)


def all_above_five(reading: Reading) -> bool:
    """大於五: every tile is a 6, 7, 8 or 9."""
    return all(_rank(tile) > 4 for tile in reading.tiles)


def all_below_five(reading: Reading) -> bool:
    """小於五: every tile is a 1, 2, 3 or 4."""
    return all(0 <= _rank(tile) < 4 for tile in reading.tiles)


def five_kinds_in_sets(reading: Reading) -> bool:
    """大五門齊: a set of each suit, one of winds and one of dragons."""
    firsts = {set_.first for set_ in reading.sets}
    suits = {first // 9 for first in firsts if first < _HONOR_SUIT}
    return len(suits) == 3 and not firsts.isdisjoint(WIND_TILES) and not firsts.isdisjoint(DRAGON_TILES)


def pairs_of_258(reading: Reading) -> int:
    """將眼: how many pairs are a 2, 5 or 8."""
    pairs = [group[0] for group in reading.loose if len(group) == 2] or ([] if reading.loose else [reading.pair])
    return sum(_rank(pair) in (1, 4, 7) for pair in pairs)


def common_ranks(reading: Reading) -> int:
    """混帶: how many ranks are in each set and pair of suits; none without a set of suits."""
    if not any(set_.first < _HONOR_SUIT for set_ in reading.sets):
        return 0
    groups = [tiles for tiles in _groups(reading) if tiles[0] < _HONOR_SUIT]
    return len(set.intersection(*({tile % 9 for tile in tiles} for tiles in groups)))


def _ranks_of_suits(reading: Reading) -> list[set[int]]:
    return [{tile % 9 for tile in reading.tiles if tile // 9 == suit} for suit in range(3)]


def suits_share_ranks(reading: Reading) -> bool:
    """不搭三相逢: all three suits have tiles of the same ranks."""
    ranks = _ranks_of_suits(reading)
    return bool(ranks[0]) and ranks[0] == ranks[1] == ranks[2]


def suits_split_ranks(reading: Reading) -> bool:
    """不搭雜龍: each rank from 1 to 9 in one suit, and only in that one."""
    ranks = _ranks_of_suits(reading)
    return all(sum(rank in of_suit for of_suit in ranks) == 1 for rank in range(9))


def every_chow_meets(reading: Reading) -> bool:
    """全姊妹: five chows, each with the same chow in another suit."""
    firsts = {chow.first for chow in _chows(reading)}
    return reading.chows == len(reading.sets) == 5 and all(
        any(other % 9 == first % 9 and other != first for other in firsts) for first in firsts
    )


def _stairs(reading: Reading) -> list[int]:
    """The suits of five chows that begin with five ranks in a row, from the lowest; empty if they do not."""
    firsts = sorted([chow.first for chow in _chows(reading)], key=_rank)
    ranks = [first % 9 for first in firsts]
    in_a_row = len(firsts) == 5 and ranks == [*range(ranks[0], ranks[0] + 5)]
    return [first // 9 for first in firsts] if in_a_row else []


def stairs(reading: Reading) -> bool:
    """樓梯: five chows that begin with five ranks in a row, in any suits."""
    return bool(_stairs(reading))


def even_stairs(reading: Reading) -> bool:
    """五步高: 樓梯 in one suit, or in three suits in turn (the fourth as the first, the fifth as the second)."""
    suits = _stairs(reading)
    return bool(suits) and (len({*suits}) == 1 or (len({*suits[:3]}) == 3 and suits[:2] == suits[3:]))


def closed_but_kongs(reading: Reading) -> bool:
    """門前清: no chow or pung was called; kongs do not matter."""
    return all(set_.concealed or set_.kind == "kong" for set_ in reading.sets)


def _shown(reading: Reading, tile: int) -> int:
    """How many of a kind lie in one's own exposed melds."""
    return sum(meld.tiles.count(tile) for meld in reading.facts.hand.melds if meld.exposed)


def other_three_shown(reading: Reading) -> bool:
    """明絕: the other three of the winning kind lie in one's own exposed melds."""
    tile = reading.facts.winning_tile
    return tile is not None and _shown(reading, tile) == 3


def one_tile_left(reading: Reading) -> bool:
    """絕絕: of two or more kinds waited for, one's own exposed melds leave a single tile."""
    waits = reading.facts.waits
    return len(waits) > 1 and sum(4 - _shown(reading, tile) for tile in waits) == 1


def fourth_of_kind(reading: Reading) -> bool:
    """Whether the winning tile is the fourth of its kind among the closed tiles."""
    tile = reading.facts.winning_tile
    return tile is not None and reading.facts.hand.concealed.count(tile) == 4
