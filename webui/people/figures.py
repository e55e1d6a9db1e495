"""戰績數字: figures of each player over many evenings, computed only from the folded logs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.hands.hand import SEATS
from scoring.settlement.payments import Transfer
from webui.games.game import Game
from webui.games.results.played import Played

ENDED = ("won", "drawn", "false_win", "fouled")
FEW_HANDS = 30
"""Rates from fewer hands (or wins) are marked as unreliable."""


@dataclass(frozen=True, slots=True)
class Night:
    """一晚: one evening for the figures. `totals`: points of all players and bettors; they add up to zero.

    `book`: as the game keeps it. `players`: including players who went home.
    """

    id: str
    at: str
    players: tuple[str, ...]
    totals: Mapping[str, int]
    hands: tuple[Played, ...]
    book: Mapping[str, Any]
    ended: bool


def night_of(game: Game) -> Night:
    """The evening that a game comes to."""
    totals = game.all_totals | dict(game.session.bettors)
    return Night(game.id, game.entry.at, game.everyone, totals, game.hands, game.book, game.ended)


@dataclass(frozen=True, slots=True)
class Best:
    """The hand worth most tai, and its evening."""

    tai: int
    hand: Played
    night: str


@dataclass(slots=True)
class Figures:
    """What one player comes to. `points`: won or lost, bets and rulings too; `hands`: that ended while he sat there.

    `tai`: of all wins together. `evenings`: id, time and points of each. `against`: points by other player, of the
    hands alone. `up`, `down`: evenings won and lost.
    """

    name: str
    points: int = 0
    hands: int = 0
    wins: int = 0
    self_draws: int = 0
    discards: int = 0
    tai: int = 0
    best: Best | None = None
    evenings: list[tuple[str, str, int]] = field(default_factory=list)
    against: dict[str, int] = field(default_factory=dict)

    @property
    def up(self) -> int:
        """Evenings won."""
        return sum(points > 0 for _, _, points in self.evenings)

    @property
    def down(self) -> int:
        """Evenings lost."""
        return sum(points < 0 for _, _, points in self.evenings)

    @property
    def average(self) -> float | None:
        """平均台數 of a win; None without one."""
        return self.tai / self.wins if self.wins else None


def standings(nights: Iterable[Night], same: Mapping[str, str] | None = None) -> tuple[Figures, ...]:
    """Everybody's figures over these evenings, most points first.

    nights: oldest first or in any order. same: another spelling to the name that it counts for.
    """
    figures_of: dict[str, Figures] = {}
    known = same or {}

    def of(name: str) -> Figures:
        meant = known.get(name, name)
        if meant not in figures_of:
            figures_of[meant] = Figures(meant)
        return figures_of[meant]

    for night in nights:
        points: dict[str, int] = {}
        for name, total in night.totals.items():
            meant = known.get(name, name)
            points[meant] = points.get(meant, 0) + total
        for name, total in points.items():
            figures = of(name)
            figures.points += total
            figures.evenings.append((night.id, night.at, total))
        for hand in night.hands:
            _count(hand, night.id, of)
    return tuple(sorted(figures_of.values(), key=lambda figures: (-figures.points, figures.name)))


def _count(hand: Played, night: str, of: Any) -> None:
    if hand.kind not in ENDED:
        return
    for figures in {of(name).name: of(name) for name in hand.points}.values():
        figures.hands += 1
    for name, tai in zip(hand.winners, hand.tai, strict=False):
        figures = of(name)
        figures.wins += 1
        figures.tai += tai
        figures.self_draws += hand.loser is None
        if figures.best is None or tai > figures.best.tai:
            figures.best = Best(tai, hand, night)
    if hand.winners and hand.loser is not None:
        of(hand.loser).discards += 1
    _against(hand, of)


def _against(hand: Played, of: Any) -> None:
    """Who got how much from whom: seats to names by the chair that was East."""
    content = hand.entry.content
    chairs = tuple(hand.points)
    east = int(content.get("east", 0))
    names: dict[str, str] = {seat: chairs[(east + at) % len(chairs)] for at, seat in enumerate(SEATS[: len(chairs)])}
    for transfer in (Transfer(*each) for each in content.get("transfers", ())):
        payer, payee = names.get(str(transfer.payer)), names.get(str(transfer.payee))
        if payer is not None and payee is not None:
            loses, gets = of(payer), of(payee)
            if loses is not gets:
                gets.against[loses.name] = gets.against.get(loses.name, 0) + transfer.points
                loses.against[gets.name] = loses.against.get(gets.name, 0) - transfer.points


def same_people(words: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Other spellings mapped to the name they count for; the last entry wins.

    words: ``{"name": spelling, "is": the name it counts for, or None: a separate person again}``, oldest first.
    """
    same: dict[str, str] = {}
    for word in words:
        if word["is"] is None:
            same.pop(word["name"], None)
        elif _end(same, word["is"]) != word["name"]:  # no circles
            same[word["name"]] = word["is"]
    return {name: _end(same, name) for name in same}


def _end(content: Mapping[str, str], name: str) -> str:
    while name in content:
        name = content[name]
    return name
