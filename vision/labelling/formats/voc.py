"""Pascal VOC: an XML a photo in ``Annotations/``. Pixels are counted from 1 and both ends belong to the box, as the
development kit says; parts of a pixel are written where a box has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement

from vision.labelling.formats.foreign import (
    Document,
    ForeignLabel,
    ForeignPhoto,
    LabelFormat,
    Output,
    by_split,
    flat,
    number,
    size_of,
    split_of,
    stem,
)
from vision.labelling.formats.parsing.xml_text import xml_text
from vision.labelling.labels import LabelError, LabelledPhoto
from vision.labelling.quality.report import Report
from vision.models.manifest import CLASSES


def fits(document: Document) -> bool:
    """Whether an XML document is of this format."""
    return document.kind == "xml" and document.value.tag == "annotation"


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The one photo of a file."""
    root, path = document.value, document.path
    labels = []
    for place, entry in enumerate(root.findall("object")):
        where = f"{path}, object[{place}]"
        name, bounds = entry.findtext("name"), entry.find("bndbox")
        try:
            if not name or bounds is None:
                raise LabelError("expected name and bndbox")
            x1, y1, x2, y2 = (number(bounds.findtext(key) or "") for key in ("xmin", "ymin", "xmax", "ymax"))
            labels.append(
                ForeignLabel(name.strip(), flat(min(x1, x2) - 1, min(y1, y2) - 1, max(x1, x2), max(y1, y2)), where)
            )
        except LabelError as error:
            report.set_aside(where, "because", reason=str(error))
    size = size_of(root.findtext("size/width"), root.findtext("size/height"))
    source = root.findtext("source/database")
    about = split_of(path) | ({"source": source.strip()} if source and source.strip() not in ("", "Unknown") else {})
    file = root.findtext("filename") or path.rsplit("/", 1)[-1].removesuffix(".xml")
    yield ForeignPhoto(file.strip(), path, tuple(labels), size, about, lost=len(root.findall("object")) - len(labels))


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
            for key, said in (("name", label.tile), ("pose", "Unspecified"), ("truncated", "0"), ("difficult", "0")):
                SubElement(entry, key).text = said
            bounds = SubElement(entry, "bndbox")
            upright = label.box.upright()
            box = upright.clipped(*info.size) or upright
            for key, edge in (("xmin", box.x1 + 1), ("ymin", box.y1 + 1), ("xmax", box.x2), ("ymax", box.y2)):
                SubElement(bounds, key).text = f"{edge:.2f}".rstrip("0").rstrip(".")
        out.text(f"Annotations/{stem(info)}.xml", xml_text(root))
    out.text(
        "labelmap.txt", "# label:color_rgb:parts:actions\nbackground:0,0,0::\n" + "".join(f"{c}:::\n" for c in CLASSES)
    )
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
