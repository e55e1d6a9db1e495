"""點頭: the setting of an evening, and the answer of one more phone to a wish."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webui.games.game import Game, fold
from webui.games.wishes import NODDED, NODS, hand_of, need_nods, setting, waiting
from webui.store.store import Writer
from webui.views.table.steps import append_or_ask, append_step, game_of_form, moved_on
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.pairings.phones import author

blueprint = Blueprint("nods", __name__)


@blueprint.post("/table/nods")
def nods() -> ResponseReturnValue:
    """Whether changes of another hand's entries wait for a nod. Switching that off needs one too."""
    with store().writing() as writer:
        game = game_of_form(writer)
        on, about = bool(request.form.get("on")), writer.about(game.id)
        before = setting(about)
        if on != need_nods(about):
            content = {"on": on, **({"entry": before.id} if before else {})}
            append_or_ask(writer, game, NODS, content, own_too=True)
    return redirect(url_for("games.table"), 303)


@blueprint.post("/table/nod/<wish>")
def nod(wish: str) -> ResponseReturnValue:
    """Agree to a wish of another hand, which happens then, or refuse it; its own hand can only take it back."""
    with store().writing() as writer:
        game = _newest(writer)
        waits = next(
            (one for one in waiting(game, writer.about(game.id), store().book_file) if one.entry.id == wish), None
        )
        if waits is None:
            raise NotDone("game.wish_gone")
        agrees = bool(request.form.get("yes"))
        if agrees and hand_of(author()) == hand_of(waits.entry.content):
            raise NotDone("game.nod_other", 403)
        append_step(writer, game, NODDED, {"wish": wish, "yes": agrees})
        if agrees:
            append_step(writer, game, waits.kind, {**waits.content, "wish": wish})
    return redirect(url_for("games.table"), 303)


def _newest(writer: Writer) -> Game:
    """The newest game, running or over, if it is as the form knew it."""
    newest = writer.newest_game()
    game = fold(newest, writer.about(newest.id), store().book_file) if newest else None
    if game is None or game.id != request.form.get("game") or game.head != request.form.get("head"):
        raise moved_on(writer, request.form.get("game") or "")
    return game
