"""罰款與莊序: fines, penalties to all three, the win that is paid in another's place, and what becomes of the deal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import assert_never

from scoring.hands.hand import SEATS, Meld, Seat, Win
from scoring.rulebook.model import RuleBook
from scoring.rulings.facts import (
    DEALER_READY,
    FALSE_WIN,
    RESPONSIBLE_PATTERNS,
    Fact,
    Form,
    Incident,
    asked,
    choice,
    flag,
)
from scoring.rulings.values import Ask, Case, Deal, Duty, Marks, Ruling, Streak, TrueWin, not_ruled
from scoring.settlement.dealer import deal_after_drawn
from scoring.settlement.payments import Claim, Reason, Transfer, paid_in_place, settle_claim
from scoring.settlement.payments import false_win as penalty_transfers
from scoring.settlement.responsibility import LAST_TILES, responsibility

DealAfter = tuple[Deal, Streak]


def drawn_deal(c: Case) -> DealAfter:
    """The deal after a drawn hand, by the setting that the session uses. Raises Ask if the dealer's hand decides it."""
    ready = True
    if c.book.payment.drawn_hand == "stays_if_ready":
        ready = c.need("dealer_ready")
    stays, grows = deal_after_drawn(c.book, dealer_ready=ready)
    return ("stays" if stays else "passes", "grows" if grows else "same" if stays else "zero")


def fine(c: Case, payer: Seat, payee: Seat, reason: Reason = "fine") -> Transfer:
    """罰 1 台: points of one tai, without base, dealer or streak tai [R1].

    c: the case. payer, payee: the two seats. reason: what it is for.
    """
    return Transfer(payer, payee, 1, c.per_tai, reason)


def won_deal(c: Case, winners: Collection[Seat]) -> DealAfter:
    """The deal after a win: a dealer who wins deals again."""
    return ("stays", "grows") if c.dealer in winners else ("passes", "zero")


def false_deal(book: RuleBook, by_dealer: bool) -> DealAfter:
    """The deal after a false win of the dealer or of another."""
    rule = book.payment.false_win_deal
    match rule:
        case "dealer_loses_deal" | "dealer_loses_deal_else_grows" if by_dealer:
            return ("passes", "zero")
        case "deal_passes":
            return ("passes", "zero")
        case "dealer_loses_deal_else_grows" | "dealer_stays":
            return ("stays", "grows")
        case "dealer_loses_deal" | "not_mentioned":
            return ("stays", "same")
        case _:
            assert_never(rule)


def needs_face_tai(book: RuleBook) -> bool:
    """Whether this book's penalties depend on the tai of the guilty player's hand."""
    return book.payment.false_win in ("base_plus_face_tai", "base_plus_waiting_tai")


def penalty(c: Case, reason: Reason, waiting: Collection[Seat] = ()) -> tuple[Transfer, ...]:
    """The guilty player's payments to the three others, as for a false win. Raises Ask for `face_tai`.

    c: the case. reason: the reason of the transfers. waiting: the players who waited for the tile.
    """
    face = 0
    if needs_face_tai(c.book):
        if c.face_tai is None:
            raise Ask("face_tai")
        face = c.face_tai
    return penalty_transfers(c.book, c.who, c.stakes, face_tai=face, waiting=waiting, reason=reason)


def false_win(c: Case, *clauses: str, marks: Marks | None = None) -> Ruling:
    """詐胡, wherever it follows from: the hand ends; nothing where a book forgives it before hands are shown.

    `marks`: of the hand where it goes on. Another's true win on the same tile stands: it is paid too, and the deal
    follows it.
    """
    waiting: Sequence[Seat] = ()
    won: TrueWin | None = c.fact("true_win")
    beside = ("false_win.true_win",) if won else ()
    won_paid = _true_win(c, won) if won else ()
    hand = "ends"
    if c.book.payment.false_win == "fixed_16":
        hand = "void"
        if "shown" in c.defaults:  # else hands have been shown: the false win follows from another incident
            if not c.need("shown"):
                if won:
                    deal_after = won_deal(c, (won.winner,))
                    clauses = ("false_win.not_shown", *beside)
                    return Ruling("no_fine", "ends", *deal_after, won_paid, marks={}, clauses=clauses)
                return Ruling("no_fine", marks=marks, clauses=(*clauses, "false_win.not_shown"))
            waiting = c.need("waiting")
    transfers = penalty(c, "false_win", waiting)
    deal, streak = false_deal(c.book, c.who == c.dealer)
    doubled = ("false_win.waiting",) if waiting else ()
    if won:
        paid = (*transfers, *won_paid)
        ruled_by = (*clauses, "false_win", *beside, *doubled)
        return Ruling("false_win", "ends", *won_deal(c, (won.winner,)), paid, marks={}, clauses=ruled_by)
    return Ruling(
        "false_win",
        "void" if hand == "void" else "ends",
        deal,
        streak,
        transfers,
        marks={},
        clauses=(*clauses, "false_win", "false_win.deal", *doubled),
    )


