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
    "flowers",
    "kongs",
    "sets",
    "winning",
]
