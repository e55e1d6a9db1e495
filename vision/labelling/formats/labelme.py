"""LabelMe: a JSON beside each photo with ``shapes``: a rectangle of two points, or a polygon of a turned box's four
corners. What LabelMe does not know itself stands in keys that it keeps when it saves."""

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
from vision.labelling.labels import LabelError, LabelledPhoto
from vision.labelling.quality.report import Report


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
            labels.append(ForeignLabel(known["label"], _make(known), where, **label_fields(known)))
        except LabelError as error:
            report.set_aside(where, "because", reason=str(error))
    lost = len(value["shapes"]) - len(labels)
    size = size_of(value.get("imageWidth"), value.get("imageHeight"))
    yield ForeignPhoto(value["imagePath"], path, tuple(labels), size, split_of(path) | photo_fields(value), lost)


def _make(known: dict[str, Any]) -> MakeBox:
    kind, points = known.get("shape_type", "polygon"), points_of(known.get("points"))
    if kind in ("rectangle", "mask") and len(points) == 2:
        return flat(*points[0], *points[1])
    if kind in ("polygon", "oriented_rectangle") and len(points) >= 3:
        return shape(points)
    raise LabelError(f"{kind} of {len(points)} points")


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
        document |= {"scene": info.scene, "source": info.source, "licence": info.licence}
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
