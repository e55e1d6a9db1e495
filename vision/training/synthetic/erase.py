"""Photos with some tiles painted over by a plain patch of the table's colour, or by a sheet: these are not tiles.

A detector that learns face-down tiles takes every plain rectangle for one, unless it has seen others. For training
only.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from vision.training.data.crops import is_held_out, scenes_of
from vision.training.networks.detector import NO_TILE_CLASS, UNLABELLED
from vision.training.synthetic.render import save_jpeg

Pixels = NDArray[np.uint8]
Boxes = NDArray[np.float64]
COVERED_SHARE = 0.15
"""If a patch covers more than this share of a tile, the whole tile is painted over."""
MOST_TILES = 7
"""Tiles painted over in one photo, before their neighbours."""


def _covered(boxes: Boxes, patch: Boxes) -> NDArray[np.float64]:
    """Share of each box (n, 4) x1 y1 x2 y2 that ``patch`` covers."""
    wide = np.minimum(boxes[:, 2], patch[2]) - np.maximum(boxes[:, 0], patch[0])
    high = np.minimum(boxes[:, 3], patch[3]) - np.maximum(boxes[:, 1], patch[1])
    share: NDArray[np.float64] = (
        wide.clip(min=0) * high.clip(min=0) / ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
    )
    return share


def patches(boxes: Boxes, rng: random.Random) -> dict[int, Boxes]:
    """The indices of the tiles to paint over, each with its patch: a tile and its nearest neighbours, and every tile
    that a patch covers in part."""
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    start = rng.randrange(len(boxes))
    near = np.argsort(np.linalg.norm(middles - middles[start], axis=1))[: rng.randint(1, MOST_TILES)]
    waiting, patch_of = [int(place) for place in near], {}
    while waiting:
        place = waiting.pop()
        if place in patch_of:
            continue
        size = boxes[place, 2:] - boxes[place, :2]
        # the sides go too: a plain top with the sides of a tile round it is a tile face down
        low, high = (size * [rng.uniform(0.22, 0.45), rng.uniform(0.22, 0.45)] for _ in range(2))
        patch = np.concatenate((boxes[place, :2] - low, boxes[place, 2:] + high))
        patch_of[place] = patch
        waiting += [int(other) for other in np.flatnonzero(_covered(boxes, patch) > COVERED_SHARE)]
    return patch_of


def _colour(pixels: Pixels, boxes: Boxes, patch: Boxes) -> NDArray[np.float64]:
    """The pixels round a patch that are under no tile; the whole photo's median colour if there are none."""
    height, width = pixels.shape[:2]
    reach = (patch[2:] - patch[:2]).max() * 0.5
    x1, y1 = np.maximum(patch[:2] - reach, 0).astype(int)
    x2, y2 = np.minimum(patch[2:] + reach, (width, height)).astype(int)
    free = np.ones((y2 - y1, x2 - x1), bool)
    for box in (*boxes, patch):
        left, top, right, bottom = (box - (x1, y1, x1, y1)).round().astype(int).clip(0)
        free[top:bottom, left:right] = False
    around = pixels[y1:y2, x1:x2][free] if free.sum() > 20 else pixels.reshape(-1, 3)
    middle: NDArray[np.float64] = np.median(around, axis=0)
    return middle


def erase(pixels: Pixels, boxes: Boxes, rng: random.Random) -> tuple[Pixels, list[int]]:
    """A copy of a photo (h, w, 3) with some of its tiles (n, 4) x1 y1 x2 y2 painted over, and which.

    `boxes`: of the tiles, in pixels; `rng`: which of them, and with what.
    """
    patch_of = patches(boxes, rng)
    height, width = pixels.shape[:2]
    changed = pixels.copy()
    sheet = np.array([rng.uniform(0, 255) for _ in range(3)]) if rng.random() < 0.2 else None
    grit, soft = rng.choice((0.0, rng.uniform(1, 7))), rng.choice((0.0, 0.0, rng.uniform(0.5, 3)))
    noise = np.random.default_rng(rng.randrange(1 << 30))
    for patch in patch_of.values():
        x1, y1 = np.maximum(patch[:2].round().astype(int), 0)
        x2, y2 = np.minimum(patch[2:].round().astype(int), (width, height))
        colour = _colour(pixels, boxes, patch) if sheet is None else sheet
        fill = colour + noise.standard_normal((y2 - y1, x2 - x1, 3)) * grit
        changed[y1:y2, x1:x2] = fill.clip(0, 255).astype(np.uint8)
        if soft:  # the edge fades into its surroundings
            reach = int(4 * soft) + 1
            part = changed[max(0, y1 - reach) : y2 + reach, max(0, x1 - reach) : x2 + reach]
            part[:] = cv2.GaussianBlur(part, (0, 0), soft)
    return changed, sorted(patch_of)


def main() -> None:
    """``python -m vision.training.synthetic.erase --data DIR --out DIR --count N``: images and YOLO labels."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="data set folder in YOLO layout")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    for kind in ("images", "labels"):
        (args.out / kind / "train").mkdir(parents=True, exist_ok=True)
    listed = args.data / UNLABELLED
    skip = set(listed.read_text().split()) if listed.is_file() else set()
    scenes = scenes_of(args.data)
    photos = [
        path
        for path in sorted((args.data / "images/train").iterdir())
        if path.stem not in skip and not is_held_out(path.stem, scenes.get(path.stem, ""))
    ]
    for path in sorted(rng.sample(photos, min(args.count, len(photos)))):
        with Image.open(path) as opened:
            image = np.asarray(ImageOps.exif_transpose(opened).convert("RGB"))
        height, width = image.shape[:2]
        rows = [line.split() for line in (args.data / f"labels/train/{path.stem}.txt").read_text().splitlines()]
        if not rows:
            continue
        around = np.array([[float(value) for value in row[1:]] for row in rows]) * [width, height, width, height]
        boxes = np.concatenate((around[:, :2] - around[:, 2:] / 2, around[:, :2] + around[:, 2:] / 2), axis=1)
        changed, gone = erase(image, boxes, rng)
        save_jpeg(args.out / f"images/train/erased-{path.stem}.jpg", changed, 1_500_000)
        lines = [" ".join((str(NO_TILE_CLASS) if n in gone else row[0], *row[1:])) + "\n" for n, row in enumerate(rows)]
        (args.out / f"labels/train/erased-{path.stem}.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
