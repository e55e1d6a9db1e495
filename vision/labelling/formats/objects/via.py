"""VIA (VGG Image Annotator): annotations and projects of versions 1 to 3, and makesense.ai's form of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vision.labelling.formats.boxes import MakeBox, flat, number, outlined, shape
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    id_key,
    items,
    mapping,
    split_of,
)
from vision.labelling.labels import LabelError
from vision.labelling.messages import shown
from vision.labelling.quality.report import Report

_RECTANGLE, _ELLIPSE, _POLYGON = 2, 4, 7
"""Numbers of shapes in version 3, the first value of ``xy``."""


def _photos(value: object) -> dict[str, Any]:
    """Entries by key: of a project, or of annotations alone."""
    return mapping(mapping(value).get("_via_img_metadata", value))


def fits(document: Document) -> bool:
    """An object with an entry per photo, or a project."""
    value = document.value
    if document.kind != "json" or not isinstance(value, dict):
        return False
    if "_via_img_metadata" in value or _is_third(value):
        return True
    photos = value.values()
    return bool(photos) and all("filename" in mapping(photo) and "regions" in photo for photo in photos)


def _is_third(value: Mapping[str, object]) -> bool:
    return all(isinstance(value.get(key), dict) for key in ("file", "view", "metadata", "attribute"))


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    if _is_third(document.value):
        yield from _third(document, report)
        return
    path = document.path
    for key, photo in _photos(document.value).items():
        regions = mapping(photo).get("regions")
        listed = list(regions.values()) if isinstance(regions, dict) else items(regions)
        gathered = Gathered(report)
        for n, region in enumerate(map(mapping, listed)):
            gathered.add(f"{path}, {key}, regions[{n}]", region_label, region)
        yield gathered.photo(str(mapping(photo).get("filename") or key), path, about=split_of(path))


def region_label(region: Mapping[str, object], where: str) -> ForeignLabel:
    """The label of a region with its two tables. Raises LabelError."""
    make = _make(mapping(region.get("shape_attributes")))
    return ForeignLabel(name_among(mapping(region.get("region_attributes"))), make, where)


def name_among(attributes: Mapping[str, object]) -> str:
    """The class name among the attributes: under its usual key, or the only one. Raises LabelError."""
    usual = ("label", "class", "name", "type", "category", "object", "tile")
    lowered = {key.lower(): value for key, value in attributes.items()}
    values = [lowered[key] for key in usual if lowered.get(key)] or [value for value in attributes.values() if value]
    if not values:
        raise LabelError("no_class_in", field="region_attributes")
    value = values[0]
    if isinstance(value, dict):  # a checkbox: {"3p": true}
        chosen = [key for key, on in value.items() if on]
        if len(chosen) != 1:
            raise LabelError("one_class_wanted", field="region_attributes", count=len(chosen))
        value = chosen[0]
    return str(value).strip()


def _make(drawn: Mapping[str, object]) -> MakeBox:
    kind = drawn.get("name")

    def values(*keys: str) -> list[float]:
        return [number(drawn.get(key)) for key in keys]

    if kind == "rect":
        x, y, width, height = values("x", "y", "width", "height")
        return flat(x, y, x + width, y + height)
    if kind in ("polygon", "polyline"):
        points = list(zip(items(drawn.get("all_points_x")), items(drawn.get("all_points_y")), strict=False))
        if len(points) >= 3:
            corners = points[:-1] if points[0] == points[-1] and len(points) > 3 else points
            return shape([(number(x), number(y)) for x, y in corners])
    if kind == "circle":
        cx, cy, r = values("cx", "cy", "r")
        return outlined(flat(cx - r, cy - r, cx + r, cy + r))
    if kind == "ellipse":
        cx, cy, rx, ry = values("cx", "cy", "rx", "ry")
        return outlined(flat(cx - rx, cy - ry, cx + rx, cy + ry))
    raise LabelError("shape_no_box", shape=shown(kind))


def _third(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of a project of version 3."""
    value, path = document.value, document.path
    views = {key: id_key(next(iter(items(mapping(view).get("fid_list"))), None)) for key, view in value["view"].items()}
    by_view: dict[str, list[tuple[str, dict[str, Any]]]] = {key: [] for key in views}
    for key, entry in value["metadata"].items():
        by_view.setdefault(id_key(mapping(entry).get("vid")) or "", []).append((key, mapping(entry)))
    for view, entries in by_view.items():
        file = mapping(value["file"].get(views.get(view) or "")).get("fname")
        gathered = Gathered(report)
        for key, entry in entries:
            gathered.add(f"{path}, metadata {key}", _third_label, entry, value["attribute"])
        yield gathered.photo(str(file or ""), path, about=split_of(path))


def _third_label(entry: Mapping[str, object], attributes: Mapping[str, object], where: str) -> ForeignLabel:
    chosen: dict[str, Any] = {}
    for key, given in mapping(entry.get("av")).items():
        known = mapping(attributes.get(key))
        chosen[str(known.get("aname", key))] = mapping(known.get("options")).get(str(given)) or given
    return ForeignLabel(name_among(chosen), space_box(entry.get("xy")), where)


def space_box(values: object) -> MakeBox:
    """The box of version 3's coordinates: the number of a shape, then its values. Raises LabelError."""
    kind, *numbers = [number(value) for value in items(values)] or [0.0]
    if kind == _RECTANGLE and len(numbers) == 4:
        x, y, width, height = numbers
        return flat(x, y, x + width, y + height)
    if kind == _ELLIPSE and len(numbers) == 4:
        cx, cy, rx, ry = numbers
        return outlined(flat(cx - rx, cy - ry, cx + rx, cy + ry))
    if kind == _POLYGON and len(numbers) >= 6 and len(numbers) % 2 == 0:
        return shape(list(zip(numbers[::2], numbers[1::2], strict=True)))
    raise LabelError("shape_no_box", shape=f"{kind:g}")


VIA = LabelFormat(
    name="via",
    title="VIA (VGG Image Annotator)",
    fits=fits,
    read=read,
    place={
        "zh": "JSON 與專案檔，第 1 到 3 版；makesense.ai 的 VGG JSON",
        "en": "JSON and projects, versions 1 to 3; makesense.ai's VGG JSON",
    },
)
