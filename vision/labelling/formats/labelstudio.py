"""Label Studio: one JSON list of tasks. A region is a rectangle in percent of the photo, turned clockwise round its own
top left corner. Labels that only a model has put there are predictions, all else is the task's one annotation."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from vision.labelling.formats.foreign import (
    ALL,
    Document,
    ForeignLabel,
    ForeignPhoto,
    LabelFormat,
    MakeBox,
    Output,
    items,
    label_fields,
    mapping,
    number,
    photo_fields,
    points_of,
    size_of,
)
from vision.labelling.labels import Box, Label, LabelError, LabelledPhoto, PhotoInfo
from vision.labelling.quality.report import Report

_BESIDE = ("choices", "textarea", "rating", "relation", "taxonomy", "number", "datetime", "pairwise")


def fits(document: Document) -> bool:
    """Whether a JSON document is of this format."""
    tasks = items(document.value) if document.kind == "json" else []
    return bool(tasks) and all(isinstance(mapping(task).get("data"), dict) for task in tasks)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    value, path = document.value, document.path
    for place, task in enumerate(value):
        where, data = f"{path}, [{place}]", task["data"]
        file = next((data[key] for key in ("image", "img", "photo", "url") if isinstance(data.get(key), str)), None)
        if file is None:
            report.set_aside(where, "because", reason="data.image")
            continue
        regions, model, left = _regions(task)
        for count in range(left):
            report.set_aside(f"{where}, annotations[{count}]", "older_annotation")
        labels, size, lost = [], None, 0
        for n, region in enumerate(regions):
            if mapping(region).get("type") in _BESIDE or _is_bare(mapping(region), regions):
                continue  # says something of the photo, not of a tile
            try:
                labels.append(_label(mapping(region), f"{where}, result[{n}]", model))
                size = size or size_of(region.get("original_width"), region.get("original_height"))
            except LabelError as error:
                lost += 1
                report.set_aside(f"{where}, result[{n}]", "because", reason=str(error))
        yield ForeignPhoto(file, path, tuple(labels), size, photo_fields(data), lost)


def _is_bare(region: dict[str, Any], regions: list[Any]) -> bool:
    """A shape without a name, which stands beside it as a region of its own."""
    return region.get("type") in ("rectangle", "polygon") and any(
        mapping(other).get("id") == region.get("id") and mapping(other).get("type") == "labels" for other in regions
    )


def _regions(task: dict[str, Any]) -> tuple[list[Any], bool, int]:
    """The regions that count: the last finished annotation's, else the last prediction's; whether a model's; how many
    annotations are left out."""
    done = [a for a in items(task.get("annotations")) if mapping(a) and not a.get("was_cancelled")]
    if done:
        return items(done[-1].get("result")), False, len(done) - 1
    guesses = [mapping(guess) for guess in items(task.get("predictions"))]
    return (items(guesses[-1].get("result")), True, 0) if guesses else ([], False, 0)


def _label(region: dict[str, Any], where: str, model: bool) -> ForeignLabel:
    value = mapping(region.get("value"))
    kind = region.get("type")
    names = [name for name in items(value.get(kind if isinstance(kind, str) else "")) if isinstance(name, str)]
    if kind == "labels":  # the name of a shape that was drawn by itself
        kind = "polygonlabels" if "points" in value else "rectanglelabels" if "width" in value else kind
    if kind not in ("rectanglelabels", "polygonlabels") or len(names) != 1:
        raise LabelError(f"{kind}: expected a rectangle or polygon with one name"[:120])
    if number(region.get("image_rotation") or 0):
        raise LabelError("image_rotation: the photo was turned in Label Studio")
    said: dict[str, Any] = {"origin": "model" if model else "person"} | label_fields(mapping(region.get("meta")))
    if "confidence" not in said and isinstance(region.get("score"), int | float):
        said["confidence"] = number(region["score"])
    return ForeignLabel(names[0], _make(value, kind), where, **said)


def _make(value: dict[str, Any], kind: str) -> MakeBox:
    if kind == "polygonlabels":
        points = points_of(value.get("points"))
        if len(points) < 3:
            raise LabelError("polygon: points")
        return lambda width, height: Box.from_corners([(x * width / 100, y * height / 100) for x, y in points])
    x, y, w, h = (number(value.get(key)) for key in ("x", "y", "width", "height"))
    turn = number(value.get("rotation") or 0)

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


def _region(label: Label, info: PhotoInfo, id_: str) -> dict[str, Any]:
    (width, height), box = info.size, label.box
    x, y = box.corners[0]
    value: dict[str, Any] = {"x": x * 100 / width, "y": y * 100 / height, "width": box.width * 100 / width}
    value |= {"height": box.height * 100 / height, "rotation": box.angle, "rectanglelabels": [label.tile]}
    region: dict[str, Any] = {"id": id_, "type": "rectanglelabels", "from_name": "label", "to_name": "image"}
    region |= {"original_width": width, "original_height": height, "image_rotation": 0, "value": value}
    if label.confidence is not None:
        region["score"] = label.confidence
    region["meta"] = {"origin": label.origin, "checked": label.checked}
    return region


LABEL_STUDIO = LabelFormat(name="label-studio", title="Label Studio", fits=fits, read=read, write=_write, holds=ALL)
