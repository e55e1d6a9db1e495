"""循環: settled hands come into a set with their corrections, people beside the table are blurred, the model labels
what nobody has labelled, and the queue says what is worth labelling next."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import abort, g, redirect, request, url_for
from PIL import Image

from vision.labelling.labels import Box, Label, LabelError
from vision.labelling.messages import LabellingError
from vision.labelling.quality.blur import blur, blurred_jpeg
from vision.labelling.quality.queue import RULES
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.models.manifest import find_models
from vision.models.registry import ModelShelf, Shelved
from vision.photo.image import PhotoError
from webui import times
from webui.house_rules.registry import store as records_store
from webui.labelling import jobs, paths, thumbnails
from webui.labelling.views.pages import blueprint, show_list
from webui.store.chain import Entry
from webui.web.security import Refused


def shelf() -> ModelShelf:
    """The models of this data folder."""
    return ModelShelf(paths.data_folder() / "models", jobs.jobs_folder())


def models_option() -> list[str]:
    """``--models`` for the model in use, where it is not the shipped one."""
    current = shelf().current()
    return ["--models", str(current)] if current else []


@blueprint.post("/<name>/prelabel")
def prelabel(name: str) -> Any:
    """The model labels every photo that nobody has labelled, beside the page."""
    store = paths.open_set(name)
    command = ["dataset", "prelabel", str(store.folder), *models_option(), "--lang", g.texts.lang]
    begin_one("prelabel", name, lambda _: [{"run": command, "fine": [0, 1]}])
    return redirect(url_for("label.photos", name=name), 303)


@blueprint.post("/<name>/rank")
def rank(name: str) -> Any:
    """The queue is made anew, beside the page; `rule` says by what, `against` names a second model to compare with."""
    store = paths.open_set(name)
    rule = request.form.get("rule", RULES[0])
    if rule not in RULES:
        abort(400)
    options = models_option()
    if key := request.form.get("against", ""):
        if key not in {one.key for one in second_models()}:
            raise LabellingError("no_model", name=key[:80])
        options += ["--against", str(find_models(shelf().resolve(key)).folder)]
    begin_one(
        "queue",
        name,
        lambda _: [
            {
                "run": [
                    "dataset",
                    "queue",
                    str(store.folder),
                    "--by",
                    rule,
                    "--count",
                    "1000000",
                    "--json",
                    "--lang",
                    lang,
                    *options,
                ]
            }
            for lang in ("zh", "en")
        ],
    )
    return redirect(url_for("label.photos", name=name), 303)


def second_models() -> list[Shelved]:
    """The models that can be used and are not in use: what the one in use may be held against."""
    return [one for one in shelf().listed(g.texts.lang) if not one.current and not one.error]


def begin_one(kind: str, name: str, commands: Callable[[Path], list[dict[str, Any]]]) -> None:
    """One at a time of each kind for each set; ``commands`` are given the job's folder."""
    if any(job.state == "running" for job in jobs.listed(kind, ("set", name))):
        return
    id_, folder = jobs.new_folder(kind)
    jobs.begin(id_, kind, commands(folder), {"set": name})


def take_ranking(store: DatasetStore, name: str) -> None:
    """The newest ranking that has ended becomes the set's, once."""
    newest = next((job for job in jobs.listed("queue", ("set", name)) if job.state == "done"), None)
    if newest is None or paths.read_json(store.folder / "queue.json").get("job") == newest.id:
        return
    places: dict[str, int] = {}
    why: dict[str, dict[str, str]] = {"zh": {}, "en": {}}
    for line in (newest.folder / "log.txt").read_text(encoding="utf-8").splitlines():
        try:
            turn = json.loads(line)
            lang = "en" if turn["photo"] in why["zh"] else "zh"
            places[turn["photo"]], why[lang][turn["photo"]] = int(turn["place"]), str(turn["why"])
        except (ValueError, KeyError, TypeError):
            continue  # what the model's libraries said in between
    paths.write_json(store.folder / "queue.json", {"job": newest.id, "places": places, "why": why})


@blueprint.post("/<name>/records")
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


@blueprint.post("/<name>/<id_>/blur")
def blur_photo(name: str, id_: str) -> Any:
    """Blur a photo away from its tiles; the sharp one is gone from the set."""
    store = paths.open_set(name)
    revision = request.form.get("revision", "")
    if not revision.isdigit():
        abort(400)
    fresh = blur(store, id_, int(revision)).photo
    thumbnails.forget(store, id_)
    return redirect(url_for("label.photo", name=name, id_=fresh.id), 303)
