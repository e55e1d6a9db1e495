"""Lettered racks painted on photos of real tiles: a bar along the longest level row of tiles, with characters at about
a tile's pitch, softened like the photo. The tiles do not change, nor how they are read."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.training.synthetic.fonts import Font
from vision.training.synthetic.surroundings.lettering import characters, drawn_ink

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]
FEWEST_TILES = 4
"""The least tiles of a row. No rack is painted under a shorter one."""
LEVEL = 0.3
"""The largest difference between the centres of a row's tiles, in tile heights."""
BODY_COLOURS = (None, "clear", (245, 240, 225), (40, 90, 170), (155, 115, 75), (40, 35, 35))
"""RGB of the bar: none (writing on the table), see-through, white, blue, wood, dark."""


def _row(boxes: Floats) -> NDArray[np.intp]:
    """Places of the boxes (n, 4) that stand in the longest level row."""
    heights, middles = boxes[:, 3] - boxes[:, 1], (boxes[:, 1] + boxes[:, 3]) / 2
    level = np.abs(middles[None] - middles[:, None]) < LEVEL * heights[:, None]
    return np.flatnonzero(level[level.sum(axis=1).argmax()])


def _body(pixels: Pixels, corners: Floats, rng: random.Random) -> None:
    body = rng.choice(BODY_COLOURS)
    if body is None:
        return
    before = pixels.copy()
    pale = rng.uniform(180, 245)
    colour = (pale,) * 3 if isinstance(body, str) else tuple(min(255.0, v * rng.uniform(0.7, 1.2)) for v in body)
    cv2.fillPoly(pixels, [np.round(corners * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    if body == "clear":
        pixels[:] = cv2.addWeighted(pixels, 0.35, before, 0.65, 0)


def _letter(character: str, size: float, font: Font, turn: float) -> Image.Image:
    """The mask of one character, turned by ``turn`` radians."""
    side = max(12, round(size * 4.5))
    mask = Image.new("L", (side, side), 0)
    drawn = ImageFont.truetype(str(font[0]), max(8, round(size * 3)), index=font[1])
    ImageDraw.Draw(mask).text((side / 2, side / 2), character, font=drawn, fill=255, anchor="mm")
    small = max(4, round(size * 1.5))
    return mask.rotate(-math.degrees(turn)).resize((small, small), Image.Resampling.LANCZOS)


def paint_rack(
    pixels: Pixels, tiles: Sequence[Box], rng: random.Random, fonts: Sequence[Font]
) -> tuple[Pixels, list[Box]] | None:
    """A copy of a photo (h, w, 3) RGB with a rack under or over its longest row of ``tiles`` (boxes in its pixels),
    and the boxes of the characters. None if there is no such row, or no room for a rack that hides no tile."""
    boxes = np.array(tiles, np.float64).reshape(-1, 4)
    row = _row(boxes) if len(boxes) >= FEWEST_TILES else np.zeros(0, np.intp)
    if len(row) < FEWEST_TILES:
        return None
    middles = (boxes[row, :2] + boxes[row, 2:]) / 2
    wide, high = np.median(boxes[row, 2:] - boxes[row, :2], axis=0).tolist()
    left, right = boxes[row, 0].min(), boxes[row, 2].max()
    slope, start = np.polyfit(middles[:, 0], middles[:, 1], 1).tolist()
    turn = math.atan(slope)
    along, down = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    half = (right - left) / 2 + wide * rng.uniform(0, 1.5)
    deep, gap = high * rng.uniform(0.55, 1.15), high * rng.uniform(-0.02, 0.25)
    x = (left + right) / 2
    for side in rng.sample((1, -1), 2):
        middle = np.array([x, slope * x + start]) + down * (high / 2 + gap + deep / 2) * side
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        corners = np.array([middle + along * half * a + down * deep / 2 * b for a, b in signs])
        inside = middle[1] - deep / 2 >= 0 and middle[1] + deep / 2 <= pixels.shape[0]
        if inside and not _hides(corners, boxes, 0.12 * deep + 0.1 * high):
            break
    else:
        return None
    out = pixels.copy()
    _body(out, corners, rng)
    font, size = rng.choice(tuple(fonts)), min(deep * 0.95, high * rng.uniform(0.6, 1.0))
    step = max(size, wide * rng.uniform(0.95, 1.5))
    count = min(rng.randint(2, 14), int((2 * half - size) / step) + 1)
    first = rng.uniform(-half + size / 2, max(-half + size / 2, half - size / 2 - (count - 1) * step))
    blue, green, red = (round(value) for value in drawn_ink(rng))
    image, writing = Image.fromarray(out), []
    for number, character in enumerate(characters(rng, count, font)):
        at = middle + along * (first + number * step)
        mask = _letter(character, size, font, turn)
        corner = (round(at[0] - mask.width / 2), round(at[1] - mask.height / 2))
        image.paste(Image.new("RGB", mask.size, (red, green, blue)), corner, mask)
        writing.append((*(at - size * 0.6).tolist(), *(at + size * 0.6).tolist()))
    return _softened(np.array(image), corners, rng), writing


def _hides(corners: Floats, boxes: Floats, spared: float) -> bool:
    """Whether the bar covers more than ``spared`` pixels of a tile from above or below."""
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    level = (boxes[:, 1] < bottom - spared) & (boxes[:, 3] > top + spared)
    return bool((level & (boxes[:, 0] < right) & (boxes[:, 2] > left)).any())


def _softened(pixels: Pixels, corners: Floats, rng: random.Random) -> Pixels:
    """The bar a little out of focus and with some noise, as the photo round it."""
    soft = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.5, 1.3)).astype(np.float64)
    soft += np.random.default_rng(rng.randrange(1 << 30)).normal(0, 3, pixels.shape)
    mask = np.zeros(pixels.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], (255,))
    pixels[mask > 0] = soft[mask > 0].clip(0, 255).astype(np.uint8)
    return pixels
