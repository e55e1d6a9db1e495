"""Labelbox: NDJSON with a photo per line, and the older JSON list. Boxes are left, top, width, height in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vision.labelling.formats.boxes import MakeBox, flat, number, points_of, shape
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
    text,
)
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report


def _rows(document: Document) -> list[dict[str, object]]:
    rows = document.value if document.kind in ("lines", "json") else []
    return [mapping(row) for row in items(rows)]


def fits(document: Document) -> bool:
    """Lines with a data row and projects, or a list with external ids."""
    rows = _rows(document)
    return bool(rows) and (
        all("data_row" in row and "projects" in row for row in rows)
        or all("Label" in row and "Labeled Data" in row for row in rows)
    )


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    path = document.path
    for place, row in enumerate(_rows(document), start=1):
        gathered = Gathered(report)
        for n, entry in enumerate(_objects(row)):
            gathered.add(f"{path}, {place}[{n}]", _label, entry)
        data, media = mapping(row.get("data_row")), mapping(row.get("media_attributes"))
        file = data.get("external_id") or row.get("External ID") or data.get("row_data") or row.get("Labeled Data")
        about = split_named(mapping(data.get("details")).get("split") or mapping(row.get("data_split")).get("name"))
        size = size_of(media.get("width"), media.get("height"))
        yield gathered.photo(str(file), path, size, about=about)


def _objects(row: Mapping[str, object]) -> list[dict[str, object]]:
    """The objects of a row's last label in each project."""
    if "Label" in row:
        return [mapping(entry) for entry in items(mapping(row["Label"]).get("objects"))]
    objects: list[Any] = []
    for project in map(mapping, mapping(row["projects"]).values()):
        labels = [mapping(label) for label in items(project.get("labels"))]
        objects += items(mapping(labels[-1].get("annotations")).get("objects")) if labels else []
    return [mapping(entry) for entry in objects]


def _label(entry: Mapping[str, object], where: str) -> ForeignLabel:
    name = next((entry[key] for key in ("name", "title", "value") if entry.get(key)), None)
    return ForeignLabel(text(name, "name"), _make(entry), where)


def _make(entry: Mapping[str, object]) -> MakeBox:
    box = mapping(entry.get("bounding_box") or entry.get("bbox"))
    if box.keys() >= {"left", "top", "width", "height"}:
        left, top, width, height = (number(box[key]) for key in ("left", "top", "width", "height"))
        return flat(left, top, left + width, top + height)
    points = points_of(items(entry.get("polygon")))
    if len(points) >= 3:
        return shape(points)
    raise LabelError("fields_missing", fields="bounding_box, polygon")


LABELBOX = LabelFormat(
    name="labelbox",
    title="Labelbox",
    fits=fits,
    read=read,
    place={"zh": "NDJSON；較舊的 JSON", "en": "NDJSON; the older JSON"},
)
