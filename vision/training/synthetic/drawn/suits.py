"""The pictures of the suits, drawn by chance: 筒 as rings, discs, coins or blossoms, 索 as sticks, 一二三 as strokes.

Sets differ in the drawing of a circle or a stick, in its colours and its spacing. The number and the order are the same
on all of them, and nothing else is common to two faces drawn here.
"""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from vision.training.synthetic.drawn.plants import FINE, Ink, Point, ink

CIRCLES: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((0, -0.5), (0, 0.5)),
    3: ((-0.6, -0.64), (0, 0), (0.6, 0.64)),
    4: ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)),
    5: ((-0.6, -0.62), (0.6, -0.62), (0, 0), (-0.6, 0.62), (0.6, 0.62)),
    6: ((-0.5, -0.66), (0.5, -0.66), (-0.5, 0.08), (0.5, 0.08), (-0.5, 0.68), (0.5, 0.68)),
    7: ((-0.62, -0.78), (0, -0.55), (0.62, -0.32), (-0.42, 0.2), (0.42, 0.2), (-0.42, 0.74), (0.42, 0.74)),
    8: tuple((x, y) for y in (-0.75, -0.25, 0.25, 0.75) for x in (-0.45, 0.45)),
    9: tuple((x, y) for y in (-0.66, 0, 0.66) for x in (-0.63, 0, 0.63)),
}
"""Middles of the circles by number, in halves of the face from its middle."""
STICKS: dict[int, tuple[tuple[float, float, float], ...]] = {
    2: ((0, -0.5, 0), (0, 0.5, 0)),
    3: ((0, -0.5, 0), (-0.45, 0.5, 0), (0.45, 0.5, 0)),
    4: ((-0.45, -0.5, 0), (0.45, -0.5, 0), (-0.45, 0.5, 0), (0.45, 0.5, 0)),
    5: ((-0.6, -0.5, 0), (0.6, -0.5, 0), (0, 0, 0), (-0.6, 0.5, 0), (0.6, 0.5, 0)),
    6: tuple((x, y, 0.0) for y in (-0.5, 0.5) for x in (-0.6, 0, 0.6)),
    7: ((0, -0.68, 0), *((x, y, 0.0) for y in (0, 0.68) for x in (-0.6, 0, 0.6))),
    8: (
        *((-0.72, -0.5, 0), (-0.26, -0.5, -0.62), (0.26, -0.5, 0.62), (0.72, -0.5, 0)),
        *((-0.72, 0.5, 0), (-0.26, 0.5, 0.62), (0.26, 0.5, -0.62), (0.72, 0.5, 0)),
    ),
    9: tuple((x, y, 0.0) for y in (-0.67, 0, 0.67) for x in (-0.6, 0, 0.6)),
}
"""Middles of the sticks by number, as of the circles, and how far each leans to the right (radians). 1索 is a bird."""
_COLOURS = ("green", "green", "blue", "red", "black")


