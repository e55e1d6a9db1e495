"""擺正: reads a photo again with its rows level and, from a low camera, its faces in their own shape.

A box round a tile turned by 45 degrees is large, overlaps its neighbours, and holds as much of them as of the tile.
Such tiles are missed or confused. From a low camera faces are flat: at 60 degrees every third tile is missed, though
its pixels suffice. Turned and stretched, the same photo reads like any other. Other photos are read once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.detection.types import SURE, Detection
from vision.layout.rows import direction, places
from vision.photo.image import Photo
from vision.pixels import sight
from vision.reading.joining import CONTRADICTED, SAME, joined

Box = tuple[float, float, float, float]
Floats = NDArray[np.float64]
ASKEW = math.radians(15)
"""Least angle between rows and both axes of the photo for a turned reading."""
FEWEST = 4
"""With fewer boxes, read or not, no direction is trusted."""
LONGER = 0.35
"""Standing tiles have boxes this much longer (log of the sides' ratio) than turned ones. Of 59 train photos with askew
middles 23 are recognised: 0.42 and more, the others 0.22 and less."""
MARGIN = 2.5
"""Tile lengths kept round the middles of the tiles."""
WIDE_MARGIN = 8.0
"""The same for a photo from a low camera, whose far tiles may still be unseen. Fewer than :data:`FEWEST` tiles do not
show where the others are: such a photo is stretched whole."""
SHAPE = 4 / 3
"""Height of a face by its width."""
LEAST_STRETCH, MOST_STRETCH = 1.45, 4.5
"""Least stretch that is worth a second reading, and the most."""
FEWEST_SLANTING = 2
"""With fewer faces no slant is trusted."""
FLATTEST = 16.0
"""Pixels of a flat face's height from which a stretched reading alone is sure of it: the shorter side of a tile at
which `quality_small` is said of a photo."""
BLANK = (BACK, "5z")
"""Faces without a print of their own."""
MOST_PIXELS = 2000
"""Longer side of a stretched photo; a larger one is shrunk."""
UNSEEN_STRETCH = 2.2
"""Stretch of a photo in which hardly any tile is seen. Between those of 60 and 70 degrees."""
ROUNDS = 3
"""Rounds in which direction and stretch are found by turns."""
UNLIKE = 1.15
"""Stretches that differ by more than this factor are different explanations of the boxes."""
LENS = 1.2
"""Focal length of the usual camera, in longer sides of its photo."""
CORNERS = 0.35
"""How far a turned tile's box reaches from that of the ellipse in it (0) to that of its corners (1)."""


@dataclass(frozen=True, eq=False)  # arrays
class Level:
    """A ``photo`` with level rows. ``matrix`` (2, 3) carries pixels of the first reading's photo to its own.
    ``stretch``: how many times higher the photo was made before the turn."""

    photo: Photo
    matrix: Floats
    stretch: float = 1.0


def level(photo: Photo, seen: Sequence[Detection], *, patient: bool = True) -> Level | None:
    """The part of ``photo`` round the tiles ``seen``, turned and stretched; None if it needs neither.

    Only a photo with an unread or unsure tile is stretched. From very low almost no tile is seen: if ``patient``, a
    photo with hardly any is stretched whole, as one from 63 degrees.
    """
    stretch = 1.0 if all(_sure(tile) for tile in seen) else slant(seen, photo.size)
    if stretch == 1 and patient and hardly_any(seen):
        return _laid(photo, seen, UNSEEN_STRETCH, 0.0)
    if len(seen) < FEWEST_SLANTING:
        return None
    upright = [_stretched(tile, stretch) for tile in seen] if stretch > 1 else seen
    angle = direction(upright)
    off = abs((angle + math.pi / 4) % (math.pi / 2) - math.pi / 4)
    if len(seen) < FEWEST or off < ASKEW or _upright(upright, angle):
        if stretch == 1:
            return None
        angle = 0.0
    return _laid(photo, upright, stretch, angle)


def _laid(photo: Photo, upright: Sequence[Detection], stretch: float, angle: float) -> Level:
    """The photo stretched, then turned back by ``angle``, round the tiles ``upright`` in it; whole if they are few."""
    cos, sin = math.cos(angle), math.sin(angle)
    turn = np.array([[cos, sin], [-sin, cos]])
    height, width = photo.pixels.shape[0] * stretch, photo.pixels.shape[1]
    corners = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]) @ turn.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    if len(upright) >= FEWEST or stretch == 1:
        middles, lengths = places(upright)
        turned = middles / np.array(photo.scale) @ turn.T
        margin = (MARGIN if stretch == 1 else WIDE_MARGIN) * float(np.median(lengths)) / photo.scale[0]
        low = np.maximum(turned.min(axis=0) - margin, low)
        high = np.minimum(turned.max(axis=0) + margin, high)
    share = min(1.0, MOST_PIXELS / float((high - low).max())) if stretch > 1 else 1.0
    size = (math.ceil(float(high[0] - low[0]) * share), math.ceil(float(high[1] - low[1]) * share))
    matrix = np.concatenate((turn * np.array([1.0, stretch]), -low[:, None]), axis=1) * share
    return Level(Photo(sight.turned(photo.pixels, matrix, size), size), matrix, stretch)


