"""取捨: which of the boxes found are tiles to believe, each with one calibrated confidence."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.detection.confidence import Floats, evidence, name_boxes, weigh
from vision.detection.types import Detection, Found
from vision.geometry import coverage
from vision.models.manifest import CLASSES, Confidence
from vision.photo.image import Photo

OTHERS, OTHERS_AT_LEAST = 4, 0.005
"""So many other names are told, and from which probability."""
SAME = 0.6
"""Share of the smaller box from which two boxes are of one tile."""


def certainty(detection: Detection) -> float:
    """That there is a tile, and this one."""
    return detection.confidence


def choose(boxes: Floats, said: Floats, keep: float) -> NDArray[np.intp]:
    """The places of the boxes to believe, surest first: at least ``keep`` sure, and not mostly in a surer one."""
    common = coverage(boxes, boxes)
    kept: list[int] = []
    for place in np.argsort(-said, kind="stable"):
        if said[place] < keep:
            break
        if not kept or common[place, kept].max() <= SAME:
            kept.append(int(place))
    return np.array(kept, dtype=np.intp)


def believe(
    photo: Photo,
    found: Found,
    probabilities: NDArray[np.float64],
    confidence: Confidence,
    by_set: NDArray[np.bool_] | None = None,
) -> tuple[Detection, ...]:
    """The tiles among the boxes found, surest first, in pixels of the full photo; ``probabilities`` (n, 44) are the
    classifier's, ``by_set`` (n,) whose names the table's own tile set decided. Whatever is not sure enough, or another
    tile's, is dropped."""
    named = name_boxes(probabilities)
    columns = evidence(found, named, probabilities[:, len(CLASSES)], photo.pixels.shape[:2])
    said = weigh(columns, confidence)
    sx, sy = photo.scale
    tiles_seen = []
    for place in choose(found.boxes, said, confidence.keep):
        row = probabilities[place, : len(CLASSES)]
        right = float(said[place] * named.name[place])
        if by_set is not None and by_set[place]:  # the other evidence is weighed as the classifier's names deserve
            right = min(right, float(row[named.codes[place]]))
        order = [i for i in np.argsort(-row, kind="stable") if i != named.codes[place] and row[i] >= OTHERS_AT_LEAST]
        left = (1 - right) / max(float(row[order].sum()), 1 - right, 1e-9)
        others = tuple((CLASSES[i], round(float(row[i]) * left, 4)) for i in order[:OTHERS])
        x1, y1, x2, y2 = (float(v) for v in found.boxes[place] * (sx, sy, sx, sy))
        score = float(found.scores[place])
        by = "set" if by_set is not None and by_set[place] else ""
        tiles_seen.append(Detection(CLASSES[named.codes[place]], (x1, y1, x2, y2), right, others, score, by))
    return tuple(sorted(tiles_seen, key=lambda one: -one.confidence))
