"""Synthetic photos by the hundred: tiles laid out on a plane and seen in perspective, a tenth of a second a picture.

Coarser than the ray tracer (:mod:`vision.training.synthetic.render`) and far quicker. A tile is its outline, drawn
again and again along the direction of its visible side, then its face. For training only.
"""

from __future__ import annotations

import argparse
import math
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scoring.tiles import BACK, CODES
from vision.models.manifest import CLASSES
from vision.training.networks.detector import NO_TILE_CLASS
from vision.training.synthetic.drawn.shapes import Face
from vision.training.synthetic.faces import face_maker
from vision.training.synthetic.fonts import chinese_fonts, lettering_fonts
from vision.training.synthetic.photograph import photograph
from vision.training.synthetic.render import DEEP, STEP, Placed, lay_out, random_hand, save_jpeg
from vision.training.synthetic.surroundings import clutter
from vision.training.synthetic.surroundings.grounds import ground, piece_of, textured, wooden
from vision.training.synthetic.surroundings.lettering import write_on

Colour = Sequence[float]
Pixels = NDArray[np.uint8]
HALF_MILLIMETRES = (11.9, 15.9)
"""Half the width and length of a tile in millimetres."""
EDGE_RADIUS = 2.2
NOT_TILES = "not a tile"
"""Code of a thing that looks like a tile: a wind marker, a die, a chip, a printed word."""


def outline(x: float, y: float, turn: float, grow: float = 0.0) -> NDArray[np.float64]:
    """Corner points (n, 2) of a rounded rectangle round (x, y), in the units of the plane."""
    w, h, r = HALF_MILLIMETRES[0] + grow, HALF_MILLIMETRES[1] + grow, EDGE_RADIUS + grow
    points = []
    for sx, sy, start in ((1, 1, 0.0), (-1, 1, 90.0), (-1, -1, 180.0), (1, -1, 270.0)):
        for step in (0, 30, 60, 90):
            angle = math.radians(start + step)
            points.append((sx * (w - r) + r * math.cos(angle), sy * (h - r) + r * math.sin(angle)))
    cos, sin = math.cos(turn), math.sin(turn)
    placed: NDArray[np.float64] = np.array(points) @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
    return placed


class Canvas:
    """The table from straight above, ``pitch`` pixels a millimetre, with the boxes of the things on it."""

    def __init__(self, ground: Pixels, origin: tuple[float, float], pitch: float, side: tuple[float, float]) -> None:
        self.pixels = ground
        self._origin, self._pitch, self._side = origin, pitch, side

    def place(self, points: NDArray[np.float64], height: float = 0.0) -> NDArray[np.float64]:
        """Pixels of points on the plane (y away from the viewer) at a height in millimetres; higher points move
        along ``side``. ``origin`` is the plane's point at the top left."""
        moved = points - self._origin + np.array(self._side) * height
        pixels: NDArray[np.float64] = moved * (self._pitch, -self._pitch)
        return pixels

    def fill(self, points: NDArray[np.float64], colour: Colour) -> None:
        """Fill an outline (pixels)."""
        cv2.fillPoly(self.pixels, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    def shade(self, points: NDArray[np.float64], strength: float) -> None:
        """A soft shadow under an outline (pixels)."""
        low = np.maximum(points.min(0).astype(int) - 24, 0)
        high = np.minimum(points.max(0).astype(int) + 24, (self.pixels.shape[1], self.pixels.shape[0]))
        if (high <= low).any():
            return
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        cv2.fillPoly(mask, [np.round((points - low) * 16).astype(np.int32)], strength, cv2.LINE_AA, 4)
        mask = cv2.GaussianBlur(mask, (0, 0), 5)
        part = self.pixels[low[1] : high[1], low[0] : high[0]]
        part[:] = (part * (1 - mask[..., None])).astype(np.uint8)

    def paste(self, face: Face, corners: NDArray[np.float64]) -> None:
        """Put a face onto four corners (pixels): top left, top right, bottom right, bottom left."""
        low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, (self.pixels.shape[1], self.pixels.shape[0]))
        if (high <= low).any():
            return
        h, w = face.shape[:2]
        start = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        matrix = cv2.getPerspectiveTransform(start, (corners - low).astype(np.float32))
        scale = max(1.0, h / max(1.0, float(np.linalg.norm(corners[3] - corners[0]))))
        small = cv2.GaussianBlur(face, (0, 0), 0.4 * scale) if scale > 1.3 else face
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        laid = cv2.warpPerspective(small, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)
        alpha = laid[:, :, 3:] / 255
        part = self.pixels[low[1] : high[1], low[0] : high[0]]
        part[:] = (part * (1 - alpha) + laid[:, :, :3] * alpha).astype(np.uint8)


