"""牌局: the running table: who sits where, who deals, what each has won or lost, and what can be done next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, current_app, g, redirect, render_template, request, url_for

from scoring.hands.hand import Seat
from scoring.settlement.payments import Claim, Stakes, Transfer, false_win, payers, winners
from webui.board.codec import from_state
from webui.board.context_form import context_of, next_hand
from webui.board.state import ASKED, Board, BoardError, Context, with_context
from webui.games.game import Game, fold
from webui.games.joint_win import asked, joint_of
from webui.games.results import export as games_export
from webui.games.results.chart import graph_of
from webui.games.results.export import since
from webui.games.running import current, running_in
from webui.games.win_payments import paid_for, stakes_of
from webui.house_rules import registry
from webui.store import books
from webui.store.store import View, Writer, clean
from webui.views.board_page import render_board
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.forms import whole

blueprint = Blueprint("games", __name__)
RULES_COOKIE = "rules"
BREAK_COOKIE = "break"
MOST_TAI = 1000
MOST_POINTS = 1_000_000


def defaults(before: Context | None = None) -> Context:
    """The context of the next hand: what the running game knows, else the book last chosen; the rest as before."""
    game, fresh = current(), Context(unsaid=frozenset(ASKED))
    if game is not None:
        return game.context(_with_break(game, before or fresh))
    return before or replace(fresh, rules=chosen_book() or registry.START_BOOK)


def chosen_book() -> str:
    """The book last chosen on this phone, "" where none was."""
    rules = request.cookies.get(RULES_COOKIE, "")
    return rules if rules in registry.offered() else ""


def remember_break(answer: Response, game: Game, east: int) -> None:
    """開門: keep the chair that is East in the hand being played, so that the board's seats are right."""
    value = f"{game.id}:{len(game.hands)}:{east}"
    answer.set_cookie(BREAK_COOKIE, value, max_age=86400, httponly=True, samesite="Lax")


def _with_break(game: Game, before: Context) -> Context:
    """The context with the dealer's seat wind, where the wall break of this very hand was entered."""
    kept = (request.cookies.get(BREAK_COOKIE) or "").split(":")
    if kept[:-1] != [game.id, str(len(game.hands))] or kept[-1] not in ("0", "1", "2", "3"):
        return before
    dealer = game.session.seat(game.session.dealer, int(kept[-1]))
    return replace(before, dealer=dealer, unsaid=before.unsaid - {"dealer"})


def append_step(writer: Writer, game: Game, kind: str, content: Mapping[str, Any]) -> Game:
    """Add an entry to the game, if the rules of a session allow it; NotDone else, and nothing is kept."""
    writer.append(kind, content, about=game.id)
    try:
        return fold(game.entry, writer.about(game.id), store().book_file)
    except ValueError:
        raise NotDone("game.impossible") from None


def game_of_form(writer: Writer) -> Game:
    """The running game, when it is still as the form knew it."""
    game = running_in(writer)
    if game is None or game.id != request.form.get("game") or game.head != request.form.get("head"):
        raise moved_on(writer, request.form.get("game") or "")
    return game


def moved_on(view: View, game_id: str) -> NotDone:
    """Why a form of an earlier moment is refused: what was done at that table since."""
    opened = view.entry(game_id, "game")
    found = fold(opened, view.about(game_id), store().book_file) if opened else None
    done = since(found, view.about(game_id), request.form.get("head") or "", g.texts) if found else []
    newest = view.of_kind("game", 1)
    if not newest or newest[0].id != game_id:
        done.append(g.texts("game.since_other"))
    return NotDone("game.moved_on", what=g.texts("record.separator").join(done) or g.texts("game.since_unknown"))


def _number(key: str, most: int) -> int | None:
    """A whole number of the form, None where the field is empty."""
    text = clean(request.form.get(key))
    if not text:
        return None
    number = whole(text, most)
    if number is None:
        raise NotDone("game.bad_number", 422, value=text, most=most)
    return number


