"""Lists of cloud services, a photo per line: SageMaker Ground Truth and Rekognition (pixels), Azure Machine Learning
and Vertex AI (shares of the photo)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vision.labelling.formats.boxes import flat, number, share_box
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
    text,
)
from vision.labelling.labels import Origin
from vision.labelling.quality.report import Report

_VERTEX_SPLIT = "aiplatform.googleapis.com/ml_use"


def _jobs(row: Mapping[str, object]) -> list[str]:
    """The keys of SageMaker's labels: their metadata has the same key with an ending."""
    return [key for key, value in row.items() if f"{key}-metadata" in row and "annotations" in mapping(value)]


def fits(document: Document) -> bool:
    """Lines that name a photo in one of the ways of these services, and boxes in any of them."""
    rows = [mapping(row) for row in document.value] if document.kind == "lines" else []
    if not rows:
        return False
    return (
        (all("source-ref" in row for row in rows) and any(map(_jobs, rows)))
        or all("imageGcsUri" in row and "boundingBoxAnnotations" in row for row in rows)
        or all("image_url" in row and isinstance(row.get("label"), list) for row in rows)
    )


def read(document: Document, report: Report) -> Iterator[ForeignPhoto]:
    """The photos of one file."""
    path = document.path
    for place, row in enumerate(map(mapping, document.value), start=1):
        gathered, size, about = Gathered(report), None, {}
        for job in _jobs(row):
            metadata, size_given = (
                mapping(row[f"{job}-metadata"]),
                mapping([*items(row[job].get("image_size")), None][0]),
            )
            size = size_of(size_given.get("width"), size_given.get("height"))
            sure = [mapping(entry) for entry in items(metadata.get("objects"))]
            for n, entry in enumerate(map(mapping, items(row[job]["annotations"]))):
                machine = sure[n] if metadata.get("human-annotated") == "no" and n < len(sure) else {}
                classes = mapping(metadata.get("class-map"))
                gathered.add(f"{path}, {place}[{n}]", _sagemaker, entry, classes, machine.get("confidence"))
        for n, entry in enumerate(map(mapping, items(row.get("boundingBoxAnnotations")))):
            gathered.add(f"{path}, {place}[{n}]", _vertex, entry)
            about = split_named(mapping(row.get("dataItemResourceLabels")).get(_VERTEX_SPLIT))
        for n, entry in enumerate(map(mapping, items(row.get("label")))):
            gathered.add(f"{path}, {place}[{n}]", _azure, entry)
            details = mapping(row.get("image_details"))
            size = size_of(details.get("width"), details.get("height"))
        file = next(str(row[key]) for key in ("source-ref", "imageGcsUri", "image_url") if key in row)
        yield gathered.photo(file, path, size, about=about)


def _sagemaker(entry: Mapping[str, object], classes: Mapping[str, object], sure: object, where: str) -> ForeignLabel:
    left, top, width, height = (number(entry.get(key)) for key in ("left", "top", "width", "height"))
    name = classes.get(str(entry.get("class_id")), str(entry.get("class_id")))
    confidence = confidence_of(sure)
    origin: Origin = "model" if confidence else "import"
    return ForeignLabel(str(name), flat(left, top, left + width, top + height), where, origin, **confidence)


def _vertex(entry: Mapping[str, object], where: str) -> ForeignLabel:
    make = share_box(*(number(entry.get(key, 0)) for key in ("xMin", "yMin", "xMax", "yMax")))
    return ForeignLabel(text(entry.get("displayName"), "displayName"), make, where)


def _azure(entry: Mapping[str, object], where: str) -> ForeignLabel:
    make = share_box(*(number(entry.get(key)) for key in ("topX", "topY", "bottomX", "bottomY")))
    return ForeignLabel(text(entry.get("label"), "label"), make, where)


CLOUD = LabelFormat(
    name="cloud-lists",
    title={"zh": "雲端服務的清單", "en": "Lists of cloud services"},
    fits=fits,
    read=read,
    place={
        "zh": "SageMaker、Rekognition 的 `.manifest`；Azure ML、Vertex AI 的 `.jsonl`",
        "en": "`.manifest` of SageMaker and Rekognition; `.jsonl` of Azure ML and Vertex AI",
    },
)
