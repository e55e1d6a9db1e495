"""CVAT for images 1.1: one ``annotations.xml``. A turned box is a box and its ``rotation``; ``source`` says manual,
auto or file; what CVAT does not know itself stands in attributes of the box and of a tag named ``photo``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from vision.labelling.formats.foreign import (
    ALL,
    Document,
    ForeignLabel,
    ForeignPhoto,
    LabelFormat,
    Output,
    flat,
    label_fields,
    number,
    outlined,
    photo_fields,
    shape,
    size_of,
    split_folder,
    split_of,
)
from vision.labelling.formats.parsing.xml_text import xml_text
from vision.labelling.labels import LabelError, LabelledPhoto, Origin, PhotoInfo
from vision.labelling.quality.report import Report
from vision.models.manifest import CLASSES

_SOURCES: dict[str, Origin] = {"manual": "person", "auto": "model", "semi-auto": "model", "file": "import"}
_ORIGINS = {"person": "manual", "model": "auto", "import": "file"}
TAG = "photo"


def fits(document: Document) -> bool:
    """Whether an XML document is of this format."""
    return document.kind == "xml" and document.value.tag == "annotations"


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    root, path = document.value, document.path
    if root.find("track") is not None:
        report.set_aside(path, "cvat_video")
    for entry in root.findall("image"):
        file = entry.get("name")
        if not file:
            report.set_aside(f"{path}, image {entry.get('id')}", "because", reason="name")
            continue
        labels, lost = [], 0
        about = split_of(f"{entry.get('subset')}/_")
        for place, child in enumerate(entry):
            where = f"{path}, {file}[{place}]"
            if child.tag == "tag":
                if child.get("label") == TAG:
                    about |= photo_fields(_attributes(child))
                continue
            try:
                labels.append(_label(child, where))
            except LabelError as error:
                lost += 1
                report.set_aside(where, "because", reason=str(error))
        size = size_of(entry.get("width"), entry.get("height"))
        yield ForeignPhoto(file, path, tuple(labels), size, about, lost)


def _attributes(entry: Element) -> dict[str, Any]:
    return {child.get("name", ""): (child.text or "").strip() for child in entry.findall("attribute")}


def _label(entry: Element, where: str) -> ForeignLabel:
    name = entry.get("label")
    if not name:
        raise LabelError(f"{entry.tag} without a label")
    if entry.tag == "box":
        x1, y1, x2, y2 = (number(entry.get(key, "")) for key in ("xtl", "ytl", "xbr", "ybr"))
        make = flat(x1, y1, x2, y2, number(entry.get("rotation", "0")))
    elif entry.tag == "polygon":
        pairs = [pair.split(",") for pair in entry.get("points", "").split(";") if pair.strip()]
        if len(pairs) < 3 or any(len(pair) != 2 for pair in pairs):
            raise LabelError("polygon: points")
        make = shape([(number(x), number(y)) for x, y in pairs])
    elif entry.tag == "mask":
        left, top, width, height = (number(entry.get(key, "")) for key in ("left", "top", "width", "height"))
        make = outlined(flat(left, top, left + width, top + height))
    elif entry.tag == "ellipse":
        cx, cy, rx, ry = (number(entry.get(key, "")) for key in ("cx", "cy", "rx", "ry"))
        make = outlined(flat(cx - rx, cy - ry, cx + rx, cy + ry, number(entry.get("rotation", "0"))))
    else:
        raise LabelError(f"{entry.tag} is no box")
    said = {"origin": _SOURCES.get(entry.get("source", ""), "import")} | label_fields(_attributes(entry))
    return ForeignLabel(name, make, where, **said)


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    root = Element("annotations")
    SubElement(root, "version").text = "1.1"
    splits = sorted({split_folder(member.photo) for member in photos})
    divided = splits != ["unsplit"]
    # a project has subsets and a task has none: readers look for a photo's subset only where a project names it
    task = SubElement(SubElement(root, "meta"), "project" if divided else "task")
    if divided:
        listed = SubElement(task, "subsets")
        for split in splits:
            SubElement(listed, "subset").text = split
    SubElement(task, "size").text = str(len(photos))
    SubElement(task, "mode").text = "annotation"
    known = SubElement(task, "labels")
    for code in CLASSES:
        _declare(known, code, "rectangle", ("confidence", "checked"))
    _declare(known, TAG, "tag", ("scene", "source", "licence", "consent", "hidden_backs", "empty"))
    for place, member in enumerate(photos):
        info = member.photo
        out.photo(f"images/{info.name}", info)
        values = {"id": str(place), "name": info.name} | ({"subset": split_folder(info)} if divided else {})
        image = SubElement(root, "image", values | {"width": str(info.size[0]), "height": str(info.size[1])})
        for label in member.labels:
            box = label.box
            values = {"label": label.tile, "occluded": "0", "source": _ORIGINS[label.origin]}
            values |= {"xtl": f"{box.x1:.2f}", "ytl": f"{box.y1:.2f}", "xbr": f"{box.x2:.2f}", "ybr": f"{box.y2:.2f}"}
            if box.angle:
                values["rotation"] = f"{box.angle:.2f}"
            entry = SubElement(image, "box", values | {"z_order": "0"})
            if label.confidence is not None:
                SubElement(entry, "attribute", {"name": "confidence"}).text = str(label.confidence)
            SubElement(entry, "attribute", {"name": "checked"}).text = "true" if label.checked else "false"
        _about(image, info)
    out.text("annotations.xml", xml_text(root))


def _declare(parent: Element, name: str, kind: str, attributes: Sequence[str]) -> None:
    entry = SubElement(parent, "label")
    SubElement(entry, "name").text = name
    SubElement(entry, "type").text = kind
    listed = SubElement(entry, "attributes")
    for attribute in attributes:
        values = SubElement(listed, "attribute")
        checkbox = attribute in ("checked", "hidden_backs", "empty")
        for key, value in (
            ("name", attribute),
            ("mutable", "False"),
            ("input_type", "checkbox" if checkbox else "text"),
            ("default_value", "false" if checkbox else ""),
            ("values", ""),
        ):
            SubElement(values, key).text = value


def _about(image: Element, info: PhotoInfo) -> None:
    said = {"scene": info.scene, "source": info.source, "licence": info.licence, "consent": info.consent}
    said |= {"hidden_backs": "true"} if info.hidden_backs else {}
    said |= {"empty": "true"} if info.empty else {}
    if any(said.values()):
        tag = SubElement(image, "tag", {"label": TAG, "source": "file"})
        for key, value in said.items():
            if value:
                SubElement(tag, "attribute", {"name": key}).text = value


CVAT = LabelFormat(
    name="cvat",
    title="CVAT",
    fits=fits,
    read=read,
    write=_write,
    holds=ALL,
    place={
        "zh": "轉過的框：`rotation`；來源：`source` 與屬性；場景等：標籤 `photo`",
        "en": "turned boxes: `rotation`; origin: `source` and attributes; scene and the like: tag `photo`",
    },
)
