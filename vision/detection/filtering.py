"""取捨: which of the tiles seen to believe. A doubtful one counts where it fits beside tiles that are sure.

Hands lie in rows: a box of the right size just beside a tile, covering none, is rarely anything else, while doubtful
boxes that lie alone are pictures, dice, edges of tiles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scoring.tiles import FLOWER_CODES
from vision.detection.types import Detection
from vision.geometry import covered

NAMED = 0.5
"""A doubtful tile must at least have a name (a flower: be one) that is more likely than not."""
ALIKE = 1.25
"""Width and height may differ from the neighbour's by this factor."""
BESIDE = 1.4
"""Distance of the middles, in lengths of the neighbour."""
COVERS = 0.4
"""Share of the smaller box that two tiles may share (boxes round turned tiles overlap)."""


def certainty(detection: Detection) -> float:
    """That there is a tile, and this one."""
    return detection.score * detection.confidence


def _of_kind(detection: Detection) -> float:
    """Probability of the name; of a flower, that it is one, whichever. Sets draw flowers so differently that which one
    it is may be in doubt where it can be nothing else: better shown with that doubt than not at all."""
    if detection.tile not in FLOWER_CODES:
        return detection.confidence
    return detection.confidence + sum(share for tile, share in detection.others if tile in FLOWER_CODES)


def _there(detection: Detection) -> float:
    """That there is a tile, and of this kind."""
    return detection.score * _of_kind(detection)


def _neighbours(detection: Detection, other: Detection) -> bool:
    (w, h), (ow, oh) = detection.size, other.size
    if not (1 / ALIKE <= w / ow <= ALIKE and 1 / ALIKE <= h / oh <= ALIKE):
        return False
    return math.dist(detection.center, other.center) < BESIDE * max(ow, oh)


def select(detections: Sequence[Detection], sure: float) -> tuple[Detection, ...]:
    """Tiles that are there with a probability of at least ``sure``, and doubtful ones beside them; the most certain
    first."""
    ranked = sorted(detections, key=_there, reverse=True)
    kept = [detection for detection in ranked if _there(detection) >= sure]
    for detection in ranked[len(kept) :]:
        if _of_kind(detection) < NAMED or any(covered(detection.box, other.box) > COVERS for other in kept):
            continue
        if any(_neighbours(detection, other) for other in kept):
            kept.append(detection)
    return tuple(sorted(kept, key=certainty, reverse=True))