def circles(number: int, rng: random.Random, size: tuple[int, int]) -> NDArray[np.uint8]:
    """``number`` of 筒 that fill a picture of ``size`` (w, h): (h, w, 4) BGRA on a transparent ground."""
    image, (w, h) = _empty(size)
    draw = ImageDraw.Draw(image)
    wide, high = rng.uniform(0.78, 1.0), rng.uniform(0.84, 1.0)
    mirror = -1 if number in (3, 7) and rng.random() < 0.12 else 1
    middles = [(w / 2 * (1 + x * wide * mirror), h / 2 * (1 + y * high)) for x, y in CIRCLES[number]]
    if number == 6 and rng.random() < 0.35:  # three rows as far apart as one another
        middles = [
            (x, h / 2 * (1 + high * row))
            for (x, _), row in zip(middles, (-0.64,) * 2 + (0.0,) * 2 + (0.64,) * 2, strict=True)
        ]
    near = min(
        (math.dist(a, b) for i, a in enumerate(middles) for b in middles[:i]), default=w * rng.uniform(0.7, 0.95)
    )
    edge = min(min(x, w - x, y, h - y) for x, y in middles)
    radius = min(near * rng.uniform(0.38, 0.46), edge * 0.98)
    ring, other = (ink(rng, rng.choice(_COLOURS)) for _ in range(2))
    second = rng.choice((set(), set(range(0, number, 2)), set(range((number + 1) // 2, number))))
    kind, style = rng.choice(("rings", "rings", "disc", "coin", "blossom", "wheel", "teeth")), rng.randrange(1 << 30)
    for n, at in enumerate(middles):
        _circle(
            draw,
            at,
            radius,
            (other if n in second else ring, other if rng.random() < 0.2 else ring),
            random.Random(style),
            kind=kind,
        )
    return _finished(image, size)


def sticks(number: int, rng: random.Random, size: tuple[int, int]) -> NDArray[np.uint8]:
    """``number`` (2 to 9) of 索 that fill a picture of ``size`` (w, h): (h, w, 4) BGRA on a transparent ground."""
    image, (w, h) = _empty(size)
    draw = ImageDraw.Draw(image)
    places = STICKS[number]
    wide, high = rng.uniform(0.75, 1.0), rng.uniform(0.9, 1.0)
    rows = 3 if number in (7, 9) else 2
    long = h / rows * rng.uniform(0.8, 0.97) / 2
    if number == 5 and rng.random() < 0.5:
        long *= 0.95
    thick = min(w * rng.uniform(0.055, 0.1), long * 0.6)
    green, red, blue = ink(rng, "green"), ink(rng, "red"), ink(rng, rng.choice(("blue", "black", "green")))
    coloured = rng.random()
    kind, style = rng.choice(("bone", "bone", "bar", "bamboo", "bamboo", "line", "leaf")), rng.randrange(1 << 30)
    for x, y, lean in places:
        colour = green
        if coloured < 0.35 and x == 0 and number in (5, 7, 9) and (number != 7 or y < 0):
            colour = red
        elif coloured > 0.9 or (coloured < 0.15 and y > 0):
            colour = blue
        at = (w / 2 * (1 + x * wide * 0.95), h / 2 * (1 + y * high * (0.97 if rows == 3 else 1.0)))
        stretch = 1 / math.cos(lean) if lean else 1.0
        _stick(
            draw,
            at,
            (long * min(stretch, 1.12), thick),
            lean * rng.uniform(0.85, 1.0),
            random.Random(style),
            colour=colour,
            kind=kind,
        )
    return _finished(image, size)


def strokes(number: int, rng: random.Random, size: tuple[int, int], colour: Ink) -> NDArray[np.uint8]:
    """一, 二 or 三 as a brush or a knife draws it: (h, w, 4) BGRA on a transparent ground.

    `size`: (width, height) in pixels; `colour`: of the ink.
    """
    image, (w, h) = _empty(size)
    draw = ImageDraw.Draw(image)
    apart = h * rng.uniform(0.24, 0.34)
    slant, bend = rng.gauss(0.03, 0.07), rng.gauss(0, 0.05)
    swell = rng.uniform(0.2, 1.0)
    thick = h * rng.uniform(0.035, 0.075)
    for n in range(number):
        half = w * (rng.uniform(0.4, 0.47) if n == number - 1 else rng.uniform(0.24, 0.36))
        middle = (w / 2 + rng.gauss(0, 0.02) * w, h / 2 + (n - (number - 1) / 2) * apart)
        along = np.linspace(-1, 1, 16)
        y = middle[1] - slant * half * along + bend * half * (along**2 - 0.5)
        reach = thick * (1 - swell * (1 - along**2) * 0.7) * np.where(along > 0.7, rng.uniform(1.0, 1.5), 1.0)
        x = middle[0] + half * along
        line = [*zip(x.tolist(), (y - reach).tolist(), strict=True)]
        line += reversed([*zip(x.tolist(), (y + reach).tolist(), strict=True)])
        draw.polygon(line, fill=(*colour, 255))
    return _finished(image, size)


def _empty(size: tuple[int, int]) -> tuple[Image.Image, tuple[int, int]]:
    large = (size[0] * FINE, size[1] * FINE)
    return Image.new("RGBA", large, (0, 0, 0, 0)), large


def _finished(image: Image.Image, size: tuple[int, int]) -> NDArray[np.uint8]:
    small = np.asarray(image.resize(size, Image.Resampling.LANCZOS))
    return np.ascontiguousarray(small[:, :, [2, 1, 0, 3]])


def _round(at: Point, radius: float) -> tuple[float, float, float, float]:
    return (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)


def _circle(
    draw: ImageDraw.ImageDraw, at: Point, radius: float, inks: tuple[Ink, Ink], rng: random.Random, *, kind: str
) -> None:
    """One circle. ``rng`` is in the same state for all circles of a face, so that they are alike."""
    colour, heart = inks
    pen = max(2, round(radius * rng.uniform(0.08, 0.2)))
    filled = kind == "disc" or rng.random() < 0.2
    draw.ellipse(_round(at, radius), fill=(*colour, 255 if filled else 0), outline=(*colour, 255), width=pen)
    inner = radius * rng.uniform(0.35, 0.7)
    count = rng.randint(5, 12)
    turns = [2 * math.pi * n / count for n in range(count)]
    around = [(at[0] + inner * math.cos(turn), at[1] + inner * math.sin(turn)) for turn in turns]
    if kind == "rings":
        for n in range(rng.randint(0, 2)):
            draw.ellipse(_round(at, inner * (1 - 0.4 * n)), outline=(*heart, 255), width=pen)
    elif kind == "blossom":
        petal = inner * rng.uniform(0.3, 0.5)
        for place in around:
            draw.ellipse(_round(place, petal), outline=(*heart, 255), width=max(1, pen // 2))
    elif kind == "wheel":
        for place in around:
            draw.line((*at, *place), fill=(*heart, 255), width=pen)
    elif kind == "teeth":
        for place in around:
            draw.ellipse(_round(place, radius * 0.1), fill=(*heart, 255))
    elif kind == "coin":
        draw.rectangle(_round(at, inner * 0.6), fill=(255, 255, 255, 255), outline=(*heart, 255), width=pen)
    if rng.random() < 0.6:
        dot = radius * rng.uniform(0.1, 0.25)
        draw.ellipse(_round(at, dot), fill=(255, 255, 255, 255) if filled else (*heart, 255))


def _stick(
    draw: ImageDraw.ImageDraw,
    at: Point,
    half: tuple[float, float],
    lean: float,
    rng: random.Random,
    *,
    colour: Ink,
    kind: str,
) -> None:
    """One stick of half a length and half a width, leaning to the right; ``rng`` as in :func:`_circle`."""
    long, thick = half
    cos, sin = math.cos(lean), math.sin(lean)

    def point(along: float, across: float) -> Point:
        x, y = across * thick, -along * long
        return at[0] + x * cos - y * sin, at[1] + x * sin + y * cos

    def shape(widths: list[tuple[float, float]]) -> list[Point]:
        return [point(a, b) for a, b in widths] + [point(a, -b) for a, b in reversed(widths)]

    filled = rng.random() < 0.65
    pen = max(2, round(thick * rng.uniform(0.2, 0.45)))
    inside, edge = (*colour, 255 if filled else 0), (*colour, 255)
    waist = rng.uniform(0.25, 0.7)
    if kind == "bone":  # wider at the ends than in the middle
        steps = np.linspace(-1, 1, 17).tolist()
        ends = [(a, (waist + (1 - waist) * abs(a) ** 1.5) * (1 if abs(a) < 0.95 else 0.6)) for a in steps]
        draw.polygon(shape(ends), fill=inside, outline=edge, width=pen)
    elif kind == "leaf":
        ends = [(a, math.cos(a * math.pi / 2.2)) for a in np.linspace(-1, 1, 13).tolist()]
        draw.polygon(shape(ends), fill=inside, outline=edge, width=pen)
    elif kind == "line":
        draw.line((*point(-1, 0), *point(1, 0)), fill=edge, width=max(pen, round(thick)))
    else:
        joints = rng.choice((1, 2, 3)) if kind == "bamboo" else 1
        for n in range(joints):
            low, high = -1 + 2 * n / joints, -1 + 2 * (n + 0.92) / joints
            draw.polygon(shape([(low, 0.8), (high, 0.8)]), fill=inside, outline=edge, width=pen)
        for n in range(1, joints):
            between = -1 + 2 * n / joints
            draw.line((*point(between, -1.2), *point(between, 1.2)), fill=edge, width=pen)
    if filled and kind in ("bone", "bar", "bamboo") and rng.random() < 0.4:  # a groove that is left light
        draw.line((*point(-0.8, 0), *point(0.8, 0)), fill=(255, 255, 255, 255), width=max(1, round(thick * 0.3)))
