"""計台: the patterns of a book that a hand has, and the ones that count.

A pattern counts unless another one that counts excludes it. The exclusions of a book form no cycle, so the result does
not depend on the order. The tiles of two patterns matter: 花槓 of the seasons does not exclude the seat's own plant.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from scoring.hands.hand import RARE_EVENTS, SEATS
from scoring.hands.interpretation import Facts, Reading
from scoring.hands.tables.kept import Kept
from scoring.hands.tables.traits import TRAITS, bits
from scoring.patterns import Miss, definition_of
from scoring.patterns.definition import Definition, Tiles
from scoring.rulebook.model import Rule, RuleBook
from scoring.tally.notes import notes_on_usual
from scoring.tiles import index

Subject = Facts | Reading
# what hands have in common, whatever else they are: the way they were won, the flowers, the suits and honors
_ASPECTS = (
    bits(
        *("self_drawn", "not_self_drawn", "not_drawn", "by_discard", "robbed_kong", "no_robbed_kong", "not_dealer"),
        *("ready_declared", "heavenly_ready", "earthly_ready", "earthly_ready_one_shot", "early_ready", "ready_stands"),
        *("heavenly_win", "no_heavenly_win", "earthly_win", "human_win", "last_tile", "replacement", "blooms"),
        *("kong_replacement", "closed", "no_melds", "five_calls"),
    ),
    bits(
        *("own_season", "own_plant", "all_seasons", "all_plants", "no_flowers", "flower_win", "dealt_flowers"),
        *("won_by_eight_flowers", "won_by_seven_rob_one"),
    ),
    bits(
        *("one_suit", "no_suit", "honors", "no_honors", "seat_wind_pung", "round_wind_pung", "suit_pair"),
        *("dragon_pung", "two_dragon_pungs", "three_dragon_pungs", "dragon_pair"),
        *("wind_pung", "two_wind_pungs", "three_wind_pungs", "four_wind_pungs", "wind_pair"),
    ),
)
MOST_TALLIES = 1 << 14  # kept of one book, about 15 MB
MOST_ASPECTS = 1 << 11
_TIMES = 4  # bits of how many times a pattern is there: eight flowers are the most


class Line(NamedTuple):
    """A pattern that counts: its rule and its number. `instances`: the tiles of each, if only some of them count."""

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


class Tally:
    """計台結果: the patterns that count in the book's order, the ones left out, and the tai. Compared by identity.

    `by_tiles`: the result depends on the tiles of the patterns, not only on their ids.
    """

    __slots__ = ("by_tiles", "left_out", "lines", "tai")

    def __init__(
        self, tai: int, lines: tuple[Line, ...], left_out: tuple[LeftOut, ...], *, by_tiles: bool = False
    ) -> None:
        self.tai = tai
        self.lines = lines
        self.left_out = left_out
        self.by_tiles = by_tiles


class Entry:
    """A scored rule and its definition.

    `place`: its index among the scored rules of the book. `bit`, `after_bits`: the bits of this rule and of the rules
    that may exclude it. `after`: the latter by id. `by_tiles`: the bits of rules that exclude it only if they share a
    tile (`_may_stand_apart`). `asks`: the traits that its definition uses. `once`: its line if it counts once.
    """

    __slots__ = ("after", "after_bits", "asks", "bit", "by_tiles", "definition", "once", "place", "rule")

    def __init__(
        self,
        rule: Rule,
        definition: Definition,
        place: int,
        after: Sequence[tuple[int, Rule, Definition]],
    ) -> None:
        self.rule = rule
        self.definition = definition
        self.place = place
        self.bit = 1 << place
        self.after = tuple([other for _, other, _ in after])
        self.after_bits = sum([bit for bit, _, _ in after])
        self.by_tiles = sum([bit for bit, _, its in after if _may_stand_apart(definition, its)])
        self.asks = definition.asks
        self.once = Line(rule, 1)

    def found(self, times: int) -> "Found":
        """The pattern, counted this many times."""
        return Found(self.place, self, self.once if times == 1 else Line(self.rule, times), self.rule.tai * times)


class Found(NamedTuple):
    """A pattern of the hand, with its line and tai if all of it counts. Sorting gives the book's order."""

    place: int
    entry: Entry
    line: Line
    tai: int


