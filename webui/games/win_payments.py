"""胡牌的付款在桌上: what a win pays beyond its own transfers: 包牌, 代位賠付, 眼牌."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast

from scoring.hands.hand import Hand, Seat, Win
from scoring.rulings.incidents.money import Winning, paid_by_duty
from scoring.rulings.values import LAST_DRAWS
from scoring.settlement.payments import Claim, Transfer, settle_claim, watching_fees
from scoring.settlement.responsibility import responsibility
from webui.board.state import Fields
from webui.games.game import Game
from webui.games.hand_state import seat_of

LATE = LAST_DRAWS + 1


def at_the_table(
    game: Game, transfers: Sequence[Transfer], winners: Sequence[Seat], east: int, form: Fields, *, self_draw: bool
) -> tuple[Transfer, ...]:
    """A win's transfers as the duties and marks of this hand have them paid.

    The form says whether eight tiles have been drawn since a fault (``late``) and where the winning tile came from
    (``replacement``, ``put_back``). Those who watch pay each winner 1 tai, where the book says so.
    """
    paid = tuple(transfers)
    if game.state.duties and len(winners) == 1:
        duties = [duty.at(east, LATE if form.get("late") else 0) for duty in game.state.duties]
        how = Winning(winners[0], self_draw, bool(form.get("replacement")), bool(form.get("put_back")))
        paid = paid_by_duty(paid, duties, how)[1]
    watching = [seat_of(chair, east) for chair, marks in game.state.marks.items() if "watching" in marks]
    if not watching or game.session.book.payment.watching != "one_tai_to_winner":
        return paid
    stakes = game.session.stakes(east, base=game.base, per_tai=game.per_tai)
    losers = [seat for seat in watching if seat not in winners]
    return (*paid, *(fee for seat in winners for fee in watching_fees(game.session.book, losers, seat, stakes)))


def answered_for(
    game: Game, transfers: Sequence[Transfer], east: int, hand: Hand, win: Win, patterns: Collection[str], tai: int
) -> tuple[Transfer, ...]:
    """包牌: the discarder pays all three shares where the melds shown, the tile and the patterns won agree.

    `tai`: the hand's own, without dealer and streak.
    """
    paid = tuple(transfers)
    book, tile = game.session.book, hand.winning_tile
    if tile is None or len(paid) != 1 or not responsibility(book, hand.melds, tile, win, patterns):
        return paid
    stakes = game.session.stakes(east, base=game.base, per_tai=game.per_tai)
    discarder, winner = cast(Seat, paid[0].payer), cast(Seat, paid[0].payee)
    return settle_claim(book, Claim(winner, {discarder: tai}), stakes, responsible=discarder)
