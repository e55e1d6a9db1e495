"""喊牌與過水: unmade calls, missed wins, and the acts that are allowed now."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.hands.hand import Seat
from scoring.rulebook.rulings import NOT_RULED
from scoring.rulings.facts import CALLS, FALSE_WIN, OWN_ACTS, TURN_ACTS, Fact, Form, Incident, asked, choice, flag
from scoring.rulings.incidents.money import false_win, fine, make_dead, pay_for_all
from scoring.rulings.incidents.penalties import warned
from scoring.rulings.values import LAST_DRAWS, Case, Duty, Ruling, not_ruled
from scoring.settlement.limits import kong_draw_wins
from scoring.tiles import CODES

FREE_DISCARDS = 4  # 001 L165: no fine while no more than these lie
LAST_CALLS = 3  # draws left when calls end


def unmade(c: Case, clause: str, *, steps: tuple[str, ...] = ()) -> Ruling:
    """喊碰未碰, 錯喊: a fine of one tai to the discarder, or no fine. Raises Ask for a fact that this book needs.

    c: the case. clause: the clause to cite. steps: the steps of the ruling.
    """
    discarder: Seat = c.need("discarder")
    if c.book.rulings["unmade_call"].choice == "fine_after_four":
        if c.need("discards") <= FREE_DISCARDS:
            return Ruling("no_fine", steps=steps, clauses=(f"{clause}.early",))
    elif discarder == c.previous(c.who):
        return Ruling("no_fine", steps=steps, clauses=(f"{clause}.previous",))
    return Ruling("fine", transfers=(fine(c, c.who, discarder),), steps=steps, clauses=(clause,))


def rule_unmade_call(c: Case) -> Ruling:
    """喊碰未碰."""
    choice = c.rule.choice
    call: str | None = c.fact("call")
    silent = call in ("chow", "win") if choice == "fine_unless_previous" else False
    if silent or (choice == "free_until_drawn" and c.fact("next_drew")):
        not_ruled()
    call = c.need("call")
    c.need("discarder")
    if choice == "free_until_drawn":
        c.need("next_drew")
        return Ruling("no_fine", clauses=("unmade_call.win" if call == "win" else "unmade_call",))
    if choice == "fine_unless_previous" and c.fact("pair_shown"):
        return Ruling("must_take", steps=("must_take",), clauses=("unmade_call.pair_shown",))
    return unmade(c, "unmade_call")


# ---- 過水 ----


def _freeing(choice: str) -> tuple[str, ...]:
    """解除過水: the player's own acts after which a missed win no longer bars him."""
    return ("discard",) if choice in ("that_tile", "safe_discard", NOT_RULED) else ("discard", "added_kong")


def rule_missed_win(c: Case) -> Ruling:
    """過水: whether one who let a win go may win on `tile` now."""
    choice = c.rule.choice
    passed: int = c.need("passed")
    waits: Sequence[int] = c.need("waits")
    tile: int = c.need("tile")
    freeing = _freeing(choice)
    any_tile = choice == "that_tile"
    free = any(act in freeing and (any_tile or own not in waits) for act, own in c.fact("since"))
    mark = f"missed_win:{CODES[passed]}" if any_tile else "missed_win"
    if free:
        return Ruling("allowed", marks=c.marks_with(without=(mark,)), clauses=("missed_win.free",))
    marks = c.marks_with(mark)
    if any_tile and tile != passed:
        return Ruling("allowed", marks=marks, clauses=("missed_win",))
    kongs = any(act == "concealed_kong" for act, _ in c.fact("since"))
    clauses = ("missed_win", *(("missed_win.concealed_kong",) if kongs else ()))
    if not c.fact("laid_down"):
        return Ruling("barred", marks=marks, clauses=clauses)
    if choice == "safe_discard_or_kong_else_pay_for_all":
        return pay_for_all(c, *clauses, "missed_win.laid_down")
    return false_win(c, *clauses, "missed_win.laid_down", marks=marks)


