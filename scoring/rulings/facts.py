"""情事: the incidents that may be asked about and the facts of each, the same for every book.

The order of an incident's facts is the order in which they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Kind = Literal[
    "bool",
    "choice",
    "count",
    "number",
    "seat",
    "seats",
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
    """One fact. `default` None: there is none, it is asked for where the book needs it. `least`: of a number."""

    name: str
    kind: Kind
    choices: tuple[str, ...] = ()
    default: object = None
    least: int = 0


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident: its facts, and whether `who` did it is needed or refused.

    `who_if`: with ``needed_if`` and ``refused_if``, the fact and value on which that hangs.
    """

    id: str
    facts: tuple[Fact, ...]
    who: Who = "needed"
    who_if: tuple[str, str] = ("", "")


def _flag(name: str, default: bool | None = False) -> Fact:
    return Fact(name, "bool", default=default)


def _asked(name: str) -> Fact:
    return Fact(name, "bool")


def _choice(name: str, *choices: str, default: str | None = None) -> Fact:
    return Fact(name, "choice", choices, default)


_STAGE = _choice("stage", "not_drawn", "seen", "in_hand", "discarded")
_DEALER_READY = _asked("dealer_ready")  # where a book lets the dealer deal again after a drawn hand only if he was
_FALSE_WIN = (_asked("shown"), Fact("waiting", "seats"))
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