def _true_win(c: Case, won: TrueWin) -> tuple[Transfer, ...]:
    """真胡: the payments to the true winner of the same tile; a false win does not block him (000 L429)."""
    payers = c.after(won.winner) if won.discarder is None else (won.discarder,)
    return settle_claim(c.book, Claim(won.winner, dict.fromkeys(payers, won.tai)), c.stakes)


def pay_for_all(c: Case, *clauses: str, deal: DealAfter | None = None, over_already: bool = False) -> Ruling:
    """包賠 as the result of any incident. `deal`: after a drawn hand. `over_already`: the hand was settled before."""
    transfers = penalty(c, "pay_for_all")
    clauses = (*clauses, "pay_for_all")
    if over_already:
        return Ruling("pay_for_all", None, transfers=transfers, clauses=clauses)
    if deal is None:
        deal = false_deal(c.book, c.who == c.dealer)
        clauses = (*clauses, "pay_for_all.deal")
    return Ruling("pay_for_all", "ends", *deal, transfers, marks={}, clauses=clauses)


def make_dead(
    c: Case,
    *clauses: str,
    steps: tuple[str, ...] = (),
    duties: tuple[Duty, ...] = (),
    fines: tuple[Transfer, ...] = (),
    declared: bool = True,
    same_fault: bool = False,
) -> Ruling:
    """判相公: the mark, or 二相包賠 for one who carries it already, but for the same fault still (`same_fault`)."""
    if c.marked("dead_hand") and not same_fault and c.book.rulings["dead_again"].choice == "pay_for_all":
        again = pay_for_all(c, *clauses, "dead_again")
        return Ruling(
            again.outcome,
            again.hand,
            again.deal,
            again.streak,
            (*fines, *again.transfers),
            marks={},
            clauses=again.clauses,
        )
    marks = c.marks
    if declared:
        marks = c.marks_with("dead_hand", without=("hidden_dead_hand",))
    elif not c.marked("dead_hand"):
        marks = c.marks_with("hidden_dead_hand")
    return Ruling("dead_hand", transfers=fines, marks=marks, duties=duties, steps=steps, clauses=clauses)


# ---- rulings on the incidents that are nothing but money ----


def rule_false_win(c: Case) -> Ruling:
    """詐胡、誤胡."""
    return false_win(c)


def rule_pay_for_all(c: Case) -> Ruling:
    """包賠."""
    drawn = c.fact("drawn")
    return pay_for_all(c, *(("pay_for_all.drawn",) if drawn else ()), deal=drawn_deal(c) if drawn else None)


def rule_pay_in_place(c: Case) -> Ruling:
    """代位賠付: a win while a duty lasts."""
    winner: Seat = c.need("winner")
    win: str = c.need("win")
    payers = c.after(winner) if win == "self_draw" else (c.need("discarder"),)
    tai: int = c.need("tai")
    owed = settle_claim(c.book, Claim(winner, dict.fromkeys(payers, tai)), c.stakes)
    how = Winning(winner, win == "self_draw", bool(c.fact("replacement")), bool(c.fact("this_tile")))
    guilty, paid = paid_by_duty(owed, c.duties, how)
    clause = "pay_in_place.several" if len(guilty) > 1 else "pay_in_place"
    outcome = "paid_in_place" if guilty else "as_won"
    return Ruling(outcome, "ends", *won_deal(c, (winner,)), paid, marks={}, clauses=(clause,))


@dataclass(frozen=True, slots=True)
class Winning:
    """How a win came about, as far as duties ask.

    `replacement`: the winning tile was drawn from the tail, and won on or discarded as it was drawn. `this_tile`: it is
    the tile that a wrong kong put back.
    """

    winner: Seat
    self_draw: bool
    replacement: bool = False
    this_tile: bool = False


def paid_by_duty(
    owed: Sequence[Transfer], duties: Sequence[Duty], how: Winning
) -> tuple[tuple[Seat, ...], tuple[Transfer, ...]]:
    """代位賠付: the players who pay `owed` in another's place (often none), and the transfers after that."""
    guilty = tuple(dict.fromkeys(duty.who for duty in duties if duty.who != how.winner and _covers(duty, how)))
    if not guilty:
        return (), tuple(owed)
    if len(guilty) == 1:
        return guilty, paid_in_place(owed, guilty[0])
    return guilty, _shared(how.winner, guilty, sum(transfer.points for transfer in owed))


def _covers(duty: Duty, how: Winning) -> bool:
    if duty.draws is not None and duty.since > duty.draws:
        return False
    match duty.wins:
        case "self_draw":
            return how.self_draw
        case "any":
            return True
        case "kong_draws":
            return how.replacement
        case "this_tile":
            return how.this_tile
        case _:
            assert_never(duty.wins)


