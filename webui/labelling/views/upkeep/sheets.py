"""Contact sheet: every crop that bears one name on a page, the largest doubt first, to rename the wrong ones."""

from __future__ import annotations

import json
import math

from flask import abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from vision.labelling.history.operations import rename_boxes
from vision.labelling.store import DatasetStore
from webui.labelling import paths
from webui.labelling.views.blueprint import Views, number_asked
from webui.labelling.views.memory import remember, renewals
from webui.web.json_body import JsonObject, json_object
from webui.web.templates import tile_name, tile_picture

views = Views()
PAGE_CROPS = 120
"""Crops of a page."""
MOST_CROPS = 2000
MOST_TAUGHT = 24
"""Photos of a renaming from which their scene's memory learns."""


@views.get("/<name>/sheet")
def sheet(name: str) -> str:
    """The crops called ``tile``; without one, how many there are of each."""
    store = paths.open_set(name)
    tile = request.args.get("tile", "")
    codes = store.names.codes
    if tile and tile not in codes:
        abort(404)
    counts = _counts(store)
    count = counts.get(tile, 0)
    pages = max(1, math.ceil(count / PAGE_CROPS))
    page = number_asked(request.args, "page", 1, pages, 1)
    rows = [
        {
            "pick": [id_, label["id"]],
            "open": url_for("label.photo", name=name, id_=id_),
            "label": label["id"],
            "checked": label["checked"],
            "percent": None if label["confidence"] is None else round(100 * label["confidence"]),
            "name": photo,
            "picture": url_for("label.cut", name=name, id_=id_, at=at_text(label["box"])),
        }
        for id_, photo, label in (_crops(store, tile, page) if count else ())
    ]
    return render_template(
        "label/sheet.html",
        name=name,
        title=store.about().get("title", name),
        tile=tile,
        rows=rows,
        count=count,
        page=page,
        pages=pages,
        tiles=[
            {"code": code, "name": tile_name(code), "picture": tile_picture(code), "count": counts.get(code, 0)}
            for code in codes
        ],
    )


def at_text(box: list[float]) -> str:
    """A box as the address of its picture has it."""
    return ",".join(f"{value:g}" for value in box[:4])


def _counts(store: DatasetStore) -> dict[str, int]:
    """How many labels bear each name."""
    query = "SELECT json_extract(one.value, '$.tile'), count(*) FROM photos, json_each(photos.labels) AS one GROUP BY 1"
    with store.transaction() as connection:
        return dict(connection.execute(query).fetchall())


def _crops(store: DatasetStore, tile: str, page: int) -> list[tuple[str, str, JsonObject]]:
    """A page of the labels of that name with their photos (id, name): unchecked ones first, the least sure in front."""
    query = (
        "SELECT photos.id, photos.name, one.value FROM photos, json_each(photos.labels) AS one "
        "WHERE json_extract(one.value, '$.tile') = ? ORDER BY json_extract(one.value, '$.checked'), "
        "coalesce(json_extract(one.value, '$.confidence'), 1.0), photos.id LIMIT ? OFFSET ?"
    )
    with store.transaction() as connection:
        rows = connection.execute(query, (tile, PAGE_CROPS, (page - 1) * PAGE_CROPS)).fetchall()
    return [(str(id_), str(photo), json.loads(text)) for id_, photo, text in rows]


@views.post("/<name>/sheet")
def rename(name: str) -> ResponseReturnValue:
    """Give the chosen crops another name (``tile``; empty takes the boxes away), as one operation."""
    store = paths.open_set(name)
    sent = json_object()
    chosen, tile = sent.get("chosen"), sent.get("tile")
    if not isinstance(chosen, list) or len(chosen) > MOST_CROPS or not isinstance(tile, str):
        abort(400)
    if tile and tile not in store.names.codes:
        abort(400)
    wanted: dict[str, dict[str, str]] = {}
    for crop in chosen:
        if not (isinstance(crop, list) and len(crop) == 2 and all(isinstance(value, str) for value in crop)):
            abort(400)
        wanted.setdefault(crop[0], {})[crop[1]] = tile
    number, count = rename_boxes(store, wanted)
    taught = [store.get(id_) for id_ in list(wanted)[:MOST_TAUGHT]]
    for scene in {photo.photo.scene for photo in taught if remember(store, photo)}:
        renewals().soon(store, scene, "")
    return {"operation": number, "count": count}
