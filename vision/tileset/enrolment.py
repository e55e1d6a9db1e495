"""認識這副牌: the tiles of one photo, laid in rows, with a person's names, as references.

The boxes come from the detector. The classifier's names do not count, because all of them may be wrong. Tiles are named
in reading order: row by row from the top, each from left to right, in the upright photo.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import FLOWER_CODES
from vision.detection.classifier import Classifier
from vision.detection.coloured_light import search
from vision.detection.detector import Detector
from vision.detection.types import Found
from vision.geometry import coverage
from vision.models.manifest import CLASSES
from vision.photo.image import Photo
from vision.pixels import sight
from vision.pixels.values import Picture
from vision.tileset.values import CROP, PAD, Reference, TileSetError

Floats = NDArray[np.float64]
CERTAIN, POSSIBLE = 0.55, 0.2
"""Certainty of a box: the detector's score minus the classifier's share of face-down and no tile.

The first value is for a tile, the second for a possible tile that the given number needs and that is in line.
"""
NO_FACE = [CLASSES.index("back"), len(CLASSES)]
"""Columns without a face: a face-down tile, such as a square of a mat or floor, and no tile."""
APART_CONFIDENCE = 0.15
"""Certain boxes beyond the given number are dropped if they are this much less certain than the others."""
ALIKE_RATIO = 1.45
"""Tiles of one photo differ in length by at most this factor from their neighbours."""
REACH_LENGTHS = 3.4
"""Neighbours are at most this many tile lengths apart."""
INSIDE = 0.45
"""Share of the smaller of two boxes in the other, from which both are one tile."""
EDGE_PIXELS = 2.0
"""Pixels from the photo's edge within which a box may be cut by it."""
COVERED, SMALLER, NEAREST = 0.35, 0.72, 3
"""A tile is partly hidden if another box covers this share of it, or if its area is this much smaller than the usual
one of this many nearest tiles."""
SURELY_READ = 0.8
"""Probability of a name that a person's name may contradict."""
ORDERED = 5
"""This many surely read flowers show their order."""
SLOPE = math.radians(35)
"""Rows lean by less than this."""


@dataclass(frozen=True)
class Enrolment:
    """The tiles found in a photo, in reading order.

    ``boxes`` (n, 4): x1 y1 x2 y2 in pixels of the full photo, and the crop of each. ``whole``: which are fully visible
    (empty: all). ``read``: the networks' name of each, with its probability (empty: not read).
    """

    boxes: tuple[tuple[float, float, float, float], ...]
    crops: tuple[Picture, ...]
    whole: tuple[bool, ...] = ()
    read: tuple[tuple[str, float], ...] = ()

    def named(self, codes: Sequence[str]) -> tuple[Reference, ...]:
        """The references, one for each fully visible tile with a name (not ``""``). Raises TileSetError if the numbers
        differ."""
        if len(codes) != len(self.boxes):
            raise TileSetError("set_count", found=len(self.boxes), named=len(codes))
        return tuple(
            Reference(code, crop)
            for place, (code, crop) in enumerate(zip(codes, self.crops, strict=True))
            if code and self.is_whole(place)
        )

    def is_whole(self, place: int) -> bool:
        """Whether a tile is neither cut by the photo's edge nor covered: part of a tile is like many other tiles."""
        return self.whole[place] if self.whole else True

    def contradicted(self, codes: Sequence[str]) -> tuple[int, ...]:
        """Positions whose name differs from a sure reading: a slip, a row named from the wrong end, or unknown art.

        Flowers look different in every set. They contradict only if most are read as others of the eight, no two
        alike, as in a row in another order.
        """
        surely = [place for place, (_, share) in enumerate(self.read) if codes[place] and share >= SURELY_READ]
        against = [place for place in surely if self.read[place][0] != codes[place]]
        flowers = [place for place in surely if {codes[place], self.read[place][0]} <= FLOWER_CODES]
        mistaken = [place for place in against if place in flowers]
        distinct = len({self.read[place][0] for place in flowers}) == len(flowers)
        reordered = distinct and len(flowers) >= ORDERED and 2 * len(mistaken) > len(flowers)
        return tuple(against if reordered else [place for place in against if place not in mistaken])

    def in_another_order(self, codes: Sequence[str]) -> bool:
        """Whether most sure readings contradict the names, because they were given in another order."""
        surely = [place for place, (_, share) in enumerate(self.read) if codes[place] and share >= SURELY_READ]
        against = self.contradicted(codes)
        return len(against) > 2 and 2 * len(against) > len(surely)


def crop_of(pixels: Picture, box: Sequence[float]) -> Picture:
    """The square crop (CROP, CROP, 3) round a box in pixels of ``pixels``."""
    x1, y1, x2, y2 = box
    return sight.window(pixels, (x1 + x2) / 2, (y1 + y2) / 2, max(x2 - x1, y2 - y1) * (1 + 2 * PAD), CROP)


