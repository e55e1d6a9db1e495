"""台型: the definitions that the rule books choose from, each a small pure function under its id.

`DEFINITIONS` maps a definition id to its `Definition`. An id is the pattern's id, with a dot and a word where documents
mean different things by one name; the rule book says which of them it means.
"""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.patterns import chows, declared, flowers, kongs, sets, winning
from scoring.patterns.definition import REGISTRY, Definition, Hit, Miss, Outcome

DEFINITIONS: Mapping[str, Definition] = MappingProxyType(REGISTRY)

__all__ = [
    "DEFINITIONS",
    "Definition",
    "Hit",
    "Miss",
    "Outcome",
    "chows",
    "declared",
    "definition_of",
    "flowers",
    "kongs",
    "sets",
    "winning",
]


def definition_of(id_: str) -> Definition:
    """The definition of that id; a table's own pattern is its condition, written in the id."""
    known = REGISTRY.get(id_)
    if known is not None:
        return known
    from scoring.patterns.own.definitions import own_definition  # most books have no own patterns

    return own_definition(id_)
