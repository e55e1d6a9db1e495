"""罰款與莊序: fines, penalties to all three, the payments of a win, and the deal after them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scoring.hands.hand import Seat
from scoring.rulebook.model import RuleBook
from scoring.rulings.facts import (
    DEALER_READY,
    FALSE_WIN,
    RESPONSIBLE,
    Fact,
    Form,
    Incident,
    choice,
    flag,
)
from scoring.rulings.values import (
    Ask,
    Case,
    Deal,
    Duty,
    HandAfter,
    Marks,
    NamedLiable,
    Ruling,
    Streak,
    TrueWin,
    not_ruled,
)
from scoring.settlement.dealer import deal_after_drawn, deal_after_false_win, within_streak_limit
from scoring.settlement.payments import Reason, Transfer
from scoring.settlement.payments import false_win as penalty_transfers
from scoring.settlement.wins import Paid, WonHand, pay_win, why_not_liable

DealAfter = tuple[Deal, Streak]


def drawn_deal(c: Case) -> DealAfter:
    """The deal after a drawn hand, by the setting that the session uses. Raises Ask if the dealer's hand decides it."""
    ready = True
    if c.book.payment.drawn_hand == "stays_if_ready":
        ready = c.need("dealer_ready")
    stays, grows = deal_after_drawn(c.book, dealer_ready=ready)
    return deal_of(c, stays=stays, grows=grows)


def deal_of(c: Case, *, stays: bool, grows: bool) -> DealAfter:
    """The deal after the hand, within the book's limit on streaks.

    c: the case. stays, grows: whether the dealer deals again, and whether the streak grows, without that limit.
    """
    stays, grows = within_streak_limit(c.book, c.streak, stays=stays, grows=grows)
    return ("stays" if stays else "passes", "grows" if stays and grows else "same" if stays else "zero")


def fine(c: Case, payer: Seat, payee: Seat) -> Transfer:
    """罰 1 台: points of one tai, without base, dealer or streak tai [R1].

    c: the case. payer, payee: the two seats.
    """
    return Transfer(payer, payee, 1, c.per_tai, "fine")


def won_deal(c: Case, winners: Collection[Seat]) -> DealAfter:
    """The deal after a win: a dealer who wins deals again."""
    return deal_of(c, stays=c.dealer in winners, grows=True)


def false_deal(c: Case) -> DealAfter:
    """The deal after a false win of the dealer or of another, by the setting that the session uses."""
    stays, grows = deal_after_false_win(c.book, by_dealer=c.who == c.dealer)
    return deal_of(c, stays=stays, grows=grows)


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
    """詐胡 as the result of any incident: the hand ends. Some books forgive it before others show their hands.

    `marks`: of a hand that goes on. A true win of another player on the same tile stands (000 L429): it is paid as
    well, and the deal follows it.
    """
    waiting: Sequence[Seat] = ()
    won: TrueWin | None = c.fact("true_win")
    paid = paid_win(c, won.winner, won.discarder, won.tai, responsible=c.fact("responsible")) if won else None
    won_paid = paid.transfers if paid else None
    liable = named_liable(won.winner, c.fact("responsible"), paid) if won else ()
    too_few = (won.winner,) if won and won_paid is None else ()
    clauses = (*clauses, *(("least_tai",) if too_few else ()))
    hand: HandAfter = "ends"
    if c.book.payment.false_win == "fixed_16":
        hand = "void"
        if "shown" in c.defaults:  # else hands have been shown: the false win follows from another incident
            if not c.need("shown"):
                clauses = (*clauses, "false_win.not_shown")
                if won and won_paid is not None:
                    deal_after = won_deal(c, (won.winner,))
                    clauses = (*clauses, "false_win.true_win", *liable_clauses(liable))
                    return Ruling("no_fine", "ends", *deal_after, won_paid, marks={}, liable=liable, clauses=clauses)
                return Ruling("no_fine", marks=marks, too_few=too_few, clauses=clauses)
            waiting = c.need("waiting")
    transfers = penalty(c, "false_win", waiting)
    doubled = ("false_win.waiting",) if waiting else ()
    if won and won_paid is not None:
        both = (*transfers, *won_paid)
        ruled_by = (*clauses, "false_win", "false_win.true_win", *doubled, *liable_clauses(liable))
        return Ruling("false_win", "ends", *won_deal(c, (won.winner,)), both, marks={}, liable=liable, clauses=ruled_by)
    deal, streak = false_deal(c)
    ruled_by = (*clauses, "false_win", "false_win.deal", *doubled)
    return Ruling("false_win", hand, deal, streak, transfers, marks={}, too_few=too_few, clauses=ruled_by)


def paid_win(
    c: Case,
    winner: Seat,
    discarder: Seat | None,
    tai: int,
    more: WonHand | None = None,
    *,
    responsible: Seat | None = None,
    replacement: bool | None = None,
) -> Paid | None:
    """付款: what the book pays for a win, by the decision that the tally uses; None if it has too few tai to win.

    c: the case. winner, discarder: who wins from whom, None for a self-draw. tai: of the hand. more: what else is
    known of the hand. responsible: the player whom the table names as liable (包牌). replacement: whether a self-drawn
    tile came from the tail; if unknown, a player who is liable only for the draw on his kong is believed to be named
    for it.
    """
    payers = c.after(winner) if discarder is None else (discarder,)
    won = more or WonHand(winner, "self_draw" if discarder is None else "discard", {})
    won = won._replace(tai=dict.fromkeys(payers, tai), discarder=discarder)
    if responsible is not None:
        won = won._replace(responsible=responsible)
        believed = replacement is None and why_not_liable(c.book, won) is not None
        won = won._replace(kong_draw=discarder is None and (bool(replacement) or believed))
    return pay_win(c.book, won, c.stakes)


def named_liable(winner: Seat, responsible: Seat | None, paid: Paid | None) -> tuple[NamedLiable, ...]:
    """包牌: the player named as liable for a win, and what the book makes of it; empty without one, or if unpaid.

    winner: of the win. responsible: the player named. paid: the payments of the win, None if it has too few tai.
    """
    if responsible is None or paid is None:
        return ()
    return (NamedLiable(winner, responsible, paid.unable, paid.causes),)


def liable_clauses(named: Sequence[NamedLiable]) -> tuple[str, ...]:
    """The clauses by which the book makes these players liable, or not, each once."""
    by_kong = (one.unable == "no_kong_draw" or "exposed_kong" in one.causes for one in named)
    return tuple(dict.fromkeys("responsibility.exposed_kong" if kong else "responsibility" for kong in by_kong))


def pay_for_all(c: Case, *clauses: str, deal: DealAfter | None = None, over_already: bool = False) -> Ruling:
    """包賠 as the result of any incident. `deal`: after a drawn hand. `over_already`: the hand was settled before."""
    transfers = penalty(c, "pay_for_all")
    clauses = (*clauses, "pay_for_all")
    if over_already:
        return Ruling("pay_for_all", None, transfers=transfers, clauses=clauses)
    if deal is None:
        deal = false_deal(c)
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
    Incident(
        "false_win",
        (*FALSE_WIN, Fact("true_win", "win"), RESPONSIBLE),
        rule_false_win,
        Form("false", offers=("true_win", "responsible")),
    ),
    Incident("pay_for_all", (flag("drawn"), DEALER_READY), rule_pay_for_all, Form("false")),
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
