"""Faces written with the Chinese fonts of the machine, on every place and in every style that sets have."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.training.synthetic.drawn.plants import Ink, ink, plant
from vision.training.synthetic.drawn.shapes import FACE_PIXELS, Face, drawn_until, inked, on_face, tinted
from vision.training.synthetic.drawn.suits import circles, sticks, strokes
from vision.training.synthetic.fonts import chinese_fonts

NUMERALS = "一二三四五六七八九"
FLOWER_SIGNS = "春夏秋冬梅蘭竹菊"
ORCHID = "兰"
"""蘭 in the form of many sets."""
SEASONS = ("SPR", "SUM", "AUT", "WIN")
"""On sets made for English speakers."""
WIND_SIGNS = "東南西北"


class Writer:
    """Writes faces with the Chinese fonts of the machine."""

    def __init__(self, fonts: Sequence[tuple[Path, int]], plants: Sequence[Face]) -> None:
        self._fonts = tuple(fonts)
        simplified = set(chinese_fonts(ORCHID))
        self._simplified = tuple(font for font in self._fonts if font in simplified)
        self._plants = tuple(plants)

    def _text(
        self,
        draw: ImageDraw.ImageDraw,
        text: str,
        middle: tuple[float, float],
        size: float,
        colour: Ink,
        *,
        font: tuple[Path, int],
    ) -> None:
        font_ = ImageFont.truetype(str(font[0]), round(size), index=font[1])
        draw.text(middle, text, fill=(*colour, 255), font=font_, anchor="mm", stroke_width=0)

    def face(self, code: str, rng: random.Random) -> Face | None:
        """A face that no set has; None for the bird of 1索, which :meth:`bird` draws."""
        image = Image.new("RGBA", FACE_PIXELS, (0, 0, 0, 0))
        draw = ImageDraw.Draw(image)
        font = rng.choice(self._fonts)
        w, h = FACE_PIXELS
        number = int(code[0])
        red, black = ink(rng, "red"), ink(rng, rng.choice(("black", "black", "blue", "green")))
        if code[1] == "m":
            top = "伍" if number == 5 and rng.random() < 0.4 else NUMERALS[number - 1]
            if number <= 3 and rng.random() < 0.5:
                upper = strokes(number, rng, (round(w * 0.8), round(h * rng.uniform(0.32, 0.42))), black)
                image.paste(Image.fromarray(upper[:, :, [2, 1, 0, 3]]), (round(w * 0.1), round(h * 0.06)))
            else:
                self._glyph(
                    image, top, (w / 2, h * 0.27), h * rng.uniform(0.32, 0.42), rng, colour=black, font=font, brush=True
                )
            self._glyph(
                image, "萬", (w / 2, h * 0.70), h * rng.uniform(0.40, 0.50), rng, colour=red, font=font, brush=True
            )
            if rng.random() < 0.25:
                self._text(draw, str(number), (w * 0.13, h * 0.1), h * 0.16, rng.choice((red, black)), font=font)
        elif code[1] == "z" and number <= 4:
            self._text(draw, WIND_SIGNS[number - 1], (w / 2, h / 2), h * rng.uniform(0.55, 0.72), black, font=font)
        elif code == "5z":
            if rng.random() < 0.6:
                edge = rng.uniform(0.08, 0.16)
                draw.rectangle(
                    (w * edge, h * edge, w * (1 - edge), h * (1 - edge)),
                    outline=(*black, 255),
                    width=rng.randint(4, 16),
                )
                if rng.random() < 0.5:
                    draw.rectangle(
                        (w * edge + 22, h * edge + 22, w * (1 - edge) - 22, h * (1 - edge) - 22),
                        outline=(*black, 255),
                        width=rng.randint(3, 8),
                    )
        elif code == "6z":
            self._text(draw, "發", (w / 2, h / 2), h * rng.uniform(0.55, 0.72), ink(rng, "green"), font=font)
        elif code == "7z":
            self._text(draw, "中", (w / 2, h / 2), h * rng.uniform(0.6, 0.8), red, font=font)
        elif code[1] == "p":
            return on_face(inked(circles(number, rng, FACE_PIXELS)), rng, rng.uniform(0.8, 0.96))
        elif code[1] == "s" and number > 1:
            return on_face(inked(sticks(number, rng, FACE_PIXELS)), rng, rng.uniform(0.8, 0.96))
        elif code[1] == "f":
            return self._flower(number, rng)
        else:
            return None
        return np.asarray(image)[:, :, [2, 1, 0, 3]].astype(np.uint8)

    def bird(self, art: Face, rng: random.Random) -> Face:
        """A 1索 of some sets: a bird among plants, with no character and no number."""
        w, h = FACE_PIXELS
        face = np.zeros((h, w, 4), np.uint8)
        for layer, fill in ((self._any_plant(rng), 0.55), (self._any_plant(rng), 0.5), (art, 0.65)):
            scale = min(w / layer.shape[1], h / layer.shape[0]) * fill * rng.uniform(0.8, 1.2)
            small = cv2.resize(layer, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8)
            small = tinted(small[:h, :w], rng, 90)
            y, x = rng.randint(0, h - small.shape[0]), rng.randint(0, w - small.shape[1])
            part = face[y : y + small.shape[0], x : x + small.shape[1]]
            drawn = small[:, :, 3:] > 60
            part[:] = np.where(drawn, small, part)
        return face

    def _any_plant(self, rng: random.Random) -> Face:
        """A plant of a set, or a drawn one."""
        return drawn_until(plant, rng) if not self._plants or rng.random() < 0.5 else rng.choice(self._plants)

    def _flower(self, number: int, rng: random.Random) -> Face:
        """Any plant, the character in a corner or at a side, mostly its number in another place. Some sets have only
        the number: Chinese for the seasons, Arabic for the plants."""
        w, h = FACE_PIXELS
        season = number <= 4
        counted = (number - 1) % 4 + 1 if number < 7 else rng.choice((3, 4))  # sets differ in 竹 and 菊
        row = rng.choices(("upper", "lower", "middle"), (0.72, 0.18, 0.1))[0]
        image = Image.fromarray(self._planted(rng, low=row != "lower")[:, :, [2, 1, 0, 3]])
        font = rng.choice(self._fonts)
        own = "red" if season else rng.choice(("blue", "blue", "black"))
        first = own if rng.random() < 0.6 else rng.choice(("blue", "red", "green", "black"))
        second = first if rng.random() < 0.6 else rng.choice(("red", "blue", "black"))
        left = rng.random() < 0.5
        size = h * rng.uniform(0.16, 0.3)
        near, beside = w * rng.uniform(0.14, 0.22), w * rng.uniform(0.12, 0.2)
        edge = h * rng.uniform(0.11, 0.17)
        x = near if left else w - near
        y = {"upper": edge, "lower": h - edge, "middle": h * rng.uniform(0.35, 0.6)}[row]
        if rng.random() < 0.12 and number != 7 and number != 8:
            text = NUMERALS[counted - 1] if season else str(counted)
            self._glyph(image, text, (x, y), size * rng.uniform(0.9, 1.2), rng, colour=ink(rng, own), font=font)
            return np.asarray(image)[:, :, [2, 1, 0, 3]].astype(np.uint8)
        character = FLOWER_SIGNS[number - 1]
        if number == 6 and self._simplified and rng.random() < 0.5:
            character, font = ORCHID, rng.choice(self._simplified)
        if season and rng.random() < 0.1:
            character, size, x = SEASONS[number - 1], size * 0.75, x + (w * 0.14 if left else -w * 0.14)
        colour = ink(rng, first)
        if len(character) == 1 and rng.random() < 0.12:
            colour = _seal(image, (x, y), size, colour, rng)
        self._glyph(image, character, (x, y), size, rng, colour=colour, font=font)
        if rng.random() < 0.85:
            at = _place_of_number((x, y), size, (w - beside if left else beside), row, rng)
            digits = font if rng.random() < 0.5 else rng.choice(self._fonts)
            text = NUMERALS[counted - 1] if rng.random() < 0.1 else str(counted)
            self._glyph(image, text, at, size * rng.uniform(0.7, 1.1), rng, colour=ink(rng, second), font=digits)
        return np.asarray(image)[:, :, [2, 1, 0, 3]].astype(np.uint8)

    def _planted(self, rng: random.Random, *, low: bool) -> Face:
        """A face with a plant on its lower part (``low``) or its upper one, and nothing else."""
        w, h = FACE_PIXELS
        own = not self._plants or rng.random() < 0.75
        art = drawn_until(plant, rng) if own else rng.choice(self._plants)
        scale = min(w * rng.uniform(0.7, 0.95) / art.shape[1], h * rng.uniform(0.55, 0.82) / art.shape[0])
        smaller = cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        fitted = smaller.astype(np.uint8, copy=False)
        if not own:
            fitted = tinted(fitted, rng, 90)
        face = np.zeros((h, w, 4), np.uint8)
        end = round(h * 0.97) - fitted.shape[0] if low else round(h * 0.03)
        y = max(0, end if rng.random() < 0.8 else (h - fitted.shape[0]) // 2)
        x = round((w - fitted.shape[1]) * rng.uniform(0.3, 0.7))
        face[y : y + fitted.shape[0], x : x + fitted.shape[1]] = fitted[: h - y]
        return face

    def _glyph(
        self,
        image: Image.Image,
        text: str,
        middle: tuple[float, float],
        size: float,
        rng: random.Random,
        *,
        colour: Ink,
        font: tuple[Path, int],
        brush: bool = False,
    ) -> None:
        """One character as carved by hand: thinner or bolder than in the font, leaning, wider or narrower. With
        ``brush`` it is bent as by a quick brush."""
        side = round(size * 2)
        mask = Image.new("L", (side, side), 0)
        font_ = ImageFont.truetype(str(font[0]), round(size), index=font[1])
        bold = rng.choice((0, 0, 1, 2)) if size > 40 else 0
        ImageDraw.Draw(mask).text((side / 2, side / 2), text, fill=255, font=font_, anchor="mm", stroke_width=bold)
        lean, turn = rng.gauss(0, 0.16 if brush else 0.08), rng.gauss(0, 0.1 if brush else 0.06)
        wide, high = rng.uniform(0.85, 1.15), rng.uniform(0.85, 1.15)
        mix = np.array([[wide, lean - turn], [turn, high]])
        matrix = np.column_stack((mix, side / 2 - mix @ (side / 2, side / 2)))
        bent = cv2.warpAffine(np.asarray(mask), matrix, (side, side), flags=cv2.INTER_LINEAR)
        if brush and rng.random() < 0.6:
            bent = _waved(bent.astype(np.uint8, copy=False), rng, size)
        if rng.random() < 0.25:
            bent = cv2.erode(bent, np.ones((2, 2), np.uint8))
        corner = (round(middle[0] - side / 2), round(middle[1] - side / 2))
        image.paste((*colour, 255), corner, Image.fromarray(bent))


def _seal(image: Image.Image, middle: tuple[float, float], size: float, colour: Ink, rng: random.Random) -> Ink:
    """A disc or a square in the ink behind a character; the light ink that is written on it with."""
    (x, y), half = middle, size * rng.uniform(0.55, 0.66)
    draw = ImageDraw.Draw(image)
    box = (x - half, y - half, x + half, y + half)
    if rng.random() < 0.5:
        draw.ellipse(box, fill=(*colour, 255))
    else:
        draw.rounded_rectangle(box, half * rng.uniform(0, 0.4), fill=(*colour, 255))
    light = rng.randint(225, 250)
    return light, light, light


def _place_of_number(
    character: tuple[float, float], size: float, across: float, row: str, rng: random.Random
) -> tuple[float, float]:
    """The place of a flower's number: mostly next to the character in the corner ``across``, sometimes in that
    corner of the other end, sometimes under the character (above it at the lower end)."""
    x, y = character
    h = FACE_PIXELS[1]
    kind = rng.random()
    if kind < 0.7:
        return across, y + h * rng.uniform(-0.02, 0.02)
    if kind < 0.88:
        return (across if rng.random() < 0.7 else x), (h - y if row != "middle" else h * rng.choice((0.14, 0.86)))
    return x, y + size * rng.uniform(0.95, 1.1) * (-1 if row == "lower" else 1)


def _waved(mask: NDArray[np.uint8], rng: random.Random, size: float) -> NDArray[np.uint8]:
    """Strokes bent by slow random waves, up to a twelfth of the character's size."""
    side = mask.shape[0]
    noise = np.random.default_rng(rng.randrange(1 << 30)).standard_normal((2, 5, 5)).astype(np.float32)
    strength = size * rng.uniform(0.02, 0.08)
    shift = [cv2.resize(part, (side, side), interpolation=cv2.INTER_CUBIC) * strength for part in noise]
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    return cv2.remap(mask, xs + shift[0], ys + shift[1], cv2.INTER_LINEAR).astype(np.uint8, copy=False)