class Aspect(NamedTuple):
    """What is there of one aspect of a hand.

    `times`: how many times each pattern is there, in `_TIMES` bits at the place of its rule.
    """

    times: int
    patterns: tuple[Found, ...]


class Plan:
    """計台順序: a book made ready to count hands, from its scored rules and their definitions.

    `asked`: the traits that any of its definitions looks at. `plants`: the tiles of 梅蘭菊竹 in seat order.
    `limited`: whether it has a least tai, a cap, no flowers or a rule for few hands. `liable`: whether it has
    liability (包牌).
    `adds_shapes`: whether five sets and another shape of one hand both count (雙食).
    `shapes`: the shapes that win besides five sets.
    `every_place`: whether it matters where in the division a tile stands that was drawn. `pung_first`: whether a
    discard that can complete a pung does. `usual_notes`: what is to be noted of a usual hand (`Facts`), by its dealer.

    Definitions that look at one aspect of a hand only are asked together, and what they say is kept by the traits of
    that aspect; what the same patterns count is kept too.
    """

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        limits = book.limits
        caps = limits.tai_cap or limits.points_cap or limits.points_cap_dealer
        dice = book.payment.win_dice != "not_mentioned"
        several = dice or book.both_shapes == "added"
        self.limited = bool(limits.least_tai or caps or limits.streak_limit or book.without_flowers or several)
        self.liable = book.payment.responsibility != "not_mentioned"
        self.usual_notes = {dealer: notes_on_usual(dealer, book) for dealer in SEATS}
        self.plants = tuple(index(code) for code in book.plants)
        self.entries = _entries(book)
        self.flower_entries = tuple(entry for entry in self.entries if entry.definition.scope == "flowers")
        self.shapes = tuple([entry.definition.shape for entry in self.entries if entry.definition.shape])
        self.held_fourth = book.held_fourth == "wait"
        self.adds_shapes = book.both_shapes == "added" and bool(self.shapes)
        self.pung_first = book.winning_place == "pung_first"
        self.every_place = any(entry.definition.every_place for entry in self.entries)
        self.asked = _asked(self.entries)
        self._aspects = _aspects(self.entries)
        self._counted: dict[int, Tally] = {}

    def tally(self, reading: Reading) -> Tally:
        """What counts of one reading."""
        traits = reading.traits
        there = 0
        for asked, aspects in self._aspects:
            there |= aspects[traits & asked].times
        tally = self._counted.get(there)
        if tally is None:
            tally = count(self._found(traits), reading)
            if not tally.by_tiles:
                if len(self._counted) >= MOST_TALLIES:
                    self._counted.clear()
                self._counted[there] = tally
        return tally

    def hits(self, subject: Subject) -> list[Found]:
        """The patterns of a reading with their numbers, in the book's order; of facts only the flower patterns."""
        patterns = self._found(subject.traits)
        if isinstance(subject, Reading):
            return patterns
        return [pattern for pattern in patterns if pattern.entry.definition.scope == "flowers"]

    def _found(self, traits: int) -> list[Found]:
        patterns: list[Found] = []
        for asked, aspects in self._aspects:
            patterns += aspects[traits & asked].patterns
        patterns.sort()
        return patterns

    def misses(self, facts: Facts, reading: Reading | None, tally: Tally) -> list[tuple[Rule, Miss]]:
        """Every scored pattern that the hand lacks, with the reason. ``tally``: the hand's.

        Without a reading (a hand that stays closed) only the flower patterns.
        """
        entries = self.flower_entries if reading is None else self.entries
        outcomes = [(entry.rule, entry.definition.look(reading or facts)) for entry in entries]
        misses = [(rule, outcome) for rule, outcome in outcomes if isinstance(outcome, Miss)]
        return misses + self._misses_on_total(reading, tally) if reading else misses

    def _misses_on_total(self, reading: Reading, tally: Tally) -> list[tuple[Rule, Miss]]:
        """The patterns on the total tai whose condition the hand meets, and whose total it does not."""
        on_total = {entry.rule: entry.definition for entry in self.entries if entry.definition.total}
        if not on_total:
            return []
        counted = {line.rule for line in tally.lines}
        number = sum([line.tai for line in tally.lines if line.rule not in on_total])
        return [
            (rule, Miss("own_total_is", {"number": number}))
            for rule, definition in on_total.items()
            if rule not in counted and definition.times(reading.traits)
        ]

    @property
    def unused_events(self) -> frozenset[str]:
        """The events that matter to no pattern of the book, among those that are rarely asked for."""
        return frozenset([event for event in RARE_EVENTS if not TRAITS[event] & self.asked])