def _chair(key: str) -> int:
    text = request.form.get(key) or ""
    if text not in ("0", "1", "2", "3"):
        raise NotDone("game.choose_player", 422)
    return int(text)


def kept_book(key: str) -> dict[str, Any]:
    """A known book as a game keeps it; NotDone where it cannot be loaded."""
    book = registry.book_of(key) if key in registry.known() else None
    if book is None:
        raise NotDone("settle.no_book", 422)
    return {"key": key, **books.keep(book, registry.toml_of(key))}


def _to_table() -> Any:
    return redirect(url_for("games.table"), 303)


@blueprint.get("/table")
def table() -> Any:
    """The running table, or the form that opens one."""
    with store().reading() as view:
        game = running_in(view)
        past = view.of_kind("game", 20)
    g.game = game
    if game is None:
        names = past[0].content["players"] if past else [""] * 4
        return render_template(
            "games/start.html", names=names, rules=chosen_book() or registry.START_BOOK, past=past, error=""
        )
    return render_template("games/table.html", game=game, graph=graph_of(game), running=True, **_words())


def _words() -> dict[str, Any]:
    return {"chairs": range(4)}


@blueprint.get("/games")
def games() -> Any:
    """All evenings, newest first."""
    with store().reading() as view:
        past = view.of_kind("game")
    return render_template("games/list.html", past=past)


@blueprint.get("/games/<id_>")
def game(id_: str) -> Any:
    """One evening, running or over."""
    found = find(id_)
    return render_template("games/table.html", game=found, graph=graph_of(found), running=False, **_words())


def find(id_: str) -> Game:
    """A game, running or over; 404 where there is none."""
    with store().reading() as view:
        entry = view.entry(id_, "game")
        if entry is None:
            abort(404)
        return fold(entry, view.about(id_), store().book_file)


@blueprint.get("/games/<id_>/export.<form>")
def export(id_: str, form: str) -> Any:
    """The game as CSV for a spreadsheet, or as JSON for a program."""
    found = find(id_)
    name = f"paitai-{found.entry.at[:10]}-{id_[:6]}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if form == "csv":
        return Response(games_export.to_csv(found, g.texts), mimetype="text/csv", headers=headers)
    if form == "json":
        answer = current_app.json.response(games_export.to_json(found))
        answer.headers.update(headers)
        return answer
    abort(404)


@blueprint.post("/table/start")
def start() -> Any:
    """Sit down: four names in playing order, the first dealer, the book and the stakes."""
    names = [clean(request.form.get(f"name_{chair}")) for chair in range(4)]
    key = request.form.get("rules") or registry.START_BOOK
    content = {
        "players": names,
        "first_dealer": _chair("first_dealer"),
        "book": kept_book(key),
        "base": _number("base", MOST_POINTS),
        "per_tai": _number("per_tai", MOST_POINTS),
    }
    if not all(names) or len(set(names)) < 4:
        page = render_template(
            "games/start.html",
            names=names,
            rules=key,
            past=(),
            error=g.texts("game.four_names"),
            first_dealer=content["first_dealer"],
        )
        return page, 422
    with store().writing() as writer:
        if running_in(writer) is not None:
            raise NotDone("game.still_running")
        writer.append("game", content)
    return _to_table()


@blueprint.post("/table/drawn")
def drawn() -> Any:
    """荒局: nobody won; whether it counts for the streak, where the book leaves that to the players."""
    with store().writing() as writer:
        found = game_of_form(writer)
        agreed = found.session.book.payment.drawn_hand == "streak_agreed"
        counts = bool(request.form.get("counts")) if agreed else True
        append_step(writer, found, "hand", {"kind": "drawn", "counts": counts, "east": found.session.dealer})
    return _to_table()


@blueprint.post("/table/won")
def won() -> Any:
    """A hand that was not photographed: who won with how many tai, self-drawn or from whom."""
    with store().writing() as writer:
        found = game_of_form(writer)
        append_step(writer, found, "hand", won_by_form(found, _east(found)))
    return _to_table()


