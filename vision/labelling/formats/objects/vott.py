"""VoTT (Microsoft): an export with all assets, a file per asset, and the project, which has no boxes. Names are as in
an address, with ``%20`` for a blank."""

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
    split_of,
)
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report


def _assets(value: Any) -> list[dict[str, object]]:
    """Assets with their regions."""
    if "regions" in mapping(value) and "asset" in value:
        return [value]
    return [entry for entry in map(mapping, mapping(mapping(value).get("assets")).values()) if "asset" in entry]


def fits(document: Document) -> bool:
    """An export, one asset, or a project."""
    if document.kind != "json" or not isinstance(document.value, dict):
        return False
    return bool(_assets(document.value)) or document.name.endswith(".vott")


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    path = document.path
    for entry in _assets(document.value):
        asset = mapping(entry["asset"])
        file = str(asset.get("name") or asset.get("path"))
        gathered = Gathered(report)
        for n, region in enumerate(map(mapping, items(entry.get("regions")))):
            gathered.add(f"{path}, {file}, regions[{n}]", _label, region)
        size = mapping(asset.get("size"))
        yield gathered.photo(file, path, size_of(size.get("width"), size.get("height")), about=split_of(path))


def _label(region: Mapping[str, object], where: str) -> ForeignLabel:
    tags = items(region.get("tags"))
    if len(tags) != 1 or not isinstance(tags[0], str):
        raise LabelError("one_class_wanted", field="tags", count=len(tags))
    return ForeignLabel(tags[0], _make(region), where)


def _make(region: Mapping[str, object]) -> MakeBox:
    box = mapping(region.get("boundingBox"))
    if region.get("type") == "POLYGON" and len(items(region.get("points"))) >= 3:
        return shape(points_of(region["points"]))
    if not box.keys() >= {"left", "top", "width", "height"}:
        raise LabelError("fields_wanted", field="boundingBox", wanted="left, top, width, height")
    left, top, width, height = (number(box[key]) for key in ("left", "top", "width", "height"))
    return flat(left, top, left + width, top + height)


VOTT = LabelFormat(
    name="vott",
    title="VoTT",
    fits=fits,
    read=read,
    place={
        "zh": "`*-export.json`、`*-asset.json`；CSV 見 `csv`",
        "en": "`*-export.json`, `*-asset.json`; its CSV: `csv`",
    },
)
