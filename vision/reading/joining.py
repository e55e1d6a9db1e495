"""合看: two readings of one photo, the second of it as it was made better to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.detection.types import DOUBTFUL, SURE, Detection

KEPT = 0.8
"""The first reading stands where the second is sure of less than this share of its sure tiles: then the photo was made
worse."""
SAME = 0.4
"""Distance of the middles, in lengths of the first reading's box, up to which both read one tile."""


def joined(first: Sequence[Detection], second: Sequence[Detection]) -> tuple[Detection, ...] | None:
    """The second reading, its boxes in the same photo; None where the first is better. A tile that both see gets the
    mean of its two boxes. One that only the second sees, and with doubt, is not read, nor one that only the first was
    sure of: nothing that was found disappears."""
    if not second or _sure(second) < KEPT * _sure(first):
        return None
    middles = np.array([one.center for one in first])
    lengths = np.array([max(one.size) for one in first])
    boxes = np.array([one.box for one in first])
    read: list[Detection] = []
    unread: list[Detection] = []
    missed = set(range(len(first)))
    for one in second:
        apart = np.hypot(*(middles - np.array(one.center)).T) / lengths
        missed.difference_update(np.flatnonzero(apart <= SAME))
        if apart.min() <= SAME:
            x1, y1, x2, y2 = (float(value) for value in (boxes[int(apart.argmin())] + np.array(one.box)) / 2)
            one = replace(one, box=(x1, y1, x2, y2))
        elif not one.unread and one.confidence < DOUBTFUL:
            unread.append(replace(one, unread=True, shaped=one.confidence))
            continue
        (unread if one.unread else read).append(one)
    lost = [first[place] for place in sorted(missed) if _sure([first[place]])]
    unread += [replace(one, unread=True, shaped=one.confidence) for one in lost]
    return (*read, *unread)


def _sure(seen: Sequence[Detection]) -> int:
    return sum(one.confidence >= SURE and not one.unread for one in seen)
