"""戰績: settling a hand, and the records that come of it: list, search, page, photo, data."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.hands.hand import FLOWER_WINS, SEATS
from scoring.languages import in_language
from scoring.rulebook.loading import load_book
from webui import times
from webui.board.codec import from_state
from webui.board.context_form import context_of
from webui.board.limits import BoardError
from webui.board.state import NEED_DISCARDER, Board, with_context
from webui.games import running
from webui.games.game import Game, fold
from webui.games.paying.joint_win import Joint, asked, joined, joined_instead, joined_unpaid, joint_of
from webui.games.paying.win_payments import of_answer, refuse_without_dice
from webui.games.results.export import sentence
from webui.games.results.played import Played
from webui.house_rules import registry
from webui.people.figures import Night, same_people
from webui.people.hands import Wanted, listed
from webui.people.nights import nights_of
from webui.people.readable import unreadable_in
from webui.people.rows import Said, row
from webui.records.sharing import link_of
from webui.records.snapshot import content_of, players_of
from webui.records.table_paid import TablePaid, table_paid
from webui.records.view import Record, card_of, record_of
from webui.records.witness import code_of
from webui.store import books
from webui.store.chain import KINDS, Content, Entry, canonical
from webui.store.contents.reading import UNREADABLE, reading
from webui.store.device import said_by
from webui.store.store import PAGE_RECORDS, StoreError, View, Writer, clean
from webui.store.upkeep.rotation import failed_backup
from webui.store.upkeep.verify import verify
from webui.views.board.page import render_board
from webui.views.records.other_devices import elsewhere, made_elsewhere, versions_of
from webui.views.table.steps import append_step, moved_on
from webui.views.table.win_form import MOST_TAI
from webui.views.tiles.tile_sets import remember
from webui.web.errors import NotDone, store_sentence
from webui.web.extensions import services, store
from webui.web.forms import page_number, whole
from webui.web.security import refuse_other_sites
from webui.web.templates import is_fragment
from webui.whole_table.winning_hand import zones_of

blueprint = Blueprint("records", __name__)


@dataclass(frozen=True, slots=True)
class Settling:
    """The settle part of the board. `strays`: differences between hand and table; `names` by seat.

    `joint`: the last hand, if this one may have been won on the same discard; `joining`: a person confirmed that.
    """

    once: str
    game: Game | None
    names: dict[str, str]
    strays: tuple[str, ...]
    joint: Joint | None = None
    joining: bool = False


@blueprint.app_context_processor
def _for_templates() -> dict[str, object]:
    return {
        "settling": settling,
        "zones_of": zones_of,
        "sentence": lambda hand: sentence(hand, g.texts),
        "shown_time": times.shown,
        "clock_time": times.clock,
        "beside": lambda id_: elsewhere().beside(id_),
        "counts": lambda id_: elsewhere().counts(id_),
        "versions_of": versions_of,
        "made_elsewhere": made_elsewhere,
    }


def settling(board: Board) -> Settling:
    """The settle part for `records/settle.html`. An unreadable store is reported when the hand is settled."""
    once = secrets.token_hex(8)
    typed = players_of(request.form)
    game = running.current()
    if game is None:
        return Settling(once, None, typed, ())
    joint = joint_of(game, board.context)
    joining = joint is not None and asked(request.form) == joint.joins
    names = joint.names if joint and joining else game.names(board.context.dealer)
    return Settling(once, game, names, game.strays(board.context), joint, joining)


def posted_board() -> Board:
    """The board that came with the form; a false one is 400."""
    try:
        return with_context(from_state(request.form.get("state") or ""), context_of(request.form))
    except BoardError:
        abort(400)


@blueprint.post("/records")
def settle() -> ResponseReturnValue:
    """Keep the hand on the board; with the running game's id, as its next hand (`game`) or in its last (`join`)."""
    board = posted_board()
    once = clean(request.form.get("once"), 40)
    joins = request.form.get("join") or ""
    known = is_kept(once)
    try:
        entry_id = _keep(board, once, joins or request.form.get("game") or "", joins=bool(joins))
    except NotDone as error:
        if is_fragment():
            raise
        return render_board(board, None, error=g.texts(error.key, **error.values)), error.status
    except StoreError as error:
        return render_board(board, None, error=store_sentence(error, g.texts)), 503
    if not known:
        remember(board)
    return redirect(url_for("records.record", id_=entry_id, settled=1), 303)


def _keep(board: Board, once: str, game_id: str, *, joins: bool) -> str:
    """The id of the new record, or of the one that the same form has made already."""
    if once:
        with store().reading() as view:
            record = _made(view, once)
        if record:
            return record
    photoless = bool(request.form.get("photoless"))
    content = content_of(
        board,
        services(),
        store(),
        players_of(request.form),
        photoless=photoless,
        by_name=running.current() is not None,
    )
    content |= {"once": once, "game": None}
    with store().writing() as writer:
        record = (_made(writer, once) if once else None) or _same(writer, content, game_id)
        if record:
            return record
        if not game_id:
            return writer.append("record", content).id
        game = running.running_in(writer)
        if game is None or game.id != game_id or game.head != request.form.get("head"):
            raise moved_on(writer, game_id)
        return _join(writer, game, board, content) if joins else _into_game(writer, game, board, content)


