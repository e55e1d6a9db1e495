"""Plants for made flower tiles, drawn by chance: stems, leaves and blossoms in thin lines like carved ones.

No two are alike, and any of them may be on any flower. Only the character and the number tell the flowers apart, as on
an unknown set.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Ink = tuple[int, int, int]
Point = tuple[float, float]
INKS: dict[str, Ink] = {
    "red": (190, 25, 30),
    "blue": (25, 40, 130),
    "green": (15, 110, 50),
    "black": (22, 22, 26),
    "pink": (215, 90, 120),
    "yellow": (205, 150, 30),
    "violet": (110, 50, 130),
}


class Stroke(NamedTuple):
    """The ink of a line and its width in pixels."""

    ink: Ink
    width: int


FINE = 2
"""Drawn larger by this factor, then made smaller."""


def ink(rng: random.Random, name: str) -> Ink:
    """One of :data:`INKS`, a little off."""
    r, g, b = (max(0, min(255, value + rng.randint(-22, 22))) for value in INKS[name])
    return r, g, b


def plant(rng: random.Random, size: tuple[int, int]) -> NDArray[np.uint8]:
    """A plant that fills a picture of ``size`` (w, h): (h, w, 4) BGRA on a transparent ground."""
    w, h = size[0] * FINE, size[1] * FINE
    image = Image.new("RGBA", (w, h), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    leaves = ink(rng, rng.choice(("green", "green", "green", "green", "black", "blue")))
    petals = ink(rng, rng.choice(("red", "red", "red", "pink", "blue", "violet", "yellow")))
    if rng.random() < 0.15:
        petals = leaves
    pen = max(2, round(w * rng.uniform(0.012, 0.035)))
    stroke = Stroke(leaves, pen)
    filled = rng.random() < 0.45
    root = (w * rng.uniform(0.35, 0.65), h * rng.uniform(0.9, 0.99))
    kind = rng.choice(("stem", "stem", "stem", "grass", "bamboo", "heap"))
    ends: list[Point] = []
    if kind == "bamboo":
        ends = _bamboo(draw, rng, (w, h), stroke)
    else:
        for _ in range(rng.randint(5, 9) if kind == "grass" else rng.randint(1, 4)):
            reach = rng.uniform(0.15, 0.95) if kind != "heap" else rng.uniform(0.4, 0.8)
            end = (w * rng.uniform(0.08, 0.92), h * (1 - reach))
            line = _curve(root, (w * rng.uniform(0.05, 0.95), h * rng.uniform(0.3, 0.9)), end)
            draw.line(line, fill=(*leaves, 255), width=pen, joint="curve")
            ends.append(end)
            if kind != "grass":
                for _ in range(rng.randint(1, 5)):
                    at = rng.choice(line[2:])
                    _leaf(draw, at, rng.uniform(0, 2 * math.pi), w * rng.uniform(0.1, 0.25), stroke, filled=filled)
    for _ in range(rng.randint(0, 2) if kind in ("grass", "bamboo") else rng.randint(1, 4)):
        near = rng.choice(ends)
        at = (near[0] * 0.7 + w * rng.uniform(0.1, 0.2), near[1] * 0.7 + h * rng.uniform(0.1, 0.2))
        _blossom(draw, at if rng.random() < 0.6 else near, w * rng.uniform(0.06, 0.24), Stroke(petals, pen), rng)
    if rng.random() < 0.12:  # a pot
        pot, (x, y) = ink(rng, rng.choice(("blue", "black", "red"))), root
        half = w * rng.uniform(0.1, 0.22)
        corners = [(x - half, y - h * 0.16), (x + half, y - h * 0.16), (x + half * 0.7, y), (x - half * 0.7, y)]
        draw.polygon(corners, fill=(*pot, 255 if filled else 0), outline=(*pot, 255), width=pen)
    small = image.resize(size, Image.Resampling.LANCZOS)
    return np.ascontiguousarray(np.asarray(small)[:, :, [2, 1, 0, 3]])


def _curve(start: Point, bend: Point, end: Point) -> list[Point]:
    steps = np.linspace(0, 1, 12)[:, None]
    points = (1 - steps) ** 2 * start + 2 * steps * (1 - steps) * np.array(bend) + steps**2 * np.array(end)
    return [(float(x), float(y)) for x, y in points]


def _turned(points: Sequence[Point], at: Point, angle: float) -> list[Point]:
    cos, sin = math.cos(angle), math.sin(angle)
    return [(at[0] + x * cos - y * sin, at[1] + x * sin + y * cos) for x, y in points]


def _leaf(draw: ImageDraw.ImageDraw, at: Point, angle: float, long: float, stroke: Stroke, *, filled: bool) -> None:
    colour, pen = stroke
    side = [(long * t, long * 0.28 * math.sin(math.pi * t)) for t in np.linspace(0, 1, 8).tolist()]
    shape = _turned([*side, *((x, -y) for x, y in reversed(side))], at, angle)
    draw.polygon(shape, fill=(*colour, 255 if filled else 0), outline=(*colour, 255), width=max(1, pen * 2 // 3))


def _blossom(draw: ImageDraw.ImageDraw, at: Point, radius: float, stroke: Stroke, rng: random.Random) -> None:
    colour, pen = stroke
    count, kind = rng.randint(4, 9), rng.choice(("rings", "discs", "rays", "spiral"))
    x, y = at
    for n in range(count):
        angle = 2 * math.pi * n / count
        px, py = x + 0.6 * radius * math.cos(angle), y + 0.6 * radius * math.sin(angle)
        box = (px - 0.45 * radius, py - 0.45 * radius, px + 0.45 * radius, py + 0.45 * radius)
        if kind == "rays":
            end = (x + radius * math.cos(angle), y + radius * math.sin(angle))
            draw.line((x, y, *end), fill=(*colour, 255), width=pen)
        elif kind != "spiral":
            alpha = 255 if kind == "discs" else 0
            draw.ellipse(box, fill=(*colour, alpha), outline=(*colour, 255), width=max(1, pen * 2 // 3))
    if kind == "spiral":
        turns = np.linspace(0, rng.uniform(2, 4) * 2 * math.pi, 50)
        grown = radius * turns / turns[-1]
        draw.line(
            [(float(x + r * math.cos(a)), float(y + r * math.sin(a))) for r, a in zip(grown, turns, strict=True)],
            fill=(*colour, 255),
            width=pen,
        )
    middle = 0.25 * radius
    heart = INKS["yellow"] if kind == "discs" else colour
    draw.ellipse((x - middle, y - middle, x + middle, y + middle), outline=(*heart, 255), width=max(1, pen * 2 // 3))


def _bamboo(draw: ImageDraw.ImageDraw, rng: random.Random, size: tuple[int, int], stroke: Stroke) -> list[Point]:
    (colour, pen), (w, h) = stroke, size
    ends = []
    for _ in range(rng.randint(2, 4)):
        x, lean = w * rng.uniform(0.2, 0.8), rng.gauss(0, 0.12) * w
        top, thick = h * rng.uniform(0.02, 0.3), pen * rng.uniform(1, 2.5)
        joints = rng.randint(3, 5)
        for n in range(joints):
            low, high = 1 - n / joints, 1 - (n + 0.9) / joints
            draw.line(
                (x + lean * (1 - low), top + (h - top) * low, x + lean * (1 - high), top + (h - top) * high),
                fill=(*colour, 255),
                width=round(thick),
            )
            for _ in range(rng.randint(0, 2)):
                at = (x + lean * (1 - high), top + (h - top) * high)
                _leaf(draw, at, rng.uniform(0, 2 * math.pi), w * rng.uniform(0.12, 0.25), stroke, filled=True)
        ends.append((x + lean, top))
    return ends
