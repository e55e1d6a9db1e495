"""Datumaro: ``annotations/SUBSET.json`` with categories and items; boxes are x, y, width, height in pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from vision.labelling.formats.boxes import MakeBox, flat, number, outlined, pairs, shape, sized
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    items,
    mapping,
    size_of,
    split_named,
    split_of,
)
from vision.labelling.labels import LabelError
from vision.labelling.messages import shown
from vision.labelling.quality.report import Report

_BESIDE = ("label", "caption")
"""Types of annotations that describe the photo, not a tile."""


def fits(document: Document) -> bool:
    """A JSON object with categories and items, or the list of classes that its other exports have."""
    value = mapping(document.value) if document.kind == "json" else {}
    if document.name == "dataset_meta.json":
        return "labels" in value or "label_map" in value
    return isinstance(value.get("items"), list) and isinstance(value.get("categories"), dict)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    value, path = document.value, document.path
    if "items" not in value:
        return
    known = mapping(mapping(value["categories"]).get("label"))
    names = [str(mapping(entry).get("name", entry)) for entry in items(known.get("labels"))]
    for place, item in enumerate(map(mapping, value["items"])):
        media = next((mapping(item[key]) for key in ("image", "media", "video_frame") if key in item), {})
        height, width = [*items(media.get("size")), None, None][:2]
        gathered = Gathered(report)
        for n, entry in enumerate(map(mapping, items(item.get("annotations")))):
            if entry.get("type") not in _BESIDE:
                gathered.add(f"{path}, items[{place}].annotations[{n}]", _label, entry, names)
        about = split_named(document.stem) or split_of(path)
        file = str(media.get("path") or item.get("id"))
        yield gathered.photo(f"images/{document.stem}/{file}", path, size_of(width, height), about=about)


def _label(entry: dict[str, Any], names: list[str], where: str) -> ForeignLabel:
    at = entry.get("label_id")
    if not isinstance(at, int) or not 0 <= at < len(names):
        raise LabelError("class_not_listed", number=shown(at), count=len(names))
    return ForeignLabel(names[at], _make(entry), where)


def _make(entry: dict[str, Any]) -> MakeBox:
    kind = entry.get("type")
    if kind == "bbox":
        make = sized(entry.get("bbox"))
        turn = mapping(entry.get("attributes")).get("rotation")
        if isinstance(turn, int | float) and turn:
            x, y, w, h = (number(value) for value in entry["bbox"])
            return flat(x, y, x + w, y + h, number(turn))
        return make
    points = [number(value) for value in items(entry.get("points"))]
    if kind == "polygon" and len(points) >= 6:
        return shape(pairs(points))
    if kind == "ellipse" and len(points) == 4:
        return outlined(flat(*points))
    raise LabelError("shape_no_box", shape=shown(kind))


DATUMARO = LabelFormat(
    name="datumaro",
    title="Datumaro",
    fits=fits,
    read=read,
    place={"zh": "`annotations/*.json`", "en": "`annotations/*.json`"},
)
