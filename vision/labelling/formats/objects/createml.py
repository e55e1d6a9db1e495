"""CreateML (Apple, Turi Create): a JSON list of photos; a box is its middle, width and height in pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vision.labelling.formats.boxes import middled, number
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    confidence_of,
    items,
    mapping,
    split_of,
    text,
)
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report

_PHOTO, _BOXES = ("image", "imagefilename", "imageFilename"), ("annotations", "annotation")


def _first(entry: Mapping[str, object], keys: tuple[str, ...]) -> Any:
    return next((entry[key] for key in keys if key in entry), None)


def fits(document: Document) -> bool:
    """A list of photos with their annotations, in which every box has coordinates."""
    photos = [mapping(photo) for photo in items(document.value)] if document.kind == "json" else []
    return bool(photos) and all(
        isinstance(_first(photo, _PHOTO), str)
        and isinstance(boxes := _first(photo, _BOXES), list)
        and all("coordinates" in mapping(box) for box in boxes)
        for photo in photos
    )


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    path = document.path
    for place, photo in enumerate(document.value):
        gathered = Gathered(report)
        for n, box in enumerate(_first(photo, _BOXES)):
            gathered.add(f"{path}, [{place}].annotations[{n}]", _label, box)
        yield gathered.photo(_first(photo, _PHOTO), path, about=split_of(path))


def _label(box: Mapping[str, object], where: str) -> ForeignLabel:
    place = mapping(box["coordinates"])
    if not place.keys() >= {"x", "y", "width", "height"}:
        raise LabelError("fields_wanted", field="coordinates", wanted="x, y, width, height")
    make = middled(*(number(place[key]) for key in ("x", "y", "width", "height")))
    return ForeignLabel(text(box.get("label"), "label"), make, where, **confidence_of(box.get("confidence")))


CREATE_ML = LabelFormat(
    name="createml",
    title="CreateML",
    fits=fits,
    read=read,
    place={"zh": "`_annotations.createml.json`", "en": "`_annotations.createml.json`"},
)
