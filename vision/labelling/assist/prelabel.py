"""預先標記: the model's tiles as labels to be checked; and how well it reads the labelled photos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vision.detection.filtering import certainty
from vision.detection.measure import Label as Truth
from vision.detection.measure import compare, summarize
from vision.labelling.labels import Label, LabelledPhoto
from vision.labelling.quality.examine import Seen, box_of
from vision.labelling.quality.report import Report
from vision.labelling.store import Conflict, DatasetStore


def to_prelabel(photos: Sequence[LabelledPhoto]) -> list[LabelledPhoto]:
    """Photos without labels of a person or an import: empty ones, and ones with unchecked boxes of a model. A photo
    whose labels could not be read is not among them."""
    return [
        photo
        for photo in photos
        if not photo.photo.empty
        and (photo.labels or not photo.photo.partial)
        and all(label.origin == "model" and not label.checked for label in photo.labels)
    ]


def prelabel(store: DatasetStore, photos: Sequence[LabelledPhoto], seen: dict[str, Seen], report: Report) -> None:
    """Store the model's detections as unchecked labels. A photo that somebody saved meanwhile stays as it is.

    Args:
        store: the set.
        photos: to be labelled.
        seen: the model's detections, by the photo's id.
        report: takes photos that were set aside.
    """
    with store.together():
        for photo in photos:
            info = photo.photo
            if info.id not in seen:
                continue
            labels = []
            for detection in seen[info.id].detections:
                box = box_of(detection, info.size)
                if box:
                    confidence = certainty(detection)
                    labels.append(Label(detection.tile, box, "model", confidence))
            try:
                store.save(info.id, labels, info.revision)
                report.counts["prelabelled"] += 1
                report.counts["labels_added"] += len(labels)
            except Conflict:
                report.set_aside(info.name, "changed_meanwhile")


def evaluate(photos: Sequence[LabelledPhoto], seen: dict[str, Seen]) -> dict[str, Any]:
    """The contract's numbers for the photos that were looked at."""
    sheets = []
    for photo in photos:
        if photo.photo.id in seen:
            looked = seen[photo.photo.id]
            truth = [Truth(label.tile, label.box.outline) for label in photo.labels]
            info = photo.photo
            sheets.append(compare(info.name, info.scene, truth, looked.detections, looked.ms, info.hidden_backs))
    return summarize(sheets)
