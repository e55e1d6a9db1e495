"""優先權: which player gets a discard, from calls tapped in order; each tap shows the answer so far."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, g, render_template, request, url_for

from scoring.rulings.incidents.registry import INCIDENTS
from webui.games import running
from webui.games.incidents import sheet
from webui.web.errors import NotDone
from webui.web.extensions import store

blueprint = Blueprint("priority", __name__)
EACH = ("say_win", "say_pung", "say_kong", "reach", "show", "discard")
NEXT_ONLY = ("say_chow", "say_self_draw", "take_in", "ask")
_TAP = re.compile(rf"[0-3]\.(?:{'|'.join((*EACH, *NEXT_ONLY))})(?:\.[0-9])?")
QUICK, LATE = "2", "4"  # seconds that stand for within three and after three


@blueprint.get("/table/priority")
def priority() -> str:
    """The acts so far, what each player may still have done, and who gets the tile."""
    with store().reading() as view:
        game = running.running_in(view)
    if game is None:
        raise NotDone("incident.no_table", 409)
    timed = game.session.book.rulings["priority"].choice == "three_seconds"
    discarder = request.args.get("f_discarder") or ""
    players = len(game.players)
    chosen = int(discarder) if discarder in map(str, range(players)) else None
    acts = [tap for tap in request.args.getlist("f_acts")[:24] if _TAP.fullmatch(tap)]
    source = request.args.get("f_source") or "discard"
    filled = None
    if chosen is not None:
        fields = request.args.copy()
        fields.setlist("f_acts", acts or ["-"])
        filled = sheet(game, INCIDENTS["priority"], fields, g.texts.lang)
    base: dict[str, Any] = {"f_discarder": discarder, "f_source": source}
    return render_template(
        "games/priority.html",
        game=game,
        chosen=chosen,
        source=source,
        acts=[tap.split(".") for tap in acts],
        found=filled,
        rows=_rows(chosen, source, players, timed=timed),
        tap=lambda value: url_for("priority.priority", **base, f_acts=[*acts, value]),
        less=url_for("priority.priority", **base, f_acts=acts[:-1]),
    )


def _rows(discarder: int | None, source: str, players: int, *, timed: bool) -> list[tuple[int, list[tuple[str, str]]]]:
    """For each player the acts to tap: (act, seconds); the next player has more of them."""
    if discarder is None:
        return []
    rows = []
    for step in range(1, players):
        chair = (discarder + step) % players
        acts = ["say_win"] if source == "added_kong" else [*EACH, *(NEXT_ONLY if step == 1 else ())]
        taps = []
        for act in acts:
            seconds = (QUICK, LATE) if timed and act in ("say_pung", "say_kong") else ("",)
            taps += [(act, second) for second in seconds]
        rows.append((chair, taps))
    if source == "added_kong":
        rows.append((discarder, [("reach", ""), ("take_in", ""), ("say_self_draw", "")]))
    return rows
