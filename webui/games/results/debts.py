"""未結: debts left from an evening: totals, plus carried debts, minus settlements since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webui.games.game import Game
from webui.store.chain import Entry


def balance_of(game: Game, about: Sequence[Entry] = ()) -> dict[str, int]:
    """What each player still gets (owes, if negative), side bets included; the sum is zero.

    game: the current game. about: the entries about it; ``paid`` entries count unless they were taken back.
    """
    balance = game.all_totals | dict(game.session.bettors)
    for payer, payee, points in carried_into(game):
        balance[payer] = balance.get(payer, 0) - points
        balance[payee] = balance.get(payee, 0) + points
    for payment in settled(about):
        for payer, payee, points in payment.content["transfers"]:
            balance[payer] = balance.get(payer, 0) + points
            balance[payee] = balance.get(payee, 0) - points
    return balance


def settled(about: Sequence[Entry]) -> list[Entry]:
    """The ``paid`` entries that stand, oldest first."""
    taken_back = {str(entry.content["entry"]) for entry in about if entry.kind == "void"}
    return [entry for entry in about if entry.kind == "paid" and entry.id not in taken_back]


def carried_into(game: Game) -> Sequence[Sequence[Any]]:
    """上次未結: payer, payee and points of debts that this evening took over from an earlier one."""
    carried: Mapping[str, Any] = game.entry.content.get("carried") or {}
    transfers: Sequence[Sequence[Any]] = carried.get("transfers", ())
    return transfers
