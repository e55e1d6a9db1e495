"""Photos from the table: settled hands come into a set with their corrections, with the people beside it blurred."""

from __future__ import annotations

import io
from typing import Any

from flask import abort, redirect, request, url_for
from PIL import Image

from vision.labelling.labels import Box, Label, LabelError
from vision.labelling.messages import LabellingError
from vision.labelling.quality.blur import blur, blurred_jpeg
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.photo.image import PhotoError
from webui import times
from webui.labelling import paths, thumbnails
from webui.labelling.views.blueprint import Views
from webui.labelling.views.pages import show_list
from webui.store.chain import Entry
from webui.web.errors import Refused
from webui.web.extensions import store as records_store
from webui.web.forms import whole

views = Views()


@views.post("/<name>/records")
def take_records(name: str) -> Any:
    """Settled hands with their corrections, where the setting allows it."""
    if not paths.load_settings().records:
        raise Refused(403, "label.records_off")
    store = paths.open_set(name)
    hide = request.form.get("blur") == "on"
    report = Report()
    known = {info.source for info in store.photos()}
    with records_store().reading() as view:
        entries = view.of_kind("record")
        void = {value for value, _ in view.marked("void", *(entry.id for entry in entries))}
    for entry in entries:
        if entry.id not in void:
            for number, photo in enumerate(entry.content["photos"]):
                source = f"record {entry.id} photo {number + 1}"
                if photo["sha256"] and source not in known:
                    _take(store, entry, number, source, hide, report)
    return show_list(store, name, report)


def _take(store: DatasetStore, entry: Entry, number: int, source: str, hide: bool, report: Report) -> None:
    """One photo of a record. What a person changed or confirmed at the table is checked; the rest waits for a look."""
    photo = entry.content["photos"][number]
    place = f"{times.shown(entry.at)} ({number + 1})"
    data = records_store().photos.get(photo["sha256"])
    if data is None:
        report.set_aside(place, "photo_not_found", file=photo["name"], count=0)
        return
    try:
        with Image.open(io.BytesIO(data)) as opened:
            width, height = opened.size
        labels = _labels(entry, number, width / photo["size"][0], height / photo["size"][1])
        if hide:
            data = blurred_jpeg(data, labels)
        info, fresh = store.add(
            data,
            f"table-{entry.at[:10]}-{entry.id[:8]}-{number + 1}.jpg",
            source=source,
            scene=f"table {entry.at[:10]}",
        )
        if fresh:
            store.save(info.id, labels, info.revision)
        report.counts["photos_added" if fresh else "photos_known"] += 1
        report.counts["labels_added"] += len(labels) if fresh else 0
    except (PhotoError, LabellingError) as error:
        report.refuse(place, error)
    except (OSError, ZeroDivisionError) as error:
        report.set_aside(place, "unreadable", reason=str(error)[:120])


def _labels(entry: Entry, number: int, sx: float, sy: float) -> list[Label]:
    """The tiles of a record that lie in one of its photos, in the pixels of the kept photo."""
    found = []
    for tile in entry.content["tiles"]:
        if tile["box"] is None or tile["shot"] != number:
            continue
        x1, y1, x2, y2 = tile["box"]
        touched = tile["settled"] or tile["was"] != tile["tile"] or tile["confidence"] is None
        try:
            box = Box(x1 * sx, y1 * sy, x2 * sx, y2 * sy)
            found.append(
                Label(tile["tile"], box, "person", None, True)
                if touched
                else Label(tile["tile"], box, "model", min(1.0, float(tile["confidence"])))
            )
        except LabelError:
            continue
    return found


@views.post("/<name>/<id_>/blur")
def blur_photo(name: str, id_: str) -> Any:
    """Blur a photo away from its tiles; the sharp one is gone from the set."""
    store = paths.open_set(name)
    revision = whole(request.form.get("revision"), 2**31)
    if revision is None:
        abort(400)
    fresh = blur(store, id_, revision).photo
    thumbnails.forget(store, id_)
    return redirect(url_for("label.photo", name=name, id_=fresh.id), 303)