def _entries(book: RuleBook) -> tuple[Entry, ...]:
    """The scored rules that a hand can have, in the book's order."""
    scored = [(rule, definition_of(rule.definition)) for rule in book.patterns.values() if rule.scored]
    places = {rule.id: place for place, (rule, _) in enumerate(scored)}
    excluders: dict[str, list[str]] = {rule.id: [] for rule, _ in scored}
    for rule, _ in sorted(scored, key=lambda pair: pair[0].id):
        for excluded in set(rule.excludes):
            if excluded in excluders:
                excluders[excluded].append(rule.id)

    return tuple(
        [
            Entry(
                rule,
                definition,
                place,
                [(1 << places[id_], *scored[places[id_]]) for id_ in excluders[rule.id]],
            )
            for place, (rule, definition) in enumerate(scored)
            if definition.scope != "settlement"
        ]
    )


def _may_stand_apart(first: Definition, other: Definition) -> bool:
    """Whether two patterns may consist of different tiles. Patterns with the same tile function always share tiles."""
    if not (first.tiles and other.tiles):
        return False
    return first.tiles is not other.tiles or bool(first.each or other.each)


def _asked(entries: Iterable[Entry]) -> int:
    traits = 0
    for entry in entries:
        traits |= entry.asks
    return traits


def _aspects(entries: Sequence[Entry]) -> tuple[tuple[int, Kept[int, Aspect]], ...]:
    """The traits that the definitions of an aspect look at, and what they say of them; last those that look at more."""
    aspects: list[tuple[int, Kept[int, Aspect]]] = []
    left = [entry for entry in entries if entry.definition.holds is None]
    for aspect in (*_ASPECTS, -1):
        its = [entry for entry in left if not entry.asks & ~aspect]
        left = [entry for entry in left if entry.asks & ~aspect]
        if its:
            alternatives = tuple([(needed, entry.place, entry) for entry in its for needed in entry.definition.when])
            aspects.append((_asked(its), Kept(partial(_aspect, alternatives), MOST_ASPECTS)))
    own = tuple([entry for entry in entries if entry.definition.holds is not None])
    if own:
        aspects.append((_asked(own), Kept(partial(_own_aspect, own), MOST_ASPECTS)))
    return tuple(aspects)


def _own_aspect(entries: Iterable[Entry], traits: int) -> Aspect:
    """The patterns of the table's own that these traits have."""
    patterns = [entry.found(times) for entry in entries if (times := entry.definition.times(traits))]
    return Aspect(sum([pattern.line.times << _TIMES * pattern.place for pattern in patterns]), tuple(patterns))


def _aspect(alternatives: Iterable[tuple[int, int, Entry]], traits: int) -> Aspect:
    """`alternatives`: the traits that suffice for a pattern, its place and its entry."""
    lacking = ~traits
    there = {place: entry for needed, place, entry in alternatives if not needed & lacking}
    patterns = [entry.found(entry.definition.times(traits) if entry.definition.each else 1) for entry in there.values()]
    return Aspect(sum([pattern.line.times << _TIMES * pattern.place for pattern in patterns]), tuple(patterns))


@lru_cache(maxsize=256)
def plan_of(book: RuleBook) -> Plan:
    """The plan of a book, made once."""
    return Plan(book)


def instances_of(rule: Rule, subject: Subject) -> tuple[Tiles, ...]:
    """The tiles of each time that a rule's pattern is there in a reading, or in the facts alone, as one tells them."""
    return definition_of(rule.definition).told(subject)


