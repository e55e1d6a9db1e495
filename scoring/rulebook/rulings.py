"""裁決條文: what a book rules beside the tally, each key a closed choice with its clauses.

`scoring.rulings` acts on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from scoring.rulebook.cites import Cite

NOT_RULED = "not_ruled"

RULING_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "dead_hand": (NOT_RULED, "own_kongs_stay", "draw_and_discard", "no_win_if_seen", "no_win"),
        "dead_again": (NOT_RULED, "pay_for_all"),
        "false_win": ("as_payment",),
        "pay_for_all": (NOT_RULED, "as_false_win"),
        "pay_in_place": (NOT_RULED, "guilty_pays"),
        "responsibility": ("as_payment",),
        "unmade_call": (NOT_RULED, "fine_unless_previous", "fine_after_four", "free_until_drawn"),
        "missed_win": (
            NOT_RULED,
            "safe_discard_or_kong",
            "safe_discard_or_kong_else_pay_for_all",
            "that_tile",
            "safe_discard",
        ),
        "priority": ("plain", "drawn_tile_in_hand", "silence_after_asking", "three_seconds"),
        "priority_broken": (NOT_RULED, "void_and_dead_hand", "warning"),
        "several_wins": ("as_payment", "reached_is_out"),
        "calls": ("not_limited", "own_kongs_to_the_end", "no_calls_at_the_end", "no_kong_of_previous"),
        "swap_call": (NOT_RULED, "same_tile", "same_tile_or_other_end"),
        "shown_tile": (NOT_RULED, "calls_and_win", "calls_and_missed_win"),
        "wrong_concealed_kong": (NOT_RULED, "kong_draws_duty", "pay_for_all"),
        "wrong_added_kong": (NOT_RULED, "by_stage"),
        "wrong_kong": (NOT_RULED, "by_stage"),
        "wrong_pung": (NOT_RULED, "dead_hand", "fine"),
        "wrong_meld_discard": (NOT_RULED, "by_notice"),
        "flower_order": ("dealer_first",),
        "flower_fault": (NOT_RULED, "turn_over_last_tile", "dead_hand"),
        "flower_win": (NOT_RULED, "after_replacement", "at_once"),
        "watching": ("as_payment",),
        "ready_void": (NOT_RULED, "declaration_lost", "early_ready"),
        "self_draw_touch": (NOT_RULED, "false_win", "missed_win_in_hand", "missed_win"),
        "end_of_wall": ("keeps_sixteen", "last_may_be_declined"),
        "turn_fault": (NOT_RULED, "dead_hand", "dead_hand_if_seen", "may_be_changed", "warning"),
        "deal_fault": (NOT_RULED, "forgotten_tile", "wrong_start"),
        "time": (NOT_RULED, "draw_and_discard_only", "warning"),
        "wreck": (NOT_RULED, "pay_for_all"),
        "side_bets": ("as_payment",),
        "cheating": (NOT_RULED, "stolen_tile", "referee"),
        "seat_draw": ("any_player", "back_to_stage", "temporary_dealer"),
        "same_circle": ("stands", "drawn_again"),
        "first_dealer": ("east_throws",),
        "wall_break": ("first_throw_kept", "always_thrown", "first_throw_may_be_kept"),
        "hand_east": ("wall_break", "dealer"),
        "deal_order": ("two_stacks",),
        "reserve": ("sixteen",),
        "dice": ("three", "two"),
        "wall_tiles": ("with_flowers", "three_sets"),
        "wind_marker": ("not_mentioned", "used"),
        "streak_die": ("not_mentioned", "used"),
    }
)
"""The choices of each key; the first is that of a book which says nothing. ``as_payment``: the book's payment rule."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """條文: the lines that one branch of a rule stands on, and the readings where they are silent."""

    cites: tuple[Cite, ...] = ()
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RulingRule:
    """一條裁決: the book's choice, its line, and the lines of single branches by name; `note`: a house's own remark."""

    id: str
    choice: str
    cite: Cite | None = None
    readings: tuple[str, ...] = ()
    clauses: Mapping[str, Clauses] = field(default_factory=dict)
    note: str = ""
    note_en: str = ""

    @property
    def ruled(self) -> bool:
        """Whether the book says anything here."""
        return self.choice not in (NOT_RULED, "not_mentioned")
