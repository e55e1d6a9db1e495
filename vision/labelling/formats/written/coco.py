"""COCO: one JSON per split with images, categories and annotations. ``bbox`` is x y w h; a turned box also has its four
corners in ``segmentation``. Origin, confidence and checked are in ``attributes``, as CVAT keeps its own.

Lists of detections (``image_id``, ``category_id``, ``bbox``, ``score``) are read with the images of a COCO file nearby.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from vision.labelling.formats.boxes import MakeBox, flat, number, pairs, shape, sized
from vision.labelling.formats.document import HEAD_BYTES, Document, Files, opened
from vision.labelling.formats.foreign import (
    ALL,
    ForeignLabel,
    ForeignPhoto,
    LabelFormat,
    Output,
    by_folder,
    confidence_of,
    id_key,
    items,
    label_fields,
    mapping,
    photo_fields,
    size_of,
    split_of,
)
from vision.labelling.labels import Label, LabelError, LabelledPhoto
from vision.labelling.messages import LabellingError, shown
from vision.labelling.own.names import shown_name
from vision.labelling.quality.report import Report

T = TypeVar("T")
_ById = dict[str, T | None]
"""What the ids of a file stand for; None for an id of several things, of which none is guessed."""
_Image = tuple[str, tuple[int, int] | None]
_LOOKED_AT = 20
"""Most JSON files that are searched for the images of a list of detections."""


def fits(document: Document) -> bool:
    """A JSON object with images and annotations, or a list of detections."""
    value = document.value
    if document.kind != "json":
        return False
    if isinstance(value, dict):
        return isinstance(value.get("images"), list) and ("annotations" in value or "categories" in value)
    return _is_results(value)


def _is_results(value: Any) -> bool:
    return bool(items(value)) and all({"image_id", "category_id", "bbox"} <= mapping(entry).keys() for entry in value)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    if isinstance(document.value, list):
        yield from _results(document, report)
        return
    value, path = document.value, document.path
    names = _names(value)
    licences = {id_key(mapping(entry).get("id")): mapping(entry).get("name") for entry in items(value.get("licenses"))}
    images: dict[str, dict[str, Any]] = {}
    labels: dict[str, list[ForeignLabel]] = {}
    lost: Counter[str] = Counter()
    further: list[tuple[str, dict[str, Any]]] = []
    for place, entry in enumerate(items(value["images"])):
        where, key = f"{path}, images[{place}]", id_key(mapping(entry).get("id"))
        if key is None or not isinstance(entry.get("file_name"), str):
            report.refuse(where, LabelError("fields_missing", fields="id, file_name"))
        elif key not in images:
            images[key], labels[key] = entry, []
        else:
            same = entry["file_name"] == images[key]["file_name"]
            report.refuse(where, LabelError("entry_twice" if same else "id_twice", field="id", value=key))
            further += [] if same else [(key, entry)]
    of_several = {key for key, _ in further}
    for place, entry in enumerate(items(value.get("annotations"))):
        where = f"{path}, annotations[{place}]"
        key = id_key(mapping(entry).get("image_id"))
        try:
            if key is None or key not in images:
                raise LabelError("id_not_listed", field="image_id", value=shown(mapping(entry).get("image_id")))
            if key in of_several:
                raise LabelError("id_twice", field="image_id", value=key)
            labels[key].append(_label(entry, names, where))
        except LabelError as error:
            lost[str(key)] += 1
            report.refuse(where, error)
    for key, entry in (*images.items(), *further):
        about = split_of(entry["file_name"]) or split_of(path) or _split_of_name(path)
        licence = licences.get(id_key(entry.get("license")))
        about |= {"licence": licence} if isinstance(licence, str) else {}
        about |= photo_fields(entry)
        size = size_of(entry.get("width"), entry.get("height"))
        yield ForeignPhoto(entry["file_name"], path, tuple(labels[key]), size, about, lost[key])


def _names(value: Mapping[str, object]) -> _ById[str]:
    """Class names by their id."""
    names: _ById[str] = {}
    for entry in map(mapping, items(value.get("categories"))):
        if (key := id_key(entry.get("id"))) is not None:
            _add(names, key, str(entry.get("name")))
    return names


def _add(by_id: _ById[T], key: str, value: T) -> None:
    """Note what an id stands for: None if that is more than one thing."""
    by_id[key] = value if by_id.get(key, value) == value else None


def _class_of(value: object, names: _ById[str], otherwise: str | None = None) -> str:
    """The class name of a ``category_id``; LabelError if it has none, or several."""
    key = id_key(value)
    name = otherwise if key is None else names.get(key, otherwise)
    if name is None:
        listed = key is not None and key in names
        raise LabelError("id_twice" if listed else "id_not_listed", field="category_id", value=shown(value))
    return name


def _results(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of a list of detections."""
    path = document.path
    images, names = document.files.once(_images, report)
    by_image: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for place, entry in enumerate(document.value):
        by_image.setdefault(id_key(entry["image_id"]) or "", []).append((place, entry))
    for key, entries in by_image.items():
        image = images.get(key, (key, None))
        if image is None:
            report.refuse(f"{path}, [{entries[0][0]}]", LabelError("id_twice", field="image_id", value=key))
            continue
        labels, lost = [], 0
        for place, entry in entries:
            where = f"{path}, [{place}]"
            try:
                category = _class_of(entry["category_id"], names, id_key(entry["category_id"]) or "")
                made = sized(entry["bbox"])
                sure = confidence_of(entry.get("score"))
                labels.append(ForeignLabel(category, made, where, "model", **sure))
            except LabelError as error:
                lost += 1
                report.refuse(where, error)
        yield ForeignPhoto(image[0], path, tuple(labels), image[1], split_of(path), lost)


