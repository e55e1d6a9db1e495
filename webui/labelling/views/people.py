"""More than one person: a name on this browser, photos handed out, a second look, and how far two people agree."""

from __future__ import annotations

from typing import Any

from flask import abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from vision.labelling.history.people import agreements, hand_out, handed, saves
from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from webui import times
from webui.labelling import paths
from webui.labelling.views.blueprint import Views, asked, ordered
from webui.web.json_body import JsonObject

views = Views()
PERSON = "label_person"
SHOWN_DIFFERENCES = 60
"""Differences of two people that the page shows."""


def me() -> str:
    """The name of the person at this browser; empty if one person labels alone, or none was given."""
    return str(session.get(PERSON, "")) if paths.load_settings().people else ""


def _needs_people() -> None:
    if not paths.load_settings().people:
        abort(404)


@views.post("/me")
def say_name() -> ResponseReturnValue:
    """Set the name on this browser; it stays until the next one."""
    _needs_people()
    session[PERSON] = " ".join((request.form.get("who") or "").split())[:40]
    session.permanent = True
    back = request.form.get("set", "")
    return redirect(url_for("label.photos", name=back) if back in paths.names() else url_for("label.home"), 303)


@views.post("/<name>/hand-out")
def hand_out_photos(name: str) -> ResponseReturnValue:
    """Every photo of the list is for one person (``who``; empty: free again)."""
    _needs_people()
    store = paths.open_set(name)
    query, filters = asked(request.args)
    hand_out(store, ordered(store, query, person=me()), " ".join((request.form.get("who") or "").split())[:40])
    return redirect(url_for("label.photos", name=name, **filters), 303)


@views.get("/<name>/people")
def people(name: str) -> str:
    """Everybody's changes, and the boxes on which two people disagree."""
    _needs_people()
    store = paths.open_set(name)
    rows: dict[str, JsonObject] = {}
    for photo, entries in saves(store).items():
        for saving in entries:
            row = rows.setdefault(saving.who, {"photos": set(), "saves": 0, "last": ""})
            row["photos"].add(photo)
            row["saves"] += 1
            row["last"] = max(row["last"], saving.at)
    for who in handed(store).values():
        row = rows.setdefault(who, {"photos": set(), "saves": 0, "last": ""})
        row["handed"] = row.get("handed", 0) + 1
    pairs = [
        {
            "said": saving,
            "percent": round(100 * saving.share, 1),
            "low": round(100 * saving.interval[0], 1),
            "high": round(100 * saving.interval[1], 1),
            "rows": [_shown(store, name, difference) for difference in saving.differences[:SHOWN_DIFFERENCES]],
        }
        for saving in agreements(store)
    ]
    return render_template(
        "label/people.html",
        name=name,
        title=store.about().get("title", name),
        people=[
            row | {"who": who, "photos": len(row["photos"]), "last": times.shown(row["last"]) if row["last"] else ""}
            for who, row in sorted(rows.items())
            if who
        ],
        pairs=pairs,
        shown=SHOWN_DIFFERENCES,
    )


def _shown(store: DatasetStore, name: str, difference: Any) -> JsonObject:
    at = ",".join(f"{value:g}" for value in difference.box)
    try:
        photo = store.get(difference.photo).photo.name
    except LabellingError:
        photo = difference.photo[:12]
    return {
        "first": difference.first,
        "second": difference.second,
        "name": photo,
        "picture": url_for("label.cut", name=name, id_=difference.photo, at=at),
        "to": url_for("label.photo", name=name, id_=difference.photo, _anchor=f"at={at}"),
    }
