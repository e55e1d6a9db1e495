"""付款的事實: the facts of a tallied hand that decide its payments, and notes on the payments."""

from scoring.hands.hand import Problem, Seat
from scoring.rulebook.model import RuleBook
from scoring.settlement.responsibility import fed_set
from scoring.settlement.wins import Paid, WonHand
from scoring.tally.best import Score


def won_hand(result: Score, responsible: Seat | None = None) -> WonHand:
    """The facts of a hand that wins. `responsible`: the liable player if the request names him."""
    facts, context = result.facts, result.facts.context
    kong_draw = context.win == "self_draw" and facts.exposed_kong_draw
    return WonHand(
        winner=context.seat,
        win=context.win,
        tai=result.tai_by_payer,
        discarder=context.discarder,
        shown=facts.hand.melds,
        tile=facts.winning_tile,
        patterns=[line.rule.id for line in result.tally.lines],
        kong_draw=kong_draw,
        responsible=responsible,
    )


def notes_on_payment(book: RuleBook, won: WonHand, paid: Paid) -> tuple[Problem, ...]:
    """Notes on caps, and on liability (包牌): why a player answers for the win, or what the request leaves open.

    book: whose rules hold. won: the hand. paid: its payments.
    """
    return (*_on_caps(book, paid), *_on_liability(book, won, paid))


def _on_caps(book: RuleBook, paid: Paid) -> tuple[Problem, ...]:
    limits = book.limits
    caps = {cap for cap in (limits.points_cap, limits.points_cap_dealer) if cap}
    most = max((transfer.points for transfer in paid.transfers if transfer.points in caps and paid.capped), default=0)
    return (Problem("note_points_capped", {"cap": most}),) if most else ()


def _on_liability(book: RuleBook, won: WonHand, paid: Paid) -> tuple[Problem, ...]:
    if paid.causes:
        return tuple(Problem(f"note_liable_{cause}", {"seat": paid.liable}) for cause in paid.causes)
    if won.kong_draw and book.exposed_kong_draw == "feeder_pays":
        return (Problem("note_exposed_kong_feeder", {}),)
    if book.payment.responsibility == "discarder_pays_for_all":
        return (Problem("note_liable_unseen", {"seat": paid.liable}),) if paid.liable else ()
    if book.payment.responsibility == "not_mentioned":
        return ()
    fed = fed_set(won.shown, won.patterns)
    if paid.liable:
        return () if fed else (Problem("note_feeder_unseen", {"seat": paid.liable}),)
    return (Problem("note_feeder_open", {}),) if fed else ()
