"""預先標記: the model's tiles as labels to be checked; and how well it reads the labelled photos."""

from __future__ import annotations

from collections.abc import Sequence

from vision.detection.filtering import certainty
from vision.detection.measure import Label as Truth
from vision.detection.measure import compare, summarize
from vision.labelling.assist.renew import waiting
from vision.labelling.labels import Box, Label, LabelledPhoto
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


def to_renew(photos: Sequence[LabelledPhoto]) -> list[LabelledPhoto]:
    """Photos of :func:`to_prelabel`, and those with some unchecked boxes of a model beside a person's."""
    fresh = {photo.photo.id for photo in to_prelabel(photos)}
    return [photo for photo in photos if photo.photo.id in fresh or (waiting(photo.labels) and not photo.photo.partial)]


def prelabel(store: DatasetStore, photos: Sequence[LabelledPhoto], seen: dict[str, Seen], report: Report) -> None:
    """Store the model's detections as unchecked labels. A person's boxes stay, and so does a photo that somebody saved
    meanwhile.

    Args:
        store: the set.
        photos: to be labelled.
        seen: the model's detections, by the photo's id.
        report: takes photos that were set aside.
    """
    names = store.names
    with store.together():
        for photo in photos:
            info = photo.photo
            if info.id not in seen:
                continue
            labels = [label for label in photo.labels if label.checked or label.origin != "model"]
            kept = [label.box for label in labels]
            for detection in seen[info.id].detections:
                box = box_of(detection, info.size)
                if box and not any(_inside(box, other) for other in kept):
                    confidence = certainty(detection)
                    labels.append(names.of_model(Label(detection.tile, box, "model", confidence)))
            try:
                store.save(info.id, labels, info.revision)
                report.counts["prelabelled"] += 1
                report.counts["labels_added"] += len(labels) - len(kept)
            except Conflict:
                report.set_aside(info.name, "changed_meanwhile")


def _inside(box: Box, other: Box) -> bool:
    """Whether the centre of a box is in another one."""
    (x, y), (x1, y1, x2, y2) = box.center, other.outline
    return x1 < x < x2 and y1 < y < y2


def evaluate(photos: Sequence[LabelledPhoto], seen: dict[str, Seen]) -> dict[str, object]:
    """The contract's numbers for the photos that were looked at."""
    sheets = []
    for photo in photos:
        if photo.photo.id in seen:
            looked = seen[photo.photo.id]
            truth = [Truth(label.tile, label.box.outline) for label in photo.labels]
            info = photo.photo
            sheets.append(
                compare(info.name, info.scene, truth, looked.detections, looked.ms, unlabelled_backs=info.hidden_backs)
            )
    return summarize(sheets)
