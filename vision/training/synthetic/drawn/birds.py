"""Birds for made tiles of 1索, drawn by chance in thin lines like carved ones.

Every set has its own bird (a sparrow, a peacock, a phoenix among flowers). All have a head with an eye and a beak, a
patterned body, a tail and mostly two legs. No character is next to them.
"""

from __future__ import annotations

import math
import random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from vision.training.synthetic.drawn.plants import FINE, Ink, Point, Stroke, ink

_PATTERNS = ("scales", "net", "stripes", "dots", "plain")


def bird(rng: random.Random, size: tuple[int, int]) -> NDArray[np.uint8]:
    """A bird that fills a picture of ``size`` (w, h): (h, w, 4) BGRA on a transparent ground."""
    w, h = size[0] * FINE, size[1] * FINE
    image = Image.new("RGBA", (w, h), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    body, tail, accent = (ink(rng, rng.choice(("green", "red", "blue", "black", "black"))) for _ in range(3))
    if rng.random() < 0.3:
        tail = body
    pen = max(2, round(w * rng.uniform(0.012, 0.03)))
    middle = (w * rng.uniform(0.42, 0.58), h * rng.uniform(0.42, 0.56))
    half, lean = w * rng.uniform(0.13, 0.24), rng.uniform(0.3, 1.35)  # how upright it sits
    long = half * rng.uniform(1.3, 2.0)
    towards = (math.cos(lean), -math.sin(lean))
    head = (middle[0] + towards[0] * long * 1.15, middle[1] + towards[1] * long * 1.15)
    end = (middle[0] - towards[0] * long, middle[1] - towards[1] * long)
    if rng.random() < 0.75:
        for side in (-0.3, 0.3):  # legs
            hip = (middle[0] + side * half, middle[1] + half * 0.8)
            foot = (hip[0] + rng.uniform(-0.2, 0.2) * half, min(h * 0.97, hip[1] + half * rng.uniform(0.8, 1.5)))
            draw.line((*hip, *foot), fill=(*accent, 255), width=pen)
            for toe in (-0.35, 0.0, 0.35):
                draw.line((*foot, foot[0] + toe * half, foot[1] + 0.2 * half), fill=(*accent, 255), width=pen)
    _tail(draw, rng, end, (-towards[0], -towards[1]), Stroke(tail, pen), size=(w, h))
    _body(draw, rng, middle, (long, half), Stroke(body, pen), lean=lean)
    if rng.random() < 0.6:  # a wing of lines over the body
        for n in range(rng.randint(3, 6)):
            start = (middle[0] + towards[0] * long * 0.4, middle[1] + towards[1] * long * 0.4)
            away = lean + math.pi + 0.25 * (n - 2)
            tip = (start[0] + math.cos(away) * long * 1.3, start[1] - math.sin(away) * long * 1.3)
            draw.line((*start, *tip), fill=(*accent, 255), width=pen)
    _head(draw, rng, head, half * rng.uniform(0.4, 0.7), (body, accent), pen=pen)
    if rng.random() < 0.5:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return np.ascontiguousarray(np.asarray(image.resize(size, Image.Resampling.LANCZOS))[:, :, [2, 1, 0, 3]])


def _round(at: Point, radius: float) -> tuple[float, float, float, float]:
    return (at[0] - radius, at[1] - radius, at[0] + radius, at[1] + radius)


def _body(
    draw: ImageDraw.ImageDraw,
    rng: random.Random,
    middle: Point,
    axes: tuple[float, float],
    stroke: Stroke,
    *,
    lean: float,
) -> None:
    colour, pen = stroke
    cos, sin = math.cos(lean), -math.sin(lean)

    def at(along: float, across: float) -> Point:
        x, y = along * axes[0], across * axes[1]
        return middle[0] + x * cos - y * sin, middle[1] + x * sin + y * cos

    line = [at(math.cos(t), math.sin(t)) for t in np.linspace(0, 2 * math.pi, 40).tolist()]
    kind = rng.choice(_PATTERNS)
    draw.polygon(line, fill=(*colour, 255 if kind == "plain" else 0), outline=(*colour, 255), width=pen)
    steps = rng.randint(4, 8)
    for i in range(1, steps):
        along = 2 * i / steps - 1
        reach = math.sqrt(1 - along * along)
        if kind in ("stripes", "net"):
            draw.line((*at(along, -reach), *at(along, reach)), fill=(*colour, 255), width=pen)
        if kind == "net":
            draw.line((*at(-reach, along), *at(reach, along)), fill=(*colour, 255), width=pen)
        if kind in ("scales", "dots"):
            for across in np.linspace(-reach, reach, steps // 2 + 1).tolist():
                spot = _round(at(along, across * 0.8), axes[1] * (0.24 if kind == "scales" else 0.1))
                draw.ellipse(spot, fill=(*colour, 0 if kind == "scales" else 255), outline=(*colour, 255), width=pen)


def _head(
    draw: ImageDraw.ImageDraw, rng: random.Random, at: Point, radius: float, inks: tuple[Ink, Ink], *, pen: int
) -> None:
    colour, accent = inks
    filled = rng.random() < 0.5
    turn = rng.uniform(-0.5, 0.7)
    tip = (at[0] + math.cos(turn) * radius * 2, at[1] + math.sin(turn) * radius * 2)
    beak = [(at[0] + math.cos(turn + a) * radius, at[1] + math.sin(turn + a) * radius) for a in (-0.45, 0.45)]
    draw.polygon([*beak, tip], fill=(*accent, 255))
    draw.ellipse(_round(at, radius), fill=(*colour, 255 if filled else 0), outline=(*colour, 255), width=pen)
    eye = _round((at[0] + 0.2 * radius, at[1] - 0.15 * radius), radius * rng.uniform(0.2, 0.35))
    draw.ellipse(eye, fill=(255, 255, 255, 255) if filled else (*accent, 255), outline=(*accent, 255))
    for _ in range(rng.choice((0, 0, 1, 3))):  # a crest
        away = rng.uniform(1.4, 2.8)
        end = (at[0] + math.cos(away) * radius * 2.2, at[1] - math.sin(away) * radius * 2.2)
        draw.line((*at, *end), fill=(*accent, 255), width=pen)


def _tail(
    draw: ImageDraw.ImageDraw,
    rng: random.Random,
    start: Point,
    towards: Point,
    stroke: Stroke,
    *,
    size: tuple[int, int],
) -> None:
    """Long feathers, or a fan with eyes as a peacock's."""
    colour, pen = stroke
    fan = rng.random() < 0.35
    away, long = math.atan2(towards[1], towards[0]), size[0] * rng.uniform(0.25, 0.55)
    count = rng.randint(5, 9) if fan else rng.randint(2, 4)
    spread = rng.uniform(0.9, 1.6) if fan else rng.uniform(0.2, 0.7)
    for n in range(count):
        angle = away + spread * (n / (count - 1) - 0.5)
        tip = (start[0] + math.cos(angle) * long, start[1] + math.sin(angle) * long)
        bend = rng.uniform(-0.25, 0.25) * long if not fan else 0.0
        steps = np.linspace(0, 1, 10).tolist()
        line = [
            (
                start[0] + (tip[0] - start[0]) * t - math.sin(angle) * bend * math.sin(math.pi * t),
                start[1] + (tip[1] - start[1]) * t + math.cos(angle) * bend * math.sin(math.pi * t),
            )
            for t in steps
        ]
        draw.line(line, fill=(*colour, 255), width=pen if fan else round(pen * rng.uniform(1.0, 3.0)), joint="curve")
        if fan or rng.random() < 0.3:
            radius = long * rng.uniform(0.08, 0.14)
            draw.ellipse(_round(tip, radius), outline=(*colour, 255), width=pen)
            draw.ellipse(_round(tip, radius * 0.4), fill=(*colour, 255))
