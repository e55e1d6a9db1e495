"""漏標: positions near the labelled tiles that may hold an unlabelled tile.

There are three signs: a rejected detection, a gap of a tile's width in a row, and a position just beyond a row's end.
The last two count only if the classifier sees a tile. A hand that is one tile short is reported too.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from scoring.tiles import BACK, FLOWER_CODES
from vision.detection.types import Detection
from vision.labelling.labels import Box, Label, LabelError, Point

if TYPE_CHECKING:
    from vision.detection.classifier import Classifier
    from vision.pixels.values import Picture

ROW = 3
"""Labels that make a row from which the spacing is known."""
HAND_TILES = 17
"""Tiles of a won hand without kongs; 16 of them are one short."""
SLACK = 0.22
"""A hole differs from a whole number of tiles by less than this share of one."""
WIDEST = 2
"""Holes of more tiles than this are room between groups."""
IN_ROW, AT_END, AT_END_OF_FEW = 0.6, 0.9, 0.5
"""Least probability of a tile in a gap and beyond a row's end; the last one if the labelled tiles are too few for a
hand."""
A_HAND = range(10, HAND_TILES)
"""Tiles, without flowers, of a hand that may be incomplete; fewer may be anything."""
FREE = 0.45
"""A position is free if no label's middle is nearer than this share of a tile."""

DOUBTED_CONFIDENCE = 0.15
"""Least confidence of a rejected detection. On 2,962 tiles of val, 18 were missed and the detector had seen 9 of them.
This finds 7 of those, with 26 false positions in half of the photos."""
ALIKE_RATIO = 1.8
"""Side of a doubted box by that of the labelled ones."""
LIES_ON_IOU = 0.35

Kind = Literal["gap", "end", "seen"]


@dataclass(frozen=True)
class Spot:
    """A position that may miss a tile: a gap in a row, or beyond its ``end``."""

    box: Box
    kind: Kind


@dataclass(frozen=True)
class Missed:
    """A tile that the model sees at such a position: ``tile`` and its probability."""

    box: Box
    kind: Kind
    tile: str
    confidence: float

    def to_json(self) -> dict[str, Any]:
        """For the page."""
        box = [self.box.x1, self.box.y1, self.box.x2, self.box.y2, self.box.angle]
        return {"box": box, "kind": self.kind, "tile": self.tile, "confidence": self.confidence}


def short_of_hand(labels: Sequence[Label]) -> bool:
    """Whether the tiles are a hand that lacks one: 16, without flowers. Two or three face-down tiles belong to a
    concealed kong, and such a hand has one tile more. With more face-down tiles the answer is no."""
    backs = sum(label.tile == BACK for label in labels)
    faces = sum(label.tile not in FLOWER_CODES for label in labels) - backs
    return faces == HAND_TILES - 1 if backs < 2 else backs < 4 and faces + backs == HAND_TILES


def too_few(labels: Sequence[Label]) -> bool:
    """Whether the tiles look like a hand of which some are missing."""
    return sum(label.tile not in FLOWER_CODES for label in labels) in A_HAND


def ranked(places: Sequence[Missed], labels: Sequence[Label]) -> list[tuple[Missed, float]]:
    """Positions of one photo with their weight among all photos. A photo short of a hand weighs more than a whole one,
    a face more than a back, and a single position more than each of many."""
    faces = sum(label.tile not in FLOWER_CODES for label in labels)
    lacks = 1.0 if faces in A_HAND else 0.4 if HAND_TILES <= faces <= HAND_TILES + 4 else 0.7
    alone = 1 / math.sqrt(max(1, len(places)))
    return [(missed, missed.confidence * lacks * alone * (0.3 if missed.tile == BACK else 1.0)) for missed in places]