def is_kept(once: str) -> bool:
    """Whether the hand of that form has been settled; also False if the store cannot be read."""
    try:
        with store().reading() as view:
            return bool(once) and _made(view, once) is not None
    except StoreError:
        return False


def _made(view: View, once: str) -> str | None:
    return next((entry.id for _, entry in view.marked("once", once) if entry.kind == "record"), None)


def _same(view: View, content: Content, game_id: str) -> str | None:
    """The record that keeps this very hand already: the same photos, the same tiles, the same context, not void."""
    photos = [photo["sha256"] for photo in content["photos"] if photo["sha256"]]
    for _, entry in view.marked("photo", *photos[:1]):
        if entry.fault is not None:
            continue
        kept = entry.content
        same = all(canonical(kept[key]) == canonical(content[key]) for key in ("photos", "request", "context"))
        table = (kept.get("game") or "") == game_id and (bool(game_id) or kept["players"] == content["players"])
        if same and table and not view.marked("void", entry.id):
            return entry.id
    return None


def _into_game(writer: Writer, game: Game, board: Board, content: Content) -> str:
    context = board.context
    if game.session.finished:
        raise NotDone("game.finished")
    if game.strays(context):
        raise NotDone("settle.strays")
    refuse_without_dice(game, request.form)
    names = game.names(context.dealer)
    record = writer.append("record", content | {"players": names, "game": game.id, "number": len(game.hands) + 1})
    hand = {
        "kind": "won",
        "east": game.east_of(context.dealer),
        "winners": [context.seat],
        "discarder": context.discarder if context.win in NEED_DISCARDER else None,
        "win": context.win,
        "tai": [content["answer"]["zh"]["tai"]],
        **of_answer(game, context, content["request"], content["answer"]["zh"], request.form).to_json(),
        "record": record.id,
    }
    if context.win in FLOWER_WINS and game.session.book.flower_win == "paid_at_once":
        hand["goes_on"] = True
    append_step(writer, game, "hand", hand)
    return record.id


def _join(writer: Writer, game: Game, board: Board, content: Content) -> str:
    """一炮多響: as a further winner of the last hand."""
    joint = joint_of(game, board.context)
    if joint is None or not joint.fits:
        raise NotDone("settle.join_differs")
    if not joint.can_join:
        raise NotDone("settle.join_nearest")
    refuse_without_dice(game, request.form)
    about = {"players": joint.names, "game": game.id, "number": len(game.hands)}
    record = writer.append("record", content | about)
    answer = content["answer"]["zh"]
    if joint.blocked:
        hand = joined_unpaid(game, joint, answer["tai"], record.id)
    else:
        paid = of_answer(joint.before, board.context, content["request"], answer, request.form)
        put = joined_instead if joint.instead else joined
        hand = put(game, joint, answer["tai"], paid.to_json(), record.id)
    append_step(writer, game, "hand", hand)
    return record.id


