"""The label API's work on whole sets: photos removed, imports, exports, pre-labelling, the queue and versions."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from flask import Blueprint, g, jsonify, request
from flask.typing import ResponseReturnValue
from msgspec import UNSET

from vision.labelling.assist.prelabel import to_prelabel
from vision.labelling.formats import WRITTEN
from vision.labelling.history.operations import Changes, log_operation
from vision.labelling.history.wastebasket import remove_photos
from vision.labelling.io import browse
from vision.labelling.io.importing import import_into
from vision.labelling.io.limits import UPLOADED_LIMITS
from vision.labelling.io.names import Names
from vision.labelling.io.planning.plan import foreign_names
from vision.labelling.versions import keep_version, versions
from webui.labelling import jobs, paths
from webui.labelling.views.blueprint import queue_of
from webui.labelling.views.outputs import packed
from webui.labelling.views.upkeep.queue_views import begin_prelabel, begin_ranking, take_ranking
from webui.views.api import tokens
from webui.views.api.label_requests import converted, photo_of, query_of, store_of
from webui.views.api.label_work_schemas import (
    ExportQuery,
    ImportForm,
    ImportReport,
    NewQueue,
    Queue,
    Removed,
    RemovedSet,
    Version,
    Versions,
    WorkBegun,
)
from webui.views.api.openapi import documented
from webui.views.api.schemas import Problem
from webui.web.errors import UserError
from webui.web.extensions import services
from webui.web.json_body import JsonObject, json_object
from webui.web.uploads import gone

blueprint = Blueprint("label_work", __name__)
blueprint.before_request(tokens.admit)
_COUNTS = ("photos_added", "photos_known", "labels_added", "waiting", "partial", "unread")


@blueprint.delete("/datasets/<name>")
@documented("remove_dataset", answers={200: RemovedSet, 404: Problem}, token=True)
def remove_dataset(name: str) -> ResponseReturnValue:
    """Put a data set aside; the page brings it back."""
    store_of(name)
    paths.remove_set(name)
    return jsonify(removed=name)


@blueprint.delete("/datasets/<name>/photos/<sha256>")
@documented("remove_photo", answers={200: Removed, 404: Problem}, token=True)
def remove_photo(name: str, sha256: str) -> ResponseReturnValue:
    """Move a photo into the wastebasket."""
    store = store_of(name)
    photo = photo_of(store, sha256).photo
    removed = remove_photos(store, [photo.id])
    log_operation(store, "remove_photos", photo.name, Changes(removed=removed))
    return jsonify(removed=photo.id)


@blueprint.post("/datasets/<name>/import")
@documented(
    "import",
    body=ImportForm,
    answers={200: ImportReport, **dict.fromkeys((400, 404, 413, 422, 503, 507), Problem)},
    token=True,
)
def import_zip(name: str) -> ResponseReturnValue:
    """Take photos and labels in from a zip."""
    store = store_of(name)
    upload = request.files.get("file")
    if upload is None:
        raise UserError("error.schema", 400, reason="$.file")
    keys = [key for key in ImportForm.__struct_fields__ if key != "file" and key in request.form]
    asked = converted({"file": b"", **{key: request.form[key] for key in keys}}, ImportForm)
    about = {key: request.form[key] for key in ("scene", "split", "source", "licence") if request.form.get(key)}
    with services().import_turn(gone()), tempfile.TemporaryDirectory(prefix="paitai-import-") as folder:
        place = Path(folder) / "in.zip"
        upload.save(place)
        foreign_names(place, UPLOADED_LIMITS)  # refuses too large an upload before anything is taken in
        report = import_into(
            store,
            place,
            names=Names(_table(asked.names) if asked.names is not UNSET else {}, store.names),
            about=about,
            replace=asked.replace == "yes",
            unlabelled=asked.unlabelled == "yes",
            called=Path(upload.filename or "import.zip").name[:80],
            limits=UPLOADED_LIMITS,
            gone=gone(),
        )
    lists = {key: report.to_json(g.texts.lang)[key] for key in ("unknown_names", "aside", "notes")}
    return jsonify({key: report.counts[key] for key in _COUNTS} | lists | {"operation": report.operation})


def _table(written: str) -> dict[str, str]:
    """The table of names in a form: a JSON object."""
    try:
        table = json.loads(written)
    except ValueError:
        table = None
    if not isinstance(table, dict) or not all(isinstance(code, str) for code in table.values()):
        raise UserError("error.schema", reason="$.names")
    return table


@blueprint.get("/datasets/<name>/export")
@documented(
    "export",
    query=ExportQuery,
    answers={200: None, **dict.fromkeys((404, 422), Problem)},
    files=("application/zip",),
    token=True,
)
def export_zip(name: str) -> ResponseReturnValue:
    """The set in a format, as a zip."""
    store = store_of(name)
    asked = query_of(ExportQuery)
    if asked.format not in WRITTEN:
        raise UserError("error.schema", reason=f"$.format: {', '.join(WRITTEN)}")
    split = "" if asked.split is UNSET else asked.split
    return packed(store, name, asked.format, asked.which, split=split, metadata=asked.metadata == "keep")


@blueprint.post("/datasets/<name>/prelabel")
@documented("prelabel", answers={200: WorkBegun, 202: WorkBegun, 404: Problem}, token=True)
def prelabel(name: str) -> ResponseReturnValue:
    """Let the model label the unlabelled photos, in a background job."""
    store = store_of(name)
    if not to_prelabel(list(store)):
        return jsonify(job=None)
    begin_prelabel(store, name)
    return jsonify(job=_work("prelabel", name)), 202


@blueprint.get("/datasets/<name>/prelabel")
@documented("prelabel_state", answers={200: WorkBegun, 404: Problem}, token=True)
def prelabel_state(name: str) -> ResponseReturnValue:
    """The last such job."""
    store_of(name)
    return jsonify(job=_work("prelabel", name))


@blueprint.post("/datasets/<name>/queue")
@documented(
    "new_queue",
    body=NewQueue,
    answers={200: WorkBegun, 202: WorkBegun, **dict.fromkeys((400, 404, 413, 422), Problem)},
    example={"rule": "uncertain"},
    token=True,
)
def new_queue(name: str) -> ResponseReturnValue:
    """Rank the unchecked photos, in a background job."""
    store = store_of(name)
    asked = converted(json_object(), NewQueue)
    if not browse.unfinished(store):
        return jsonify(job=None)
    begin_ranking(store, name, asked.rule)
    return jsonify(job=_work("queue", name)), 202


@blueprint.get("/datasets/<name>/queue")
@documented("queue", answers={200: Queue, 404: Problem}, token=True)
def queue(name: str) -> ResponseReturnValue:
    """The photos that wait for a person, in the order of the last ranking; without one by name."""
    store = store_of(name)
    take_ranking(store, name)
    waiting = browse.unfinished(store)
    ids = browse.ids(store, browse.Query(order="queue"), queue_of(store).get("places", {}))
    return jsonify(queue=[id_ for id_ in ids if id_ in waiting], job=_work("queue", name))


def _work(kind: str, name: str) -> JsonObject | None:
    """The newest job of a kind for a set."""
    job = next(iter(jobs.listed(kind, ("set", name))), None)
    if job is None:
        return None
    done, total = job.counted or (None, None)
    return {"id": job.id, "kind": job.kind, "state": job.state, "done": done, "total": total}


@blueprint.get("/datasets/<name>/versions")
@documented("versions", answers={200: Versions, 404: Problem}, token=True)
def list_versions(name: str) -> ResponseReturnValue:
    """The kept versions, the oldest first."""
    return jsonify(versions=[_version(path) for path in versions(store_of(name))])


@blueprint.post("/datasets/<name>/versions")
@documented("new_version", answers={200: Version, 201: Version, 404: Problem}, token=True)
def new_version(name: str) -> ResponseReturnValue:
    """Keep the present state as a version; the last one if nothing changed since."""
    path, fresh = keep_version(store_of(name))
    return jsonify(_version(path) | {"new": fresh}), 201 if fresh else 200


def _version(path: Path) -> JsonObject:
    number, _, digest = path.stem.partition("-")
    return {"version": number, "sha256": digest}
