"""取捨: chooses which boxes are believed, each with one calibrated confidence. Names flowers together, because a set
has each of them once, and white dragons, because it has four."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.alignment import in_rows
from vision.detection.confidence import FLOWERS, Floats, Named, contended, evidence, name_boxes, weigh
from vision.detection.types import Detection, Found
from vision.geometry import coverage
from vision.models.manifest import CLASSES, Confidence
from vision.photo.image import Photo

OTHERS, OTHERS_AT_LEAST = 4, 0.005
"""The most alternatives of a tile, and their least probability."""
SAME = 0.6
"""Share of the smaller box from which two boxes are of one tile."""


SHAPED, POSSIBLE = 0.5, 0.15
"""Probability of any tile from which a box without a believed name is shown as unread, and from which it may complete a
hand. On composites of 24 designs that no network saw, 79 of 116 formerly dropped tiles are shown so, and nothing else
(docs/lab)."""
SURELY_SHAPED = 0.8
"""The same, from which a box becomes a tile because the table's own set knows its face."""
MOST_UNREAD = 24
"""Most unread boxes of a photo: a hand has no more tiles, but a mat's grid has many squares."""
UNREAD_OVER = 0.5
"""Share of a box inside a read tile from which it is the same tile."""
TWICE = 0.03
"""Weight of each flower that appears once too often. Of 299 train photos with several flowers six show one twice."""
HARDLY = 0.001
"""Least probability of a flower's possible name."""
BY_OTHERS = 0.7
"""Most probability of a flower's name that follows only from another flower's: below sure."""
IN_QUESTION = 0.7
"""Most probability of a name with a close alternative: the neighbours confirm that it is a tile, not which one."""

WHITE, DOWN = CLASSES.index("5z"), CLASSES.index(BACK)
BLANK = 0.5
"""Least probability of a white dragon or a back, together, of a likely dragon that may complete a hand because it
continues a row. Weak boxes that look like a back are sides of tiles more often (train photos, laid backs), and a gap
between tiles looks like both: such a box is not shown if the hand is whole."""


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


def each_once(names: Floats) -> Floats:
    """Probabilities (n, 8) of the names of n flowers on one table, from their separate probabilities (n, 8).

    Every assignment of names is weighted by the product of its probabilities, and by ``TWICE`` for each flower that
    appears once too often. Assignments that use the same names are counted together, so eight flowers take
    milliseconds. Weights are normalised at every step, however many flowers there are.
    """
    rows = [[(1 << kind, p) for kind, p in enumerate(row) if p >= HARDLY] for row in names.tolist()]
    before: list[dict[int, float]] = [{0: 1.0}]  # used names, and the weight of all assignments that use them
    for row in rows:
        ways: dict[int, float] = {}
        for used, weight in before[-1].items():
            for name, p in row:
                ways[used | name] = ways.get(used | name, 0.0) + weight * p * (TWICE if used & name else 1.0)
        before.append(_in_all_one(ways))
    after = dict.fromkeys(before[-1], 1.0)  # the weight of all ways to name the flowers that follow
    shares = np.zeros_like(names)
    for place in range(len(rows) - 1, -1, -1):
        following, after = after, {}
        for used, weight in before[place].items():
            for name, p in rows[place]:
                rest = p * (TWICE if used & name else 1.0) * following[used | name]
                after[used] = after.get(used, 0.0) + rest
                shares[place, name.bit_length() - 1] += weight * rest
        after = _in_all_one(after)
    together: Floats = shares / shares.sum(axis=1, keepdims=True)
    return together


def _in_all_one(weights: dict[int, float]) -> dict[int, float]:
    total = sum(weights.values())
    return {used: weight / total for used, weight in weights.items()}


def _told_apart(names: Floats) -> Floats:
    """The same, with no flower surer than alone, because the others may be misread too. (Its likeliest name may reach
    one half, so that it stays the likeliest.)"""
    shares = each_once(names)
    best = shares.argmax(axis=1)
    rows = np.arange(len(names))
    others = shares.copy()
    others[rows, best] = 0.0
    first, second = shares[rows, best], others.max(axis=1)
    own = np.where(best == names.argmax(axis=1), names[rows, best], BY_OTHERS)
    rest = np.maximum(1 - first, HARDLY)
    most = np.minimum(first, np.maximum(own, second / (rest + second)))
    told = others * ((1 - most) / rest)[:, None]
    told[rows, best] = most
    kept: Floats = np.where((1 - first < HARDLY)[:, None], names, told)  # it can be nothing else
    return kept


def _with_flowers_told_apart(
    believed: NDArray[np.intp], probabilities: Floats, named: Named, by_set: NDArray[np.bool_] | None
) -> Floats:
    """``probabilities`` (n, 44) with the flowers among the ``believed`` boxes named together; decisions of a tile set
    stay."""
    flowers = [place for place in believed if FLOWERS.start <= named.codes[place] < FLOWERS.stop]
    if len(flowers) < 2:
        return probabilities
    changed = probabilities.copy()
    share = probabilities[flowers, FLOWERS].sum(axis=1, keepdims=True)
    for place, row in zip(flowers, share * _told_apart(probabilities[flowers, FLOWERS] / share), strict=True):
        if by_set is None or not by_set[place]:
            changed[place, FLOWERS] = row
    return changed


def believe(
    photo: Photo,
    found: Found,
    probabilities: NDArray[np.float64],
    confidence: Confidence,
    *,
    by_set: NDArray[np.bool_] | None = None,
    without_set: NDArray[np.float64] | None = None,
) -> tuple[Detection, ...]:
    """The tiles among the found boxes, surest first, in pixels of the full photo.

    ``probabilities`` (n, 44): the classifier's. ``by_set`` (n,): named by the table's own tile set. ``without_set``:
    the classifier's alone, because a set names boxes but does not turn them into tiles. Then follow tile-shaped boxes
    without a believed name (``unread``), down to weak ones. A box of another tile is dropped.
    """
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
    probabilities = _with_flowers_told_apart(believed, probabilities, named, by_set)
    named = name_boxes(probabilities)
    in_question = contended(probabilities)
    tiles_seen = []
    for place in believed:
        right, by = float(said[place] * named.name[place]), ""
        if in_question[place]:
            right = min(right, IN_QUESTION)
        if by_set is not None and by_set[place]:  # the other evidence is weighed as the classifier's names deserve
            right, by = min(float(said[place]), float(probabilities[place, named.codes[place]])), "set"
        tiles_seen.append(detection(place, right, by))
    for place in _blank_in_rows(found.boxes, probabilities, believed):
        shaped[place] = max(float(shaped[place]), POSSIBLE)
    unread = [
        detection(place, float(said[place] * named.name[place]), "", unread=True, shaped=float(shaped[place]))
        for place in _others(found.boxes, shaped, believed)
    ]
    return (*sorted(tiles_seen, key=lambda one: -one.confidence), *unread)


def _blank_in_rows(boxes: Floats, probabilities: Floats, believed: NDArray[np.intp]) -> list[int]:
    """Places of boxes that may be a white dragon and continue a row of the believed tiles, or fill a hole in one."""
    blank = (probabilities[:, [WHITE, DOWN]].sum(axis=1) >= BLANK) & (probabilities[:, WHITE] >= probabilities[:, DOWN])
    taken = set(believed.tolist())
    return in_rows(boxes, believed.tolist(), [place for place in np.flatnonzero(blank).tolist() if place not in taken])


def _others(boxes: Floats, shaped: Floats, believed: NDArray[np.intp]) -> list[int]:
    """Indices of possible tiles in addition to the believed ones, the likeliest first."""
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
