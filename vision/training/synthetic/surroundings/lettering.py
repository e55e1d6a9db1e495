"""Writing on a table that is not on a tile: racks with characters at a tile's pitch, score sheets, captions, screens
and the compass plates of automatic tables. Drawn on the plane of a collage before its tiles are laid.

As with the other clutter, each thing gives its most tile-like places: quads (4, 2) in pixels of the canvas, of class
"none". A character of a rack differs from the same one on a tile only by its surroundings. So racks use a full set of
characters in daily use, winds and numerals more often.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.training.synthetic.fonts import Font, draws
from vision.training.synthetic.surroundings.clutter import TILE_LENGTH, TILE_WIDTH, Bounds, Frame, Quad, Surface
from vision.training.synthetic.surroundings.grounds import GRAINED, textured

DAILY = tuple(
    character
    for lead in range(0xA4, 0xC7)
    for trail in (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    if (character := bytes((lead, trail)).decode("big5", "ignore")) and "一" <= character <= "鿿"
)
"""The 5,401 characters of Big5's first plane: the ones in daily use in Taiwan."""
OF_TILES = "東南西北中發白一二三四五六七八九萬春夏秋冬梅蘭竹菊"
"""What tiles bear too."""
OF_RACKS = "麻將雀神福祿壽喜財寶龍鳳金玉滿堂大吉利贏胡自摸王牌至尊發達旺家和興順富貴"
INKS = (
    ((30, 25, 25), 4),
    ((35, 30, 190), 5),
    ((40, 150, 205), 3),
    ((60, 175, 225), 2),
    ((245, 245, 245), 2),
    ((130, 50, 20), 2),
    ((40, 110, 30), 2),
)
"""BGR colours of writing and how often: black, red, gold, light gold, white, blue, green."""
BODIES = ("clear", "white", "blue", "wood", "dark", "green")


def characters(rng: random.Random, count: int, font: Font) -> list[str]:
    """``count`` characters that the font has; characters of tiles and racks come more often."""
    written: list[str] = []
    for _ in range(count * 10):
        pool: Sequence[str] = rng.choice((DAILY, DAILY, OF_RACKS, OF_TILES))
        character = rng.choice(pool)
        if draws(font, character):
            written.append(character)
        if len(written) == count:
            break
    return written


def drawn_ink(rng: random.Random) -> tuple[float, float, float]:
    """A colour (BGR) of writing, drawn by chance."""
    colour = rng.choices([colour for colour, _ in INKS], [often for _, often in INKS])[0]
    blue, green, red = (min(255.0, max(0.0, value + rng.gauss(0, 18))) for value in colour)
    return blue, green, red


def _body(
    surface: Surface, frame: Frame, half: float, deep: float, rng: random.Random, *, textures: Sequence[Path]
) -> None:
    """The bar of a rack: what it is made of, its lit upper edge and its dark lower one."""
    kind = rng.choice(BODIES)
    before = surface.pixels.copy() if kind == "clear" else None
    light = rng.uniform(180, 250)
    colours = {
        "clear": (light, light, light),
        "white": (light * rng.uniform(0.85, 1), light * rng.uniform(0.93, 1), light),
        "blue": (rng.uniform(110, 230), rng.uniform(50, 130), rng.uniform(10, 70)),
        "wood": (rng.uniform(40, 110), rng.uniform(80, 150), rng.uniform(110, 200)),
        "dark": (rng.uniform(15, 70), rng.uniform(15, 60), rng.uniform(15, 60)),
        "green": (rng.uniform(30, 90), rng.uniform(80, 160), rng.uniform(10, 60)),
    }
    base = colours[kind]
    surface.shade(frame.quad(-half, -deep / 2 - 3, half, deep / 2), rng.uniform(0.1, 0.4))
    outline = frame.rect(-half, -deep / 2, half, deep / 2, base)
    if kind == "wood" and textures:
        grained = [path for path in textures if path.parent.name in GRAINED] or list(textures)
        height, width = surface.pixels.shape[:2]
        grain = textured(rng, width, height, grained)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], (255,))
        surface.pixels[mask > 0] = grain[mask > 0]
    if rng.random() < 0.7:
        edge = deep * rng.uniform(0.04, 0.2)
        frame.rect(-half, deep / 2 - edge, half, deep / 2, tuple(min(255, v * rng.uniform(1.0, 1.25)) for v in base))
        frame.rect(-half, -deep / 2, half, -deep / 2 + edge, tuple(v * rng.uniform(0.5, 0.95) for v in base))
    if before is not None:
        share = rng.uniform(0.12, 0.55)
        surface.pixels[:] = cv2.addWeighted(surface.pixels, share, before, 1 - share, 0)


