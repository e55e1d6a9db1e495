"""Hugging Face: an image folder per split with ``metadata.jsonl`` (a line per photo, its boxes as columns under
``objects``), a card with the set's licence, and a description in Croissant (``croissant.json``)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from vision.labelling.formats.boxes import flat, number
from vision.labelling.formats.document import Document, Files, opened
from vision.labelling.formats.foreign import (
    ALL,
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    Output,
    by_split,
    items,
    label_fields,
    mapping,
    photo_fields,
    size_of,
    split_of,
)
from vision.labelling.labels import LabelError, LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.own.names import shown_name
from vision.labelling.quality.report import Report

_FOLDERS = {"val": "validation"}
"""The hub's name of a split, if it is another word."""
_COLUMNS = ("origin", "confidence", "checked")
_ABOUT = ("scene", "source", "licence", "consent", "hidden_backs", "empty")
_BOXES, _NAMES = ("bbox", "bboxes", "boxes"), ("category", "categories", "label", "labels", "class", "name")
"""Columns of boxes and of their names; the hub prescribes none."""
_ROWS, _BOXLESS = "metadata.jsonl", "others"
"""The rows of a folder, and the folder of splits without any box. ``datasets`` wants columns of the same types in every
split, an empty column has none, and it takes this folder for no split."""
_NO_CONFIDENCE = -1.0
"""In place of null: a column of nulls alone in one split has another type than in the others."""
_INFOS = ("dataset_infos.json", "dataset_info.json")
_CONTEXT = {
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "conformsTo": "http://purl.org/dc/terms/conformsTo",
}


def _is_description(value: object) -> bool:
    return isinstance(value, dict) and "croissant" in str(value.get("conformsTo"))


def _columns(row: Mapping[str, object]) -> dict[str, list[object]]:
    """The columns of a row's objects: as they are, or from a list of one object per box."""
    objects = row.get("objects", row)
    if isinstance(objects, list):
        keys = {key for entry in objects for key in mapping(entry)}
        return {key: [mapping(entry).get(key) for entry in objects] for key in keys}
    return {key: value for key, value in mapping(objects).items() if isinstance(value, list)}


def _column(columns: dict[str, list[Any]], names: Sequence[str]) -> list[object] | None:
    return next((columns[name] for name in names if name in columns), None)


def fits(document: Document) -> bool:
    """The lines of a ``metadata.jsonl`` with boxes, or a description of the set, which has none."""
    if document.kind == "json":
        return _is_description(document.value) or document.name in _INFOS
    rows = [mapping(row) for row in document.value] if document.kind == "lines" else []
    return bool(rows) and all(
        isinstance(row.get("file_name"), str) and ("objects" in row or _column(_columns(row), _BOXES) is not None)
        for row in rows
    )


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    path = document.path
    if document.kind != "lines":
        return
    classes = document.files.once(_class_names, report)
    for place, row in enumerate(document.value, start=1):
        columns = _columns(row)
        boxes, names = _column(columns, _BOXES) or [], _column(columns, _NAMES) or []
        gathered = Gathered(report)
        for n, box in enumerate(boxes):
            gathered.add(f"{path}, {place}[{n}]", partial(_label, classes=classes), columns, names, n, box)
        size = size_of(row.get("width"), row.get("height"))
        yield gathered.photo(row["file_name"], path, size, about=split_of(path) | photo_fields(row))


def _label(
    columns: Mapping[str, Sequence[object]],
    names: Sequence[object],
    n: int,
    box: object,
    where: str,
    *,
    classes: dict[str, str],
) -> ForeignLabel:
    if not isinstance(box, list) or len(box) != 4:
        raise LabelError("fields_wanted", field="bbox", wanted="x, y, width, height")
    if n >= len(names) or isinstance(names[n], bool) or not isinstance(names[n], str | int):
        raise LabelError("no_class_in", field="category")
    x, y, w, h = (number(value) for value in box)
    angles = columns.get("angle", [])
    angle = number(angles[n]) if n < len(angles) and angles[n] is not None else 0.0
    fields = {key: columns[key][n] for key in _COLUMNS if n < len(columns.get(key, []))}
    name = str(names[n]) if isinstance(names[n], str) else classes.get(str(names[n]), str(names[n]))
    return ForeignLabel(name, flat(x, y, x + w, y + h, angle), where, **label_fields(fields))


def _class_names(files: Files, report: Report) -> dict[str, str]:
    """Class names by number, from the head of the card or from the description that ``datasets`` saves."""
    names: dict[str, str] = {}
    for name in ("readme.md", *_INFOS):
        for path in files.by_name.get(name, []):
            try:
                names |= _of_card(files.text(path)) if name.endswith(".md") else _of_info(opened(files, path).value)
            except LabellingError as error:
                report.refuse(path, error)
    return names


def _of_card(text: str) -> dict[str, str]:
    """The names below ``class_label`` in a card's head."""
    head = text.split("\n---", 1)[0]
    block = re.search(r"class_label:\s*\n\s*names:\s*\n((?:\s+['\"]?\d+['\"]?\s*:.*\n?)+)", head)
    lines = re.findall(r"['\"]?(\d+)['\"]?\s*:\s*(.+)", block[1]) if block else []
    return {number: name.strip().strip("'\"") for number, name in lines}


