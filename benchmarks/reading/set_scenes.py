"""Scenes of tile designs: the faces of a whole set from its art, and composite photos of them on textures.

Used by ``leave_sets_out.py``. Art and textures are not part of the repository (``../shared/data``).
"""

from __future__ import annotations

import csv
import io
import math
import random
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont, ImageOps

from scoring.tiles import CODES

Pixels = NDArray[np.uint8]
Box = tuple[float, float, float, float]
FLOWERS = CODES[34:42]
CELL = (90, 120)
"""Width and height of a tile in pixels of the flat table, before the camera."""
STEP = 1.03
"""Middle to middle of neighbours, in tile widths (and row to row, in tile heights)."""
_SUITS = {"c": "m", "d": "p", "b": "s"}
_HONORS = ("1z", "2z", "3z", "4z", "7z", "6z", "5z")
"""In the order of fonts and of gl-mahjongtile: 中 發 白."""
_FONT_ORDER = (
    *_HONORS,
    *CODES[0:9],
    *CODES[18:27],
    *CODES[9:18],
    *("5f", "6f", "7f", "8f", "1f", "2f", "3f", "4f"),
)
"""Tile codes of U+1F000 to U+1F029."""


@dataclass(frozen=True)
class Scene:
    """A composite photo: ``pixels`` (h, w, 3) RGB, and for each tile its code and box x1 y1 x2 y2 in pixels."""

    pixels: Pixels
    tiles: tuple[tuple[str, Box], ...]


def _on_paper(image: Image.Image) -> Pixels:
    """RGBA art as a face (h, w, 4) RGBA without its empty margin."""
    picture = np.asarray(image.convert("RGBA"))
    ys, xs = np.nonzero(picture[:, :, 3] > 8)
    return picture[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] if len(ys) else picture


def gif_design(folder: Path) -> dict[str, Pixels]:
    """A set of ``CODE.gif`` files: each picture is the whole face."""
    return {path.stem: np.asarray(Image.open(path).convert("RGBA")) for path in sorted(folder.glob("*.gif"))}


def svg_design(folder: Path) -> dict[str, Pixels]:
    """gl-mahjongtile: suits ``c``, ``d``, ``b`` and honours ``h`` and flowers ``f`` as SVG, drawn with rsvg-convert.
    The files hold a font's glyphs, whose y points up: drawn as they are they stand upside down, mirrored."""
    names = {f"{suit}-{n}": f"{n + 1}{letter}" for suit, letter in _SUITS.items() for n in range(9)}
    names |= {f"h-{n}": code for n, code in enumerate(_HONORS)} | {f"f-{n}": f"{n + 1}f" for n in range(8)}
    faces = {}
    for name, code in names.items():
        path = folder / f"{name}.svg"
        if path.is_file():
            drawn = subprocess.run(["rsvg-convert", str(path), "-h", "240"], check=True, capture_output=True).stdout
            faces[code] = _on_paper(ImageOps.flip(Image.open(io.BytesIO(drawn))))
    return faces


def font_design(font: Path) -> dict[str, Pixels]:
    """The mahjong characters of a font (U+1F000 to U+1F029)."""
    made = ImageFont.truetype(str(font), 200)
    faces = {}
    for at, code in enumerate(_FONT_ORDER):
        image = Image.new("RGBA", (400, 400), (0, 0, 0, 0))
        ImageDraw.Draw(image).text((200, 200), chr(0x1F000 + at), fill=(20, 20, 20, 255), font=made, anchor="mm")
        face = _on_paper(image)
        edge = round(0.07 * face.shape[0])  # the outline of the tile that the character draws
        faces[code] = face[edge:-edge, edge:-edge]
    return faces


def png_design(folder: Path) -> dict[str, Pixels]:
    """samoheen's set, in its own order."""
    order = ("5z", "6z", "7z", "1z", "2z", "3z", "4z", *CODES[0:27], *CODES[34:38], "5f", "6f", "8f", "7f")
    files = sorted((folder / "hongkong/png").glob("*.png")) or sorted(folder.rglob("*.png"))
    found = {path.name[:2]: path for path in files if path.name[:2].isdigit()}
    return {
        code: _on_paper(Image.open(found[f"{n:02}"])) for n, code in enumerate(order, start=1) if f"{n:02}" in found
    }


