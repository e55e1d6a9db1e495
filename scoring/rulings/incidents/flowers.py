"""補花與牌牆: the order of replacement, faults with flowers, the flower win, and the end of the wall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoring.hands.hand import Hand, Seat, Win, WinContext
from scoring.rulebook.model import RuleBook
from scoring.rulings.facts import DEALER_READY, Fact, Form, Incident, asked, choice, flag
from scoring.rulings.incidents.money import drawn_deal, false_win, make_dead, won_deal
from scoring.rulings.values import Case, Ruling, not_ruled
from scoring.settlement.at_once import at_once, paid_at_once, ready_payments
from scoring.settlement.payments import others
from scoring.settlement.wins import pay_win
from scoring.tally.best import Score, score
from scoring.tally.counting import plan_of
from scoring.tally.payments import won_hand
from scoring.tiles import CODES, FLOWERS


def rule_flower_order(c: Case) -> Ruling:
    """補花: who replaces how many, round by round, from the dealer on."""
    flowers: Mapping[Seat, Sequence[int]] = c.need("flowers")
    order = (c.dealer, *c.after(c.dealer))
    last = max((len(counts) for counts in flowers.values()), default=0)
    rounds = [tuple((seat, _count(flowers, seat, 0)) for seat in order)]
    for turn in range(1, last):
        has = tuple((seat, _count(flowers, seat, turn)) for seat in order if _count(flowers, seat, turn))
        if has:
            rounds.append(has)
    return Ruling("order", rounds=tuple(rounds), clauses=("flower_order",))


def _count(flowers: Mapping[Seat, Sequence[int]], seat: Seat, turn: int) -> int:
    counts = flowers.get(seat, ())
    return counts[turn] if turn < len(counts) else 0


def rule_flower_fault(c: Case) -> Ruling:
    """打出花牌, 錯補花, 補花錯序."""
    choice = c.rule.choice
    fault: str = c.need("fault")
    clause = f"flower_fault.{fault}"
    if choice == "dead_hand":
        return Ruling("no_fault", clauses=(clause,)) if fault == "not_replaced" else make_dead(c, clause)
    match fault:
        case "discarded_replaced":
            mark = f"flower_void:{CODES[c.need('flower')]}"
            return Ruling("put_right", marks=c.marks_with(mark), steps=("take_back_flower",), clauses=(clause,))
        case "discarded_from_hand" if c.need("last_tile_known"):
            return make_dead(c, clause, steps=("take_back_flower", "another_discards_from_hand"))
        case "discarded_drawn" | "discarded_from_hand":
            return make_dead(c, clause, steps=("turn_over_last_tile",))
        case "not_replaced":
            return make_dead(c, clause, steps=("no_replacement",))
        case "wrong_replaced":
            return _wrong_replaced(c, clause)
        case _:
            return make_dead(c, clause)


def _wrong_replaced(c: Case, clause: str) -> Ruling:
    """錯補花 (000 L464): another may win the tile once the replacement has touched the tail of the wall.

    A replacement that was seen or put into the hand has touched it. The dead hand then stands as well.
    """
    touched, robbed = c.fact("touched"), c.fact("robbed")
    seen: bool = bool(c.fact("seen")) if touched and robbed else c.need("seen")
    if not (robbed and (touched or seen)):
        return make_dead(c, clause) if seen else Ruling("put_right", steps=("put_back",), clauses=(clause,))
    if not seen:
        return Ruling("win", None, clauses=("flower_fault.robbed",))
    dead = make_dead(c, "flower_fault.robbed", clause)
    over = dead.over  # a second dead hand: the penalty is owed beside the win, which ends the hand
    marks, also_dead = (c.marks, ()) if over else (dead.marks, (c.who,))
    return replace(dead, outcome="win", hand=None, deal=None, streak=None, marks=marks, also_dead=also_dead)


def rule_flower_win(c: Case) -> Ruling:
    """花胡 of an incomplete hand: whether it is valid, and its payments."""
    choice = c.rule.choice
    when: str = c.fact("when")
    after_replacement = choice == "after_replacement"
    if not after_replacement and when == "hidden_own_turn":
        not_ruled()
    kind: str = c.need("kind")
    replaced: bool = c.need("replaced") if after_replacement else True
    payers: tuple[Seat, ...] = others(c.who) if kind == "eight" else (c.need("from"),)
    if when == "later":
        return Ruling("void", clauses=("flower_win.later",))
    if c.marked("dead_hand") or c.marked("hidden_dead_hand"):
        return Ruling("void", clauses=("flower_win.dead",))
    if not replaced:
        return Ruling("void", steps=("put_back", "replace_now"), clauses=("flower_win.not_replaced",))
    if when == "hidden_own_turn" and kind == "eight":
        return Ruling("void", clauses=("flower_win.hidden",))
    result = flower_score(
        c.book,
        c.who,
        None if kind == "eight" else payers[0],
        dealt=bool(c.fact("dealt")),
        dealer=c.dealer,
        streak=c.streak,
    )
    if not result.wins:
        return Ruling("void", clauses=(f"flower_win.{result.problems[0].key}",))
    won = pay_win(c.book, won_hand(result), c.stakes)
    assert won is not None, "the score asks for the least tai as well"
    paid = won.transfers
    dealt = any(line.rule.id == "dealt_flower_win" for line in result.tally.lines)
    clauses = ["flower_win.dealt" if dealt else f"flower_win.{kind}"]
    if when == "hidden_own_turn":
        clauses.append("flower_win.hidden")
    opened = bool(after_replacement and c.fact("opened"))
    if opened:
        shown = false_win(c, "flower_win.opened")
        paid = (*paid, *shown.transfers)
        clauses += [clause for clause in shown.clauses if clause != "false_win.deal"]
    if c.book.flower_win == "paid_at_once" and not opened:
        return Ruling("flower_win", transfers=paid, clauses=(*clauses, "flower_win.goes_on"))
    return Ruling("flower_win", "ends", *won_deal(c, (c.who,)), paid, marks={}, clauses=tuple(clauses))


def flower_score(
    book: RuleBook, winner: Seat, robbed: Seat | None, *, dealt: bool, dealer: Seat = "E", streak: int = 0
) -> Score:
    """花胡的計分: the score of a flower win by its flowers alone, from the same tally as every hand.

    `robbed`: the player whose flower was the eighth; None if the winner drew all eight. The winner's seat wind makes no
    difference: two of the eight flowers belong to every seat.
    """
    win: Win = "eight_flowers" if robbed is None else "seven_rob_one"
    events = frozenset({"dealt_flowers"} if dealt else ())
    context = WinContext(win, winner, "E", dealer, streak, robbed, events)
    return score(Hand((), (), tuple(FLOWERS)), context, plan_of(book))


def rule_at_once(c: Case) -> Ruling:
    """當場收: a kong or flowers that are paid when they are shown, whoever wins the hand."""
    points = paid_at_once(c.book)
    what: str | None = c.fact("what")
    if not points or (what is not None and what not in points):
        not_ruled()
    what = c.need("what")
    payers: tuple[Seat, ...] = (c.need("discarder"),) if what == "kong" else c.after(c.who)
    number: int = c.fact("number") if what == "flower" else 1
    paid = at_once(number * points[what], c.who, payers)
    return Ruling("paid_at_once", transfers=paid, clauses=(f"at_once.{what}",))


def rule_ready_paid(c: Case) -> Ruling:
    """聽牌費: after a drawn hand the players whose hands were not ready pay the others."""
    if not c.book.payment.ready_points:
        not_ruled()
    ready: Sequence[Seat] = c.need("ready")
    paid = ready_payments(c.book, (c.dealer, *c.after(c.dealer)), ready)
    return Ruling("ready_paid", None, transfers=paid, clauses=("ready_paid",))


def rule_end_of_wall(c: Case) -> Ruling:
    """荒局: whether the hand is drawn with `draws_left` tiles to draw after this."""
    event: str = c.fact("event")
    may_decline = c.rule.choice == "last_may_be_declined"
    if event == "declined" and not may_decline:
        not_ruled()
    event = c.need("event")
    if event == "four_kongs":
        ends = c.book.limits.four_kongs_of_several == "drawn"
        return _drawn(c, "end_of_wall.four_kongs") if ends else Ruling("goes_on", clauses=("end_of_wall.four_kongs",))
    left = c.need_draws()
    if event != "declined":
        return Ruling("goes_on", clauses=("end_of_wall",)) if left else _drawn(c, f"end_of_wall.{event}")
    if left > 1 or (left == 1 and c.marked("watching")):
        clause = "watching.last_tile" if left == 1 else "end_of_wall.declined"
        return Ruling("must_draw", clauses=(clause,))
    return _drawn(c, "end_of_wall.declined")


def _drawn(c: Case, clause: str) -> Ruling:
    return Ruling("drawn", "ends", *drawn_deal(c), marks={}, clauses=(clause, "end_of_wall"))


INCIDENTS = (
    Incident("flower_order", (Fact("flowers", "flower_counts"),), rule_flower_order, Form("flower"), "refused"),
    Incident(
        "flower_fault",
        (
            choice(
                "fault",
                *("discarded_drawn", "discarded_from_hand", "discarded_replaced"),
                *("not_replaced", "out_of_order", "wrong_replaced"),
            ),
            Fact("flower", "flower"),
            asked("last_tile_known"),
            asked("seen"),
            flag("touched"),
            flag("robbed"),
        ),
        rule_flower_fault,
        Form("flower"),
    ),
    Incident(
        "flower_win",
        (
            choice("kind", "eight", "seven_rob_one"),
            asked("replaced"),
            Fact("from", "seat"),
            choice("when", "at_once", "later", "hidden_own_turn", default="at_once"),
            flag("dealt"),
            flag("opened"),
        ),
        rule_flower_win,
        Form("flower"),
    ),
    Incident(
        "at_once",
        (
            choice("what", "kong", "added_kong", "concealed_kong", "flower"),
            Fact("discarder", "seat"),
            Fact("number", "count", default=1, least=1),
        ),
        rule_at_once,
        Form("flower"),
    ),
    Incident("ready_paid", (Fact("ready", "seats"),), rule_ready_paid, Form("wall"), "refused"),
    Incident(
        "end_of_wall",
        (choice("event", "discarded", "flower", "declined", "four_kongs"), DEALER_READY),
        rule_end_of_wall,
        Form("wall"),
        "needed_if",
        ("event", "declined"),
    ),
)
