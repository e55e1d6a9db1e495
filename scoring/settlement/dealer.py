"""莊家台與連莊台: the extra tai of a win or payment of the dealer, from the book alone."""

from functools import lru_cache
from typing import assert_never

from scoring.rulebook.model import RuleBook


@lru_cache(maxsize=1 << 10)
def dealer_tai(
    book: RuleBook, streak: int, shown_streak: int | None = None, *, dealer_collects: bool, heavenly_win: bool = False
) -> int:
    """莊家台與連莊台: the tai that are added to the hand's tai if the dealer pays or is paid.

    streak: N of 連N. dealer_collects: whether the dealer is paid. shown_streak: the number on the marker, None if it is
    right. heavenly_win: whether the hand is a 天胡.
    """
    counted = _shown_streak(book, streak, shown_streak, dealer_collects=dealer_collects)
    if book.limits.streak_limit:
        counted = min(counted, book.limits.streak_limit)
    of_streak = book.streak_tai * counted
    if not heavenly_win:
        return book.dealer_tai + of_streak
    rule = book.limits.heavenly_win_dealer_tai
    match rule:
        case "counted":
            return book.dealer_tai + of_streak
        case "streak_only":
            return of_streak
        case "not_counted":
            return 0
        case _:
            assert_never(rule)


def _shown_streak(book: RuleBook, streak: int, shown: int | None, *, dealer_collects: bool) -> int:
    """連莊示記: the streak that counts if the dealer's marker was wrong or missing.

    The dealer can lose his right to collect; his debts he pays in full (000 L387, 001 L313).
    """
    if shown is None:
        return streak
    marker = book.payment.streak_marker
    match marker:
        case "not_mentioned":
            return streak
        case "as_shown":
            return min(shown, streak) if dealer_collects else max(shown, streak)
        case "required":
            return streak if shown or not dealer_collects else 0
        case _:
            assert_never(marker)


def deal_after_drawn(book: RuleBook, *, counts: bool = True, dealer_ready: bool = True) -> tuple[bool, bool]:
    """荒局之後: whether the dealer deals again, and whether the streak grows.

    `counts`: the players' agreement on the streak. `dealer_ready`: whether the dealer's hand was ready (聽牌連莊).
    """
    rule = book.payment.drawn_hand
    match rule:
        case "streak_grows":
            return True, True
        case "streak_agreed":
            return True, counts
        case "streak_same":
            return True, False
        case "deal_passes":
            return False, False
        case "stays_if_ready":
            return dealer_ready, dealer_ready
        case _:
            assert_never(rule)


def deal_after_false_win(book: RuleBook, *, by_dealer: bool) -> tuple[bool, bool]:
    """詐胡之後: whether the dealer deals again, and whether the streak grows. `by_dealer`: the false win was his."""
    rule = book.payment.false_win_deal
    match rule:
        case "dealer_loses_deal":
            return not by_dealer, False
        case "dealer_loses_deal_else_grows":
            return not by_dealer, not by_dealer
        case "dealer_stays":
            return True, True
        case "deal_passes":
            return False, False
        case "not_mentioned":
            return True, False
        case _:
            assert_never(rule)


def within_streak_limit(book: RuleBook, streak: int, *, stays: bool, grows: bool) -> tuple[bool, bool]:
    """連莊上限: the same, but the deal passes if the streak would be over the limit and the book says so.

    streak: before the hand. stays, grows: what follows from the hand's end.
    """
    limits = book.limits
    if limits.streak_limit and limits.streak_limit_then == "deal_passes" and streak + grows > limits.streak_limit:
        return False, False
    return stays, grows