def _corners(tile: Placed, half: tuple[float, float]) -> NDArray[np.float64]:
    w, h = half
    cos, sin = math.cos(tile.turn), math.sin(tile.turn)
    square = np.array([(-w, h), (w, h), (w, -h), (-w, -h)])
    placed: NDArray[np.float64] = square @ np.array([[cos, sin], [-sin, cos]]) + (tile.x, tile.y)
    return placed


def _things(rng: random.Random, tiles: Sequence[Placed]) -> list[Placed]:
    """Places next to the tiles for a few other things."""
    things: list[Placed] = []
    for _ in range(rng.choice((0, 1, 2, 4))):
        for _ in range(20):
            near = rng.choice(tiles)
            x, y = near.x + rng.uniform(-120, 120), near.y + rng.uniform(-120, 120)
            if all(math.hypot(x - other.x, y - other.y) > 38 for other in (*tiles, *things)):
                things.append(Placed(NOT_TILES, x, y, rng.uniform(-math.pi, math.pi), "other"))
                break
    return things


def _thing(rng: random.Random, fonts: Sequence[tuple[Path, int]]) -> Face:
    """A wind marker, a die, a chip, a key, a printed word: (240, 240, 4)."""
    image = Image.new("RGBA", (240, 240), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    kind = rng.choice(("wind", "wind", "die", "chip", "word", "key"))
    ink = tuple(rng.randint(0, 120) for _ in range(3))
    if rng.random() < 0.5:
        ink = rng.choice(((200, 25, 25), (20, 20, 25), (20, 50, 150)))
    light = rng.randint(205, 255)
    plate = (light, light, rng.randint(190, light), 255)
    path, index = rng.choice(tuple(fonts))
    if kind == "wind":
        frame = tuple(rng.randint(0, 255) for _ in range(3))
        shape = draw.ellipse if rng.random() < 0.4 else draw.rectangle
        shape((4, 4, 236, 236), fill=(*frame, 255))
        inset = rng.randint(18, 60)
        shape((inset, inset, 240 - inset, 240 - inset), fill=plate)
        font = ImageFont.truetype(str(path), 250 - 2 * inset - rng.randint(20, 50), index=index)
        draw.text((120, 120), rng.choice("東南西北"), fill=(*ink, 255), font=font, anchor="mm")
    elif kind == "die":
        draw.rounded_rectangle((30, 30, 210, 210), 34, fill=plate)
        dots = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)]}
        dots[4] = [*dots[2], (-1, 1), (1, -1)]
        dots[5] = [*dots[4], (0, 0)]
        dots[6] = [*dots[4], (-1, 0), (1, 0)]
        count = rng.randint(1, 6)
        radius = 30 if count == 1 else 19
        colour = (200, 30, 30) if count in (1, 4) else ink
        for dx, dy in dots[count]:
            cx, cy = 120 + 50 * dx, 120 + 50 * dy
            draw.ellipse((cx - radius, cy - radius, cx + radius, cy + radius), fill=(*colour, 255))
    elif kind == "chip":
        for radius in (110, 78, 60, 22)[: rng.randint(2, 4)]:
            shade = tuple(rng.randint(0, 255) for _ in range(3))
            draw.ellipse((120 - radius, 120 - radius, 120 + radius, 120 + radius), fill=(*shade, 255))
    else:
        if kind == "key":
            draw.rounded_rectangle((30, 40, 210, 200), 24, fill=plate)
        text = rng.choice("大三元小四喜清一色混門前和台風碰槓吃胡ABEGHKMNRSW2345678")
        draw.text((120, 120), text, fill=(*ink, 255), anchor="mm", font=ImageFont.truetype(str(path), 130, index=index))
    return np.asarray(image)[:, :, [2, 1, 0, 3]].astype(np.uint8)


