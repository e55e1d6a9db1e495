"""牌局: the running table: seats, dealer, totals, and the possible next steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, abort, current_app, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from scoring.hands.hand import PLAYERS
from scoring.rulings.incidents.registry import INCIDENTS
from scoring.settlement.at_once import paid_at_once
from webui.board.codec import from_state
from webui.board.context_form import context_of
from webui.board.limits import BoardError
from webui.board.state import Board, with_context
from webui.games.game import fold
from webui.games.incidents import entry_of, sheet
from webui.games.paying.joint_win import asked, joint_of
from webui.games.paying.later_payments import Stale, false_win_entry
from webui.games.results import export as games_export
from webui.games.results.chart import graph_of
from webui.games.results.undone import undone_by_others
from webui.games.running import current, running_in
from webui.games.wishes import hand_of, need_nods, waiting
from webui.house_rules import registry
from webui.house_rules.table_rules import question
from webui.people.figures import Night
from webui.people.nights import nights_of
from webui.store.chain import Content, Entry
from webui.store.store import View, clean
from webui.store.upkeep.rotation import keep_backup_beside
from webui.views.board.page import render_board
from webui.views.records.other_devices import made_elsewhere, refuse_uncounted
from webui.views.rules.house_rules import remember
from webui.views.table.company import open_payments
from webui.views.table.evening import picture_at_the_end
from webui.views.table.next_hand import chosen_book, defaults
from webui.views.table.steps import (
    append_or_ask,
    append_step,
    game_and_stale,
    game_of_form,
    kept_book,
    moved_on,
    stale_in,
)
from webui.views.table.table_rules import kept_with_answer, play_by
from webui.views.table.win_form import (
    MOST_POINTS,
    MOST_TAI,
    chair_of,
    drawn_by_form,
    east_of_form,
    number_of,
    ways_to_pay,
    won_by_form,
)
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.pairings.phones import author
from webui.web.security import let_listen

blueprint = Blueprint("games", __name__)


def _to_table() -> BaseResponse:
    return redirect(url_for("games.table"), 303)


@blueprint.get("/table")
def table() -> ResponseReturnValue:
    """The running table, or the form that opens one."""
    with store().reading() as view:
        game = running_in(view)
        past = view.of_kind("game", 20, readable=False)
        results = _results(view, past) if game is None else {}
        stale = stale_in(view, game) if game else ()
        about = view.about(game.id) if game else ()
        undone = undone_by_others(about, g.texts)
        wishes = waiting(game, about, store().book_file) if game else ()
    g.game = game
    if game is None:
        names = next((entry.content["players"] for entry in past if entry.fault is None), None) or [""] * PLAYERS[0]
        return render_template(
            "games/start.html",
            names=_four(names),
            rules=chosen_book() or registry.START_BOOK,
            past=past,
            results=results,
            error="",
            players=len(names),
        )
    page = render_template(
        "games/table.html",
        game=game,
        graph=graph_of(game),
        running=True,
        newest_table=True,
        undone=undone,
        wishes=wishes,
        need_nods=need_nods(about),
        this_hand=hand_of(author()),
        chairs=range(len(game.players)),
        stale=_by_entry(stale),
        opened=request.args.get("open"),
        paid_at_once=paid_at_once(game.session.book),
    )
    return let_listen(page)


def _by_entry(stale: Sequence[Stale]) -> dict[str, Stale]:
    return {outdated.hand.entry.id: outdated for outdated in stale}


@blueprint.get("/games")
def games() -> str:
    """All evenings, newest first."""
    with store().reading() as view:
        past = view.of_kind("game", readable=False)
        results = _results(view, past)
    return render_template("games/list.html", past=past, results=results)


def _results(view: View, past: Sequence[Entry]) -> dict[str, Night]:
    """The results of these evenings by id, without those that need another version's book."""
    return {night.id: night for night in nights_of(view, store().book_file, {entry.id for entry in past})[0]}


@blueprint.get("/games/<id_>")
def game(id_: str) -> str:
    """One evening, running or over."""
    played, stale = game_and_stale(id_)
    with store().reading() as view:
        newest = view.of_kind("game", 1, readable=False)[0].id == id_
    return render_template(
        "games/table.html",
        newest_table=newest,
        game=played,
        graph=graph_of(played),
        picture=picture_at_the_end(played, len(stale)) if played.ended else None,
        running=False,
        chairs=range(len(played.players)),
        stale=_by_entry(stale),
    )


