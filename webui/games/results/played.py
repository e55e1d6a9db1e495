"""一把: one hand of an evening as the table shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.hands.hand import Seat
from webui.games.results.blocked_wins import Blocked, renamed
from webui.store.chain import Entry


@dataclass(frozen=True, slots=True)
class Played:
    """一把: one hand as the table shows it. `points` and `totals` by player; names, not seats, as people
    move; `points` in the order of the chairs.

    `kind`: won, drawn, false_win, fouled; or fine, a ruling while hand `number` was played. `round`: wind; `streak` and
    `dealer` as they stood. `number` counts from 1. `records`: of the winners whose hands were photographed.
    `blocked`: who won on the same discard and is not paid. `book`: the rules of that hand as the game keeps them.
    `pulled`: 拉 and 踢半 that came with it, as (payer, payee, points, kind).
    """

    entry: Entry
    number: int
    kind: str
    round: Seat
    dealer: str
    streak: int
    winners: tuple[str, ...]
    loser: str | None
    tai: tuple[int, ...]
    points: Mapping[str, int]
    totals: Mapping[str, int]
    records: tuple[str, ...]
    amended: Entry | None = None
    blocked: tuple[Blocked, ...] = ()
    book: Mapping[str, Any] = field(default_factory=dict)
    pulled: tuple[tuple[str, str, int, str], ...] = ()

    def renamed(self, names: Mapping[str, str]) -> Played:
        """The same hand with other names for the players that `names` has."""
        return replace(
            self,
            dealer=names.get(self.dealer, self.dealer),
            winners=tuple(names.get(name, name) for name in self.winners),
            loser=self.loser and names.get(self.loser, self.loser),
            blocked=renamed(self.blocked, names),
            pulled=tuple((names.get(a, a), names.get(b, b), points, kind) for a, b, points, kind in self.pulled),
            points={names.get(name, name): points for name, points in self.points.items()},
            totals={names.get(name, name): points for name, points in self.totals.items()},
        )
