"""Accuracy for tiles cut by the photo's edge: photos are cropped so that the new edge hides part of a tile.

    python benchmarks/reading/cut_tiles.py DATA.yaml [--split val] [--held-out] [--models FOLDER ...]

Each edge of a photo in turn is cropped until it hides 15 to 45% of a random tile. Every tile with 55 to 85% left
counts, including its neighbours.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from photo_changes import labels_in

from vision.detection.measure import Label
from vision.detection.types import SURE, Detection
from vision.geometry import areas, intersections, iou
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader
from vision.training.data.corrections import photo_key
from vision.training.data.crops import is_held_out
from vision.training.data.dataset import Dataset, load_dataset
from vision.training.evaluation.evaluate import shipped_corrections

HIDDEN, LEFT = (0.15, 0.45), (0.55, 0.85)
"""Share of the tile drawn that the new edge hides; share that is left of the tiles that count."""
LEAST = (160, 120)
"""Pixels, width and height, of a crop that is looked at."""
SAME_BOX = 0.5
"""Intersection by union from which a box is that tile's."""


def cropped(size: tuple[int, int], box: Sequence[float], side: int, hidden: float) -> tuple[int, int, int, int]:
    """The rest (x1, y1, x2, y2) of a picture of ``size`` (width, height) whose edge at ``side`` (left, top, right,
    bottom) is moved until it hides the share ``hidden`` of a box."""
    left = [0.0, 0.0, float(size[0]), float(size[1])]
    length = box[2 + side % 2] - box[side % 2]
    left[side] = box[side] + hidden * length * (1 if side < 2 else -1)
    x1, y1, x2, y2 = (round(value) for value in left)
    return x1, y1, x2, y2


def judged(labels: Sequence[Label], window: tuple[int, int, int, int], seen: Sequence[Detection]) -> list[list[bool]]:
    """Of each cut tile that counts: whether it was seen, named right, sure, and sure of a wrong name."""
    boxes = np.array([one.box for one in labels], np.float64)
    frame = np.array([window], np.float64)
    shares = intersections(boxes, frame)[:, 0] / areas(boxes)
    found = []
    for label, share in zip(labels, shares, strict=True):
        if not LEFT[0] <= share <= LEFT[1]:
            continue
        x1, y1 = max(label.box[0], window[0]) - window[0], max(label.box[1], window[1]) - window[1]
        x2, y2 = min(label.box[2], window[2]) - window[0], min(label.box[3], window[3]) - window[1]
        best = max(seen, key=lambda one: iou(one.box, (x1, y1, x2, y2)), default=None)
        if best is None or iou(best.box, (x1, y1, x2, y2)) < SAME_BOX:
            found.append([False] * 4)
            continue
        right, sure = best.tile == label.tile, best.confidence >= SURE
        found.append([True, right, sure, sure and not right])
    return found


def read_cut(dataset: Dataset, reader: Reader) -> list[list[bool]]:
    """Every photo, each of its edges moved in once; as :func:`judged` has it."""
    rng = np.random.default_rng(11)
    corrections = shipped_corrections()
    found = []
    for path in dataset.photos:
        photo = load_photo(path)
        labels = labels_in(path, photo, dataset.codes, corrections.get(photo_key(path), ()))
        height, width = photo.pixels.shape[:2]
        for side in range(4) if labels else ():
            drawn = labels[rng.integers(len(labels))].box
            x1, y1, x2, y2 = window = cropped((width, height), drawn, side, rng.uniform(*HIDDEN))
            if x2 - x1 < LEAST[0] or y2 - y1 < LEAST[1]:
                continue
            pixels = np.ascontiguousarray(photo.pixels[y1:y2, x1:x2])
            seen = [one for one in reader.detect(Photo(pixels, (x2 - x1, y2 - y1))) if not one.unread]
            found += judged(labels, window, seen)
    return found


def main() -> None:
    """Print the table, a row for each folder of weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="val")
    parser.add_argument("--held-out", action="store_true", help="only photos that the classifiers' training held out")
    parser.add_argument("--models", type=Path, nargs="*", default=[None], help="folders of weights")
    args = parser.parse_args()
    dataset = load_dataset(args.dataset, args.split)
    if args.held_out:
        kept = [one for one in dataset.photos if is_held_out(one.stem, dataset.scenes.get(one.stem, ""))]
        dataset = dataclasses.replace(dataset, photos=kept)
    print("| weights | cut tiles | right | not seen | sure | of these wrong |\n|---|---|---|---|---|---|", flush=True)
    for folder in args.models:
        found = read_cut(dataset, Reader.load(folder))
        seen, right, sure, wrong = np.array(found, np.int64).reshape(-1, 4).sum(axis=0).tolist()
        print(
            f"| {folder or 'shipped'} | {len(found)} | {right} | {len(found) - seen} | {sure} | {wrong} |", flush=True
        )


if __name__ == "__main__":
    main()
