"""Cut training crops for the reader: every labelled box, and windows without a tile.

Each crop is stored with some margin (:data:`ROOM_SIDES`). The training loop can turn, shift and scale it and still
see real neighbours, not black corners.
"""

from __future__ import annotations

import csv
import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from vision.detection.classifier import Classifier
from vision.detection.detector import Detector
from vision.pixels.sight import window
from vision.training.networks.detector import NO_TILE_CLASS, UNLABELLED
from vision.training.progress import ProgressReporter

STORED = 144
"""Side of a stored crop in pixels."""
ROOM_SIDES = 1.7
"""Side of a stored window in units of the longer side of the box."""
MOST_FALSE_FINDS = 12
"""The most false finds cut from one photo. A mat with a grid has hundreds: they would teach that rows of plain squares,
which is how face-down tiles look, are not tiles."""
HIDDEN = 0.3
"""If every reader gives a window less than this for "no tile", the window holds an unlabelled tile."""
WEB_SCENES = {"s3-hk-web", "s3-web", "s1-art"}
"""Scene groups in which every photo shows a different table."""


@dataclass(frozen=True)
class Crops:
    """Crops of one split: ``pixels`` (n, 144, 144, 3) uint8 RGB, ``classes`` (n,), ``sizes`` (n, 2): w and h of the box
    over its longer side. ``held_out`` (n,) marks photos kept for calibration, never trained on."""

    pixels: NDArray[np.uint8]
    classes: NDArray[np.int64]
    sizes: NDArray[np.float32]
    held_out: NDArray[np.bool_]


def scenes_of(root: Path) -> dict[str, str]:
    """The scene group of each photo, by stem. Empty if the set has no ``sources.csv``."""
    if not (root / "sources.csv").is_file():
        return {}
    with (root / "sources.csv").open(encoding="utf-8") as handle:
        return {Path(row["file"]).stem: row["scene_group"] for row in csv.DictReader(handle)}


def is_held_out(stem: str, scene: str) -> bool:
    """A fixed slice of the training photos: a quarter of the single-photo scenes, one in twenty elsewhere."""
    share = zlib.crc32(stem.encode()) % 100
    return share < (25 if scene in WEB_SCENES else 5)


def _empty_windows(
    boxes: NDArray[np.float64], width: int, height: int, rng: random.Random, count: int
) -> list[tuple[float, float, float]]:
    """(cx, cy, size) of windows that hold no whole tile: table, tile sides, the seam between two tiles."""
    windows: list[tuple[float, float, float]] = []
    for _ in range(count * 8):
        if len(windows) == count:
            break
        base = boxes[rng.randrange(len(boxes))]
        size = max(base[2], base[3]) * rng.uniform(0.5, 1.5)
        if rng.random() < 0.5:  # next to a tile
            cx = base[0] + rng.choice((-1, 1)) * base[2] * rng.uniform(0.4, 0.7)
            cy = base[1] + rng.choice((-1, 0, 1)) * base[3] * rng.uniform(0.4, 0.7)
        else:
            cx, cy = rng.uniform(0, width), rng.uniform(0, height)
        if not (0 < cx < width and 0 < cy < height):
            continue
        dx = np.abs(boxes[:, 0] - cx) / boxes[:, 2]
        dy = np.abs(boxes[:, 1] - cy) / boxes[:, 3]
        if float(np.maximum(dx, dy).min()) > 0.36:  # no tile's middle is near the middle of the window
            windows.append((cx, cy, size))
    return windows


