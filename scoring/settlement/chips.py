"""籌碼: chips that run out: a tournament player pays no more than he has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scoring.hands.hand import SEATS, Seat
from scoring.rulebook.loading import RuleBook
from scoring.settlement.payments import Transfer


class ChipsPaid(NamedTuple):
    """籌碼: the transfers as paid, the chips after them, the unpaid rest, and whether the game is over."""

    transfers: tuple[Transfer, ...]
    chips: dict[Seat, int]
    unpaid: tuple[Transfer, ...]
    ended: bool


def pay_from_chips(book: RuleBook, chips: Mapping[Seat, int], transfers: Iterable[Transfer]) -> ChipsPaid:
    """籌碼: pays `transfers` in order from what each held before; the rest stays unpaid, zero chips end the game."""
    purse = dict(chips)
    if any(points < 0 for points in purse.values()):
        raise ValueError(f"chips cannot be negative: {purse}")
    income: dict[Seat, int] = dict.fromkeys(purse, 0)
    paid: list[Transfer] = []
    unpaid: list[Transfer] = []
    for transfer in transfers:
        payer, payee = _seat(transfer.payer), _seat(transfer.payee)
        points = min(transfer.points, purse[payer]) if book.payment.chips else transfer.points
        purse[payer] -= points
        income[payee] += points
        if points < transfer.points:
            unpaid.append(transfer._replace(points=transfer.points - points))
        paid.append(transfer._replace(points=points))
    after = {seat: purse[seat] + income[seat] for seat in purse}
    return ChipsPaid(tuple(paid), after, tuple(unpaid), bool(book.payment.chips) and 0 in after.values())


def _seat(name: str) -> Seat:
    for seat in SEATS:
        if seat == name:
            return seat
    raise ValueError(f"chips are held by the four seats, not by {name!r}")
