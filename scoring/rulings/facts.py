"""情事: the declaration of an incident: its facts, the function that rules on it, and its form on the page.

Each incident is declared once, next to its function in `scoring.rulings.incidents`; lists, forms and tests follow from
it. All books have the same facts. Missing facts are asked for in the order of the declaration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from scoring.rulings.values import Case, Ruling

Kind = Literal[
    "bool",
    "choice",
    "count",
    "number",
    "seat",
    "seats",
    "seat_by_winner",
    "tile",
    "flower",
    "tiles",
    "set",
    "two",
    "own_acts",
    "acts",
    "claims",
    "wins",
    "win",
    "melds",
    "flower_counts",
    "choices",
]
Who = Literal["needed", "refused", "needed_if", "refused_if"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. A fact without `default` is asked for if the book needs it. `least`: the least value of a number."""

    name: str
    kind: Kind
    choices: tuple[str, ...] = ()
    default: object = None
    least: int = 0


@dataclass(frozen=True, slots=True)
class Form:
    """How the page asks: the `group` of its menu, and a fact to ask `first` even though it has a default.

    `offers`: facts that no book needs but that change the ruling if given. `settled`: the incident is a win; the page
    shows who pays whom, and the win is entered in the usual way.
    """

    group: str
    first: str = ""
    offers: tuple[str, ...] = ()
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident: its facts, its rule, its form, and whether `who` did it is needed or refused.

    `who_if`: with ``needed_if`` and ``refused_if``, the fact and value on which that hangs.
    """

    id: str
    facts: tuple[Fact, ...]
    rule: Callable[[Case], Ruling]
    form: Form
    who: Who = "needed"
    who_if: tuple[str, str] = ("", "")


def flag(name: str, default: bool | None = False) -> Fact:
    """A yes or no with a default."""
    return Fact(name, "bool", default=default)


def asked(name: str) -> Fact:
    """A yes or no that is asked for."""
    return Fact(name, "bool")


def choice(name: str, *choices: str, default: str | None = None) -> Fact:
    """One of closed choices."""
    return Fact(name, "choice", choices, default)


STAGE = choice("stage", "not_drawn", "seen", "in_hand", "discarded")
DEALER_READY = asked(
    "dealer_ready"
)  # asked by books that let the dealer deal again after a drawn hand only if his hand was ready
FALSE_WIN = (asked("shown"), Fact("waiting", "seats"))
RESPONSIBLE = Fact("responsible", "seat")  # 包牌: the player liable for the win of the incident, if anybody
RESPONSIBLE_OF_EACH = Fact("responsible", "seat_by_winner")
OWN_ACTS = ("discard", "added_kong", "concealed_kong")
TURN_ACTS = ("draw", "chow", "pung", "kong", "concealed_kong", "added_kong")
CALLS = ("chow", "pung", "kong", "concealed_kong", "added_kong", "win", "self_draw")
PRIORITY_ACTS = (
    "say_win",
    "say_pung",
    "say_kong",
    "say_chow",
    "say_self_draw",
    "ask",
    "reach",
    "take_in",
    "show",
    "discard",
)
RESPONSIBLE_PATTERNS = (
    "full_flush",
    "small_four_winds",
    "big_four_winds",
    "small_three_dragons",
    "big_three_dragons",
    "all_honors",
    "all_terminals",
)
