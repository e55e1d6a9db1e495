"""Label Studio: one JSON list of tasks. A region is a rectangle in percent of the photo, turned clockwise about its own
top left corner. Labels of a model alone are predictions, all others are the task's one annotation.

Its short form JSON-MIN, with the regions beside the photo's address, is read too.
"""

from __future__ import annotations

import json
import math
import posixpath
import re
import urllib.parse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from vision.labelling.formats.boxes import MakeBox, number, outlined, points_of, share_shape
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ALL,
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    Output,
    confidence_of,
    items,
    label_fields,
    mapping,
    photo_fields,
    size_of,
)
from vision.labelling.io.planning.ignored import is_picture
from vision.labelling.labels import Box, Label, LabelError, LabelledPhoto, PhotoInfo
from vision.labelling.messages import shown
from vision.labelling.own.names import shown_name
from vision.labelling.quality.report import Report

_BESIDE = ("choices", "textarea", "rating", "relation", "taxonomy", "number", "datetime", "pairwise")
"""Types of regions that describe the photo, not a tile."""
_SHAPES = ("rectanglelabels", "polygonlabels", "ellipselabels")
_PHOTO_KEYS = ("image", "img", "photo", "url")


def fits(document: Document) -> bool:
    """A list of tasks, long or short; or the ``notes.json`` of its YOLO and COCO exports, which has no boxes."""
    value = document.value
    if document.kind != "json":
        return False
    if isinstance(value, dict):
        return document.name == "notes.json" and value.keys() == {"categories", "info"}
    tasks = [mapping(task) for task in items(value)]
    if not tasks or not all(tasks):
        return False
    return all(isinstance(task.get("data"), dict) for task in tasks) or (
        all("data" not in task and address_in(task) for task in tasks) and any(map(_short_regions, tasks))
    )


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    path = document.path
    for place, task in enumerate(items(document.value)):
        data = task.get("data", task)
        where, address = f"{path}, [{place}]", address_in(data)
        if address is None:
            report.refuse(where, LabelError("fields_missing", fields="data.image"))
            continue
        if data is task:
            regions, model, left = short_regions(_short_regions(task)), False, 0
        else:
            regions, model, left = _regions(task)
        for count in range(left):
            report.set_aside(f"{where}, annotations[{count}]", "older_annotation")
        yield photo_of(photo_name(address), path, regions, where, report, about=photo_fields(data), model=model)


def address_in(data: Mapping[str, object]) -> str | None:
    """The address of a task's photo."""
    for key in (*_PHOTO_KEYS, *data):
        value = data.get(key)
        if isinstance(value, str) and (key in _PHOTO_KEYS or is_picture(photo_name(value))):
            return value
    return None


def photo_name(address: str) -> str:
    """The path in Label Studio's own addresses, such as ``/data/local-files/?d=a/b.jpg``."""
    if "?d=" in address or "://" in address or address.startswith("/data/"):
        return urllib.parse.unquote(address.split("?d=")[-1].split("?")[0])
    return address


def aliases(file: str) -> Iterable[str]:
    """The name before the upload, which puts eight digits in front of it."""
    name = posixpath.basename(file)
    plain = re.sub(r"^[0-9a-f]{8}-", "", name)
    return [plain] if plain != name else []


def photo_of(
    file: str,
    path: str,
    regions: Sequence[object],
    where: str,
    report: Report,
    *,
    about: Mapping[str, object],
    model: bool,
) -> ForeignPhoto:
    """The photo with the labels of its regions.

    Args:
        file: name of the photo.
        path: of the label file.
        regions: of the photo, in Label Studio's long form.
        where: location of the task in the file.
        report: takes regions that are wrong.
        model: whether they are predictions.
        about: other data of the photo.
    """
    gathered, size = Gathered(report), None
    for n, region in enumerate(map(mapping, regions)):
        if region.get("type") in _BESIDE or _is_bare(region, regions):
            continue
        gathered.add(f"{where}, result[{n}]", partial(_label, model=model), region)
        size = size or size_of(region.get("original_width"), region.get("original_height"))
    return gathered.photo(file, path, size, about=about)


def _short_regions(task: Mapping[str, object]) -> list[object]:
    """The regions of a short task, under whatever name the control has."""
    return [
        region
        for value in task.values()
        for region in items(value)
        if any(items(mapping(region).get(kind)) for kind in _SHAPES)
    ]


def short_regions(regions: Iterable[object]) -> list[object]:
    """Regions of the short form in the long one."""
    known = [mapping(region) for region in regions]
    return [
        {
            "type": next((kind for kind in _SHAPES if kind in region), None),
            "value": region,
            "original_width": region.get("original_width"),
            "original_height": region.get("original_height"),
        }
        for region in known
    ]


def _is_bare(region: Mapping[str, object], regions: Sequence[object]) -> bool:
    """A shape whose name is a region of its own."""
    return region.get("type") in ("rectangle", "polygon", "ellipse") and any(
        mapping(other).get("id") == region.get("id") and mapping(other).get("type") == "labels" for other in regions
    )


