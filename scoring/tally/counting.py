"""計台: which patterns of a book a hand has, and which of those count.

A pattern that is there counts unless one that counts excludes it. Exclusions of a book form no cycle, so there is one
answer, in any order. What two patterns are made of matters: 花槓 of the seasons leaves the plant of one's seat alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scoring.hands.interpretation import Facts, Reading
from scoring.hands.traits import bits
from scoring.patterns import DEFINITIONS, Miss
from scoring.patterns.definition import Definition, Tiles
from scoring.rulebook.loading import Rule, RuleBook
from scoring.tiles import index

Subject = Facts | Reading
# what few hands are: with the patterns that need none of it one looks at a fourth of a book
_SELDOM = bits(
    *("ready_declared", "heavenly_ready", "earthly_ready", "earthly_ready_one_shot", "early_ready", "heavenly_win"),
    *("earthly_win", "human_win", "dealt_flowers", "last_tile", "replacement", "blooms", "kong_replacement"),
    *("robbed_kong", "flower_win", "won_by_eight_flowers", "won_by_seven_rob_one", "all_seasons", "all_plants"),
    *("kong", "exposed_kong", "concealed_kong", "four_kongs", "five_kongs", "five_calls", "seven_pairs", "no_suit"),
    *("dragon_pung", "two_dragon_pungs", "three_dragon_pungs", "wind_pung", "seat_wind_pung", "round_wind_pung"),
    *("three_wind_pungs", "four_wind_pungs", "three_concealed_pungs", "four_concealed_pungs", "five_concealed_pungs"),
)
MOST_TALLIES = 1 << 14  # kept of one book, about 15 MB


class Line(NamedTuple):
    """A pattern that counts: its rule and how many times. `instances`: the tiles of each where not all count."""

    rule: Rule
    times: int
    instances: tuple[Tiles, ...] | None = None

    @property
    def tai(self) -> int:
        """台數 of all its times."""
        return self.rule.tai * self.times


class LeftOut(NamedTuple):
    """A pattern that is there and does not count, because of another that does; `instances` as of a line."""

    rule: Rule
    because: Rule
    instances: tuple[Tiles, ...] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Tally:
    """計台結果: the patterns that count in the book's order, those left out, and the tai. Compared by identity.

    `by_tiles`: what counts depended on the tiles of the patterns, not only on which of them are there.
    """

    tai: int
    lines: tuple[Line, ...]
    left_out: tuple[LeftOut, ...]
    by_tiles: bool = False


class Entry(NamedTuple):
    """A scored rule and its definition.

    `place`: of the rule among the scored rules of the book. `after`: ids of rules that may exclude it. `bit`,
    `after_bits`: of this rule and of those in `after`. `by_tiles`: the bits of those that exclude it only where they
    share a tile, as both are made of tiles. `once`: its line where it counts once.
    """

    rule: Rule
    definition: Definition
    place: int
    after: frozenset[str]
    bit: int
    after_bits: int
    by_tiles: int
    once: Line


Found = tuple[Entry, int]


class Plan:
    """計台順序: a book made ready to count hands, from its scored rules and their definitions.

    `asked`: the traits that any of its definitions looks at. `plants`: the tiles of 梅蘭菊竹 in seat order.
    `limited`: whether it has a least tai or a cap.
    `seven_pairs`: whether 嚦咕嚦咕 is a winning hand. `every_place`: whether it matters where in the division a tile
    stands that was drawn. What hands of the same traits count is kept,
    and what the same patterns count.
    """

    def __init__(self, book: RuleBook) -> None:
        scored = [rule for rule in book.patterns.values() if rule.scored]
        definitions = [DEFINITIONS[rule.definition] for rule in scored]
        bit_of = {rule.id: 1 << place for place, rule in enumerate(scored)}
        entries: list[Entry] = []
        for place, (rule, definition) in enumerate(zip(scored, definitions, strict=True)):
            excluders = [
                (other, its) for other, its in zip(scored, definitions, strict=True) if rule.id in other.excludes
            ]
            entry = Entry(
                rule=rule,
                definition=definition,
                place=place,
                after=frozenset(other.id for other, _ in excluders),
                bit=bit_of[rule.id],
                after_bits=sum(bit_of[other.id] for other, _ in excluders),
                by_tiles=sum(bit_of[other.id] for other, its in excluders if definition.tiles and its.tiles),
                once=Line(rule, 1),
            )
            if definition.scope != "settlement":
                entries.append(entry)
        self.book = book
        self.limited = bool(book.limits.least_tai or book.limits.tai_cap)
        self.plants = tuple(index(code) for code in book.plants)
        self.seven_pairs = "seven_pairs_and_pung" in bit_of
        self.every_place = any(definition.every_place for definition in definitions)
        self.entries = tuple(entries)
        self.flower_entries = tuple(entry for entry in entries if entry.definition.scope == "flowers")
        self.asked = 0
        for definition in definitions:
            self.asked |= definition.asks
        found = [(entry, 0 if entry.definition.each else 1) for entry in entries]  # 0: as often as its traits say
        self._alternatives = tuple((needed, one) for one in found for needed in one[0].definition.when)
        self._seldom = self.asked & _SELDOM
        self._possible: dict[int, list[tuple[int, Found]]] = {}
        self._tallies: dict[int, Tally] = {}
        self._counted: dict[tuple[int, ...], Tally] = {}

    def tally(self, reading: Reading) -> Tally:
        """What counts of one reading."""
        traits = reading.traits & self.asked
        tally = self._tallies.get(traits)
        if tally is None:
            found = self.hits(reading)
            key = tuple([entry.place << 4 | times for entry, times in found])
            tally = self._counted.get(key) or count(found, reading)
            if not tally.by_tiles:
                if len(self._tallies) >= MOST_TALLIES:
                    self._tallies.clear()
                    self._counted.clear()
                    self._possible.clear()
                self._tallies[traits] = self._counted[key] = tally
        return tally

    def hits(self, subject: Subject) -> list[Found]:
        """What is there and how many times, in the book's order; of facts alone what the flowers are."""
        traits = subject.traits
        lacking = self.asked & ~traits
        seldom = traits & self._seldom
        possible = self._possible.get(seldom)
        if possible is None:
            without = self._seldom & ~traits
            possible = [one for one in self._alternatives if not one[0] & without]
            self._possible[seldom] = possible
        there = [one for needed, one in possible if not needed & lacking]
        found = [one if one[1] else (one[0], one[0].definition.times(traits)) for one in there]
        if len({*map(id, there)}) < len(there):  # a pattern that is there by two of its alternatives
            found = [one for place, one in enumerate(found) if not place or one[0] is not found[place - 1][0]]
        if isinstance(subject, Reading):
            return found
        return [one for one in found if one[0].definition.scope == "flowers"]

    def misses(self, facts: Facts, reading: Reading | None) -> list[tuple[Rule, Miss]]:
        """Every scored pattern that is not there, each with the reason why.

        Without a reading (a hand that stays closed) only those of the flowers.
        """
        entries = self.flower_entries if reading is None else self.entries
        outcomes = [(entry.rule, entry.definition.look(reading or facts)) for entry in entries]
        return [(rule, outcome) for rule, outcome in outcomes if isinstance(outcome, Miss)]


