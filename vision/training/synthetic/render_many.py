"""Ray-traced photos to train on: hands seen from above, and standing rows behind a ruler, seen over the table.

    python -m vision.training.synthetic.render_many --art DIR --out DIR [--count N] [--standing N]

A standing row is the player's view of the own tiles, and the view of everybody's tiles in a video. The camera is 12° to
40° over the table, and a ruler in front hides up to a third of the faces. Other rows lie or stand before and behind,
and the edge cuts tiles. Half of the pictures are frames of a video, 640 pixels wide, shaken or out of focus.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK, CODES
from vision.models.manifest import CLASSES
from vision.training.synthetic.drawn.shapes import Face
from vision.training.synthetic.faces import face_maker
from vision.training.synthetic.photograph import shaken
from vision.training.synthetic.raytrace import HALF_SIZES, Block, Camera, Light, Scene, face_quad, trace
from vision.training.synthetic.render import (
    BACKS,
    DEEP,
    STEP,
    Picture,
    develop,
    lay_out,
    load_art,
    random_hand,
    save_jpeg,
    take_photo,
    yolo,
)
from vision.training.synthetic.tables import TABLES, Table, bamboo

UPRIGHT = math.pi / 2
LEAST_SEEN = 0.45
"""A tile of which less is visible has no label: it could not be named."""
BAMBOO = 0.4
"""Share of the sets with bamboo backs."""
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Row:
    """Tiles side by side: codes from left to right, the row's own ``y`` in millimetres, and how they ``lean``."""

    codes: tuple[str, ...]
    y: float
    lean: float


def _rows(rng: random.Random) -> list[Row]:
    """The player's standing row, and mostly others: melds that lie before it, discards, backs of a wall or of a player
    opposite."""
    among = (*CODES[:34], *CODES)
    own = sorted((rng.choice(among) for _ in range(rng.choice((4, 7, 10, 13, 16, 17)))), key=CODES.index)
    rows = [Row(tuple(own), 0.0, UPRIGHT - abs(rng.gauss(0, 0.06)))]
    y = -DEEP * rng.uniform(1.3, 2.2)
    for _ in range(rng.choice((0, 0, 1, 1, 2))):  # before it: lying
        rows.append(Row(tuple(rng.choice(among) for _ in range(rng.randint(2, 9))), y, 0.0))
        y -= DEEP * rng.uniform(1.02, 1.3)
    if rng.random() < 0.2:  # before it: face down, or a concealed kong with one of its tiles shown
        kong = BACK, rng.choice(CODES[:34]), BACK, BACK
        rows.append(Row(rng.choice(((BACK,) * rng.randint(2, 9), kong)), y, 0.0))
    y = DEEP * rng.uniform(1.5, 3.0)
    for _ in range(rng.choice((0, 1, 1, 2))):  # behind it
        kind = rng.random()
        codes = [rng.choice(among) for _ in range(rng.randint(3, 14))]
        if kind < 0.5:
            rows.append(Row(tuple(codes), y, 0.0))
        elif kind < 0.75:
            rows.append(Row(tuple(codes), y, UPRIGHT))
        else:
            rows.append(Row((BACK,) * len(codes), y, rng.choice((0.0, UPRIGHT))))
        y += DEEP * rng.uniform(1.05, 2.0)
    return rows


def _blocks(
    rows: Sequence[Row], rng: random.Random, faces: Callable[[str, random.Random], Face]
) -> list[tuple[str, Block]]:
    """The tiles of the rows, each with its code."""
    placed: list[tuple[str, Block]] = []
    style = rng.randrange(1 << 30)  # one table, one set
    drawn: dict[str, Face] = {}
    for row in rows:
        x = -len(row.codes) * STEP / 2 + rng.gauss(0, 12)
        height = float(HALF_SIZES[1] * math.sin(row.lean) + HALF_SIZES[2] * math.cos(row.lean))
        for code in row.codes:
            if code != BACK and code not in drawn:
                drawn[code] = faces(code, random.Random(style + CODES.index(code)))
            turn, y = rng.gauss(0, 0.02), row.y + rng.gauss(0, 0.5)
            placed.append((code, Block(x, y, turn, drawn.get(code), height, row.lean)))
            x += STEP + abs(rng.gauss(0, 0.15))
    return placed


