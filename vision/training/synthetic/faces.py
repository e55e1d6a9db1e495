"""Tile faces for made photos: public-domain art, tile sets of a desktop game, and faces written with Chinese fonts.

A face is (h, w, 4) uint8 BGRA on a transparent ground. In every set the character (and often a number) tells the
flowers apart; the plant is arbitrary. So written flowers take any plant.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from scoring.tiles import CODES
from vision.training.synthetic.designs import inked_faces, listed_designs
from vision.training.synthetic.drawn.birds import bird
from vision.training.synthetic.drawn.shapes import (
    Face,
    coarse,
    drawn_until,
    on_face,
    small_on_plate,
    tinted,
    trimmed,
)
from vision.training.synthetic.drawn.written import Writer
from vision.training.synthetic.fonts import chinese_fonts
from vision.training.synthetic.render import load_art

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
            face = None if drawn is None else trimmed(drawn.astype(np.uint8, copy=False))
            if face is not None:
                faces[code] = face
    return faces


def png_faces(folder: Path, names: dict[str, str]) -> dict[str, Face]:
    """Faces by code from PNG files ``names[code].png`` with a transparent ground."""
    faces = {}
    for code, name in names.items():
        face = cv2.imread(str(folder / f"{name}.png"), cv2.IMREAD_UNCHANGED)
        if face is not None and face.ndim == 3 and face.shape[2] == 4:
            faces[code] = face.astype(np.uint8, copy=False)
    return faces


def riichi_faces(folder: Path) -> dict[str, Face]:
    """The faces of FluffyStuff/riichi-mahjong-tiles (``Export/Regular``)."""
    suits = {"m": "Man", "p": "Pin", "s": "Sou"}
    names = {f"{n}{suit}": f"{word}{n}" for suit, word in suits.items() for n in range(1, 10)}
    honours = ("Ton", "Nan", "Shaa", "Pei", "Haku", "Hatsu", "Chun")
    return png_faces(folder, {**names, **{f"{n}z": name for n, name in enumerate(honours, start=1)}})


def opaque_faces(folder: Path) -> dict[str, Face]:
    """Faces by code from pictures of whole tiles (``CODE.gif``): what differs from the tile's own ground is ink."""
    faces = {}
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
        faces[path.stem] = cv2.resize(face, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
    return faces


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
    faces = {}
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
            faces[code] = np.ascontiguousarray(inner).astype(np.uint8, copy=False)
    return faces


SMALL, COARSE = 0.3, 0.15
"""Shares of the faces drawn small on a plate, and drawn in few pixels."""


def face_maker(
    art: Path | None, game: Sequence[Path] = (), keep_out: Sequence[str] = ()
) -> Callable[[str, random.Random], Face]:
    """A function (code, rng) -> face that draws from every source there is but the folders ``keep_out`` names, which
    are left for measuring. Without ``art`` every face is written and drawn by chance."""
    sets = [game_faces(path) for path in game] if art is None else _art_faces(art, game, keep_out)
    drawings = [{code: cut for code, face in drawing.items() if (cut := trimmed(face)) is not None} for drawing in sets]
    # the characters and numbers stand in the upper corners
    drawn_flowers = [drawing[code] for drawing in drawings for code in CODES[34:42] if code in drawing]
    plants = [cut for face in drawn_flowers if (cut := trimmed(face[int(face.shape[0] * 0.4) :])) is not None]
    writer = Writer(chinese_fonts(), plants)

    def usual(code: str, rng: random.Random) -> Face:
        sources = [drawing[code] for drawing in drawings if code in drawing]
        chance = 1.0 if not sources else 0.65 if code[1] == "f" else 0.4
        written = writer.face(code, rng) if rng.random() < chance else None
        if written is not None:
            return written
        if code == "1s":
            drawn = drawn_until(bird, rng) if not sources or rng.random() < 0.5 else rng.choice(sources)
            return writer.bird(drawn, rng) if rng.random() < 0.5 else tinted(on_face(drawn, rng), rng)
        return tinted(on_face(rng.choice(sources), rng), rng)

    def make(code: str, rng: random.Random) -> Face:
        face = usual(code, rng)
        if rng.random() < SMALL:
            face = small_on_plate(face, rng)
        return coarse(face, rng) if rng.random() < COARSE else face

    return make


def _art_faces(art: Path, game: Sequence[Path], keep_out: Sequence[str]) -> list[dict[str, Face]]:
    """The sets of a folder like ``../shared/data/art``, and of a game."""
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