@blueprint.get("/records")
def records() -> str:
    """Every hand that fits a search, typed or photographed, newest first, a page at a time."""
    asked = {key: clean(request.args.get(key), 80) for key in ("since", "until", "player", "pattern", "tai", "book")}
    least = whole(asked["tai"], MOST_TAI) if asked["tai"] else 0
    if least is None:
        raise NotDone("game.bad_number", 422, value=asked["tai"], most=MOST_TAI)
    since, until = times.day_begins(asked["since"]), times.day_begins(asked["until"], days=1)
    wanted = Wanted(since, until, asked["player"], asked["pattern"], asked["book"], least)
    with store().reading() as view:
        nights, unread = nights_of(view, store().book_file)
        same = same_people([entry.content for entry in reversed(view.of_kind("person"))])
        lines = listed(view, nights, same, wanted)
        pages = max(1, -(-len(lines) // PAGE_RECORDS))
        page = min(page_number(request.args.get("page")), pages)
        shown = lines[(page - 1) * PAGE_RECORDS : page * PAGE_RECORDS]
        ids = [id_ for line in shown for id_ in line.records]
        records = {id_: entry for id_, entry in view.these(ids).items() if entry.fault is None}
        later, unreadable = _said(view, ids), view.unreadable()
        names = {*view.values("player"), *(name for night in nights for name in night.players)}
        patterns = set(view.values("pattern"))
    rules = [*load_book("common").patterns.values(), *registry.own_rules()]
    search: dict[str, Any] = {key: value for key, value in asked.items() if value}
    return render_template(
        "records/list.html",
        rows=[row(line, records, later, g.texts) for line in shown],
        unreadable=unreadable,
        KINDS=KINDS,
        total=len(lines),
        page=page,
        pages=pages,
        unread=unread,
        asked=asked,
        players=sorted({same.get(name, name) for name in names}),
        searching=bool(search),
        patterns=[rule for rule in rules if rule.id in patterns],
        books=_books(nights, asked["book"]),
        failed_backup=failed_backup(store()),
        page_url=lambda number: url_for("records.records", **(search | {"page": number})),
    )


def _said(view: View, ids: Sequence[str]) -> Said:
    void = {value for value, _ in view.marked("void", *ids)}
    later = view.about(*ids)
    settled = {str(entry.about) for entry in view.about(*(entry.id for entry in later)) if entry.kind == "agreement"}
    return Said(frozenset(void), {str(entry.about): entry.id in settled for entry in later if entry.kind == "dispute"})


def _books(nights: Sequence[Night], asked: str) -> dict[str, str]:
    """Rules to filter by: the rules of the evenings and the ones offered now; key to title."""
    books_by_key = {
        str(book["key"]): book for night in nights for book in (night.book, *(hand.book for hand in night.hands))
    }
    titles = {key: books.title(book, g.texts.lang) for key, book in books_by_key.items()}
    for key in (*registry.offered(), asked):
        book = registry.book_of(key) if key and key not in titles else None
        if book is not None:
            titles[key] = in_language({"zh": book.title, "en": book.title_en or book.title}, g.texts.lang)
    return titles


def record_or_404(id_: str) -> Record:
    """The record of that id with all entries about it; 404 if there is no such record."""
    with store().reading() as view:
        entry = view.entry(id_, "record")
        if entry is None:
            abort(404)
        void = view.marked("void", id_)
        disputes = [entry for entry in view.about(id_) if entry.kind == "dispute" and entry.fault is None]
        replies = view.about(*(entry.id for entry in disputes)) if disputes else []
        replies = [entry for entry in replies if entry.fault is None]
        paid = _paid(view, entry)
    with reading(entry):
        return record_of(entry, void[-1][1] if void else None, disputes, replies, g.texts, paid=paid)


def _hand_of(view: View, record: Entry) -> Played | None:
    """The table's hand of this record, as last corrected.

    None if it belongs to no table, or if the table's book is unreadable.
    """
    id_ = record.content.get("game")
    opened = view.entry(id_, "game") if id_ else None
    if opened is None:
        return None
    try:
        game = fold(opened, view.about(opened.id), store().book_file)
    except UNREADABLE:
        return None
    return next((hand for hand in game.hands if record.id in hand.records), None)


def _paid(view: View, record: Entry) -> TablePaid | None:
    """The table's payments for this hand; None if it belongs to no table, or the book is unreadable."""
    hand = _hand_of(view, record)
    entered = view.entry(hand.entry.id) if hand else None
    if hand is None or entered is None:
        return None
    return table_paid(hand, record, int(entered.content.get("east", 0)), g.texts)


@blueprint.get("/records/<id_>")
def record(id_: str) -> str:
    """One record: to read, to print, to send."""
    recorded = record_or_404(id_)
    if request.args.get("verify"):  # work that only our own page may ask for: all of the chain is read
        refuse_other_sites()
    link = link_of(url_for("records.record", id_=id_), request.host_url, current_app.config["PHONE_URL"])
    return render_template(
        "records/record.html",
        record=recorded,
        made_on=_made_on(recorded.entry),
        card=card_of(recorded, link.address, g.texts),
        link=link,
        version=books.version_of(recorded.content["book"]),
        witness_code=code_of(recorded.entry),
        checked=verify(store(), probe=unreadable_in) if request.args.get("verify") else None,
        settled=bool(request.args.get("settled")),
        seats=SEATS,
    )


def _made_on(entry: Entry) -> str:
    """The name of the device that made an entry; empty if that device has no name."""
    with store().reading() as view:
        devices = view.of_kind("device")
    return (said_by(devices, entry.seq).name or g.texts("store.merged_computer")) if devices else ""


@blueprint.get("/records/<id_>/photo<int:number>.jpg")
def photo(id_: str, number: int) -> ResponseReturnValue:
    """A photo of a record, the first one being number 1."""
    with store().reading() as view:
        entry = view.entry(id_, "record")
    photos = entry.content["photos"] if entry and entry.fault is None else ()
    if not 1 <= number <= len(photos) or not photos[number - 1]["sha256"]:
        abort(404)
    jpeg = store().photos.get(photos[number - 1]["sha256"])
    if jpeg is None:
        abort(404)
    headers = {"Cache-Control": "private, max-age=31536000, immutable"}
    return Response(jpeg, mimetype="image/jpeg", headers=headers)


@blueprint.get("/records/<id_>.json")
def data(id_: str) -> ResponseReturnValue:
    """The whole stored entry as JSON, and its device if it came from another one."""
    with store().reading() as view:
        entry = view.entry(id_, "record")
    if entry is None:
        abort(404)
    made_on = elsewhere().made([entry])
    return {**entry.to_json(), **({"made_on": made_on[id_]} if made_on else {})}