def count(patterns: Sequence[Found], subject: Subject) -> Tally:
    """The tally of all patterns that are there; those on the total tai are decided last (雞糊)."""
    on_total = [pattern for pattern in patterns if pattern.entry.definition.total]
    if not on_total:
        return _count(patterns, subject)
    tally = _count([pattern for pattern in patterns if not pattern.entry.definition.total], subject)
    return with_totals(tally, [pattern.line for pattern in on_total])


def with_totals(tally: Tally, lines: Iterable[Line]) -> Tally:
    """A tally without patterns on the total tai, with those of ``lines`` whose condition its tai meets."""
    met = []
    for line in lines:
        total = definition_of(line.rule.definition).total
        if total and total[0] <= tally.tai <= total[1]:
            met.append(line)
    tai = tally.tai + sum([line.tai for line in met])
    return Tally(tai, (*tally.lines, *met), tally.left_out, by_tiles=tally.by_tiles)


def without_totals(tally: Tally) -> Tally:
    """A tally without its patterns on the total tai, which exclude nothing."""
    lines = tuple([line for line in tally.lines if not definition_of(line.rule.definition).total])
    return Tally(sum([line.tai for line in lines]), lines, tally.left_out, by_tiles=tally.by_tiles)


def _count(patterns: Sequence[Found], subject: Subject) -> Tally:
    """The patterns that count, and the others with the pattern that excludes each."""
    there = excluders = by_tiles = 0
    for _, entry, _, _ in patterns:
        there |= entry.bit
        excluders |= entry.after_bits
        by_tiles |= entry.by_tiles
    if not there & excluders:
        return Tally(sum([tai for _, _, _, tai in patterns]), tuple([line for _, _, line, _ in patterns]), ())
    return _Exclusions(patterns, subject, by_tiles=bool(there & by_tiles)).tally()


class _Exclusions:
    """Decides which patterns count if some exclude others. All that may exclude a pattern are decided before it.

    `by_tiles`: a pattern may count in part: the instances that share no tile with what excludes it.
    """

    def __init__(self, patterns: Sequence[Found], subject: Subject, *, by_tiles: bool) -> None:
        self.patterns = patterns
        self.by_tiles = by_tiles
        self.there = {
            entry.rule: (entry, entry.definition.instances(subject) if by_tiles else _WHOLE)
            for _, entry, _, _ in patterns
        }
        self.counted: dict[Rule, tuple[Tiles, ...]] = {}
        self.left_out: list[tuple[int, LeftOut]] = []

    def tally(self) -> Tally:
        """What counts and what is left out, in the book's order."""
        lines: list[Line] = []
        for _, entry, line, _ in self.patterns:
            instances = self._decide(entry)
            if instances:
                in_part = self.by_tiles and entry.definition.tiles  # without tiles it counts in whole, with its number
                lines.append(Line(entry.rule, len(instances), instances) if in_part else line)
        self.left_out.sort(key=lambda out: out[0])
        left_out = tuple([out for _, out in self.left_out])
        return Tally(sum([line.tai for line in lines]), tuple(lines), left_out, by_tiles=self.by_tiles)

    def _decide(self, entry: Entry) -> tuple[Tiles, ...]:
        """The instances of a pattern that count."""
        rule = entry.rule
        if rule not in self.counted:
            left = self.there[rule][1]
            for other in entry.after:
                if other not in self.there or not left:
                    continue
                counted = self._decide(self.there[other][0])
                out = tuple([instance for instance in left if _touched(instance, counted)])
                if out:
                    excluder = self.there[other][0].rule
                    in_part = self.by_tiles and entry.definition.tiles
                    self.left_out.append((entry.place, LeftOut(rule, excluder, out if in_part else None)))
                    left = tuple([instance for instance in left if instance not in out])
            self.counted[rule] = left
        return self.counted[rule]


_WHOLE: tuple[Tiles, ...] = ((),)
"""Stands for all instances of a pattern whose tiles make no difference."""


def _touched(instance: Tiles, counted: tuple[Tiles, ...]) -> bool:
    """Whether a counted instance shares a tile with this one, or one of them has no tiles."""
    return any(not instance or not other or not set(instance).isdisjoint(other) for other in counted)
