"""擺正: a photo whose rows lie askew is read once more with its rows level.

Boxes round tiles that are turned by half a right angle are large, lie over each other, and hold as much of the
neighbours as of the tile: such tiles are missed, or taken for each other. Turned until its rows lie level, the same
photo is read as any other. Photos whose rows lie straight are read once, as ever.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.detection.types import Detection
from vision.layout.rows import places, row_angle
from vision.photo.image import Photo
from vision.pixels import sight
from vision.reading.joining import joined

Box = tuple[float, float, float, float]
Floats = NDArray[np.float64]
ASKEW = math.radians(15)
"""Rows are read level where they lie at least so far from both of the photo's axes."""
FEWEST = 4
"""With fewer boxes, read or not, no direction is trusted."""
LONGER = 0.35
"""Tiles stand upright whose boxes are by so much longer (log of the sides' ratio) than those of turned ones. Of 59
train photos whose middles lie askew 23 are told so: 0.42 and more, the others 0.22 and less."""
MARGIN = 2.5
"""Tile lengths left round the middles of the tiles."""
CORNERS = 0.35
"""How far a turned tile's box reaches from that of the ellipse in it (0) to that of its corners (1)."""


@dataclass(frozen=True, eq=False)  # arrays
class Level:
    """A photo turned until its rows lie level: ``photo``, and the ``matrix`` (2, 3) from the pixels that were read at
    first to those of it."""

    photo: Photo
    matrix: Floats


def level(photo: Photo, seen: Sequence[Detection]) -> Level | None:
    """``photo`` with its rows level, as far as it holds the tiles ``seen`` in it; None where they lie straight."""
    if len(seen) < FEWEST:
        return None
    middles, lengths = places(seen)
    angle = row_angle(middles, lengths)
    if abs((angle + math.pi / 4) % (math.pi / 2) - math.pi / 4) < ASKEW or _upright(seen, angle):
        return None
    middles = middles / np.array(photo.scale)
    margin = MARGIN * float(np.median(lengths)) / photo.scale[0]
    cos, sin = math.cos(angle), math.sin(angle)
    turn = np.array([[cos, sin], [-sin, cos]])
    height, width = photo.pixels.shape[:2]
    corners = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]) @ turn.T
    turned = middles @ turn.T
    low = np.maximum(turned.min(axis=0) - margin, corners.min(axis=0))
    high = np.minimum(turned.max(axis=0) + margin, corners.max(axis=0))
    size = (math.ceil(float(high[0] - low[0])), math.ceil(float(high[1] - low[1])))
    matrix = np.concatenate((turn, -low[:, None]), axis=1)
    return Level(Photo(sight.turned(photo.pixels, matrix, size), size), matrix)


def better(
    photo: Photo, first: tuple[Detection, ...], again: Level, second: Sequence[Detection]
) -> tuple[Detection, ...]:
    """The better of both readings of ``photo``: ``first``, or that of ``again``, its boxes laid back into the photo."""
    return joined(first, [replace(one, box=_back(photo, again.matrix, one.box)) for one in second]) or first


def _upright(seen: Sequence[Detection], angle: float) -> bool:
    """Whether the boxes are longer than those round tiles turned by ``angle`` can be: tiles that stand upright and lie
    about, or in a stair, have a direction that is none of theirs."""
    sizes = np.array([one.size for one in seen])
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    turned = abs(math.log((0.75 * cos + sin) / (0.75 * sin + cos)))
    return float(np.median(np.abs(np.log(sizes[:, 0] / sizes[:, 1])))) > turned + LONGER


def _back(photo: Photo, matrix: Floats, box: Box) -> Box:
    """A box of the level photo in pixels of the full one: between the box of the ellipse in it and that of its
    corners, as detectors draw turned tiles."""
    x1, y1, x2, y2 = box
    turn = matrix[:, :2].T
    x, y = (float(value) for value in turn @ (np.array([(x1 + x2) / 2, (y1 + y2) / 2]) - matrix[:, 2]))
    wide, high = (x2 - x1) / 2, (y2 - y1) / 2
    cos, sin = abs(float(turn[0, 0])), abs(float(turn[0, 1]))
    across = CORNERS * (wide * cos + high * sin) + (1 - CORNERS) * math.hypot(wide * cos, high * sin)
    down = CORNERS * (wide * sin + high * cos) + (1 - CORNERS) * math.hypot(wide * sin, high * cos)
    (sx, sy), (right, bottom) = photo.scale, photo.size
    return (
        max(0.0, (x - across) * sx),
        max(0.0, (y - down) * sy),
        min(float(right), (x + across) * sx),
        min(float(bottom), (y + down) * sy),
    )
