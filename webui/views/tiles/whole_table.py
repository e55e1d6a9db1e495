"""全桌照: a photo of the whole table: zones, owners and tiles left.

The page holds the state. Every answer to a form leads to an address of its own, which a browser can open again: back
from a referee's sheet, after a reload, in another language.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring.hands.hand import SEATS
from scoring.tally.counting import plan_of
from scoring.tiles import CODES
from vision.layout.table.zones import SIDES, ZONES, Side
from webui.board.state import Context, with_context
from webui.games import running
from webui.i18n import Texts
from webui.views.board.page import render_board
from webui.views.table.next_hand import defaults
from webui.web.errors import Refusal
from webui.web.extensions import services
from webui.web.uploads import gone, guarded, short_name, ticket, uploaded
from webui.whole_table.answers import NO_SIDE, answered
from webui.whole_table.panel import DisputeView, TableView, view_of
from webui.whole_table.state import NO_TILE, StateError, TableState, from_text, side_numbered, state_of, to_text
from webui.whole_table.winning_hand import board_of_side

blueprint = Blueprint("whole_table", __name__)
NEAR_COOKIE = "near"
"""Who sits at the near side of the photos: the number of a player or seat, for one evening."""
EVENING = 12 * 3600
"""Seconds."""
ASKED = ("rules", "hand", "melds", "flowers", "seat", "round", "dealer")
"""Fields of the discard advice that the page carries."""


@blueprint.get("/whole")
def start() -> ResponseReturnValue:
    """The form for a photo; with the fields of an asked advice it leads back there."""
    return _page(None)


@blueprint.get("/whole/<key>")
def shown(key: str) -> ResponseReturnValue:
    """A photo that was read, with the answers so far; ``key``: random, as the form's answer gave it."""
    text = services().tables.get(key)
    try:
        state = from_text((text or b"").decode())
    except ValueError:  # gone, damaged, or of another version
        return _refused(Refusal(g.texts("whole.photo_gone"), 404))
    return _page(state)


@blueprint.get("/whole/hand")
def hand_again() -> ResponseReturnValue:
    """Redirects to the start page, as the board of any hand does: the browser keeps the hand."""
    return redirect(url_for("pages.start"))


@blueprint.post("/whole")
def shoot() -> ResponseReturnValue:
    """A photo, or answers about the one that was read."""
    texts: Texts = g.texts
    uploads = uploaded(request)
    if uploads:
        upload = uploads[0]
        try:
            read = guarded(lambda: services().read_shown(upload.stream, gone(), ticket()), texts)
        except Refusal as refusal:
            return _refused(refusal)
        return _opened(state_of(read.reading, services().shelf.put(read.jpeg), short_name(upload)))
    if not request.form.get("state"):
        return _refused(Refusal(texts("error.empty_upload"), 400))
    try:
        return _opened(answered(from_text(request.form["state"]), request.form))
    except StateError:
        abort(400)


@blueprint.post("/whole/hand")
def hand() -> ResponseReturnValue:
    """The board of the side that won (``winner``), from the photo, with its zones as evidence."""
    try:
        state = answered(from_text(request.form.get("state", "")), request.form)
        side = side_numbered(request.form.get("winner"))
    except StateError:
        abort(400)
    near = _near()
    names = _names() if near is not None else ("",) * len(SEATS)
    first, second, third, fourth = (names[((near or 0) + at) % len(SEATS)] for at in SIDES)
    board = board_of_side(state, side, (first, second, third, fourth))
    return render_board(with_context(board, _won_by(side, near)), None)


def _won_by(side: Side, near: int | None) -> Context:
    """The facts of the next hand, with the winner's seat if it follows from who sits where."""
    context, game = defaults(), running.current()
    if near is None or (game is not None and ("dealer" in context.unsaid or len(game.session.players) != len(SEATS))):
        return context
    chair = (near + side) % len(SEATS)
    seat = SEATS[chair] if game is None else game.session.seat(chair, game.east_of(context.dealer))
    return replace(context, seat=seat, unsaid=context.unsaid - {"seat"})


def _refused(refusal: Refusal) -> ResponseReturnValue:
    headers = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
    return _page(None, refusal.sentence), refusal.status, headers


