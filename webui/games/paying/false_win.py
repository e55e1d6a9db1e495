"""詐胡賠多少: the payments of a false win in full, before it is entered, and who deals afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from webui.board.state import Fields
from webui.games.game import Game, outcome_of
from webui.games.paying.later_payments import false_win_entry


@dataclass(frozen=True, slots=True)
class FalseWinCost:
    """The result of a false win by one player.

    `pays`: points by the name of who is paid; `total`: their sum. `next_dealer`, `streak`: of the next hand; the
    dealer is empty if none follows.
    """

    offender: str
    pays: Mapping[str, int]
    total: int
    next_dealer: str
    streak: int


def false_win_costs_of(game: Game, fields: Fields) -> tuple[FalseWinCost, ...]:
    """The result of a false win now, for each player in turn.

    game: the running game. fields: further fields of the form, as `false_win_entry` takes them.
    """
    return tuple(_cost(game, chair, fields) for chair in range(len(game.session.players)))


def _cost(game: Game, chair: int, fields: Fields) -> FalseWinCost:
    session = game.session
    offender = session.players[chair]
    after = session.played(outcome_of(false_win_entry(game, session.dealer, chair, fields)))
    points = dict(zip(session.players, after.hands[-1].points, strict=True))  # limited by the chips
    pays = {name: number for name, number in points.items() if number > 0}
    dealer = "" if after.finished else after.players[after.dealer]
    return FalseWinCost(offender, pays, -points[offender], dealer, after.streak)
