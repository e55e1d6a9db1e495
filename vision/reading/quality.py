"""照片好不好: measures how well a photo shows its tiles, per photo and per tile, and gives a remedy.

Each measure is one fault of a camera: focus, light, distance, angle, frame, glare. The thresholds were set on training
photos with artificial faults (blur, motion, darkness, smaller copies, light spots, slant), so that a hint appears if
the reading gets worse, and seldom otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.tiles import BACK
from vision.detection.coloured_light import is_coloured, is_little, unusual_white
from vision.detection.types import MIRRORED, SURE, Detection
from vision.layout.rows import Table, flatness
from vision.messages import Message
from vision.photo.image import Photo
from vision.pixels import sight
from vision.reading.checks import Check

SIDE_PIXELS = 48
"""Tiles are measured at this size, in pixels, so that sharpness does not depend on the camera's resolution."""
BLURRED_SHARPNESS = 1.3
"""Sharpness (steepest change between pixels, in the direction with the least, by the tile's contrast) below which a
photo is blurred. At 1.3 the reading falls from 0.99 of the tiles to 0.94, and at 0.9 to 0.6."""
DARK = 48.0
"""Light of the bright part of a face (0 to 255) below which a photo is too dark: 0.99 right becomes 0.89 at 42."""
SMALL_PIXELS = 18.0
"""Pixels of a tile's side below which it is too small: 0.99 right becomes 0.96 at 20 and 0.89 at 14."""
GLARE, MORE = 0.35, 0.2
"""Share of a tile that is burnt out, and how much more that is than on the other tiles of the photo."""
WHITE = 0.6
"""The extra burnt share for a white dragon, which is white without glare."""
SLANT = 0.6
"""Height of faces (1 from straight above) below which a photo is taken from too low."""
EDGE_SHARE = 0.002
"""A box that comes so near to the photo's edge (share of its longer side) may be cut off."""
BURNT = 250
LEAST_CONTRAST = 8.0
"""A tile with less contrast has no edges to measure."""
FEWEST_TILES = 3
"""With fewer tiles a photo as a whole is not judged."""


@dataclass(frozen=True)
class TileQuality:
    """畫質 of one tile: ``side`` in pixels of the decoded photo, ``light`` of its bright part (0 to 255), ``sharp`` (no
    unit; 2 to 3 in good photos), ``burnt`` share of pixels."""

    side: float
    light: float
    sharp: float
    burnt: float


def measure(photo: Photo, detection: Detection) -> TileQuality | None:
    """Measure one tile; None for a box without pixels."""
    sx, sy = photo.scale
    height, width = photo.pixels.shape[:2]
    x1, y1, x2, y2 = detection.box
    left, right = max(0, int(x1 / sx)), min(width, math.ceil(x2 / sx))
    top, bottom = max(0, int(y1 / sy)), min(height, math.ceil(y2 / sy))
    if right - left < 3 or bottom - top < 3:
        return None
    seen = sight.face(photo.pixels, (left, top, right, bottom), SIDE_PIXELS, BURNT)
    side = math.sqrt((right - left) * (bottom - top))
    return TileQuality(side, seen.bright, seen.steepest / max(seen.high - seen.low, LEAST_CONTRAST), seen.burnt)


def judge(photo: Photo, detections: Sequence[Detection], table: Table | None = None) -> tuple[Check, ...]:
    """The faults of a photo, their tiles, and the remedies."""
    measured = {place: one for place, d in enumerate(detections) if (one := measure(photo, d)) is not None}
    faces = [place for place in measured if detections[place].tile not in (BACK, "5z")] or list(measured)
    checks: list[Check] = []
    if any(detection.by == MIRRORED for detection in detections):
        checks.append(Check(Message("quality_mirrored"), tuple(range(len(detections))), "photo"))
    if len(measured) >= FEWEST_TILES:
        checks += _as_a_whole(measured, faces)
        checks += _slanting(detections, table)
    checks += _light(photo, detections, dark=any(check.message.key == "quality_dark" for check in checks))
    checks += _glare(detections, measured)
    edge = tuple(place for place, detection in enumerate(detections) if at_edge(detection, photo.size))
    if edge:
        checks.append(Check(Message("at_edge", {"count": len(edge)}), edge, "photo"))
    return tuple(checks)


def _as_a_whole(measured: dict[int, TileQuality], faces: Sequence[int]) -> list[Check]:
    """Too dark, too small, blurred: reported if true of the usual tile, with the affected tiles."""
    side = float(np.median([measured[place].side for place in faces]))
    light = float(np.median([measured[place].light for place in measured]))
    sharp = float(np.median([measured[place].sharp for place in faces]))
    checks = []
    if light < DARK:
        tiles = tuple(place for place, one in measured.items() if one.light < DARK)
        checks.append(Check(Message("quality_dark", {"count": len(tiles)}), tiles, "photo"))
    if side < SMALL_PIXELS:
        tiles = tuple(place for place, one in measured.items() if one.side < SMALL_PIXELS)
        checks.append(Check(Message("quality_small", {"count": len(tiles), "pixels": round(side)}), tiles, "photo"))
    elif sharp < BLURRED_SHARPNESS:  # small tiles are blurred too, but coming nearer is what helps
        tiles = tuple(place for place in faces if measured[place].sharp < BLURRED_SHARPNESS)
        checks.append(Check(Message("quality_blurred", {"count": len(tiles)}), tiles, "photo"))
    return checks


def _light(photo: Photo, detections: Sequence[Detection], *, dark: bool) -> list[Check]:
    """Reports that a coloured lamp or little light was corrected; the latter not if the photo is reported as too
    ``dark``."""
    boxes = np.array([one.box for one in detections], dtype=np.float64).reshape(-1, 4) / (photo.scale * 2)
    white = unusual_white(photo.pixels, boxes)
    if white is None:
        return []
    said = [("quality_dim", is_little(white) and not dark), ("quality_coloured", is_coloured(white))]
    return [Check(Message(key), tuple(range(len(detections))), "photo") for key, holds in said if holds]


def _slanting(detections: Sequence[Detection], table: Table | None) -> list[Check]:
    if table is None or len(detections) < 2 * FEWEST_TILES:
        return []
    wh = np.array([detection.size for detection in detections], dtype=np.float64)
    if flatness(wh, table.angle) >= SLANT:
        return []
    return [Check(Message("quality_slanting"), tuple(range(len(detections))), "photo")]


def _glare(detections: Sequence[Detection], measured: dict[int, TileQuality]) -> list[Check]:
    """Tiles that are burnt out while the others are not, and whose face that may hide: a burnt face looks like a white
    dragon, and a surely read one was seen."""
    usual = float(np.median([one.burnt for one in measured.values()])) if measured else 0.0
    tiles = []
    for place, one in measured.items():
        more = WHITE if detections[place].tile == "5z" else MORE
        may_hide = detections[place].tile == "5z" or detections[place].unread or detections[place].confidence < SURE
        if may_hide and one.burnt > GLARE and one.burnt - usual > more:
            tiles.append(place)
    return [Check(Message("quality_glare", {"count": len(tiles)}), tuple(tiles), "photo")] if tiles else []


def at_edge(detection: Detection, size: tuple[int, int]) -> bool:
    """Whether the photo's edge cuts through a tile, as far as its box tells."""
    x1, y1, x2, y2 = detection.box
    margin = EDGE_SHARE * max(size)
    return x1 < margin or y1 < margin or x2 > size[0] - margin or y2 > size[1] - margin
