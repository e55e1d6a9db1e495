"""吃入打出、嗆牌、靠張: discards after a call, tiles that were named or shown, and touches of a drawn tile."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.rulings.facts import Fact, Form, Incident, choice, flag
from scoring.rulings.incidents.money import false_win, make_dead, pay_for_all
from scoring.rulings.values import Case, Ruling, not_ruled
from scoring.tiles import CODES


def _wanted(tiles: Sequence[int]) -> tuple[int, ...]:
    """The tiles that complete a pair or part of a chow; a single tile itself; empty for any other two tiles."""
    if len(tiles) == 1:
        return tuple(tiles)
    low, high = sorted(tiles)
    if low == high:
        return (low,)
    if high >= 27 or low // 9 != high // 9 or high - low > 2:
        return ()
    if high - low == 2:
        return (low + 1,)
    return tuple(tile for tile in (low - 1, high + 1) if tile >= 0 and tile // 9 == low // 9)


def is_set_wanting(tiles: Sequence[int]) -> bool:
    """Whether these are one tile, a pair, or two neighbours or one apart of a suit."""
    return len(tiles) in (1, 2) and bool(_wanted(tiles))


def rule_swap_call(c: Case) -> Ruling:
    """吃入打出、打出吃入: the tile called thrown at once, or one just thrown called."""
    choice = c.rule.choice
    chow = c.need("call") == "chow"
    tile: int = c.need("tile")
    pair: Sequence[int] = c.need("with")
    discard: int = c.need("discard")
    if discard == tile:
        return make_dead(c, "swap_call")
    if choice == "same_tile":
        if chow and c.fact("before") == tile:
            return make_dead(c, "swap_call.before")
    elif chow and abs(pair[0] - pair[1]) == 1 and discard in _wanted(pair):
        return make_dead(c, "swap_call.other_end")
    return Ruling("no_fault", clauses=("swap_call",))


def rule_shown_tile(c: Case) -> Ruling:
    """嗆牌、現牌: a tile that was named or shown may not be called in this hand."""
    choice = c.rule.choice
    how: str = c.need("how")
    tiles: Sequence[int] = c.need("tiles")
    clause = f"shown_tile.{how}"
    if how == "misnamed":
        if choice != "calls_and_win":
            not_ruled()
        c.need("discard")
        return Ruling(
            "liable_for_both", marks=c.marks_with(*(f"said:{CODES[tile]}" for tile in tiles)), clauses=(clause,)
        )
    if choice == "calls_and_win":
        if c.fact("by_other"):
            return Ruling("no_fault", clauses=("shown_tile.shown",))
        if c.fact("laid_down"):
            return false_win(c, clause)
    else:
        if how == "said":
            return Ruling("referee", clauses=(clause,))
        if c.fact("laid_down"):
            return pay_for_all(c, clause, "shown_tile.laid_down")
    return Ruling("barred", marks=c.marks_with(*(f"{how}:{CODES[tile]}" for tile in _wanted(tiles))), clauses=(clause,))


_TOUCHES = {
    "false_win": ("hand", "sea", "below", "wall", "fell", "carried"),
    "missed_win_in_hand": ("hand", "fell", "sea"),
    "missed_win": ("hand", "sea", "wall", "fell", "ruler", "side", "raised", "two_hands"),
}


def rule_self_draw_touch(c: Case) -> Ruling:
    """自摸靠張: the self-drawn tile touched something."""
    choice = c.rule.choice
    touched: str = c.need("touched")
    clause = f"self_draw_touch.{touched}"
    if touched not in _TOUCHES[choice]:
        return Ruling("allowed", clauses=("self_draw_touch",))
    if touched == "hand" and c.fact("heavenly") and choice != "missed_win":
        return Ruling("allowed", clauses=("self_draw_touch.heavenly",))
    if choice == "false_win":
        return (
            false_win(c, clause, "self_draw_touch.laid_down")
            if c.fact("laid_down")
            else Ruling("barred", clauses=(clause,))
        )
    if choice == "missed_win_in_hand" and touched == "sea":
        return Ruling("discarded", clauses=(clause,))
    return Ruling("barred", marks=c.marks_with("missed_win"), clauses=(clause,))


INCIDENTS = (
    Incident(
        "swap_call",
        (
            choice("call", "chow", "pung"),
            Fact("tile", "tile"),
            Fact("with", "two"),
            Fact("discard", "tile"),
            Fact("before", "tile"),
        ),
        rule_swap_call,
        Form("dead", offers=("before",)),
    ),
    Incident(
        "shown_tile",
        (
            choice("how", "said", "shown", "misnamed"),
            Fact("tiles", "set"),
            Fact("discard", "tile"),
            flag("by_other"),
            flag("laid_down"),
        ),
        rule_shown_tile,
        Form("call"),
    ),
    Incident(
        "self_draw_touch",
        (
            choice(
                "touched",
                *("hand", "sea", "below", "wall", "fell", "carried", "ruler", "side", "raised", "two_hands"),
            ),
            flag("heavenly"),
            flag("laid_down"),
        ),
        rule_self_draw_touch,
        Form("missed"),
    ),
)
