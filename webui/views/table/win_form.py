"""填表: a hand that was not photographed, and the chairs and numbers that the table's forms say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flask import request

from scoring.hands.hand import PLAYERS, Seat
from scoring.settlement.payments import Claim, Transfer, payers, winners
from scoring.settlement.wins import may_win
from webui.games.game import Game
from webui.games.paying.win_payments import paid_for, refuse_without_dice
from webui.games.results.blocked_wins import unpaid_of, ways, with_rule
from webui.store.chain import Content
from webui.store.store import clean
from webui.web.errors import NotDone
from webui.web.forms import whole

MOST_TAI = 1000
MOST_POINTS = 1_000_000


@dataclass(frozen=True, slots=True)
class WayToPay:
    """One way to pay several winners of a discard: who would win and lose how much, by name; and who is left out."""

    rule: str
    points: Mapping[str, int]
    left_out: tuple[str, ...]


def ways_to_pay(game: Game, east: int) -> tuple[WayToPay, ...]:
    """The results of each choice of ``several_winners`` for the form's winners, the book's own first.

    Empty if the book pays all typed winners. Choices with the same result appear once.
    """
    session, asked = game.session, won_by_form(game, east)
    if not asked.get("unpaid"):
        return ()
    seats = [*asked["winners"], *(unpaid["seat"] for unpaid in asked["unpaid"])]
    shown: dict[tuple[Seat, ...], WayToPay] = {}
    for way in ways(session.book, seats, asked["discarder"]):
        other = replace(game, session=replace(session, book=with_rule(session.book, way.rule)))
        content = won_by_form(other, east)
        _, points = session.fined(tuple(Transfer(*row) for row in content["transfers"]), east)
        left = tuple(session.players[session.chair(unpaid["seat"], east)] for unpaid in content.get("unpaid", ()))
        paid = {name: number for name, number in zip(session.players, points, strict=True) if number}
        shown.setdefault(way.paid, WayToPay(way.rule, paid, left))
    return tuple(shown.values())


def won_by_form(game: Game, east: int) -> Content:
    """A won hand from the form: tai of each winner, self-drawn or the discarder; NotDone for impossible forms.

    Winners on the same discard whom the book does not pay go into ``unpaid``.
    """
    session = game.session
    tai = {chair: number_of(f"tai_{chair}", MOST_TAI) for chair in range(len(session.players))}
    claims = {session.seat(chair, east): value for chair, value in tai.items() if value is not None}
    if not claims:
        raise NotDone("game.no_winner", 422)
    source = request.values.get("source") or ""
    discarder: Seat | None = None
    if source == "self_draw":
        if len(claims) > 1:
            raise NotDone("game.one_self_draw", 422)
        won_by = tuple(claims)
        paying = payers(won_by[0], "self_draw")
    else:
        discarder = session.seat(chair_of("source", len(session.players)), east)
        if discarder in claims:
            raise NotDone("game.own_discard", 422)
        won_by = winners(session.book, tuple(claims), discarder)
        paying = (discarder,)
    refuse_without_dice(game, request.values)
    stakes = session.stakes(east)
    for seat, number in claims.items():
        if not may_win(session.book, seat, dict.fromkeys(paying, number), stakes):
            raise NotDone("game.below_least_tai", 422, tai=number, least=session.book.limits.least_tai)
    owed = [Claim(seat, dict.fromkeys(paying, claims[seat])) for seat in won_by]
    paid = paid_for(game, owed, east, request.values, self_draw=discarder is None)
    blocked = [seat for seat in claims if seat not in won_by]
    return {
        "kind": "won",
        "east": east,
        "winners": list(won_by),
        "discarder": discarder,
        "win": "discard" if discarder else "self_draw",
        "tai": [claims[seat] for seat in won_by],
        **paid.to_json(),
        "record": None,
    } | unpaid_of(session.book, {seat: claims[seat] for seat in blocked})


def drawn_by_form(game: Game) -> Content:
    """A drawn hand from the form, with the answers that the book leaves to the players."""
    rule = game.session.book.payment.drawn_hand
    content: Content = {"kind": "drawn", "counts": True, "east": game.session.dealer}
    if rule == "streak_agreed":
        content["counts"] = bool(request.values.get("counts"))
    if rule == "stays_if_ready":
        content["dealer_ready"] = bool(request.values.get("dealer_ready"))
    return content


def east_of_form(game: Game) -> int:
    """The chair of East: the dealer's, unless the book goes by the wall and the form names another."""
    asked = chair_of("east", len(game.players)) if request.values.get("east") else game.session.dealer
    return game.session.east(asked)


def number_of(key: str, most: int) -> int | None:
    """A whole number of the form; None if the field is empty."""
    text = clean(request.values.get(key))
    if not text:
        return None
    number = whole(text, most)
    if number is None:
        raise NotDone("game.bad_number", 422, value=text, most=most)
    return number


def chair_of(key: str, players: int = PLAYERS[0]) -> int:
    """The chair that the form names; NotDone if it is empty."""
    text = request.values.get(key) or ""
    if text not in map(str, range(players)):
        raise NotDone("game.choose_player", 422)
    return int(text)
