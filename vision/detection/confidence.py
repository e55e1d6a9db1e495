"""信心: the calibrated probability that a box holds a tile and that its name is right.

Detector and classifier each know half of it, and the table knows the rest. Tiles have neighbours of their size, a box
over two others is an error, lettering on a rack is isolated. The evidence of each box becomes numbers
(:data:`EVIDENCE`), weighted by a logistic regression. Its weights are fitted on readings of tables that neither network
was trained on (docs/lab), and stored in the manifest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring import tiles
from vision.detection.types import Found
from vision.geometry import areas, at_edge, coverage
from vision.models.manifest import CLASSES, Confidence

Floats = NDArray[np.float64]
FLOWERS = slice(tiles.FLOWERS.start, tiles.FLOWERS.stop)
BLANK = (CLASSES.index("5z"), CLASSES.index("back"))
"""Faces without ink, or with little: any pale patch looks like them."""
EVIDENCE = (
    "detector",
    "detector_least",
    "both_sizes",
    "kind",
    "no_none",
    "blank",
    "blank_detector",
    "neighbour",
    "neighbours",
    "row",
    "alone",
    "size_off",
    "inside",
    "holds_two",
    "edge",
    "flower",
    "back_in_row",
)
"""The evidence for and against a box, in the order of the columns of :func:`evidence`.

- ``detector``, ``detector_least``: log-odds of the highest and the lowest score of the input sizes; ``both_sizes``.
- ``kind``: log-odds of the name (of a flower: of any flower); ``no_none``: log-odds against "no tile".
- ``blank``: a white dragon or a back; ``blank_detector``: the detector's log-odds for it.
- ``neighbour``, ``neighbours``: one or two sure neighbours of its size; ``row``: length of their row (log); ``alone``:
no
  other sure tile in the photo.
- ``size_off``: difference of its area from sure tiles nearby (log); ``inside``: its share in a surer box, beyond the
  overlap of turned tiles; ``holds_two`` other boxes.
- ``edge``: at the photo's edge; ``flower``; ``back_in_row``: a face-down tile in a long row of sure ones.
"""
SURE_ENOUGH = 0.6
"""Detector's score times probability of the kind, from which a tile counts as a neighbour."""
ALIKE = math.log(1.3)
BESIDE = 1.4
"""Distance of the middles of neighbours, in lengths of the larger."""
TURNED = 0.45
"""Share of the smaller box that boxes round two turned tiles may have in common."""
NEAREST = 3
"""The number of nearest sure tiles that give the local tile size."""
NO_SIZE = 0.3
"""``size_off`` with fewer sure tiles."""
LONG_ROW, SIZE_OF_ROW = 5, 0.35
"""A back belongs to a row of at least this many sure tiles if its size differs by at most this (log)."""
PLAINLY = 0.8
"""Share of the name in what it and the next likeliest kind have, from which it is the plainly likelier one."""
UNSEEN = 0.03
"""Score of a tile for an input size that did not find it."""


@dataclass(frozen=True)
class Named:
    """The names of n boxes: ``codes`` (n,) indices in CLASSES, ``kind`` (n,) probability of the name or of any flower,
    ``name`` (n,) probability of the name given the kind."""

    codes: NDArray[np.intp]
    kind: Floats
    name: Floats


def name_boxes(probabilities: Floats) -> Named:
    """The likeliest of the 43 names for rows (n, 44). Flowers count together: sets draw them so differently that the
    flower may be in doubt although it is surely one."""
    faces = probabilities[:, : len(CLASSES)]
    codes = faces.argmax(axis=1)
    flowers = faces[:, FLOWERS]
    as_flower = flowers.sum(axis=1)
    best = flowers.argmax(axis=1) if len(faces) else np.zeros(0, np.intp)
    is_flower = as_flower > np.delete(faces, np.r_[FLOWERS], axis=1).max(axis=1, initial=0)
    codes = np.where(is_flower, FLOWERS.start + best, codes)
    chosen = faces[np.arange(len(faces)), codes]
    kind = np.where(is_flower, as_flower, chosen)
    name = np.where(is_flower, chosen / np.maximum(as_flower, 1e-9), 1.0)
    return Named(codes.astype(np.intp), kind, name)


def contended(probabilities: Floats) -> NDArray[np.bool_]:
    """Which of the names for rows (n, 44) another kind of tile comes near: the likelier has less than
    :data:`PLAINLY` of what both have. All flowers are one kind."""
    faces = probabilities[:, : len(CLASSES)]
    as_flower = faces[:, FLOWERS].sum(axis=1)
    others = np.delete(faces, np.r_[FLOWERS], axis=1)
    first = others.max(axis=1, initial=0)
    if len(others):
        others[np.arange(len(others)), others.argmax(axis=1)] = 0.0
    second = np.maximum(np.minimum(first, as_flower), others.max(axis=1, initial=0))
    most = np.maximum(first, as_flower)
    return np.asarray(most < PLAINLY * (most + second))