def _images(files: Files, _report: Report) -> tuple[_ById[_Image], _ById[str]]:
    """File names and sizes by image id, and class names by id, of the COCO files of an import."""
    images: _ById[_Image] = {}
    names: _ById[str] = {}
    listed = [path for path in files.paths if path.lower().endswith(".json")]
    for path in listed[:_LOOKED_AT]:
        if not files.source.head(path, HEAD_BYTES).lstrip().startswith(b"{"):
            continue
        try:
            document = opened(files, path)
        except LabellingError:
            continue
        if not isinstance(document.value, dict) or not fits(document):
            continue
        for number_of_class, name in _names(document.value).items():
            _add(names, number_of_class, name)
        for entry in map(mapping, items(document.value["images"])):
            key = id_key(entry.get("id"))
            if key is not None and isinstance(entry.get("file_name"), str):
                _add(images, key, (entry["file_name"], size_of(entry.get("width"), entry.get("height"))))
    return images, names


def _split_of_name(path: str) -> dict[str, Any]:
    """instances_val.json, as COCO's own files are named."""
    name = path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return split_of(name.replace("_", "/").rstrip("0123456789") + "/_")  # instances_train2017


def _label(entry: dict[str, Any], names: _ById[str], where: str) -> ForeignLabel:
    name = _class_of(entry.get("category_id"), names)
    attributes = mapping(entry.get("attributes"))
    fields = label_fields(attributes)
    if "confidence" not in fields and "score" in entry:
        fields |= {"confidence": number(entry["score"]), "origin": "model"}
    return ForeignLabel(name, _make(entry, attributes), where, **fields)


def _make(entry: dict[str, Any], attributes: dict[str, Any]) -> MakeBox:
    outlines = items(entry.get("segmentation"))
    if len(outlines) == 1 and len(items(outlines[0])) == 8:
        return shape(pairs([number(value) for value in outlines[0]]), own_top="origin" in attributes)
    make = sized(entry.get("bbox"))
    if isinstance(attributes.get("rotation"), int | float) and number(attributes["rotation"]):  # CVAT's own attribute
        x, y, w, h = (number(value) for value in entry["bbox"])
        return flat(x, y, x + w, y + h, number(attributes["rotation"]))
    return make


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
            annotations += [
                _annotation(label, len(annotations) + n, place, out.codes) for n, label in enumerate(member.labels, 1)
            ]
        document = {
            "info": {"description": "PaiTai", "version": "1.0"},
            "licenses": [{"id": n, "name": name, "url": ""} for n, name in enumerate(licences, 1)],
            "categories": [
                {"id": n, "name": shown_name(code), "supercategory": "tile"} for n, code in enumerate(out.codes, 1)
            ],
            "images": images,
            "annotations": annotations,
        }
        out.text(
            f"annotations/instances_{folder.rstrip('/') or 'default'}.json", json.dumps(document, ensure_ascii=False)
        )


def _annotation(label: Label, id_: int, image: int, codes: Sequence[str]) -> dict[str, object]:
    x1, y1, x2, y2 = label.box.outline
    corners = [value for point in label.box.corners for value in point]
    attributes: dict[str, Any] = {"origin": label.origin, "checked": label.checked}
    if label.confidence is not None:
        attributes["confidence"] = label.confidence
    return {
        "id": id_,
        "image_id": image,
        "category_id": codes.index(label.tile) + 1,
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
