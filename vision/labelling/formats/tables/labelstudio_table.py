"""CSV and TSV of Label Studio: a row per annotation, whose regions are JSON in the column of their control."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import ForeignPhoto, LabelFormat, items, mapping
from vision.labelling.formats.written.labelstudio import address_in, photo_name, photo_of, short_regions
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report


def fits(document: Document) -> bool:
    """A table with the columns that every such export has."""
    return (
        document.kind == "table" and bool(document.value) and {"annotation_id", "lead_time"} <= set(document.value[0])
    )


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one table."""
    header, path = document.value[0], document.path
    for place, values in enumerate(document.value[1:], start=2):
        row: dict[str, Any] = dict(zip(header, values, strict=False))
        where, address = f"{path}, {place}", address_in(row)
        if address is None:
            report.refuse(where, LabelError("fields_missing", fields="image"))
            continue
        regions = [region for value in values for region in items(_json(value)) if mapping(region)]
        yield photo_of(photo_name(address), path, short_regions(regions), where, report, about={}, model=False)


def _json(written: str) -> object:
    try:
        return json.loads(written) if written.startswith("[") else None
    except ValueError:
        return None


LABEL_STUDIO_TABLE = LabelFormat(
    name="label-studio-csv",
    title={"zh": "Label Studio 的 CSV", "en": "Label Studio's CSV"},
    fits=fits,
    read=read,
    place={"zh": "CSV、TSV", "en": "CSV, TSV"},
)