def _log_odds(shares: Floats) -> Floats:
    bounded = shares.clip(1e-3, 1 - 1e-3)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds


def _hanging_together(sure: NDArray[np.bool_], beside: NDArray[np.bool_]) -> Floats:
    """For each box, how many sure tiles hang together at its best neighbour; itself is not counted."""
    n = len(sure)
    group = np.arange(n)
    tied = beside & sure[:, None]
    while n:
        lowest = np.minimum(group, np.where(tied, group[None], n).min(axis=1))
        if (lowest == group).all():
            break
        group = lowest
    counts = np.bincount(group[sure], minlength=n) if n else np.zeros(0)
    best: Floats = np.where(beside, counts[group][None], 0).max(axis=1, initial=0)
    return np.maximum(best - (sure & (best > 0)), 0.0)


def _size_off(logs: Floats, apart: Floats, sure: NDArray[np.bool_]) -> Floats:
    """The difference of each box's area (``logs``) from the nearest sure tiles. Neighbouring tiles have equal size,
    however slanted the camera is."""
    n = len(logs)
    away = np.where(sure[None], apart, np.inf)
    np.fill_diagonal(away, np.inf)
    nearest = np.argsort(away, axis=1, kind="stable")[:, :NEAREST]
    there = np.isfinite(np.take_along_axis(away, nearest, axis=1))
    usual = np.nanmedian(np.where(there, logs[nearest], np.nan), axis=1) if there.all(axis=1).any() else np.zeros(n)
    off: Floats = np.where(there.all(axis=1), np.abs(logs - usual).clip(max=1.5), NO_SIZE)
    return off


def evidence(found: Found, named: Named, none: Floats, shape: tuple[int, int]) -> Floats:
    """(n, len(EVIDENCE)) of the boxes found in a picture of ``shape`` (height, width); ``none``: probability (n,) that
    the classifier gives to "no tile"."""
    boxes, scores = found.boxes, found.scores
    n = len(boxes)
    if not n:
        return np.zeros((0, len(EVIDENCE)))
    least = found.least if found.least is not None else np.zeros(n)
    certain = scores * named.kind
    sure = certain >= SURE_ENOUGH
    sizes = boxes[:, 2:] - boxes[:, :2]
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    logs = np.log(np.maximum(sizes, 1.0))
    alike = (np.abs(logs[:, None] - logs[None]) < ALIKE).all(axis=2)
    apart = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
    longer = sizes.max(axis=1)
    common = coverage(boxes, boxes)
    np.fill_diagonal(common, 0.0)
    beside = alike & (apart < BESIDE * np.maximum(longer[:, None], longer[None])) & (common < TURNED) & sure[None]
    np.fill_diagonal(beside, False)
    neighbours = beside.sum(axis=1)
    area = areas(boxes)
    size_off = _size_off(np.log(np.maximum(area, 1.0)), apart, sure)
    inside = np.where(certain[None] > certain[:, None], common, 0.0).max(axis=1)
    holds = ((common > 0.8) & (area[:, None] > 1.4 * area[None])).sum(axis=1) >= 2
    row = np.log1p(_hanging_together(sure, beside))
    blank = np.isin(named.codes, BLANK)
    detector = _log_odds(scores)
    columns = (
        detector,
        _log_odds(np.maximum(least, UNSEEN)),
        least > 0,
        _log_odds(named.kind),
        -_log_odds(none),
        blank,
        blank * detector,
        neighbours >= 1,
        neighbours >= 2,
        row,
        sure.sum() - sure < 1,
        size_off,
        np.maximum(inside - TURNED, 0.0),
        holds,
        at_edge(boxes, *shape),
        (named.codes >= FLOWERS.start) & (named.codes < FLOWERS.stop),
        (named.codes == BLANK[1]) & (named.kind > 0.5) & (row >= np.log1p(LONG_ROW)) & (size_off < SIZE_OF_ROW),
    )
    return np.stack([np.asarray(column, np.float64) for column in columns], axis=1)


def weigh(columns: Floats, confidence: Confidence) -> Floats:
    """Probabilities (n,) that there is a tile of that kind, from evidence (n, len(EVIDENCE))."""
    row = np.array([confidence.weights.get(name, 0.0) for name in EVIDENCE])
    said: Floats = 1 / (1 + np.exp(-(columns @ row + confidence.bias).clip(-30, 30)))
    return said
