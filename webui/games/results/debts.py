"""未結: what of an evening is still owed: its totals, what was carried into it, and what was settled since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webui.games.game import Game
from webui.store.chain import Entry


def balance_of(game: Game, about: Sequence[Entry] = ()) -> dict[str, int]:
    """What everyone still gets (or owes, below zero), side bets included; adds up to zero.

    game: as it stands. about: the entries about it, of which ``paid`` ones count that were not taken back.
    """
    balance = game.all_totals | dict(game.session.bettors)
    for payer, payee, points in carried_into(game):
        balance[payer] = balance.get(payer, 0) - points
        balance[payee] = balance.get(payee, 0) + points
    for one in settled(about):
        for payer, payee, points in one.content["transfers"]:
            balance[payer] = balance.get(payer, 0) + points
            balance[payee] = balance.get(payee, 0) - points
    return balance


def settled(about: Sequence[Entry]) -> list[Entry]:
    """The ``paid`` entries that stand, oldest first."""
    taken_back = {str(one.content["entry"]) for one in about if one.kind == "void"}
    return [one for one in about if one.kind == "paid" and one.id not in taken_back]


def carried_into(game: Game) -> Sequence[Sequence[Any]]:
    """上次未結: payer, payee and points of what an earlier evening left open and this one took on."""
    carried: Mapping[str, Any] = game.entry.content.get("carried") or {}
    transfers: Sequence[Sequence[Any]] = carried.get("transfers", ())
    return transfers
