"""起胡與封頂: the least tai of a win, and the most tai and points that it pays."""

from collections.abc import Mapping

from scoring.hands.hand import Seat
from scoring.rulebook.model import RuleBook
from scoring.settlement.dealer import dealer_tai


def kong_draw_wins(book: RuleBook) -> bool:
    """碰槓之補牌: whether the tile that replaces an exposed kong, or follows it in the same turn, may win."""
    return book.exposed_kong_draw != "no_win"


def enough_tai(
    book: RuleBook, winner: Seat, tai: Mapping[Seat, int], dealer: Seat, streak: int, *, shown_streak: int | None = None
) -> bool:
    """起胡: whether a win reaches the book's least tai.

    winner: who is paid. tai: the hand's own tai by payer; the most of them counts. dealer, streak, shown_streak: of the
    deal. In a book whose cap is lower than its least, the cap is enough.
    """
    return tai_for_least(book, winner, tai, dealer, streak, shown_streak=shown_streak) >= counted_tai(
        book, book.limits.least_tai
    )


def tai_for_least(
    book: RuleBook, winner: Seat, tai: Mapping[Seat, int], dealer: Seat, streak: int, *, shown_streak: int | None = None
) -> int:
    """The tai that count for the book's least: the hand's own, in some books with dealer and streak tai.

    The arguments are those of `enough_tai`.
    """
    if book.limits.least_tai_covers == "hand":
        return max(tai.values(), default=0)
    of_dealer = dealer_tai(book, streak, shown_streak, dealer_collects=winner == dealer)
    return max([own + (of_dealer if dealer in (winner, payer) else 0) for payer, own in tai.items()], default=0)


def counted_points(book: RuleBook, points: int, *, with_dealer: bool) -> int:
    """封頂: the points that one player pays for a win. `with_dealer`: whether the dealer pays or is paid."""
    limits = book.limits
    cap = (with_dealer and limits.points_cap_dealer) or limits.points_cap
    return min(points, cap) if cap else points


def counted_tai(book: RuleBook, tai: int) -> int:
    """封頂: the tai of a hand that count, at most the book's cap."""
    cap = book.limits.tai_cap
    return min(tai, cap) if cap else tai
