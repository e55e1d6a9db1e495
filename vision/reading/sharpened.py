"""拍糊: sharpens a photo that was shaken or is out of focus, and reads it again.

A shake draws each point out into a line: fine detail is lost along it and kept across it, so the tiles show the line's
direction. A lens out of focus makes spots: fine detail is lost in all directions. The blur is then reversed along the
line, or all round, by two van Cittert steps: with the blur ``k``, 3 - 3k + kk. More steps amplify noise more than
tiles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from scoring.tiles import BACK
from vision.detection.types import SURE, Detection
from vision.photo.image import Photo
from vision.pixels import sight
from vision.pixels.values import Box, Tap
from vision.reading.joining import SAME, joined

FINE = 0.02
"""Tile lengths of fine detail, which a blurred photo lacks."""
LOST = 1.0
"""A photo with more fine detail than this multiple of its coarse detail is sharp, or noisy. Of 1,318 train photos 28
show a line, 26 of them with more; shaken ones have less, except 1 in 100."""
ONE_WAY = 1.7
"""Least ratio of fine to coarse detail across the line to the same along it. Of 132 train photos 97% have at most 1.47;
shaken by 0.06 to 0.15 of a tile, 97% have at least 1.75."""
ACROSS = 0.07
"""Least fine detail, relative to coarse, across the line. Of photos shaken by 0.06 to 0.15 of a tile 98% have more.
Out of focus by 0.05 or 0.07, 70% or 90% of the photos with an apparent line have less. Small tiles (`LEAST_SPOT`) have
so little in any photo."""
LINE = 0.1
"""Tile lengths of the line that is taken out."""
UNFOCUSED = 0.12
"""A photo with less fine detail than this share of its coarse detail is out of focus. Of 44 train photos 99% have more;
out of focus by 0.03 of a tile, 95% have less."""
SPOT = 0.04
"""Tile lengths, as a standard deviation, of the spot that is taken out."""
FEWEST, LEAST_PIXELS = 4, 8
"""With fewer boxes no direction is trusted; smaller ones show none."""
FLAT = 1.0
"""Least gradient that is measured."""
LEAST_LINE, LEAST_SPOT = 16.0, 32.0
"""Pixels of the usual tile below which a photo shows no line, and has no fine detail to lose."""
PIXELS = 64
"""Tiles that are longer, in pixels, are looked at so large: it is as large as they are named."""
MOST_FACE_DOWN = 8
"""The most face-down tiles that may appear at once: of four concealed kongs that show two faces each."""
DOUBTED = 0.7
"""Most probability of a name that the original photo contradicts: below sure."""


def sharpened(photo: Photo, seen: Sequence[Detection]) -> Photo | None:
    """The sharpened photo, from the ``seen`` tiles; None if they are sharp."""
    (sx, sy), (height, width) = photo.scale, photo.pixels.shape[:2]
    boxes: list[Box] = []
    lengths: list[float] = []
    for one in seen:
        x1, y1, x2, y2 = one.box
        box = (max(0, round(x1 / sx)), max(0, round(y1 / sy)), min(width, round(x2 / sx)), min(height, round(y2 / sy)))
        if min(box[2] - box[0], box[3] - box[1]) >= LEAST_PIXELS:
            boxes.append(box)
            lengths.append(max((x2 - x1) / sx, (y2 - y1) / sy))
    length = sorted(lengths)[len(lengths) // 2] if len(lengths) >= FEWEST else 0.0
    if length < LEAST_LINE:
        return None
    share = min(1.0, PIXELS / length)
    fine, rough = sight.steepness(photo.pixels, boxes, share, max(0.5, FINE * share * length)).tolist()
    focus_told = length >= LEAST_SPOT
    line = shake(fine, rough, ACROSS if focus_told else 0.0)
    if line is None and not (focus_told and unfocused(fine, rough)):
        return None
    pixels = photo.pixels
    if share < 1:
        pixels = sight.smaller(pixels, round(width * share), round(height * share))
    if line is None:
        return Photo(sight.focused(pixels, SPOT * share * length), photo.size)
    return Photo(sight.gathered(pixels, taken_back(line, LINE * share * length)), photo.size)


def unfocused(fine: Sequence[float], rough: Sequence[float]) -> bool:
    """Whether the small is lost in all directions; as `shake` has them."""
    return fine[0] + fine[1] < UNFOCUSED * (rough[0] + rough[1])


def shake(fine: Sequence[float], rough: Sequence[float], least: float) -> float | None:
    """The direction, in radians, of lost detail; None if all directions are alike.

    Args:
        fine: squared gradient across, down, and across times down, of fine detail.
        rough: the same of coarse detail: print has directions too.
        least: of the ratio of fine to coarse detail across such a line.
    """
    a, b, both = fine
    p, q, mixed = rough
    area = p * q - mixed * mixed
    if area < FLAT or a + b > LOST * (p + q):
        return None
    half = (a * q + b * p - 2 * both * mixed) / (2 * area)
    root = math.sqrt(max(0.0, half * half - (a * b - both * both) / area))
    low, high = half - root, half + root
    if low <= 0 or high / low < ONE_WAY or high < least:
        return None
    first = (low * mixed - both, a - low * p)
    second = (b - low * q, low * mixed - both)
    x, y = max(first, second, key=lambda way: math.hypot(*way))
    return math.atan2(y, x)


def taken_back(direction: float, length: float) -> tuple[Tap, ...]:
    """What takes the light back along a line of ``length`` pixels."""
    line = shaken(direction, length)
    taps: dict[tuple[int, int], float] = {(0, 0): 3.0}
    for (x, y), share in line.items():
        taps[x, y] = taps.get((x, y), 0.0) - 3 * share
        for (right, down), other in line.items():
            taps[x + right, y + down] = taps.get((x + right, y + down), 0.0) + share * other
    return tuple((x, y, share) for (x, y), share in taps.items())


def shaken(direction: float, length: float) -> dict[tuple[int, int], float]:
    """The shake along a line of ``length`` pixels: what share of its light a pixel gives to each, between pixels to the
    four round it."""
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
    """The better of both readings: of the photo as it came, and sharpened. What they name otherwise is not sure. Tiles
    face down that only the sharpened one sees are squares of a mat, which got edges, where they are many and more than
    all that was seen before: they are not read."""
    named = [one for one in first if not one.unread]
    new = [one for one in second if one.tile == BACK and not one.unread and not _beside(one, first)]
    if len(new) > max(len(named), MOST_FACE_DOWN):
        second = [_as_hardly_a_tile(one) if one in new else one for one in second]
    read = joined(first, second)
    if read is None:
        return first
    return tuple(_doubted(one, named) for one in read)


def _doubted(tile: Detection, first: Sequence[Detection]) -> Detection:
    if tile.unread or tile.confidence < SURE:
        return tile
    if all(other.tile == tile.tile for other in _beside(tile, first)):
        return tile
    return replace(tile, confidence=DOUBTED)


def _beside(tile: Detection, seen: Sequence[Detection]) -> list[Detection]:
    """The tiles at the same place."""
    return [other for other in seen if math.dist(tile.center, other.center) <= SAME * max(other.size)]


def _as_hardly_a_tile(tile: Detection) -> Detection:
    """As unread, and shown only if the hand lacks a tile."""
    return replace(tile, unread=True, shaped=0.0)
