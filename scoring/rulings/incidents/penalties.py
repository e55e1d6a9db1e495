"""相公與犯規: the dead hand, and faults in a player's acts."""

from __future__ import annotations

from scoring.rulings.facts import Fact, Form, Incident, asked, choice, flag
from scoring.rulings.incidents.money import make_dead, pay_for_all
from scoring.rulings.incidents.priority import PUNG_SECONDS
from scoring.rulings.values import Case, Ruling, not_ruled
from scoring.settlement.payments import watching_fees

DEALT_TILES = 16
THINKING_SECONDS = 15
REPLACING_SECONDS = 30
GAME_SECONDS = 120 * 60


def rule_dead_hand(c: Case) -> Ruling:
    """相公: too many or too few tiles, or tiles taken or looked at against the rules."""
    cause: str = c.fact("cause")
    choice = c.rule.choice
    if cause != "count" and choice in ("no_win_if_seen", "no_win"):
        not_ruled()
    if cause == "count":
        count: int = c.need("count")
        right = DEALT_TILES + bool(c.need("drawn"))
        if count == right:
            return Ruling("no_fault", clauses=("dead_hand.count",))
        if choice == "no_win_if_seen" and count > right and not c.fact("seen"):
            return Ruling("put_right", steps=("return_tile_to_wall",), clauses=("dead_hand.count",))
        branch = "few" if count < right else "many"
    else:
        if choice == "draw_and_discard":
            if cause == "peeked":
                return pay_for_all(c, "dead_hand.peeked")
            if c.fact("same_turn"):
                return Ruling("put_right", steps=("take_right_tile",), clauses=("dead_hand.same_turn",))
        branch = cause
    declared = choice != "own_kongs_stay" or c.fact("declared")
    return make_dead(
        c,
        f"dead_hand.{branch}",
        "dead_hand" if declared else "dead_hand.hidden",
        declared=declared,
        same_fault=cause == "count",
    )


def rule_dead_again(c: Case) -> Ruling:
    """二相."""
    return make_dead(c, "dead_again" if c.marked("dead_hand") else "dead_again.hidden")


def rule_watching(c: Case) -> Ruling:
    """眼牌: looking at the others' hands."""
    choice = c.book.payment.watching
    if choice == "not_mentioned":
        not_ruled()
    what: str = c.need("what")
    if choice == "forbidden":
        return pay_for_all(c, "watching")
    if what == "fee":
        fees = watching_fees(c.book, (c.who,), c.need("winner"), c.stakes)
        return Ruling("fee", None, transfers=fees, clauses=("watching.fee",))
    if what == "offence" and c.fact("offences") == 0:
        return make_dead(c, "watching.offence")
    return pay_for_all(c, f"watching.{what}")


def rule_ready_void(c: Case) -> Ruling:
    """天聽、地聽、MIGI 失效."""
    choice = c.rule.choice
    declaration, why = c.fact("declaration"), c.fact("why")
    if choice == "declaration_lost":
        if declaration == "early_ready" or why == "false":
            not_ruled()
    elif choice == "early_ready":
        if declaration in ("heavenly_ready", "earthly_ready") or why in ("changed", "touched"):
            not_ruled()
    else:
        not_ruled()
    declaration = c.need("declaration")
    why = c.need("why")
    if choice == "early_ready":
        return make_dead(c, "ready_void.missed_win") if why == "missed_win" else pay_for_all(c, "ready_void.false")
    return Ruling(
        "ready_void",
        None if why == "missed_win" else "goes_on",
        marks=c.marks_with("ready_void"),
        clauses=(f"ready_void.{declaration}", *(("ready_void.missed_win",) if why == "missed_win" else ())),
    )


_TURN_RULED = {
    "dead_hand": ("drew", "discarded", "wrong_tile"),
    "dead_hand_if_seen": ("drew", "discarded", "wrong_tile", "touched_wall"),
    "may_be_changed": ("wrong_tile", "changed_discard"),
    "warning": ("drew",),
}


def rule_turn_fault(c: Case) -> Ruling:
    """錯位摸打: drew or discarded out of turn, took a wrong tile, touched the wall, changed a discard."""
    choice = c.rule.choice
    ruled = _TURN_RULED.get(choice, ())
    act: str | None = c.fact("act")
    if not ruled or (act is not None and act not in ruled):
        not_ruled()
    if act is None:
        c.need("act")
    clause = f"turn_fault.{act}"
    match choice:
        case "dead_hand":
            return make_dead(c, clause)
        case "dead_hand_if_seen":
            if act == "touched_wall":
                return Ruling("must_draw", clauses=(clause,))
            if act == "wrong_tile" and not c.need("seen"):
                return Ruling("put_right", steps=("take_right_tile",), clauses=(clause,))
            steps = ("take_back_tile", "discard_it_next_turn") if act == "discarded" else ()
            return make_dead(c, clause, steps=steps)
        case "may_be_changed":
            if act == "wrong_tile":
                if c.need("played_on"):
                    return Ruling("no_fine", clauses=(clause,))
                return Ruling("put_right", steps=("take_right_tile",), clauses=(clause,))
            if c.fact("next_drew"):
                not_ruled()
            c.need("next_drew")
            return Ruling("put_right", clauses=(clause,))
        case _:
            return warned(c, clause)