def _opened(state: TableState) -> Response:
    """A redirect to the page of a state, so that the browser can come back to it."""
    key = services().tables.put(to_text(state).encode())
    carried = urlencode(_carried())
    address = url_for("whole_table.shown", key=key) + (f"?{carried}" if carried else "")
    answer = current_app.make_response(redirect(address, 303))
    near = _near()
    if "near" in request.form and near is not None:
        answer.set_cookie(NEAR_COOKIE, str(near), max_age=EVENING, httponly=True, samesite="Lax")
    return answer


def _carried() -> dict[str, str]:
    """The fields of the discard advice that the request has."""
    return {key: value for key in ASKED if (value := request.values.get(key, "")[:400])}


def _page(state: TableState | None, error: str = "") -> Response:
    texts: Texts = g.texts
    game = running.current()
    shapes = () if game is None else plan_of(game.session.book).shapes
    view = None if state is None else view_of(state, texts.lang, shapes)
    near = _near()
    carried = _carried()
    return current_app.make_response(
        render_template(
            "board/whole_table.html",
            view=view,
            state_text="" if state is None else to_text(state),
            error=error,
            photo_there=state is not None and services().shelf.get(state.photo) is not None,
            names=_names(),
            near=near,
            side_names=_side_names(near),
            disputes=_disputes(view, near),
            sheets=_sheets(view, near),
            carried=carried,
            advice=_advice(view, carried),
            zones=ZONES,
            sides=SIDES,
            no_side=NO_SIDE,
            no_tile=NO_TILE,
            codes=CODES,
        )
    )


def _names() -> tuple[str, ...]:
    """The players of the running table in the order of play, else the four winds."""
    game = running.current()
    if game is not None and len(game.session.players) == len(SEATS):
        return game.session.players
    texts: Texts = g.texts
    return tuple(texts(f"seat.{seat}") for seat in SEATS)


def _near() -> int | None:
    """Who sits at the near side: by the form, else by this evening's answer; None before."""
    chair = request.form.get("near") or request.cookies.get(NEAR_COOKIE, "")
    return int(chair) if chair in map(str, range(len(SEATS))) else None


def _side_names(near: int | None) -> tuple[str, ...]:
    """The names of the four sides, with who sits there if that is known."""
    texts: Texts = g.texts
    plain = [texts(f"whole.side_{side}") for side in SIDES]
    if near is None:
        return tuple(plain)
    names = _names()
    return tuple(
        texts("whole.side_of", side=name, player=names[(near + side) % len(names)]) for side, name in enumerate(plain)
    )


def _disputes(view: TableView | None, near: int | None) -> tuple[str, ...]:
    """For each side the address of the referee's sheet of a dead hand with the counted tiles, empty without a running
    table, a known player or a wrong number."""
    game = running.current()
    if view is None or near is None or game is None or len(game.session.players) != len(SEATS):
        return ("",) * len(SIDES)
    return tuple(
        url_for(
            "incidents.ask",
            incident="dead_hand",
            who=(near + player.side) % len(SEATS),
            f_cause="count",
            f_count=player.tiles,
        )
        if player.tiles is not None and player.verdict not in ("right", "won")
        else ""
        for player in view.players
    )


def _sheets(view: TableView | None, near: int | None) -> tuple[tuple[DisputeView, str], ...]:
    """The referee's sheets that the photo fills, each with its address; none without a running table or a known
    player."""
    game = running.current()
    if view is None or near is None or game is None or len(game.session.players) != len(SEATS):
        return ()
    sheets = []
    for shown in view.disputes:
        sheet = shown.sheet
        chairs = {key: (near + side) % len(SEATS) for key, side in sheet.seats.items()}
        who = {} if sheet.who is None else {"who": (near + sheet.who) % len(SEATS)}
        fields: dict[str, object] = {**who, **chairs, **sheet.fields}
        sheets.append((shown, f"{url_for('incidents.ask', incident=sheet.incident)}?{urlencode(fields)}"))
    return tuple(sheets)


def _advice(view: TableView | None, carried: dict[str, str]) -> str:
    """The address of the advice with the tiles seen on the table; empty without a photo."""
    if view is None:
        return ""
    return f"{url_for('advice.advice')}?{urlencode({**carried, 'seen': view.seen})}"
