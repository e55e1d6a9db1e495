"""The end of an evening: ranking, who pays whom, the best hand; and putting a past hand or a name right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from webui.games import running
from webui.games.game import Game, before_hand
from webui.games.paying.later_payments import false_win_entry
from webui.games.results.debts import carried_into, settled
from webui.games.results.evening import Evening, best_winners, evening_of, of_best_winner
from webui.games.results.picture import Picture, picture_of
from webui.records.sharing import address_for_others
from webui.store.chain import Content, Entry
from webui.store.store import View, clean
from webui.store.upkeep.rotation import failed_backup
from webui.views.table.steps import (
    append_or_ask,
    append_step,
    game_and_stale,
    game_of_form,
    stale_in,
    wish_waits,
)
from webui.views.table.win_form import MOST_TAI, chair_of, drawn_by_form, number_of, won_by_form
from webui.web.errors import NotDone
from webui.web.extensions import store
from webui.web.forms import whole

blueprint = Blueprint("evening", __name__)
MOST_EAST_MONEY = 100_000


@blueprint.get("/games/<id_>/evening")
def evening(id_: str) -> str:
    """The end of the evening, or its present state; ``east_money``: points into the pot for each self-drawn win."""
    game, stale = game_and_stale(id_)
    text = clean(request.args.get("east_money"), 12)
    points = whole(text, MOST_EAST_MONEY) if text else 0
    if points is None:
        raise NotDone("game.bad_number", 422, value=text, most=MOST_EAST_MONEY)
    with store().reading() as view:
        about = view.about(id_)
        end = evening_of(game, points, about)
        records = _records(view, end)
    pictured = {
        id_ for id_, record in records.items() if any(photo["sha256"] for photo in record.content["photos"][:1])
    }
    failed = failed_backup(store())
    return render_template(
        "games/evening.html",
        game=game,
        end=end,
        pictured=pictured,
        of_the_best={
            id_ for hand in end.best for id_ in hand.records if id_ in records and of_best_winner(hand, records[id_])
        },
        best_winners=best_winners,
        stale=stale,
        failed_backup=failed,
        carried=carried_into(game),
        settled=settled(about),
        picture=_picture(game, end, about, records, len(stale)),
    )


def _records(view: View, end: Evening) -> dict[str, Entry]:
    """The records of the best hands by id."""
    entries = {id_: view.entry(id_, "record") for hand in end.best for id_ in hand.records}
    return {id_: record for id_, record in entries.items() if record is not None and record.fault is None}


def _of_the_best(end: Evening, records: Mapping[str, Entry]) -> set[str]:
    """The ids of the best hands' records that are of a winner with the most tai."""
    known = ((hand, id_) for hand in end.best for id_ in hand.records if id_ in records)
    return {id_ for hand, id_ in known if of_best_winner(hand, records[id_])}


def _picture(game: Game, end: Evening, about: Sequence[Entry], records: Mapping[str, Entry], stale: int) -> Picture:
    path = url_for("evening.evening", id_=game.id)
    link = address_for_others(path, request.host_url, current_app.config["PHONE_URL"])
    return picture_of(game, end, about, records, g.texts, link=link, stale=stale)


def picture_at_the_end(game: Game, stale: int) -> Picture:
    """The picture of an evening without 東錢, for the page at the end; `stale` as of `picture_of`."""
    with store().reading() as view:
        about = view.about(game.id)
        end = evening_of(game, 0, about)
        records = _records(view, end)
    return _picture(game, end, about, records, stale)


@blueprint.get("/table/amend/<entry>")
def amend(entry: str) -> str:
    """The form that puts a past hand right."""
    with store().reading() as view:
        game = running.running_in(view)
        if game is None:
            raise NotDone("incident.no_table", 409)
        hand = next((row for row in game.rows if row.entry.id == entry), None)
        if hand is None:
            raise NotDone("game.not_amendable")
        then = _before(view, game, entry)
        told = (
            ["responsible"]
            if any(reason.startswith("responsible") for reason in hand.entry.content.get("why", ()))
            else []
        )
        return render_template("games/amend.html", game=game, hand=hand, session=then.session, then=then, told=told)


@blueprint.post("/table/amend/<entry>")
def put_right(entry: str) -> ResponseReturnValue:
    """Corrects the ending of a past hand with a new entry; later hands that depend on it are marked."""
    with store().writing() as writer:
        game = game_of_form(writer)
        hand = next((hand for hand in game.hands if hand.entry.id == entry), None)
        if hand is None:
            raise NotDone("game.not_amendable")
        then = _before(writer, game, entry)
        east = int(hand.entry.content["east"])
        if request.form.get("ended") == "drawn":
            content: Content = drawn_by_form(then)
        elif request.form.get("ended") == "false_win":
            form = MultiDict({**request.form.to_dict(), "face_tai": str(number_of("face_tai", MOST_TAI) or "")})
            content = false_win_entry(then, east, chair_of("offender", len(then.players)), form)
        else:
            content = won_by_form(then, east)
        content |= {key: hand.entry.content[key] for key in ("record", "records") if key in hand.entry.content}
        append_or_ask(writer, game, "amended", {"entry": entry, "hand": content})
    return redirect(url_for("games.table"), 303)


@blueprint.post("/table/amend/<entry>/lift")
def lift(entry: str) -> ResponseReturnValue:
    """A fine of the past is lifted: it stays in the list, and nothing is paid for it."""
    with store().writing() as writer:
        game = game_of_form(writer)
        fine = next((fine for fine in game.fines if fine.entry.id == entry), None)
        if fine is None or not fine.entry.content["transfers"]:
            raise NotDone("game.not_amendable")
        lifted = {**fine.entry.content, "transfers": [], "lasts": False}
        append_or_ask(writer, game, "amended", {"entry": entry, "hand": lifted})
    return redirect(url_for("games.table"), 303)


@blueprint.post("/table/recompute")
def recompute() -> ResponseReturnValue:
    """Hands that a correction left behind are paid as they would be now: the one named, or all of them in order."""
    with store().writing() as writer:
        game = game_of_form(writer)
        wanted = request.form.get("entry") or ""
        stale = [outdated for outdated in stale_in(writer, game) if wanted in ("", outdated.hand.entry.id)]
        if not stale:
            raise NotDone("game.nothing_stale")
        changes = [{"entry": old.hand.entry.id, "hand": old.content} for old in stale if old.content is not None]
        waiting = [content for content in changes if wish_waits(writer, game, "amended", content)]
        if changes and waiting == changes:
            raise NotDone("game.wish_waits")
        for content in changes:
            if content not in waiting:
                game = append_or_ask(writer, game, "amended", content)
    return redirect(url_for("games.table"), 303)


def _before(view: View, game: Game, entry: str) -> Game:
    return before_hand(view, game, entry, store().book_file)


@blueprint.post("/table/names")
def names() -> ResponseReturnValue:
    """Other names for the four players, from the first hand on."""
    with store().writing() as writer:
        game = game_of_form(writer)
        new = [clean(request.form.get(f"name_{at}")) for at in range(len(game.players))]
        if not all(new) or len(set(new)) < len(game.players):
            raise NotDone(f"game.names_{len(game.players)}", 422)
        if taken := {bet.bettor for bet in game.bets.outer} & set(new):
            raise NotDone("bets.taken", 422, bettor=taken.pop())
        if gone := set(game.left) & set(new):
            raise NotDone("game.name_left", 422, player=gone.pop())
        if new != list(game.players):
            append_step(writer, game, "names", {"players": new})
    return redirect(url_for("games.table"), 303)
