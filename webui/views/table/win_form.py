"""填表: a hand that was not photographed, and the chairs and numbers that the table's forms say."""

from __future__ import annotations

from flask import request

from scoring.hands.hand import Seat
from scoring.settlement.payments import Claim, payers, winners
from webui.games.game import Game
from webui.games.win_payments import paid_for
from webui.store.chain import Content
from webui.store.store import clean
from webui.web.errors import NotDone
from webui.web.forms import whole

MOST_TAI = 1000
MOST_POINTS = 1_000_000


def won_by_form(found: Game, east: int) -> Content:
    """A won hand as the form has it: tai of each winner, self-drawn or from whom; NotDone for what cannot be."""
    session = found.session
    tai = {chair: number_of(f"tai_{chair}", MOST_TAI) for chair in range(4)}
    claims = {session.seat(chair, east): value for chair, value in tai.items() if value is not None}
    if not claims:
        raise NotDone("game.no_winner", 422)
    source = request.form.get("source") or ""
    discarder: Seat | None = None
    if source == "self_draw":
        if len(claims) > 1:
            raise NotDone("game.one_self_draw", 422)
        won_by = tuple(claims)
        paying = payers(won_by[0], "self_draw")
    else:
        discarder = session.seat(chair_of("source"), east)
        if discarder in claims:
            raise NotDone("game.own_discard", 422)
        won_by = winners(session.book, tuple(claims), discarder)
        paying = (discarder,)
    owed = [Claim(seat, dict.fromkeys(paying, claims[seat])) for seat in won_by]
    paid = paid_for(found, owed, east, request.form, self_draw=discarder is None)
    return {
        "kind": "won",
        "east": east,
        "winners": list(won_by),
        "discarder": discarder,
        "win": "discard" if discarder else "self_draw",
        "tai": [claims[seat] for seat in won_by],
        **paid.to_json(),
        "record": None,
    }


def east_of_form(found: Game) -> int:
    """The chair that is East: the dealer's where the book or nobody says otherwise, else where the wall broke."""
    asked = chair_of("east") if request.form.get("east") else found.session.dealer
    return found.session.east(asked)


def number_of(key: str, most: int) -> int | None:
    """A whole number of the form, None where the field is empty."""
    text = clean(request.form.get(key))
    if not text:
        return None
    number = whole(text, most)
    if number is None:
        raise NotDone("game.bad_number", 422, value=text, most=most)
    return number


def chair_of(key: str) -> int:
    text = request.form.get(key) or ""
    if text not in ("0", "1", "2", "3"):
        raise NotDone("game.choose_player", 422)
    return int(text)
