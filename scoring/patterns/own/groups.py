"""組合: the combinations of sets that own patterns count, one for each way to choose them, open and concealed apart.

A set is open (明) if it was called or if another's tile completed it, otherwise concealed (暗). A combination is open
if a set of it is. A set may be part of several combinations: 123 456 789 789 of one suit are two straights.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, permutations, product

from scoring.hands.interpretation import Reading
from scoring.tiles import HONORS

Chosen = tuple[int, ...]
"""Places in `Reading.sets`."""
Find = Callable[[Reading], Iterable[Chosen]]
Row = tuple[int, ...]
"""The first tiles of the sets of a combination."""

_SUITS = range(3)
ONE_SUIT = [(suit,) * 3 for suit in _SUITS]
ALL_SUITS = [*permutations(_SUITS)]


def rows(gap: int, suits: Iterable[Sequence[int]], ranks: int) -> list[Row]:
    """Every row of three first tiles that are `gap` ranks apart. ranks: how many ranks a set can begin with."""
    return [
        tuple([9 * suit + low + gap * step for step, suit in enumerate(three)])
        for low in range(ranks - 2 * gap)
        for three in suits
    ]


_CHOW_RANKS, _PUNG_RANKS = 7, 9
_STRAIGHTS = rows(3, ONE_SUIT, _CHOW_RANKS)
_MIXED_STRAIGHTS = rows(3, ALL_SUITS, _CHOW_RANKS)
_STEPS = rows(1, ONE_SUIT, _CHOW_RANKS)
_TWO_STEPS = rows(2, ONE_SUIT, _CHOW_RANKS)
_MIXED_STEPS = rows(1, ALL_SUITS, _CHOW_RANKS)
_PUNG_ROWS = rows(1, ONE_SUIT, _PUNG_RANKS)
_MIXED_PUNG_ROWS = rows(1, ALL_SUITS, _PUNG_RANKS)
_PUNGS_BESIDE = [(9 * suit + rank, 9 * suit + rank + 1) for suit in _SUITS for rank in range(8)]


def open_places(reading: Reading) -> frozenset[int]:
    """The places of the open sets."""
    places = {place for place, tile_set in enumerate(reading.sets) if not tile_set.concealed}
    if reading.place is not None and not reading.facts.drawn:
        places.add(reading.sets.index(reading.place))
    return frozenset(places)


def _chow_places(reading: Reading) -> dict[int, list[int]]:
    """The places of the chows by first tile, concealed ones first."""
    is_open = open_places(reading)
    places: dict[int, list[int]] = {}
    for place, tile_set in enumerate(reading.sets):
        if not tile_set.is_pung:
            places.setdefault(tile_set.first, []).append(place)
    return {first: sorted(of_first, key=lambda place: place in is_open) for first, of_first in places.items()}


def _in_rows(wanted: Sequence[Row]) -> Find:
    """Each choice of one chow for every first tile of a row."""

    def find(reading: Reading) -> Iterator[Chosen]:
        places = _chow_places(reading) if reading.chows > 2 else {}
        for row in wanted if len(places) > 2 else ():
            if row[0] in places and row[1] in places and row[2] in places:
                yield from product(*[places[first] for first in row])

    return find


def _equal(number: int) -> Find:
    """So many equal chows, each chow in one combination."""

    def find(reading: Reading) -> Iterator[Chosen]:
        for places in _chow_places(reading).values():
            for begin in range(0, len(places) - number + 1, number):
                yield tuple(places[begin : begin + number])

    return find


def _twins(reading: Reading) -> Iterator[Chosen]:
    """雙般高: two equal chows, and two other equal ones."""
    pairs = [tuple(places[:2]) for places in _chow_places(reading).values() if len(places) >= 2]
    for first, second in combinations(pairs, 2):
        yield first + second


def _small_twins(reading: Reading) -> Iterator[Chosen]:
    """小雙般高: two equal chows and the pair of the tile before or after them (22334455)."""
    pair, places = reading.pair, _chow_places(reading)
    if not 0 <= pair < HONORS[0]:
        return
    for first, beside in ((pair + 1, pair % 9 < 6), (pair - 3, pair % 9 > 2)):
        if beside and len(places.get(first, ())) >= 2:
            yield tuple(places[first][:2])


def _in_three_suits(reading: Reading) -> Iterator[Chosen]:
    """相逢: all chows of the same ranks, if all three suits have one."""
    places = _chow_places(reading)
    for rank in range(_CHOW_RANKS):
        of_suits = [places.get(9 * suit + rank, []) for suit in _SUITS]
        if all(of_suits):
            yield tuple(chain(*of_suits))


FAMILIES: dict[str, tuple[Find, int]] = {
    "straights": (_in_rows(_STRAIGHTS), 4),
    "mixed_straights": (_in_rows(_MIXED_STRAIGHTS), 4),
    "chow_steps": (_in_rows(_STEPS), 4),
    "chow_double_steps": (_in_rows(_TWO_STEPS), 4),
    "mixed_chow_steps": (_in_rows(_MIXED_STEPS), 4),
    "equal_chows": (_equal(2), 2),
    "three_equal_chows": (_equal(3), 1),
    "four_equal_chows": (_equal(4), 1),
    "small_twins": (_small_twins, 2),
    "twins": (_twins, 1),
}
"""組合 of chows: the end of the two numbers' ids -> how they are found, and the most of them."""


