"""Things on a table that a detector takes for tiles: rails with lettering, standing tiles seen from above, bowls, hubs,
trap doors, cards. Drawn on the plane of a collage before its tiles are laid.

Every object gives its most tile-like places: quads (4, 2) in pixels of the canvas, of class "none".
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Quad = NDArray[np.float64]
Font = tuple[Path, int]
Bounds = tuple[float, float, float, float]
"""x1 y1 x2 y2 in millimetres of the plane."""
CHINESE_SIGNS = (
    "麻將牌雀友東方王子至尊寶龍鳳金福祿壽喜財大三元小四混清一色門前和台風碰槓"
    "吃胡聽自摸花中發白北南西商務高級機全自動正品專用遊戲"
)
LATIN = (
    "MAHJONG",
    "TABLE",
    "MJ-88",
    "POWER",
    "LUCKY",
    "START",
    "RAISE",
    "DICE",
    "Superior",
    "Royal",
    "No.1",
    "SINCE",
    "made in",
    "KING",
    "GAME",
    "88",
    "168",
    "ON/OFF",
    "Dragon",
)
TILE_WIDTH, TILE_LENGTH = 23.8, 31.8


class Surface(Protocol):
    """The canvas of a collage."""

    pixels: NDArray[np.uint8]

    def place(self, points: NDArray[np.float64], height: float = 0.0) -> NDArray[np.float64]: ...
    def fill(self, points: NDArray[np.float64], colour: Sequence[float]) -> None: ...
    def paste(self, face: NDArray[np.uint8], corners: NDArray[np.float64]) -> None: ...
    def shade(self, points: NDArray[np.float64], strength: float) -> None: ...


class Frame:
    """A turned frame on the plane: its own x along the object, y across it."""

    def __init__(self, surface: Surface, x: float, y: float, turn: float, height: float = 0.0) -> None:
        self.surface, self._at, self._height = surface, (x, y), height
        cos, sin = math.cos(turn), math.sin(turn)
        self._turn = np.array([[cos, sin], [-sin, cos]])

    def quad(self, x1: float, y1: float, x2: float, y2: float) -> Quad:
        """Pixels of a rectangle: top left, top right, bottom right, bottom left (y away from the viewer).

        `x1`, `y1`, `x2`, `y2`: its corners, along and across the frame in millimetres.
        """
        points = np.array([(x1, y2), (x2, y2), (x2, y1), (x1, y1)], np.float64)
        return self.surface.place(points @ self._turn + self._at, self._height)

    def rect(self, x1: float, y1: float, x2: float, y2: float, colour: Sequence[float]) -> Quad:
        """Fill a rectangle; its quad.

        `x1`, `y1`, `x2`, `y2`: its corners, along and across the frame in millimetres; `colour`: BGR.
        """
        quad = self.quad(x1, y1, x2, y2)
        self.surface.fill(quad, colour)
        return quad

    def disc(self, x: float, y: float, radius: float, colour: Sequence[float]) -> Quad:
        """Fill a circle; the quad round it.

        `x`, `y`, `radius`: along and across the frame in millimetres; `colour`: BGR.
        """
        angles = np.linspace(0, 2 * math.pi, 32, endpoint=False)
        points = np.stack((x + radius * np.cos(angles), y + radius * np.sin(angles)), 1)
        self.surface.fill(self.surface.place(points @ self._turn + self._at, self._height), colour)
        return self.quad(x - radius, y - radius, x + radius, y + radius)

    def text(self, text: str, x: float, y: float, size: float, colour: Sequence[float], *, font: Font) -> Quad:
        """Write ``text`` with its middle at (x, y), ``size`` high; the quad round it."""
        loaded = ImageFont.truetype(str(font[0]), 110, index=font[1])
        left, top, right, bottom = loaded.getbbox(text)
        w, h = max(8, int(right - left)), max(8, int(bottom - top))
        image = Image.new("L", (w + 8, h + 8), 0)
        ImageDraw.Draw(image).text((4 - left, 4 - top), text, fill=255, font=loaded)
        face = np.zeros((h + 8, w + 8, 4), np.uint8)
        face[:, :, :3] = np.clip(colour, 0, 255)
        face[:, :, 3] = np.asarray(image)
        half_h = size / 2
        half_w = half_h * (w + 8) / (h + 8)
        quad = self.quad(x - half_w, y - half_h, x + half_w, y + half_h)
        self.surface.paste(face, quad)
        return quad


def _pale(rng: random.Random) -> tuple[float, float, float]:
    light = rng.uniform(170, 252)
    return light * rng.uniform(0.82, 1), light * rng.uniform(0.92, 1), light


def _any(rng: random.Random) -> tuple[float, float, float]:
    return rng.uniform(0, 255), rng.uniform(0, 255), rng.uniform(0, 255)


def _inked(rng: random.Random) -> tuple[float, float, float]:
    return rng.choice(
        (
            (25, 20, 20),
            (40, 30, 190),
            (30, 20, 150),
            (130, 50, 20),
            (40, 110, 20),
            (40, 140, 190),
            (250, 250, 250),
            _any(rng),
        )
    )


def rail(surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font]) -> list[Quad]:
    """Draw a bar under, over or next to the tiles: pale, clear or dark, with lettering, stickers, screws and seams.

    `surface`: to draw on; `bounds`: of the tiles; `fonts`: to choose from. Returns the quads that it covers.
    """
    x1, y1, x2, y2 = bounds
    beside = rng.random() < 0.2
    deep = rng.uniform(14, 46)
    turn = (math.pi / 2 if beside else 0.0) + rng.gauss(0, 0.02)
    gap = rng.uniform(-3, 14)
    half = ((y2 - y1) if beside else (x2 - x1)) / 2 + rng.uniform(0, 60)
    under = rng.random() < 0.65
    middle = ((x1 + x2) / 2, (y1 - gap - deep / 2) if under else (y2 + gap + deep / 2))
    if beside:
        middle = ((x1 - gap - deep / 2) if under else (x2 + gap + deep / 2), (y1 + y2) / 2)
    frame = Frame(surface, *middle, turn)
    base = _pale(rng) if rng.random() < 0.65 else _any(rng)
    before = surface.pixels.copy() if rng.random() < 0.25 else None  # a clear bar lets the table through
    surface.shade(frame.quad(-half, -deep / 2 - 3, half, deep / 2), rng.uniform(0.1, 0.5))
    frame.rect(-half, -deep / 2, half, deep / 2, base)
    if rng.random() < 0.7:  # the lit upper edge and the dark lower one
        edge = deep * rng.uniform(0.06, 0.3)
        frame.rect(-half, deep / 2 - edge, half, deep / 2, tuple(min(255, v * rng.uniform(1.0, 1.2)) for v in base))
        frame.rect(-half, -deep / 2, half, -deep / 2 + edge, tuple(v * rng.uniform(0.5, 0.95) for v in base))
    if before is not None:
        share = rng.uniform(0.3, 0.7)
        surface.pixels[:] = cv2.addWeighted(surface.pixels, share, before, 1 - share, 0)
    quads: list[Quad] = []
    ink = _inked(rng)
    font = rng.choice(tuple(fonts))
    kind = rng.random()
    if kind < 0.5:  # spaced characters
        size = min(deep * rng.uniform(0.45, 0.95), 34)
        step = size * rng.uniform(1.05, 2.2)
        count = rng.randint(1, 8)
        start = rng.uniform(-half * 0.8, half * 0.4)
        for number in range(count):
            x = start + number * step
            if abs(x) > half - size / 2:
                break
            if rng.random() < 0.15:  # a plate behind the character
                frame.rect(x - size * 0.6, -size * 0.6, x + size * 0.6, size * 0.6, _pale(rng))
            frame.text(rng.choice(CHINESE_SIGNS), x, 0, size, ink, font=font)
            around = size * rng.uniform(0.5, 0.75)
            quads.append(
                frame.quad(x - around, -around * rng.uniform(1, 1.3), x + around, around * rng.uniform(1, 1.3))
            )
    elif kind < 0.8:  # words
        size = min(deep * rng.uniform(0.35, 0.8), 26)
        x = -half + rng.uniform(10, 60)
        while x < half - 30 and len(quads) < 12:
            word = rng.choice(LATIN) if rng.random() < 0.6 else "".join(rng.sample(CHINESE_SIGNS, rng.randint(2, 4)))
            wide = size * 0.6 * len(word)
            frame.text(word, x + wide / 2, 0, size, ink, font=font)
            for at in np.arange(x + size / 2, x + wide, size * rng.uniform(1, 2)).tolist():
                around = size * rng.uniform(0.6, 0.9)
                quads.append(frame.quad(at - around, -around * 1.2, at + around, around * 1.2))
            x += wide + rng.uniform(20, 120)
    else:  # screws, seams, stickers
        for _ in range(rng.randint(1, 4)):
            x = rng.uniform(-half, half)
            if rng.random() < 0.5:
                frame.rect(x - 0.6, -deep / 2, x + 0.6, deep / 2, tuple(v * 0.6 for v in base))
                quads.append(frame.quad(x, -deep / 2, x + rng.uniform(18, 30), deep / 2))
            else:
                quads.append(frame.disc(x, 0, rng.uniform(2, deep * 0.4), _any(rng)))
    for _ in range(2):  # plain stretches of it, of a tile's width
        x, wide = rng.uniform(-half, half - 30), rng.uniform(18, 34)
        quads.append(frame.quad(x, -deep / 2, x + wide, deep / 2))
    return quads


def standing(surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font]) -> list[Quad]:
    """Draw a row of standing tiles seen from above: white tops with a coloured stripe, the faces out of sight.

    `surface`: to draw on; `bounds`: of the tiles; `fonts`: to choose from. Returns the quads that it covers.
    """
    x1, y1, x2, y2 = bounds
    turn = rng.choice((0.0, 0.0, math.pi / 2, rng.uniform(0, math.pi)))
    count = rng.randint(3, 17)
    long = count * TILE_WIDTH
    far = rng.uniform(20, 70)
    at = rng.choice(((rng.uniform(x1, x2), y2 + far), (x1 - far, rng.uniform(y1, y2)), (x2 + far, rng.uniform(y1, y2))))
    frame = Frame(surface, *at, turn)
    ivory, back = _pale(rng), _any(rng)
    top, stripe = rng.uniform(7, 17), rng.uniform(0, 9)
    quads = []
    surface.shade(frame.quad(-long / 2 - 3, -4, long / 2 + 3, top + stripe), rng.uniform(0.2, 0.5))
    for number in range(count):
        x = -long / 2 + number * TILE_WIDTH + rng.gauss(0, 0.4)
        y = rng.gauss(0, 0.5)
        light = rng.uniform(0.93, 1.03)
        frame.rect(x, y, x + TILE_WIDTH - 0.7, y + top, tuple(min(255, v * light) for v in ivory))
        frame.rect(x, y + top, x + TILE_WIDTH - 0.7, y + top + stripe, back)
        if rng.random() < 0.4:
            frame.rect(x, y - rng.uniform(2, 6), x + TILE_WIDTH - 0.7, y, tuple(v * 0.75 for v in ivory))
        quads.append(frame.quad(x, y, x + TILE_WIDTH, y + top + (stripe if rng.random() < 0.6 else 0)))
    return quads


def round_thing(surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font]) -> list[Quad]:
    """Draw a bowl, a cup, the hub of an automatic table, a stack of coins: rings.

    `surface`: to draw on; `bounds`: of the tiles; `fonts`: to choose from. Returns the quads that it covers.
    """
    x1, y1, x2, y2 = bounds
    frame = Frame(surface, rng.uniform(x1 - 40, x2 + 40), rng.choice((y1 - 50, y2 + 50)) + rng.gauss(0, 15), 0.0)
    radius = rng.choice((rng.uniform(10, 20), rng.uniform(20, 60)))
    colour = _pale(rng) if rng.random() < 0.5 else _any(rng)
    quad = frame.disc(0, 0, radius, colour)
    share = 1.0
    for _ in range(rng.randint(1, 5)):
        share *= rng.uniform(0.6, 0.95)
        frame.disc(0, 0, radius * share, tuple(min(255, v * rng.uniform(0.6, 1.2)) for v in colour))
    quads = [quad]
    if rng.random() < 0.5:
        size = radius * rng.uniform(0.5, 1.1)
        quads.append(frame.text(rng.choice(CHINESE_SIGNS), 0, 0, size, _inked(rng), font=rng.choice(tuple(fonts))))
    if radius > 25:
        for _ in range(3):
            angle, far, half = rng.uniform(0, 6.3), radius * rng.uniform(0.4, 0.9), rng.uniform(10, 18)
            x, y = far * math.cos(angle), far * math.sin(angle)
            quads.append(frame.quad(x - half, y - half, x + half, y + half))
    return quads


def plate(surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font]) -> list[Quad]:
    """Draw a trap door, a card, a phone, a button: nested rounded rectangles, with or without words.

    `surface`: to draw on; `bounds`: of the tiles; `fonts`: to choose from. Returns the quads that it covers.
    """
    x1, y1, x2, y2 = bounds
    at = (rng.uniform(x1 - 60, x2 + 60), rng.choice((y1 - 45, y2 + 45)) + rng.gauss(0, 12))
    frame = Frame(surface, *at, rng.choice((0.0, math.pi / 2, rng.uniform(0, math.pi))))
    w, h = rng.uniform(8, 45), rng.uniform(8, 30)
    colour = _pale(rng) if rng.random() < 0.5 else _any(rng)
    surface.shade(frame.quad(-w - 1, -h - 2, w + 1, h), rng.uniform(0, 0.4))
    quads = [frame.rect(-w, -h, w, h, colour)]
    inset = 0.0
    for _ in range(rng.randint(0, 3)):
        inset += rng.uniform(1, 4)
        if inset < min(w, h) - 2:
            frame.rect(-w + inset, -h + inset, w - inset, h - inset, tuple(v * rng.uniform(0.7, 1.15) for v in colour))
    if rng.random() < 0.6:
        text = rng.choice(LATIN) if rng.random() < 0.5 else "".join(rng.sample(CHINESE_SIGNS, rng.randint(1, 3)))
        quads.append(frame.text(text, 0, 0, h * rng.uniform(0.5, 1.2), _inked(rng), font=rng.choice(tuple(fonts))))
    return quads


DRAWINGS: Sequence[Callable[[Surface, random.Random, Bounds, Sequence[Font]], list[Quad]]] = (
    rail,
    rail,
    rail,
    standing,
    standing,
    round_thing,
    plate,
)


def lay(surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font]) -> list[Quad]:
    """None to three such things round the tiles that lie in ``bounds``; the quads that look like tiles."""
    quads: list[Quad] = []
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        quads += rng.choice(DRAWINGS)(surface, rng, bounds, fonts)
    return quads


def covered(quad: Quad, others: Sequence[Quad], most: float = 0.1) -> bool:
    """Whether a quad's box overlaps one of ``others`` (tiles laid on top), or is out of the picture."""
    low, high = quad.min(0), quad.max(0)
    area = float(np.prod(np.maximum(high - low, 1)))
    for other in others:
        wh = np.minimum(high, other.max(0)) - np.maximum(low, other.min(0))
        if (wh > 0).all() and wh.prod() / area > most:
            return True
    return False