def _false_finds(
    image: NDArray[np.uint8], boxes: NDArray[np.float64], detector: Detector
) -> list[tuple[float, float, float, float]]:
    """Finds of ``detector`` far from every labelled box (cx cy w h), in the same form. Finds at the edge of the picture
    are left out: they may be cut-off tiles without a label."""
    height, width = image.shape[:2]
    false_finds = []
    for x1, y1, x2, y2 in detector.find(image).boxes:
        cx, cy, w, h = (x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1
        beside = np.abs(boxes[:, 0] - cx) < 0.4 * (boxes[:, 2] + w)
        level = np.abs(boxes[:, 1] - cy) < 0.4 * (boxes[:, 3] + h)
        if not (beside & level).any() and min(x1, y1, width - x2, height - y2) > 3:
            false_finds.append((cx, cy, w, h))
    return false_finds


def cut(root: Path, split: str, *, negatives: int = 6, seed: int = 7, detector: Detector | None = None) -> Crops:
    """Cut every labelled box of ``split``. The train split also gives up to ``negatives`` windows without a tile a
    photo, and the finds of ``detector`` that match no label."""
    rng = random.Random(seed)
    scenes = scenes_of(root)
    backs = set((root / UNLABELLED).read_text().split()) if (root / UNLABELLED).is_file() else set()
    pixels, classes, sizes, held = [], [], [], []
    paths = sorted((root / "images" / split).iterdir())
    teller = ProgressReporter("cutting", "photos", len(paths))
    for number, path in enumerate(paths, start=1):
        with Image.open(path) as opened:
            image = np.asarray(ImageOps.exif_transpose(opened).convert("RGB"))
        height, width = image.shape[:2]
        rows = [line.split() for line in (root / "labels" / split / f"{path.stem}.txt").read_text().splitlines()]
        out = is_held_out(path.stem, scenes.get(path.stem, ""))
        boxes = np.array([[float(v) for v in row[1:]] for row in rows]).reshape(-1, 4) * [width, height, width, height]
        for row, (cx, cy, w, h) in zip(rows, boxes, strict=True):
            if int(row[0]) > NO_TILE_CLASS:
                continue  # a tile without a class
            pixels.append(window(image, cx, cy, ROOM_SIDES * max(w, h), STORED))
            classes.append(int(row[0]))
            sizes.append((w / max(w, h), h / max(w, h)))
            held.append(out)
        if split == "train" and path.stem not in backs and len(boxes):
            for cx, cy, size in _empty_windows(boxes, width, height, rng, negatives):
                pixels.append(window(image, cx, cy, ROOM_SIDES * size, STORED))
                classes.append(NO_TILE_CLASS)
                sizes.append((rng.uniform(0.65, 1.0), 1.0))
                held.append(out)
            wrong = _false_finds(image, boxes, detector) if detector else []
            for cx, cy, w, h in rng.sample(wrong, min(len(wrong), MOST_FALSE_FINDS)):
                pixels.append(window(image, cx, cy, ROOM_SIDES * max(w, h), STORED))
                classes.append(NO_TILE_CLASS)
                sizes.append((w / max(w, h), h / max(w, h)))
                held.append(out)
        teller.tell(number)
    return Crops(np.stack(pixels), np.array(classes), np.array(sizes, np.float32), np.array(held))


def without_hidden_tiles(crops: Crops, readers: Sequence[Classifier]) -> Crops:
    """Leave out windows without a label in which all ``readers`` (from earlier trainings) see a tile. Held-out crops
    do not change, so numbers of one training compare with those of the next."""
    keep = np.ones(len(crops.classes), bool)
    for place in np.flatnonzero((crops.classes == NO_TILE_CLASS) & ~crops.held_out) if readers else ():
        half = crops.sizes[place] * (STORED / ROOM_SIDES / 2)
        box = np.array([[*(STORED / 2 - half), *(STORED / 2 + half)]])
        keep[place] = any(reader.read(crops.pixels[place], box)[0, NO_TILE_CLASS] >= HIDDEN for reader in readers)
    return Crops(crops.pixels[keep], crops.classes[keep], crops.sizes[keep], crops.held_out[keep])


def join(first: Crops, second: Crops) -> Crops:
    """Both, one after the other."""
    return Crops(
        np.concatenate((first.pixels, second.pixels)),
        np.concatenate((first.classes, second.classes)),
        np.concatenate((first.sizes, second.sizes)),
        np.concatenate((first.held_out, second.held_out)),
    )
