"""Open Images: a CSV with a row per box in shares of the photo, and a CSV that gives the names of its class codes."""

from __future__ import annotations

from collections.abc import Iterator

from vision.labelling.formats.boxes import number, share_box
from vision.labelling.formats.document import Document, Files, opened
from vision.labelling.formats.foreign import ForeignLabel, ForeignPhoto, Gathered, LabelFormat, split_of
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report

_BOX = ("XMin", "YMin", "XMax", "YMax")
_CODE = ("/m/", "/g/")


def _is_names(rows: list[list[str]]) -> bool:
    """Whether a table gives names to class codes."""
    body = rows[1:] if rows[0][:1] == ["LabelName"] else rows
    return bool(body) and all(len(row) == 2 and row[0].startswith(_CODE) for row in body)


def fits(document: Document) -> bool:
    """Boxes of photos, names of classes, or a list of photos with their addresses."""
    rows = document.value if document.kind == "table" else []
    if not rows:
        return False
    header = set(rows[0])
    if {"ImageID", "LabelName"} <= header and not header & set(_BOX):  # classes of photos, masks: beside boxes only
        return any("bbox" in name for name in document.files.by_name)
    return {"ImageID", "LabelName", *_BOX} <= header or {"ImageID", "OriginalURL"} <= header or _is_names(rows)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one table."""
    header, path = document.value[0], document.path
    if not {"LabelName", *_BOX} <= set(header):
        return
    names = document.files.once(_names, report)
    photos: dict[str, Gathered] = {}
    for place, values in enumerate(document.value[1:], start=2):
        row = dict(zip(header, values, strict=False))
        photos.setdefault(row.get("ImageID", ""), Gathered(report)).add(f"{path}, {place}", _label, row, names)
    for file, gathered in photos.items():
        yield gathered.photo(file, path, about=split_of(path))


def _names(files: Files, report: Report) -> dict[str, str]:
    """Names by class code, from all tables that give them."""
    names: dict[str, str] = {}
    for path in files.paths:
        if not path.lower().endswith(".csv") or not files.source.head(path, 100).lstrip().startswith((b"/", b"Label")):
            continue
        try:
            rows = opened(files, path).value
        except LabellingError as error:
            report.refuse(path, error)
            continue
        names |= {row[0]: row[1].strip() for row in rows if len(row) == 2} if rows and _is_names(rows) else {}
    return names


def _label(row: dict[str, str], names: dict[str, str], where: str) -> ForeignLabel:
    make = share_box(*(number(row.get(key, "")) for key in _BOX))
    code = row.get("LabelName", "")
    return ForeignLabel(names.get(code, code), make, where)


OPEN_IMAGES = LabelFormat(
    name="open-images",
    title="Open Images",
    fits=fits,
    read=read,
    place={"zh": "框的 CSV、`class-descriptions*.csv`", "en": "CSV of boxes, `class-descriptions*.csv`"},
)
