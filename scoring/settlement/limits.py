"""起胡與封頂: the least and the most tai of a win, by the book alone."""

from collections.abc import Mapping

from scoring.hands.hand import Seat
from scoring.rulebook.model import RuleBook


def kong_draw_wins(book: RuleBook) -> bool:
    """碰槓之補牌: whether the tile that replaces an exposed kong, or follows it in the same turn, may win."""
    return book.exposed_kong_draw != "no_win"


def enough_tai(
    book: RuleBook,
    winner: Seat,
    tai: Mapping[Seat, int],
    dealer: Seat,
    streak: int,
    shown_streak: int | None = None,
) -> bool:
    """起胡: whether a win reaches the book's least tai.

    winner: who is paid. tai: the hand's own tai by payer; the most of them counts. dealer, streak, shown_streak: of the
    deal, for books that add the dealer's tai. In a book whose cap is lower than its least, the cap is enough.
    """
    return max(tai.values(), default=0) >= counted_tai(book, book.limits.least_tai)


def counted_tai(book: RuleBook, tai: int) -> int:
    """封頂: the tai of a hand that count, at most the book's cap."""
    cap = book.limits.tai_cap
    return min(tai, cap) if cap else tai