def _of_info(value: object) -> dict[str, str]:
    """The names of the first ``ClassLabel`` among the features."""
    if isinstance(value, dict) and value.get("_type") == "ClassLabel":
        return {str(n): str(name) for n, name in enumerate(items(value.get("names")))}
    parts = value.values() if isinstance(value, dict) else items(value)
    return next((names for part in parts if (names := _of_info(part))), {})


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    columns = [key for key in _COLUMNS if key != "confidence" or _has_confidence(photos)]
    folders: dict[str, list[LabelledPhoto]] = {}
    labelled = any(member.labels for member in photos)
    for split, members in by_split(photos).items():
        boxless = labelled and not any(member.labels for member in members)
        folders.setdefault(_BOXLESS if boxless else f"data/{_FOLDERS.get(split, split)}", []).extend(members)
    for folder, members in folders.items():
        lines = []
        for member in sorted(members, key=lambda photo: not photo.labels):  # the first rows give the columns' types
            out.photo(f"{folder}/{member.photo.name}", member.photo)
            row = _row(member, columns) | ({"split": member.photo.split} if folder == _BOXLESS else {})
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
        out.text(f"{folder}/{_ROWS}", "".join(lines))
    licences = sorted({member.photo.licence for member in photos} - {""})
    out.text("README.md", _card(photos, licences, out.codes))
    out.text("croissant.json", json.dumps(_description(list(folders), licences), ensure_ascii=False, indent=1))


def _has_confidence(photos: Sequence[LabelledPhoto]) -> bool:
    """Whether any label has one, else the column is left out."""
    return any(label.confidence is not None for member in photos for label in member.labels)


def _row(member: LabelledPhoto, columns: Sequence[str]) -> dict[str, object]:
    info, boxes = member.photo, [label.box for label in member.labels]
    objects: dict[str, Any] = {
        "bbox": [[box.x1, box.y1, box.width, box.height] for box in boxes],
        "category": [shown_name(label.tile) for label in member.labels],
        "angle": [box.angle for box in boxes],
    }
    for key in columns:
        values = (getattr(label, key) for label in member.labels)
        objects[key] = [_NO_CONFIDENCE if value is None else value for value in values]
    row = {"file_name": info.name, "width": info.size[0], "height": info.size[1], "objects": objects}
    return row | {key: getattr(info, key) for key in _ABOUT}


def _card(photos: Sequence[LabelledPhoto], licences: Sequence[str], codes: Sequence[str]) -> str:
    """The card that the hub shows: its head is read by programs."""
    head = ["---", "task_categories:", "- object-detection", "tags:", "- mahjong", "pretty_name: Mahjong tiles"]
    head += (
        [f"license_name: {json.dumps(', '.join(licences), ensure_ascii=False)}", "license: other"] if licences else []
    )
    boxes = sum(len(member.labels) for member in photos)
    agreed = sum(bool(member.photo.consent) for member in photos)
    return "\n".join(
        [
            *head,
            "---",
            "",
            "# Mahjong tiles",
            "",
            f"{len(photos)} photos, {boxes} boxes of {len(codes)} classes; consent is noted for {agreed} photos.",
            "",
            "`objects.bbox` is x, y, width, height in pixels of the upright photo, before it is turned",
            "round its middle by `objects.angle` degrees clockwise; `objects.confidence` is -1 for labels without one;",
            f"`objects.category` is the tile's code. Photos of splits without any box are in `{_BOXLESS}/`. The codes:",
            "",
            " ".join(f"`{shown_name(code)}`" for code in codes),
            "",
        ]
    )


def _description(folders: Sequence[str], licences: Sequence[str]) -> dict[str, object]:
    """Croissant: the files, and the columns of a row."""
    rows = {"@type": "cr:FileSet", "@id": "rows", "encodingFormat": "application/jsonlines"}
    pictures = {"@type": "cr:FileSet", "@id": "pictures", "encodingFormat": "image/*"}

    def column(name: str, path: str, kind: str) -> dict[str, Any]:
        source = {"fileSet": {"@id": "rows"}, "extract": {"jsonPath": path}}
        return {"@type": "cr:Field", "@id": f"photos/{name}", "dataType": kind, "source": source}

    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "mahjong-tiles",
        "description": "Photos of mahjong tiles with a box and a name for each tile.",
        "license": list(licences),
        "distribution": [
            rows | {"includes": [f"{folder}/{_ROWS}" for folder in folders]},
            pictures | {"includes": [f"{folder}/*" for folder in folders]},
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "photos",
                "field": [
                    column("file_name", "$.file_name", "sc:Text"),
                    column("bbox", "$.objects.bbox", "cr:BoundingBox"),
                    column("category", "$.objects.category", "sc:Text"),
                ],
            }
        ],
    }


HUGGING_FACE = LabelFormat(
    name="hugging-face",
    title="Hugging Face",
    fits=fits,
    read=read,
    write=_write,
    holds=ALL,
    place={
        "zh": "`metadata.jsonl` 的欄位；卡片 `README.md`、Croissant 的 `croissant.json`",
        "en": "columns of `metadata.jsonl`; a card, `README.md`, and Croissant's `croissant.json`",
    },
)