def listed_design(folder: Path) -> dict[str, Pixels]:
    """A set with a ``map.csv`` of pictures and tiles. Cards that draw the whole tile keep their margin."""
    with (folder / "map.csv").open(encoding="utf-8") as stream:
        rows = [(row["code"], folder / row["file"]) for row in csv.DictReader(stream)]
    return {code: _on_paper(Image.open(path)) for code, path in rows if code in CODES}


def designs(art: Path, fonts: Sequence[Path] = ()) -> dict[str, dict[str, Pixels]]:
    """Every design of a folder like ``../shared/data/art``, and of ``fonts``, by name."""
    found = {path.name: gif_design(path) for path in sorted(art.glob("pysol-*")) if not (path / "map.csv").is_file()}
    found |= {path.parent.name: listed_design(path.parent) for path in sorted(art.glob("*/map.csv"))}
    if (art / "gl-mahjongtile/converted").is_dir() and shutil.which("rsvg-convert"):  # else that one is left out
        plain = svg_design(art / "gl-mahjongtile/converted")
        found["gl-mahjongtile"] = plain | svg_design(art / "gl-mahjongtile/colored")
    return found | {font.stem: font_design(font) for font in fonts}


def _tile(face: Pixels, paper: NDArray[np.float64], fill: float) -> Pixels:
    """A tile from above (h, w, 4): the face on rounded paper."""
    w, h = CELL
    body = Image.new("L", (4 * w, 4 * h), 0)
    ImageDraw.Draw(body).rounded_rectangle((0, 0, 4 * w - 1, 4 * h - 1), radius=4 * 9, fill=255)
    alpha = np.asarray(body.resize((w, h), Image.Resampling.LANCZOS))
    scale = min(w / face.shape[1], h / face.shape[0]) * fill
    size = (max(1, round(face.shape[1] * scale)), max(1, round(face.shape[0] * scale)))
    drawn = np.asarray(Image.fromarray(face).resize(size, Image.Resampling.LANCZOS)).astype(np.float64)
    ground = np.broadcast_to(paper, (h, w, 3)).copy()
    y, x = (h - size[1]) // 2, (w - size[0]) // 2
    part = ground[y : y + size[1], x : x + size[0]]
    share = drawn[:, :, 3:] / 255
    part[:] = part * (1 - share) + drawn[:, :, :3] * share
    return np.dstack([ground.clip(0, 255).astype(np.uint8), alpha])


