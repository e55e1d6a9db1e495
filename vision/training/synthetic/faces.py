"""Tile faces for made photos: public-domain art, tile sets of a desktop game, and faces written with Chinese fonts.

A face is (h, w, 4) uint8 BGRA on a transparent ground. What tells the flowers apart in every set is the character (and
often a number) beside an arbitrary plant, so written flowers take any plant.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scoring.tiles import CODES
from vision.training.synthetic.designs import inked_faces, listed_designs
from vision.training.synthetic.drawn.birds import bird
from vision.training.synthetic.drawn.plants import Ink, ink, plant
from vision.training.synthetic.drawn.suits import circles, sticks, strokes
from vision.training.synthetic.fonts import chinese_fonts
from vision.training.synthetic.render import load_art

Face = NDArray[np.uint8]
SIDE = (190, 250)
"""Width and height of a written face in pixels."""
NUMERALS = "一二三四五六七八九"
FLOWERS = "春夏秋冬梅蘭竹菊"
ORCHID = "兰"
"""蘭 as many sets write it."""
SEASONS = ("SPR", "SUM", "AUT", "WIN")
"""On sets made for English speakers."""
WINDS = "東南西北"
_GAME_NAMES = {
    **{f"{n}m": f"CHARACTER_{n}" for n in range(1, 10)},
    **{f"{n}p": f"ROD_{n}" for n in range(1, 10)},
    **{f"{n}s": f"BAMBOO_{n}" for n in range(1, 10)},
    "1z": "WIND_3",
    "2z": "WIND_2",
    "3z": "WIND_4",
    "4z": "WIND_1",
    "5z": "DRAGON_1",
    "6z": "DRAGON_2",
    "7z": "DRAGON_3",
    **{f"{n}f": f"SEASON_{n}" for n in range(1, 5)},
    "5f": "FLOWER_1",
    "6f": "FLOWER_2",
    "7f": "FLOWER_4",
    "8f": "FLOWER_3",
}


def game_faces(svg: Path) -> dict[str, Face]:
    """The 42 faces of a kmahjongg tile set (plain SVG), drawn with rsvg-convert."""
    faces = {}
    with tempfile.TemporaryDirectory() as folder:
        for code, name in _GAME_NAMES.items():
            out = Path(folder) / f"{code}.png"
            subprocess.run(["rsvg-convert", str(svg), "--export-id", name, "-z", "12", "-o", str(out)], check=True)
            drawn = cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
            face = None if drawn is None else _trimmed(drawn.astype(np.uint8, copy=False))
            if face is not None:
                faces[code] = face
    return faces


def png_faces(folder: Path, names: dict[str, str]) -> dict[str, Face]:
    """Faces by code from PNG files ``names[code].png`` with a transparent ground."""
    found = {}
    for code, name in names.items():
        face = cv2.imread(str(folder / f"{name}.png"), cv2.IMREAD_UNCHANGED)
        if face is not None and face.ndim == 3 and face.shape[2] == 4:
            found[code] = face.astype(np.uint8, copy=False)
    return found


def riichi_faces(folder: Path) -> dict[str, Face]:
    """The faces of FluffyStuff/riichi-mahjong-tiles (``Export/Regular``)."""
    suits = {"m": "Man", "p": "Pin", "s": "Sou"}
    names = {f"{n}{suit}": f"{word}{n}" for suit, word in suits.items() for n in range(1, 10)}
    honours = ("Ton", "Nan", "Shaa", "Pei", "Haku", "Hatsu", "Chun")
    return png_faces(folder, {**names, **{f"{n}z": name for n, name in enumerate(honours, start=1)}})


def opaque_faces(folder: Path) -> dict[str, Face]:
    """Faces by code from pictures of whole tiles (``CODE.gif``): what differs from the tile's own ground is ink."""
    found = {}
    for path in sorted(folder.glob("*.gif")):
        with Image.open(path) as opened:
            pixels = np.asarray(opened.convert("RGB")).astype(np.float32)
        h, w = pixels.shape[:2]
        edge_y, edge_x = round(h * 0.07), round(w * 0.07)
        pixels = pixels[edge_y : h - edge_y, edge_x : w - edge_x]
        ground = np.median(pixels.reshape(-1, 3), axis=0)
        away = np.abs(pixels - ground).max(axis=2)
        alpha = ((away - 30) / 50).clip(0, 1) * 255
        face = np.dstack((pixels[:, :, ::-1], alpha)).astype(np.uint8)
        found[path.stem] = cv2.resize(face, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    return found


_LINE_NAMES = {
    **{f"{n}m": f"c-{n - 1}" for n in range(1, 10)},
    **{f"{n}p": f"d-{n - 1}" for n in range(1, 10)},
    **{f"{n}s": f"b-{n - 1}" for n in range(1, 10)},
    **{f"{n}z": f"h-{n - 1}" for n in (1, 2, 3, 4)},
    "6z": "h-5",
    "7z": "h-4",
    **{f"{n}f": f"f-{n - 1}" for n in range(1, 9)},
}


def line_faces(folder: Path) -> dict[str, Face]:
    """The faces of gl-mahjongtile (``folder``: ``converted`` or ``colored``), whose glyphs stand upside down in the
    files, without the frame of the tile."""
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for code, name in _LINE_NAMES.items():
            svg, out = folder / f"{name}.svg", Path(scratch) / f"{name}.png"
            if not svg.is_file():
                continue
            subprocess.run(["rsvg-convert", "-h", "280", str(svg), "-o", str(out)], check=True)
            drawn = cv2.imread(str(out), cv2.IMREAD_UNCHANGED)
            if drawn is None or drawn.ndim != 3 or drawn.shape[2] != 4:
                continue
            h, w = drawn.shape[:2]
            inner = drawn[::-1][round(h * 0.06) : round(h * 0.94), round(w * 0.08) : round(w * 0.92)]
            found[code] = np.ascontiguousarray(inner).astype(np.uint8, copy=False)
    return found


def _trimmed(face: Face) -> Face | None:
    """Cut the empty margin off; None where there is nothing."""
    if face.ndim != 3 or face.shape[2] != 4:
        return None
    ys, xs = np.nonzero(face[:, :, 3] > 8)
    if not len(ys) or min(np.ptp(ys), np.ptp(xs)) < 8:
        return None
    return face[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.uint8, copy=False)


def _inked(face: Face) -> Face:
    """A drawn face without its empty margin."""
    trimmed = _trimmed(face)
    return face if trimmed is None else trimmed


def on_face(art: Face, rng: random.Random, fill: float = 0.86) -> Face:
    """Art set in the middle of an empty face, keeping its shape."""
    w, h = SIDE
    scale = min(w / art.shape[1], h / art.shape[0]) * fill * rng.uniform(0.93, 1.05)
    fitted = cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:h, :w]
    face = np.zeros((h, w, 4), np.uint8)
    y, x = (h - fitted.shape[0]) // 2, (w - fitted.shape[1]) // 2
    face[y : y + fitted.shape[0], x : x + fitted.shape[1]] = fitted
    return face


