"""看牌: the whole way from a photo to a reading, and how long each part of it took."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

from vision.detection.classifier import Classifier, OnnxClassifier, faces_of, name_tiles
from vision.detection.coloured_light import search
from vision.detection.detector import Detector, load_detector
from vision.detection.filtering import believe
from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.layout.region import Region
from vision.models.manifest import DEFAULT_CONFIDENCE, DetectorSpec, ModelError, Models, find_models
from vision.photo.image import Photo
from vision.reading.quality import judge
from vision.reading.reading import Reading, understand
from vision.tileset.matcher import Matcher
from vision.tileset.values import TileSet


class Reader:
    """Detector and classifier, loaded once; ``read`` may be called from several threads."""

    def __init__(self, detector: Detector, classifier: Classifier | None, models: Models | None = None) -> None:
        self.detector = detector
        self.classifier = classifier
        self.models = models

    @classmethod
    def load(cls, models_dir: Path | None = None, *, checkpoints: bool = False) -> Reader:
        """Load the shipped weights, those in a folder with a manifest, or one ``.onnx`` detector beside the shipped
        classifier (a detector with 43 classes needs none). Raises ModelError.

        `checkpoints`: also a ``.pt``, which decides what code runs when it is loaded: only where a person named it.
        """
        single = models_dir if models_dir is not None and models_dir.suffix in (".onnx", ".pt") else None
        if single is None:
            models = find_models(models_dir)
            return cls(load_detector(models.detector), OnnxClassifier(models.classifier), models)
        if single.suffix == ".pt" and not checkpoints:
            raise ModelError("model_not_onnx", place=str(single))
        try:
            shipped: Models | None = find_models()
        except ModelError:
            shipped = None
        spec = dataclasses.replace(shipped.detector, path=single) if shipped else DetectorSpec(single)
        classifier = OnnxClassifier(shipped.classifier) if shipped else None
        return cls(load_detector(spec), classifier, shipped)

    def matcher(self, tile_set: TileSet) -> Matcher:
        """A tile set made ready for reading with these weights. Raises ModelError where they cannot compare tiles."""
        if not isinstance(self.classifier, OnnxClassifier):
            raise ModelError("model_no_sets")
        return Matcher(tile_set, self.classifier)

    def detect(self, photo: Photo, matcher: Matcher | None = None) -> tuple[Detection, ...]:
        """Every tile seen, named, best found first; ``matcher``: the table's own tile set."""
        pixels, found = search(self.detector, photo.pixels)
        if not len(found):
            return ()
        if found.faces is not None:
            return name_tiles(photo, found, faces_of(found))
        if self.classifier is None:
            raise ModelError("model_missing", place="reader.onnx")
        probabilities = self.classifier.read(pixels, found.boxes)
        decided = None
        if matcher is not None:
            decision = matcher.decide(pixels, found.boxes, probabilities)
            probabilities, decided = decision.probabilities, decision.decided
        confidence = self.models.confidence if self.models else DEFAULT_CONFIDENCE
        return believe(photo, found, probabilities, confidence, decided)

    def read(self, photo: Photo, region: Region | None = None, matcher: Matcher | None = None) -> Reading:
        """Tiles, their places on the table, the hand they make and what is doubtful about it. Only what lies in
        ``region`` is of the hand; ``matcher``: the table's own tile set (see :meth:`matcher`)."""
        started = time.perf_counter()
        detections = self.detect(photo, matcher)
        detected = time.perf_counter()
        layout = arrange(detections, photo.size, region)
        reading = understand(detections, layout, photo.size, judge(photo, detections, layout.table), region)
        done = time.perf_counter()
        ms = {
            "decode": round(photo.ms, 1),
            "detect": round((detected - started) * 1000, 1),
            "layout": round((done - detected) * 1000, 1),
            "total": round(photo.ms + (done - started) * 1000, 1),
        }
        return dataclasses.replace(reading, ms=ms)
