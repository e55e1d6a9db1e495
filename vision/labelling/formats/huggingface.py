"""Hugging Face: an image folder a split with ``metadata.jsonl`` (a line a photo, its boxes as columns under
``objects``), a card with the set's licence, and the set's description in Croissant's words (``croissant.json``)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from vision.labelling.formats.foreign import (
    ALL,
    Document,
    ForeignLabel,
    ForeignPhoto,
    LabelFormat,
    Output,
    by_split,
    flat,
    items,
    label_fields,
    mapping,
    number,
    photo_fields,
    size_of,
    split_of,
)
from vision.labelling.labels import LabelError, LabelledPhoto
from vision.labelling.quality.report import Report
from vision.models.manifest import CLASSES

_FOLDERS = {"val": "validation"}
"""What the hub calls a split, where that is another word."""
_COLUMNS = ("origin", "confidence", "checked")
_ABOUT = ("scene", "source", "licence", "consent", "hidden_backs", "empty")
_CONTEXT = {
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "conformsTo": "http://purl.org/dc/terms/conformsTo",
}


def _is_description(value: Any) -> bool:
    return isinstance(value, dict) and "croissant" in str(value.get("conformsTo"))


def fits(document: Document) -> bool:
    """The lines of a ``metadata.jsonl`` with boxes, or the description beside them, which says nothing of a photo."""
    lines = items(document.value) if document.kind == "json" else []
    rows = all(isinstance(mapping(one).get("file_name"), str) and "objects" in one for one in lines)
    return bool(lines and rows) or (document.kind == "json" and _is_description(document.value))


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    path = document.path
    for place, row in enumerate(items(document.value), start=1):
        objects = mapping(row["objects"])
        boxes, names = items(objects.get("bbox")), items(objects.get("category", objects.get("categories")))
        labels = []
        for n, box in enumerate(boxes):
            where = f"{path}, {place}[{n}]"
            try:
                labels.append(_label(objects, names, n, box, where))
            except LabelError as error:
                report.set_aside(where, "because", reason=str(error))
        about = split_of(path) | photo_fields(row)
        size = size_of(row.get("width"), row.get("height"))
        yield ForeignPhoto(row["file_name"], path, tuple(labels), size, about, len(boxes) - len(labels))


def _label(objects: dict[str, Any], names: Sequence[Any], n: int, box: Any, where: str) -> ForeignLabel:
    if not isinstance(box, list) or len(box) != 4:
        raise LabelError("bbox: expected x, y, width, height")
    if n >= len(names) or not isinstance(names[n], str | int):
        raise LabelError("category: no name")
    x, y, w, h = (number(value) for value in box)
    angles = items(objects.get("angle"))
    angle = number(angles[n]) if n < len(angles) and angles[n] is not None else 0.0
    said = {key: column[n] for key in _COLUMNS if n < len(column := items(objects.get(key)))}
    return ForeignLabel(str(names[n]), flat(x, y, x + w, y + h, angle), where, **label_fields(said))


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    splits = by_split(photos)
    for split, members in splits.items():
        folder = f"data/{_FOLDERS.get(split, split)}"
        lines = []
        for member in members:
            out.photo(f"{folder}/{member.photo.name}", member.photo)
            lines.append(json.dumps(_row(member), ensure_ascii=False) + "\n")
        out.text(f"{folder}/metadata.jsonl", "".join(lines))
    licences = sorted({member.photo.licence for member in photos} - {""})
    out.text("README.md", _card(photos, licences))
    out.text("croissant.json", json.dumps(_description(list(splits), licences), ensure_ascii=False, indent=1))


def _row(member: LabelledPhoto) -> dict[str, Any]:
    info, boxes = member.photo, [label.box for label in member.labels]
    objects: dict[str, Any] = {
        "bbox": [[box.x1, box.y1, box.width, box.height] for box in boxes],
        "category": [label.tile for label in member.labels],
        "angle": [box.angle for box in boxes],
    }
    objects |= {key: [getattr(label, key) for label in member.labels] for key in _COLUMNS}
    row = {"file_name": info.name, "width": info.size[0], "height": info.size[1], "objects": objects}
    return row | {key: getattr(info, key) for key in _ABOUT}


def _card(photos: Sequence[LabelledPhoto], licences: Sequence[str]) -> str:
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
            f"{len(photos)} photos, {boxes} boxes of {len(CLASSES)} classes; consent is noted for {agreed} photos.",
            "",
            "`objects.bbox` is x, y, width, height in pixels of the upright photo, before it is turned",
            "round its middle by `objects.angle` degrees clockwise; `objects.category` is the tile's code:",
            "",
            " ".join(f"`{code}`" for code in CLASSES),
            "",
        ]
    )


def _description(splits: Sequence[str], licences: Sequence[str]) -> dict[str, Any]:
    """Croissant: where the files are and what a row is."""
    folders = [f"data/{_FOLDERS.get(split, split)}" for split in splits]
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
            rows | {"includes": [f"{folder}/metadata.jsonl" for folder in folders]},
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