def rule_priority_broken(c: Case) -> Ruling:
    """違反優先權."""
    choice = c.rule.choice
    insisted: str | None = c.fact("insisted")
    if choice == "warning" and (insisted in ("win", "self_draw") or c.marked("warned")):
        not_ruled()
    insisted = c.need("insisted")
    against: str = c.need("against")
    if choice == "warning":
        warning = warned(c, "priority_broken.pung")
        return Ruling(warning.outcome, marks=warning.marks, steps=("take_back_tile",), clauses=warning.clauses)
    if insisted in ("win", "self_draw"):
        if insisted == against == "win":
            return Ruling("no_fine", None, clauses=("priority_broken.win",))
        return pay_for_all(c, "priority_broken.win")
    return make_dead(c, "priority_broken.pung", duties=(Duty(c.who, "any", LAST_DRAWS),))


# ---- 行牌禁制 ----

_KONGS = ("kong", "concealed_kong", "added_kong")
_WINS = ("win", "self_draw")
_CALLS_AND_WINS = ("chow", "pung", "kong", "win", "self_draw")
_ALL_ACTS = ("chow", "pung", *_KONGS, *_WINS)
_OWN_KONGS_STAY, _NO_CALLS, _NO_KONG_OF_PREVIOUS = "own_kongs_to_the_end", "no_calls_at_the_end", "no_kong_of_previous"


def rule_calls(c: Case) -> Ruling:
    """吃碰槓胡: whether this act is allowed now. What no clause forbids is allowed."""
    act: str = c.need("act")
    caller = act in ("chow", "pung", "kong")
    source: Seat | None = c.need("from") if caller else None
    choice = c.rule.choice
    if act == "kong" and choice == _NO_KONG_OF_PREVIOUS:
        c.need("ready")
    draws_left = None
    if choice in (_OWN_KONGS_STAY, _NO_CALLS) and act not in _WINS:
        draws_left = c.need_draws()
    clauses = [*_book_bars(c, act, source, draws_left), *_mark_bars(c, act)]
    if clauses:
        return Ruling("barred", clauses=tuple(clauses))
    if act == "self_draw" and "kong" in c.fact("turn"):
        return Ruling("allowed", clauses=("calls.after_kong",))
    if act == "self_draw" and c.marked("missed_win") and _lifted(c):
        return Ruling("allowed", clauses=("calls", "missed_win.free"))
    # the clause on chows speaks of the previous player's discard only (000 L359, 001 L52)
    return Ruling("allowed", clauses=("calls.chow", *_LIMIT_CLAUSES[choice]) if act == "chow" else ("calls",))


_LIMIT_CLAUSES = {_OWN_KONGS_STAY: ("calls.last_draws",), _NO_CALLS: ("calls.last_draws",)} | dict.fromkeys(
    ("not_limited", _NO_KONG_OF_PREVIOUS), ()
)


def _book_bars(c: Case, act: str, source: Seat | None, draws_left: int | None) -> list[str]:
    """The clauses of the book that bar the act, whatever was done before."""
    choice = c.rule.choice
    turn = tuple(c.fact("turn"))
    from_previous = source == c.previous(c.who)
    strict = choice in (_OWN_KONGS_STAY, _NO_CALLS)
    bars = {
        "calls.chow": act == "chow" and not from_previous,
        "calls.last_draws": draws_left is not None
        and draws_left <= LAST_CALLS
        and (choice == _NO_CALLS or act in ("chow", "pung", "kong")),
        "calls.kong_of_previous": choice in (_NO_CALLS, _NO_KONG_OF_PREVIOUS) and act == "kong" and from_previous,
        "calls.ready": choice == _NO_KONG_OF_PREVIOUS and act == "kong" and bool(c.fact("ready")),
        "calls.after_call": strict and act in _KONGS and ("chow" in turn or "pung" in turn),
        "calls.not_drawn": act == "self_draw" and turn[-1:] in (("chow",), ("pung",)),
        "calls.after_kong": act == "self_draw" and "kong" in turn and not kong_draw_wins(c.book),
        "calls.repeat": choice == _OWN_KONGS_STAY and act == "pung" and bool(c.fact("repeat")),
        "calls.touched": choice == _OWN_KONGS_STAY and act == "self_draw" and bool(c.fact("kong_after_touch")),
    }
    return [clause for clause, bar in bars.items() if bar]


