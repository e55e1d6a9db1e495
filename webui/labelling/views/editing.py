"""標記一張照片: the page with the canvas, and what its script sends: labels with the revision they were made on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from flask import current_app, g, render_template, request, url_for

from scoring.tiles import name as tile_words
from vision.labelling.changes import Change
from vision.labelling.io import browse
from vision.labelling.io.names import known_name
from vision.labelling.labels import SPLITS, Label, LabelError, LabelledPhoto
from vision.labelling.quality.examine import box_of
from vision.labelling.store import Conflict, DatasetStore
from vision.models.manifest import CLASSES
from vision.photo.image import PhotoError
from webui.labelling import paths
from webui.labelling.views.pages import asked, blueprint, ordered
from webui.web.services import Busy, NoModel, Services
from webui.web.templates import tile_name, tile_picture

DOUBT = 80
"""Percent: tiles that the model is less sure of are walked through one by one."""
MOST_LABELS = 1000
SAYINGS = (
    "saved",
    "saving",
    "kept",
    "elsewhere",
    "newer",
    "doubtful_left",
    "none_left",
    "no_tile",
    "last",
    "first",
    "fetching",
    "failed",
    "read_none",
    "unsure",
    "checked",
    "unchecked",
    "sent_later",
    "arrows_choose",
    "arrows_move",
    "arrows_size",
    "undone",
    "redone",
    "drawing",
    "empty_ok",
    "none_doubtful",
    "all_checked",
    "last_done",
)


@blueprint.get("/<name>/<id_>")
def photo(name: str, id_: str) -> Any:
    """The canvas with one photo."""
    store = paths.open_set(name)
    state = _state(store, name, store.get(id_))
    texts = g.texts
    tiles = [{"code": code, "name": tile_name(code), "picture": tile_picture(code)} for code in CLASSES]
    return render_template(
        "label/photo.html",
        name=name,
        title=store.about().get("title", name),
        state=state,
        tiles=tiles,
        doubt=DOUBT,
        known=_known_names(),
        says={key: texts(f"label.say.{key}") for key in SAYINGS},
        splits=SPLITS,
        scenes=browse.scenes(store),
        filters=asked(request.args)[1],
    )


def _known_names() -> dict[str, str]:
    """What a person may type for a tile, beside its code: 中文, English."""
    found: dict[str, str] = {}
    for code in CLASSES:
        for lang in ("zh", "en"):
            if code != "back":
                found[tile_words(code, lang).lower()] = code
    one_sign = {sign: known for sign in "東南西北白發中春夏秋冬梅蘭竹菊" if (known := known_name(sign))}
    return found | one_sign | {"背": "back", "蓋": "back", "back": "back"}


def _state(store: DatasetStore, name: str, photo: LabelledPhoto) -> dict[str, Any]:
    """What the script needs to know of a photo; the neighbours are those of the list that it was opened from."""
    info = photo.photo
    query, kept = asked(request.args)
    found = ordered(store, query, keep=info.id)
    at = found.index(info.id)

    def address(place: int) -> str | None:
        return url_for("label.photo", name=name, id_=found[place], **kept) if 0 <= place < len(found) else None

    return {
        "set": name,
        "id": info.id,
        "name": info.name,
        "size": list(info.size),
        "revision": info.revision,
        "labels": [label.to_json() for label in photo.labels],
        "scene": info.scene,
        "split": info.split or "",
        "hidden_backs": info.hidden_backs,
        "place": at + 1,
        "count": len(found),
        "picture": url_for("label.large", name=name, id_=info.id),
        "save": url_for("label.save", name=name, id_=info.id),
        "read": url_for("label.read", name=name, id_=info.id),
        "next": address(at + 1),
        "previous": address(at - 1),
        "next_picture": url_for("label.large", name=name, id_=found[at + 1]) if at + 1 < len(found) else None,
    }


@blueprint.get("/<name>/<id_>/state")
def state(name: str, id_: str) -> Any:
    """The same for the script, when it turns to another photo or looks for what others saved."""
    store = paths.open_set(name)
    return _state(store, name, store.get(id_))


@blueprint.post("/<name>/<id_>/labels")
def save(name: str, id_: str) -> Any:
    """Keep the labels that were made on a revision: 409 with what changed where somebody saved since."""
    store = paths.open_set(name)
    sent = request.get_json(silent=True)
    try:
        labels, revision = _sent(sent)
    except LabelError as error:
        return {"error": g.texts("label.bad_label", reason=str(error))}, 400
    try:
        kept = store.save(id_, labels, revision)
    except Conflict as conflict:
        if _same(labels, conflict.current.labels):  # the same save came twice
            return {"revision": conflict.current.photo.revision}
        return {
            "error": conflict.message(g.texts.lang),
            "revision": conflict.current.photo.revision,
            "labels": [label.to_json() for label in conflict.current.labels],
            "changes": [_sentence(change) for change in conflict.changes],
        }, 409
    return {"revision": kept.photo.revision}


def _sent(sent: Any) -> tuple[list[Label], int]:
    """Labels and revision of a save. Raises LabelError."""
    if not isinstance(sent, dict) or not isinstance(sent.get("labels"), list) or len(sent["labels"]) > MOST_LABELS:
        raise LabelError("labels")
    revision = sent.get("revision")
    if type(revision) is not int or revision < 0:
        raise LabelError("revision")
    return [Label.from_json(one) for one in sent["labels"]], revision


def _same(one: Sequence[Label], other: Sequence[Label]) -> bool:
    return [label.to_json() for label in one] == [label.to_json() for label in other]


def _sentence(change: Change) -> str:
    """What happened to one box, for people."""
    before, after = change.before, change.after
    return str(
        g.texts(
            f"label.change.{change.kind}",
            was=tile_name(before.tile) if before else "",
            tile=tile_name(after.tile) if after else "",
        )
    )


@blueprint.post("/<name>/<id_>/read")
def read(name: str, id_: str) -> Any:
    """What the model sees: on the whole photo, or in the one box that was sent. Nothing is saved by it."""
    store = paths.open_set(name)
    found = store.get(id_).photo
    services: Services = current_app.extensions["paitai"]
    sent = request.get_json(silent=True) or {}
    try:
        if "box" in sent:
            return {"names": _names_in(services, store, id_, sent["box"])}
        _, reading = services.read(store.photo_file(found).read_bytes())
    except Busy:
        return {"error": g.texts("label.say.waiting")}, 503
    except NoModel as error:
        return {"error": str(error)}, 503
    except (PhotoError, OSError) as error:
        said = error.message(g.texts.lang) if isinstance(error, PhotoError) else str(error)
        return {"error": said}, 422
    labels = []
    for detection in reading.detections:
        box = box_of(detection, found.size)
        if box:
            confidence = min(1.0, detection.confidence * detection.score)
            labels.append(Label(detection.tile, box, "model", confidence).to_json())
    return {"labels": labels}


def _names_in(services: Services, store: DatasetStore, id_: str, box: Any) -> list[tuple[str, float]]:
    """The likeliest tiles in a box, taken that it is one."""
    import numpy as np

    if not (isinstance(box, list) and len(box) >= 4 and all(isinstance(value, int | float) for value in box)):
        return []
    recognizer = getattr(services.reader(), "recognizer", None)
    if (
        recognizer is None
        or not all(math.isfinite(value) for value in box)
        or min(box[2] - box[0], box[3] - box[1]) < 4
    ):
        return []
    photo = store.load(store.get(id_).photo)
    sx, sy = photo.scale
    shares = recognizer.read(photo.pixels, np.array([box[:4]], dtype=np.float64) / (sx, sy, sx, sy))[0][: len(CLASSES)]
    shares = shares / max(float(shares.sum()), 1e-9)
    best = np.argsort(-shares, kind="stable")[:4]
    return [(CLASSES[place], round(float(shares[place]), 4)) for place in best]


@blueprint.post("/<name>/<id_>/about")
def about(name: str, id_: str) -> Any:
    """Scene, split, and whether face-down tiles lie in it without labels."""
    store = paths.open_set(name)
    form = request.form
    split = form.get("split") or None
    store.change(
        id_,
        scene=form.get("scene", ""),
        split=split if split in SPLITS else None,
        hidden_backs=form.get("hidden_backs") == "on",
    )
    return {"saved": True}
