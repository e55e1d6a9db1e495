"""KITTI: a text per photo; a line has the class, two flags, an angle, the box in pixels, and seven values in space."""

from __future__ import annotations

from collections.abc import Iterator

from vision.labelling.formats.boxes import flat, number
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import ForeignLabel, ForeignPhoto, Gathered, LabelFormat, confidence_of, split_of
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report

_VALUES = (15, 16)
_NOTHING = "DontCare"


def fits(document: Document) -> bool:
    """A text whose first line has fifteen or sixteen values, all numbers but the first."""
    if document.kind != "text" or not document.name.endswith(".txt"):
        return False
    words = next((line for line in document.value.splitlines() if line.strip()), "").split()
    try:
        numbers = [number(word) for word in words[1:]]
    except LabelError:
        return False
    return len(words) in _VALUES and len(numbers) == len(words) - 1 and not words[0].replace(".", "").isdigit()


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The one photo of a text."""
    path = document.path
    gathered = Gathered(report)
    for place, line in enumerate(document.value.splitlines(), start=1):
        words = line.split()
        if words and words[0] != _NOTHING:
            gathered.add(f"{path}, {place}", _label, words)
    yield gathered.photo(document.stem, path, about=split_of(path), alone=True)


def _label(words: list[str], where: str) -> ForeignLabel:
    if len(words) not in _VALUES:
        raise LabelError("kitti_count", count=len(words))
    sure = confidence_of(words[15]) if len(words) > 15 else {}
    make = flat(*(number(word) for word in words[4:8]))
    return ForeignLabel(words[0], make, where, "model" if sure else "import", **sure)


KITTI = LabelFormat(
    name="kitti",
    title="KITTI",
    fits=fits,
    read=read,
    place={"zh": "`label_2/*.txt`", "en": "`label_2/*.txt`"},
)