_ALL = (
    Incident(
        "dead_hand",
        (
            _choice("cause", "count", "wrong_tiles", "not_taken_in", "peeked", default="count"),
            Fact("count", "count"),
            _asked("drawn"),
            _flag("seen", True),
            _flag("declared", True),
            _flag("same_turn"),
        ),
    ),
    Incident("dead_again", ()),
    Incident("false_win", (*_FALSE_WIN, Fact("true_win", "win"))),
    Incident("pay_for_all", (_flag("drawn"), _DEALER_READY)),
    Incident(
        "pay_in_place",
        (
            Fact("winner", "seat"),
            _choice("win", "discard", "self_draw"),
            Fact("discarder", "seat"),
            Fact("tai", "count"),
            _flag("replacement"),
            _flag("this_tile"),
        ),
        "refused",
    ),
    Incident(
        "responsibility",
        (
            Fact("winner", "seat"),
            Fact("discarder", "seat"),
            Fact("tile", "tile"),
            Fact("tai", "count"),
            _choice("win", "discard", "rob_kong", "self_draw", default="discard"),
            Fact("melds", "melds"),
            Fact("patterns", "choices", RESPONSIBLE_PATTERNS),
            _asked("fresh"),
        ),
        "refused",
    ),
    Incident(
        "unmade_call",
        (
            _choice("call", "chow", "pung", "kong", "win"),
            Fact("discarder", "seat"),
            _flag("pair_shown"),
            Fact("discards", "count"),
            _asked("next_drew"),
        ),
    ),
    Incident(
        "missed_win",
        (
            Fact("passed", "tile"),
            Fact("waits", "tiles"),
            Fact("since", "own_acts", OWN_ACTS, default=()),
            Fact("tile", "tile"),
            _flag("laid_down"),
            *_FALSE_WIN,
        ),
    ),
    Incident(
        "priority",
        (
            Fact("discarder", "seat"),
            _choice("source", "discard", "added_kong", default="discard"),
            Fact("acts", "acts", PRIORITY_ACTS),
        ),
        "refused",
    ),
    Incident(
        "priority_broken",
        (
            _choice("insisted", "win", "self_draw", "pung", "kong"),
            _choice("against", "win", "self_draw", "pung", "kong", "chow", "draw"),
        ),
    ),
    Incident("several_wins", (Fact("discarder", "seat"), Fact("claims", "claims")), "refused"),
    Incident(
        "calls",
        (
            _choice("act", *CALLS),
            Fact("from", "seat"),
            Fact("tile", "tile"),
            _asked("ready"),
            Fact("turn", "choices", TURN_ACTS, default=()),
            _flag("repeat"),
            _flag("kong_after_touch"),
        ),
    ),
    Incident(
        "swap_call",
        (
            _choice("call", "chow", "pung"),
            Fact("tile", "tile"),
            Fact("with", "two"),
            Fact("discard", "tile"),
            Fact("before", "tile"),
        ),
    ),
    Incident(
        "shown_tile",
        (
            _choice("how", "said", "shown", "misnamed"),
            Fact("tiles", "set"),
            Fact("discard", "tile"),
            _flag("by_other"),
            _flag("laid_down"),
        ),
    ),
    Incident("wrong_concealed_kong", (_choice("found", "in_play", "won", "drawn"), _DEALER_READY)),
    Incident("wrong_added_kong", (_STAGE, _asked("tile_known"), _flag("strict"), _flag("robbed"))),
    Incident("wrong_kong", (_STAGE, _asked("tile_known"), Fact("discarder", "seat"))),
    Incident("wrong_pung", (_asked("done"), Fact("discarder", "seat"), Fact("discards", "count"))),
    Incident(
        "wrong_meld_discard",
        (
            _choice("noticed", "uncalled", "called", "won", "never"),
            Fact("callers", "seats"),
            Fact("wins", "wins"),
        ),
    ),
    Incident("flower_order", (Fact("flowers", "flower_counts"),), "refused"),
    Incident(
        "flower_fault",
        (
            _choice(
                "fault",
                *("discarded_drawn", "discarded_from_hand", "discarded_replaced"),
                *("not_replaced", "out_of_order", "wrong_replaced"),
            ),
            Fact("flower", "flower"),
            _asked("last_tile_known"),
            _asked("seen"),
            _flag("robbed"),
        ),
    ),
    Incident(
        "flower_win",
        (
            _choice("kind", "eight", "seven_rob_one"),
            _asked("replaced"),
            Fact("from", "seat"),
            _choice("when", "at_once", "later", "hidden_own_turn", default="at_once"),
            _flag("dealt"),
            _flag("opened"),
        ),
    ),
    Incident(
        "watching",
        (
            _choice("what", "fee", "offence", "won_after_missed"),
            Fact("offences", "count", default=0),
            Fact("winner", "seat"),
        ),
    ),
    Incident(
        "ready_void",
        (
            _choice("declaration", "heavenly_ready", "earthly_ready", "early_ready"),
            _choice("why", "changed", "touched", "missed_win", "false"),
        ),
    ),
    Incident(
        "self_draw_touch",
        (
            _choice(
                "touched",
                *("hand", "sea", "below", "wall", "fell", "carried", "ruler", "side", "raised", "two_hands"),
            ),
            _flag("heavenly"),
            _flag("laid_down"),
        ),
    ),
    Incident(
        "end_of_wall",
        (_choice("event", "discarded", "flower", "declined", "four_kongs"), _DEALER_READY),
        "needed_if",
        ("event", "declined"),
    ),
    Incident(
        "turn_fault",
        (
            _choice("act", "drew", "discarded", "wrong_tile", "touched_wall", "changed_discard"),
            _asked("seen"),
            _asked("played_on"),
            _asked("next_drew"),
        ),
    ),
    Incident(
        "deal_fault",
        (
            _choice("fault", "wrong_stack", "wrong_wall", "forgotten_tile"),
            _asked("others_replaced"),
            _asked("flower"),
        ),
        "refused",
    ),
    Incident(
        "time",
        (_choice("what", "turn", "late_pung", "replacing", "game"), Fact("seconds", "number")),
        "refused_if",
        ("what", "game"),
    ),
    Incident("wreck", (_asked("restorable"),)),
    Incident(
        "side_bets",
        (
            _choice("bet", "inner", "outer"),
            _choice("act", "start", "change", "stop", "meddled"),
            Fact("bases", "count", default=1, least=1),
            Fact("deals_left", "count"),
            _flag("lost"),
            _flag("next_jiang"),
        ),
        "refused",
    ),
    Incident("cheating", (_choice("what", "stolen_tile", "hidden_tile", "swapped_tile", "collusion", "points"),)),
)

INCIDENTS = MappingProxyType({one.id: one for one in _ALL})
"""Every incident by its id, in the order in which people look for them."""