def _regions(task: Mapping[str, object]) -> tuple[list[Any], bool, int]:
    """The regions that count (of the last finished annotation, else of the last prediction), whether a model drew them,
    and how many annotations are left out."""
    done = [a for a in items(task.get("annotations")) if mapping(a) and not a.get("was_cancelled")]
    if done:
        return items(done[-1].get("result")), False, len(done) - 1
    guesses = [mapping(guess) for guess in items(task.get("predictions"))]
    return (items(guesses[-1].get("result")), True, 0) if guesses else ([], False, 0)


def _label(region: Mapping[str, object], where: str, *, model: bool) -> ForeignLabel:
    value = mapping(region.get("value"))
    kind = region.get("type")
    names = [name for name in items(value.get(kind if isinstance(kind, str) else "")) if isinstance(name, str)]
    if kind == "labels":  # the name of a shape that is a region of its own
        drawn = {"points": "polygonlabels", "width": "rectanglelabels", "radiusX": "ellipselabels"}
        kind = next((drawn[key] for key in drawn if key in value), kind)
    if kind not in _SHAPES or len(names) != 1:
        raise (
            LabelError("shape_no_box", shape=shown(kind))
            if kind not in _SHAPES
            else LabelError("one_class_wanted", field=shown(kind), count=len(names))
        )
    if number(region.get("image_rotation") or value.get("image_rotation") or 0):
        raise LabelError("turned_in_tool", field="image_rotation")
    fields: dict[str, Any] = {"origin": "model" if model else "person"} | label_fields(mapping(region.get("meta")))
    if "confidence" not in fields:
        fields |= confidence_of(region.get("score"))
    return ForeignLabel(names[0], _make(value, kind), where, **fields)


def _make(value: Mapping[str, object], kind: str) -> MakeBox:
    if kind == "polygonlabels":
        points = points_of(value.get("points"))
        if len(points) < 3:
            raise LabelError("points_wanted")
        return share_shape([(x / 100, y / 100) for x, y in points])
    turn = number(value.get("rotation") or 0)
    if kind == "ellipselabels":
        cx, cy, rx, ry = (number(value.get(key)) / 100 for key in ("x", "y", "radiusX", "radiusY"))
        return outlined(lambda w, h: (Box((cx - rx) * w, (cy - ry) * h, (cx + rx) * w, (cy + ry) * h, turn), True))
    x, y, w, h = (number(value.get(key)) for key in ("x", "y", "width", "height"))

    def box(width: int, height: int) -> tuple[Box, bool]:
        left, top, half_w, half_h = x * width / 100, y * height / 100, w * width / 200, h * height / 200
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        cx, cy = left + half_w * cos - half_h * sin, top + half_w * sin + half_h * cos
        return Box(cx - half_w, cy - half_h, cx + half_w, cy + half_h, turn), True

    return box


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    tasks = []
    for place, member in enumerate(photos, start=1):
        info = member.photo
        out.photo(f"images/{info.name}", info)
        data: dict[str, Any] = {"image": f"images/{info.name}", "scene": info.scene, "source": info.source}
        data |= {
            "consent": info.consent,
            "licence": info.licence,
            "split": info.split,
            "hidden_backs": info.hidden_backs,
            "empty": info.empty,
        }
        regions = [_region(label, info, f"{place}-{n}") for n, label in enumerate(member.labels, start=1)]
        guessed = bool(regions) and all(label.origin == "model" and not label.checked for label in member.labels)
        annotation = {"result": regions, "was_cancelled": False, "ground_truth": False}
        guess = {"model_version": "PaiTai", "result": regions}
        task = {"id": place, "data": data, "annotations": [] if guessed or not regions else [annotation]}
        tasks.append(task | {"predictions": [guess] if guessed else []})
    out.text("tasks.json", json.dumps(tasks, ensure_ascii=False))


def _region(label: Label, info: PhotoInfo, id_: str) -> dict[str, object]:
    (width, height), box = info.size, label.box
    x, y = box.corners[0]
    value: dict[str, Any] = {"x": x * 100 / width, "y": y * 100 / height, "width": box.width * 100 / width}
    value |= {"height": box.height * 100 / height, "rotation": box.angle, "rectanglelabels": [shown_name(label.tile)]}
    region: dict[str, Any] = {"id": id_, "type": "rectanglelabels", "from_name": "label", "to_name": "image"}
    region |= {"original_width": width, "original_height": height, "image_rotation": 0, "value": value}
    if label.confidence is not None:
        region["score"] = label.confidence
    region["meta"] = {"origin": label.origin, "checked": label.checked}
    return region


LABEL_STUDIO = LabelFormat(
    name="label-studio",
    title="Label Studio",
    fits=fits,
    read=read,
    write=_write,
    holds=ALL,
    place={"zh": "也讀 JSON-MIN", "en": "JSON-MIN is read too"},
    aliases=aliases,
)
