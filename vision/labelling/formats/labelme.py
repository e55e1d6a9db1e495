"""LabelMe: a JSON beside each photo with ``shapes``: a rectangle of two points, or a polygon of a turned box's four
corners. What LabelMe does not know itself stands in keys that it keeps when it saves.

X-AnyLabeling writes the same files: its rectangles have four corners since 2.2, its ``rotation`` is a turned one, and
``score`` is how sure a model was."""

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
    MakeBox,
    Output,
    flat,
    label_fields,
    mapping,
    photo_fields,
    points_of,
    shape,
    size_of,
    split_folder,
    split_of,
    stem,
)
from vision.labelling.labels import LabelError, LabelledPhoto, Point
from vision.labelling.quality.report import Report

_AREAS = ("polygon", "oriented_rectangle", "rotation", "quadrilateral", "mask")
"""Shapes whose points run round a tile; a rectangle's do where there are more than two."""
_STRAIGHT = 0.5
"""Pixels by which a side of a four-cornered rectangle may slant."""


def fits(document: Document) -> bool:
    """Whether a JSON document is of this format."""
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
    labels = []
    for place, entry in enumerate(value["shapes"]):
        where = f"{path}, shapes[{place}]"
        try:
            known = mapping(entry)
            if not isinstance(known.get("label"), str):
                raise LabelError("label: no text")
            labels.append(ForeignLabel(known["label"], _make(known), where, **_score(known) | label_fields(known)))
        except LabelError as error:
            report.set_aside(where, "because", reason=str(error))
    lost = len(value["shapes"]) - len(labels)
    size = size_of(value.get("imageWidth"), value.get("imageHeight"))
    yield ForeignPhoto(value["imagePath"], path, tuple(labels), size, split_of(path) | photo_fields(value), lost)


def _make(known: dict[str, Any]) -> MakeBox:
    kind, points = known.get("shape_type", "polygon"), points_of(known.get("points"))
    if kind in ("rectangle", "mask") and len(points) == 2:
        return flat(*points[0], *points[1])
    if kind == "rectangle" and len(points) == 4 and _is_straight(points):
        xs, ys = zip(*points, strict=True)  # whichever corner came first, its top is the photo's
        return flat(min(xs), min(ys), max(xs), max(ys))
    if (kind in _AREAS and len(points) >= 3) or (kind == "rectangle" and len(points) == 4):
        return shape(points)
    raise LabelError(f"{kind} of {len(points)} points")


def _is_straight(points: Sequence[Point]) -> bool:
    """Whether each side of a shape runs along the photo's own."""
    sides = zip(points, [*points[1:], points[0]], strict=True)
    return all(min(abs(x1 - x2), abs(y1 - y2)) <= _STRAIGHT for (x1, y1), (x2, y2) in sides)


def _score(known: dict[str, Any]) -> dict[str, Any]:
    """What X-AnyLabeling says of a model's box."""
    score = known.get("score")
    return label_fields({"confidence": score}) if score is not None else {}


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    for member in photos:
        info, folder = member.photo, split_folder(member.photo)
        out.photo(f"{folder}/{info.name}", info)
        shapes = []
        for label in member.labels:
            box = label.box
            points = [list(point) for point in box.corners] if box.angle else [[box.x1, box.y1], [box.x2, box.y2]]
            known: dict[str, Any] = {"label": label.tile, "points": points, "group_id": None, "description": ""}
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