def _mark_bars(c: Case, act: str) -> list[str]:
    """The clauses by which the marks of the one who acts bar it."""
    tile: int | None = c.fact("tile")
    code = CODES[tile] if tile is not None else ""
    bars: list[str] = []
    for mark in c.marks.get(c.who, ()):
        name, _, of = mark.partition(":")
        if (of and of != code) or (name == "missed_win" and act == "self_draw" and _lifted(c)):
            continue
        if act in _barred_acts(c, name):
            bars.append(_MARK_CLAUSES[name])
    return bars


def _lifted(c: Case) -> bool:
    """Whether a kong added in this turn lifts the missed win for its replacement (000 L407, 001 L86)."""
    return "added_kong" in c.fact("turn") and "added_kong" in _freeing(c.book.rulings["missed_win"].choice)


_MARK_CLAUSES = {
    "dead_hand": "dead_hand",
    "hidden_dead_hand": "dead_hand.hidden",
    "missed_win": "missed_win",
    "said": "shown_tile.said",
    "shown": "shown_tile.shown",
    "draw_and_discard_only": "time.turn",
    "watching": "watching.calls",
}
_DEAD_BARS = {"own_kongs_stay": _CALLS_AND_WINS, "draw_and_discard": _ALL_ACTS}


def _barred_acts(c: Case, mark: str) -> tuple[str, ...]:
    match mark:
        case "dead_hand":
            return _DEAD_BARS.get(c.book.rulings["dead_hand"].choice, _WINS)
        case "hidden_dead_hand" | "missed_win":
            return _WINS
        case "shown" if c.book.rulings["shown_tile"].choice == "calls_and_win":
            return ("chow", "pung", "kong", "win")  # a self-draw takes no other player's tile
        case "said" | "shown":
            return _CALLS_AND_WINS
        case "draw_and_discard_only":
            return _ALL_ACTS
        case "watching" if c.book.payment.watching == "one_tai_to_winner":
            return ("chow", "pung", *_KONGS)
        case _:
            return ()


INCIDENTS = (
    Incident(
        "unmade_call",
        (
            choice("call", "chow", "pung", "kong", "win"),
            Fact("discarder", "seat"),
            flag("pair_shown"),
            Fact("discards", "count"),
            asked("next_drew"),
        ),
        rule_unmade_call,
        Form("call"),
    ),
    Incident(
        "missed_win",
        (
            Fact("passed", "tile"),
            Fact("waits", "tiles"),
            Fact("since", "own_acts", OWN_ACTS, default=()),
            Fact("tile", "tile"),
            flag("laid_down"),
            *FALSE_WIN,
        ),
        rule_missed_win,
        Form("missed"),
    ),
    Incident(
        "priority_broken",
        (
            choice("insisted", "win", "self_draw", "pung", "kong"),
            choice("against", "win", "self_draw", "pung", "kong", "chow", "draw"),
        ),
        rule_priority_broken,
        Form("first"),
    ),
    Incident(
        "calls",
        (
            choice("act", *CALLS),
            Fact("from", "seat"),
            Fact("tile", "tile"),
            asked("ready"),
            Fact("turn", "choices", TURN_ACTS, default=()),
            flag("repeat"),
            flag("kong_after_touch"),
        ),
        rule_calls,
        Form("call", offers=("tile",)),
    ),
)
