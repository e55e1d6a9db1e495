"""當場收: kongs and flowers that are paid when they are shown, and the payments for ready hands after a drawn hand."""

from collections.abc import Collection, Mapping, Sequence

from scoring.hands.hand import Seat
from scoring.rulebook.model import RuleBook
from scoring.settlement.payments import Transfer


def paid_at_once(book: RuleBook) -> Mapping[str, int]:
    """The points that each payer pays at once, by what is paid for; without those that the book does not pay."""
    payment = book.payment
    points = {
        "kong": payment.kong_points,
        "added_kong": payment.kong_points,
        "concealed_kong": payment.concealed_kong_points,
        "flower": payment.flower_points,
    }
    return {what: each for what, each in points.items() if each}


def at_once(points: int, payee: Seat, payers: Sequence[Seat]) -> tuple[Transfer, ...]:
    """The transfers of `points` from each payer."""
    return tuple(Transfer(payer, payee, 0, points, "at_once") for payer in payers)


def ready_payments(book: RuleBook, seats: Sequence[Seat], ready: Collection[Seat]) -> tuple[Transfer, ...]:
    """聽牌費: each player without a ready hand pays each player who has one."""
    points = book.payment.ready_points
    waiting = [seat for seat in seats if seat in ready]
    others = [seat for seat in seats if seat not in ready]
    return tuple(Transfer(payer, seat, 0, points, "ready") for seat in waiting for payer in others)
