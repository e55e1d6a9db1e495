"""DOTA: a text per photo with four corners in pixels, the class and a difficulty per line. Roboflow and X-AnyLabeling
write their oriented boxes so, in a folder ``labelTxt``."""

from __future__ import annotations

from collections.abc import Iterator

from vision.labelling.formats.boxes import number, pairs, shape
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import ForeignLabel, ForeignPhoto, Gathered, LabelFormat, split_of
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report

_HEAD = ("imagesource:", "gsd:")


def _numbers(words: list[str]) -> list[float]:
    return [number(word) for word in words]


def fits(document: Document) -> bool:
    """A text whose first line has eight coordinates and then a name."""
    if document.kind != "text" or not document.name.endswith(".txt"):
        return False
    lines = (line for line in document.value.splitlines() if line.strip() and not line.lower().startswith(_HEAD))
    words = next(lines, "").split()
    try:
        corners = _numbers(words[:8])
    except LabelError:
        return False
    if len(corners) < 8 or len(words) < 9:
        return False
    try:
        number(words[8])
    except LabelError:
        return True
    return len(words) == 10 and sum(value > 2 for value in corners) > 1 and words[9] in ("0", "1", "2")


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The one photo of a text."""
    path = document.path
    gathered = Gathered(report)
    for place, line in enumerate(document.value.splitlines(), start=1):
        if line.strip() and not line.lower().startswith(_HEAD):
            gathered.add(f"{path}, {place}", _label, line.split())
    yield gathered.photo(document.stem, path, about=split_of(path), alone=True)


def _label(words: list[str], where: str) -> ForeignLabel:
    corners = _numbers(words[:8])
    rest = words[8:]
    if len(corners) < 8 or not rest:
        raise LabelError("corners_and_class", line=" ".join(words)[:60])
    name = rest[:-1] if len(rest) > 1 and rest[-1].isdigit() else rest
    return ForeignLabel(" ".join(name), shape(pairs(corners)), where)


DOTA = LabelFormat(
    name="dota",
    title="DOTA",
    fits=fits,
    read=read,
    place={
        "zh": "`labelTxt/*.txt`；Roboflow 和 X-AnyLabeling 轉過的框",
        "en": "`labelTxt/*.txt`; oriented boxes of Roboflow and X-AnyLabeling",
    },
)
