"""說一句: a sentence typed or spoken at the table becomes the table's form, filled in; nothing is kept by it."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webui.games.game import Game
from webui.games.running import running_in
from webui.games.said.hearing import hear_best
from webui.games.said.pieces import MOST_CHARS
from webui.games.said.values import Seats, Trouble
from webui.store.store import clean
from webui.views.table.steps import moved_on
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.security import let_listen

blueprint = Blueprint("say", __name__)
MOST_HEARD = 5
"""The most hearings of one sentence that are tried."""


@blueprint.get("/table/say")
def say() -> ResponseReturnValue:
    """The form, filled from a sentence; ``said`` may repeat: the hearings that a recogniser offers, best first."""
    with store().reading() as view:
        game = running_in(view)
        if game is None:
            raise NotDone("incident.no_table", 409)
        if request.args.get("head") and (game.id, game.head) != (request.args.get("game"), request.args.get("head")):
            raise moved_on(view, request.args.get("game") or "")
    g.game = game
    if game.session.finished:
        return redirect(url_for("games.table"))
    heard = hear_best(
        [clean(heard_text, MOST_CHARS) for heard_text in request.args.getlist("said")[:MOST_HEARD]], seats_of(game)
    )
    page = render_template(
        "games/say.html",
        game=game,
        heard=heard,
        missing=g.texts("record.separator").join(g.texts(f"said.lacks.{lacking}") for lacking in heard.missing),
        trouble_values=lambda trouble: _values(game, trouble),
        here=url_for("say.say", said=heard.text),
    )
    return let_listen(page)


def seats_of(game: Game) -> Seats:
    """The seats; their winds are known only if the book gives them to the dealer, else the wall decides."""
    session = game.session
    return Seats(session.players, session.dealer, session.dealer if session.book.seat_winds == "dealer" else None)


def _values(game: Game, trouble: Trouble) -> Mapping[str, object]:
    """The values of a trouble's text, with names in place of chairs."""
    names = g.texts("record.separator").join(game.session.players[chair] for chair in trouble.chairs)
    return {"dealer": game.dealer, "players": names, **trouble.values}
