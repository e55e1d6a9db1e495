"""計台: which patterns of a book a hand has, and which of those count.

A hit counts unless a pattern that counts excludes it. Exclusions of a book form no cycle, so there is one answer, in
any order. What two patterns are made of matters: 花槓 of the seasons leaves the plant of one's seat alone.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from scoring.hands.interpretation import Facts, Reading
from scoring.patterns import DEFINITIONS, Hit, Miss
from scoring.patterns.definition import Look
from scoring.rulebook.loading import Rule, RuleBook
from scoring.tiles import index

Tiles = tuple[int, ...]


class Line(NamedTuple):
    """A pattern that counts: its rule, the tiles of each time it counts, and their tai together."""

    rule: Rule
    instances: tuple[Tiles, ...]

    @property
    def tai(self) -> int:
        """台數 of all its instances."""
        return self.rule.tai * len(self.instances)


class LeftOut(NamedTuple):
    """A pattern that is there and does not count, because of another that does."""

    rule: Rule
    because: Rule
    instances: tuple[Tiles, ...]


class Tally(NamedTuple):
    """計台結果: the patterns that count in the book's order, those left out, and the tai."""

    tai: int
    lines: tuple[Line, ...]
    left_out: tuple[LeftOut, ...]


class Entry(NamedTuple):
    """A scored rule and how to look for it.

    `place`: of the rule among the scored rules of the book. `after`: ids of rules that may exclude it. `needs`: the
    bits of the traits without which it is not there. `bit`, `after_bits`: of this rule and of those in `after`.
    """

    rule: Rule
    look: Look
    of_reading: bool
    robbed_only: bool
    place: int
    after: frozenset[str]
    needs: int
    bit: int
    after_bits: int


Found = tuple[Entry, tuple[Tiles, ...]]


class Plan:
    """計台順序: a book made ready to count hands, from its scored rules and their definitions.

    For the traits of a hand it holds the rules that may be there, in the book's order; it is filled as hands come.
    `plants`: the tiles of 梅蘭菊竹 in seat order. `seven_pairs`: whether 嚦咕嚦咕 is a winning hand.
    `every_place`: whether it matters where in the division a tile stands that was drawn.
    """

    def __init__(self, book: RuleBook) -> None:
        scored = [rule for rule in book.patterns.values() if rule.scored]
        bit_of = {rule.id: 1 << place for place, rule in enumerate(scored)}
        entries: list[Entry] = []
        flower_entries: list[Entry] = []
        for place, rule in enumerate(scored):
            definition = DEFINITIONS[rule.definition]
            after = frozenset(other.id for other in scored if rule.id in other.excludes)
            entry = Entry(
                rule=rule,
                look=definition.look,
                of_reading=definition.scope == "reading",
                robbed_only=definition.robbed_only,
                place=place,
                after=after,
                needs=definition.needs,
                bit=bit_of[rule.id],
                after_bits=sum(bit_of[id_] for id_ in after),
            )
            if definition.scope == "flowers":
                flower_entries.append(entry)
            if definition.scope != "settlement":
                entries.append(entry)
        self.book = book
        self.plants = tuple(index(code) for code in book.plants)
        self.seven_pairs = "seven_pairs_and_pung" in bit_of
        self.every_place = any(DEFINITIONS[rule.definition].every_place for rule in scored)
        self.entries = tuple(entries)
        self.flower_entries = tuple(flower_entries)
        self._by_traits: dict[int, tuple[Entry, ...]] = {}

    def _possible(self, traits: int) -> tuple[Entry, ...]:
        """What may be there of a hand with these traits, in the book's order."""
        entries = tuple([entry for entry in self.entries if not entry.needs & ~traits])
        self._by_traits[traits] = entries
        return entries

    def hits(self, facts: Facts, reading: Reading) -> list[Found]:
        """What is there in one reading, in the book's order."""
        found: list[Found] = []
        for entry in self._by_traits.get(reading.traits) or self._possible(reading.traits):
            outcome = entry.look(reading if entry.of_reading else facts)
            if type(outcome) is Hit:
                found.append((entry, outcome.instances))
        return found

    def flower_hits(self, facts: Facts) -> list[Found]:
        """What is there for flowers alone, in the book's order."""
        outcomes = [(entry, entry.look(facts)) for entry in self.flower_entries]
        return [(entry, outcome.instances) for entry, outcome in outcomes if isinstance(outcome, Hit)]

    def misses(self, facts: Facts, reading: Reading | None) -> list[tuple[Rule, Miss]]:
        """Every scored pattern that is not there, each with the reason why; all are asked, whatever they need.

        Without a reading (a hand that stays closed) only those of the flowers.
        """
        entries = self.flower_entries if reading is None else self.entries
        outcomes = [(entry.rule, entry.look(reading if entry.of_reading else facts)) for entry in entries]
        return [(rule, outcome) for rule, outcome in outcomes if isinstance(outcome, Miss)]


@lru_cache(maxsize=256)
def plan_of(book: RuleBook) -> Plan:
    """The plan of a book, made once."""
    return Plan(book)


def count(found: Sequence[Found]) -> Tally:
    """What counts of all that is there, and what is left out because of what."""
    there = excluders = 0
    for entry, _ in found:
        there |= entry.bit
        excluders |= entry.after_bits
    if there & excluders:
        return _count_with_exclusions(found)
    lines = tuple([Line(entry.rule, instances) for entry, instances in found])
    return Tally(sum([line.tai for line in lines]), lines, ())


def _count_with_exclusions(found: Sequence[Found]) -> Tally:
    by_id = {entry.rule.id: (entry, instances) for entry, instances in found}
    kept: dict[str, tuple[Tiles, ...]] = {}
    left_out: list[tuple[int, LeftOut]] = []
    lines: list[tuple[int, Line]] = []
    for entry, instances in found:
        if not entry.after.isdisjoint(by_id):
            instances = _decide(entry, instances, by_id, kept, left_out)
        if instances:
            lines.append((entry.place, Line(entry.rule, instances)))
    lines.sort(key=_place)
    left_out.sort(key=_place)
    tai = sum([line.tai for _, line in lines])
    return Tally(tai, tuple([line for _, line in lines]), tuple([out for _, out in left_out]))


def _decide(
    entry: Entry,
    instances: tuple[Tiles, ...],
    by_id: Mapping[str, Found],
    kept: dict[str, tuple[Tiles, ...]],
    left_out: list[tuple[int, LeftOut]],
) -> tuple[Tiles, ...]:
    """The instances that count, after those that may exclude it have been decided."""
    rule = entry.rule
    if rule.id not in kept:
        left = instances
        for id_ in sorted(entry.after & by_id.keys()):
            excluder, theirs = by_id[id_]
            counted = _decide(excluder, theirs, by_id, kept, left_out)
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