def enrol(photo: Photo, detector: Detector, classifier: Classifier | None, expected: int | None = None) -> Enrolment:
    """The tiles of a photo in reading order. ``expected``: the number of named tiles.

    It decides only about doubtful boxes, and never adds or drops a clear one.
    """
    pixels, found = search(detector, photo.pixels)
    photo = replace(photo, pixels=pixels)
    boxes, certainty = tiles_among(found, photo, classifier)
    kept = choose(boxes, certainty, expected)
    ordered = kept[reading_order(boxes[kept])]
    sx, sy = photo.scale
    full = [tuple(float(value) for value in boxes[at] * (sx, sy, sx, sy)) for at in ordered]
    crops = tuple(crop_of(photo.pixels, boxes[at]) for at in ordered)
    whole = seen_whole(boxes[ordered], photo.pixels.shape[:2])
    read: tuple[tuple[str, float], ...] = ()
    if classifier is not None and len(ordered):
        shares = classifier.read(photo.pixels, boxes[ordered])[:, : len(CLASSES)]
        read = tuple((CLASSES[int(row.argmax())], float(row.max())) for row in shares)
    return Enrolment(tuple((x1, y1, x2, y2) for x1, y1, x2, y2 in full), crops, tuple(map(bool, whole)), read)


def seen_whole(boxes: Floats, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """(n,): which boxes (n, 4) in a picture of ``shape`` (height, width) are neither cut by its edge nor covered.

    A partly hidden tile is smaller than its neighbours, or under another one.
    """
    height, width = shape
    room = np.concatenate((boxes[:, :2], (width, height) - boxes[:, 2:]), axis=1)
    whole: NDArray[np.bool_] = room.min(axis=1, initial=np.inf) >= EDGE_PIXELS
    if len(boxes) > 1:
        common = coverage(boxes, boxes)
        np.fill_diagonal(common, 0.0)
        whole &= common.max(axis=1) <= COVERED
    if len(boxes) > NEAREST:
        area = _lengths(boxes) ** 2
        centers = (boxes[:, :2] + boxes[:, 2:]) / 2
        apart = np.hypot(*(centers[:, None] - centers[None]).transpose(2, 0, 1))
        nearest = np.argsort(apart, axis=1, kind="stable")[:, 1 : 1 + NEAREST]
        whole &= area >= SMALLER * np.median(area[nearest], axis=1)
    return whole


def tiles_among(finds: Found, photo: Photo, classifier: Classifier | None) -> tuple[Floats, Floats]:
    """Boxes (n, 4) of possible face-up tiles, without doubles, and their certainty (n,), the most certain first.

    `finds`: the detector's boxes on `photo`; `classifier`: None if there is none, then the detector's certainty counts.
    """
    if not len(finds):
        return np.zeros((0, 4)), np.zeros(0)
    certainty = finds.scores.astype(np.float64)
    if classifier is not None and finds.faces is None:
        certainty = certainty * (1 - classifier.read(photo.pixels, finds.boxes)[:, NO_FACE].sum(axis=1))
    order = np.argsort(-certainty, kind="stable")
    common = coverage(finds.boxes, finds.boxes)
    kept: list[int] = []
    for at in order:
        if certainty[at] >= POSSIBLE and (not kept or common[at, kept].max() <= INSIDE):
            kept.append(int(at))
    return finds.boxes[kept], certainty[kept]


def choose(boxes: Floats, certainty: Floats, expected: int | None = None) -> NDArray[np.intp]:
    """Positions of the laid-out tiles: the certain ones of one group, and the most certain doubtful neighbours that
    ``expected`` needs."""
    groups = _together(boxes, certainty)
    if not groups:
        return np.zeros(0, dtype=np.intp)
    # Of two distant groups the one with more certain tiles counts; a single distant box is a thing.
    main = max(groups, key=lambda group: (int((certainty[group] >= CERTAIN).sum()), float(certainty[group].sum())))
    certain = [at for at in main if certainty[at] >= CERTAIN]
    others = [group for group in groups if group is not main and (certainty[group] >= CERTAIN).sum() > 1]
    certain += [int(at) for group in others for at in group if certainty[at] >= CERTAIN]
    if expected and len(certain) > expected:  # a pattern of the table, say
        certain.sort(key=lambda at: -certainty[at])
        if certainty[certain[expected - 1]] - certainty[certain[expected]] >= APART_CONFIDENCE:
            del certain[expected:]
    doubtful = sorted((at for at in main if certainty[at] < CERTAIN), key=lambda at: -certainty[at])
    half = [at for at in doubtful if certainty[at] >= (CERTAIN + POSSIBLE) / 2]
    missing = len(half) if expected is None else max(0, expected - len(certain))
    return np.array(sorted([*certain, *doubtful[:missing]]), dtype=np.intp)


def _together(boxes: Floats, certainty: Floats) -> list[NDArray[np.intp]]:
    """Groups of boxes of one size that lie near each other."""
    if not len(boxes):
        return []
    lengths = _lengths(boxes)
    centers = (boxes[:, :2] + boxes[:, 2:]) / 2
    apart = np.hypot(*(centers[:, None] - centers[None]).transpose(2, 0, 1))
    larger, smaller = np.maximum(lengths[:, None], lengths), np.minimum(lengths[:, None], lengths)
    near = (apart <= REACH_LENGTHS * larger) & (larger <= ALIKE_RATIO * smaller)
    left = set(range(len(boxes)))
    groups = []
    while left:
        group = {min(left)}
        while True:
            more = {int(at) for at in np.flatnonzero(near[sorted(group)].any(axis=0))} & left
            if more <= group:
                break
            group |= more
        left -= group
        groups.append(np.array(sorted(group), dtype=np.intp))
    return groups


def _lengths(boxes: Floats) -> Floats:
    sides: Floats = np.sqrt((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
    return sides


def reading_order(boxes: Floats) -> NDArray[np.intp]:
    """Places of boxes (n, 4) row by row from the top, each row from left to right. Rows may lean, and lean each by
    itself (perspective); they may hold different numbers of tiles."""
    if not len(boxes):
        return np.zeros(0, dtype=np.intp)
    centers, lengths = (boxes[:, :2] + boxes[:, 2:]) / 2, _lengths(boxes)
    heights = boxes[:, 3] - boxes[:, 1]
    rows = _chains(centers, heights, lengths)
    rows = _joined(rows, centers, heights)
    middle = float(np.median(centers[:, 0]))
    rows.sort(key=lambda row: _height_at(centers[row], middle))
    return np.array([at for row in rows for at in row], dtype=np.intp)


def _chains(centers: Floats, heights: Floats, lengths: Floats) -> list[list[int]]:
    """Tiles joined to the next one on their right that continues their row."""
    follows: dict[int, int] = {}
    costs: list[tuple[float, int, int]] = []
    slope = _usual_slope(centers, lengths)
    for i in range(len(centers)):
        step = centers[:, 0] - centers[i, 0]
        side = np.abs(centers[:, 1] - centers[i, 1] - slope * step)
        unit = np.minimum(heights, heights[i])
        fits = (step > 0.35 * lengths[i]) & (step < 2.2 * REACH_LENGTHS * lengths[i]) & (side < 0.45 * unit)
        costs += [(float(step[j] + 2 * side[j]), i, int(j)) for j in np.flatnonzero(fits)]
    taken: set[int] = set()
    for _, i, j in sorted(costs):
        if i not in follows and j not in taken:
            follows[i] = j
            taken.add(j)
    rows = []
    for start in range(len(centers)):
        if start not in taken:
            row = [start]
            while row[-1] in follows:
                row.append(follows[row[-1]])
            rows.append(row)
    return rows


def _usual_slope(centers: Floats, lengths: Floats) -> float:
    """Rise by run of the rows: the slope to which most neighbours, near and sideways, agree."""
    delta = centers[None] - centers[:, None]
    apart = np.hypot(delta[..., 0], delta[..., 1])
    near = (delta[..., 0] > 0) & (apart < 1.6 * lengths[:, None])
    angles = np.arctan2(delta[..., 1], delta[..., 0])[near]
    angles = angles[np.abs(angles) < SLOPE]
    if not len(angles):
        return 0.0
    votes = np.exp(-(((angles[:, None] - angles) / math.radians(4)) ** 2)).sum(axis=1)
    best = angles[int(votes.argmax())]
    return math.tan(float(np.median(angles[np.abs(angles - best) < math.radians(6)])))


def _height_at(row: Floats, x: float) -> float:
    """The height of the line through a row's middles (n, 2) at ``x``."""
    if len(row) < 2 or np.ptp(row[:, 0]) < 1:
        return float(row[:, 1].mean())
    slope, start = np.polyfit(row[:, 0], row[:, 1], 1)
    return float(np.clip(start + slope * x, row[:, 1].min() - 1e4, row[:, 1].max() + 1e4))


def _joined(rows: list[list[int]], centers: Floats, heights: Floats) -> list[list[int]]:
    """Rows broken by a wide gap put together again: the line of one runs through the other."""
    rows = [sorted(row, key=lambda at: centers[at, 0]) for row in rows]
    while True:
        pairs = [(a, b) for a in range(len(rows)) for b in range(len(rows)) if a != b]
        merged = next((pair for pair in pairs if _one_row(rows[pair[0]], rows[pair[1]], centers, heights)), None)
        if merged is None:
            return rows
        a, b = merged
        rows = [row for at, row in enumerate(rows) if at not in merged] + [rows[a] + rows[b]]


def _one_row(left: list[int], right: list[int], centers: Floats, heights: Floats) -> bool:
    if centers[left[-1], 0] >= centers[right[0], 0] or len(left) + len(right) < 3:
        return False
    longer, other = (left, right) if len(left) >= len(right) else (right, left)
    if len(longer) < 2:
        return False
    end = other[0] if other is right else other[-1]
    off = abs(_height_at(centers[longer], float(centers[end, 0])) - centers[end, 1])
    return bool(off < 0.35 * heights[end])
