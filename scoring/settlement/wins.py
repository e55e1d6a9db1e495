"""一次判定: whether the book lets a hand win, what the win pays, and who answers for it.

The tally, every incident that touches a win and the table ask here, so that they cannot disagree.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from scoring.hands.hand import Meld, Seat, Win
from scoring.rulebook.model import RuleBook
from scoring.settlement.limits import enough_tai
from scoring.settlement.payments import Claim, Stakes, Transfer, settle_claim
from scoring.settlement.responsibility import Cause, Liability, responsibility

Unable = Literal["needless", "no_kong_draw", "is_winner", "not_discarder"]


class WonHand(NamedTuple):
    """胡牌: the facts that decide the payments of one winner.

    `tai`: the hand's own tai by payer. `shown`: the winner's melds before he won. `patterns`: ids of the patterns that
    count. `kong_draw`: won on the replacement of an exposed kong. `draws_left`, `fresh`: see `responsibility`.
    `responsible`: the liable player as the table names him; after an exposed kong the one who discarded its tile.
    """

    winner: Seat
    win: Win
    tai: Mapping[Seat, int]
    discarder: Seat | None = None
    shown: Sequence[Meld] = ()
    tile: int | None = None
    patterns: Collection[str] = ()
    kong_draw: bool = False
    draws_left: int | None = None
    fresh: bool = False
    responsible: Seat | None = None


class Paid(NamedTuple):
    """付款: the transfers of a win, the liable player, and the causes (none if only the table names him).

    `capped`: the book's cap in points lowered a payment. `unable`: why the player whom the table names is not liable.
    """

    transfers: tuple[Transfer, ...]
    liable: Seat | None = None
    causes: tuple[Cause, ...] = ()
    capped: bool = False
    unable: Unable | None = None


def may_win(book: RuleBook, winner: Seat, tai: Mapping[Seat, int], stakes: Stakes) -> bool:
    """起胡: whether a win of these tai by payer reaches the book's least tai.

    winner: who is paid. stakes: with the dealer and the streak.
    """
    return enough_tai(book, winner, tai, stakes.dealer, stakes.streak, shown_streak=stakes.shown_streak)


def pay_win(book: RuleBook, won: WonHand, stakes: Stakes) -> Paid | None:
    """付款: the payments of a win within the book's limits and liability; None if the hand has too few tai to win.

    stakes: base, tai, dealer and streak.
    """
    return payments_of(book, won, stakes) if may_win(book, won.winner, won.tai, stakes) else None


def payments_of(book: RuleBook, won: WonHand, stakes: Stakes) -> Paid:
    """The same for a hand of which it is known that it has enough tai (`may_win`).

    stakes: as for `pay_win`. A `responsible` player whom the book does not make liable changes nothing.
    """
    unable = why_not_liable(book, won)
    if unable:
        won = won._replace(responsible=None)
    liable = liability_of(book, won)
    seat = won.responsible or (liable.seat if liable else None)
    causes = liable.causes if liable and liable.seat == seat else ()
    transfers = settle_claim(book, Claim(won.winner, won.tai), stakes, seat)
    capped = any(
        transfer.points < (stakes.base + stakes.per_tai * transfer.tai) * stakes.multiplier for transfer in transfers
    )
    return Paid(transfers, seat, causes, capped, unable)


def why_not_liable(book: RuleBook, won: WonHand) -> Unable | None:
    """Why the player whom the table names as `responsible` is not liable by this book; None if he is, or without one.

    ``needless``: the book has no 包牌. ``no_kong_draw``: it has that of an exposed kong only, and none was drawn on.
    """
    if won.responsible is None:
        return None
    of_kongs = book.exposed_kong_draw == "feeder_pays"
    fed_kong = of_kongs and won.kong_draw and won.win == "self_draw"
    if not fed_kong and book.payment.responsibility == "not_mentioned":
        return "no_kong_draw" if of_kongs else "needless"
    if won.responsible == won.winner:
        return "is_winner"
    if fed_kong:
        return None
    discarded = won.win in ("discard", "rob_kong") and won.responsible == won.discarder
    if book.payment.responsibility == "discarder_pays_for_all" and not discarded:
        return "not_discarder"
    return None


def liability_of(book: RuleBook, won: WonHand) -> Liability | None:
    """包牌: the player who answers for this win, by the melds shown or the kong he fed; None if nobody does."""
    if won.kong_draw and book.exposed_kong_draw == "feeder_pays":
        return Liability(won.responsible, ("exposed_kong",)) if won.responsible else None
    if won.tile is None or won.discarder is None:
        return None
    causes = responsibility(
        book, won.shown, won.tile, won.win, won.patterns, draws_left=won.draws_left, fresh=won.fresh
    )
    return Liability(won.discarder, causes) if causes else None
