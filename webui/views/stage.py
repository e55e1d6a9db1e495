"""大螢幕: the evening on a television or a stream: totals, the last hand with its tiles, waits in the live view."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, render_template, request

from scoring.hands.waits import waits
from scoring.languages import whole
from scoring.tiles import CODES
from vision.multiview.tracking import Tracking
from webui.games.game import Game, fold
from webui.games.results.chart import graph_of
from webui.games.results.played import Played
from webui.games.running import running_in
from webui.i18n import Texts
from webui.records.view import groups_of
from webui.store.chain import Entry
from webui.store.store import View
from webui.views.phone.live import Watching
from webui.web.extensions import WATCHING, store

blueprint = Blueprint("stage", __name__)
FRESH_SECONDS = 5.0
"""The live view is shown for this long after its last frame."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A winner's hand: the tiles by group, and the patterns with their tai."""

    player: str
    groups: Sequence[tuple[str, Sequence[str]]]
    patterns: Sequence[tuple[str, int]]


@blueprint.get("/stage")
def stage() -> Response:
    """The page for the room; ``clear`` without a background. The answer is 304 while nothing has changed."""
    with store().reading() as view:
        game = running_in(view) or _last(view)
        hand = game.hands[-1] if game and game.hands else None
        records = _records(view, hand)
    g.game = game if game and not game.ended else None
    page = render_template(
        "games/stage.html",
        game=game,
        hand=hand,
        shown=[_shown(hand, record, g.texts) for record in records] if hand else [],
        graph=graph_of(game) if game else None,
        live=_live(),
        clear=bool(request.args.get("clear")),
    )
    answer = make_response(page)
    answer.headers["Cache-Control"] = "no-cache"
    answer.set_etag(hashlib.sha256(_without_tokens(page).encode()).hexdigest()[:32])
    return answer.make_conditional(request)  # type: ignore[return-value]


def _without_tokens(page: str) -> str:
    """The part of the page that shows the evening."""
    return page.partition("<main")[2]


def _last(view: View) -> Game | None:
    """The game that was played last, if its book can be read."""
    newest = view.newest_game()
    try:
        return fold(newest, view.about(newest.id), store().book_file) if newest else None
    except ValueError:
        return None


def _records(view: View, hand: Played | None) -> list[Entry]:
    entries = [view.entry(id_, "record") for id_ in hand.records] if hand else []
    return [entry for entry in entries if entry is not None]


def _shown(hand: Played, record: Entry, texts: Texts) -> Shown:
    content: Mapping[str, Any] = record.content
    seats: Sequence[str] = hand.entry.content.get("winners", ())
    seat = content["context"]["seat"]
    player = hand.winners[seats.index(seat)] if seat in seats else ""
    answer = content["answer"][whole(texts.lang)]
    patterns = [(str(pattern["name"]), int(pattern["tai"])) for pattern in answer["patterns"]]
    return Shown(player, groups_of(content, texts), () if hand.amended else patterns)


@dataclass(frozen=True, slots=True)
class Live:
    """The hand in front of the camera: its tiles, and the tiles that it waits for (empty: none, or not known)."""

    tiles: Sequence[str]
    waits: Sequence[str]


def _live() -> Live | None:
    """The newest picture of a live view; None without one."""
    watching: Watching | None = current_app.extensions.get(WATCHING)
    tracking = watching.latest(FRESH_SECONDS) if watching else None
    if tracking is None or not tracking.shown:
        return None
    return live_of(tracking)


def live_of(tracking: Tracking) -> Live:
    """The tiles of a tracked hand; its waits only once the picture has settled on sixteen tiles."""
    hand = tracking.reading().hand
    tiles = [CODES[tile] for tile in hand.concealed]
    if not tracking.stable or hand.missing != 1 or max(Counter(hand.concealed).values()) > 4:
        return Live(tiles, ())
    return Live(tiles, [CODES[tile] for tile in waits(hand.concealed, hand.melds)])
