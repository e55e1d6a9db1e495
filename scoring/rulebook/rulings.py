"""裁決條文: a book's decisions on incidents, each key a closed choice with its clauses.

`scoring.rulings` acts on them. A missing key has the first choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.rulebook.settings import HOUSE_CITE, Cite

if TYPE_CHECKING:
    from scoring.answers import Sources

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
        "at_once": ("as_payment",),
        "ready_paid": ("as_payment",),
        "cheating": (NOT_RULED, "stolen_tile", "referee"),
        "seat_draw": ("any_player", "back_to_stage", "temporary_dealer"),
        "same_circle": ("stands", "drawn_again"),
        "first_dealer": ("east_throws",),
        "wall_break": ("first_throw_kept", "always_thrown", "first_throw_may_be_kept"),
        "deal_order": ("two_stacks",),
        "reserve": ("sixteen",),
        "dice": ("three", "two"),
        "wall_tiles": ("with_flowers", "three_sets", "without_flowers"),
        "wind_marker": ("not_mentioned", "used"),
        "streak_die": ("not_mentioned", "used"),
    }
)
"""The choices of each key; the first applies to a silent book. ``as_payment``: the book's payment rule."""


class Clauses(NamedTuple):
    """條文: the clauses of one branch of a rule, and our readings if they are silent."""

    cites: tuple[Cite, ...] = ()
    readings: tuple[str, ...] = ()

    def to_json(self) -> Sources:
        """The lines, the words that stand on them, and the readings, as answers write them."""
        return {
            "cites": list(dict.fromkeys(str(cite) for cite in self.cites)),
            "quotes": [{"cite": str(cite), "quote": cite.quote} for cite in self.cites if cite.quote],
            "readings": list(self.readings),
        }


class RulingRule(NamedTuple):
    """一條裁決: the book's choice, its line, and the lines of single branches by name; `note`: a house's own remark."""

    id: str
    choice: str
    cite: Cite | None = None
    readings: tuple[str, ...] = ()
    clauses: Mapping[str, Clauses] = MappingProxyType({})
    note: str = ""
    note_en: str = ""

    @property
    def ruled(self) -> bool:
        """Whether the book decides this."""
        return self.choice not in (NOT_RULED, "not_mentioned")


Table = Mapping[str, object]
Report = Callable[..., None]

_KEYS = ("choice", "cite", "readings", "clauses", "note", "note_en")
_CITE = {"document": str, "line": int, "quote": str}


class _Kind(NamedTuple):
    """A kind of value, as a sentence names it."""

    zh: str
    en: str


_TABLE = _Kind("表", "a table")
_ARRAY = _Kind("陣列", "an array")
_STRING = _Kind("文字", "a string")
_INTEGER = _Kind("整數", "an integer")


def read_rulings(raw: object, report: Report) -> Mapping[str, RulingRule]:
    """The rules by key. What cannot be understood is reported as ``report("ruling", key, reason, …)``."""
    tables = raw if isinstance(raw, dict) else {}
    if raw is not None and not isinstance(raw, dict):
        _wrong_type(report, "", "rulings", _TABLE, raw)
    for key in tables:
        if key not in RULING_CHOICES:
            report("ruling", key, "unknown_key", key=key)
    return MappingProxyType({key: read_ruling(key, tables.get(key, {}), report) for key in RULING_CHOICES})


def read_ruling(key: str, table: object, report: Report) -> RulingRule:
    """The rule of one key. Problems are reported as in `read_rulings`.

    table: the book's entry for the key; ``wreck = "pay_for_all"`` is a choice.
    """
    return _rule(key, {"choice": table} if isinstance(table, str) else table, report)


def rulings_over(base: Mapping[str, Any], house: object) -> object:
    """The tables of a base book with the tables of a house file over them; ``wreck = "pay_for_all"`` is a choice.

    A choice that the house changes has the table (本桌) as its source instead of the clauses of the base.
    """
    if not isinstance(house, dict):
        return house
    merged: dict[str, object] = dict(base)
    for key, value in house.items():
        new = {"choice": value} if isinstance(value, str) else value
        old = base.get(key, {})
        if isinstance(new, dict):
            same = new.get("choice", old.get("choice")) == old.get("choice")
            new = {**old, **new} if same else {"cite": HOUSE_CITE, **new}
        merged[key] = new
    return merged


def _rule(key: str, table: object, report: Report) -> RulingRule:
    choices = RULING_CHOICES[key]
    if not isinstance(table, dict):
        _wrong_type(report, key, key, _TABLE, table)
        return RulingRule(key, choices[0])
    for name in table:
        if name not in _KEYS:
            report("ruling", key, "unknown_key", key=name)
    choice = table.get("choice", choices[0])
    if choice not in choices:
        report("ruling", key, "unknown_choice", key="choice", value=choice, known=", ".join(choices))
        choice = choices[0]
    cite = _cite(key, table["cite"], report) if "cite" in table else None
    readings = _readings(key, table.get("readings", []), report)
    clauses = table.get("clauses", {})
    if not isinstance(clauses, dict):
        _wrong_type(report, key, "clauses", _TABLE, clauses)
        clauses = {}
    branches = {name: _branch(key, name, items, report) for name, items in clauses.items()}
    notes = [table.get(name, "") for name in ("note", "note_en")]
    for name, note in zip(("note", "note_en"), notes, strict=True):
        if not isinstance(note, str):
            _wrong_type(report, key, name, _STRING, note)
    return RulingRule(key, choice, cite, readings, MappingProxyType(branches), str(notes[0]), str(notes[1]))


def _branch(key: str, name: str, items: object, report: Report) -> Clauses:
    """``[{document, line, quote}, {reading = "R8"}]``."""
    cites: list[Cite] = []
    readings: list[str] = []
    if not isinstance(items, list):
        _wrong_type(report, key, name, _ARRAY, items)
        return Clauses()
    for item in items:
        if isinstance(item, dict) and set(item) == {"reading"}:
            readings += _readings(key, [item["reading"]], report)
        else:
            cite = _cite(key, item, report)
            cites += [cite] if cite else []
    return Clauses(tuple(cites), tuple(readings))


def _cite(key: str, table: object, report: Report) -> Cite | None:
    if isinstance(table, Cite):
        return table
    if not isinstance(table, dict):
        _wrong_type(report, key, "cite", _TABLE, table)
        return None
    for name in table:
        if name not in _CITE:
            report("ruling", key, "unknown_key", key=name)
    for name, kind in _CITE.items():
        if name not in table:
            report("ruling", key, "missing_key", key=name)
            return None
        if type(table[name]) is not kind:
            _wrong_type(report, key, name, _INTEGER if kind is int else _STRING, table[name])
            return None
    return Cite(table["document"], table["line"], table["quote"])


def _readings(key: str, value: object, report: Report) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    _wrong_type(report, key, "readings", _ARRAY, value)
    return ()


def _wrong_type(report: Report, key: str, name: str, kind: _Kind, value: object) -> None:
    report("ruling", key, "wrong_type", key=name, want_zh=kind.zh, want_en=kind.en, value=value)
