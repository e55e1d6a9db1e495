"""NDJSON of the Ultralytics Platform: a first line that names the classes, then a line per photo with its labels as in
YOLO."""

from __future__ import annotations

from collections.abc import Iterator

from vision.labelling.formats.boxes import number
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    id_key,
    items,
    mapping,
    size_of,
    split_named,
)
from vision.labelling.formats.written import yolo
from vision.labelling.labels import LabelError
from vision.labelling.messages import shown
from vision.labelling.quality.report import Report

_BOXES = ("boxes", "obb", "segments")


def fits(document: Document) -> bool:
    """Lines of the types dataset and image."""
    rows = document.value if document.kind == "lines" else []
    return bool(rows) and mapping(rows[0]).get("type") == "dataset" and "class_names" in rows[0]


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    path = document.path
    names = mapping(document.value[0]).get("class_names")
    if isinstance(names, list):
        names = dict(enumerate(names))
    classes = {id_key(key): str(name) for key, name in mapping(names).items()}
    for place, row in enumerate(map(mapping, document.value[1:]), start=2):
        if not isinstance(row.get("file"), str):
            continue
        drawn = mapping(row.get("annotations"))
        kind = next((key for key in _BOXES if drawn.get(key)), "")
        gathered = Gathered(report)
        for n, values in enumerate(items(drawn.get(kind))):
            gathered.add(f"{path}, {place}[{n}]", _label, values, classes)
        about = split_named(row.get("split"))
        yield gathered.photo(row["file"], path, size_of(row.get("width"), row.get("height")), about=about)


def _label(values: object, classes: dict[str | None, str], where: str) -> ForeignLabel:
    at, *coordinates = items(values) or [None]
    if id_key(at) not in classes:
        raise LabelError("class_not_listed", number=shown(at), count=len(classes))
    return ForeignLabel(classes[id_key(at)], yolo.make_box([number(value) for value in coordinates]), where)


ULTRALYTICS = LabelFormat(
    name="ultralytics",
    title="Ultralytics NDJSON",
    fits=fits,
    read=read,
    place={"zh": "`*.ndjson`", "en": "`*.ndjson`"},
)
