"""The label API: data sets, their photos and labels, for programs with a token and for this computer."""

from __future__ import annotations

import math

from flask import Blueprint, g, jsonify, request, send_file, url_for
from flask.typing import ResponseReturnValue
from msgspec import UNSET

from vision.labelling.history.people import saves
from vision.labelling.io import browse
from vision.labelling.labels import Box, Label, LabelError, LabelledPhoto, PhotoInfo
from vision.labelling.messages import LabellingError, shown
from vision.labelling.store import Conflict, DatasetStore
from webui.i18n import Texts
from webui.labelling import paths
from webui.labelling.views.editing import LABEL_BYTES, change_sentence, keep
from webui.labelling.views.pages import make_set
from webui.labelling.views.people import me
from webui.views.api import tokens
from webui.views.api.label_requests import converted, photo_of, query_of, store_of
from webui.views.api.label_schemas import (
    Dataset,
    DatasetPhoto,
    DatasetPhotos,
    Datasets,
    LabelsConflict,
    NewDataset,
    NewLabels,
    PhotoForm,
    PhotoLabels,
    PhotosQuery,
    TileLabel,
)
from webui.views.api.openapi import documented
from webui.views.api.schemas import Problem
from webui.web.errors import UserError
from webui.web.extensions import services
from webui.web.json_body import JsonObject, json_object
from webui.web.uploads import gone, guarded, short_name, uploaded

blueprint = Blueprint("label_api", __name__)
blueprint.before_request(tokens.admit)
MEDIA_TYPES = {
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".heic": "image/heic",
    ".avif": "image/avif",
}
STATE_NAMES = {"unlabelled": "empty", "labelled": "unchecked", "checked": "checked"}
"""A photo's state as the lists of the workbench call it."""
CORNER_SLACK = 0.5
"""The largest difference in pixels between corners and the box sent with them; both were rounded."""
EXAMPLE_LABELS = {
    "revision": 0,
    "labels": [{"tile": "3p", "box": [10, 10, 40, 50], "checked": True}],
}


@blueprint.get("/datasets")
@documented("datasets", answers={200: Datasets}, token=True)
def list_datasets() -> ResponseReturnValue:
    """Every data set with its sums."""
    return jsonify(datasets=[_dataset(name) for name in paths.names()])


@blueprint.post("/datasets")
@documented(
    "new_dataset",
    body=NewDataset,
    answers={201: Dataset, **dict.fromkeys((400, 413, 422, 507), Problem)},
    example={"title": "kitchen table"},
    token=True,
)
def new_dataset() -> ResponseReturnValue:
    """An empty data set."""
    asked = converted(json_object(), NewDataset)
    if not asked.title.split():
        raise UserError("api.tokens.no_title")
    name = make_set(asked.title)
    return jsonify(_dataset(name)), 201, {"Location": url_for("label_api.list_photos", name=name)}


@blueprint.get("/datasets/<name>/photos")
@documented("photos", query=PhotosQuery, answers={200: DatasetPhotos, **dict.fromkeys((404, 422), Problem)}, token=True)
def list_photos(name: str) -> ResponseReturnValue:
    """A page of a set's photos, by name."""
    store = store_of(name)
    asked = query_of(PhotosQuery)
    split = None if asked.split is UNSET else "" if asked.split == "none" else asked.split
    state = "" if asked.state is UNSET else STATE_NAMES[asked.state]
    ids = browse.ids(store, browse.Query(split=split, state=state))
    rows = browse.infos(store, ids[asked.offset : asked.offset + asked.limit])
    photos = [_photo_json(info) for info in rows]
    return jsonify({"photos": photos, "count": len(ids), "offset": asked.offset, "limit": asked.limit})


@blueprint.post("/datasets/<name>/photos")
@documented(
    "add_photo",
    body=PhotoForm,
    answers={**dict.fromkeys((200, 201), DatasetPhoto), **dict.fromkeys((400, 404, 413, 422, 503, 507), Problem)},
    token=True,
)
def add_photo(name: str) -> ResponseReturnValue:
    """Take a photo in; one that is there already stays as it is."""
    store = store_of(name)
    texts: Texts = g.texts
    upload = next(iter(uploaded(request)), None)
    if upload is None:
        raise UserError("error.empty_upload" if "photo" in request.files else "error.no_photo", 400)
    keys = [key for key in PhotoForm.__struct_fields__ if key != "photo" and key in request.form]
    about = {key: request.form[key] for key in keys}
    converted({"photo": b"", **about}, PhotoForm)

    def taken() -> tuple[PhotoInfo, bool]:
        with services().import_turn(gone()):
            return store.add(upload.stream.read(), short_name(upload), **about)

    info, fresh = guarded(taken, texts)
    return jsonify(_photo_json(info) | {"new": fresh}), 201 if fresh else 200