@blueprint.get("/games/<id_>/head.json")
def head(id_: str) -> ResponseReturnValue:
    """The newest entry of a game, for phones that follow it: nothing is sent again while that is the same."""
    with store().reading() as view:
        if view.entry(id_, "game") is None:
            abort(404)
        about = view.about(id_)
    newest = about[-1].id if about else id_
    answer = jsonify({"head": newest})
    answer.headers["Cache-Control"] = "no-cache"
    answer.set_etag(newest)
    return answer.make_conditional(request)


@blueprint.get("/games/<id_>/export.<form>")
def export(id_: str, form: str) -> ResponseReturnValue:
    """The game as CSV for a spreadsheet, or as JSON for a program."""
    game, stale = game_and_stale(id_)
    left_behind = {outdated.hand.entry.id for outdated in stale}
    made_on = made_elsewhere(game.rows)
    name = f"paitai-{game.entry.at[:10]}-{id_[:6]}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if form == "csv":
        return Response(games_export.to_csv(game, g.texts, left_behind, made_on), mimetype="text/csv", headers=headers)
    if form == "json":
        answer = current_app.json.response(games_export.to_json(game, left_behind, made_on))
        answer.headers.update(headers)
        return answer
    abort(404)


@blueprint.post("/table/start")
def start() -> ResponseReturnValue:
    """Sit down: the names in playing order (four, three or two), the first dealer, the book and the stakes."""
    number = next((number for number in PLAYERS if request.form.get("players") == str(number)), PLAYERS[0])
    names = [clean(request.form.get(f"name_{chair}")) for chair in range(number)]
    key = request.form.get("rules") or registry.START_BOOK
    without_flowers = bool(request.form.get("without_flowers"))
    content: Content = {
        "players": names,
        "first_dealer": chair_of("first_dealer", number),
        "book": kept_book(key),
        "base": number_of("base", MOST_POINTS),
        "per_tai": number_of("per_tai", MOST_POINTS),
    }
    if not all(names) or len(set(names)) < number:
        page = render_template(
            "games/start.html",
            names=_four(names),
            rules=key,
            past=(),
            error=g.texts(f"game.names_{number}"),
            first_dealer=content["first_dealer"],
            players=number,
            without_flowers=without_flowers,
        )
        return page, 422
    with store().writing() as writer:
        if running_in(writer) is not None:
            raise NotDone("game.still_running")
        book = registry.book_of(key)
        if without_flowers and book is not None and not book.without_flowers:
            content["book"] = kept_with_answer(writer, content["book"], "wall_tiles", "without_flowers")
        carry = request.form.get("carry") or ""
        owed = open_payments(writer, carry)[1] if carry else ()
        refuse_uncounted(writer, carry)
        taken = [[payment.payer, payment.payee, payment.points] for payment in owed]
        if taken:
            content["carried"] = {"from": carry, "transfers": taken}
        opened = writer.append("game", content)
        if taken:
            writer.append("paid", {"transfers": taken, "to": opened.id}, about=carry)
    return _to_table()


def _four(names: Sequence[str]) -> list[str]:
    """The names, filled up with empty ones to four for the form."""
    return [*names, *[""] * (PLAYERS[0] - len(names))]


@blueprint.post("/table/drawn")
def drawn() -> ResponseReturnValue:
    """荒局: a drawn hand; if the book leaves it to the players, the form says whether it adds to the streak.

    The payments for ready hands (聽牌費) are a step of their own before it.
    """
    with store().writing() as writer:
        game = game_of_form(writer)
        ready = request.form.getlist("f_ready")
        paid = sheet(game, INCIDENTS["ready_paid"], request.form, g.texts.lang) if ready else None
        if paid and paid.enters:
            kind, content = entry_of(game, paid)
            content["asked"] = {"incident": "ready_paid", "form": [["f_ready", chair] for chair in ready]}
            game = append_step(writer, game, kind, content)
        append_step(writer, game, "hand", drawn_by_form(game))
    return _to_table()


