"""CSV with a header: one row per box, as TensorFlow, Roboflow, VoTT, makesense.ai and many scripts write it. The names
of the columns tell what they hold; coordinates that are all at most 1 are shares of the photo."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from vision.labelling.formats.boxes import MakeBox, flat, number, share_box
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    confidence_of,
    items,
    size_of,
    split_named,
    split_of,
    text,
)
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report

_FILE = (
    "filename",
    "file",
    "filepath",
    "imagename",
    "imagefilename",
    "imagepath",
    "image",
    "img",
    "imageid",
    "path",
    "photo",
)
_CLASS = (
    "class",
    "label",
    "classname",
    "labelname",
    "category",
    "categoryname",
    "tile",
    "object",
    "name",
    "classid",
    "labelid",
)
_CORNERS = (
    ("xmin", "ymin", "xmax", "ymax"),
    ("x1", "y1", "x2", "y2"),
    ("left", "top", "right", "bottom"),
    ("bboxxmin", "bboxymin", "bboxxmax", "bboxymax"),
    ("bboxx1", "bboxy1", "bboxx2", "bboxy2"),
)
_SIZED = (
    ("bboxx", "bboxy", "bboxwidth", "bboxheight"),
    ("bboxx", "bboxy", "bboxw", "bboxh"),
    ("left", "top", "width", "height"),
    ("x", "y", "w", "h"),
    ("xmin", "ymin", "w", "h"),
    ("x1", "y1", "w", "h"),
    ("x1", "y1", "width", "height"),
    ("xmin", "ymin", "width", "height"),
    ("x", "y", "width", "height"),
)
_MIDDLED = (
    ("cx", "cy", "w", "h"),
    ("xcenter", "ycenter", "width", "height"),
    ("centerx", "centery", "width", "height"),
    ("xcenter", "ycenter", "w", "h"),
)
_IMAGE_SIZES = (
    ("imagewidth", "imageheight"),
    ("imgwidth", "imgheight"),
    ("imgw", "imgh"),
    ("imagew", "imageh"),
    ("width", "height"),
)
_SURE, _SPLIT = ("confidence", "conf", "score"), ("split", "set", "subset", "usage")
_MOST_OF_SHARES = 1.5
"""Shares may reach a little out of the photo; pixels of boxes that small are slips of the mouse."""


@dataclass(frozen=True)
class Columns:
    """Positions of the columns; ``way`` is how the four of a box are meant: ``corners``, ``sized``, ``middled``, or
    ``text`` for one column with all of them."""

    file: int
    name: int
    box: tuple[int, ...]
    way: str
    size: tuple[int, int] | None
    sure: int | None
    split: int | None


def columns_of(header: Sequence[str]) -> Columns | None:
    """The columns that a header names; None if it lacks photo, class or box."""
    at = {re.sub(r"[^a-z0-9]", "", title.lower()): place for place, title in reversed(list(enumerate(header)))}

    def first(titles: Sequence[str]) -> int | None:
        return next((at[title] for title in titles if title in at), None)

    def together(groups: Sequence[Sequence[str]]) -> tuple[int, ...] | None:
        return next((tuple(at[title] for title in group) for group in groups if at.keys() >= set(group)), None)

    file, name = first(_FILE), first(_CLASS)
    ways = {"middled": together(_MIDDLED), "corners": together(_CORNERS), "sized": together(_SIZED)}
    way = next((way for way, places in ways.items() if places), "text" if "bbox" in at else "")
    if file is None or name is None or not way or file == name:
        return None
    box = ways.get(way) or (at["bbox"],)
    size = next((pair for group in _IMAGE_SIZES if (pair := together([group])) and not set(pair) & set(box)), None)
    return Columns(file, name, box, way, (size[0], size[1]) if size else None, first(_SURE), first(_SPLIT))


def fits(document: Document) -> bool:
    """A table whose header names photo, class and box."""
    return document.kind == "table" and bool(document.value) and columns_of(document.value[0]) is not None


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one table."""
    columns = columns_of(document.value[0])
    if columns is None:
        return
    yield from photos_of(document, columns, document.value[1:], report, first=2)


