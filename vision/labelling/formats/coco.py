"""COCO: one JSON a split with images, categories and annotations. ``bbox`` is x y w h; a turned box also has its four
corners as ``segmentation``. Origin, confidence and checked stand in ``attributes``, where CVAT keeps its own."""

from __future__ import annotations

import json
from collections import Counter
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
    by_folder,
    flat,
    items,
    label_fields,
    mapping,
    number,
    photo_fields,
    shape,
    size_of,
    split_of,
)
from vision.labelling.labels import Label, LabelError, LabelledPhoto
from vision.labelling.quality.report import Report
from vision.models.manifest import CLASSES


def fits(document: Document) -> bool:
    """Whether a JSON document is of this format."""
    value = document.value
    return (
        document.kind == "json"
        and isinstance(value, dict)
        and isinstance(value.get("images"), list)
        and "annotations" in value
    )


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    value, path = document.value, document.path
    names = {entry.get("id"): str(entry.get("name")) for entry in items(value.get("categories")) if mapping(entry)}
    licences = {entry.get("id"): entry.get("name") for entry in items(value.get("licenses")) if mapping(entry)}
    images: dict[Any, dict[str, Any]] = {}
    labels: dict[Any, list[ForeignLabel]] = {}
    lost: Counter[Any] = Counter()
    for place, entry in enumerate(items(value["images"])):
        key = mapping(entry).get("id")
        if not isinstance(key, int | str) or not isinstance(entry.get("file_name"), str) or key in images:
            report.set_aside(f"{path}, images[{place}]", "because", reason="id, file_name")
            continue
        images[key], labels[key] = entry, []
    for place, entry in enumerate(items(value["annotations"])):
        where = f"{path}, annotations[{place}]"
        key = mapping(entry).get("image_id")
        try:
            if not isinstance(key, int | str) or key not in images:
                raise LabelError(f"image_id: {key!r} is none of the images"[:120])
            labels[key].append(_label(entry, names, where))
        except LabelError as error:
            lost[str(key)] += 1
            report.set_aside(where, "because", reason=str(error))
    for key, entry in images.items():
        about = split_of(entry["file_name"]) or split_of(path) or _split_of_name(path)
        licence = licences.get(entry.get("license"))
        about |= {"licence": licence} if isinstance(licence, str) else {}
        about |= photo_fields(entry)
        size = size_of(entry.get("width"), entry.get("height"))
        yield ForeignPhoto(entry["file_name"], path, tuple(labels[key]), size, about, lost[str(key)])


def _split_of_name(path: str) -> dict[str, Any]:
    """instances_val.json, as COCO's own files are named."""
    name = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return split_of(name.replace("_", "/").rstrip("0123456789") + "/_")  # instances_train2017


def _label(entry: dict[str, Any], names: dict[Any, str], where: str) -> ForeignLabel:
    category = entry.get("category_id")
    if not isinstance(category, int | str) or category not in names:
        raise LabelError(f"category_id: {category!r} is none of the categories"[:120])
    said = label_fields(mapping(entry.get("attributes")))
    if "confidence" not in said and "score" in entry:
        said |= {"confidence": number(entry["score"]), "origin": "model"}
    return ForeignLabel(names[category], _make(entry), where, **said)


def _make(entry: dict[str, Any]) -> MakeBox:
    outlines = items(entry.get("segmentation"))
    bbox = entry.get("bbox")
    if len(outlines) == 1 and len(items(outlines[0])) >= 6 and len(outlines[0]) % 2 == 0:
        values = [number(value) for value in outlines[0]]
        corners = list(zip(values[::2], values[1::2], strict=True))
        if len(corners) == 4:
            return shape(corners)
    if not isinstance(bbox, list) or len(bbox) != 4:
        raise LabelError("bbox: expected x, y, width, height")
    x, y, w, h = (number(value) for value in bbox)
    if w < 0 or h < 0:
        raise LabelError(f"bbox: width {w:g}, height {h:g}")
    return flat(x, y, x + w, y + h)


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    licences = sorted({photo.photo.licence for photo in photos} - {""})
    for folder, members in by_folder(photos).items():
        images: list[dict[str, Any]] = []
        annotations: list[dict[str, Any]] = []
        for place, member in enumerate(members, start=1):
            info = member.photo
            out.photo(f"images/{folder}{info.name}", info)
            image: dict[str, Any] = {"id": place, "file_name": info.name, "width": info.size[0], "height": info.size[1]}
            if info.licence:
                image["license"] = licences.index(info.licence) + 1
            image |= {
                "scene": info.scene,
                "source": info.source,
                "consent": info.consent,
                "hidden_backs": info.hidden_backs,
                "empty": info.empty,
            }
            images.append(image)
            annotations += [_annotation(label, len(annotations) + n, place) for n, label in enumerate(member.labels, 1)]
        document = {
            "info": {"description": "PaiTai", "version": "1.0"},
            "licenses": [{"id": n, "name": name, "url": ""} for n, name in enumerate(licences, 1)],
            "categories": [{"id": n, "name": code, "supercategory": "tile"} for n, code in enumerate(CLASSES, 1)],
            "images": images,
            "annotations": annotations,
        }
        out.text(
            f"annotations/instances_{folder.rstrip('/') or 'default'}.json", json.dumps(document, ensure_ascii=False)
        )


def _annotation(label: Label, id_: int, image: int) -> dict[str, Any]:
    x1, y1, x2, y2 = label.box.outline
    corners = [value for point in label.box.corners for value in point]
    attributes: dict[str, Any] = {"origin": label.origin, "checked": label.checked}
    if label.confidence is not None:
        attributes["confidence"] = label.confidence
    return {
        "id": id_,
        "image_id": image,
        "category_id": CLASSES.index(label.tile) + 1,
        "bbox": [x1, y1, x2 - x1, y2 - y1],
        "area": label.box.width * label.box.height,
        "segmentation": [corners] if label.box.angle else [],
        "iscrowd": 0,
        "attributes": attributes,
    }


COCO = LabelFormat(
    name="coco",
    title="COCO",
    fits=fits,
    read=read,
    write=_write,
    holds=ALL,
    place={
        "zh": "轉過的框：`segmentation` 的四個角；來源、把握、看過：`attributes`",
        "en": "turned boxes: four corners in `segmentation`; origin, confidence, checked: `attributes`",
    },
)
