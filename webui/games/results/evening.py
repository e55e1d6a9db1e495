"""收桌: the end of an evening: ranking, what each player won and lost by, and who pays whom in the fewest transfers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from webui.games.game import Game
from webui.games.results.debts import balance_of
from webui.games.results.played import Played
from webui.store.chain import Entry


@dataclass(frozen=True, slots=True)
class Standing:
    """One player at the end. `rank` from 1, equal totals share one; `discards`: hands lost by the own discard.

    `east_money`: points put aside for 東錢. `points`: won or lost in the hands, before 東錢.
    """

    name: str
    rank: int
    points: int
    wins: int
    self_draws: int
    discards: int
    east_money: int


@dataclass(frozen=True, slots=True)
class Payment:
    """One transfer at the end; `payee` None: into the pot (東錢)."""

    payer: str
    payee: str | None
    points: int


@dataclass(frozen=True, slots=True)
class Evening:
    """The contents of the page at the end. `best`: the hands with the win of most tai, several if equal."""

    standings: tuple[Standing, ...]
    payments: tuple[Payment, ...]
    best: tuple[Played, ...]
    east_money: int

    @property
    def pot(self) -> int:
        """Points of 東錢 altogether."""
        return sum(standing.east_money for standing in self.standings)


def evening_of(game: Game, east_money: int = 0, about: Sequence[Entry] = ()) -> Evening:
    """The end of a game.

    game: as folded. east_money: points that each self-drawn win pays into the pot (0: none). about: the entries about
    it; debts that they settle are no longer owed.
    """
    wins = dict.fromkeys(game.everyone, 0)
    self_draws, discards = dict(wins), dict(wins)
    for hand in game.hands:
        for name in hand.winners:
            wins[name] += 1
            self_draws[name] += hand.loser is None
        if hand.winners and hand.loser is not None:
            discards[hand.loser] += 1
    totals = game.all_totals
    standings = tuple(
        Standing(
            name,
            1 + sum(other > totals[name] for other in totals.values()),
            totals[name],
            wins[name],
            self_draws[name],
            discards[name],
            east_money * self_draws[name],
        )
        for name in sorted(game.everyone, key=lambda name: -totals[name])
    )
    pot = tuple(Payment(standing.name, None, standing.east_money) for standing in standings if standing.east_money)
    tai = max((number for hand in game.hands for number in hand.tai), default=0)
    best = tuple(hand for hand in game.hands if tai in hand.tai) if tai else ()
    return Evening(standings, (*fewest_transfers(balance_of(game, about)), *pot), best, east_money)


def best_winners(hand: Played) -> Played:
    """The hand with only the winners who have the most tai: each of several winners has a hand of his own."""
    best = [place for place, tai in enumerate(hand.tai) if tai == max(hand.tai)]
    winners = tuple(hand.winners[place] for place in best)
    return replace(hand, winners=winners, tai=tuple(hand.tai[place] for place in best))


def of_best_winner(hand: Played, record: Entry) -> bool:
    """Whether a record of the hand is of a winner with the most tai."""
    seats: Sequence[str] = hand.entry.content.get("winners", ())
    seat = record.content["context"]["seat"]
    return seat not in seats or hand.tai[seats.index(seat)] == max(hand.tai)


MOST_GROUPED = 12
"""More names are settled as one group: the number of groups to try grows with each name."""


def fewest_transfers(totals: Mapping[str, int]) -> tuple[Payment, ...]:
    """Payments that settle everyone in the fewest transfers; `totals` add up to zero.

    Players are split into as many groups as possible whose totals are zero; a group of n needs n - 1 transfers.

    >>> fewest_transfers({"a": 30, "b": -10, "c": -20, "d": 0})
    (Payment(payer='c', payee='a', points=20), Payment(payer='b', payee='a', points=10))
    """
    if sum(totals.values()):
        raise ValueError(f"totals do not add up to zero: {dict(totals)}")
    names = tuple(name for name, points in totals.items() if points)
    return tuple(payment for group in _even_groups(names, totals) for payment in _settled(group, totals))


def _even_groups(names: Sequence[str], totals: Mapping[str, int]) -> list[tuple[str, ...]]:
    """The most groups that each add up to zero; the one with the first player is the smallest that there is."""
    if not names:
        return []
    if len(names) > MOST_GROUPED:
        return [tuple(names)]
    best: list[tuple[str, ...]] = []
    first, rest = names[0], names[1:]
    for size in range(1, len(rest) + 1):
        for others in combinations(rest, size):
            if totals[first] + sum(totals[name] for name in others) == 0:
                left = [name for name in rest if name not in others]
                groups = [(first, *others), *_even_groups(left, totals)]
                if len(groups) > len(best):
                    best = groups
    return best


def _settled(group: Sequence[str], totals: Mapping[str, int]) -> list[Payment]:
    """The largest debt to the largest gain, until all are even."""
    left = {name: totals[name] for name in group}
    payments = []
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        points = min(-left[payer], left[payee])
        payments.append(Payment(payer, payee, points))
        left[payer] += points
        left[payee] -= points
    return payments