def warned(c: Case, clause: str) -> Ruling:
    """第一次警告; what follows a second one the document does not say."""
    if c.marked("warned"):
        not_ruled()
    return Ruling("warning", marks=c.marks_with("warned"), clauses=(clause,))


def rule_deal_fault(c: Case) -> Ruling:
    """莊家的取牌錯誤: the wrong wall or stack, the 17th tile forgotten."""
    choice = c.rule.choice
    fault: str | None = c.fact("fault")
    ruled = {"forgotten_tile": ("forgotten_tile",), "wrong_start": ("wrong_stack", "wrong_wall")}.get(choice, ())
    if not ruled or (fault is not None and fault not in ruled):
        not_ruled()
    fault = c.need("fault")
    if choice == "wrong_start":
        return make_dead(c, f"deal_fault.{fault}")
    others, flower = c.need("others_replaced"), c.need("flower")
    if others and flower:
        return make_dead(c, "deal_fault.forgotten_tile", steps=("no_replacement",))
    return Ruling("put_right", clauses=("deal_fault.forgotten_tile",))


_TIME_LIMITS = {
    "draw_and_discard_only": {"turn": THINKING_SECONDS, "game": GAME_SECONDS},
    "warning": {"turn": THINKING_SECONDS, "late_pung": PUNG_SECONDS, "replacing": REPLACING_SECONDS},
}


def rule_time(c: Case) -> Ruling:
    """時限."""
    limits = _TIME_LIMITS.get(c.rule.choice, {})
    what: str | None = c.fact("what")
    if not limits or (what is not None and what not in limits):
        not_ruled()
    what = c.need("what")
    seconds: float = c.need("seconds")
    clause = f"time.{what}"
    if what == "game":
        if seconds >= limits[what]:
            return Ruling("game_over", "void", marks={}, clauses=(clause,))
        return Ruling("no_fault", clauses=(clause,))
    if seconds <= limits[what]:
        return Ruling("no_fault", clauses=(clause,))
    if c.rule.choice == "warning":
        return warned(c, clause)
    return Ruling("draw_and_discard_only", marks=c.marks_with("draw_and_discard_only"), clauses=(clause,))


def rule_wreck(c: Case) -> Ruling:
    """弄亂牌牆或他人手牌."""
    if c.need("restorable"):
        return Ruling("put_right", steps=("restore_wall",), clauses=("wreck",))
    return pay_for_all(c, "wreck")


def rule_cheating(c: Case) -> Ruling:
    """作弊: the referee's; only noted down."""
    choice = c.rule.choice
    what: str | None = c.fact("what")
    if choice == "stolen_tile" and what not in (None, "stolen_tile"):
        not_ruled()
    c.need("what")
    if choice == "stolen_tile":
        return make_dead(c, "cheating")
    return Ruling("referee", clauses=("cheating",))


INCIDENTS = (
    Incident(
        "dead_hand",
        (
            choice("cause", "count", "wrong_tiles", "not_taken_in", "peeked", default="count"),
            Fact("count", "count"),
            asked("drawn"),
            flag("seen", True),
            flag("declared", True),
            flag("same_turn"),
        ),
        rule_dead_hand,
        Form("dead", first="cause"),
    ),
    Incident("dead_again", (), rule_dead_again, Form("dead")),
    Incident(
        "watching",
        (
            choice("what", "fee", "offence", "won_after_missed"),
            Fact("offences", "count", default=0),
            Fact("winner", "seat"),
        ),
        rule_watching,
        Form("other"),
    ),
    Incident(
        "ready_void",
        (
            choice("declaration", "heavenly_ready", "earthly_ready", "early_ready"),
            choice("why", "changed", "touched", "missed_win", "false"),
        ),
        rule_ready_void,
        Form("missed"),
    ),
    Incident(
        "turn_fault",
        (
            choice("act", "drew", "discarded", "wrong_tile", "touched_wall", "changed_discard"),
            asked("seen"),
            asked("played_on"),
            asked("next_drew"),
        ),
        rule_turn_fault,
        Form("dead"),
    ),
    Incident(
        "deal_fault",
        (
            choice("fault", "wrong_stack", "wrong_wall", "forgotten_tile"),
            asked("others_replaced"),
            asked("flower"),
        ),
        rule_deal_fault,
        Form("dead"),
        "refused",
    ),
    Incident(
        "time",
        (choice("what", "turn", "late_pung", "replacing", "game"), Fact("seconds", "number")),
        rule_time,
        Form("dead"),
        "refused_if",
        ("what", "game"),
    ),
    Incident("wreck", (asked("restorable"),), rule_wreck, Form("wall")),
    Incident(
        "cheating",
        (choice("what", "stolen_tile", "hidden_tile", "swapped_tile", "collusion", "points"),),
        rule_cheating,
        Form("other"),
    ),
)