def won_by_form(found: Game, east: int) -> dict[str, Any]:
    """A won hand as the form has it: tai of each winner, self-drawn or from whom; NotDone for what cannot be."""
    session = found.session
    tai = {chair: _number(f"tai_{chair}", MOST_TAI) for chair in range(4)}
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
        discarder = session.seat(_chair("source"), east)
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


def _east(found: Game) -> int:
    """The chair that is East: the dealer's where the book or nobody says otherwise, else where the wall broke."""
    asked = _chair("east") if request.form.get("east") else found.session.dealer
    return found.session.east(asked)


@blueprint.post("/table/false-win")
def wrong() -> Any:
    """詐胡: what the book takes from the one who showed a hand that does not win."""
    with store().writing() as writer:
        found = game_of_form(writer)
        session = found.session
        east = _east(found)
        offender = session.seat(_chair("offender"), east)
        stakes: Stakes = stakes_of(found, east, request.form)
        waiting = [session.seat(chair, east) for chair in range(4) if request.form.get(f"waiting_{chair}")]
        transfers: tuple[Transfer, ...] = false_win(
            session.book,
            offender,
            stakes,
            face_tai=_number("face_tai", MOST_TAI) or 0,
            waiting=[seat for seat in waiting if seat != offender],
            hands_shown=not request.form.get("unshown"),
        )
        content = {"kind": "false_win", "east": east, "offender": offender, "transfers": [list(t) for t in transfers]}
        append_step(writer, found, "hand", content)
    return _to_table()


@blueprint.post("/table/undo")
def undo() -> Any:
    """Take back the last step: by an entry that voids it; nothing is deleted."""
    with store().writing() as writer:
        newest = writer.of_kind("game", 1)
        found = fold(newest[0], writer.about(newest[0].id), store().book_file) if newest else None
        if found is None or found.id != request.form.get("game") or found.head != request.form.get("head"):
            raise moved_on(writer, request.form.get("game") or "")
        if found.last is None:
            raise NotDone("game.nothing_to_undo")
        append_step(writer, found, "void", {"entry": found.last.id, "record": found.last.content.get("record")})
    return _to_table()


@blueprint.post("/table/seating")
def seating() -> Any:
    """搬風 or 下一將: everyone's new place, and who deals first."""
    with store().writing() as writer:
        found = game_of_form(writer)
        names = [request.form.get(f"place_{chair}") or "" for chair in range(4)]
        if sorted(names) != sorted(found.players):
            raise NotDone("game.each_once", 422)
        append_step(writer, found, "seating", {"players": names, "first_dealer": _chair("first_dealer")})
    return _to_table()


@blueprint.post("/table/rules")
def rules() -> Any:
    """Another book or other stakes from the next hand on."""
    with store().writing() as writer:
        found = game_of_form(writer)
        content = {
            "book": kept_book(request.form.get("rules") or ""),
            "base": _number("base", MOST_POINTS),
            "per_tai": _number("per_tai", MOST_POINTS),
        }
        append_step(writer, found, "rules", content)
    return _to_table()


@blueprint.post("/table/end")
def end() -> Any:
    """The evening is over."""
    with store().writing() as writer:
        found = game_of_form(writer)
        append_step(writer, found, "end", {})
    return redirect(url_for("games.game", id_=found.id), 303)


@blueprint.post("/table/align")
def align() -> Any:
    """The hand on the board with the round, streak, book and stakes of the table, or those of the hand it joins."""
    try:
        board: Board = with_context(from_state(request.form.get("state") or ""), context_of(request.form))
    except BoardError:
        abort(400)
    game = current()
    joint = joint_of(game, board.context) if game else None
    context = joint.context if joint and joint.joins == asked(request.form) else defaults(board.context)
    return render_board(with_context(board, context), None)


def carried(before: Context) -> Context:
    """The context of the next hand after one: how that one was won is forgotten."""
    return defaults(next_hand(before))
