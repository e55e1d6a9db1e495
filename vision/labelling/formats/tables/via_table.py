"""CSV of VIA (VGG Image Annotator), versions 1 to 3: a row per region, with JSON in its columns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import ForeignLabel, ForeignPhoto, Gathered, LabelFormat, items, mapping, split_of
from vision.labelling.formats.objects.via import name_among, region_label, space_box
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report

_SHAPE, _ATTRIBUTES = "region_shape_attributes", "region_attributes"
_THIRD = ["metadata_id", "file_list", "flags", "temporal_coordinates", "spatial_coordinates", "metadata"]


def _header(rows: list[list[str]]) -> list[str]:
    """The titles of the columns, which version 3 writes into a comment."""
    for row in rows:
        if row[0].startswith("# CSV_HEADER"):
            return [row[0].partition("=")[2].strip(), *row[1:]]
        if not row[0].startswith("# "):
            return [title.strip().lstrip("#") for title in row]
    return []


def fits(document: Document) -> bool:
    """A table with the columns of any version."""
    if document.kind != "table":
        return False
    header = _header(document.value)
    return header == _THIRD or {"filename", _SHAPE, _ATTRIBUTES} <= set(header)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one table."""
    path, header = document.path, _header(document.value)
    photos: dict[str, Gathered] = {}
    attributes = _attributes_of(document.value)
    for place, values in enumerate(document.value, start=1):
        row = dict(zip(header, values, strict=False))
        if values[0].startswith("# ") or values[0].lstrip("#") == header[0]:
            continue
        if header == _THIRD:
            file = str(next(iter(items(_json(row.get("file_list", "")))), ""))
            gathered = photos.setdefault(file, Gathered(report))
            gathered.add(f"{path}, {place}", _third, row, attributes)
            continue
        gathered = photos.setdefault(row.get("filename", ""), Gathered(report))
        if mapping(_json(row.get(_SHAPE, ""))):
            gathered.add(f"{path}, {place}", _region, row)
    for file, gathered in photos.items():
        yield gathered.photo(file, path, about=split_of(path))


def _json(written: str) -> object:
    try:
        return json.loads(written)
    except ValueError:
        return None


def _region(row: dict[str, str], where: str) -> ForeignLabel:
    region = {"shape_attributes": _json(row[_SHAPE]), "region_attributes": _json(row.get(_ATTRIBUTES, ""))}
    return region_label(region, where)


def _attributes_of(rows: list[list[str]]) -> dict[str, object]:
    """The attributes that a comment of version 3 defines."""
    for row in rows:
        if match := re.match(r"# ATTRIBUTE\w*\s*=\s*", row[0]):
            return mapping(_json(",".join(row)[match.end() :]))
    return {}


def _third(row: dict[str, str], attributes: Mapping[str, object], where: str) -> ForeignLabel:
    chosen: dict[str, Any] = {}
    for key, given in mapping(_json(row.get("metadata", ""))).items():
        known = mapping(attributes.get(key))
        chosen[str(known.get("aname", key))] = mapping(known.get("options")).get(str(given)) or given
    if not chosen:
        raise LabelError("no_class_in", field="metadata")
    return ForeignLabel(name_among(chosen), space_box(_json(row.get("spatial_coordinates", ""))), where)


VIA_TABLE = LabelFormat(
    name="via-csv",
    title={"zh": "VIA 的 CSV", "en": "VIA's CSV"},
    fits=fits,
    read=read,
    place={"zh": "第 1 到 3 版", "en": "versions 1 to 3"},
)