def hardly_any(seen: Sequence[Detection]) -> bool:
    """Whether fewer than FEWEST boxes are found, none of them sure."""
    return len(seen) < FEWEST and not any(_sure(tile) for tile in seen)


def _sure(tile: Detection) -> bool:
    return not tile.unread and tile.confidence >= SURE


def slant(seen: Sequence[Detection], size: tuple[int, int]) -> float:
    """The vertical stretch that gives faces seen from a low camera their own shape; 1 if the photo needs none.

    Wide flat boxes have two explanations: upright tiles from a low camera, or tiles across from a higher one. If the
    direction of the rows fits both, perspective decides: from a low camera nearer tiles look larger.

    Args:
        seen: the tiles of the first reading.
        size: width and height of the photo.
    """
    faces = [tile for tile in seen if tile.tile != BACK]
    faces = faces if len(faces) >= FEWEST_SLANTING else list(seen)
    if len(faces) < FEWEST_SLANTING:
        return 1.0
    shape = float(np.median([tile.size[1] / tile.size[0] for tile in faces]))
    if shape * LEAST_STRETCH > SHAPE:
        return 1.0
    most, least = _settled(faces, shape, SHAPE / shape), _settled(faces, shape, 1.0)
    if most > least * UNLIKE:
        grows = _growth(faces) * LENS * max(size)
        stretch = most if grows > (_tangent(most) + _tangent(least)) / 2 else least
    else:
        stretch = most
    return stretch if stretch >= LEAST_STRETCH else 1.0


def _settled(faces: Sequence[Detection], shape: float, stretch: float) -> float:
    """The stretch that makes boxes of this ``shape`` (height by width) upright faces in the direction of their rows,
    found from a first ``stretch``. The direction is that in the stretched photo, so each depends on the other."""
    for _ in range(ROUNDS):
        angle = direction([_stretched(tile, stretch) for tile in faces])
        cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
        stretch = min(max(1.0, (cos + 0.75 * sin) / (0.75 * cos + sin) / shape), MOST_STRETCH)
    return stretch


def _growth(faces: Sequence[Detection]) -> float:
    """Relative growth of the faces' width per pixel down the photo, by least squares."""
    down = np.array([tile.center[1] for tile in faces])
    down = down - float(down.mean())
    widths = np.array([tile.size[0] for tile in faces])
    spread = float((down * down).sum())
    return float((down * widths).sum()) / spread / float(widths.mean()) if spread > 0 else 0.0


def _tangent(stretch: float) -> float:
    """The tangent of the angle by which a photo is laid back that needs this stretch."""
    return math.sqrt(max(0.0, stretch * stretch - 1))


