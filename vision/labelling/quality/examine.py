"""查看: a model's detections on each photo of a set, and its opinion of the labelled boxes, for large runs."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from vision.detection.classifier import faces_of, name_tiles
from vision.detection.coloured_light import search
from vision.detection.types import Detection
from vision.labelling.assist.scene_memory import memory_in_use
from vision.labelling.batch import Journal, Outcome, Pool, RayPool, Task, run
from vision.labelling.labels import Box, Label, LabelledPhoto
from vision.labelling.quality.missed import Missed, missed
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.messages import MessageError
from vision.models.manifest import CLASSES, NONE, WEIGHTS, find_models
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader
from vision.tileset.chosen import chosen_for_scene
from vision.tileset.store import TileSetStore

READINGS = "readings"


@dataclass(frozen=True)
class Opinion:
    """A model's opinion of one labelled box: the probability of the label's tile, and its own best name (``none``: no
    tile) with its probability."""

    labelled: float
    best: str
    confidence: float


@dataclass(frozen=True)
class Seen:
    """A model's result for a photo: its tiles, an opinion of each label in order, the keys of the reading's warnings,
    the time in milliseconds, and places that may be missing a label."""

    detections: tuple[Detection, ...]
    opinions: tuple[Opinion, ...]
    warnings: tuple[str, ...]
    ms: float
    missed: tuple[Missed, ...] = ()


@functools.cache
def _reader(models: str) -> Reader:
    """Loaded once in each worker."""
    return Reader.load(Path(models) if models else None, checkpoints=True)


def model_name(models: Path | None) -> str:
    """Twelve digits that identify the weights. Raises ModelError."""
    if models is not None and models.suffix in (".onnx", ".pt"):
        return hashlib.sha256(models.read_bytes()).hexdigest()[:12]
    return name_of(find_models(models).manifest)


def name_of(manifest: Mapping[str, object]) -> str:
    """The same, of a model whose manifest is read already."""
    text = json.dumps([manifest[part] for part in WEIGHTS if part in manifest], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@functools.lru_cache(maxsize=4)
def _matcher(models: str, root: str, name: str, state: int) -> Any:
    """A prepared tile set, once per worker and ``state`` of its files. None if it is damaged, or if the networks cannot
    compare tiles: the photo is still read."""
    try:
        return _reader(models).matcher(TileSetStore(Path(root)).load(name))
    except (MessageError, OSError):
        return None


def look_at(payload: dict[str, Any]) -> dict[str, Any]:
    """The work on one photo: ``photo`` (bytes or a path), ``labels`` ([tile, x1, y1, x2, y2] each), ``models``, and
    optionally ``tile_set`` (root, name, state) of its tiles."""
    source = payload["photo"]
    photo = load_photo(source if isinstance(source, bytes) else Path(source))
    reader = _reader(payload["models"])
    everything: list[Detection] = []
    if reader.classifier is not None:
        reader = Reader(_Once(reader.detector), _Once(reader.classifier), reader.models)
    matcher = _matcher(payload["models"], *payload["tile_set"]) if payload.get("tile_set") else None
    reading = reader.read(photo, matcher=matcher)
    if reader.classifier is not None:
        photo = replace(photo, pixels=search(reader.detector, photo.pixels)[0])  # as the reading saw it
        everything = list(all_seen(reader, photo))
    tiles = [
        [d.tile, *(round(v, 1) for v in d.box), round(d.confidence, 4), round(d.score, 4)] for d in reading.detections
    ]
    opinions: list[list[Any]] = []
    sx, sy = photo.scale
    if payload["labels"] and reader.classifier is not None:
        boxes = np.array([label[1:] for label in payload["labels"]], dtype=np.float64) / (sx, sy, sx, sy)
        for label, row in zip(payload["labels"], reader.classifier.read(photo.pixels, boxes), strict=True):
            best = int(np.argmax(row))
            name = (*CLASSES, NONE)[best]
            share = float(row[CLASSES.index(label[0])]) if label[0] in CLASSES else 0.0
            opinions.append([round(share, 4), name, round(float(row[best]), 4)])
    labels = [Label(label[0], Box(*label[1:5])) for label in payload["labels"]]
    if not labels:
        boxed = [(detection.tile, box_of(detection, photo.size)) for detection in reading.detections]
        labels = [Label(tile, box) for tile, box in boxed if box]
    places = []
    if reader.classifier is not None:
        places = missed(labels, photo.size, photo.pixels, photo.scale, reader.classifier, seen=everything)
    warnings = [warning.key for warning in reading.warnings]
    return {
        "tiles": tiles,
        "opinions": opinions,
        "warnings": warnings,
        "ms": float(reading.ms["total"]),
        "missed": [place.to_json() for place in places],
    }


class _Once:
    """A network that answers the same question once: the reading and the search for missed tiles ask the same."""

    def __init__(self, network: Any) -> None:
        self._network = network
        self._answers: dict[tuple[Any, ...], Any] = {}
        self._asked: list[Any] = []  # keep the pictures alive: they are recognised by id(), which must not be reused

    def find(self, pixels: Any) -> Any:
        """Tiles in a picture."""
        self._asked.append(pixels)
        return self._answer(("find", id(pixels)), lambda: self._network.find(pixels))

    def read(self, pixels: Any, boxes: Any) -> Any:
        """Probabilities of the names of boxes."""
        self._asked.append(pixels)
        key = ("read", id(pixels), boxes.tobytes())
        return self._answer(key, lambda: self._network.read(pixels, boxes))

    def _answer(self, key: tuple[Any, ...], ask: Callable[[], Any]) -> object:
        if key not in self._answers:
            self._answers[key] = ask()
        return self._answers[key]


def all_seen(reader: Reader, photo: Photo) -> tuple[Detection, ...]:
    """All detections, including the rejected ones."""
    detections = reader.detector.find(photo.pixels)
    if not len(detections) or reader.classifier is None:
        return ()
    faces = (
        faces_of(detections) if detections.faces is not None else reader.classifier.read(photo.pixels, detections.boxes)
    )
    return name_tiles(photo, detections, faces)


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
    places = tuple(
        Missed(Box(*entry["box"]), entry["kind"], entry["tile"], entry["confidence"])
        for entry in result.get("missed", ())
    )
    return Seen(detections, opinions, tuple(result["warnings"]), result["ms"], places)


def examine(
    store: DatasetStore,
    photos: Iterable[LabelledPhoto],
    pool: Pool,
    models: Path | None = None,
    *,
    progress: Any = None,
    sets: Path | None = None,
    tile_set: str = "",
) -> tuple[dict[str, Seen], Outcome, Report]:
    """The model's result for each photo, by the photo's id. Each state of a photo, model and tile set is read once: the
    dataset's ``readings/`` holds the journal. The report names photos that could not be read.

    Args:
        store: the label set.
        photos: of it.
        pool: runs the work.
        models: folder of the networks; None: the shipped ones.
        progress: called with the number of finished photos, and of all.
        sets: folder of the tile sets; the photos of a scene are read with the scene's set. None: without sets. Left out
            on a cluster, whose machines may not have the folder.
        tile_set: of ``sets``, to read every photo with instead of its scene's.
    """
    name = model_name(models)
    journal = Journal(store.folder / READINGS / f"{name}.jsonl", {"work": "look_at", "model": name, "form": 1})
    remote = isinstance(pool, RayPool)
    chosen = _SceneSets(None if remote else sets, store.folder.name, store, tile_set)
    wanted = {key_of(photo) + chosen.key(photo): photo for photo in photos}
    outcome = run(_tasks(store, wanted, models, chosen, remote=remote), look_at, journal, pool, progress)
    report = Report()
    seen: dict[str, Seen] = {}
    for key, photo in wanted.items():
        result = journal.results[key]
        if "error" in result:
            report.set_aside(
                photo.photo.name,
                "work_failed",
                reason={"zh": result["error"], "en": result.get("error_en", result["error"])},
            )
        else:
            seen[photo.photo.id] = _seen(result)
    report.counts.update(done=outcome.done, earlier=outcome.earlier, restarts=outcome.deaths)
    return seen, outcome, report


class _SceneSets:
    """The tile sets of the scenes of the label set called ``labels``, each looked up once.

    ``store``: the label set, whose scenes without a named set have a memory of their own; ``only``: one tile set for
    all scenes."""

    def __init__(self, root: Path | None, labels: str, store: DatasetStore | None = None, only: str = "") -> None:
        self._store = TileSetStore(root) if root else None
        self._labels = labels
        self._label_set = store
        self._only = only
        self._found: dict[str, tuple[str, str, int] | None] = {}

    def of(self, photo: LabelledPhoto) -> tuple[str, str, int] | None:
        """Root, name and state of a photo's tile set."""
        scene = photo.photo.scene
        if self._store is not None and scene not in self._found:
            name = self._only or chosen_for_scene(self._store, self._labels, scene)
            place = (self._store.root, name) if name else None
            if place is None and self._label_set is not None:
                place = memory_in_use(self._store, self._label_set, scene)
            self._found[scene] = (str(place[0]), place[1], TileSetStore(place[0]).state(place[1])) if place else None
        return self._found.get(scene)

    def key(self, photo: LabelledPhoto) -> str:
        """What tells readings with this set in this state from others; empty without a set."""
        tile_set = self.of(photo)
        return "-" + hashlib.sha256(f"{tile_set[1]} {tile_set[2]}".encode()).hexdigest()[:8] if tile_set else ""


def _tasks(
    store: DatasetStore, wanted: dict[str, LabelledPhoto], models: Path | None, chosen: _SceneSets, *, remote: bool
) -> Iterator[Task]:
    names = store.names
    for key, photo in wanted.items():

        def payload(photo: LabelledPhoto = photo) -> dict[str, Any]:
            file = store.photo_file(photo.photo)
            labels = [[names.tile_of(label.tile) or label.tile, *label.box.outline] for label in photo.labels]
            # A machine of a cluster may not have this folder: it is sent the photo itself.
            what = file.read_bytes() if remote else str(file)
            return {"photo": what, "labels": labels, "models": str(models or ""), "tile_set": chosen.of(photo)}

        yield Task(key, payload)


def box_of(detection: Detection, size: tuple[int, int]) -> Box | None:
    """A detection's box inside the photo."""
    x1, y1, x2, y2 = detection.box
    return Box(x1, y1, x2, y2).clipped(*size) if min(x2 - x1, y2 - y1) >= 2 else None
