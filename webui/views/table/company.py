"""換人, 再開一桌, 結清: the players of now and of next time, and the debts of an evening."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webui.games.game import Game, fold
from webui.games.results.debts import balance_of, settled
from webui.games.results.evening import Payment, fewest_transfers
from webui.store.store import View, clean
from webui.views.records.other_devices import elsewhere, refuse_uncounted
from webui.views.table.steps import append_step, game_of_form, moved_on
from webui.views.table.win_form import chair_of
from webui.web.errors import NotDone
from webui.web.extensions import store

blueprint = Blueprint("company", __name__)


@blueprint.post("/table/replace")
def replace() -> ResponseReturnValue:
    """換人: somebody else sits down in a player's place; past hands stay with whom they belonged to."""
    with store().writing() as writer:
        game = game_of_form(writer)
        leaves, comes = game.session.players[chair_of("leaves", len(game.players))], clean(request.form.get("comes"))
        if not comes or comes in game.players or comes in dict(game.session.bettors) or comes in _bettors(game):
            raise NotDone("game.comes_taken", 422)
        if any(game.state.marks.values()) or game.state.duties:
            raise NotDone("game.replace_later")
        append_step(writer, game, "replaced", {"leaves": leaves, "comes": comes})
    return redirect(url_for("games.table"), 303)


def _bettors(game: Game) -> set[str]:
    return {bet.bettor for bet in game.bets.outer}


def open_payments(view: View, id_: str) -> tuple[Game, tuple[Payment, ...]]:
    """A game and its unpaid transfers, as few as possible; 404 if there is no such game."""
    entry = view.entry(id_, "game")
    if entry is None:
        abort(404)
    about = view.about(id_)
    game = fold(entry, about, store().book_file)
    return game, fewest_transfers(balance_of(game, about))


@blueprint.get("/table/again/<id_>")
def again(id_: str) -> str:
    """再開一桌: the form of a new table with the people, the book and the stakes of an evening."""
    with store().reading() as view:
        game, owed = open_payments(view, id_)
    names = [*game.session.players, ""][:4]
    return render_template(
        "games/start.html",
        names=names,
        rules=game.book["key"],
        past=(),
        error="",
        players=len(game.players),
        again=game,
        owed=owed if game.ended and elsewhere().counts(id_) else (),
    )


@blueprint.post("/games/<id_>/paid")
def paid(id_: str) -> ResponseReturnValue:
    """These transfers of an evening's end are settled; or, with ``undo``, the last that were are not."""
    with store().writing() as writer:
        game, owed = open_payments(writer, id_)
        if game.head != request.form.get("head"):
            raise moved_on(writer, id_)
        refuse_uncounted(writer, id_)
        if request.form.get("undo"):
            last = next((entry for entry in reversed(settled(writer.about(id_))) if not entry.content.get("to")), None)
            if last is None:
                raise NotDone("game.nothing_to_undo")
            writer.append("void", {"entry": last.id, "record": None}, about=id_)
        else:
            chosen = set(request.form.getlist("transfer"))
            done = [[debt.payer, debt.payee, debt.points] for at, debt in enumerate(owed) if str(at) in chosen]
            if not game.ended or not done:
                raise NotDone("evening.nothing_chosen", 422)
            writer.append("paid", {"transfers": done, "to": None}, about=id_)
    return redirect(url_for("evening.evening", id_=id_), 303)
