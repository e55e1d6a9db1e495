"""合看: two readings of one photo, the second of the photo improved for reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.detection.types import DOUBTFUL, SURE, Detection

KEPT = 0.8
"""If the second reading is sure of a smaller share of the first one's sure tiles, the photo got worse."""
SAME = 0.4
"""Two boxes are of one tile if their middles are at most this far apart, in lengths of the first reading's box."""
CONTRADICTED = 0.7
"""Most probability of a name that the first reading was sure was another: less than sure."""


def joined(
    first: Sequence[Detection], second: Sequence[Detection], *, truer: bool = False
) -> tuple[Detection, ...] | None:
    """The second reading with the tiles that only the first was sure of; None if the first reading is better.

    A tile of both gets the mean of its two boxes. A doubtful tile of the second reading alone becomes unread, and so
    does a sure tile of the first alone: no find disappears.

    Args:
        first: the reading of the photo as it is.
        second: of the improved photo, its boxes in pixels of the first.
        truer: the first reading's boxes have wrong shapes. Tiles of both keep the second box, and a name that
        contradicts
            a sure one is not sure.
    """
    if not second or _sure(second) < KEPT * _sure(first):
        return None
    middles = np.array([tile.center for tile in first]).reshape(-1, 2)
    lengths = np.array([max(tile.size) for tile in first])
    read: list[Detection] = []
    unread: list[Detection] = []
    missed = set(range(len(first)))
    for tile in second:
        apart = np.hypot(*(middles - np.array(tile.center)).T) / lengths
        missed.difference_update(np.flatnonzero(apart <= SAME))
        if apart.min(initial=np.inf) <= SAME:
            before = first[int(apart.argmin())]
            tile = _checked(before, tile) if truer else _between(before, tile)
        elif not tile.unread and tile.confidence < DOUBTFUL:
            unread.append(replace(tile, unread=True, shaped=tile.confidence))
            continue
        (unread if tile.unread else read).append(tile)
    lost = [first[place] for place in sorted(missed) if _sure([first[place]])]
    unread += [replace(tile, unread=True, shaped=tile.confidence) for tile in lost]
    return (*read, *unread)


def _between(before: Detection, tile: Detection) -> Detection:
    """The tile with the mean of both boxes."""
    x1, y1, x2, y2 = (float(value) for value in (np.array(before.box) + np.array(tile.box)) / 2)
    return replace(tile, box=(x1, y1, x2, y2))


def _checked(before: Detection, tile: Detection) -> Detection:
    """The tile, not sure if the first reading was sure of another name."""
    if _sure([before]) and before.tile != tile.tile:
        return replace(tile, confidence=min(tile.confidence, CONTRADICTED))
    return tile


def _sure(seen: Sequence[Detection]) -> int:
    return sum(tile.confidence >= SURE and not tile.unread for tile in seen)
