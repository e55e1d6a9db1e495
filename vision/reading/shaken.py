"""手震: a photo that was shaken while it was taken is read once more with the shake taken out.

A hand that moves draws each point of the photo out into a line: small things are lost along it, and kept across it. The
tiles show both, so they tell the line's direction. Light is then taken back along that line, as far as it can be
without making more of the noise than of the tiles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.detection.types import SURE, Detection
from vision.photo.image import Photo
from vision.pixels import sight
from vision.pixels.values import Box, Tap
from vision.reading.joining import SAME, joined

FINE = 0.02
"""Tile lengths: what is smaller is lost in a shaken photo."""
LOST = 1.0
"""A photo that has so many times more of what is small than of what is large is sharp, or noisy. Of 1,318 train photos
28 show a line, 26 of them with more; shaken ones have less, but for 1 in 100."""
ONE_WAY = 1.7
"""So many times more of what is small, beside what is large, is left across the line than along it. Of 132 train photos
97 in 100 have at most 1.47; shaken by 0.06 to 0.15 of a tile 97 in 100 have 1.75 and more."""
LINE = 0.1
"""Tile lengths of the line that is taken out."""
FEWEST, LEAST_PIXELS = 4, 8
"""With fewer boxes no direction is trusted; smaller ones show none."""
FLAT = 1.0
"""Of light that changes less nothing is told."""
PIXELS = 64
"""Tiles that are longer, in pixels, are looked at so large: it is as large as they are named."""
DOUBTED = 0.7
"""Most probability of a name that the photo as it came contradicts: under what is sure."""


def steadied(photo: Photo, seen: Sequence[Detection]) -> Photo | None:
    """The photo with the shake taken out along the line that the tiles ``seen`` in it tell; None where they tell
    none."""
    (sx, sy), (height, width) = photo.scale, photo.pixels.shape[:2]
    boxes: list[Box] = []
    for one in seen:
        x1, y1, x2, y2 = one.box
        box = (max(0, round(x1 / sx)), max(0, round(y1 / sy)), min(width, round(x2 / sx)), min(height, round(y2 / sy)))
        if min(box[2] - box[0], box[3] - box[1]) >= LEAST_PIXELS:
            boxes.append(box)
    if len(boxes) < FEWEST:
        return None
    length = sorted(max(right - left, bottom - top) for left, top, right, bottom in boxes)[len(boxes) // 2]
    share = min(1.0, PIXELS / length)
    fine, rough = sight.steepness(photo.pixels, boxes, share, max(0.5, FINE * share * length)).tolist()
    line = shake(fine, rough)
    if line is None:
        return None
    pixels = photo.pixels
    if share < 1:
        pixels = sight.smaller(pixels, round(width * share), round(height * share))
    return Photo(sight.gathered(pixels, taken_back(line, LINE * share * length)), photo.size)


def shake(fine: Sequence[float], rough: Sequence[float]) -> float | None:
    """The direction, in radians, along which the small is lost; None where it is kept in all alike.

    Args:
        fine: squared change of light across, down, and across times down, of what is small.
        rough: the same of what is large: what is printed on tiles has directions too.
    """
    a, b, both = fine
    p, q, mixed = rough
    area = p * q - mixed * mixed
    if area < FLAT or a + b > LOST * (p + q):
        return None
    half = (a * q + b * p - 2 * both * mixed) / (2 * area)
    root = math.sqrt(max(0.0, half * half - (a * b - both * both) / area))
    low, high = half - root, half + root
    if low <= 0 or high / low < ONE_WAY:
        return None
    first = (low * mixed - both, a - low * p)
    second = (b - low * q, low * mixed - both)
    x, y = max(first, second, key=lambda way: math.hypot(*way))
    return math.atan2(y, x)


def taken_back(direction: float, length: float) -> tuple[Tap, ...]:
    """What undoes a shake along a line of ``length`` pixels, as far as two steps do (van Cittert): with ``k`` the
    shake, 3 - 3k + kk."""
    line = _line(direction, length)
    taps: dict[tuple[int, int], float] = {(0, 0): 3.0}
    for (x, y), share in line.items():
        taps[x, y] = taps.get((x, y), 0.0) - 3 * share
        for (right, down), other in line.items():
            taps[x + right, y + down] = taps.get((x + right, y + down), 0.0) + share * other
    return tuple((x, y, share) for (x, y), share in taps.items())


def _line(direction: float, length: float) -> dict[tuple[int, int], float]:
    """The shake: what share of its light a pixel gives to each, between pixels to the four round it."""
    steps = max(3, 2 * math.ceil(length) + 1)
    shares: dict[tuple[int, int], float] = {}
    for step in range(steps):
        along = length * (step / (steps - 1) - 0.5)
        x, y = along * math.cos(direction), along * math.sin(direction)
        left, top = math.floor(x), math.floor(y)
        for right, part in ((left, 1 - (x - left)), (left + 1, x - left)):
            for down, share in ((top, 1 - (y - top)), (top + 1, y - top)):
                if part * share > 0:
                    shares[right, down] = shares.get((right, down), 0.0) + part * share / steps
    return shares


def better(first: tuple[Detection, ...], second: Sequence[Detection]) -> tuple[Detection, ...]:
    """The better of both readings: of the photo as it came, and with the shake taken out. What they name otherwise is
    not sure."""
    read = joined(first, second)
    if read is None:
        return first
    named = [one for one in first if not one.unread]
    return tuple(_doubted(one, named) for one in read)


def _doubted(tile: Detection, first: Sequence[Detection]) -> Detection:
    if tile.unread or tile.confidence < SURE:
        return tile
    x, y = tile.center
    near = [other for other in first if math.dist((x, y), other.center) <= SAME * max(other.size)]
    if all(other.tile == tile.tile for other in near):
        return tile
    return replace(tile, confidence=DOUBTED)
