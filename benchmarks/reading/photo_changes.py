"""How the reading holds when the photo is turned, blurred, dark, in coloured light or small, each with its interval.

    python benchmarks/reading/photo_changes.py DATA.yaml [--split val] [--every 1] [--models FOLDER] [--only WORD ...]

Every photo is changed and read again, its labels moved along. Prints a table in Markdown: tile accuracy, false tiles a
photo and exact photos, each with the interval that holds 95 of 100 draws of as many photos (bootstrap over photos).
Then, for the photos as they are, the same for each scene. Lengths of blur are in tiles: the median longer side of the
photo's labels.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detection.measure import Label, Sheet, compare
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader
from vision.training.data.changes import STAY, Change, far, lamp, lit, moved, shaken, smaller, turned, unfocused
from vision.training.data.corrections import Correction, correct, photo_key
from vision.training.data.dataset import Dataset, labels_of, load_dataset
from vision.training.evaluation.evaluate import shipped_corrections

DRAWS = 1000

CHANGES: dict[str, Change] = {
    "as it is": lambda pixels, tile: (pixels, STAY),
    "turned 10°": turned(10),
    "turned 30°": turned(30),
    "turned 45°": turned(45),
    "turned 60°": turned(60),
    "turned 90°": turned(90),
    "turned 180°": turned(180),
    "motion blur 0.1 tile": shaken(0.1),
    "motion blur 0.2 tile": shaken(0.2),
    "defocus 0.03 tile": unfocused(0.03),
    "defocus 0.05 tile": unfocused(0.05),
    "light × 0.3, noise 8": lit(0.3, 8),
    "light × 1.5": lit(1.5),
    "magenta lamp": lamp(1, 0.2, 0.9),
    "red lamp": lamp(1, 0.35, 0.3),
    "blue lamp": lamp(0.25, 0.4, 1),
    "half the size": smaller(0.5),
    "a third of the size": smaller(1 / 3),
    "a third of the frame": far(1 / 3),
}


def labels_in(path: Path, photo: Photo, codes: Sequence[str], corrections: Sequence[Correction]) -> list[Label]:
    """The labels of one photo, put right, in pixels of its picture.

    Args:
        path: of the photo; its labels lie beside it.
        photo: that photo, loaded.
        codes: of the dataset, by class number.
        corrections: of this photo.
    """
    (w, h), (sx, sy) = photo.size, photo.scale
    labels = [
        Label(code, ((cx - bw / 2) * w, (cy - bh / 2) * h, (cx + bw / 2) * w, (cy + bh / 2) * h))
        for code, (cx, cy, bw, bh) in labels_of(path, codes)
    ]
    labels = correct(labels, corrections, str(path))
    return [Label(one.tile, tuple(np.divide(one.box, (sx, sy, sx, sy)))) for one in labels]


def read_changed(dataset: Dataset, reader: Reader, change: Change) -> list[Sheet]:
    """One sheet for every photo, changed."""
    corrections = shipped_corrections()
    sheets = []
    for path in dataset.photos:
        photo = load_photo(path)
        inside = labels_in(path, photo, dataset.codes, corrections.get(photo_key(path), ()))
        lengths = [max(one.box[2] - one.box[0], one.box[3] - one.box[1]) for one in inside]
        pixels, matrix = change(photo.pixels, float(np.median(lengths)) if lengths else 40.0)
        detections = reader.detect(Photo(np.ascontiguousarray(pixels), (pixels.shape[1], pixels.shape[0])))
        scene, backs = dataset.scenes.get(path.stem, ""), path.stem in dataset.unlabelled_backs
        sheets.append(compare(path.stem, scene, moved(inside, matrix), detections, 0.0, backs))
    return sheets


def interval(sheets: Sequence[Sheet], seed: int = 7) -> list[str]:
    """Tile accuracy, false tiles a photo, exact photos: each the value and the bounds of 95 of 100 draws."""
    counts = np.array([(one.right, len(one.labels), len(one.false), one.exact) for one in sheets], np.float64)
    picks = np.random.default_rng(seed).integers(0, len(sheets), (DRAWS, len(sheets)))
    drawn = counts[picks].sum(axis=1)
    total = counts.sum(axis=0)

    def told(value: float, draws: NDArray[np.float64]) -> str:
        low, high = np.percentile(draws, (2.5, 97.5))
        return f"{value:.3f} ({low:.3f} to {high:.3f})"

    n = len(sheets)
    return [
        told(total[0] / max(1, total[1]), drawn[:, 0] / np.maximum(1, drawn[:, 1])),
        told(total[2] / n, drawn[:, 2] / n),
        told(total[3] / n, drawn[:, 3] / n),
    ]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="val")
    parser.add_argument("--every", type=int, default=1, help="read every so manieth photo only")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--only", nargs="*", help="changes whose name has one of these words")
    args = parser.parse_args()
    dataset = load_dataset(args.dataset, args.split)
    dataset = dataclasses.replace(dataset, photos=dataset.photos[:: args.every])
    reader = Reader.load(args.models)
    print("| change | tile accuracy | false tiles a photo | exact photos |\n|---|---|---|---|", flush=True)
    plain: list[Sheet] = []
    for name, change in CHANGES.items():
        if name != "as it is" and args.only and not any(word in name for word in args.only):
            continue
        sheets = read_changed(dataset, reader, change)
        plain = plain or sheets
        print(f"| {name} | {' | '.join(interval(sheets))} |", flush=True)
    print("\n| scene | photos | tile accuracy | false tiles a photo | exact photos |\n|---|---|---|---|---|")
    for scene in sorted({one.scene for one in plain}):
        part = [one for one in plain if one.scene == scene]
        print(f"| {scene} | {len(part)} | {' | '.join(interval(part))} |")


if __name__ == "__main__":
    main()