def rows_of(boxes: Sequence[Box]) -> list[list[int]]:
    """Places of the boxes in rows as they lie on the table, slanting or not: top row first, left to right."""
    middles = [box.center for box in boxes]
    sides = sorted(min(box.width, box.height) for box in boxes)
    room = (sides[len(sides) // 2] if sides else 0.0) * 0.6
    angle = _slant(middles)
    other = angle - math.pi / 2 if angle > 0 else angle + math.pi / 2
    across, two = _lined(middles, angle, room), _lined(middles, other, room)
    return two if len(two) < len(across) else across


def _slant(middles: Sequence[Point]) -> float:
    """The direction of most rows, -90° to 90°, from each tile to its nearest neighbour."""
    cos = sin = 0.0
    for middle in middles:
        near = min(
            (other for other in middles if other != middle), key=lambda other: math.dist(middle, other), default=None
        )
        if near:
            doubled = 2 * math.atan2(near[1] - middle[1], near[0] - middle[0])  # there and back is one direction
            cos, sin = cos + math.cos(doubled), sin + math.sin(doubled)
    return math.atan2(sin, cos) / 2


def _lined(middles: Sequence[Point], angle: float, room: float) -> list[list[int]]:
    """The rows of one direction: boxes less than ``room`` from the middle of their row."""
    cos, sin = math.cos(angle), math.sin(angle)
    placed = [(y * cos - x * sin, x * cos + y * sin, n) for n, (x, y) in enumerate(middles)]
    rows: list[list[tuple[float, float, int]]] = []
    for position in sorted(placed):
        if rows and position[0] - statistics.fmean(member[0] for member in rows[-1]) <= room:
            rows[-1].append(position)
        else:
            rows.append([position])
    return [[n for _, _, n in sorted(row, key=lambda member: member[1])] for row in rows]


def spots(labels: Sequence[Label], size: tuple[int, int]) -> list[Spot]:
    """Positions that may miss a tile of a row, in a photo of ``size`` (width, height)."""
    boxes = [label.box for label in labels]
    gaps: list[Spot] = []
    for row in rows_of(boxes):
        if len(row) < ROW:
            continue
        members = [boxes[n] for n in row]
        steps = [math.dist(a.center, b.center) for a, b in itertools.pairwise(members)]
        pitch = statistics.median(steps)
        for a, b, step in zip(members, members[1:], steps, strict=False):
            missing = round(step / pitch) - 1
            if 1 <= missing <= WIDEST and abs(step / pitch - missing - 1) <= SLACK * (missing + 1):
                gaps += _between(a, b, missing)
        for end, inner in ((members[0], members[1]), (members[-1], members[-2])):
            step = math.dist(end.center, inner.center)
            if step <= (1 + SLACK) * pitch:
                (x, y), (ix, iy) = end.center, inner.center
                gaps.append(Spot(_at(end, (2 * x - ix, 2 * y - iy)), "end"))
    return [spot for spot in gaps if _free(spot.box, boxes, size)]


def _between(a: Box, b: Box, missing: int) -> list[Spot]:
    (ax, ay), (bx, by) = a.center, b.center
    shares = [n / (missing + 1) for n in range(1, missing + 1)]
    return [
        Spot(_at(a if share < 0.5 else b, (ax + (bx - ax) * share, ay + (by - ay) * share)), "gap") for share in shares
    ]


def _at(like: Box, middle: Point) -> Box:
    """A box as large and as turned as ``like``, elsewhere."""
    w, h = like.width / 2, like.height / 2
    return Box(middle[0] - w, middle[1] - h, middle[0] + w, middle[1] + h, like.angle)


def _free(box: Box, boxes: Sequence[Box], size: tuple[int, int]) -> bool:
    x, y = box.center
    side = min(box.width, box.height)
    if not (0 <= x <= size[0] and 0 <= y <= size[1]):
        return False
    try:
        if box.clipped(*size) is None:
            return False
    except LabelError:
        return False
    return all(math.dist(box.center, other.center) > FREE * side and box.iou(other) < 0.35 for other in boxes)


def doubted(detections: Sequence[Detection], labels: Sequence[Label]) -> list[Missed]:
    """Rejected detections that overlap no label and have the labels' size."""
    if not labels:
        return []
    usual = statistics.median(math.sqrt(label.box.width * label.box.height) for label in labels)
    doubts: list[Missed] = []
    for detection in sorted(detections, key=lambda candidate: -candidate.score * candidate.confidence):
        certainty = detection.score * detection.confidence
        width, height = detection.size
        if (
            certainty < DOUBTED_CONFIDENCE
            or min(width, height) < 2
            or not 1 / ALIKE_RATIO < math.sqrt(width * height) / usual < ALIKE_RATIO
        ):
            continue
        box = Box(*detection.box)
        others = [label.box for label in labels] + [place.box for place in doubts]
        if all(box.iou(other) < LIES_ON_IOU for other in others):
            doubts.append(Missed(box, "seen", detection.tile, round(certainty, 4)))
    return doubts


def missed(
    labels: Sequence[Label],
    size: tuple[int, int],
    pixels: Picture,
    scale: tuple[float, float],
    names: Classifier,
    *,
    seen: Sequence[Detection] = (),
) -> list[Missed]:
    """Tiles that may be missing, the likeliest first. ``pixels`` is the decoded photo, ``scale`` the number of
    full-photo pixels per decoded pixel, across and down; ``seen``: every detection, accepted or not."""
    import numpy as np

    from vision.models.manifest import CLASSES

    places_missed = doubted(seen, labels)
    places = [
        spot for spot in spots(labels, size) if all(spot.box.iou(missed.box) < LIES_ON_IOU for missed in places_missed)
    ]
    if not places:
        return places_missed
    at_end = AT_END_OF_FEW if too_few(labels) else AT_END
    sx, sy = scale
    outlines = np.array([spot.box.outline for spot in places], dtype=np.float64) / (sx, sy, sx, sy)
    for spot, row in zip(places, names.read(pixels, outlines), strict=True):
        there = 1 - float(row[len(CLASSES)])
        if there >= (IN_ROW if spot.kind == "gap" else at_end):
            tile = CLASSES[int(np.argmax(row[: len(CLASSES)]))]
            if spot.kind == "gap" or tile != BACK:  # beyond a row's end any plain surface looks like a back
                places_missed.append(Missed(spot.box, spot.kind, tile, round(there, 4)))
    return sorted(places_missed, key=lambda missed: -missed.confidence)
