"""插花: the side bets of the running table from the next payment on, within the book's rules for changes."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring.hands.hand import PLAYERS
from webui.games.bets import BadBets, barred, of_form
from webui.views.table.steps import append_step, game_of_form
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.templates import cited

blueprint = Blueprint("bets", __name__)


@blueprint.post("/table/bets")
def enter() -> ResponseReturnValue:
    """The bets from now on; if the book bars a change, the form must confirm that everyone agreed."""
    with store().writing() as writer:
        game = game_of_form(writer)
        if game.session.book.payment.side_bets != "inner_and_outer":
            raise NotDone("bets.not_in_book", 422)
        if len(game.players) != PLAYERS[0]:
            raise NotDone("bets.four_only", 422)
        try:
            bets = of_form(game.players, request.form)
        except BadBets as error:
            raise NotDone(error.key, 422, **error.values) from None
        last = game.hands[-1].points if game.hands else {}
        bar = barred(game.session, game.bets, bets, game.players, last)
        if bar and not request.form.get("agreed"):
            raise NotDone("bets.barred", 422, who=bar[0], clause=cited(bar[1]))
        if bets != game.bets:
            append_step(writer, game, "bets", bets.to_json())
    return redirect(url_for("games.table"), 303)
