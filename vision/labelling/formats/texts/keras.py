"""YOLO for Keras: one text for all photos; a line is a photo and its boxes, each ``x1,y1,x2,y2,class`` in pixels. The
names of the classes are in ``_classes.txt``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vision.labelling.formats.boxes import flat, number
from vision.labelling.formats.document import Document, Files
from vision.labelling.formats.foreign import ForeignLabel, ForeignPhoto, Gathered, LabelFormat, split_of
from vision.labelling.labels import LabelError
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report

_CLASSES = "_classes.txt"
_BOX = r"-?[\d.]+(?:,-?[\d.]+){3},\d+"
_LINE = re.compile(rf"(.+?\.\w{{3,5}})((?:\s+{_BOX})*)\s*")
_LOOKED_AT = 50
"""Lines at the top that must be of this form."""


def fits(document: Document) -> bool:
    """A text of photos with boxes, or its list of classes."""
    if document.kind != "text":
        return False
    if document.name == _CLASSES:
        return True
    lines = [line for line in document.value.split("\n", _LOOKED_AT)[:_LOOKED_AT] if line.strip()]
    matches = [_LINE.fullmatch(line) for line in lines]
    return bool(matches) and all(matches) and any(match[2] for match in matches if match)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one text."""
    path = document.path
    if document.name == _CLASSES:
        return
    names = document.files.once(_names, report)
    folder = document.folder
    for place, line in enumerate(document.value.splitlines(), start=1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            report.refuse(f"{path}, {place}", LabelError("line_not_read", line=line[:60]))
            continue
        gathered = Gathered(report)
        for box in match[2].split():
            gathered.add(f"{path}, {place}", _label, box, names.get(folder, []))
        yield gathered.photo(match[1], path, about=split_of(path) | ({} if match[2] else {"empty": True}))


def _names(files: Files, report: Report) -> dict[str, list[str]]:
    """Class names by the folder of their list."""
    names: dict[str, list[str]] = {}
    for path in files.by_name.get(_CLASSES, []):
        try:
            names[path.rpartition("/")[0]] = [line.strip() for line in files.text(path).splitlines() if line.strip()]
        except LabellingError as error:
            report.refuse(path, error)
    return names


def _label(box: str, names: list[str], where: str) -> ForeignLabel:
    *corners, at = box.split(",")
    if names and int(at) >= len(names):
        raise LabelError("class_not_listed", number=at[:40], count=len(names))
    return ForeignLabel(names[int(at)] if names else at, flat(*(number(value) for value in corners)), where)


KERAS = LabelFormat(
    name="yolo-keras",
    title={"zh": "Keras 用的 YOLO", "en": "YOLO for Keras"},
    fits=fits,
    read=read,
    place={"zh": "`_annotations.txt`、`_classes.txt`", "en": "`_annotations.txt`, `_classes.txt`"},
)