def rack(
    surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font], textures: Sequence[Path] = ()
) -> list[Quad]:
    """Draw a rack, a ruler or the rim of a table along the tiles, with characters at about a tile's pitch.

    `surface`: to draw on; `bounds`: of the tiles; `fonts` and `textures`: to choose from. Returns the quads that it
    covers.
    """
    x1, y1, x2, y2 = bounds
    beside = rng.random() < 0.15
    deep = rng.uniform(20, 48)
    gap = rng.uniform(-2, 12)
    half = ((y2 - y1) if beside else (x2 - x1)) / 2 + rng.uniform(0, 70)
    under = rng.random() < 0.7
    middle = ((x1 + x2) / 2, (y1 - gap - deep / 2) if under else (y2 + gap + deep / 2))
    if beside:
        middle = ((x1 - gap - deep / 2) if under else (x2 + gap + deep / 2), (y1 + y2) / 2)
    turn = (math.pi / 2 if beside else 0.0) + rng.gauss(0, 0.02) + (math.pi if rng.random() < 0.2 else 0.0)
    frame = Frame(surface, *middle, turn)
    _body(surface, frame, half, deep, rng, textures=textures)
    font = rng.choice(tuple(fonts))
    size = min(deep * rng.uniform(0.6, 0.98), TILE_LENGTH * rng.uniform(0.75, 1.1))
    step = max(size * 0.95, TILE_WIDTH * rng.uniform(0.9, 1.5))
    count = min(rng.randint(2, 14), max(1, int((2 * half - size) / step)))
    start = rng.uniform(-half + size / 2, half - size / 2 - (count - 1) * step)
    ink = drawn_ink(rng)
    mixed = rng.random() < 0.25
    quads: list[Quad] = []
    for number, character in enumerate(characters(rng, count, font)):
        x, y = start + number * step, rng.gauss(0, 0.5)
        frame.text(character, x, y, size, drawn_ink(rng) if mixed else ink, font=font)
        across, along = size * rng.uniform(0.4, 0.62), size * rng.uniform(0.45, 0.65)
        quads.append(frame.quad(x - across, y - along, x + across, y + along))
    if rng.random() < 0.3:
        line = rng.choice(("MAHJONG", "LUCKY", "Royal", "MADE IN TAIWAN", "No. 8", "www"))
        frame.text(line, 0, -deep * 0.4, deep * 0.15, ink, font=font)
    return quads


def sheet(
    surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font], textures: Sequence[Path] = ()
) -> list[Quad]:
    """Draw a score sheet, a table of points, a menu: a grid with words and numbers, or a phone that shows one.

    `surface`: to draw on; `bounds`: of the tiles; `fonts` and `textures`: to choose from. Returns the quads that it
    covers.
    """
    x1, y1, x2, y2 = bounds
    columns, rows = rng.randint(2, 6), rng.randint(2, 6)
    cell = rng.uniform(11, 30)
    w, h = columns * cell / 2, rows * cell / 2
    at = (rng.uniform(x1, x2), rng.choice((y1 - h - rng.uniform(4, 30), y2 + h + rng.uniform(4, 30))))
    frame = Frame(surface, *at, rng.choice((0.0, 0.0, math.pi / 2, rng.gauss(0, 0.3))))
    screen = rng.random() < 0.4
    pale = rng.uniform(205, 252)
    paper = (pale, pale, pale) if not screen else tuple(rng.choice((20.0, 235.0)) + rng.gauss(0, 8) for _ in range(3))
    surface.shade(frame.quad(-w - 3, -h - 3, w + 3, h + 3), rng.uniform(0, 0.3))
    if screen:
        frame.rect(-w - 5, -h - 9, w + 5, h + 9, (25, 22, 22))
    frame.rect(-w - 2, -h - 2, w + 2, h + 2, paper)
    font, ink = rng.choice(tuple(fonts)), drawn_ink(rng)
    lines = rng.random() < 0.7
    quads: list[Quad] = []
    for row in range(rows):
        for column in range(columns):
            left, low = -w + column * cell, -h + row * cell
            if lines:
                shade = tuple(value * 0.6 for value in paper)
                frame.rect(left, low, left + cell, low + 0.6, shade)
                frame.rect(left, low, left + 0.6, low + cell, shade)
            text = (
                str(rng.randint(0, 99))
                if rng.random() < 0.35
                else "".join(characters(rng, rng.choice((1, 1, 2)), font))
            )
            if not text or rng.random() < 0.15:
                continue
            size = cell * rng.uniform(0.5, 0.85) / max(1, len(text)) ** 0.5
            frame.text(text, left + cell / 2, low + cell / 2, size, ink, font=font)
            quads.append(frame.quad(left, low, left + cell, low + cell))
    return quads


