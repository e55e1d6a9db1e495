"""查看: what a model sees on each photo of a set, and what it makes of the labelled boxes; the work of a large run."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.detection.types import Detection
from vision.labelling.batch import Journal, Outcome, Pool, RayPool, Task, run
from vision.labelling.labels import Box, LabelledPhoto
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES, NONE, WEIGHTS, find_models
from vision.photo.image import load_photo
from vision.reading.pipeline import Reader

READINGS = "readings"


@dataclass(frozen=True)
class Opinion:
    """What a model says of one labelled box: the probability of the label's tile, its own best name (``none``: no tile)
    and how likely that is."""

    labelled: float
    best: str
    confidence: float


@dataclass(frozen=True)
class Seen:
    """What a model saw on a photo: its tiles, its opinion of each label in their order, the keys of the reading's
    warnings, and the milliseconds it took."""

    detections: tuple[Detection, ...]
    opinions: tuple[Opinion, ...]
    warnings: tuple[str, ...]
    ms: float


@functools.cache
def _reader(models: str) -> Reader:
    """Loaded once in each worker."""
    return Reader.load(Path(models) if models else None)


def model_name(models: Path | None) -> str:
    """Twelve digits that differ where the weights differ. Raises ModelError."""
    if models is not None and models.suffix in (".onnx", ".pt"):
        return hashlib.sha256(models.read_bytes()).hexdigest()[:12]
    return name_of(find_models(models).manifest)


def name_of(manifest: Mapping[str, Any]) -> str:
    """The same, of a model whose manifest is read already."""
    said = json.dumps([manifest[part] for part in WEIGHTS if part in manifest], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def look_at(payload: dict[str, Any]) -> dict[str, Any]:
    """The work on one photo: ``photo`` (bytes or a path), ``labels`` ([tile, x1, y1, x2, y2] each), ``models``."""
    source = payload["photo"]
    photo = load_photo(source if isinstance(source, bytes) else Path(source))
    reader = _reader(payload["models"])
    reading = reader.read(photo)
    tiles = [
        [d.tile, *(round(v, 1) for v in d.box), round(d.confidence, 4), round(d.score, 4)] for d in reading.detections
    ]
    opinions: list[list[Any]] = []
    if payload["labels"] and reader.recognizer is not None:
        sx, sy = photo.scale
        boxes = np.array([label[1:] for label in payload["labels"]], dtype=np.float64) / (sx, sy, sx, sy)
        for label, row in zip(payload["labels"], reader.recognizer.read(photo.pixels, boxes), strict=True):
            best = int(np.argmax(row))
            name = (*CLASSES, NONE)[best]
            opinions.append([round(float(row[CLASSES.index(label[0])]), 4), name, round(float(row[best]), 4)])
    warnings = [warning.key for warning in reading.warnings]
    return {"tiles": tiles, "opinions": opinions, "warnings": warnings, "ms": float(reading.ms["total"])}


def key_of(photo: LabelledPhoto) -> str:
    """Photo and labelled boxes: when a box changes, it is looked at again."""
    boxes = json.dumps([[label.tile, *label.box.outline] for label in photo.labels])
    return f"{photo.photo.id[:24]}-{hashlib.sha256(boxes.encode()).hexdigest()[:8]}"


def _seen(result: dict[str, Any]) -> Seen:
    detections = tuple(
        Detection(tile, (x1, y1, x2, y2), confidence, (), score)
        for tile, x1, y1, x2, y2, confidence, score in result["tiles"]
    )
    opinions = tuple(Opinion(*values) for values in result["opinions"])
    return Seen(detections, opinions, tuple(result["warnings"]), result["ms"])


def examine(
    store: DatasetStore,
    photos: Iterable[LabelledPhoto],
    pool: Pool,
    models: Path | None = None,
    progress: Any = None,
) -> tuple[dict[str, Seen], Outcome, Report]:
    """What the model sees on each photo, by the photo's id. Looked at once for each state of a photo and each model:
    the journal stands in the dataset's ``readings/``. Photos that could not be read stand in the report."""
    name = model_name(models)
    journal = Journal(store.folder / READINGS / f"{name}.jsonl", {"work": "look_at", "model": name, "form": 1})
    wanted = {key_of(photo): photo for photo in photos}
    remote = isinstance(pool, RayPool)
    outcome = run(_tasks(store, wanted, models, remote), look_at, journal, pool, progress)
    report = Report()
    seen: dict[str, Seen] = {}
    for key, photo in wanted.items():
        result = journal.results[key]
        if "error" in result:
            report.set_aside(photo.photo.name, "work_failed", reason=result["error"])
        else:
            seen[photo.photo.id] = _seen(result)
    report.counts.update(done=outcome.done, earlier=outcome.earlier, restarts=outcome.deaths)
    return seen, outcome, report


def _tasks(store: DatasetStore, wanted: dict[str, LabelledPhoto], models: Path | None, remote: bool) -> Iterator[Task]:
    for key, photo in wanted.items():

        def payload(photo: LabelledPhoto = photo) -> dict[str, Any]:
            file = store.photo_file(photo.photo)
            labels = [[label.tile, *label.box.outline] for label in photo.labels]
            # A machine of a cluster may not have this folder: it is sent the photo itself.
            return {"photo": file.read_bytes() if remote else str(file), "labels": labels, "models": str(models or "")}

        yield Task(key, payload)


def box_of(detection: Detection, size: tuple[int, int]) -> Box | None:
    """A detection's box inside the photo."""
    x1, y1, x2, y2 = detection.box
    return Box(x1, y1, x2, y2).clipped(*size) if min(x2 - x1, y2 - y1) >= 2 else None
