"""Pascal VOC: an XML per photo in ``Annotations/``. Pixels are counted from 1 and both ends belong to the box, as in
the development kit. Parts of a pixel are written if a box has them.

Also read: ``robndbox`` of roLabelImg (middle, size, radians) and the polygons of LabelMe's old XML.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element, SubElement

from vision.labelling.formats.boxes import MakeBox, flat, middled, number, shape, topped
from vision.labelling.formats.document import Document, Files
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    Output,
    by_split,
    size_of,
    split_of,
    stem,
)
from vision.labelling.formats.parsing.xml_text import xml_text
from vision.labelling.labels import Box, LabelError, LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.own.names import shown_name
from vision.labelling.quality.report import Report

_NO_SOURCE = ("", "Unknown", "Unspecified")


def fits(document: Document) -> bool:
    """An XML of one photo, or the lists of photos and classes beside it."""
    if document.kind == "xml":
        return bool(document.value.tag == "annotation")
    listed = "ImageSets" in document.path.split("/")[:-1] or document.name == "labelmap.txt"
    return document.kind == "text" and listed and not document.files.has_photo(document.path)


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The one photo of a file."""
    if document.kind == "text":
        return
    splits = document.files.once(_image_sets, report)
    root, path = document.value, document.path
    gathered = Gathered(report)
    for place, entry in enumerate(root.findall("object")):
        gathered.add(f"{path}, object[{place}]", _label, entry)
    file = (root.findtext("filename") or PurePosixPath(path).stem).strip()
    size = size_of(root.findtext("size/width"), root.findtext("size/height"))
    source = (root.findtext("source/database") or "").strip()
    split = splits.get(PurePosixPath(file).stem) or splits.get(PurePosixPath(path).stem)
    about = ({"split": split} if split else {}) | split_of(path)
    about |= {} if source in _NO_SOURCE else {"source": source}
    yield gathered.photo(file, path, size, about=about, alone=True)


def _label(entry: Element, where: str) -> ForeignLabel:
    name = entry.findtext("name")
    if not name or not name.strip():
        raise LabelError("fields_missing", fields="name, bndbox")
    return ForeignLabel(name.strip(), _make(entry), where)


def _make(entry: Element) -> MakeBox:
    turned, bounds, corners = entry.find("robndbox"), entry.find("bndbox"), entry.findall("polygon/pt")
    if turned is not None:
        cx, cy, w, h, angle = (number(turned.findtext(key) or "") for key in ("cx", "cy", "w", "h", "angle"))
        make = middled(cx, cy, w, h, math.degrees(angle))
        return lambda width, height: (topped(make(width, height)[0]), True)
    if bounds is not None:
        x1, y1, x2, y2 = (number(bounds.findtext(key) or "") for key in ("xmin", "ymin", "xmax", "ymax"))
        return flat(min(x1, x2) - 1, min(y1, y2) - 1, max(x1, x2), max(y1, y2))
    if len(corners) >= 3:
        return shape([(number(point.findtext("x") or ""), number(point.findtext("y") or "")) for point in corners])
    raise LabelError("fields_missing", fields="name, bndbox")


def _image_sets(files: Files, report: Report) -> dict[str, str]:
    """The split of each photo by its stem, from the lists of ``ImageSets`` that have the name of one."""
    splits: dict[str, str] = {}
    for path in files.paths:
        pure = PurePosixPath(path)
        if "ImageSets" not in pure.parts or pure.stem not in ("train", "val", "test"):
            continue
        try:
            splits |= {line.split()[0]: pure.stem for line in files.text(path).split("\n") if line.strip()}
        except LabellingError as error:
            report.refuse(path, error)
        files.limits.count(len(splits))
    return splits


def _write(photos: Sequence[LabelledPhoto], out: Output) -> None:
    for member in photos:
        info = member.photo
        out.photo(f"JPEGImages/{info.name}", info)
        root = Element("annotation")
        SubElement(root, "folder").text = "JPEGImages"
        SubElement(root, "filename").text = info.name
        SubElement(SubElement(root, "source"), "database").text = info.source or "Unknown"
        size = SubElement(root, "size")
        for key, value in (("width", info.size[0]), ("height", info.size[1]), ("depth", 3)):
            SubElement(size, key).text = str(value)
        SubElement(root, "segmented").text = "0"
        for label in member.labels:
            entry = SubElement(root, "object")
            constants = ("pose", "Unspecified"), ("truncated", "0"), ("difficult", "0")
            for key, constant in (("name", shown_name(label.tile)), *constants):
                SubElement(entry, key).text = constant
            bounds = SubElement(entry, "bndbox")
            upright: Box = label.box.upright()
            box = upright.clipped(*info.size) or upright
            for key, edge in (("xmin", box.x1 + 1), ("ymin", box.y1 + 1), ("xmax", box.x2), ("ymax", box.y2)):
                SubElement(bounds, key).text = f"{edge:.2f}".rstrip("0").rstrip(".")
        out.text(f"Annotations/{stem(info)}.xml", xml_text(root))
    known = "".join(f"{shown_name(code)}:::\n" for code in out.codes)
    out.text("labelmap.txt", f"# label:color_rgb:parts:actions\nbackground:0,0,0::\n{known}")
    for split, members in by_split(photos).items():
        name = "default" if split == "unsplit" else split
        out.text(f"ImageSets/Main/{name}.txt", "".join(f"{stem(member.photo)}\n" for member in members))


VOC = LabelFormat(
    name="voc",
    title="Pascal VOC",
    fits=fits,
    read=read,
    write=_write,
    holds=frozenset({"source", "split"}),
    place={"zh": "分組：`ImageSets/Main`", "en": "split: `ImageSets/Main`"},
)