@blueprint.get("/datasets/<name>/photos/<sha256>/file")
@documented("photo_file", answers={200: None, 404: Problem}, files=tuple(MEDIA_TYPES.values()), token=True)
def photo_file(name: str, sha256: str) -> ResponseReturnValue:
    """The photo as it came."""
    store = store_of(name)
    path = store.photo_file(photo_of(store, sha256).photo)
    if not path.is_file():
        raise UserError("api.tokens.no_photo", 404)
    return send_file(path, mimetype=MEDIA_TYPES[path.suffix], conditional=False)


@blueprint.get("/datasets/<name>/photos/<sha256>/labels")
@documented("labels", answers={200: PhotoLabels, 404: Problem}, token=True)
def labels(name: str, sha256: str) -> ResponseReturnValue:
    """A photo's labels and the revision that they are."""
    store = store_of(name)
    return jsonify(_labels_json(store, photo_of(store, sha256)))


@blueprint.put("/datasets/<name>/photos/<sha256>/labels")
@documented(
    "put_labels",
    body=NewLabels,
    answers={200: PhotoLabels, 409: LabelsConflict, **dict.fromkeys((400, 404, 413, 422, 507), Problem)},
    example=EXAMPLE_LABELS,
    token=True,
)
def put_labels(name: str, sha256: str) -> ResponseReturnValue:
    """Replace a photo's labels, made on a revision: 409 with the present ones if they were saved since."""
    store = store_of(name)
    current = photo_of(store, sha256)
    asked = converted(json_object(LABEL_BYTES), NewLabels)
    try:
        wanted = [_label(label) for label in asked.labels]
    except LabelError as error:
        raise UserError("api.tokens.bad_label", reason=error.message(g.texts.lang)) from None
    try:
        saved = keep(store, name, sha256, wanted, asked.revision, who=tokens.who() or me(), empty=asked.empty)
    except Conflict as conflict:
        sentence = conflict.message(g.texts.lang)
        changes = [change_sentence(change) for change in conflict.changes]
        present = _labels_json(store, conflict.current)
        return jsonify(error=sentence, problems=[sentence], changes=changes, current=present), 409
    except LabellingError as error:
        if error.key == "no_revision":  # of the future
            raise UserError("api.tokens.no_revision", revision=asked.revision, now=current.photo.revision) from None
        raise
    return jsonify(_labels_json(store, saved))


def _dataset(name: str) -> JsonObject:
    sums: JsonObject = dict.fromkeys(("photos", "done", "boxes", "unchecked"), 0)
    try:
        store = paths.open_set(name)
        totals = browse.totals(store)
    except LabellingError as error:
        return {"name": name, "title": name, **sums, "error": error.message(g.texts.lang)}
    sums = {key: getattr(totals, key) for key in sums}
    return {"name": name, "title": store.about().get("title", name), **sums}


def _photo_json(info: PhotoInfo) -> JsonObject:
    state = "checked" if info.empty or (info.boxes and not info.unchecked) else "labelled"
    about = {key: getattr(info, key) for key in ("name", "split", "scene", "source", "licence", "consent")}
    sums = {key: getattr(info, key) for key in ("revision", "boxes", "unchecked")}
    state = state if info.boxes or info.empty else "unlabelled"
    return {"sha256": info.id, "size": list(info.size), "state": state, **about, **sums}


def _labels_json(store: DatasetStore, photo: LabelledPhoto) -> JsonObject:
    info = photo.photo
    last = next((save for save in saves(store, info.id).get(info.id, []) if save.revision == info.revision), None)
    return {
        "sha256": info.id,
        "revision": info.revision,
        "labels": [_label_json(label) for label in photo.labels],
        "empty": info.empty,
        "who": last.who or None if last else None,
        "at": last.at if last else None,
    }


def _label_json(label: Label) -> JsonObject:
    """The label as JSON; turned boxes also have angle and corners."""
    box = label.box
    values = label.to_json() | {"box": [box.x1, box.y1, box.x2, box.y2]}
    turned = {"angle": box.angle, "corners": [[round(x, 2), round(y, 2)] for x, y in box.corners]}
    return values | (turned if box.angle else {})


def _label(sent: TileLabel) -> Label:
    """A label as it was sent, its box by its sides and angle, or by its corners. Raises LabelError."""
    box = None if sent.box is UNSET else Box(*sent.box, 0.0 if sent.angle is UNSET else sent.angle)
    if sent.corners is not UNSET:
        drawn, exact = Box.from_corners(sent.corners)
        if not exact:
            raise LabelError("corners_skewed", corners=shown(sent.corners))
        if box and _apart(box, drawn) > CORNER_SLACK:
            raise LabelError("corners_differ", box=shown(sent.box), corners=shown(sent.corners))
        box = box or drawn
    if box is None:
        raise LabelError("fields_missing", fields="box, corners")
    return Label(sent.tile, box, sent.origin, sent.confidence, sent.checked, sent.id)


def _apart(box: Box, other: Box) -> float:
    """How far the corners of two boxes lie apart at most, in pixels."""
    return max(math.dist(*pair) for pair in zip(box.corners, other.corners, strict=True))