def _wall(rng: random.Random, tiles: Sequence[Placed]) -> list[Placed]:
    """A row of face-down tiles behind the hand, or a few scattered ones."""
    top = max(tile.y for tile in tiles) + rng.uniform(45, 90)
    start = min(tile.x for tile in tiles) + rng.uniform(-40, 80)
    if rng.random() < 0.6:
        turn = rng.gauss(0, 0.02) + (math.pi / 2 if rng.random() < 0.2 else 0)
        step = STEP if abs(turn) < 1 else DEEP
        return [Placed(BACK, start + i * step, top, turn, "other") for i in range(rng.randint(2, 9))]
    return [
        Placed(BACK, start + i * rng.uniform(36, 60), top + rng.uniform(-8, 30), rng.uniform(-3, 3), "other")
        for i in range(rng.randint(1, 4))
    ]


def _tiles(rng: random.Random, *, flowers: bool) -> list[Placed]:
    """A hand as tables lay it, a plain row of any tiles, or a heap of discards; sometimes face-down tiles behind.
    ``flowers``: rows of flowers and 1索 only."""
    kind = 0.5 if flowers else rng.random()
    if kind < 0.5:
        hand = random_hand(rng, rng.randrange(5), rng.choice((0, 2, 5, 8)), kong=rng.random() < 0.4)
        placed = lay_out(hand, rng, shuffle=rng.random() < 0.5, flowers_in_row=rng.random() < 0.4)
    elif kind < 0.8:
        among = ("1s", "1s", "1s", *CODES[34:42]) if flowers else (*CODES, *CODES[34:42], *CODES[34:42], "1s", BACK)
        codes = [rng.choice(among) for _ in range(rng.randint(3, 24))]
        if rng.random() < 0.4:  # some of the row face down
            start, count = rng.randrange(len(codes)), rng.randint(2, 9)
            codes[start : start + count] = [BACK] * len(codes[start : start + count])
        per = rng.choice((4, 6, 8, 12))
        placed = [
            Placed(
                code,
                (i % per) * STEP + rng.gauss(0, 0.3),
                (i // per) * DEEP + rng.gauss(0, 0.5),
                rng.gauss(0, 0.02) + (math.pi if rng.random() < 0.1 else 0),
                "other",
            )
            for i, code in enumerate(codes)
        ]
    else:
        placed = []
        for _ in range(rng.randint(6, 22)):
            x, y = rng.uniform(0, 320), rng.uniform(0, 220)
            if all(math.hypot(x - other.x, y - other.y) > 34 for other in placed):
                code = rng.choice((*CODES, *CODES[34:42], BACK, BACK))
                placed.append(Placed(code, x, y, rng.uniform(-math.pi, math.pi), "other"))
    if rng.random() < 0.45:
        placed += _wall(rng, placed)
    return placed


def take_picture(
    rng: random.Random,
    make_face: Callable[[str, random.Random], Face],
    fonts: Sequence[tuple[Path, int]],
    textures: Sequence[Path] = (),
    writing: Sequence[tuple[Path, int]] = (),
    *,
    flowers: bool = False,
) -> tuple[Pixels, list[tuple[int, tuple[float, float, float, float]]]]:
    """A picture (h, w, 3) RGB and its content: class (43: no tile) and box x1 y1 x2 y2 in pixels. ``writing``: fonts of
    the racks, sheets and captions round the tiles; without fonts there are no such things."""
    tiles = _tiles(rng, flowers=flowers)
    everything = [*tiles, *_things(rng, tiles)]
    xs, ys = [t.x for t in everything], [t.y for t in everything]
    cluttered = bool(textures) and rng.random() < 0.7
    margin = rng.uniform(8, 70) + (rng.uniform(0, 40) if cluttered else 0) + (rng.uniform(30, 80) if writing else 0)
    low, high = (min(xs) - margin, min(ys) - margin), (max(xs) + margin, max(ys) + margin)
    longest = rng.choice((1120, 1280, 1440))
    pitch = longest / max(high[0] - low[0], high[1] - low[1])
    width, height = round((high[0] - low[0]) * pitch), round((high[1] - low[1]) * pitch)
    lean = rng.uniform(0, 0.75)
    towards = rng.uniform(-math.pi, math.pi) if rng.random() < 0.3 else math.pi / 2 + rng.gauss(0, 0.3)
    side = (math.cos(towards) * lean, math.sin(towards) * lean)
    photographed = textures and rng.random() < 0.45
    under = textured(rng, width, height, textures) if photographed else ground(rng, width, height)
    canvas = Canvas(under, (low[0], high[1]), pitch, side)
    bounds = (
        min(xs) - HALF_MILLIMETRES[0],
        min(ys) - HALF_MILLIMETRES[1],
        max(xs) + HALF_MILLIMETRES[0],
        max(ys) + HALF_MILLIMETRES[1],
    )
    lookalikes = clutter.lay(canvas, rng, bounds, fonts) if cluttered else []
    if writing:
        lookalikes += write_on(canvas, rng, bounds, writing, textures)
    look = _look(rng, textures)
    quads_of_things: list[tuple[int, NDArray[np.float64]]] = []
    # Things farther along the direction of the visible sides are behind.
    for tile in sorted(everything, key=lambda t: -(t.x * side[0] + t.y * side[1])):
        if tile.code == NOT_TILES:
            quads_of_things.append((NO_TILE_CLASS, _lay_thing(canvas, tile, rng, fonts)))
            continue
        bright = _lay_body(canvas, tile, rng, look)
        if tile.code != BACK:
            faces = random.Random(look.style) if rng.random() < 0.8 and not flowers else rng
            face = make_face(tile.code, random.Random(faces.randrange(1 << 30) + zlib.crc32(tile.code.encode())))
            fill = rng.uniform(0.80, 0.9)
            canvas.paste(
                face, canvas.place(_corners(tile, (HALF_MILLIMETRES[0] * fill, HALF_MILLIMETRES[1] * fill)), look.thick)
            )
        elif look.wood is not None:
            inside = canvas.place(_corners(tile, (HALF_MILLIMETRES[0] - 1.2, HALF_MILLIMETRES[1] - 1.2)), look.thick)
            canvas.paste(piece_of(look.wood, rng), inside)
        elif look.grain:
            _grain(canvas, tile, look.thick, bright, rng)
        top = canvas.place(_corners(tile, (HALF_MILLIMETRES[0] - 0.6, HALF_MILLIMETRES[1] - 0.6)), look.thick)
        quads_of_things.append((CLASSES.index(tile.code), top))
    quads = [quad for _, quad in quads_of_things]
    quads_of_things += [(NO_TILE_CLASS, quad) for quad in lookalikes if not clutter.covered(quad, quads)]
    return photograph(canvas.pixels, quads_of_things, rng, harder=bool(textures))


@dataclass(frozen=True)
class _Look:
    """The common look of the tiles of one picture: colours of face and back (0 to 255), whether the back has a grain
    or is a piece of wood, thickness (in units of places), the back's share of it, the seed of the flowers' style,
    and how dark the sides are (0 to 1)."""

    ivory: NDArray[np.float64]
    back: NDArray[np.float64]
    grain: bool
    wood: Pixels | None
    thick: float
    share: float
    style: int
    dark: float


def _look(rng: random.Random, textures: Sequence[Path]) -> _Look:
    ivory = np.array((rng.uniform(200, 252),) * 3) * (rng.uniform(0.78, 1.0), rng.uniform(0.93, 1.0), 1.0)
    back = tuple(rng.uniform(10, 235) for _ in range(3))
    if rng.random() < 0.4:
        back = rng.choice(((60, 120, 20), (150, 80, 20), (40, 130, 220), (40, 40, 200), (70, 160, 235), (90, 60, 150)))
    grain = rng.random() < 0.35  # bamboo and wood
    wood = wooden(rng, textures, back) if textures and rng.random() < 0.35 else None
    thick, share = rng.uniform(10, 19), rng.uniform(0.25, 0.55)
    style = rng.randrange(1 << 30)  # one set has one style of flowers, mostly
    return _Look(ivory, np.array(back), grain, wood, thick, share, style, rng.uniform(0.55, 0.9))


def _lay_thing(
    canvas: Canvas, thing: Placed, rng: random.Random, fonts: Sequence[tuple[Path, int]]
) -> NDArray[np.float64]:
    """Draw something other than a tile; returns its corners in the picture."""
    if rng.random() < 0.25:  # a card, a phone, a sheet: as large as a tile, but flat and plain
        corners = canvas.place(_corners(thing, (rng.uniform(9, 14), rng.uniform(12, 17))), rng.uniform(0, 2))
        canvas.fill(corners, tuple(rng.uniform(0, 255) for _ in range(3)))
    else:
        corners = canvas.place(_corners(thing, (rng.uniform(8, 13),) * 2), 1.0)
        canvas.paste(_thing(rng, fonts), corners)
    return corners


def _lay_body(canvas: Canvas, tile: Placed, rng: random.Random, look: _Look) -> NDArray[np.float64]:
    """Draw a blank tile: shadow, sides, top. Returns the colour of its top."""
    shape = outline(tile.x, tile.y, tile.turn)
    canvas.shade(canvas.place(shape, -4.0), rng.uniform(0.2, 0.5))
    down = tile.code == BACK
    lower, upper = (look.ivory, look.back) if down else (look.back, look.ivory)
    cut = look.thick * ((1 - look.share) if down else look.share)
    for level in np.linspace(0, look.thick, 10)[:-1]:
        colour = (lower if level < cut else upper) * look.dark
        canvas.fill(canvas.place(shape, level), tuple(float(v) for v in colour))
    canvas.fill(canvas.place(shape, look.thick), tuple(float(v) for v in upper))
    inner = canvas.place(outline(tile.x, tile.y, tile.turn, -0.8), look.thick)
    bright: NDArray[np.float64] = (upper * rng.uniform(1.0, 1.06)).clip(0, 255)
    canvas.fill(inner, tuple(float(v) for v in bright))
    return bright


def _grain(canvas: Canvas, tile: Placed, thick: float, colour: NDArray[np.float64], rng: random.Random) -> None:
    lines = rng.randint(4, 12)
    for i in range(lines):
        x = (i + rng.random()) / lines * 2 - 1
        stripe = np.array(
            [
                (x * (HALF_MILLIMETRES[0] - 1.5), -HALF_MILLIMETRES[1] + 1.5),
                (x * (HALF_MILLIMETRES[0] - 1.5), HALF_MILLIMETRES[1] - 1.5),
            ]
        )
        cos, sin = math.cos(tile.turn), math.sin(tile.turn)
        ends = canvas.place(stripe @ np.array([[cos, sin], [-sin, cos]]) + (tile.x, tile.y), thick)
        shade = tuple(float(v) for v in (colour * rng.uniform(0.8, 1.12)).clip(0, 255))
        (x1, y1), (x2, y2) = (ends * 16).astype(int).tolist()
        cv2.line(canvas.pixels, (x1, y1), (x2, y2), shade, rng.randint(1, 2), cv2.LINE_AA, 4)


def main() -> None:
    """``python -m vision.training.synthetic.collage --art DIR --out DIR``: images and labels in YOLO layout."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--art", type=Path, help="folder with the tile art; without one faces are drawn by chance")
    parser.add_argument("--game", type=Path, nargs="*", default=[], help="tile sets of kmahjongg, as plain SVG")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--flowers", type=int, default=0, help="how many more with flowers and 1索 only")
    parser.add_argument(
        "--textures", type=Path, help="folder with pictures of surfaces: also clutter, blur and dim light"
    )
    parser.add_argument("--lettered", type=int, default=0, help="how many more with lettered racks, sheets, captions")
    parser.add_argument("--keep-out", nargs="*", default=[], help="folders of --art that are left for measuring")
    parser.add_argument(
        "--keep-out-fonts", nargs="*", default=[], metavar="WORD", help="fonts that are left for measuring, by path"
    )
    parser.add_argument("--seed", type=int, default=40_000)
    args = parser.parse_args()
    for kind in ("images", "labels"):
        (args.out / kind / "train").mkdir(parents=True, exist_ok=True)
    make_face, fonts = face_maker(args.art, args.game, args.keep_out), chinese_fonts()
    textures = sorted(args.textures.rglob("*.jpg")) if args.textures else []
    writing = lettering_fonts(args.keep_out_fonts) if args.lettered else []
    flowers_from, lettered_from = args.seed + args.count, args.seed + args.count + args.flowers
    for number in range(args.seed, lettered_from + args.lettered):
        pixels, boxes = take_picture(
            random.Random(number),
            make_face,
            fonts,
            textures,
            writing if number >= lettered_from else (),
            flowers=flowers_from <= number < lettered_from,
        )
        h, w = pixels.shape[:2]
        save_jpeg(args.out / f"images/train/collage-{number}.jpg", pixels, 500_000)
        lines = [
            f"{code} {(x1 + x2) / 2 / w:.6f} {(y1 + y2) / 2 / h:.6f} {(x2 - x1) / w:.6f} {(y2 - y1) / h:.6f}\n"
            for code, (x1, y1, x2, y2) in boxes
        ]
        (args.out / f"labels/train/collage-{number}.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