def _ruler(rng: random.Random, row: Row, tilt: float) -> Block | None:
    """A ruler or rack in front of the standing row. Its height hides none to a third of the faces from a camera
    tilted by ``tilt`` from straight above."""
    hidden = rng.uniform(0, 0.35) * 2 * float(HALF_SIZES[1])
    gap, deep = rng.uniform(1, 8), rng.uniform(4, 9)
    # The lower the camera, the more a thing in front hides.
    height = hidden - gap / math.tan(tilt)
    if rng.random() < 0.2 or height < 3:
        return None
    half = (len(row.codes) * STEP / 2 + rng.uniform(0, 60), deep, height / 2)
    shade = rng.uniform(0.02, 0.8)
    colour = (shade, shade * rng.uniform(0.4, 1), shade * rng.uniform(0.2, 1))
    front = -float(HALF_SIZES[2]) - gap - deep
    return Block(rng.gauss(0, 15), row.y + front, rng.gauss(0, 0.01), None, height / 2, 0.0, half, colour)


def seen_boxes(camera: Camera, placed: Sequence[tuple[str, Block]], owner: NDArray[np.int32]) -> list[tuple[str, Box]]:
    """Code and box of the visible part of each face, if at least LEAST_SEEN of it is visible.

    `placed`: code and block of each tile; `owner`: (h, w) the tile that each pixel shows, -1 for none.
    """
    h, w = owner.shape
    boxes: list[tuple[str, Box]] = []
    for number, (code, block) in enumerate(placed):
        quad = face_quad(camera, block)
        whole = float(cv2.contourArea(quad.astype(np.float32)))
        mask = np.zeros((h, w), np.uint8)
        cv2.fillPoly(mask, [np.round(quad).astype(np.int32)], (1,))
        ys, xs = np.nonzero((mask > 0) & (owner == number))
        if whole < 60 or len(ys) < LEAST_SEEN * whole:
            continue
        boxes.append((code, (float(xs.min()), float(ys.min()), float(xs.max() + 1), float(ys.max() + 1))))
    return boxes


def standing_photo(
    rng: random.Random, faces: Callable[[str, random.Random], Face], size: tuple[int, int]
) -> tuple[NDArray[np.uint8], list[tuple[str, Box]]]:
    """A picture (h, w, 3) RGB of standing rows, with codes and boxes x1 y1 x2 y2 in pixels of its visible tiles.

    `faces`: a random face of a code; `size`: (width, height) in pixels.
    """
    video = rng.random() < 0.5
    w, h = (640, rng.choice((360, 480))) if video else size
    tilt = math.radians(90 - rng.uniform(12, 40))
    rows = _rows(rng)
    placed = _blocks(rows, rng, faces)
    ruler = _ruler(rng, rows[0], tilt)
    blocks = [block for _, block in placed] + ([ruler] if ruler else [])
    # The row fills two thirds of the frame to half as much again: then tiles are cut by its edges.
    wide = len(rows[0].codes) * STEP * rng.uniform(0.75, 1.5)
    focal = 0.85 * w
    camera = Camera(
        (w, h),
        focal,
        max(160.0, wide * focal / w),
        tilt,
        rng.gauss(0, 0.25),
        rng.gauss(0, 0.05),
        (rng.gauss(0, 20), rng.gauss(8, 10)),
    )
    light = Light(
        (rng.uniform(-0.7, 0.7), rng.uniform(-0.8, 0.4), rng.uniform(0.6, 1)),
        rng.uniform(0.12, 0.4),
        key=(1.0, rng.uniform(0.84, 1.0), rng.uniform(0.65, 1.05)),
    )
    table = TABLES[rng.choice(list(TABLES))](rng.randrange(1000))
    scene = Scene(tuple(blocks), camera, table, light, back=_back_of_any_kind(rng))
    linear, owner = trace(scene)
    pixels = develop(linear, rng)
    if video and rng.random() < 0.6:
        pixels = shaken(pixels.astype(np.float32), rng).clip(0, 255).astype(np.uint8)
    return pixels, seen_boxes(camera, placed, owner)