@blueprint.post("/table/won")
def won() -> ResponseReturnValue:
    """A hand that was not photographed: who won with how many tai, self-drawn or from whom."""
    with store().writing() as writer:
        game = game_of_form(writer)
        east = east_of_form(game)
        ways = ways_to_pay(game, east)
        chosen = request.form.get("several_winners") or ""
        if ways and not chosen:
            return redirect(url_for("games.winners", **_typed()), 303)
        if ways:
            game = play_by(writer, game, "several_winners", chosen)
        append_step(writer, game, "hand", won_by_form(game, east))
    answer = _to_table()
    return remember(answer, str(game.book["key"])) if ways else answer


def _typed() -> dict[str, Any]:
    """The form as an address carries it."""
    return {key: request.form.getlist(key) for key in request.form if key not in ("csrf", "several_winners")}


@blueprint.get("/table/winners")
def winners() -> ResponseReturnValue:
    """What the book does with a further winner of the same discard, and the alternatives, before the hand is kept."""
    game = current()
    if game is None or game.id != request.args.get("game") or game.head != request.args.get("head"):
        with store().reading() as view:
            raise moved_on(view, request.args.get("game") or "")
    ways = ways_to_pay(game, east_of_form(game))
    if not ways:
        return _to_table()
    asked = question(game.session.book, "several_winners")
    form = list(request.args.items(multi=True))
    return render_template("games/two_winners.html", game=game, asked=asked, ways=ways, form=form)


@blueprint.post("/table/false-win")
def wrong() -> ResponseReturnValue:
    """詐胡: the book's penalty for a false win."""
    with store().writing() as writer:
        game = game_of_form(writer)
        face_tai = number_of("face_tai", MOST_TAI) or 0
        form = MultiDict({**request.form.to_dict(), "face_tai": str(face_tai or "")})
        content = false_win_entry(game, east_of_form(game), chair_of("offender", len(game.players)), form)
        append_step(writer, game, "hand", content)
    return _to_table()


@blueprint.post("/table/undo")
def undo() -> ResponseReturnValue:
    """Take back the last step: by an entry that voids it; nothing is deleted."""
    with store().writing() as writer:
        newest = writer.newest_game()
        game = fold(newest, writer.about(newest.id), store().book_file) if newest else None
        if game is None or game.id != request.form.get("game") or game.head != request.form.get("head"):
            raise moved_on(writer, request.form.get("game") or "")
        if game.last is None:
            raise NotDone("game.nothing_to_undo")
        append_or_ask(writer, game, "void", {"entry": game.last.id, "record": game.last.content.get("record")})
    return _to_table()


@blueprint.post("/table/seating")
def seating() -> ResponseReturnValue:
    """搬風 or 下一將: everyone's new place, and who deals first."""
    with store().writing() as writer:
        game = game_of_form(writer)
        names = [request.form.get(f"place_{chair}") or "" for chair in range(len(game.players))]
        if sorted(names) != sorted(game.players):
            raise NotDone("game.each_once", 422)
        first = chair_of("first_dealer", len(names))
        append_step(writer, game, "seating", {"players": names, "first_dealer": first})
    return _to_table()


@blueprint.post("/table/rules")
def rules() -> ResponseReturnValue:
    """Another book or other stakes from the next hand on."""
    with store().writing() as writer:
        game = game_of_form(writer)
        content = {
            "book": kept_book(request.form.get("rules") or ""),
            "base": number_of("base", MOST_POINTS),
            "per_tai": number_of("per_tai", MOST_POINTS),
        }
        append_step(writer, game, "rules", content)
    return _to_table()


@blueprint.post("/table/end")
def end() -> ResponseReturnValue:
    """The evening is over."""
    with store().writing() as writer:
        game = game_of_form(writer)
        append_step(writer, game, "end", {})
    keep_backup_beside(store())
    return redirect(url_for("games.game", id_=game.id), 303)


@blueprint.post("/table/align")
def align() -> ResponseReturnValue:
    """The board's hand with round, streak, book and stakes of the table, or of the hand that it joins."""
    try:
        board: Board = with_context(from_state(request.form.get("state") or ""), context_of(request.form))
    except BoardError:
        abort(400)
    game = current()
    joint = joint_of(game, board.context) if game else None
    context = joint.context if joint and joint.joins == asked(request.form) else defaults(board.context)
    return render_board(with_context(board, context), None)
