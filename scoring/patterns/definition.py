"""定義: the traits of a pattern, its tiles, and the reason if a hand lacks it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from scoring.hands.interpretation import Facts, Reading, own_trait
from scoring.hands.shapes.declared import Shape
from scoring.hands.tables.traits import Trait, bits

_NO_ARGS: Mapping[str, Any] = MappingProxyType({})

Tiles = tuple[int, ...]


class Hit(NamedTuple):
    """The pattern is there, once for each of `instances`: the tiles that make it, none if it is not made of tiles."""

    instances: tuple[Tiles, ...] = ((),)


class Miss(NamedTuple):
    """The pattern is not there: a sentence of the catalogs and what fills it. `near`: it lacked only this."""

    key: str
    args: Mapping[str, Any] = _NO_ARGS
    near: bool = False


Outcome = Hit | Miss

Scope = Literal["settlement", "flowers", "hand", "reading"]
WhyNot = Callable[[Any], Miss]
MadeOf = Callable[[Any], tuple[Tiles, ...]]
Needs = int | Trait | tuple[Trait, ...]
Asks = Needs | Callable[[Reading], bool]

_OF_PLACE = bits("completes_set", "completes_pung", "single_shape", "two_sided", "open_end")
_NOT_DRAWN = bits("not_drawn")


class Definition(NamedTuple):
    """One definition under its id. A hand has the pattern if it has all traits of one entry of `when`.

    `scope`: the argument of its functions. `flowers`: `Facts`; it counts for a flower win even if the hand stays
    closed.
    `hand`: `Facts`. `reading`: `Reading`. `settlement`: paid between players, never part of a hand.
    `why_not`: the reason, called only if the hand lacks the pattern. `tiles`: the tiles of each instance, called only
    if the hand has it; None for a pattern without tiles. `each`: traits of which each counts once. `robbed_only`:
    only the player of the robbed flower pays it. `holds`: replaces `when` for a pattern that is data; it uses the
    traits in `reads`.
    `shown`: tiles for display, without influence on the score.
    `shape`: of a pattern that is a winning shape; a book that scores it lets the shape win.
    `total`: the least and the most tai of all other patterns with which it counts.
    """

    id: str
    scope: Scope
    when: tuple[int, ...]
    why_not: WhyNot
    tiles: MadeOf | None = None
    each: int = 0
    robbed_only: bool = False
    holds: Callable[[int], bool] | None = None
    reads: int = 0
    shown: MadeOf | None = None
    shape: Shape | None = None
    total: tuple[int, int] | None = None

    def times(self, traits: int) -> int:
        """How many times the pattern is there in a hand of these traits."""
        if self.holds:
            return ((self.each & traits).bit_count() if self.each else 1) if self.holds(traits) else 0
        for needed in self.when:
            if not needed & ~traits:
                return (self.each & traits).bit_count() if self.each else 1
        return 0

    @property
    def asks(self) -> int:
        """Every trait that it looks at."""
        traits = self.each | self.reads
        for needed in self.when:
            traits |= needed
        return traits

    @property
    def every_place(self) -> bool:
        """Whether the place of a drawn tile in the division matters."""
        if self.reads & _OF_PLACE:
            return True
        return any(needed & _OF_PLACE and not needed & _NOT_DRAWN for needed in self.when)

    def instances(self, subject: Facts | Reading) -> tuple[Tiles, ...]:
        """The tiles of each instance of the pattern in a reading, or in the facts if the scope allows it."""
        if self.tiles is None:
            return ((),)
        if self.scope != "reading" and isinstance(subject, Reading):
            subject = subject.facts
        return self.tiles(subject)

    def told(self, subject: Facts | Reading) -> tuple[Tiles, ...]:
        """The tiles of each time, as an answer tells them."""
        return self.shown(subject) if self.shown else self.instances(subject)

    def look(self, subject: Facts | Reading) -> Outcome:
        """Whether the pattern is there, with its tiles or the reason why not."""
        if self.times(subject.traits):
            return Hit(self.instances(subject))
        if self.scope != "reading" and isinstance(subject, Reading):
            subject = subject.facts
        return self.why_not(subject)


REGISTRY: dict[str, Definition] = {}


def _bits(needs: Needs) -> int:
    if isinstance(needs, int):
        return needs
    return bits(needs) if isinstance(needs, str) else bits(*needs)


def _register(
    id_: str,
    scope: Scope,
    when: tuple[Asks, ...],
    tiles: MadeOf | None,
    each: Needs,
    *,
    robbed_only: bool,
    shape: Shape | None = None,
) -> Callable[[WhyNot], WhyNot]:
    def register(why_not: WhyNot) -> WhyNot:
        alternatives = tuple([own_trait(needs) if callable(needs) else _bits(needs) for needs in when])
        REGISTRY[id_] = Definition(id_, scope, alternatives, why_not, tiles, _bits(each), robbed_only, shape=shape)
        return why_not

    return register


def facts_definition(
    id_: str,
    *when: Needs,
    scope: Scope = "hand",
    tiles: Callable[[Facts], tuple[Tiles, ...]] | None = None,
    each: Needs = (),
    robbed_only: bool = False,
) -> Callable[[Callable[[Facts], Miss]], Callable[[Facts], Miss]]:
    """Registers under `id_` a pattern of the facts, with its traits `when` and the function for the missing case."""
    return _register(id_, scope, when, tiles, each, robbed_only=robbed_only)


def reading_definition(
    id_: str,
    *when: Asks,
    tiles: Callable[[Reading], tuple[Tiles, ...]] | None = None,
    each: Needs = (),
    shape: Shape | None = None,
) -> Callable[[Callable[[Reading], Miss]], Callable[[Reading], Miss]]:
    """Registers under `id_` a pattern of the reading, with its traits `when` and the function for the missing case.

    when: the traits of the pattern, or tests of the reading (`own_trait`); any one of them suffices.
    """
    return _register(id_, "reading", when, tiles, each, robbed_only=False, shape=shape)
