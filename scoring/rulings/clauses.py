"""出處: the citations of a ruling: lines of the document, named readings, or the table's own change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from scoring.rulebook.model import RuleBook
from scoring.rulebook.rulings import Clauses
from scoring.rulebook.settings import Cite

SETTINGS_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "end_of_wall": ("drawn_hand",),
        "end_of_wall.four_kongs": ("four_kongs_of_several",),
        "false_win": ("false_win", "false_win_tai", "false_win_to"),
        "false_win.deal": ("false_win_deal",),
        "flower_win.flower_win_off": ("flower_win",),
        "flower_win.goes_on": ("flower_win",),
        "flower_win.below_least_tai": ("least_tai",),
        "least_tai": ("least_tai",),
        "responsibility": ("responsibility",),
        "at_once.kong": ("kong_points",),
        "at_once.added_kong": ("kong_points",),
        "at_once.concealed_kong": ("concealed_kong_points",),
        "at_once.flower": ("flower_points",),
        "ready_paid": ("ready_points",),
        "calls.after_kong": ("exposed_kong_draw",),
        "responsibility.exposed_kong": ("exposed_kong_draw",),
        "several_wins": ("several_winners",),
        "several_wins.three": ("several_winners",),
        "side_bets": ("side_bets",),
        "streak_limit": ("streak_limit", "streak_limit_then"),
        "watching": ("watching",),
    }
)
"""Clauses that repeat a setting of the book. If a table changed the setting, the table is cited instead."""

DECIDED_BY_SETTING = frozenset({"calls.after_kong", "responsibility.exposed_kong", "streak_limit"})
"""Of these the clauses in which a setting decides alone; a book without a clause for them cites that of the setting."""

PATTERNS_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "flower_win.eight": ("eight_flowers",),
        "flower_win.seven_rob_one": ("seven_rob_one",),
        "flower_win.dealt": ("dealt_flower_win",),
        "flower_win.flower_win_off": ("eight_flowers", "seven_rob_one"),
    }
)
"""Clauses that pay the tai of a pattern. If a table changed the tai, the table is cited instead."""


@lru_cache(maxsize=4096)
def sources(book: RuleBook, clauses: tuple[str, ...]) -> Clauses:
    """The lines and the readings that the book gives for these clauses, each once, in their order."""
    cites: dict[Cite, None] = {}
    readings: dict[str, None] = {}
    for clause in clauses:
        changed = _of_the_table(book, clause)
        own = changed or _of_the_book(book, clause)
        cites.update(dict.fromkeys(own.cites))
        readings.update(dict.fromkeys(own.readings))
    return Clauses(tuple(cites), tuple(readings))


def _of_the_table(book: RuleBook, clause: str) -> Clauses | None:
    cites = [book.source(setting).cite for setting in SETTINGS_OF.get(clause, ())]
    cites += [rule.cite for id_ in PATTERNS_OF.get(clause, ()) if (rule := book.patterns[id_]).changed]
    house = [cite for cite in cites if cite is not None and cite.house]
    return Clauses(tuple(house)) if house else None


def _of_the_book(book: RuleBook, clause: str) -> Clauses:
    key, _, branch = clause.partition(".")
    rule = book.rulings.get(key)
    branch_clauses = rule.clauses.get(branch) if rule else None
    if branch_clauses is not None:
        return branch_clauses
    if clause in DECIDED_BY_SETTING:
        cites = [book.source(setting).cite for setting in SETTINGS_OF[clause]]
        return Clauses(tuple([cite for cite in cites if cite]))
    if rule is None:
        return Clauses()
    return Clauses((rule.cite,) if rule.cite else (), rule.readings)
