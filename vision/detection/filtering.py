"""取捨: which of the boxes found are tiles to believe, each with one calibrated confidence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detection.confidence import Floats, Named, evidence, name_boxes, weigh
from vision.detection.types import Detection, Found
from vision.geometry import coverage
from vision.models.manifest import CLASSES, Confidence
from vision.photo.image import Photo

OTHERS, OTHERS_AT_LEAST = 4, 0.005
"""So many other names are told, and from which probability."""
SAME = 0.6
"""Share of the smaller box from which two boxes are of one tile."""


SHAPED, POSSIBLE = 0.5, 0.15
"""Probability that there is a tile, whatever it is, from which a box whose name is not believed is shown as a tile that
was not read; and from which it may be one where a hand lacks a tile. On composites of 24 designs that no network saw 79
of 116 tiles that were dropped before are shown so, and nothing else (models/CARD.md)."""
SURELY_SHAPED = 0.8
"""The same, from which a box becomes a tile because the table's own set knows its face."""
MOST_UNREAD = 24
"""A hand has no more tiles: of a mat with a grid, whose squares may all be tiles, so many are shown."""
UNREAD_OVER = 0.5
"""Share of a box in a tile that was read, from which it is no other tile."""


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
    without_set: NDArray[np.float64] | None = None,
) -> tuple[Detection, ...]:
    """The tiles among the boxes found, surest first, in pixels of the full photo; ``probabilities`` (n, 44) are the
    classifier's, ``by_set`` (n,) whose names the table's own tile set decided, ``without_set`` what the classifier
    says of them: a set names boxes, but makes none of them a tile. After them what is shaped like a tile
    and not believed to be this or that one (``unread``), down to what is hardly one. Another tile's box is dropped."""
    named = name_boxes(probabilities)
    shape = photo.pixels.shape[:2]
    plain, own = (probabilities, named) if without_set is None else (without_set, name_boxes(without_set))
    none = plain[:, len(CLASSES)]
    said = weigh(evidence(found, own, none, shape), confidence)
    # The same evidence, but for the name: is there a tile at all?
    any_tile = Named(own.codes, 1 - none, own.name)
    shaped = weigh(evidence(found, any_tile, none, shape), confidence)
    if by_set is not None:
        share = np.minimum(probabilities[np.arange(len(found)), named.codes], 1.0)
        said = np.where(by_set & ((said >= confidence.keep) | (shaped >= SURELY_SHAPED)), shaped * share, said)
    scale = np.array(photo.scale * 2)

    def detection(place: int, right: float, by: str, **more: Any) -> Detection:
        row = probabilities[place, : len(CLASSES)]
        order = [i for i in np.argsort(-row, kind="stable") if i != named.codes[place] and row[i] >= OTHERS_AT_LEAST]
        left = (1 - right) / max(float(row[order].sum()), 1 - right, 1e-9)
        others = tuple((CLASSES[i], round(float(row[i]) * left, 4)) for i in order[:OTHERS])
        x1, y1, x2, y2 = (float(v) for v in found.boxes[place] * scale)
        score = float(found.scores[place])
        return Detection(CLASSES[named.codes[place]], (x1, y1, x2, y2), right, others, score, by, **more)

    believed = choose(found.boxes, said, confidence.keep)
    tiles_seen = []
    for place in believed:
        right, by = float(said[place] * named.name[place]), ""
        if by_set is not None and by_set[place]:  # the other evidence is weighed as the classifier's names deserve
            right, by = min(float(said[place]), float(probabilities[place, named.codes[place]])), "set"
        tiles_seen.append(detection(place, right, by))
    unread = [
        detection(place, float(said[place] * named.name[place]), "", unread=True, shaped=float(shaped[place]))
        for place in _others(found.boxes, shaped, believed)
    ]
    return (*sorted(tiles_seen, key=lambda one: -one.confidence), *unread)


def _others(boxes: Floats, shaped: Floats, believed: NDArray[np.intp]) -> list[int]:
    """Places of boxes that may be tiles beside those believed, the likeliest first."""
    common = coverage(boxes, boxes)
    taken = [int(place) for place in believed]
    found: list[int] = []
    for place in np.argsort(-shaped, kind="stable"):
        if shaped[place] < POSSIBLE or len(found) >= MOST_UNREAD:
            break
        if int(place) not in taken and (not taken or common[place, taken].max() <= UNREAD_OVER):
            found.append(int(place))
            taken.append(int(place))
    return found
