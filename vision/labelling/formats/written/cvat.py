"""CVAT for images 1.1: one ``annotations.xml``. A turned box is a box with a ``rotation``; ``source`` is manual, auto
or file. Fields that CVAT does not know are attributes of the box and of a tag named ``photo``.

CVAT for video 1.1 is read too: the boxes of its tracks belong to frames, which are the photos in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from vision.labelling.formats.boxes import MakeBox, flat, number, outlined, shape
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ALL,
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    Output,
    label_fields,
    photo_fields,
    size_of,
    split_folder,
    split_of,
)
from vision.labelling.formats.parsing.xml_text import xml_text
from vision.labelling.labels import LabelError, LabelledPhoto, Origin, PhotoInfo
from vision.labelling.messages import shown
from vision.labelling.own.names import shown_name
from vision.labelling.quality.report import Report

_SOURCES: dict[str, Origin] = {"manual": "person", "auto": "model", "semi-auto": "model", "file": "import"}
_ORIGINS = {"person": "manual", "model": "auto", "import": "file"}
TAG = "photo"


def fits(document: Document) -> bool:
    """An XML of CVAT."""
    return bool(document.kind == "xml" and document.value.tag == "annotations")


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    root, path = document.value, document.path
    if root.find("track") is not None:
        yield from _tracks(document, report)
    for entry in root.findall("image"):
        file = entry.get("name")
        if not file:
            report.refuse(f"{path}, image {entry.get('id')}", LabelError("fields_missing", fields="name"))
            continue
        gathered = Gathered(report)
        about = split_of(f"{entry.get('subset')}/_")
        for place, child in enumerate(entry):
            if child.tag != "tag":
                gathered.add(f"{path}, {file}[{place}]", _label, child, child.get("label"), child.get("source"))
            elif child.get("label") == TAG:
                about |= photo_fields(_attributes(child))
        yield gathered.photo(file, path, size_of(entry.get("width"), entry.get("height")), about=about)


def _tracks(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of the frames of all tracks."""
    root, path = document.value, document.path
    frames: dict[int, Gathered] = {}
    for track in root.findall("track"):
        for place, child in enumerate(track):
            where = f"{path}, track {track.get('id')}[{place}]"
            frame = child.get("frame", "")
            if not frame.isdigit():
                report.refuse(where, LabelError("fields_missing", fields="frame"))
            elif child.get("outside") != "1":
                gathered = frames.setdefault(int(frame), Gathered(report))
                gathered.add(where, _label, child, track.get("label"), track.get("source"))
    size = size_of(root.findtext("meta//original_size/width"), root.findtext("meta//original_size/height"))
    names = _frames(document)
    for frame, gathered in sorted(frames.items()):
        yield gathered.photo(names.get(frame, f"frame_{frame:06}"), path, size)


def _frames(document: Document) -> dict[int, str]:
    """The photo of each frame: by the number in its name as CVAT writes frames, else by order if none is missing."""
    facts = {key: document.value.findtext(f"meta//{key}") or "" for key in ("size", "start_frame", "frame_filter")}
    count = int(facts["size"]) if facts["size"].isdigit() else 0
    start = int(facts["start_frame"]) if facts["start_frame"].isdigit() else 0
    step = int(match[1]) if (match := re.search(r"step=(\d+)", facts["frame_filter"])) else 1
    near = f"{document.folder}/" if document.folder else ""
    pictures = [path for path in document.files.pictures if path.startswith(near)]
    numbered = {
        int(digits[1]): path for path in pictures if (digits := re.search(r"frame_(\d{6,})$", PurePosixPath(path).stem))
    }
    if numbered or len(pictures) != count:
        return numbered
    return {start + step * place: path for place, path in enumerate(sorted(pictures))}


def _attributes(entry: Element) -> dict[str, Any]:
    return {child.get("name", ""): (child.text or "").strip() for child in entry.findall("attribute")}


def _label(entry: Element, name: str | None, source: str | None, where: str) -> ForeignLabel:
    if not name:
        raise LabelError("no_class_in", field=shown(entry.tag))
    fields = {"origin": _SOURCES.get(source or "", "import")} | label_fields(_attributes(entry))
    return ForeignLabel(name, _make(entry), where, **fields)


def _make(entry: Element) -> MakeBox:
    def values(*keys: str) -> list[float]:
        return [number(entry.get(key, "")) for key in keys]

    turn = number(entry.get("rotation", "0"))
    if entry.tag == "box":
        x1, y1, x2, y2 = values("xtl", "ytl", "xbr", "ybr")
        return flat(x1, y1, x2, y2, turn)
    if entry.tag == "polygon":
        points = [pair.split(",") for pair in entry.get("points", "").split(";") if pair.strip()]
        if len(points) < 3 or any(len(pair) != 2 for pair in points):
            raise LabelError("points_wanted")
        return shape([(number(x), number(y)) for x, y in points])
    if entry.tag == "mask":
        left, top, width, height = values("left", "top", "width", "height")
        return outlined(flat(left, top, left + width, top + height))
    if entry.tag == "ellipse":
        cx, cy, rx, ry = values("cx", "cy", "rx", "ry")
        return outlined(flat(cx - rx, cy - ry, cx + rx, cy + ry, turn))
    raise LabelError("shape_no_box", shape=shown(entry.tag))


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    root = Element("annotations")
    SubElement(root, "version").text = "1.1"
    splits = sorted({split_folder(member.photo) for member in photos})
    divided = splits != ["unsplit"]
    # a task has no subsets: readers look for a photo's subset only if a project names it
    task = SubElement(SubElement(root, "meta"), "project" if divided else "task")
    if divided:
        listed = SubElement(task, "subsets")
        for split in splits:
            SubElement(listed, "subset").text = split
    SubElement(task, "size").text = str(len(photos))
    SubElement(task, "mode").text = "annotation"
    known = SubElement(task, "labels")
    for code in out.codes:
        _declare(known, shown_name(code), "rectangle", ("confidence", "checked"))
    _declare(known, TAG, "tag", ("scene", "source", "licence", "consent", "hidden_backs", "empty"))
    for place, member in enumerate(photos):
        info = member.photo
        out.photo(f"images/{info.name}", info)
        values = {"id": str(place), "name": info.name} | ({"subset": split_folder(info)} if divided else {})
        image = SubElement(root, "image", values | {"width": str(info.size[0]), "height": str(info.size[1])})
        for label in member.labels:
            box = label.box
            values = {"label": shown_name(label.tile), "occluded": "0", "source": _ORIGINS[label.origin]}
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
    values = {"scene": info.scene, "source": info.source, "licence": info.licence, "consent": info.consent}
    values |= {"hidden_backs": "true"} if info.hidden_backs else {}
    values |= {"empty": "true"} if info.empty else {}
    if any(values.values()):
        tag = SubElement(image, "tag", {"label": TAG, "source": "file"})
        for key, value in values.items():
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