def _back(rng: random.Random) -> tuple[float, float, float]:
    if rng.random() < 0.5:
        return rng.choice(BACKS)
    return rng.uniform(0.02, 0.45), rng.uniform(0.02, 0.45), rng.uniform(0.02, 0.45)


def _back_of_any_kind(rng: random.Random) -> tuple[float, float, float] | Table:
    """A plain back, or one of bamboo: pale yellow to brown."""
    if rng.random() >= BAMBOO:
        return _back(rng)
    red = rng.uniform(0.3, 0.85)
    green = red * rng.uniform(0.45, 0.75)
    return bamboo(rng.randrange(1000), (red, green, green * rng.uniform(0.15, 0.5)), rng.uniform(0.08, 0.3))


def lines_of(boxes: Sequence[tuple[str, Box]], size: tuple[int, int]) -> str:
    """The labels in YOLO's form."""
    w, h = size
    lines = []
    for code, (x1, y1, x2, y2) in boxes:
        values = ((x1 + x2) / 2 / w, (y1 + y2) / 2 / h, (x2 - x1) / w, (y2 - y1) / h)
        lines.append(f"{CLASSES.index(code)} " + " ".join(f"{value:.6f}" for value in values) + "\n")
    return "".join(lines)


def main() -> None:
    """Write pictures and labels in YOLO layout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, required=True, help="folder with the tile art")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=60, help="hands seen from above")
    parser.add_argument("--standing", type=int, default=0, help="standing rows seen over the table")
    parser.add_argument("--keep-out", nargs="*", default=[], help="folders of --art that are left for measuring")
    parser.add_argument("--size", type=int, nargs=2, default=(960, 720), metavar=("W", "H"))
    parser.add_argument("--seed", type=int, default=9001)
    args = parser.parse_args()
    for kind in ("images", "labels"):
        (args.out / kind / "train").mkdir(parents=True, exist_ok=True)
    if args.count:
        _hands(args)
    if not args.standing:
        return
    faces = face_maker(args.art, keep_out=args.keep_out)
    for number in range(args.seed, args.seed + args.standing):
        pixels, boxes = standing_photo(random.Random(number), faces, tuple(args.size))
        save_jpeg(args.out / f"images/train/standing-{number}.jpg", pixels, 300_000)
        text = lines_of(boxes, (pixels.shape[1], pixels.shape[0]))
        (args.out / f"labels/train/standing-{number}.txt").write_text(text, encoding="utf-8")


def _hands(args: argparse.Namespace) -> None:
    """Hands that lie on the table, seen from above."""
    art = load_art(args.art)
    for number in range(args.count):
        rng = random.Random(args.seed + number)
        hand = random_hand(rng, melds=rng.randrange(5), flowers=rng.choice((4, 6, 8)), kong=rng.random() < 0.4)
        placed = lay_out(hand, rng, shuffle=rng.random() < 0.5, flowers_in_row=rng.random() < 0.3)
        light = Light(
            (rng.uniform(-0.8, 0.8), rng.uniform(-0.2, 0.8), rng.uniform(0.5, 1)),
            rng.uniform(0.1, 0.4),
            key=(1.0, rng.uniform(0.84, 1.0), rng.uniform(0.6, 1.05)),
        )
        pixels, boxes = take_photo(
            placed,
            art,
            rng,
            size=tuple(args.size),
            table=rng.choice(list(TABLES)),
            turn=rng.uniform(-math.pi, math.pi),
            tilt=rng.uniform(0.05, 0.85),
            light=light,
            back=_back(rng),
        )
        name = f"render-{args.seed + number}"
        save_jpeg(args.out / f"images/train/{name}.jpg", pixels, 400_000)
        text = yolo(Picture(pixels, tuple(placed), tuple(boxes), hand))
        (args.out / f"labels/train/{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
