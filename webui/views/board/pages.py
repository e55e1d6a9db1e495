"""The pages people use. Every one works as a plain form; the scripts send the same forms and put in what changed."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, current_app, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response as BaseResponse

from scoring.languages import LANGUAGES
from webui.board.codec import from_state
from webui.board.context_form import SAY, context_of, said
from webui.board.corrections import parse
from webui.board.editing import Sheet, apply, perform
from webui.board.limits import MOST_SHOTS, BoardError
from webui.board.manual_box import read_box
from webui.board.panels.answer.announcements import announce
from webui.board.panels.answer.what_if import applied, switches_of
from webui.board.panels.reading.questions import OTHER
from webui.board.photos.merge import with_photos
from webui.board.photos.readings import board_of_sample, board_of_uploads
from webui.board.photos.region import turned
from webui.board.state import Board, Context, with_context
from webui.games.running import current
from webui.i18n import Texts
from webui.store.store import clean
from webui.views.board.page import render_board
from webui.views.board.start import render_start
from webui.views.page import can_return
from webui.views.records import records
from webui.views.rules import house_rules
from webui.views.table.next_hand import carried, chosen_book, defaults, remember_winds
from webui.views.tiles import tile_sets
from webui.web.errors import Refusal
from webui.web.extensions import services
from webui.web.photos.page import turned_jpeg
from webui.web.security import netloc_of
from webui.web.uploads import uploaded

blueprint = Blueprint("pages", __name__)
TABLE_TAI = "table_tai:"
"""A button by which the table takes the other value that the document gives to a pattern."""
REMEMBER = "remember:"
"""Prefix of a button that names the tile set in use (empty: a new one) and stores its corrected tiles."""


def _posted_board() -> Board | None:
    """The board in the form; None if the form has none. Aborts with 400 if it is invalid."""
    text = request.form.get("state")
    if not text:
        return None
    try:
        return with_context(from_state(text), context_of(request.form))
    except BoardError:
        abort(400)


def _carried() -> Context:
    """The facts that last from hand to hand or that the running table knows."""
    try:
        return carried(context_of(request.form, defaults()))
    except BoardError:
        abort(400)


def _start(*, error: str = "", kept: Board | None = None) -> str:
    """The start page, which asks for the rule book if neither this phone nor a running table has one."""
    game = current()
    return render_start(error=error, kept=kept, chosen=game.book["key"] if game else chosen_book())


@blueprint.get("/")
def start() -> ResponseReturnValue:
    """The start page."""
    return _start()


@blueprint.post("/")
def shoot() -> ResponseReturnValue:
    """A photo, the sample, or no photo at all: to the board."""
    texts: Texts = g.texts
    before = _posted_board()
    if before is not None:
        tile_sets.remember(before)  # corrections of the last hand help to read this photo
    try:
        if request.form.get("manual"):
            return render_board(with_context(Board(), _carried()), Sheet("add"))
        elif request.form.get("sample"):
            board: Board = board_of_sample(services(), texts)
        else:
            board = tile_sets.with_known_things(board_of_uploads(services(), _uploads(texts), texts))
    except Refusal as refusal:
        return _refused(refusal, before)
    if request.form.get("retake") and before is not None:
        return render_board(with_context(board, before.context), None)
    return render_board(with_context(board, _carried()), None)


def _uploads(texts: Texts) -> list[FileStorage]:
    """The uploaded photos. Raises Refusal if there are none or too many."""
    uploads = uploaded(request)
    if not uploads:
        raise Refusal(texts("error.empty_upload"), 400)
    if len(uploads) > MOST_SHOTS:
        raise Refusal(texts("error.many_photos", most=MOST_SHOTS), 422)
    return uploads


def _refused(refusal: Refusal, before: Board | None) -> ResponseReturnValue:
    """The sentence, above the hand that was there before, if any."""
    headers = {} if refusal.retry_after is None else {"Retry-After": str(refusal.retry_after)}
    if request.headers.get("X-PaiTai"):
        return {"error": refusal.sentence, "problems": [refusal.sentence]}, refusal.status, headers
    if before is not None:
        return render_board(before, None, error=refusal.sentence), refusal.status, headers
    return _start(error=refusal.sentence), refusal.status, headers


@blueprint.get("/line")
def place_in_line() -> ResponseReturnValue:
    """How many photos are read before the one that was sent as `ticket` (null: it does not wait), and about how many
    seconds that takes."""
    ahead = services().ahead(request.args.get("ticket", "")[:64])
    seconds = None if ahead is None else round((ahead + 1) * services().seconds / services().turns.size)
    return {"ahead": ahead, "seconds": seconds}


@blueprint.get("/hand")
def hand_again() -> ResponseReturnValue:
    """Redirects a typed address to the start page: without the form there is no hand."""
    return redirect(url_for("pages.start"))


@blueprint.post("/hand")
def hand() -> ResponseReturnValue:
    """A correction on the board, or a changed context: the board after it."""
    board = _posted_board()
    if board is None:
        abort(400)
    lang = request.form.get("lang")
    if lang in LANGUAGES:
        g.texts = Texts(lang)
    if request.form.get("do") == "again":
        tile_sets.remember(board)
        settled = records.is_kept(clean(request.form.get("once"), 40))
        return _start(kept=None if settled else board)
    action, switches, before = request.form.get("do", ""), switches_of(request.form), board
    try:
        if action == "what_if":
            board, switches, action = applied(board, switches), (), ""
        board, sheet = _after(board, action)
    except Refusal as refusal:
        return _refused(refusal, board)
    except BoardError:
        abort(400)
    answer = current_app.make_response(
        render_board(board, sheet, said=announce(before, board, action, g.texts), switches=switches)
    )
    if action.startswith(TABLE_TAI):
        house_rules.remember(answer, board.context.rules)
    remember_winds(answer, board.context)
    return _remember(answer, lang)


def _after(board: Board, action: str) -> tuple[Board, Sheet | None]:
    """The board after a button, and the sheet that opens. Raises Refusal, BoardError."""
    if action in ("more", "second"):
        return with_photos(services(), board, _uploads(g.texts), g.texts, asked_for=action == "second"), None
    if action.startswith(SAY):
        facts, _, step = action.removeprefix(SAY).partition("+")
        board = with_context(board, said(board.context, facts))
        return (apply(board, parse(step)) if step else board), None
    if action.startswith(OTHER):
        context = replace(board.context, unsaid=board.context.unsaid | {"seat"})
        return with_context(apply(board, parse(action.removeprefix(OTHER))), context), None
    if action.startswith(TABLE_TAI):
        rules = house_rules.with_other_tai(board.context.rules, action.removeprefix(TABLE_TAI))
        return with_context(board, replace(board.context, rules=rules)), None
    if action.startswith(REMEMBER):
        tile_sets.remembered(board, action.removeprefix(REMEMBER))
        return board, None
    if action.startswith("turn:"):
        return _turned(board, action.removeprefix("turn:")), None
    if action.startswith("box:"):
        drawn = read_box(services(), board, action.removeprefix("box:"), g.texts)
        return apply(board, [drawn]), Sheet("edit", len(board.tiles))
    return perform(board, action, request.form.get("into") or "concealed")


def _turned(board: Board, shot: str) -> Board:
    """The board with one of its photos a quarter further. Raises Refusal, BoardError."""
    if shot not in map(str, range(len(board.shots))):
        raise BoardError(f"photo {shot!r}")
    photo = board.shots[int(shot)].photo
    jpeg = services().shelf.get(photo) if photo else None
    if jpeg is None:
        raise Refusal(g.texts("error.photo_gone"), 422)
    return turned(board, int(shot), services().shelf.put(turned_jpeg(jpeg)))


@blueprint.post("/lang")
def language() -> ResponseReturnValue:
    """Another language, kept in a cookie."""
    return _remember(redirect(_page_before(), 303), request.form.get("lang"))


def _page_before() -> str:
    """The page with the button, if a GET request can open it; else the start page."""
    before = urlsplit(request.referrer if netloc_of(request.referrer) else "")
    path = before.path.removeprefix(request.script_root)
    returns = before.netloc == request.host and can_return(path)
    return before._replace(scheme="", netloc="").geturl() if returns else url_for("pages.start")


def _remember(answer: BaseResponse, lang: str | None) -> BaseResponse:
    if lang in LANGUAGES:
        answer.set_cookie("lang", lang, max_age=365 * 86400, samesite="Lax", httponly=True)
    return answer


@blueprint.get("/photo/<photo>.jpg")
def photo(photo: str) -> ResponseReturnValue:
    """A kept photo by its random id."""
    jpeg = services().shelf.get(photo)
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=10800, immutable"})
