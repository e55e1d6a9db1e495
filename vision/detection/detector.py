"""找牌: finding tiles, behind one small interface for any network."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.alignment import fills_hole
from vision.detection.types import Found
from vision.geometry import iou as share
from vision.models.manifest import CLASSES, IN_BROWSER, DetectorSpec, ModelError
from vision.pixels import sight

WEAK = 0.03
"""Least score of a box between two others of a row."""


class Detector(Protocol):
    """Whatever finds tiles in a picture."""

    def find(self, pixels: NDArray[np.uint8]) -> Found:
        """Tiles in ``pixels`` (h, w, 3) RGB, best first."""
        ...


def keep_best(boxes: NDArray[np.float64], scores: NDArray[np.float64], iou: float) -> NDArray[np.intp]:
    """Non-maximum suppression over (n, 4) x1 y1 x2 y2: the places kept, best first.

    Args:
        boxes: in pixels.
        scores: (n,), the higher the better.
        iou: above which two boxes are one thing.
    """
    rows, kept = boxes.tolist(), list[int]()
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    while order:
        best, *rest = order
        kept.append(best)
        x1, y1, x2, y2 = rows[best]
        order = [
            place
            for place in rest
            if (box := rows[place])[0] >= x2  # most boxes lie apart
            or box[2] <= x1
            or box[1] >= y2
            or box[3] <= y1
            or share(rows[best], box) <= iou
        ]
    return np.array(kept, dtype=np.intp)


def agree(parts: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], iou: float) -> Found:
    """One box for the finds of several input sizes, each as boxes (n, 4) and class scores (n, classes) without
    doubles: their mean, weighted by score. Finds of only some sizes stay unchanged."""
    boxes, classes = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    size = np.concatenate([np.full(len(part[0]), place) for place, part in enumerate(parts)])
    scores = classes.max(axis=1)
    rows, sizes = boxes.tolist(), size.tolist()
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    merged, best, least, places = [], [], [], []
    while order:
        first = order[0]
        same = [first, *(place for place in order[1:] if share(rows[first], rows[place]) > iou)]
        of_sizes = {sizes[place]: place for place in reversed(same)}  # of each size the best scored
        group = [of_sizes[at] for at in sorted(of_sizes)]
        merged.append(np.average(boxes[group], axis=0, weights=scores[group]))
        best.append(scores[first])
        least.append(scores[group].min() if len(group) == len(parts) else 0.0)
        places.append(first)
        apart = set(order).difference(same)
        order = [place for place in order if place in apart]
    faces = classes[places] if classes.shape[1] > 1 else None
    return Found(np.array(merged).reshape(-1, 4), np.array(best), faces, np.array(least))


def in_rows(found: Found, score: float) -> Found:
    """Boxes of at least ``score``, and weaker ones that fill a hole in a row of such boxes. A face-down tile has no ink
    to find, but it is in a row."""
    keep = found.scores >= score
    boxes: list[list[float]] = found.boxes.tolist()
    sure = [boxes[place] for place in np.flatnonzero(keep)]
    for place in np.flatnonzero(~keep):
        keep[place] = fills_hole(boxes[place], sure)
    return found if keep.all() else found.taken(np.flatnonzero(keep))


class OnnxDetector:
    """A YOLO head exported raw: (1, 4 + classes, anchors) as cx cy w h in input pixels, then a score for each class.

    One class is "tile"; with 43 classes the model also names the tiles (``Found.faces``).
    """

    def __init__(self, spec: DetectorSpec) -> None:
        self.spec = spec
        self._network = sight.Network(spec.path)

    def find(self, pixels: NDArray[np.uint8]) -> Found:
        """Tiles in ``pixels`` (h, w, 3) RGB, best first."""
        parts = sight.side_by_side([partial(self._found_at, pixels, size) for size in self.spec.inputs])
        return in_rows(agree(parts, self.spec.iou), self.spec.score)

    def _found_at(self, pixels: NDArray[np.uint8], size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Boxes (n, 4) in the picture's pixels and class scores (n, classes) at one input size, best first."""
        height, width = pixels.shape[:2]
        boxes, classes = self._look(pixels, size)
        boxes = boxes.clip(0, [width, height, width, height])
        sensible = (boxes[:, 2] - boxes[:, 0] >= 2) & (boxes[:, 3] - boxes[:, 1] >= 2)
        boxes, classes = boxes[sensible], classes[sensible]
        kept = keep_best(boxes, classes.max(axis=1), self.spec.iou)
        return boxes[kept], classes[kept]

    def _look(self, pixels: NDArray[np.uint8], size: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Boxes (n, 4) in the picture's pixels and class scores (n, classes) at one input size, doubles among them."""
        seen = sight.look(self._network, pixels, size, min(WEAK, self.spec.score))
        center, half = seen.rows[:, :2] - seen.margin, seen.rows[:, 2:4] / 2
        return np.concatenate((center - half, center + half), axis=1) / seen.scale, seen.rows[:, 4:]


class UltralyticsDetector:
    """A ``.pt`` checkpoint, for training environments with ultralytics."""

    def __init__(self, spec: DetectorSpec) -> None:
        try:
            from vision.detection.torch_nms import ensure_nms

            ensure_nms()
            from ultralytics import YOLO
        except ImportError:
            raise ModelError("model_no_ultralytics", place=str(spec.path)) from None
        self.spec = spec
        try:
            self._model: Any = YOLO(str(spec.path))
        except Exception as error:  # torch.load raises many kinds
            raise ModelError("model_unusable", place=str(spec.path), reason=str(error)[:200]) from None

    def find(self, pixels: NDArray[np.uint8]) -> Found:
        """Tiles in ``pixels`` (h, w, 3) RGB, best first."""
        result = self._model.predict(
            pixels[:, :, ::-1],
            imgsz=max(self.spec.inputs),
            conf=self.spec.score,
            iou=self.spec.iou,
            agnostic_nms=True,
            max_det=300,
            verbose=False,
        )[0]
        boxes = result.boxes.xyxy.cpu().numpy().astype(np.float64).reshape(-1, 4)
        scores = result.boxes.conf.cpu().numpy().astype(np.float64)
        faces = None
        if len(self._model.names) == len(CLASSES):
            faces = np.zeros((len(boxes), len(CLASSES)))
            faces[np.arange(len(boxes)), result.boxes.cls.cpu().numpy().astype(int)] = scores
        order = np.argsort(-scores, kind="stable")
        return Found(boxes[order], scores[order], faces if faces is None else faces[order])


def load_detector(spec: DetectorSpec) -> Detector:
    """The detector that can run ``spec.path``: onnxruntime for ``.onnx``, ultralytics for ``.pt``."""
    if not IN_BROWSER and not Path(spec.path).is_file():
        raise ModelError("model_missing", place=str(spec.path))
    return UltralyticsDetector(spec) if spec.path.suffix == ".pt" else OnnxDetector(spec)
