"""Crops of lettered racks painted on photos of real tiles: the detector's finds on the writing, labelled "no tile"."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from vision.detection.detector import Detector
from vision.photo.image import load_photo
from vision.pixels.sight import window
from vision.training.data.crops import ROOM_SIDES, STORED, Crops, is_held_out, scenes_of
from vision.training.networks.detector import NO_TILE_CLASS
from vision.training.progress import ProgressReporter
from vision.training.synthetic.fonts import Font
from vision.training.synthetic.surroundings.painted import Box, Pixels, paint_rack

MEASURED_EVERY = 6
"""Every such photo is left out: benchmarks/reading/lettered_racks.py --every 6 measures on them."""
MOST_FINDS, MOST_CHARACTERS = 14, 4
"""Of one photo: finds on the writing, and characters cut whether anything was found there or not."""


def cut_racks(root: Path, fonts: Sequence[Font], detector: Detector, *, seed: int = 28) -> Crops:
    """Cut crops from the train photos of the set ``root`` (YOLO layout), except held-out photos and every sixth.

    ``fonts`` write the racks; ``detector`` finds tiles on them. Raises ValueError if no photo has room for a rack."""
    rng = random.Random(seed)
    scenes = scenes_of(root)
    pixels, sizes = [], []
    paths = sorted((root / "images/train").iterdir())
    reporter = ProgressReporter("cutting", "photos", len(paths))
    for number, path in enumerate(paths):
        reporter.tell(number + 1)
        if number % MEASURED_EVERY == 0 or is_held_out(path.stem, scenes.get(path.stem, "")):
            continue
        photo = load_photo(path).pixels
        painted = paint_rack(photo, _tiles(root, path.stem, photo), rng, fonts)
        if painted is None:
            continue
        for x1, y1, x2, y2 in _boxes(*painted, detector, rng):
            longer = max(x2 - x1, y2 - y1)
            pixels.append(window(painted[0], (x1 + x2) / 2, (y1 + y2) / 2, ROOM_SIDES * longer, STORED))
            sizes.append(((x2 - x1) / longer, (y2 - y1) / longer))
    if not pixels:
        raise ValueError(f"{root}: no photo has a row of tiles with room for a rack")
    classes = np.full(len(pixels), NO_TILE_CLASS, np.int64)
    return Crops(np.stack(pixels), classes, np.array(sizes, np.float32), np.zeros(len(pixels), bool))


def _tiles(root: Path, stem: str, photo: Pixels) -> list[Box]:
    """The labelled boxes of a photo, in its pixels."""
    height, width = photo.shape[:2]
    rows = (line.split() for line in (root / f"labels/train/{stem}.txt").read_text(encoding="utf-8").splitlines())
    boxes = ((float(x), float(y), float(w), float(h)) for _, x, y, w, h in rows)
    return [
        ((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height) for x, y, w, h in boxes
    ]


def _boxes(pixels: Pixels, writing: Sequence[Box], detector: Detector, rng: random.Random) -> Iterator[Box]:
    """The boxes to cut from one photo: some finds on the writing, and some characters in a box of a tile's shape."""
    middles = np.array([((x1 + x2) / 2, (y1 + y2) / 2) for x1, y1, x2, y2 in writing])
    boxes = [(x1, y1, x2, y2) for x1, y1, x2, y2 in detector.find(pixels).boxes.tolist()]
    boxes = [box for box in boxes if _on(box, writing)]
    yield from rng.sample(boxes, min(MOST_FINDS, len(boxes)))
    for place in rng.sample(range(len(writing)), min(MOST_CHARACTERS, len(writing))):
        x1, y1, x2, y2 = writing[place]
        (x, y), high = middles[place].tolist(), rng.uniform(0.9, 1.6) * max(x2 - x1, y2 - y1)
        wide = high * rng.uniform(0.68, 0.85)
        yield x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def _on(box: Box, writing: Sequence[Box]) -> bool:
    """Whether the centre of a box is on a character."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(x1 <= x <= x2 and y1 <= y <= y2 for x1, y1, x2, y2 in writing)