def _ground(textures: Sequence[Path], rng: random.Random, size: tuple[int, int]) -> NDArray[np.float64]:
    """A texture repeated over (width, height)."""
    cut = Image.open(rng.choice(list(textures))).convert("RGB")
    grow = rng.uniform(1.5, 4)
    cut = cut.resize((round(cut.width * grow), round(cut.height * grow)))
    part = np.asarray(cut, dtype=np.float64)
    times = (-(-size[1] // part.shape[0]), -(-size[0] // part.shape[1]), 1)
    return np.tile(part, times)[: size[1], : size[0]]


def compose(
    design: dict[str, Pixels],
    rows: Sequence[Sequence[str]],
    textures: Sequence[Path],
    rng: random.Random,
    turned: bool = False,
    long_side: tuple[int, int] = (1000, 1600),
) -> Scene:
    """A photo of rows of tiles: sides seen from the front, light, slant, blur and noise. ``turned``: the photo may lie
    any way round."""
    w, h = CELL
    gap = rng.uniform(1.0, 1.12)
    widest = max(len(row) for row in rows)
    margin = rng.uniform(0.8, 2.5)
    width = round((widest * STEP + 2 * margin) * w)
    height = round((len(rows) * STEP * gap + 2 * margin) * h)
    flat = _ground(textures, rng, (width, height))
    paper = np.array([rng.uniform(225, 253)] * 3) * (1.0, rng.uniform(0.95, 1.0), rng.uniform(0.82, 1.0))
    back = np.array([rng.uniform(20, 220) for _ in range(3)])
    deep, fill = rng.uniform(0.02, 0.3), rng.uniform(0.78, 0.92)
    found: list[tuple[str, NDArray[np.float64]]] = []
    for number, row in enumerate(rows):
        start = margin * w + (rng.uniform(0, (widest - len(row)) * STEP * w) if len(rows) > 1 else 0)
        for at, code in enumerate(row):
            x = start + at * STEP * w + rng.gauss(0, 0.8)
            y = margin * h + number * STEP * gap * h + rng.gauss(0, 1.2)
            picture = _tile(design[code], paper, fill)
            lean = rng.gauss(0, 1.2)
            turn = cv2.getRotationMatrix2D((w / 2, h / 2), lean, 1.0)
            turn[:, 2] += np.array((x, y))
            left, top = int(x) - 10, int(y) - 10
            part = flat[max(top, 0) : top + round(1.5 * h), max(left, 0) : left + w + 20]
            for level in range(8, -1, -1):  # the side, then the face
                moved = turn.copy()
                moved[:, 2] -= np.array((max(left, 0), max(top, 0) - deep * h * level / 8))
                laid = cv2.warpAffine(picture, moved, part.shape[1::-1], flags=cv2.INTER_LINEAR)
                share = laid[:, :, 3:].astype(np.float64) / 255
                colour = laid[:, :, :3] if not level else (back if level > 3 else paper * 0.8)
                part[:] = part * (1 - share) + colour * share
            corners = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float64)
            found.append((code, corners @ turn[:, :2].T + turn[:, 2]))
    return _photograph(flat, found, rng, turned, rng.randint(*long_side))


def _photograph(
    flat: NDArray[np.float64],
    found: Sequence[tuple[str, NDArray[np.float64]]],
    rng: random.Random,
    turned: bool,
    long_side: int,
) -> Scene:
    height, width = flat.shape[:2]
    angle = (rng.choice((0, 0, math.pi / 2, math.pi, -math.pi / 2)) if turned else 0.0) + rng.gauss(0, 0.05)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64) - (width / 2, height / 2)
    rotated = corners @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    depth = (rotated[:, 1] - rotated[:, 1].min()) / max(np.ptp(rotated[:, 1]), 1.0)
    rotated *= (1 - rng.uniform(0, 0.25) * (1 - depth))[:, None]
    rotated[:, 1] *= rng.uniform(0.75, 1.0)
    rotated -= rotated.min(0)
    rotated *= long_side / rotated.max()
    size = (int(np.ceil(rotated[:, 0].max())), int(np.ceil(rotated[:, 1].max())))
    corners += (width / 2, height / 2)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), rotated.astype(np.float32))
    edge = tuple(float(v) for v in flat.mean((0, 1)))
    flags = cv2.INTER_AREA if long_side < max(width, height) else cv2.INTER_LINEAR
    scale = max(width, height) / long_side
    soft = cv2.GaussianBlur(flat, (0, 0), 0.45 * scale) if scale > 1.2 else flat
    picture = cv2.warpPerspective(soft.astype(np.float32), matrix, size, flags=flags, borderValue=edge)
    ramp = np.linspace(-1, 1, size[0])[None, :, None] * rng.gauss(0, 0.12)
    ramp = ramp + np.linspace(-1, 1, size[1])[:, None, None] * rng.gauss(0, 0.12)
    cast = np.array([rng.gauss(0, 0.07), rng.gauss(0, 0.03), rng.gauss(0, 0.09)])
    picture = picture * np.exp(rng.gauss(-0.12, 0.2) + ramp + cast)
    picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.1))
    grit = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(picture.shape)
    picture = (picture + grit * rng.uniform(1, 5)).clip(0, 255).astype(np.uint8)
    tiles = []
    for code, quad in found:
        seen = cv2.perspectiveTransform(quad[None].astype(np.float32), matrix)[0]
        low, high = seen.min(0), seen.max(0)
        tiles.append((code, (float(low[0]), float(low[1]), float(high[0]), float(high[1]))))
    return Scene(picture, tuple(tiles))
