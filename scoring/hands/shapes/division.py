"""別種牌形的拆法: every way in which 17 closed tiles are one of the shapes that a book may allow."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

from scoring.hands.decomposition import Division
from scoring.hands.shapes.declared import APART_TILES, SUITS, Shape
from scoring.hands.tables.suits import CHOWS, PUNGS, Set
from scoring.tiles import BITS, COUNT, HONORS, KINDS

Group = tuple[int, ...]
Parts = tuple[int, int, int, int]
"""So many sets, pungs, pairs and singles."""
NO_PAIR = -1
_MOST_OF_A_KIND = 4


def divide(shape: Shape, keys: Sequence[int]) -> list[Division]:
    """Every division of closed tiles into the parts of a shape; empty if they are not of that shape.

    keys: the tiles (`scoring.hands.tables.suits.suit_keys`).

    >>> from scoring.hands.notation import parse_tiles
    >>> from scoring.hands.shapes.declared import SHAPES
    >>> from scoring.hands.tables.suits import suit_keys
    >>> [division.sets for division in divide(SHAPES[0], suit_keys(parse_tiles("1144m1144p1144s55777z")))]
    [(Set(kind='pung', first=33, tiles=(33, 33, 33), concealed=True, melded=False),)]
    """
    held = [keys[tile // 9] >> BITS * (tile % 9) & COUNT for tile in range(KINDS)]
    if sum(held) != shape.tiles or max(held) > _MOST_OF_A_KIND:
        return []
    divisions = {_division(shape, sets, loose): None for sets, loose in _sets_and_groups(shape, held)}
    return [*divisions]


def _division(shape: Shape, sets: Sequence[Set], loose: Sequence[Group]) -> Division:
    pair = next((group[0] for group in loose if len(group) == 2), NO_PAIR)
    pungs = sum([tile_set.is_pung for tile_set in sets])
    return Division(tuple(sets), pair, tuple(loose), pungs, shape)


def _sets_and_groups(shape: Shape, held: Sequence[int]) -> Iterator[tuple[list[Set], list[Group]]]:
    """The sets, and all tiles outside sets as pairs and singles, both in tile order."""
    parts = (shape.sets, shape.pungs, shape.pairs, shape.singles)
    for apart in _apart(shape, held):
        once = [*shape.each, *apart]
        left = [*held]
        for tile in once:
            left[tile] -= 1
        if min(left) < 0:
            continue
        for again in combinations(sorted({tile for tile in once if left[tile]}), shape.again):
            rest = [number - (tile in again) for tile, number in enumerate(left)]
            loose: list[Group] = [(tile,) * (1 + (tile in again)) for tile in once]
            for sets, groups in _groups(rest, 0, parts):
                yield sorted(sets, key=_first), sorted(loose + groups)


def _first(tile_set: Set) -> int:
    return tile_set.first


def _apart(shape: Shape, held: Sequence[int]) -> Iterator[Group]:
    """The tiles of 萬筒索 that stand apart: three of each suit, or none if the shape has no such tiles."""
    if not shape.apart:
        yield ()
        return
    of_suits = [
        [
            tiles
            for tiles in combinations([9 * suit + rank for rank in range(9) if held[9 * suit + rank]], APART_TILES)
            if all(high - low >= shape.apart for low, high in pairwise(tiles))
        ]
        for suit in range(SUITS)
    ]
    for tiles in product(*of_suits):
        yield tuple([tile for of_suit in tiles for tile in of_suit])


def _groups(left: Sequence[int], tile: int, parts: Parts) -> Iterator[tuple[list[Set], list[Group]]]:
    """Every way to take all tiles from `tile` on as the parts."""
    while tile < KINDS and not left[tile]:
        tile += 1
    if tile == KINDS:
        if not any(parts):
            yield [], []
        return
    number = left[tile]
    sets, pungs, pairs, singles = parts
    for chosen, more_sets, more_pungs, more_pairs, more_singles in _OF_A_KIND[number]:
        chows = number - chosen
        rest_parts = (sets - more_sets - chows, pungs - more_pungs, pairs - more_pairs, singles - more_singles)
        if min(rest_parts) < 0 or (chows and not _has_chows(left, tile, chows)):
            continue
        rest = [*left]
        rest[tile] = 0
        for place in (1, 2) if chows else ():
            rest[tile + place] -= chows
        begun = [PUNGS[tile]] * (more_sets + more_pungs) + ([CHOWS[tile]] * chows if chows else [])
        loose: list[Group] = [(tile, tile)] * more_pairs + [(tile,)] * more_singles
        for others, groups in _groups(rest, tile + 1, rest_parts):
            yield begun + others, loose + groups


def _has_chows(left: Sequence[int], tile: int, number: int) -> bool:
    return tile < HONORS[0] and tile % 9 < 7 and min(left[tile + 1], left[tile + 2]) >= number


_OF_A_KIND = [
    [
        (3 * (pung_set + pung) + 2 * pairs + singles, pung_set, pung, pairs, singles)
        for pung_set, pung, pairs, singles in product((0, 1), (0, 1), (0, 1, 2), range(5))
        if 3 * (pung_set + pung) + 2 * pairs + singles <= number
    ]
    for number in range(_MOST_OF_A_KIND + 1)
]
"""By how many of a kind there are: the tiles taken, and the pungs as sets, other pungs, pairs and singles they make."""
