"""Cost and accuracy of ways of reading: input sizes of the detector, slices, upright crops, turns of the classifier.

    python benchmarks/reading/compare_reading.py DATASET.yaml [--split val] [--held-out] [--models DIR] [--only NAME …]

Prints one line per variant as a Markdown table: tile accuracy, false tiles per photo, exact photos, median ms. With
``--held-out`` only the slice of the split that the classifier's training never saw, which may be used to choose.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.classifier import OnnxClassifier
from vision.detection.detector import Detector, OnnxDetector, keep_best
from vision.detection.filtering import believe
from vision.detection.measure import summarize
from vision.detection.types import Detection, Found
from vision.layout.grouping import arrange
from vision.models.manifest import DEFAULT_CONFIDENCE, Models, find_models
from vision.photo.image import Photo
from vision.reading.pipeline import Reader
from vision.tileset.matcher import Matcher
from vision.training.data.crops import is_held_out
from vision.training.data.dataset import Dataset, load_dataset
from vision.training.evaluation.evaluate import read_all, shipped_corrections

OBLIQUE = 4
"""Rows that lie off the picture's axes by fewer degrees are read as they are."""


class Sliced:
    """A detector that looks at the whole photo and at four overlapping quarters of it."""

    def __init__(self, detector: OnnxDetector) -> None:
        self._detector = detector

    def find(self, pixels: NDArray[np.uint8]) -> Found:
        """Tiles in ``pixels`` (h, w, 3) RGB, best first."""
        height, width = pixels.shape[:2]
        w, h = round(width * 0.6), round(height * 0.6)
        boxes, scores = [], []
        for x, y, part in [
            (0, 0, pixels),
            *((x, y, pixels[y : y + h, x : x + w]) for x in (0, width - w) for y in (0, height - h)),
        ]:
            found = self._detector.find(np.ascontiguousarray(part))
            inner = np.ones(len(found), bool)
            if part is not pixels:  # a tile cut by the seam is whole in another slice
                x1, y1, x2, y2 = found.boxes.T
                inner = (x1 > 2) & (y1 > 2) & (x2 < w - 2) & (y2 < h - 2)
            boxes.append(found.boxes[inner] + (x, y, x, y))
            scores.append(found.scores[inner])
        together, sure = np.concatenate(boxes), np.concatenate(scores)
        kept = keep_best(together, sure, self._detector.spec.iou)
        return Found(together[kept], sure[kept], None)


class Upright(Reader):
    """A reader with crops turned to the axes of the rows, as oriented boxes would give. ``turned``: the affected
    photos."""

    def __init__(self, detector: Detector, classifier: OnnxClassifier, models: Models) -> None:
        super().__init__(detector, classifier, models)
        self.turned: set[int] = set()

    def detect(self, photo: Photo, matcher: Matcher | None = None) -> tuple[Detection, ...]:
        """Every tile seen, named; the boxes are the detector's own."""
        level = super().detect(photo, matcher)
        turn = math.remainder(arrange(level, photo.size).angle, math.pi / 2) if level else 0.0
        if abs(turn) < math.radians(OBLIQUE) or self.classifier is None:
            return level
        self.turned.add(hash(photo.pixels.tobytes()))
        found = self.detector.find(photo.pixels)
        height, width = photo.pixels.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), math.degrees(turn), 1.0)
        pixels = cv2.warpAffine(photo.pixels, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        corners, sizes = found.boxes[:, :2], found.boxes[:, 2:] - found.boxes[:, :2]
        middles = (corners + sizes / 2) @ matrix[:, :2].T + matrix[:, 2]
        longer = 4 / 7 * sizes.sum(1) / (math.cos(turn) + abs(math.sin(turn)))  # of a tile three wide and four long
        boxes = np.concatenate((middles - longer[:, None] / 2, middles + longer[:, None] / 2), axis=1)
        probabilities = self.classifier.read(pixels.astype(np.uint8, copy=False), boxes)
        return believe(photo, found, probabilities, self.models.confidence if self.models else DEFAULT_CONFIDENCE)


def variants(models: Models) -> dict[str, Callable[[], Reader]]:
    """Name and maker of every way to read."""

    def reader(detector: Detector, **changes: object) -> Reader:
        spec = dataclasses.replace(models.classifier, **changes)  # type: ignore[arg-type]
        return Reader(detector, OnnxClassifier(spec), models)

    def detector(*inputs: int) -> OnnxDetector:
        return OnnxDetector(dataclasses.replace(models.detector, inputs=inputs))

    shipped = models.detector.inputs
    found: dict[str, Callable[[], Reader]] = {}
    for inputs in ((512,), (640,), (768,), (960,), (1280,), (512, 768), (640, 960), (512, 768, 1088)):
        name = "finder at " + " + ".join(map(str, inputs))
        found[name] = lambda inputs=inputs: reader(detector(*inputs))  # type: ignore[misc]
    found["finder at 640 and in slices"] = lambda: reader(Sliced(detector(640)))
    found["shipped, crops turned to the rows' own axes"] = lambda: Upright(
        detector(*shipped), OnnxClassifier(models.classifier), models
    )
    for turns in (1, 2):
        found[f"shipped sizes, reader in {turns} turn{'s' * (turns > 1)}"] = (
            lambda turns=turns: reader(detector(*shipped), turns=turns)  # type: ignore[misc]
        )
    return found


def chosen(dataset: Dataset) -> Dataset:
    """The photos that the reader's training held back."""
    kept = tuple(photo for photo in dataset.photos if is_held_out(photo.stem, dataset.scenes.get(photo.stem, "")))
    return dataclasses.replace(dataset, photos=kept)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="val")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--only", nargs="*", help="variants whose name has one of these words")
    args = parser.parse_args()
    dataset = load_dataset(args.dataset, args.split)
    if args.held_out:
        dataset = chosen(dataset)
    print(f"{len(dataset.photos)} photos\n\n| | tile accuracy | false tiles a photo | exact photos | ms |")
    print("|---|---|---|---|---|")
    for name, make in variants(find_models(args.models)).items():
        if args.only and not any(word in name for word in args.only):
            continue
        reader = make()
        result = summarize(read_all(dataset, reader, shipped_corrections()))
        if isinstance(reader, Upright):
            name += f" ({len(reader.turned)} photos)"
        print(
            f"| {name} | {result['tile_accuracy']:.4f} | {result['false_tiles']:.3f} | {result['exact_photos']:.3f} "
            f"| {result['ms']:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
