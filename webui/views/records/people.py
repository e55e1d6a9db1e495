"""玩家: the standings of a month or a season, and the page of a player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webui.people.figures import FEW_HANDS, Figures, Night, same_people, standings
from webui.people.nights import nights_of, periods, within
from webui.store.store import View, clean
from webui.web.errors import NotDone
from webui.web.extensions import store

blueprint = Blueprint("people", __name__)


@dataclass(frozen=True, slots=True)
class Season:
    """What both pages rest on. `same`: other spellings; `unread`: evenings that this version cannot read."""

    period: str
    periods: tuple[str, ...]
    nights: tuple[Night, ...]
    figures: tuple[Figures, ...]
    same: dict[str, str]
    unread: int


def _season(view: View) -> Season:
    nights, unread = nights_of(view, store().book_file)
    same = same_people([entry.content for entry in reversed(view.of_kind("person"))])
    there = periods(nights)
    period = clean(request.args.get("period"), 10)
    if period and period not in there:
        abort(404)
    chosen = within(nights, period)
    return Season(period, there, chosen, standings(chosen, same), same, unread)


@blueprint.get("/people")
def people() -> str:
    """The table of standings of a month, a season, a year or all evenings."""
    with store().reading() as view:
        season = _season(view)
    return render_template("people/standings.html", season=season)


@blueprint.get("/people/player")
def player() -> str:
    """One player: evenings, rates, the best hand, against whom."""
    asked = clean(request.args.get("name"))
    with store().reading() as view:
        season = _season(view)
        name = season.same.get(asked, asked)
        figures = next((person for person in season.figures if person.name == name), None)
        known = any(name in night.totals for night in nights_of(view, store().book_file)[0])
        if figures is None and not known:
            abort(404)
        figures = figures or Figures(name)
        ids = figures.best.hand.records if figures.best else ()
        records = [entry for id_ in ids if (entry := view.entry(id_, "record")) and entry.fault is None]
    pictured = {entry.id for entry in records if any(photo["sha256"] for photo in entry.content["photos"][:1])}
    return render_template(
        "people/player.html",
        season=season,
        one=figures,
        few=FEW_HANDS,
        pictured=pictured,
        others=[other.name for other in season.figures if other.name != name],
        spellings=[spelling for spelling, meant in season.same.items() if meant == name],
    )


@blueprint.get("/people/hands")
def hands() -> ResponseReturnValue:
    """The former address of the list of all hands, which is part of 戰績 now."""
    asked: dict[str, Any] = {
        key: request.args[key] for key in ("player", "tai", "book", "page") if request.args.get(key)
    }
    return redirect(url_for("records.records", **asked), 301)


@blueprint.post("/people/same")
def same() -> ResponseReturnValue:
    """Two spellings are one person; without ``is`` the spelling is a separate person again."""
    name, meant = clean(request.form.get("name")), clean(request.form.get("is"))
    with store().writing() as writer:
        known = {name for night in nights_of(writer, store().book_file)[0] for name in night.totals}
        if name not in known or (meant and (meant not in known or meant == name)):
            raise NotDone("people.unknown", 422)
        writer.append("person", {"name": name, "is": meant or None})
    return redirect(url_for("people.player", name=meant or name), 303)
