"""自訂牌型: a book's additional data on a table's own pattern, and the ready patterns that a book can take in."""

import os
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.messages.toml_kept import load_own_toml

READY_FILE = os.path.join(os.path.dirname(__file__), "own_ready.toml")
MOST_OWN = 160
"""Own patterns of one book."""
EXAMPLES = ("has", "has_not")
"""The keys of the hand that must have the pattern, and of the one that must not."""


class Example(NamedTuple):
    """例牌: a winning hand in the form of a request. By default South draws it, East deals, in East's round.

    `melds`: each with its tiles, after its kind if the tiles leave it open: ``concealed_kong 1111z``.
    `winning_tile`: "" for the last of the closed tiles.
    """

    concealed: str
    melds: tuple[str, ...] = ()
    flowers: str = ""
    winning_tile: str = ""
    win: str = "self_draw"
    seat: str = "S"
    round: str = "E"
    dealer: str = "E"
    events: tuple[str, ...] = ()


class OwnPattern(NamedTuple):
    """自訂牌型: `condition` as the book writes it; a hand that must have the pattern, and one that must not."""

    id: str
    condition: Mapping[str, Any]
    has: Example
    has_not: Example


@cache
def ready_own_patterns() -> Mapping[str, Mapping[str, object]]:
    """現成的自訂牌型: id -> the table that a book writes to take it in. No built-in book counts one of them."""
    return MappingProxyType(load_own_toml(READY_FILE)["own_patterns"])
