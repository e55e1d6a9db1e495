"""計台: which patterns of a book a hand has, and which of those count.

A hit counts unless a pattern that counts excludes it. Exclusions of a book form no cycle, so there is one answer, in
any order. What two patterns are made of matters: 花槓 of the seasons leaves the plant of one's seat alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scoring.patterns import DEFINITIONS, Hit, Miss
from scoring.patterns.definition import Look
from scoring.reading import Facts, Reading
from scoring.rulebook import Rule, RuleBook

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
    """A scored rule with its function. `after`: rules that may exclude it, already decided when it is looked at."""

    rule: Rule
    look: Look
    after: tuple[Rule, ...]
    place: int
    robbed_only: bool


@dataclass(frozen=True, slots=True)
class Scheme:
    """A book made ready: its scored rules by what they look at, each list in an order where excluders come first."""

    flowers: tuple[Entry, ...]
    hand: tuple[Entry, ...]
    reading: tuple[Entry, ...]


@lru_cache(maxsize=256)
def scheme(book: RuleBook) -> Scheme:
    """The scheme of a book, made once."""
    scored = {id_: rule for id_, rule in book.patterns.items() if rule.status == "scored"}
    excluders: dict[str, list[Rule]] = {id_: [] for id_ in scored}
    for rule in scored.values():
        for excluded in rule.excludes:
            if excluded in scored:
                excluders[excluded].append(rule)
    scopes: dict[str, list[Entry]] = {"flowers": [], "hand": [], "reading": [], "settlement": []}
    for place, (id_, rule) in enumerate(scored.items()):
        definition = DEFINITIONS[rule.definition]
        entry = Entry(rule, definition.look, tuple(excluders[id_]), place, definition.robbed_only)
        scopes[definition.scope].append(entry)
    return Scheme(*(tuple(scopes[scope]) for scope in ("flowers", "hand", "reading")))


Found = tuple[Entry, tuple[Tiles, ...]]


def hits(entries: Sequence[Entry], subject: Facts | Reading) -> list[Found]:
    """The entries whose pattern is there, with the tiles that make it."""
    found: list[Found] = []
    for entry in entries:
        outcome = entry.look(subject)
        if type(outcome) is Hit:
            found.append((entry, outcome.instances))
    return found


def misses(entries: Sequence[Entry], subject: Facts | Reading) -> list[tuple[Rule, Miss]]:
    """The entries whose pattern is not there, each with the reason why."""
    outcomes = ((entry.rule, entry.look(subject)) for entry in entries)
    return [(rule, outcome) for rule, outcome in outcomes if isinstance(outcome, Miss)]


def count(found: Sequence[Found]) -> Tally:
    """The one pass over all hits: what counts, and what is left out because of what."""
    by_id = {entry.rule.id: (entry, instances) for entry, instances in found}
    decided: dict[str, tuple[Tiles, ...]] = {}
    left_out: list[tuple[int, LeftOut]] = []
    lines: list[tuple[int, Line]] = []
    tai = 0

    def decide(entry: Entry, instances: tuple[Tiles, ...]) -> tuple[Tiles, ...]:
        """The instances that count, excluders first."""
        nonlocal tai
        rule = entry.rule
        if rule.id in decided:
            return decided[rule.id]
        kept = instances
        for excluder in entry.after:
            if excluder.id in by_id:
                counted = decide(*by_id[excluder.id])
                out = tuple(one for one in kept if _touched(one, counted))
                if out:
                    left_out.append((entry.place, LeftOut(rule, excluder, out)))
                    kept = tuple(one for one in kept if one not in out)
        decided[rule.id] = kept
        if kept:
            lines.append((entry.place, Line(rule, kept)))
            tai += rule.tai * len(kept)
        return kept

    for entry, instances in found:
        decide(entry, instances)
    lines.sort(key=_place)
    left_out.sort(key=_place)
    return Tally(tai, tuple(line for _, line in lines), tuple(out for _, out in left_out))


def _place(item: tuple[int, object]) -> int:
    return item[0]


def _touched(instance: Tiles, counted: tuple[Tiles, ...]) -> bool:
    """Whether one of the counted instances shares a tile with this one, or either is not made of tiles."""
    return any(not instance or not other or not set(instance).isdisjoint(other) for other in counted)

