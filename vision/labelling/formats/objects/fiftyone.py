"""FiftyOne (Voxel51): ``labels.json`` of a detection dataset, or ``samples.json`` of a whole one. Boxes are x, y,
width, height in shares of the photo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vision.labelling.formats.boxes import MakeBox, number, share_box, share_shape
from vision.labelling.formats.document import Document
from vision.labelling.formats.foreign import (
    ForeignLabel,
    ForeignPhoto,
    Gathered,
    LabelFormat,
    confidence_of,
    items,
    mapping,
    size_of,
    split_named,
    split_of,
)
from vision.labelling.labels import LabelError
from vision.labelling.quality.report import Report


def _samples(value: Mapping[str, object]) -> list[dict[str, object]]:
    return [sample for sample in map(mapping, items(value.get("samples"))) if "filepath" in sample]


def fits(document: Document) -> bool:
    """Labels by photo with their classes, samples with file paths, or the description beside the samples."""
    value = mapping(document.value) if document.kind == "json" else {}
    if isinstance(value.get("labels"), dict) and "classes" in value:
        return True
    described = document.name in ("metadata.json", "frames.json") and (
        "sample_fields" in value or "frames" in value or "default_classes" in value
    )
    return bool(_samples(value)) or described


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    value, path = document.value, document.path
    for sample in _samples(value):
        about = split_of(path)
        for tag in items(sample.get("tags")):
            about = split_named(tag) or about
        size = mapping(sample.get("metadata"))
        gathered = Gathered(report)
        for field, drawn in sample.items():
            for n, entry in enumerate(_drawn(drawn)):
                gathered.add(f"{path}, {sample['filepath']}, {field}[{n}]", _label, entry, [])
        size_given = size_of(size.get("width"), size.get("height"))
        yield gathered.photo(str(sample["filepath"]), path, size_given, about=about)
    if _samples(value) or not isinstance(value.get("labels"), dict):
        return
    for file, entries in value["labels"].items():
        gathered = Gathered(report)
        for n, entry in enumerate(map(mapping, items(entries))):
            gathered.add(f"{path}, {file}[{n}]", _label, entry, items(value.get("classes")))
        yield gathered.photo(file, path, about=split_of(path))


def _drawn(value: object) -> list[dict[str, object]]:
    """The detections or closed lines in a field of a sample."""
    kinds = {"Detections": "detections", "Polylines": "polylines"}
    field = mapping(value)
    if field.get("_cls") in ("Detection", "Polyline"):
        return [field]
    return [mapping(entry) for entry in items(field.get(kinds.get(str(field.get("_cls")), "")))]


def _label(entry: Mapping[str, object], classes: Sequence[object], where: str) -> ForeignLabel:
    name = entry.get("label")
    if isinstance(name, int) and 0 <= name < len(classes or []):
        name = classes[name]
    if not isinstance(name, str):
        raise LabelError("no_class_in", field="label")
    sure = confidence_of(entry.get("confidence"))
    return ForeignLabel(name, _make(entry), where, "model" if sure else "import", **sure)


def _make(entry: Mapping[str, object]) -> MakeBox:
    if "points" in entry:
        lines = items(entry["points"])
        if len(lines) != 1 or len(items(lines[0])) < 3:
            raise LabelError("shape_no_box", shape="polyline")
        return share_shape([(number(x), number(y)) for x, y in lines[0]])
    box = items(entry.get("bounding_box"))
    if len(box) != 4:
        raise LabelError("fields_wanted", field="bounding_box", wanted="x, y, width, height")
    x, y, w, h = (number(value) for value in box)
    return share_box(x, y, x + w, y + h)


FIFTY_ONE = LabelFormat(
    name="fiftyone",
    title="FiftyOne",
    fits=fits,
    read=read,
    place={"zh": "`labels.json`、`samples.json`", "en": "`labels.json`, `samples.json`"},
)
