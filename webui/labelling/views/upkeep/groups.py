"""相像的牌: crops that look alike and were never confirmed, in groups; a group is named once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from flask import render_template, request, url_for

from vision.labelling.assist.alike import alike_groups, impressions
from vision.labelling.assist.renew import waiting
from vision.labelling.labels import Label, LabelledPhoto
from vision.labelling.store import DatasetStore
from vision.messages import MessageError
from vision.pixels import sight
from vision.tileset.values import CROP
from webui.labelling import paths
from webui.labelling.views.blueprint import Views
from webui.labelling.views.memory import renewals
from webui.labelling.views.upkeep.sheets import at_text
from webui.web.extensions import services as the_services
from webui.web.json_body import JsonObject
from webui.web.templates import tile_name, tile_picture

views = Views()
MOST_BOXES = 240
"""Boxes that are grouped at once: a few seconds of work."""


@dataclass(frozen=True)
class Group:
    """Crops that look alike: the ``tile`` that the model calls most of them, and a row for each crop."""

    tile: str
    crops: list[JsonObject]


@views.get("/<name>/groups")
def groups(name: str) -> str:
    """The unconfirmed boxes of a ``scene`` (without one: of the first that has some), grouped by their looks."""
    store = paths.open_set(name)
    with store.transaction() as connection:
        rows = connection.execute("SELECT DISTINCT scene FROM photos WHERE unchecked > 0 ORDER BY 1").fetchall()
    scenes = [str(row[0]) for row in rows]
    scene = request.args.get("scene", scenes[0] if scenes else "")
    boxes = _boxes(store, scene)
    return render_template(
        "label/groups.html",
        name=name,
        title=store.about().get("title", name),
        scene=scene,
        scenes=scenes,
        groups=[_group(name, [boxes[place] for place in places]) for places in _places(store, boxes)],
        count=len(boxes),
        most=MOST_BOXES,
        tiles=[{"code": code, "name": tile_name(code), "picture": tile_picture(code)} for code in store.names.codes],
    )


def _boxes(store: DatasetStore, scene: str) -> list[tuple[LabelledPhoto, Label]]:
    """The first unconfirmed boxes of a scene, photo by photo."""
    boxes: list[tuple[LabelledPhoto, Label]] = []
    for info in store.photos(scene=scene):
        if len(boxes) >= MOST_BOXES:
            break
        if info.unchecked:
            photo = store.get(info.id)
            boxes += [(photo, label) for label in waiting(photo.labels)]
    return boxes


def _places(store: DatasetStore, boxes: list[tuple[LabelledPhoto, Label]]) -> list[list[int]]:
    """The places of boxes that look alike. Without a model that can compare tiles: of the same name."""
    classifier: Any = getattr(the_services().reader(), "classifier", None)
    photos = {photo.photo.id: photo for photo, _ in boxes}
    if boxes and hasattr(classifier, "describe"):
        try:
            crops = [crop for photo in photos.values() for crop in renewals().crops(store, photo)]
            return alike_groups(impressions(classifier, sight.stacked(crops, CROP)))
        except (MessageError, OSError):
            pass  # a damaged photo: names tell as well
    names: dict[str, list[int]] = {}
    for place, (_, label) in enumerate(boxes):
        names.setdefault(label.tile, []).append(place)
    return sorted(names.values(), key=len, reverse=True)


def _group(name: str, members: list[tuple[LabelledPhoto, Label]]) -> Group:
    tile = Counter(label.tile for _, label in members).most_common(1)[0][0]
    rows: list[JsonObject] = [
        {
            "pick": [photo.photo.id, label.id],
            "open": url_for("label.photo", name=name, id_=photo.photo.id),
            "name": f"{photo.photo.name} · {tile_name(label.tile)}",
            "percent": None if label.confidence is None else round(100 * label.confidence),
            "picture": url_for("label.cut", name=name, id_=photo.photo.id, at=at_text(list(label.box.outline))),
        }
        for photo, label in members
    ]
    return Group(tile, rows)
