"""台型: the definitions that the rule books choose from, each a small pure function under its id.

`definition_of` returns the `Definition` of an id. An id is the pattern's id. If documents use one name for different
things, a dot and a word follow; the rule book chooses among them.
"""

from scoring.hands.shapes.declared import SHAPE_PREFIX
from scoring.patterns import chows, declared, flowers, kongs, sets, winning, winning_shapes
from scoring.patterns.definition import REGISTRY, Definition, Hit, Miss, Outcome
from scoring.rulebook.model import all_definitions

__all__ = [
    "Definition",
    "Hit",
    "Miss",
    "Outcome",
    "chows",
    "declared",
    "definition_ids",
    "definition_of",
    "flowers",
    "kongs",
    "sets",
    "winning",
    "winning_shapes",
]


def definition_ids() -> list[str]:
    """The id of every definition that there is."""
    return [*REGISTRY, *all_definitions("all_chows")]


def definition_of(id_: str) -> Definition:
    """The definition of that id; a table's own pattern is its condition, written in the id."""
    known = REGISTRY.get(id_)
    if known is not None:
        return known
    if id_.startswith("all_chows."):
        return chows.all_chows(id_)
    if id_.startswith(SHAPE_PREFIX):
        return winning_shapes.house_shape(id_)
    from scoring.patterns.own.definitions import own_definition  # most books have no own patterns

    return own_definition(id_)