def tinted(face: Face, rng: random.Random, most: int = 14) -> Face:
    """The same face with its inks a little different in hue, strength and darkness."""
    hsv = cv2.cvtColor(np.ascontiguousarray(face[:, :, :3]), cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[:, :, 0] = (hsv[:, :, 0] + rng.randint(-most, most)) % 180
    hsv[:, :, 1] = (hsv[:, :, 1] * rng.uniform(0.7, 1.2)).clip(0, 255)
    hsv[:, :, 2] = (hsv[:, :, 2] * rng.uniform(0.6, 1.1)).clip(0, 255)
    inks = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)
    return np.dstack((inks, face[:, :, 3])).astype(np.uint8, copy=False)


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
        font: tuple[Path, int],
    ) -> None:
        made = ImageFont.truetype(str(font[0]), round(size), index=font[1])
        draw.text(middle, text, fill=(*colour, 255), font=made, anchor="mm", stroke_width=0)

    def face(self, code: str, rng: random.Random) -> Face | None:
        """A face that no set has; None for the bird of 1索, which :meth:`bird` draws."""
        image = Image.new("RGBA", SIDE, (0, 0, 0, 0))
        draw = ImageDraw.Draw(image)
        font = rng.choice(self._fonts)
        w, h = SIDE
        number = int(code[0])
        red, black = ink(rng, "red"), ink(rng, rng.choice(("black", "black", "blue", "green")))
        if code[1] == "m":
            top = "伍" if number == 5 and rng.random() < 0.4 else NUMERALS[number - 1]
            if number <= 3 and rng.random() < 0.5:
                upper = strokes(number, rng, (round(w * 0.8), round(h * rng.uniform(0.32, 0.42))), black)
                image.paste(Image.fromarray(upper[:, :, [2, 1, 0, 3]]), (round(w * 0.1), round(h * 0.06)))
            else:
                self._glyph(image, top, (w / 2, h * 0.27), h * rng.uniform(0.32, 0.42), black, font, rng, brush=True)
            self._glyph(image, "萬", (w / 2, h * 0.70), h * rng.uniform(0.40, 0.50), red, font, rng, brush=True)
            if rng.random() < 0.25:
                self._text(draw, str(number), (w * 0.13, h * 0.1), h * 0.16, rng.choice((red, black)), font)
        elif code[1] == "z" and number <= 4:
            self._text(draw, WINDS[number - 1], (w / 2, h / 2), h * rng.uniform(0.55, 0.72), black, font)
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
            self._text(draw, "發", (w / 2, h / 2), h * rng.uniform(0.55, 0.72), ink(rng, "green"), font)
        elif code == "7z":
            self._text(draw, "中", (w / 2, h / 2), h * rng.uniform(0.6, 0.8), red, font)
        elif code[1] == "p":
            return on_face(_inked(circles(number, rng, SIDE)), rng, rng.uniform(0.8, 0.96))
        elif code[1] == "s" and number > 1:
            return on_face(_inked(sticks(number, rng, SIDE)), rng, rng.uniform(0.8, 0.96))
        elif code[1] == "f":
            return self._flower(number, rng)
        else:
            return None
        return np.asarray(image)[:, :, [2, 1, 0, 3]].astype(np.uint8)

    def bird(self, art: Face, rng: random.Random) -> Face:
        """A 1索 of some sets: a bird among plants, with no character and no number."""
        w, h = SIDE
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
        return _drawn(plant, rng) if not self._plants or rng.random() < 0.5 else rng.choice(self._plants)

    def _flower(self, number: int, rng: random.Random) -> Face:
        """Any plant, the character in one corner, mostly its number in another; on some sets only the number, Chinese
        for the seasons and Arabic for the plants."""
        w, h = SIDE
        season = number <= 4
        counted = (number - 1) % 4 + 1 if number < 7 else rng.choice((3, 4))  # sets differ in 竹 and 菊
        image = Image.fromarray(self._planted(rng)[:, :, [2, 1, 0, 3]])
        font = rng.choice(self._fonts)
        own = "red" if season else rng.choice(("blue", "blue", "black"))
        first = own if rng.random() < 0.6 else rng.choice(("blue", "red", "green", "black"))
        second = first if rng.random() < 0.6 else rng.choice(("red", "blue", "black"))
        left = rng.random() < 0.5
        size = h * rng.uniform(0.16, 0.3)
        x, beside = w * rng.uniform(0.14, 0.22), w * rng.uniform(0.12, 0.2)
        x, beside = (x, w - beside) if left else (w - x, beside)
        y = h * rng.uniform(0.11, 0.17)
        if rng.random() < 0.12 and number != 7 and number != 8:
            text = NUMERALS[counted - 1] if season else str(counted)
            self._glyph(image, text, (x, y), size * rng.uniform(0.9, 1.2), ink(rng, own), font, rng)
            return np.asarray(image)[:, :, [2, 1, 0, 3]].astype(np.uint8)
        character = FLOWERS[number - 1]
        if number == 6 and self._simplified and rng.random() < 0.5:
            character, font = ORCHID, rng.choice(self._simplified)
        if season and rng.random() < 0.1:
            character, size, x = SEASONS[number - 1], size * 0.75, x + (w * 0.14 if left else -w * 0.14)
        self._glyph(image, character, (x, y), size, ink(rng, first), font, rng)
        if rng.random() < 0.85:
            at = (beside, y + h * rng.uniform(-0.02, 0.02))
            digits = font if rng.random() < 0.5 else rng.choice(self._fonts)
            self._glyph(image, str(counted), at, size * rng.uniform(0.7, 1.1), ink(rng, second), digits, rng)
        return np.asarray(image)[:, :, [2, 1, 0, 3]].astype(np.uint8)

    def _planted(self, rng: random.Random) -> Face:
        """A face with a plant on its lower part, and nothing else."""
        w, h = SIDE
        own = not self._plants or rng.random() < 0.75
        art = _drawn(plant, rng) if own else rng.choice(self._plants)
        scale = min(w * rng.uniform(0.7, 0.95) / art.shape[1], h * rng.uniform(0.55, 0.82) / art.shape[0])
        smaller = cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        fitted = smaller.astype(np.uint8, copy=False)
        if not own:
            fitted = tinted(fitted, rng, 90)
        face = np.zeros((h, w, 4), np.uint8)
        y = round(h * 0.97) - fitted.shape[0] if rng.random() < 0.8 else (h - fitted.shape[0]) // 2
        x = round((w - fitted.shape[1]) * rng.uniform(0.3, 0.7))
        face[max(y, 0) : max(y, 0) + fitted.shape[0], x : x + fitted.shape[1]] = fitted[: h - max(y, 0)]
        return face

    def _glyph(
        self,
        image: Image.Image,
        text: str,
        middle: tuple[float, float],
        size: float,
        colour: Ink,
        font: tuple[Path, int],
        rng: random.Random,
        brush: bool = False,
    ) -> None:
        """One character as hands carve it: thinner or bolder than the font has it, leaning, wider or narrower, and
        with ``brush`` bent as a quick brush bends it."""
        side = round(size * 2)
        mask = Image.new("L", (side, side), 0)
        made = ImageFont.truetype(str(font[0]), round(size), index=font[1])
        bold = rng.choice((0, 0, 1, 2)) if size > 40 else 0
        ImageDraw.Draw(mask).text((side / 2, side / 2), text, fill=255, font=made, anchor="mm", stroke_width=bold)
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


