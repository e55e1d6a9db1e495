"""定義: what a definition is, and what it answers: the tiles of the pattern, or the reason why it is not there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from scoring.hands.interpretation import Facts, Reading
from scoring.hands.traits import Trait, bits

_NO_ARGS: Mapping[str, Any] = MappingProxyType({})


class Hit(NamedTuple):
    """The pattern is there, once for each of `instances`: the tiles that make it, none if it is not made of tiles."""

    instances: tuple[tuple[int, ...], ...] = ((),)


class Miss(NamedTuple):
    """The pattern is not there: a sentence of the catalogs and what fills it. `near`: it lacked only this."""

    key: str
    args: Mapping[str, Any] = _NO_ARGS
    near: bool = False


Outcome = Hit | Miss
ONCE = Hit()

Scope = Literal["settlement", "flowers", "hand", "reading"]
Look = Callable[[Any], Outcome]
Needs = Trait | tuple[Trait, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition under its id. `scope` says what its function looks at.

    `flowers`: `Facts`, and it counts for a flower win whose hand stays closed; `hand`: `Facts`; `reading`: `Reading`;
    `settlement`: the seats only, paid between players. `robbed_only`: only the player of the robbed flower pays it.
    `needs`: the bits of the traits without which it is never there, so that the tally need not ask.
    `every_place`: what it says of a drawn tile depends on where in the division that tile stands.
    """

    id: str
    scope: Scope
    look: Look
    needs: int = 0
    robbed_only: bool = False
    every_place: bool = False


REGISTRY: dict[str, Definition] = {}


def _bits(needs: Needs) -> int:
    return bits(needs) if isinstance(needs, str) else bits(*needs)


def facts_definition(
    id_: str, *, scope: Scope = "hand", needs: Needs = (), robbed_only: bool = False
) -> Callable[[Callable[[Facts], Outcome]], Callable[[Facts], Outcome]]:
    """Register a function of the facts under `id_`."""

    def register(look: Callable[[Facts], Outcome]) -> Callable[[Facts], Outcome]:
        REGISTRY[id_] = Definition(id_, scope, look, _bits(needs), robbed_only)
        return look

    return register


def reading_definition(
    id_: str, *, needs: Needs = (), every_place: bool = False
) -> Callable[[Callable[[Reading], Outcome]], Callable[[Reading], Outcome]]:
    """Register a function of the reading under `id_`."""

    def register(look: Callable[[Reading], Outcome]) -> Callable[[Reading], Outcome]:
        REGISTRY[id_] = Definition(id_, "reading", look, _bits(needs), every_place=every_place)
        return look

    return register
