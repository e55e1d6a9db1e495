"""數目: the closed list of numbers that an own pattern may ask for (`number`) or be counted by (`each`).

Each is declared once, with the greatest number that matters. A hand's number is a sum of bits, one for each step, so
that it is part of the hand's traits. House books name them: none is ever taken out or made to mean something else.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import NamedTuple

from scoring.hands.interpretation import Reading, own_trait
from scoring.hands.tables.suits import Set
from scoring.patterns.own import groups, shapes
from scoring.patterns.own.words import Group
from scoring.tiles import DRAGONS, HONORS, PLANTS, SEASONS, WINDS

Tiles = tuple[int, ...]
Of = Callable[[Reading], int]


class Number(NamedTuple):
    """One number under its id.

    `most`: a higher one counts as this. `of`: the number in a reading. `tiles`: the tiles that are counted, if they
    can be shown.
    """

    id: str
    group: Group
    most: int
    of: Of
    tiles: Callable[[Reading], Tiles] | None = None


def _sets(id_: str, group: Group, is_one: Callable[[Set], bool], most: int = 5) -> Number:
    """The number of sets of a kind."""

    def tiles(reading: Reading) -> Tiles:
        return tuple([tile for tile_set in reading.sets if is_one(tile_set) for tile in tile_set.tiles])

    return Number(id_, group, most, lambda reading: sum(map(is_one, reading.sets)), tiles)


def _chows(reading: Reading) -> list[Set]:
    return [tile_set for tile_set in reading.sets if not tile_set.is_pung]


def _suits_by_rank(sets: Iterable[Set]) -> Iterable[Counter[int]]:
    """By rank of the first tile: how many of the sets each suit has."""
    by_rank: dict[int, Counter[int]] = {}
    for tile_set in sets:
        if tile_set.first < HONORS[0]:
            by_rank.setdefault(tile_set.first % 9, Counter())[tile_set.first // 9] += 1
    return by_rank.values()


def _pairs_of_suits(sets: Iterable[Set]) -> int:
    """How many pairs of the sets, each set in one pair, are the same in two suits; none if all three suits have it."""
    pairs = 0
    for suits in _suits_by_rank(sets):
        if len(suits) == 2:
            pairs += min(suits.values())
    return pairs


def _equal_chows(reading: Reading) -> int:
    """一般高: two equal chows are one, four equal ones two; three are 三般高."""
    return sum(number // 2 for number in Counter(chow.first for chow in _chows(reading)).values() if number != 3)


def _old_young(reading: Reading) -> int:
    """老少: 123 and 789 of a suit, each chow in one pair."""
    firsts = Counter(chow.first for chow in _chows(reading))
    return sum(min(firsts[9 * suit], firsts[9 * suit + 6]) for suit in range(3))


def _number_of(find: Callable[[Reading], list[int]]) -> Of:
    return lambda reading: len(find(reading))


def _loose_flowers(reading: Reading) -> int:
    """Flowers of other seats that are not part of a complete set of four."""
    flowers = {*reading.facts.flowers}
    sets = [colour for colour in (SEASONS, PLANTS) if flowers.issuperset(colour)]
    return len(flowers.difference(*sets, reading.facts.own_seat_flowers))


def _most_of_one_rank(reading: Reading) -> int:
    """同順: the most chows that begin with the same rank, in whatever suits."""
    return max(Counter(chow.first % 9 for chow in _chows(reading)).values(), default=0)


def _suited_pungs(reading: Reading) -> set[int]:
    return {pung.first for pung in reading.pungs if pung.first < HONORS[0]}


def _old_young_pungs(reading: Reading) -> int:
    pungs = _suited_pungs(reading)
    return sum({9 * suit, 9 * suit + 8} <= pungs for suit in range(3))


def _brothers(reading: Reading, *, with_pair: bool) -> int:
    """二兄弟: ranks of pungs in exactly two suits, whose third suit is the pair (小三兄弟) or is not."""
    pungs, number = _suited_pungs(reading), 0
    for rank in range(9):
        missing = [9 * suit + rank for suit in range(3) if 9 * suit + rank not in pungs]
        number += len(missing) == 1 and (reading.pair == missing[0]) == with_pair
    return number


def _sisters(reading: Reading, *, with_pair: bool) -> int:
    """三姊妹: suits with three pungs in a row, or with the pair in place of one of them (小三姊妹)."""
    pungs, number = _suited_pungs(reading), 0
    runs = [[{9 * suit + rank + step for step in range(3)} for rank in range(7)] for suit in range(3)]
    for of_suit in runs:
        big = any(run <= pungs for run in of_suit)
        small = any(reading.pair in run and run - {reading.pair} <= pungs for run in of_suit)
        number += (small and not big) if with_pair else big
    return number


def _concealed_pungs(reading: Reading) -> int:
    return len(reading.concealed_pungs)


def _concealed_pungs_or_kongs(reading: Reading) -> int:
    return len(reading.concealed_pungs) + sum(pung.kind == "kong" and not pung.concealed for pung in reading.pungs)


def _own_flowers(reading: Reading) -> int:
    return sum(flower in reading.facts.flowers for flower in reading.facts.own_seat_flowers)


def _declare() -> Iterable[Number]:
    yield Number("waits", "wait", 10, lambda reading: len(reading.facts.waits), lambda reading: reading.facts.waits)
    yield Number("calls", "melds", 5, lambda reading: sum(meld.exposed for meld in reading.facts.hand.melds))
    yield Number("melds", "melds", 5, lambda reading: len(reading.facts.hand.melds))
    yield _sets("kongs", "melds", lambda tile_set: tile_set.kind == "kong")
    yield _sets("concealed_kongs", "melds", lambda tile_set: tile_set.kind == "kong" and tile_set.concealed)
    yield _sets("exposed_kongs", "melds", lambda tile_set: tile_set.kind == "kong" and not tile_set.concealed)
    yield Number("flowers", "flowers", 8, lambda reading: len(reading.facts.flowers))
    yield Number("own_flowers", "flowers", 2, _own_flowers)
    yield Number("other_flowers", "flowers", 6, lambda reading: len(reading.facts.flowers) - _own_flowers(reading))
    yield Number("loose_flowers", "flowers", 6, _loose_flowers)
    yield Number("suits", "suits", 3, lambda reading: (reading.facts.suit_mask & 7).bit_count())
    yield _sets("wind_pungs", "honors", lambda tile_set: tile_set.is_pung and tile_set.first in WINDS, 4)
    yield _sets("dragon_pungs", "honors", lambda tile_set: tile_set.is_pung and tile_set.first in DRAGONS, 3)
    yield _sets("pungs", "sets", lambda tile_set: tile_set.is_pung)
    yield Number("concealed_pungs", "sets", 5, _concealed_pungs)
    yield Number("same_pungs_two_suits", "sets", 2, lambda reading: _pairs_of_suits(reading.pungs))
    yield Number("four_with_pung", "sets", 4, _number_of(groups.four_with_pung))
    yield Number("four_with_pair", "sets", 1, _number_of(groups.four_with_pair))
    yield Number("four_in_chows", "sets", 3, _number_of(groups.four_in_chows))
    yield Number("two_brothers", "sets", 2, partial(_brothers, with_pair=False))
    yield Number("small_three_brothers", "sets", 1, partial(_brothers, with_pair=True))
    yield Number("small_three_sisters", "sets", 1, partial(_sisters, with_pair=True))
    yield Number("big_three_sisters", "sets", 1, partial(_sisters, with_pair=False))
    yield Number("old_and_young_pungs", "sets", 2, _old_young_pungs)
    yield _sets("chows", "chows", lambda tile_set: not tile_set.is_pung)
    yield Number("chows_of_one_rank", "chows", 5, _most_of_one_rank)
    yield _sets("called_chows", "chows", lambda tile_set: not tile_set.is_pung and tile_set.melded)
    yield _sets("closed_chows", "chows", lambda tile_set: not tile_set.is_pung and not tile_set.melded)
    yield Number("same_chow_pairs", "chows", 2, _equal_chows)
    yield Number("same_chows_two_suits", "chows", 2, lambda reading: _pairs_of_suits(_chows(reading)))
    yield Number("old_and_young", "chows", 2, _old_young)
    yield from _of_groups()


def _of_groups() -> Iterable[Number]:
    """The numbers of combinations; most of them once for concealed and once for open ones."""
    yield Number("wind_kinds", "honors", 4, lambda reading: len({*reading.tiles} & {*WINDS}))
    yield Number("dragon_kinds", "honors", 3, lambda reading: len({*reading.tiles} & {*DRAGONS}))
    yield Number("pairs_of_258", "sets", 8, shapes.pairs_of_258)
    yield Number("common_ranks", "sets", 3, shapes.common_ranks)
    yield Number("concealed_pungs_or_kongs", "sets", 5, _concealed_pungs_or_kongs)
    yield Number("pungs_beside", "sets", 4, groups.pungs_beside)
    yield Number("pung_rows", "sets", 3, groups.pungs_in_rows(one_suit=True, with_pair=False))
    yield Number("pung_rows_with_pair", "sets", 3, groups.pungs_in_rows(one_suit=True, with_pair=True))
    yield Number("mixed_pung_rows", "sets", 3, groups.pungs_in_rows(one_suit=False, with_pair=False))
    yield Number("mixed_pung_rows_with_pair", "sets", 3, groups.pungs_in_rows(one_suit=False, with_pair=True))
    for concealed, begin in ((True, "concealed"), (False, "open")):
        for end, most, find in _FOURS:
            yield Number(f"{begin}_{end}", "sets", most, groups.number_of_fours(find, concealed=concealed))
        for end, (family, most) in groups.FAMILIES.items():
            yield Number(f"{begin}_{end}", "chows", most, groups.number_of(family, concealed=concealed))
        in_suits = groups.chows_in_three_suits(concealed=concealed)
        yield Number(f"{begin}_chows_in_three_suits", "chows", 5, in_suits)
    yield Number("disjoint_meetings", "chows", 2, groups.disjoint_meetings)
    yield Number("old_and_young_alone", "chows", 6, groups.old_and_young_alone)


_FOURS = (
    ("fours", 4, groups.held_four),
    ("four_with_pung", 4, groups.four_with_pung),
    ("four_with_pair", 1, groups.four_with_pair),
    ("four_in_chows", 3, groups.four_in_chows),
)


NUMBERS: Mapping[str, Number] = MappingProxyType({number.id: number for number in _declare()})
"""Every number, in the order of the lists."""


class _Kept:
    """A number that remembers the last reading, which is asked about each of its steps in turn."""

    __slots__ = ("_last", "_of")

    def __init__(self, of: Of) -> None:
        self._of = of
        self._last: tuple[Reading | None, int] = (None, 0)

    def at_least(self, number: int, reading: Reading) -> bool:
        last, value = self._last
        if last is not reading:
            value = self._of(reading)
            self._last = (reading, value)  # in one step: several threads may ask
        return value >= number


@cache
def bits_of_number(id_: str) -> int:
    """The bits of a number, one for each step: so many of them has a hand with that number."""
    number = NUMBERS[id_]
    kept = _Kept(number.of)
    return sum([own_trait(partial(kept.at_least, step)) for step in range(1, number.most + 1)])