def photos_of(
    document: Document, columns: Columns, rows: Sequence[list[str]], report: Report, first: int
) -> Iterator[ForeignPhoto]:
    """The photos of the rows, in order of their first row.

    Args:
        document: the table.
        columns: what its columns hold.
        rows: with boxes.
        report: takes rows that are wrong.
        first: number of the first row, for messages.
    """
    path = document.path
    in_shares = columns.way != "text" and _are_shares(rows, columns.box)
    if columns.way == "text":
        columns = replace(columns, way=_way_of_texts(rows, columns))
    photos: dict[str, tuple[Gathered, list[str]]] = {}
    for place, row in enumerate(rows, start=first):
        if len(row) <= max(columns.file, columns.name):
            report.refuse(f"{path}, {place}", LabelError("row_short", count=len(row)))
            continue
        gathered, _ = photos.setdefault(row[columns.file].strip(), (Gathered(report), row))
        if any(at < len(row) and row[at].strip() for at in columns.box):
            gathered.add(f"{path}, {place}", partial(_label, in_shares=in_shares), row, columns)
    for file, (gathered, row) in photos.items():
        size = size_of(*(row[at] for at in columns.size)) if columns.size and max(columns.size) < len(row) else None
        about = split_named(row[columns.split]) if columns.split is not None and columns.split < len(row) else {}
        if not gathered.labels and not gathered.lost:
            about["empty"] = True  # a row without a box: no tile in the photo
        yield gathered.photo(file, path, size, about=split_of(path) | split_of(file) | about)


def _are_shares(rows: Sequence[list[str]], box: Sequence[int]) -> bool:
    """Whether all coordinates are shares of the photo."""
    largest = 0.0
    for row in rows:
        for at in box:
            try:
                largest = max(largest, abs(number(row[at])))
            except (LabelError, IndexError):
                continue
    return 0 < largest <= _MOST_OF_SHARES


def _way_of_texts(rows: Sequence[list[str]], columns: Columns) -> str:
    """Whether the four numbers of one column are corners or corner and size; ``unclear`` if both fit all rows."""
    corners = sized = True
    for row in rows:
        try:
            a, b, c, d = _values(row[columns.box[0]])
            corners = corners and c > a and d > b
            if columns.size:
                width, height = (number(row[at]) for at in columns.size)
                sized = sized and a + c <= width + 1 and b + d <= height + 1
        except (LabelError, IndexError):
            continue
    return "unclear" if corners == sized else "corner-text" if corners else "size-text"


def _label(row: Sequence[str], columns: Columns, where: str, *, in_shares: bool) -> ForeignLabel:
    sure = confidence_of(row[columns.sure]) if columns.sure is not None and columns.sure < len(row) else {}
    make = _make(row, columns, in_shares=in_shares)
    return ForeignLabel(text(row[columns.name], "class"), make, where, "model" if sure else "import", **sure)


def _make(row: Sequence[str], columns: Columns, *, in_shares: bool) -> MakeBox:
    if columns.way == "unclear":
        raise LabelError("box_unclear")
    if columns.way in ("corner-text", "size-text"):
        x, y, c, d = _values(row[columns.box[0]])
        return flat(x, y, c, d) if columns.way == "corner-text" else flat(x, y, x + c, y + d)
    if max(columns.box) >= len(row):
        raise LabelError("row_short", count=len(row))
    a, b, c, d = (number(row[at]) for at in columns.box)
    if columns.way == "middled":
        a, b, c, d = a - c / 2, b - d / 2, a + c / 2, b + d / 2
    elif columns.way == "sized":
        c, d = a + c, b + d
    return share_box(a, b, c, d) if in_shares else flat(a, b, c, d)


def _values(written: str) -> list[float]:
    """x, y, width and height of one column. Raises LabelError."""
    try:
        values: Any = json.loads(written.replace("(", "[").replace(")", "]"))
    except ValueError:
        values = written.strip("[]() ").replace(",", " ").split()
    numbers = [number(value) for value in items(values)]
    if len(numbers) != 4:
        raise LabelError("fields_wanted", field="bbox", wanted="x, y, width, height")
    return numbers


COLUMNS = LabelFormat(
    name="csv",
    title="CSV",
    fits=fits,
    read=read,
    place={
        "zh": "第一列寫明各欄的 CSV：TensorFlow、Roboflow、VoTT、makesense.ai",
        "en": "CSV whose first row names the columns: TensorFlow, Roboflow, VoTT, makesense.ai",
    },
)
