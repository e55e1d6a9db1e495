"""Supervisely: ``DATASET/ann/PHOTO.json`` beside ``DATASET/img/PHOTO``, and ``meta.json`` with the classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vision.labelling.formats.boxes import MakeBox, flat, number, outlined, points_of, shape
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    items,
    mapping,
    size_of,
    split_of,
    text,
)
from vision.labelling.io.planning.ignored import is_picture
from vision.labelling.labels import LabelError
from vision.labelling.messages import shown
from vision.labelling.quality.report import Report


def fits(document: Document) -> bool:
    """A photo's objects with its size, or the list of classes."""
    value = mapping(document.value) if document.kind == "json" else {}
    if document.name in ("meta.json", "obj_class_to_machine_color.json") and "images" not in value:
        return "classes" in value or document.name != "meta.json"
    return isinstance(value.get("objects"), list) and "height" in mapping(value.get("size"))


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The one photo of a file."""
    value, path = document.value, document.path
    if "objects" not in value:
        return
    gathered = Gathered(report)
    for n, entry in enumerate(map(mapping, value["objects"])):
        gathered.add(f"{path}, objects[{n}]", _label, entry)
    size = size_of(value["size"].get("width"), value["size"]["height"])
    file = path.removesuffix(".json")
    file = file if is_picture(file) else str(value.get("name") or file)
    folder, _, name = file.rpartition("/ann/")
    yield gathered.photo(f"{folder}/img/{name}" if folder else name, path, size, about=split_of(path), alone=True)


def _label(entry: Mapping[str, object], where: str) -> ForeignLabel:
    return ForeignLabel(text(entry.get("classTitle"), "classTitle"), _make(entry), where)


def _make(entry: Mapping[str, object]) -> MakeBox:
    kind = entry.get("geometryType")
    if kind == "bitmap":
        raise LabelError("shape_no_box", shape="bitmap")
    exterior = points_of(items(mapping(entry.get("points")).get("exterior")))
    if kind == "rectangle" and len(exterior) == 2:
        return flat(*exterior[0], *exterior[1])
    if kind == "oriented_bbox" and len(exterior) == 2:
        return flat(*exterior[0], *exterior[1], number(entry.get("angle") or 0))
    if kind == "polygon" and len(exterior) >= 3:
        return shape(exterior)
    if kind == "line" and len(exterior) >= 3:
        return outlined(shape(exterior))
    raise LabelError("shape_no_box", shape=shown(kind))


SUPERVISELY = LabelFormat(
    name="supervisely",
    title="Supervisely",
    fits=fits,
    read=read,
    place={"zh": "`ann/*.json`、`img/`、`meta.json`", "en": "`ann/*.json`, `img/`, `meta.json`"},
)
