"""圈風、莊家、連莊: unanswered facts as open points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from scoring.hands.hand import SEATS
from webui.board.asking.points import Answer, Point
from webui.board.state import LASTING_FIELDS, Board, Context

STREAKS = ("0", "1")
"""The streaks tried: a streak pays by its number, so that two of them tell whether it pays at all."""
Paid = tuple[tuple[str, str, int], ...]
"""Who pays whom how many points."""
Numbers = Mapping[str, tuple[int, Paid]]
"""The numbers of a board: winning tile (empty: it is chosen) -> (tai, transfers); empty if the hand does not win."""


def wind_points(context: Context) -> Iterator[Point]:
    """Round, dealer and streak that are unanswered, once winner and win are known."""
    if context.unsaid & {"seat", "win"}:
        return
    values = {"streak": STREAKS, "round": SEATS, "dealer": context.seats}
    for key in LASTING_FIELDS:
        if key in context.unsaid:
            now = str(getattr(context, key))
            each = sorted(values[key], key=lambda value, now=now: value != now)  # type: ignore[misc]
            yield Point(key, (), tuple(Answer(key, said={key: value}) for value in each))


def with_winds(board: Board, values: Mapping[str, str], *, by_name: bool) -> Board:
    """The board with these winds.

    Args:
        board: the hand.
        values: round, dealer or streak.
        by_name: the players are known by name: the winner and the discarder turn with the dealer.
    """
    context = board.context
    turn = SEATS.index(values.get("dealer", context.dealer)) - SEATS.index(context.dealer) if by_name else 0
    return replace(
        board,
        context=replace(
            context,
            round=values.get("round", context.round),
            dealer=values.get("dealer", context.dealer),
            streak=int(values.get("streak", context.streak)),
            seat=context.turned(context.seat, turn),
            discarder=context.turned(context.discarder, turn) if context.discarder else None,
            responsible=context.turned(context.responsible, turn) if context.responsible else None,
        ),
    )


def among_players(numbers: Numbers, context: Context, *, by_name: bool) -> Numbers:
    """The numbers with their payments between the same people: by name, seats are counted from the dealer."""
    turn = SEATS.index(context.dealer) if by_name else 0
    return {
        tile: (
            tai,
            tuple(
                sorted(
                    (context.turned(payer, -turn), context.turned(payee, -turn), points)
                    for payer, payee, points in transfers
                )
            ),
        )
        for tile, (tai, transfers) in numbers.items()
    }
