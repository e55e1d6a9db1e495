"""Photos of an unknown tile set and of a table with a printed plate: rendered hands with two flowers in our own
pictures, or with a plate next to the hand."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from vision.models.manifest import CLASSES

RENDERED = Path(__file__).parents[1] / "datasets/rendered"
TWO_FLOWERS = ("hand-01", "hand-02", "hand-03")
"""Rendered hands with two flowers each."""
Outline = tuple[float, float, float, float]
IVORY, ORANGE, BLUE = (238, 236, 226), (220, 120, 30), (30, 60, 140)


@dataclass(frozen=True)
class Strange:
    """A photo (JPEG) of ``size`` and its unexpected things: boxes in pixels by their kind."""

    jpeg: bytes
    size: tuple[int, int]
    places: dict[str, Outline]


def unknown_flowers(hand: str, names: tuple[str, str] = ("3f", "4f")) -> Strange:
    """The hand with its two flowers as a sun and a boat: the set's flowers of these ``names``."""
    image, tiles = _rendered(hand)
    flowers = [box for tile, box in tiles if tile.endswith("f")]
    for (x1, y1, x2, y2), picture in zip(flowers, (_sun(), _boat()), strict=True):
        width, height = x2 - x1, y2 - y1
        inner = [round(v) for v in (x1 + 0.16 * width, y1 + 0.14 * height, x2 - 0.16 * width, y2 - 0.24 * height)]
        image.paste(picture.resize((inner[2] - inner[0], inner[3] - inner[1]), Image.Resampling.LANCZOS), inner[:2])
    return Strange(_jpeg(image), image.size, dict(zip(names, flowers, strict=True)))


def with_plate(hand: str) -> Strange:
    """The hand with a plate whose printed frame looks like a white dragon; its box has the key ``none``."""
    image, tiles = _rendered(hand)
    side = float(np.median([box[2] - box[0] for _, box in tiles]))
    plate = _plate().resize((round(0.9 * side), round(1.15 * side)), Image.Resampling.LANCZOS)
    left, lowest = min(box[0] for _, box in tiles), max(box[3] for _, box in tiles)
    x, y = round(left + 2 * side), round(min(lowest + 0.5 * side, image.height - 1.3 * side))
    image.paste(plate.filter(ImageFilter.GaussianBlur(0.6)), (x, y))
    return Strange(_jpeg(image), image.size, {"none": (x, y, x + plate.width, y + plate.height)})


def _rendered(hand: str) -> tuple[Image.Image, list[tuple[str, Outline]]]:
    image = Image.open(RENDERED / f"images/val/{hand}.jpg").convert("RGB")
    tiles = []
    for line in (RENDERED / f"labels/val/{hand}.txt").read_text().splitlines():
        number, cx, cy, w, h = map(float, line.split())
        x1, y1, x2, y2 = cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2
        box = x1 * image.width, y1 * image.height, x2 * image.width, y2 * image.height
        tiles.append((CLASSES[int(number)], box))
    return image, tiles


def _jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=92)
    return out.getvalue()


def _sun() -> Image.Image:
    image = Image.new("RGB", (200, 200), IVORY)
    draw = ImageDraw.Draw(image)
    draw.rectangle((10, 150, 190, 190), fill=BLUE)
    draw.ellipse((40, 30, 130, 120), fill=ORANGE)
    for turn in range(8):
        cos, sin = math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)
        draw.line((85 + 55 * cos, 75 + 55 * sin, 85 + 80 * cos, 75 + 80 * sin), fill=ORANGE, width=8)
    return image


def _boat() -> Image.Image:
    image = Image.new("RGB", (200, 200), IVORY)
    draw = ImageDraw.Draw(image)
    draw.polygon([(30, 120), (170, 120), (140, 165), (60, 165)], fill=(120, 30, 120))
    draw.line((100, 120, 100, 20), fill=(60, 40, 20), width=8)
    draw.polygon([(105, 25), (105, 110), (170, 110)], fill=(30, 140, 90))
    draw.polygon([(95, 40), (95, 110), (45, 110)], fill=(200, 40, 60))
    return image


def _plate() -> Image.Image:
    image = Image.new("RGB", (160, 200), (205, 190, 150))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((4, 4, 155, 195), 20, fill=(225, 214, 180))
    draw.rectangle((30, 40, 130, 160), outline=BLUE, width=10)
    return image
