"""優先權: who gets a discard (or the tile of an added kong), from the calls and acts in order of time.

A win goes before a pung or kong, and these before a chow or a draw. Of equal claims the earlier one counts [R14]. Each
book defines when a call is too late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.hands.hand import Seat
from scoring.rulings.facts import PRIORITY_ACTS, Fact, Form, Incident, choice
from scoring.rulings.values import Case, Ruling
from scoring.settlement.payments import winners

PUNG_SECONDS = 3  # 004 L78
_RANK = {"say_pung": 1, "say_kong": 1, "say_chow": 2}
_OUTCOMES = {"say_win": "win", "say_pung": "pung", "say_kong": "kong", "say_chow": "chow", "say_self_draw": "self_draw"}


@dataclass(frozen=True, slots=True)
class Act:
    """One call or act, `t` seconds after the discard."""

    who: Seat
    act: str
    t: float


@dataclass(frozen=True, slots=True)
class _Word:
    """A valid call and its place in time."""

    who: Seat
    act: str
    t: float
    place: int
    first_hand: bool = False  # a pung or kong within three seconds, which beats chow, draw and self-draw


@dataclass(slots=True)
class _Table:
    """The state of the table after each act, in order of time.

    `let_pass`: players who called a win after they had reached for the wall. `late_pungs`: players who called 碰 after
    the three seconds.
    """

    drawer: Seat
    done: bool = False  # somebody has discarded: the next turn
    taken_in: bool = False
    asked: bool = False
    closed: bool = False  # calls have ended, although the drawer has not discarded
    reached: set[Seat] = field(default_factory=set)
    let_pass: list[Seat] = field(default_factory=list)
    late_pungs: list[Seat] = field(default_factory=list)

    def see(self, act: Act) -> None:
        if act.act == "discard":
            self.done = True
        elif act.act == "ask":
            self.asked = True
        elif act.act in ("reach", "take_in"):
            self.reached.add(act.who)
            if act.who == self.drawer:
                self.taken_in = self.taken_in or act.act == "take_in"
                self.closed = self.closed or self.asked


def rule_priority(c: Case) -> Ruling:
    """優先權."""
    discarder: Seat = c.need("discarder")
    acts: Sequence[Act] = c.need("acts")
    robbing = c.fact("source") == "added_kong"
    drawer = discarder if robbing else c.next(discarder)
    words, table = _valid_words(c, acts, drawer, robbing=robbing)
    callers = {act.who for act in acts if act.act.startswith("say_")}
    outcome, gets = _decide(c, words, discarder, drawer, drew=drawer in table.reached)
    if outcome == "draw":
        outcome, gets = ("kong_stands", (discarder,)) if robbing else ("draw", (drawer,))
    lost = callers - set(gets) | ({drawer} & callers if outcome == "draw" else set())
    order = (*c.after(discarder), discarder)
    settled_elsewhere = outcome in ("win", "self_draw")
    passed, late = ((), ()) if settled_elsewhere else (tuple(table.let_pass), tuple(table.late_pungs))
    late = tuple(seat for seat in late if not c.marked("warned", seat))
    return Ruling(
        outcome,
        None if settled_elsewhere else "goes_on",
        marks=c.marks_of({"missed_win": passed, "warned": late}),
        gets=tuple(seat for seat in order if seat in gets),
        lost=tuple(seat for seat in order if seat in lost),
        let_pass=tuple(table.let_pass),
        warned=late,
        clauses=(*_clauses(outcome, words, acts), *(("priority.reached",) if table.let_pass else ())),
    )


def _valid_words(c: Case, acts: Sequence[Act], drawer: Seat, *, robbing: bool) -> tuple[list[_Word], _Table]:
    """The calls that were in time, and the table after all acts."""
    choice = c.rule.choice
    table = _Table(drawer)
    words: list[_Word] = []
    for place, spoken in enumerate(sorted(acts, key=lambda act: act.t)):
        if spoken.act in _OUTCOMES:
            quick = choice == "three_seconds" and spoken.act in ("say_pung", "say_kong")
            first_hand = quick and spoken.t <= PUNG_SECONDS
            late = _late(choice, table, spoken, robbing=robbing) if not quick else not first_hand
            if c.book.limits.claim_order == "pung_before_chow_only" and spoken.act in ("say_pung", "say_kong"):
                late = table.done  # whoever spoke or drew first
            if not late and _possible(spoken, drawer, robbing=robbing):
                words.append(_Word(spoken.who, spoken.act, spoken.t, place, first_hand))
            elif late and quick and spoken.act == "say_pung" and spoken.who not in table.late_pungs:
                table.late_pungs.append(spoken.who)
            elif late and _let_pass(choice, table, spoken):
                table.let_pass.append(spoken.who)
        table.see(spoken)
    return words, table


def _possible(act: Act, drawer: Seat, *, robbing: bool) -> bool:
    """A chow and a self-draw are the next player's alone; an added kong may only be robbed."""
    if act.act in ("say_chow", "say_self_draw") and act.who != drawer:
        return False
    return not robbing or act.act in ("say_win", "say_self_draw")


def _let_pass(choice: str, table: _Table, act: Act) -> bool:
    """過水: whether this win is lost because its caller had reached for the wall (000 L403, L536; 001 L83)."""
    if choice not in ("drawn_tile_in_hand", "silence_after_asking") or act.act != "say_win" or table.done:
        return False
    return act.who in table.reached and act.who not in table.let_pass


def _late(choice: str, table: _Table, act: Act, *, robbing: bool) -> bool:
    if act.act == "say_self_draw":
        return table.done
    if table.done:
        return True
    pung = act.act in ("say_pung", "say_kong")
    if choice == "drawn_tile_in_hand":
        late = table.taken_in and (pung or robbing)
        return late or (act.act == "say_win" and act.who in table.reached)
    if choice == "silence_after_asking":
        return table.taken_in or table.closed or act.who in table.reached
    return False


def _decide(
    c: Case, words: Sequence[_Word], discarder: Seat, drawer: Seat, *, drew: bool
) -> tuple[str, tuple[Seat, ...]]:
    self_draw = next((word for word in words if word.act == "say_self_draw"), None)
    if self_draw is not None:
        stronger = [
            word
            for word in words
            if word.who != drawer
            and word.act in ("say_win", "say_pung", "say_kong")
            and (word.t < self_draw.t or word.first_hand)
        ]
        if not stronger:
            return "self_draw", (drawer,)
    claims = tuple(dict.fromkeys(word.who for word in words if word.act == "say_win"))
    if claims:
        return "win", winners(c.book, claims, discarder)
    others = [word for word in words if word.act in _RANK and not (word.act == "say_chow" and drew)]
    if not others:
        return "draw", ()
    best = min(others, key=lambda word: (_RANK[word.act], word.place))
    return _OUTCOMES[best.act], (best.who,)


def _clauses(outcome: str, words: Sequence[_Word], acts: Sequence[Act]) -> tuple[str, ...]:
    calls = sum(act.act in _OUTCOMES for act in acts)
    late = ("priority.late",) if calls > len(words) else ()
    return (f"priority.{outcome}", *late)


INCIDENTS = (
    Incident(
        "priority",
        (
            Fact("discarder", "seat"),
            choice("source", "discard", "added_kong", default="discard"),
            Fact("acts", "acts", PRIORITY_ACTS),
        ),
        rule_priority,
        Form("first"),
        "refused",
    ),
)
