"""落點: the places of the winning tile in a division, and the shape of the wait at each."""

from collections.abc import Sequence

from scoring.hands.decomposition import Division
from scoring.hands.tables.suits import Set


def places(division: Division, winning_tile: int, *, one_is_enough: bool) -> list[Set | None]:
    """The places of the winning tile: a set of `division`, or the pair (None).

    `one_is_enough`: nothing that counts depends on the place. In most books this is so if the tile was drawn.
    """
    sets_by_place: list[Set | None] = []
    for tile_set in division.sets:
        if winning_tile in tile_set.tiles and tile_set not in sets_by_place:
            if one_is_enough:
                return [tile_set]
            sets_by_place.append(tile_set)
    if winning_tile == division.pair or any(winning_tile in group for group in division.loose):
        sets_by_place.append(None)
    return sets_by_place


def at_single_shape(tile: int, chow: Set) -> bool:
    """中洞, 邊張: whether the tile is the middle of its chow, or the only end that could complete it."""
    first, middle, last = chow.tiles
    return tile == middle or (tile == last and first % 9 == 0) or (tile == first and last % 9 == 8)


def past_other_end(tile: int, chow: Set) -> int:
    """The tile past the other end of a chow that this tile ends. -1 if the tile is the middle or there is none."""
    first, _, last = chow.tiles
    if tile == first and last % 9 < 8:
        return last + 1
    return first - 1 if tile == last and first % 9 > 0 else -1


def at_two_sided_end(tile: int, chow: Set, waits: Sequence[int]) -> bool:
    """聽雙頭: whether the tile ends its chow and the tile past the other end would have won too."""
    return past_other_end(tile, chow) in waits