def _shared(winner: Seat, guilty: Sequence[Seat], points: int) -> tuple[Transfer, ...]:
    """共同平均賠付: equal shares. The players nearest after the winner pay the odd points, one each [R10]."""
    share, odd = divmod(points, len(guilty))
    more = sorted(guilty, key=lambda seat: (SEATS.index(seat) - SEATS.index(winner)) % len(SEATS))[:odd]
    return tuple(Transfer(seat, winner, 0, share + (seat in more)) for seat in guilty)


def rule_responsibility(c: Case) -> Ruling:
    """包牌: whether the discarder pays for all three (003 L177-191)."""
    rule = c.book.payment.responsibility
    match rule:
        case "not_mentioned" | "feeder_pays" | "feeder_pays_half":  # who fed a set is the table's to say, not 003's
            not_ruled()
        case "discarder_pays_for_all":
            pass
        case _:
            assert_never(rule)
    winner: Seat = c.need("winner")
    discarder: Seat = c.need("discarder")
    tile: int = c.need("tile")
    tai: int = c.need("tai")
    melds: Sequence[Meld] = c.need("melds")
    patterns: Sequence[str] = c.need("patterns")
    few_left = c.need_draws() <= LAST_TILES
    fresh: bool = c.need("fresh") if few_left else False
    win: Win = c.fact("win")
    deal = won_deal(c, (winner,))
    payers = c.after(winner) if win == "self_draw" else (discarder,)
    causes = responsibility(c.book, melds, tile, win, patterns, draws_left=c.draws_left, fresh=fresh)
    if not causes:
        paid = settle_claim(c.book, Claim(winner, dict.fromkeys(payers, tai)), c.stakes)
        branch = "responsibility.self_draw" if win == "self_draw" else "responsibility"
        return Ruling("as_won", "ends", *deal, paid, marks={}, clauses=(branch,))
    paid = settle_claim(c.book, Claim(winner, {discarder: tai}), c.stakes, responsible=discarder)
    clauses = (*(f"responsibility.{cause}" for cause in causes), "responsibility")
    return Ruling("responsible", "ends", *deal, paid, marks={}, clauses=clauses)


def rule_side_bets(c: Case) -> Ruling:
    """插花: whether a side bet may be begun, moved or ended (000 L347)."""
    if c.book.payment.side_bets == "not_mentioned":
        not_ruled()
    inner = c.need("bet") == "inner"
    act: str = c.need("act")
    if act == "meddled":
        if inner:
            not_ruled()
        return Ruling("win_void", None, clauses=("side_bets.meddled",))
    if act == "stop" and inner and c.fact("bases") == 1 and c.fact("next_jiang"):
        return Ruling("allowed" if c.fact("lost") else "barred", clauses=("side_bets.next_jiang",))
    deals_left: int = c.need("deals_left")
    lost: bool = c.fact("lost")
    if inner and c.fact("bases") == 1:
        allowed = act == "start" and deals_left > HALF_JIANG
        clause = "side_bets.inner"
    else:
        enough = deals_left >= ONE_ROUND
        calm = c.streak == 0
        if act == "start":
            allowed = calm and enough
        elif act == "change":
            allowed = lost and enough and not inner
        else:
            allowed = lost and calm
        clause = f"side_bets.{act}"
    return Ruling("allowed" if allowed else "barred", clauses=(clause,))


HALF_JIANG = 8  # deals: 西風圈 begins with eight left
ONE_ROUND = 4

INCIDENTS = (
    Incident("false_win", (*FALSE_WIN, Fact("true_win", "win")), rule_false_win, Form("false", offers=("true_win",))),
    Incident("pay_for_all", (flag("drawn"), DEALER_READY), rule_pay_for_all, Form("false")),
    Incident(
        "pay_in_place",
        (
            Fact("winner", "seat"),
            choice("win", "discard", "self_draw"),
            Fact("discarder", "seat"),
            Fact("tai", "count"),
            flag("replacement"),
            flag("this_tile"),
        ),
        rule_pay_in_place,
        Form("other", settled=True),
        "refused",
    ),
    Incident(
        "responsibility",
        (
            Fact("winner", "seat"),
            Fact("discarder", "seat"),
            Fact("tile", "tile"),
            Fact("tai", "count"),
            choice("win", "discard", "rob_kong", "self_draw", default="discard"),
            Fact("melds", "melds"),
            Fact("patterns", "choices", RESPONSIBLE_PATTERNS),
            asked("fresh"),
        ),
        rule_responsibility,
        Form("other", settled=True),
        "refused",
    ),
    Incident(
        "side_bets",
        (
            choice("bet", "inner", "outer"),
            choice("act", "start", "change", "stop", "meddled"),
            Fact("bases", "count", default=1, least=1),
            Fact("deals_left", "count"),
            flag("lost"),
            flag("next_jiang"),
        ),
        rule_side_bets,
        Form("other"),
        "refused",
    ),
)