def _stretched(tile: Detection, stretch: float) -> Detection:
    x1, y1, x2, y2 = tile.box
    return replace(tile, box=(x1, y1 * stretch, x2, y2 * stretch))


def better(
    photo: Photo, first: tuple[Detection, ...], again: Level, second: Sequence[Detection]
) -> tuple[Detection, ...]:
    """The better reading of ``photo``: ``first``, or ``second``, the reading of ``again`` with its boxes carried back.

    A stretched reading must be worth more than the first (:func:`worth`). If that saw hardly any tile, it must be sure
    of FEWEST at least.
    """
    laid = [replace(tile, box=_back(photo, again.matrix, tile.box)) for tile in second]
    if again.stretch > 1 and worth(laid) <= worth(first):
        return first
    if again.stretch > 1 and hardly_any(first) and sum(_sure(tile) for tile in laid) < FEWEST:
        return first
    read = joined(first, laid, truer=again.stretch > 1) or first
    if again.stretch == 1:
        return read
    doubted = [_doubted(photo, tile, first) for tile in read]
    return tuple(sorted(doubted, key=lambda tile: tile.unread))


def _doubted(photo: Photo, tile: Detection, first: Sequence[Detection]) -> Detection:
    """The tile of a stretched reading with the doubts that its look from low leaves.

    A blank face that the first reading did not name so is not read: the sides of tiles look like backs, stretched, and
    the backs of a pale wall like white dragons. If the first reading saw nothing there at all, it is hardly a tile. A
    very flat face is not sure if the first reading was not.
    """
    near = [other for other in first if math.dist(tile.center, other.center) <= SAME * max(other.size)]
    named = [other for other in near if other.tile == tile.tile and not other.unread]
    if tile.unread:
        return tile
    if tile.tile in BLANK and not named:
        return replace(tile, unread=True, shaped=max((other.shaped for other in near), default=0.0))
    height = (tile.box[3] - tile.box[1]) / photo.scale[1]
    if height >= FLATTEST or tile.confidence < SURE or any(other.confidence >= SURE for other in named):
        return tile
    return replace(tile, confidence=CONTRADICTED)


def worth(seen: Sequence[Detection]) -> float:
    """The number of sure tiles minus half the number of unread and unsure ones."""
    sure = sum(tile.confidence >= SURE and not tile.unread for tile in seen)
    return sure - (len(seen) - sure) / 2


def _upright(seen: Sequence[Detection], angle: float) -> bool:
    """Whether the boxes are longer than boxes round tiles turned by ``angle`` can be. Upright tiles in a stair have a
    row direction that is not their own."""
    sizes = np.array([tile.size for tile in seen])
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    turned = abs(math.log((0.75 * cos + sin) / (0.75 * sin + cos)))
    return float(np.median(np.abs(np.log(sizes[:, 0] / sizes[:, 1])))) > turned + LONGER


def _back(photo: Photo, matrix: Floats, box: Box) -> Box:
    """A box of the level photo in pixels of the full one: between the box of its corners and the box of the inscribed
    ellipse, as detectors draw turned tiles."""
    x1, y1, x2, y2 = box
    back = np.linalg.inv(matrix[:, :2])
    x, y = (float(value) for value in back @ (np.array([(x1 + x2) / 2, (y1 + y2) / 2]) - matrix[:, 2]))
    wide, high = (x2 - x1) / 2, (y2 - y1) / 2
    (right, rise), (fall, up) = ((abs(float(value)) for value in row) for row in back)
    across = CORNERS * (wide * right + high * rise) + (1 - CORNERS) * math.hypot(wide * right, high * rise)
    down = CORNERS * (wide * fall + high * up) + (1 - CORNERS) * math.hypot(wide * fall, high * up)
    (sx, sy), (edge, bottom) = photo.scale, photo.size
    return (
        max(0.0, (x - across) * sx),
        max(0.0, (y - down) * sy),
        min(float(edge), (x + across) * sx),
        min(float(bottom), (y + down) * sy),
    )