@lru_cache(maxsize=256)
def plan_of(book: RuleBook) -> Plan:
    """The plan of a book, made once."""
    return Plan(book)


def instances_of(rule: Rule, subject: Subject) -> tuple[Tiles, ...]:
    """The tiles of each time that a rule's pattern is there in a reading, or in the facts alone."""
    return DEFINITIONS[rule.definition].instances(subject)


def count(found: Sequence[Found], subject: Subject) -> Tally:
    """What counts of all that is there, and what is left out because of what."""
    there = excluders = by_tiles = 0
    for entry, _ in found:
        there |= entry.bit
        excluders |= entry.after_bits
        by_tiles |= entry.by_tiles
    if there & excluders:
        return _count_with_exclusions(found, subject, with_tiles=bool(there & by_tiles))
    lines = tuple([entry.once if times == 1 else Line(entry.rule, times) for entry, times in found])
    return Tally(sum([rule.tai * times for rule, times, _ in lines]), lines, ())


def _count_with_exclusions(found: Sequence[Found], subject: Subject, *, with_tiles: bool) -> Tally:
    there: dict[str, tuple[Entry, tuple[Tiles, ...]]] = {}
    for entry, times in found:
        there[entry.rule.id] = entry, entry.definition.instances(subject) if with_tiles else ((),) * times
    kept: dict[str, tuple[Tiles, ...]] = {}
    left_out: list[tuple[int, LeftOut]] = []
    lines: list[tuple[int, Line]] = []
    for entry, instances in there.values():
        if not entry.after.isdisjoint(there):
            instances = _decide(entry, instances, there, kept, left_out)
        if instances:
            lines.append((entry.place, Line(entry.rule, len(instances), instances if with_tiles else None)))
    lines.sort(key=_place)
    left_out.sort(key=_place)
    tai = sum([line.tai for _, line in lines])
    if not with_tiles:
        left_out = [(place, one._replace(instances=None)) for place, one in left_out]
    return Tally(tai, tuple([line for _, line in lines]), tuple([out for _, out in left_out]), with_tiles)


def _decide(
    entry: Entry,
    instances: tuple[Tiles, ...],
    there: Mapping[str, tuple[Entry, tuple[Tiles, ...]]],
    kept: dict[str, tuple[Tiles, ...]],
    left_out: list[tuple[int, LeftOut]],
) -> tuple[Tiles, ...]:
    """The instances that count, after those that may exclude it have been decided."""
    rule = entry.rule
    if rule.id not in kept:
        left = instances
        for id_ in sorted(entry.after & there.keys()):
            excluder, theirs = there[id_]
            counted = _decide(excluder, theirs, there, kept, left_out)
            out = tuple([one for one in left if _touched(one, counted)])
            if out:
                left_out.append((entry.place, LeftOut(rule, excluder.rule, out)))
                left = tuple([one for one in left if one not in out])
        kept[rule.id] = left
    return kept[rule.id]


def _place(item: tuple[int, object]) -> int:
    return item[0]


def _touched(instance: Tiles, counted: tuple[Tiles, ...]) -> bool:
    """Whether one of the counted instances shares a tile with this one, or either is not made of tiles."""
    return any(not instance or not other or not set(instance).isdisjoint(other) for other in counted)
