"""拉、踢半: who pays the same winner again pays half of the earlier sum on top, and gets half back when he wins.

As Hong Kong tables play it, but each hand is paid at once: the open sums are only noted, and a payment is what they
grow or shrink by. The rules of an open pull, by the next win:

- The same player pays the same winner again (拉): half of the sum so far on top, rounded up; the sum grows by both.
  After a number of pulls that the table sets, the pull is cut (斬): it is over, and the next win opens a new one.
- He wins from that player, or by self-draw (踢半): he gets the sum's half back, rounded up, and the pull is over.
- He wins otherwise, or somebody besides that player wins (斷): the pull is over, and nothing is paid.
- That player wins from another, or nobody wins: it stays open.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple


class Pull(NamedTuple):
    """拉: an open pull between two chairs. `points`: the sum that counts; `times`: wins in a row."""

    creditor: int
    debtor: int
    points: int
    times: int = 1


class Settled(NamedTuple):
    """結果: what a win changes. `payments`: (payer, payee, points, kind) with kind ``pull`` or ``kick``."""

    open: tuple[Pull, ...]
    payments: tuple[tuple[int, int, int, str], ...]


def after_win(
    pulls: Iterable[Pull],
    paid: Mapping[tuple[int, int], int],
    winners: Collection[int],
    *,
    self_drawn: bool = False,
    most: int = 0,
) -> Settled:
    """The pulls after a win, and the payments besides its own.

    pulls: open before it. paid: the win's own points by (winner's chair, payer's chair); one who is liable for others
    owes all that he pays. winners: their chairs. self_drawn: how it was won; the payers do not tell, if one is liable.
    most: after so many pulls in a row a pull is cut, 0 for no end.

    >>> after_win([], {(0, 1): 10}, {0}).open
    (Pull(creditor=0, debtor=1, points=10, times=1),)
    >>> again = after_win([Pull(0, 1, 15)], {(0, 1): 10}, {0})
    >>> again.open, again.payments
    ((Pull(creditor=0, debtor=1, points=33, times=2),), ((1, 0, 8, 'pull'),))
    >>> after_win([Pull(0, 1, 15)], {(1, 0): 4}, {1}).payments
    ((0, 1, 8, 'kick'),)
    >>> after_win([Pull(0, 1, 15, 3)], {(0, 1): 10}, {0}, most=3)
    Settled(open=(), payments=((1, 0, 8, 'pull'),))
    """
    open_: list[Pull] = []
    payments: list[tuple[int, int, int, str]] = []
    seen: set[tuple[int, int]] = set()
    for pull in pulls:
        creditor, debtor, points, times = pull
        if (creditor, debtor) in paid:
            seen.add((creditor, debtor))
            more = _half_up(points)
            payments.append((debtor, creditor, more, "pull"))
            if not most or times < most:
                open_.append(Pull(creditor, debtor, points + more + paid[creditor, debtor], times + 1))
        elif (debtor, creditor) in paid or (self_drawn and debtor in winners):
            payments.append((creditor, debtor, _half_up(points), "kick"))
        elif set(winners) <= {creditor}:
            open_.append(pull)
    new = [Pull(winner, payer, points) for (winner, payer), points in paid.items() if points]
    open_ += [pull for pull in new if (pull.creditor, pull.debtor) not in seen]
    return Settled(tuple(open_), tuple(payment for payment in payments if payment[2]))


def moved(pulls: Iterable[Pull], place: Mapping[int, int]) -> tuple[Pull, ...]:
    """The pulls after the players changed chairs. place: old chair -> new chair; a pull of a missing one is over."""
    return tuple(
        pull._replace(creditor=place[pull.creditor], debtor=place[pull.debtor])
        for pull in pulls
        if pull.creditor in place and pull.debtor in place
    )


def _half_up(points: int) -> int:
    return (points + 1) // 2