def number_of(find: Find, *, concealed: bool) -> Callable[[Reading], int]:
    """How many combinations are concealed, or open."""

    def number(reading: Reading) -> int:
        is_open = open_places(reading)
        return sum([is_open.isdisjoint(chosen) == concealed for chosen in find(reading)])

    return number


def chows_in_three_suits(*, concealed: bool) -> Callable[[Reading], int]:
    """三相逢 to 五相逢: how many chows are the same in all three suits, if they are concealed, or if one is open."""

    def number(reading: Reading) -> int:
        is_open = open_places(reading)
        return max(
            [len(chosen) for chosen in _in_three_suits(reading) if is_open.isdisjoint(chosen) == concealed], default=0
        )

    return number


def held_four(reading: Reading) -> list[int]:
    """四歸: kinds of which the hand holds all four, none of them a kong."""
    kongs = {tile_set.first for tile_set in reading.sets if tile_set.kind == "kong"}
    return [tile for tile, number in sorted(Counter(reading.tiles).items()) if number == 4 and tile not in kongs]


def four_with_pung(reading: Reading) -> list[int]:
    """四歸一: a pung, and the fourth tile in a chow or elsewhere."""
    pungs = {tile_set.first for tile_set in reading.pungs}
    return [tile for tile in held_four(reading) if tile in pungs]


def four_with_pair(reading: Reading) -> list[int]:
    """四歸二: the pair, and two in chows."""
    return [tile for tile in held_four(reading) if tile == reading.pair]


def four_in_chows(reading: Reading) -> list[int]:
    """四歸四: one tile in each of four chows."""
    pungs = {tile_set.first for tile_set in reading.pungs}
    return [tile for tile in held_four(reading) if tile not in pungs and tile != reading.pair]


def number_of_fours(find: Callable[[Reading], list[int]], *, concealed: bool) -> Callable[[Reading], int]:
    """How many of the kinds are concealed, or open: one of the four lies in an open set, or won as another's tile."""

    def number(reading: Reading) -> int:
        shown = {tile for place in open_places(reading) for tile in reading.sets[place].tiles}
        if not reading.facts.drawn and reading.facts.winning_tile is not None:
            shown.add(reading.facts.winning_tile)
        return sum([(tile not in shown) == concealed for tile in find(reading)])

    return number


def disjoint_meetings(reading: Reading) -> int:
    """相逢 that share no chow: pairs of the same chow in two suits, each chow in one pair."""
    by_rank: dict[int, list[int]] = {}
    for first, places in _chow_places(reading).items():
        by_rank.setdefault(first % 9, []).append(len(places))
    return sum([min(sum(numbers) // 2, sum(numbers) - max(numbers)) for numbers in by_rank.values()])


def old_and_young_alone(reading: Reading) -> int:
    """老少: every choice of a 123 and a 789 of one suit that has no 456."""
    places = _chow_places(reading)
    numbers = [[len(places.get(9 * suit + rank, ())) for rank in (0, 3, 6)] for suit in _SUITS]
    return sum([low * high for low, middle, high in numbers if not middle])


def _pung_firsts(reading: Reading) -> set[int]:
    return {pung.first for pung in reading.pungs if pung.first < HONORS[0]}


def pungs_beside(reading: Reading) -> int:
    """二連刻: pungs of two ranks in a row in one suit."""
    pungs = _pung_firsts(reading)
    return sum([pungs.issuperset(two) for two in _PUNGS_BESIDE])


def pungs_in_rows(*, one_suit: bool, with_pair: bool) -> Callable[[Reading], int]:
    """連刻: rows of three ranks, in one suit or one in each, that are pungs, or two pungs and the pair."""
    wanted = [frozenset(row) for row in (_PUNG_ROWS if one_suit else _MIXED_PUNG_ROWS)]

    def number(reading: Reading) -> int:
        pungs = _pung_firsts(reading)
        if not with_pair:
            return sum([row <= pungs for row in wanted])
        return sum([reading.pair in row and row - {reading.pair} <= pungs for row in wanted])

    return number
