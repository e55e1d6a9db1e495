"""牌譜: a game log from a file: step by step, exported, and its won hand as a board. The page holds the log."""

from __future__ import annotations

from flask import Blueprint, Response, abort, g, render_template, request
from flask.typing import ResponseReturnValue

from scoring.hands.hand import SEATS
from vision.game_log.log import GameLog
from vision.game_log.reading import GameLogError, read_log, to_text
from vision.game_log.rules import contradictions
from vision.game_log.telling import describe_event, place_name
from webui.board.state import with_context
from webui.game_logs.replay import open_places, steps, table_after
from webui.game_logs.won_hand import board_of_log, context_of_log, wins_of
from webui.games import running
from webui.i18n import Texts
from webui.views.board.page import render_board
from webui.views.table.next_hand import defaults
from webui.web.uploads import short_name

blueprint = Blueprint("game_logs", __name__)
LONGEST = 400_000
"""Characters of a log that the page carries."""


@blueprint.get("/log")
def start() -> ResponseReturnValue:
    """The form for a file."""
    return _page(None)


@blueprint.post("/log")
def show() -> ResponseReturnValue:
    """A log from a file, or a step of the one that the page holds."""
    upload = request.files.get("file")
    chosen = upload is not None and bool(upload.filename)
    data = upload.stream.read(LONGEST + 1) if upload is not None and chosen else request.form.get("log", "")
    texts: Texts = g.texts
    if not data:
        return _page(None, [texts("log.no_file")]), 400
    if len(data) > LONGEST:
        return _page(None, [texts("log.too_large")]), 413
    try:
        log = read_log(data)
    except GameLogError as error:
        return _page(None, error.sentences(texts.lang)), 400
    if len(to_text(log)) > LONGEST:  # so much would the page carry
        return _page(None, [texts("log.too_large")]), 413
    name = short_name(upload) if upload is not None and chosen else request.form.get("name", "")[:120]
    return _page(log, name=name)


@blueprint.post("/log/file")
def export() -> ResponseReturnValue:
    """The log as a file."""
    headers = {"Content-Disposition": 'attachment; filename="paitai-log.json"'}
    return Response(to_text(_carried()), mimetype="application/json", headers=headers)


@blueprint.post("/log/hand")
def hand() -> ResponseReturnValue:
    """The board of the hand that a winner of the log shows."""
    log = _carried()
    wins, asked = wins_of(log), request.form.get("winner", "0")
    if asked not in map(str, range(len(wins))):
        abort(400)
    win = wins[int(asked)]
    game = running.current()
    at_table = game is not None and len(game.session.players) == len(SEATS)
    context = context_of_log(log, win, defaults(), at_table=at_table)
    return render_board(with_context(board_of_log(log, win), context), None)


def _carried() -> GameLog:
    """The log that the page holds."""
    try:
        return read_log(request.form.get("log", "")[: LONGEST + 1])
    except GameLogError:
        abort(400)


def _page(log: GameLog | None, errors: list[str] | None = None, name: str = "") -> str:
    lang = g.texts.lang
    step = 0 if log is None else steps(log, request.form.get("step", ""))
    return render_template(
        "records/game_log.html",
        log=log,
        log_text="" if log is None else to_text(log),
        name=name,
        errors=errors or [],
        step=step,
        table=None if log is None else table_after(log, step),
        players=[] if log is None else [place_name(log, place, lang) for place in range(len(SEATS))],
        sentences=[] if log is None else [describe_event(event, log, lang) for event in log.events],
        opened=[] if log is None else open_places(log.events),
        problems=[] if log is None else [problem.text(lang) for problem in contradictions(log)],
        winners=[] if log is None else [place_name(log, win.place, lang) for win in wins_of(log)],
    )