def _waved(mask: NDArray[np.uint8], rng: random.Random, size: float) -> NDArray[np.uint8]:
    """Strokes bent by slow random waves, up to a twelfth of the character's size."""
    side = mask.shape[0]
    noise = np.random.default_rng(rng.randrange(1 << 30)).standard_normal((2, 5, 5)).astype(np.float32)
    strength = size * rng.uniform(0.02, 0.08)
    shift = [cv2.resize(part, (side, side), interpolation=cv2.INTER_CUBIC) * strength for part in noise]
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    return cv2.remap(mask, xs + shift[0], ys + shift[1], cv2.INTER_LINEAR).astype(np.uint8, copy=False)


def face_maker(
    art: Path | None, game: Sequence[Path] = (), keep_out: Sequence[str] = ()
) -> Callable[[str, random.Random], Face]:
    """A function (code, rng) -> face that draws from every source there is but the folders ``keep_out`` names, which
    are left for measuring. Without ``art`` every face is written and drawn by chance."""
    sets = [game_faces(path) for path in game] if art is None else _art_faces(art, game, keep_out)
    trimmed = [{code: cut for code, face in one.items() if (cut := _trimmed(face)) is not None} for one in sets]
    # the characters and numbers stand in the upper corners
    drawn_flowers = [one[code] for one in trimmed for code in CODES[34:42] if code in one]
    plants = [cut for face in drawn_flowers if (cut := _trimmed(face[int(face.shape[0] * 0.4) :])) is not None]
    writer = Writer(chinese_fonts(), plants)

    def make(code: str, rng: random.Random) -> Face:
        sources = [one[code] for one in trimmed if code in one]
        chance = 1.0 if not sources else 0.65 if code[1] == "f" else 0.4
        written = writer.face(code, rng) if rng.random() < chance else None
        if written is not None:
            return written
        if code == "1s":
            drawn = _drawn(bird, rng) if not sources or rng.random() < 0.5 else rng.choice(sources)
            return writer.bird(drawn, rng) if rng.random() < 0.5 else tinted(on_face(drawn, rng), rng)
        return tinted(on_face(rng.choice(sources), rng), rng)

    return make


def _art_faces(art: Path, game: Sequence[Path], keep_out: Sequence[str]) -> list[dict[str, Face]]:
    """The sets of a folder like ``../shared/data/art``, and those of a game."""
    sets = [load_art(art / "samoheen"), riichi_faces(art / "fluffystuff/Export/Regular")]
    sets += [game_faces(path) for path in game]
    for name in ("pysol-ivory", "pysol-crystal", "pysol-etheral"):
        if name not in keep_out and (art / name).is_dir():
            sets.append(opaque_faces(art / name))
    if "gl-mahjongtile" not in keep_out:
        sets += [
            line_faces(art / f"gl-mahjongtile/{name}")
            for name in ("converted", "colored")
            if (art / f"gl-mahjongtile/{name}").is_dir()
        ]
    return [*sets, *(inked_faces(folder) for folder in listed_designs(art, keep_out))]


def _drawn(draw: Callable[[random.Random, tuple[int, int]], Face], rng: random.Random) -> Face:
    """Something drawn by chance, without its margin; drawn again where nothing came of it."""
    while True:
        trimmed = _trimmed(draw(rng, SIDE))
        if trimmed is not None:
            return trimmed
