"""看牌: the whole way from a photo to a reading, and how long each part of it took."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scoring.tiles import BACK
from vision.detection.classifier import Classifier, OnnxClassifier, faces_of, name_tiles
from vision.detection.coloured_light import search
from vision.detection.detector import Detector, load_detector
from vision.detection.filtering import SHAPED, believe
from vision.detection.ground import strange
from vision.detection.types import SURE, Detection
from vision.layout.grouping import TableLayout, arrange
from vision.layout.region import Region
from vision.models.manifest import CLASSES, DEFAULT_CONFIDENCE, DetectorSpec, ModelError, Models, find_models
from vision.photo.image import Photo
from vision.photo.refusals import PhotoError
from vision.pixels.values import Picture
from vision.reading.blanks import decided
from vision.reading.checks import hand_of, standing
from vision.reading.level import better, level, worth
from vision.reading.mirror import Mirror, doubted, flip, flipped_back, mirror
from vision.reading.quality import judge
from vision.reading.reading import Reading, understand
from vision.reading.sharpened import better as sharper
from vision.reading.sharpened import sharpened
from vision.tileset.matcher import Matcher
from vision.tileset.values import TileSet

OF_COLOURS = 0.7
"""Most probability of a name that needs its colours, that the second network does not read, or that is on another
ground than the tiles around it: below sure."""
MOST_TILES = 300
"""The most tiles that are read of one photo: two whole sets. More would take seconds and hundreds of megabytes."""
MOST_BOXES = 6
"""The most weak boxes that are tried if a hand lacks a tile."""


class Reader:
    """Detector and classifier, loaded once; ``read`` may be called from several threads."""

    def __init__(
        self,
        detector: Detector,
        classifier: Classifier | None,
        models: Models | None = None,
        *,
        sharpens: bool = True,
    ) -> None:
        self.detector = detector
        self.classifier = classifier
        self.models = models
        self._sharpens = sharpens

    @classmethod
    def load(cls, models_dir: Path | None = None, *, checkpoints: bool = False) -> Reader:
        """Load the shipped weights, a folder with a manifest, or one ``.onnx`` detector with the shipped classifier (a
        detector with 43 classes needs none). Raises ModelError.

        `checkpoints`: also a ``.pt``, which can run code when it is loaded: only if a person named it.
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

    @property
    def for_frames(self) -> Reader:
        """The same for a live view, whose blurred frames are not read twice, because the next frame comes sooner."""
        return Reader(self.detector, self.classifier, self.models, sharpens=False)

    @property
    def _unsharp(self) -> Reader:
        """The same for a photo that is not sharp, once it is sharpened as far as can be."""
        classifier = self.classifier
        if not isinstance(classifier, OnnxClassifier):
            return self
        return Reader(self.detector, classifier.unsharp, self.models, sharpens=False)

    def matcher(self, tile_set: TileSet) -> Matcher:
        """A tile set prepared for reading with these weights. Raises ModelError if they cannot compare tiles."""
        if not isinstance(self.classifier, OnnxClassifier):
            raise ModelError("model_no_sets")
        return Matcher(tile_set, self.classifier)

    def detect(self, photo: Photo, matcher: Matcher | None = None) -> tuple[Detection, ...]:
        """Every tile seen, named, best found first, and after them what may be a tile and was not read
        (``Detection.unread``); ``matcher``: the table's own tile set. A photo that is shaken or out of focus is read
        once more sharpened, one whose rows lie askew with its rows level, one from a low camera stretched; the better
        reading counts. A mirrored photo is read flipped."""
        read = decided(photo, self._improved(photo, matcher))
        classifier = self.classifier if self._sharpens else None
        glass = Mirror() if classifier is None else mirror(photo, read, classifier)
        read = tuple(doubted(tile) if tile in glass.taken else tile for tile in read)
        if not glass.mirrored or sharpened(photo, read) is not None:
            return read  # in a blurred photo every name is in doubt, flipped or not
        other = flip(photo)
        flipped = decided(other, self._improved(other, matcher))
        return flipped_back(photo, flipped) if worth(flipped) > worth(read) else read

    def _improved(self, photo: Photo, matcher: Matcher | None) -> tuple[Detection, ...]:
        """The same, of the photo as its camera saw it."""
        read = self._detect(photo, matcher)
        clear = sharpened(photo, read) if self._sharpens else None
        if clear is not None:
            read = sharper(read, self._unsharp._detect(clear, matcher))
        again = level(photo, read, patient=self._sharpens)
        return read if again is None else better(photo, read, again, self._detect(again.photo, matcher))

    def _detect(self, photo: Photo, matcher: Matcher | None) -> tuple[Detection, ...]:
        """Same, without levelling or stretching."""
        pixels, finds = search(self.detector, photo.pixels)
        if not len(finds):
            return ()
        if len(finds) > MOST_TILES:
            raise PhotoError("photo_crowded", number=len(finds), limit=MOST_TILES)
        if finds.faces is not None:
            return name_tiles(photo, finds, faces_of(finds))
        if self.classifier is None:
            raise ModelError("model_missing", place="reader.onnx")
        probabilities = self.classifier.read(pixels, finds.boxes)
        decided = without_set = None
        if matcher is not None:
            decision = matcher.decide(pixels, finds.boxes, probabilities)
            decided = decision.decided
            without_set = np.where(decided[:, None], probabilities, decision.probabilities)
            probabilities = decision.probabilities
        confidence = self.models.confidence if self.models else DEFAULT_CONFIDENCE
        return self._doubted(
            pixels, photo, believe(photo, finds, probabilities, confidence, by_set=decided, without_set=without_set)
        )

    def _doubted(self, pixels: Picture, photo: Photo, detections: tuple[Detection, ...]) -> tuple[Detection, ...]:
        """The same tiles after the second network's objections. A rejected box becomes unread. A sure name is limited
        if the second network does not read it, if it needs its colours, or if its ground differs from the tiles around
        it."""
        named = [place for place, one in enumerate(detections) if not one.unread and not one.by]
        if not named or not isinstance(self.classifier, OnnxClassifier):
            return detections
        boxes = np.array([one.box for one in detections]) / np.array(photo.scale * 2)
        all_codes = np.array([CLASSES.index(one.tile) for one in detections])
        no_tile, no_name = self.classifier.second_look(pixels, boxes[named], all_codes[named])
        doubted = list(detections)
        for place, refused, unnamed in zip(named, no_tile, no_name, strict=True):
            if refused:
                doubted[place] = replace(doubted[place], unread=True, shaped=SHAPED)
            elif unnamed and doubted[place].confidence >= SURE:
                doubted[place] = replace(doubted[place], confidence=OF_COLOURS)
        sure = [
            place
            for place in named
            if doubted[place].confidence >= SURE and not doubted[place].unread and doubted[place].tile != BACK
        ]
        if sure:
            against = self.classifier.contradicted(pixels, boxes[sure], all_codes[sure])
            other_ground = strange(pixels, detections, photo.scale)
            for place, no in zip(sure, against, strict=True):
                if no or place in other_ground:
                    doubted[place] = replace(doubted[place], confidence=OF_COLOURS)
        return tuple(sorted(doubted, key=lambda one: one.unread))

    def read(self, photo: Photo, region: Region | None = None, matcher: Matcher | None = None) -> Reading:
        """Tiles, their places on the table, the hand they make and what is doubtful about it. Only what lies in
        ``region`` is of the hand; ``matcher``: the table's own tile set (see :meth:`matcher`)."""
        started = time.perf_counter()
        detections = self.detect(photo, matcher)
        detected = time.perf_counter()
        detections, layout = lay(detections, photo.size, region)
        reading = understand(detections, layout, photo.size, judge(photo, detections, layout.table), region)
        done = time.perf_counter()
        ms = {
            "decode": round(photo.ms, 1),
            "detect": round((detected - started) * 1000, 1),
            "layout": round((done - detected) * 1000, 1),
            "total": round(photo.ms + (done - started) * 1000, 1),
        }
        return dataclasses.replace(reading, ms=ms)


def lay(
    detections: Sequence[Detection], size: tuple[int, int], region: Region | None = None
) -> tuple[tuple[Detection, ...], TableLayout]:
    """The shown tiles and their layout. If the hand is short, shows the weak detection that completes it, as an open
    point.

    Args:
        detections: of one photo.
        size: width and height of it, in pixels.
        region: a person's outline of the hand.
    """
    shown = tuple(detection for detection in detections if not detection.unread or detection.shaped >= SHAPED)
    possible = [detection for detection in detections if detection.unread and detection.shaped < SHAPED]
    layout = arrange(shown, size, region)
    lacking = -standing(hand_of([detection.tile for detection in shown], layout), layout).off
    for doubtful in possible[:MOST_BOXES] if lacking > 0 else ():
        wider = (*shown, doubtful)
        other = arrange(wider, size, region)
        if -standing(hand_of([tile.tile for tile in wider], other), other).off < lacking:
            return lay(
                (*(replace(tile, shaped=1.0) if tile is doubtful else tile for tile in detections),), size, region
            )
    return shown, layout
