"""計台: which patterns of a book a hand has, and which of those count.

A hit counts unless a pattern that counts excludes it. Exclusions of a book form no cycle, so there is one answer, in
any order. What two patterns are made of matters: 花槓 of the seasons leaves the plant of one's seat alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, get_args

from scoring.hands.hand import SETS
from scoring.hands.interpretation import Facts, Reading
from scoring.patterns import DEFINITIONS, Hit, Miss
from scoring.patterns.definition import Look, Needs, Scope
from scoring.rulebook.loading import Rule, RuleBook
from scoring.tiles import HONORS, index

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
    """A scored rule with its function. `after`: ids of rules that may exclude it. `place`: of the rule in the book."""

    rule: Rule
    look: Look
    after: frozenset[str]
    place: int
    needs: Needs
    robbed_only: bool


Found = tuple[Entry, tuple[Tiles, ...]]


@dataclass(frozen=True, slots=True)
class Scheme:
    """A book made ready: its scored rules by what they look at and by what they need to be there at all.

    `plants`: the tiles of 梅蘭菊竹 in seat order. `seven_pairs`: whether 嚦咕嚦咕 is a winning hand.
    """

    plants: tuple[int, ...]
    seven_pairs: bool
    flowers: tuple[Entry, ...]
    hand: Mapping[Needs, tuple[Entry, ...]]
    reading: Mapping[Needs, tuple[Entry, ...]]

    def facts_hits(self, facts: Facts, *, without_robbed: bool = False) -> list[Found]:
        """What is there whatever the division. `without_robbed`: as those see it who did not hold the robbed flower."""
        found = self.flower_hits(facts)
        if without_robbed:
            found = [one for one in found if not one[0].robbed_only]
        _look(self.hand[""], facts, found)
        if facts.events:
            _look(self.hand["events"], facts, found)
        if len(facts.suits) <= 2:
            _look(self.hand["one_suit"], facts, found)
        if len(facts.meld_sets) == SETS:
            _look(self.hand["melds"], facts, found)
        return found

    def flower_hits(self, facts: Facts) -> list[Found]:
        """What is there for flowers alone."""
        found: list[Found] = []
        if facts.flowers:
            _look(self.flowers, facts, found)
        return found

    def reading_hits(self, reading: Reading) -> list[Found]:
        """What is there in this reading."""
        found: list[Found] = []
        groups = self.reading
        _look(groups[""], reading, found)
        if reading.pungs:
            _look(groups["pungs"], reading, found)
            if len(reading.concealed_pungs) >= 3:
                _look(groups["concealed_pungs"], reading, found)
            if 3 in reading.facts.suits and max(reading.pung_tiles) in HONORS:
                _look(groups["honor_pungs"], reading, found)
        else:
            _look(groups["no_pungs"], reading, found)
        if reading.seven_pairs:
            _look(groups["seven_pairs"], reading, found)
        return found

    def misses(self, facts: Facts, reading: Reading | None) -> list[tuple[Rule, Miss]]:
        """Every scored pattern that is not there, each with the reason why; all are asked, whatever they need."""
        subjects: list[tuple[Entry, Facts | Reading]] = [(entry, facts) for entry in self.flowers]
        if reading:
            subjects += [(entry, facts) for group in self.hand.values() for entry in group]
            subjects += [(entry, reading) for group in self.reading.values() for entry in group]
        found = [(entry, entry.look(subject)) for entry, subject in subjects]
        found.sort(key=lambda one: one[0].place)
        return [(entry.rule, outcome) for entry, outcome in found if isinstance(outcome, Miss)]


def _look(entries: Iterable[Entry], subject: Facts | Reading, found: list[Found]) -> None:
    for entry in entries:
        outcome = entry.look(subject)
        if type(outcome) is Hit:
            found.append((entry, outcome.instances))


@lru_cache(maxsize=256)
def scheme(book: RuleBook) -> Scheme:
    """The scheme of a book, made once."""
    scored = {id_: rule for id_, rule in book.patterns.items() if rule.status == "scored"}
    entries: dict[Scope, list[Entry]] = {"settlement": [], "flowers": [], "hand": [], "reading": []}
    for place, (id_, rule) in enumerate(scored.items()):
        after = frozenset(other.id for other in scored.values() if id_ in other.excludes)
        definition = DEFINITIONS[rule.definition]
        entry = Entry(rule, definition.look, after, place, definition.needs, definition.robbed_only)
        entries[definition.scope].append(entry)
    return Scheme(
        tuple(index(code) for code in book.plants),
        "seven_pairs_and_pung" in scored,
        tuple(entries["flowers"]),
        _by_needs(entries["hand"]),
        _by_needs(entries["reading"]),
    )


def _by_needs(entries: Iterable[Entry]) -> Mapping[Needs, tuple[Entry, ...]]:
    groups: dict[Needs, list[Entry]] = {needs: [] for needs in get_args(Needs)}
    for entry in entries:
        groups[entry.needs].append(entry)
    return {needs: tuple(group) for needs, group in groups.items()}


def count(found: Sequence[Found]) -> Tally:
    """The one pass over all hits: what counts, and what is left out because of what."""
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
    tai = sum([line.rule.tai * len(line.instances) for _, line in lines])
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
