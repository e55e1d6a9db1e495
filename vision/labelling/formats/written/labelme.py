"""LabelMe: a JSON beside each photo with ``shapes``: a rectangle of two points, or a polygon of a turned box's four
corners. Fields that LabelMe does not know are extra keys, which it keeps when it saves.

X-AnyLabeling writes the same files. Its rectangles have four corners since 2.2, its ``rotation`` is a turned one with a
``direction`` in radians, ``score`` is a model's confidence, and ``checked`` marks a photo that a person went through.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from vision.labelling.formats.boxes import MakeBox, flat, number, points_of, shape, topped_at
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ALL,
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    Output,
    confidence_of,
    label_fields,
    mapping,
    photo_fields,
    size_of,
    split_folder,
    split_of,
    stem,
)
from vision.labelling.labels import Box, LabelError, LabelledPhoto, Point
from vision.labelling.messages import LabellingError, shown
from vision.labelling.own.names import shown_name
from vision.labelling.quality.report import Report

_AREAS = ("polygon", "oriented_rectangle", "rotation", "quadrilateral", "mask")
"""Shapes whose points go round a tile; so do those of a rectangle with more than two."""
_STRAIGHT = 0.5
"""Pixels by which a side of a four-cornered rectangle may slant."""


def fits(document: Document) -> bool:
    """A JSON object with shapes and the path of a photo."""
    value = document.value
    return (
        document.kind == "json"
        and isinstance(value, dict)
        and isinstance(value.get("shapes"), list)
        and isinstance(value.get("imagePath"), str)
    )


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The one photo of a file."""
    value, path = document.value, document.path
    gathered = Gathered(report)
    checked = value.get("checked") is True
    for place, entry in enumerate(value["shapes"]):
        gathered.add(f"{path}, shapes[{place}]", partial(_label, checked=checked), mapping(entry))
    size = size_of(value.get("imageWidth"), value.get("imageHeight"))
    about = split_of(path) | photo_fields(value) | ({"empty": True} if checked and not value["shapes"] else {})
    data = value.get("imageData")
    picture = (lambda: _picture(data)) if isinstance(data, str) and data else None
    yield gathered.photo(value["imagePath"], path, size, about=about, alone=True, picture=picture)


def _picture(data: str) -> bytes:
    """The photo that a file holds. Raises LabellingError."""
    try:
        return base64.b64decode(data.partition("base64,")[2] or data)
    except (ValueError, binascii.Error):
        raise LabellingError("no_picture_inside") from None


def _label(known: dict[str, Any], where: str, *, checked: bool) -> ForeignLabel:
    if not isinstance(known.get("label"), str):
        raise LabelError("no_class_in", field="label")
    score = known.get("score")  # X-AnyLabeling: of a model's box
    fields = {"checked": checked} | (confidence_of(score) if score is not None else {}) | label_fields(known)
    return ForeignLabel(known["label"], _make(known), where, **fields)


def _make(known: Mapping[str, object]) -> MakeBox:
    kind, points = known.get("shape_type", "polygon"), points_of(known.get("points"))
    if kind in ("rectangle", "mask") and len(points) == 2:
        return flat(*points[0], *points[1])
    if kind == "rectangle" and len(points) == 4 and _is_straight(points):
        xs, ys = zip(*points, strict=True)  # whichever corner came first, the photo's top is its own
        return flat(min(xs), min(ys), max(xs), max(ys))
    if kind == "rotation" and isinstance(known.get("direction"), int | float) and len(points) == 4:
        return _directed(points, math.degrees(number(known["direction"])))
    if (kind in _AREAS and len(points) >= 3) or (kind == "rectangle" and len(points) == 4):
        return shape(points, own_top="origin" in known)
    raise LabelError("shape_no_box", shape=shown(kind))


def _directed(points: Sequence[Point], degrees: float) -> MakeBox:
    """A rectangle that was drawn upright from any corner and then turned."""

    def make(_width: int, _height: int) -> tuple[Box, bool]:
        box, exact = Box.from_corners(points)
        return topped_at(box, degrees), exact

    return make


def _is_straight(points: Sequence[Point]) -> bool:
    """Whether each side of a shape is parallel to a side of the photo."""
    sides = zip(points, [*points[1:], points[0]], strict=True)
    return all(min(abs(x1 - x2), abs(y1 - y2)) <= _STRAIGHT for (x1, y1), (x2, y2) in sides)


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    for member in photos:
        info, folder = member.photo, split_folder(member.photo)
        out.photo(f"{folder}/{info.name}", info)
        shapes = []
        for label in member.labels:
            box = label.box
            points = [list(point) for point in box.corners] if box.angle else [[box.x1, box.y1], [box.x2, box.y2]]
            known: dict[str, Any] = {
                "label": shown_name(label.tile),
                "points": points,
                "group_id": None,
                "description": "",
            }
            known |= {"shape_type": "polygon" if box.angle else "rectangle", "flags": {}, "mask": None}
            known |= {"origin": label.origin, "confidence": label.confidence, "checked": label.checked}
            shapes.append(known)
        document: dict[str, Any] = {"version": "5.5.0", "flags": {}, "shapes": shapes, "imagePath": info.name}
        document |= {"imageData": None, "imageHeight": info.size[1], "imageWidth": info.size[0]}
        document |= {"scene": info.scene, "source": info.source, "licence": info.licence, "consent": info.consent}
        document |= {"hidden_backs": info.hidden_backs, "empty": info.empty}
        out.text(f"{folder}/{stem(info)}.json", json.dumps(document, ensure_ascii=False, indent=1))


LABELME = LabelFormat(
    name="labelme",
    title="LabelMe",
    fits=fits,
    read=read,
    write=_write,
    holds=ALL,
    place={"zh": "轉過的框：四點多邊形", "en": "turned boxes: polygons of four points"},
)