def caption(
    surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font], textures: Sequence[Path] = ()
) -> list[Quad]:
    """Draw words over the picture, as in a video: outlined or on a band.

    `surface`: to draw on; `bounds`: of the tiles; `fonts` and `textures`: to choose from. Returns the quads that it
    covers.
    """
    x1, y1, x2, y2 = bounds
    size = rng.uniform(12, 34)
    font = rng.choice(tuple(fonts))
    text = characters(rng, rng.randint(3, 12), font)
    half = len(text) * size / 2
    frame = Frame(surface, (x1 + x2) / 2 + rng.gauss(0, 20), rng.choice((y1 - size, y2 + size)) + rng.gauss(0, 6), 0.0)
    if rng.random() < 0.5:
        frame.rect(-half - 4, -size * 0.6, half + 4, size * 0.6, tuple(rng.uniform(0, 90) for _ in range(3)))
    ink = rng.choice(((250, 250, 250), (60, 230, 250), drawn_ink(rng)))
    quads: list[Quad] = []
    for number, character in enumerate(text):
        x = -half + (number + 0.5) * size
        if rng.random() < 0.8:
            for dx, dy in ((-0.8, 0), (0.8, 0), (0, -0.8), (0, 0.8)):
                frame.text(character, x + dx, dy, size, (20, 20, 20), font=font)
        frame.text(character, x, 0, size, ink, font=font)
        quads.append(frame.quad(x - size * 0.5, -size * 0.55, x + size * 0.5, size * 0.55))
    return quads


def compass(
    surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font], textures: Sequence[Path] = ()
) -> list[Quad]:
    """Draw the plate in the middle of an automatic table: the winds towards its sides, dice or a light between them.

    `surface`: to draw on; `bounds`: of the tiles; `fonts` and `textures`: to choose from. Returns the quads that it
    covers.
    """
    x1, _, x2, y2 = bounds
    radius = rng.uniform(30, 75)
    size = radius * rng.uniform(0.3, 0.55)
    middle = (rng.uniform(x1, x2), y2 + radius + rng.uniform(5, 60))
    frame = Frame(surface, *middle, 0.0)
    dark = rng.random() < 0.6
    plate = tuple(rng.uniform(10, 80) if dark else rng.uniform(150, 240) for _ in range(3))
    round_plate = rng.random() < 0.5
    if round_plate:
        frame.disc(0, 0, radius, plate)
    else:
        frame.rect(-radius, -radius, radius, radius, plate)
    font = rng.choice([font for font in fonts if all(draws(font, wind) for wind in "東南西北")] or tuple(fonts))
    same = drawn_ink(rng)
    lit = rng.random() < 0.5
    quads: list[Quad] = []
    for number, wind in enumerate("東南西北"):
        angle = number * math.pi / 2 + (math.pi if rng.random() < 0.1 else 0)
        x, y = middle[0] + 0.62 * radius * math.cos(angle), middle[1] + 0.62 * radius * math.sin(angle)
        side = Frame(surface, x, y, angle + math.pi / 2)
        half = size * 0.62
        if rng.random() < 0.5:
            side.rect(-half, -half, half, half, tuple(min(255, v * rng.uniform(0.6, 1.6)) for v in plate))
        ink = tuple(rng.uniform(180, 255) for _ in range(3)) if dark and not lit else same
        side.text(wind, 0, 0, size, (ink[0], ink[1], ink[2]), font=font)
        quads.append(side.quad(-half, -half, half, half))
    for _ in range(rng.choice((0, 2, 2, 3))):
        frame.disc(rng.uniform(-0.2, 0.2) * radius, rng.uniform(-0.2, 0.2) * radius, rng.uniform(4, 9), (240, 240, 240))
    return quads


Drawing = Callable[[Surface, random.Random, Bounds, Sequence[Font], Sequence[Path]], list[Quad]]
LETTERINGS: Sequence[Drawing] = (rack, rack, rack, rack, sheet, caption, compass)


def write_on(
    surface: Surface, rng: random.Random, bounds: Bounds, fonts: Sequence[Font], textures: Sequence[Path] = ()
) -> list[Quad]:
    """One to three such things round the tiles that lie in ``bounds``, a rack mostly among them; the quads that look
    like tiles."""
    quads = rack(surface, rng, bounds, fonts, textures) if rng.random() < 0.75 else []
    for _ in range(rng.choice((0, 0, 1, 1, 2)) if quads else 1):
        quads += rng.choice(LETTERINGS)(surface, rng, bounds, fonts, textures)
    return quads
