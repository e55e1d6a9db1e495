"""CSV without a header, known by the position of the photo's name: RetinaNet, makesense.ai, Google AutoML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import ForeignPhoto, LabelFormat
from vision.labelling.formats.tables.columns import Columns, photos_of
from vision.labelling.io.planning.ignored import is_picture
from vision.labelling.quality.report import Report

_RETINANET = Columns(file=0, name=5, box=(1, 2, 3, 4), way="corners", size=None, sure=None, split=None)
_MAKESENSE = Columns(file=5, name=0, box=(1, 2, 3, 4), way="sized", size=(6, 7), sure=None, split=None)
_AUTOML = Columns(file=1, name=2, box=(3, 4, 7, 8), way="corners", size=None, sure=None, split=0)
_SETS = ("train", "training", "validation", "test", "unassigned")


def _columns(row: Sequence[str]) -> Columns | None:
    if len(row) == 6 and is_picture(row[0]):
        return _RETINANET
    if len(row) == 8 and is_picture(row[5]):
        return _MAKESENSE
    return _AUTOML if len(row) in (9, 10, 11) and is_picture(row[1]) and row[0].lower() in _SETS else None


def _is_class_list(document: Document) -> bool:
    """RetinaNet's list of classes: a name and its number per row."""
    if not PurePosixPath(document.name).stem.strip("_").startswith("class"):
        return False
    return all(len(row) == 2 and row[1].strip().isdigit() for row in document.value)


def fits(document: Document) -> bool:
    """A table whose first row is a box, or a list of classes."""
    if document.kind != "table" or not document.value:
        return False
    return _columns(document.value[0]) is not None or _is_class_list(document)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one table."""
    columns = _columns(document.value[0])
    if columns is not None:
        yield from photos_of(document, columns, document.value, report, first=1)


HEADLESS = LabelFormat(
    name="csv-plain",
    title={"zh": "CSV（沒有標題列）", "en": "CSV without a header"},
    fits=fits,
    read=read,
    place={"zh": "RetinaNet、makesense.ai、Google AutoML", "en": "RetinaNet, makesense.ai, Google AutoML"},
)
