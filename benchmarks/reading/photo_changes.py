"""Tile accuracy on photos that are turned, blurred, dark, small, seen from low, mirrored or of other tiles.

    python benchmarks/reading/photo_changes.py DATA.yaml [--split val] [--held-out] [--upright] [--every 1]
        [--models FOLDER] [--only WORD ...]

Every photo is changed and read again, and its labels move along. Prints a table in Markdown: tile accuracy, false tiles
per photo and exact photos. Each has its 95% interval (bootstrap over photos). For changes of one kind of tile the last
columns tell how many of that kind are named right, and how many others are in doubt or unread, so that a person is
asked. A second table has the same for each scene of the unchanged photos. Lengths of blur are in tiles: the median
longer side of the photo's labels.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from changed.viewpoints import BACK_COLOURS, Viewpoint, blank_dragons, laid_back, mirrored, moving, other_backs
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.detection.measure import Label, Sheet, compare, match
from vision.detection.types import SURE
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader, lay
from vision.training.data.changes import far, lamp, lit, shaken, smaller, turned, unfocused
from vision.training.data.corrections import Correction, correct, photo_key
from vision.training.data.crops import is_held_out
from vision.training.data.dataset import Dataset, labels_of, load_dataset
from vision.training.evaluation.evaluate import shipped_corrections

DRAWS = 1000
UPRIGHT = 1.05
"""Height of the usual label, by its width, above which a photo counts as taken from above."""

CHANGES: dict[str, Viewpoint] = {
    "as it is": lambda pixels, labels: (pixels, list(labels)),
    "turned 10°": moving(turned(10)),
    "turned 30°": moving(turned(30)),
    "turned 45°": moving(turned(45)),
    "turned 60°": moving(turned(60)),
    "turned 90°": moving(turned(90)),
    "turned 180°": moving(turned(180)),
    "motion blur 0.1 tile": moving(shaken(0.1)),
    "motion blur 0.2 tile": moving(shaken(0.2)),
    "defocus 0.03 tile": moving(unfocused(0.03)),
    "defocus 0.05 tile": moving(unfocused(0.05)),
    "light × 0.3, noise 8": moving(lit(0.3, 8)),
    "light × 1.5": moving(lit(1.5)),
    "magenta lamp": moving(lamp(1, 0.2, 0.9)),
    "red lamp": moving(lamp(1, 0.35, 0.3)),
    "blue lamp": moving(lamp(0.25, 0.4, 1)),
    "half the size": moving(smaller(0.5)),
    "a third of the size": moving(smaller(1 / 3)),
    "a third of the frame": moving(far(1 / 3)),
    **{f"tilt{degrees}": laid_back(degrees) for degrees in (50, 60, 70)},
    **{f"tilt{degrees} turned 25°": laid_back(degrees, 25) for degrees in (50, 60, 70)},
    "mirror": mirrored,
    **{f"backs {colour}": other_backs(colour) for colour in BACK_COLOURS},
    "blank": blank_dragons,
}
ONLY_WITH = {"backs": BACK, "blank": "5z"}
"""Changes of one kind of tile, by their first word: photos without such a tile are left out."""


def labels_in(path: Path, photo: Photo, codes: tuple[str, ...], corrections: Sequence[Correction]) -> list[Label]:
    """The corrected labels of one photo, in pixels of its picture.

    Args:
        path: of the photo; its labels are in the same folder.
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


def read_changed(
    dataset: Dataset, reader: Reader, change: Viewpoint, only: str | None = None
) -> tuple[list[Sheet], int]:
    """One sheet for every photo, changed; with ``only``, for every photo that has such a tile. And how many tiles of
    that kind are not named right, but shown as unread or in doubt."""
    corrections = shipped_corrections()
    sheets, doubted = [], 0
    for path in dataset.photos:
        photo = load_photo(path)
        inside = labels_in(path, photo, dataset.codes, corrections.get(photo_key(path), ()))
        if only and all(label.tile != only for label in inside):
            continue
        pixels, labels = change(photo.pixels, inside)
        detections = reader.detect(Photo(np.ascontiguousarray(pixels), (pixels.shape[1], pixels.shape[0])))
        scene, backs = dataset.scenes.get(path.stem, ""), path.stem in dataset.unlabelled_backs
        sheets.append(compare(path.stem, scene, labels, detections, 0.0, unlabelled_backs=backs))
        shown, _ = lay(detections, (pixels.shape[1], pixels.shape[0]))
        for i, j in match(labels, shown):
            doubted += labels[i].tile == only and (
                shown[j].unread or (shown[j].tile != only and shown[j].confidence < SURE)
            )
    return sheets, doubted


def upright(path: Path, dataset: Dataset) -> bool:
    """Whether a photo's labels have the shape of faces from above, higher than wide."""
    wide, high = load_photo(path).size
    shapes = [box[3] * high / (box[2] * wide) for _, box in labels_of(path, dataset.codes)]
    return bool(shapes) and float(np.median(shapes)) > UPRIGHT


def of_kind(sheets: Sequence[Sheet], tile: str) -> str:
    """How many tiles of one kind are named right, out of how many."""
    pairs = [(sheet, i, j) for sheet in sheets for i, j in sheet.pairs if sheet.labels[i].tile == tile]
    right = sum(sheet.detections[j].tile == tile for sheet, _, j in pairs)
    return f"{right} of {sum(label.tile == tile for sheet in sheets for label in sheet.labels)}"


def surely_wrong(sheets: Sequence[Sheet]) -> int:
    """Tiles with another name than their label, or none, at a confidence of at least 80%."""
    wrong = 0
    for sheet in sheets:
        label = {j: sheet.labels[i].tile for i, j in sheet.pairs}
        for place, tile in enumerate(sheet.detections):
            counts = tile.confidence >= SURE and place not in sheet.ignored
            wrong += counts and label.get(place) != tile.tile
    return wrong


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
    parser.add_argument("--held-out", action="store_true", help="only photos that the classifiers' training held out")
    parser.add_argument("--upright", action="store_true", help="only photos that are not taken from low themselves")
    parser.add_argument("--every", type=int, default=1, help="read only every EVERY-th photo")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--only", nargs="*", help="changes whose name has one of these words")
    args = parser.parse_args()
    dataset = load_dataset(args.dataset, args.split)
    photos = dataset.photos
    if args.held_out:
        photos = tuple(path for path in photos if is_held_out(path.stem, dataset.scenes.get(path.stem, "")))
    dataset = dataclasses.replace(dataset, photos=photos[:: args.every])
    if args.upright:
        dataset = dataclasses.replace(dataset, photos=tuple(path for path in dataset.photos if upright(path, dataset)))
    reader = Reader.load(args.models)
    print(
        "| change | photos | accuracy | false tiles per photo | exact photos | surely wrong | of the kind | doubted |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    plain: list[Sheet] = []
    for name, change in CHANGES.items():
        if name != "as it is" and args.only and not any(word in name for word in args.only):
            continue
        kind = ONLY_WITH.get(name.split()[0])
        sheets, doubted = read_changed(dataset, reader, change, kind)
        plain = plain or sheets
        if sheets:
            tail = f"{surely_wrong(sheets)} | {of_kind(sheets, kind) if kind else ''} | {doubted if kind else ''}"
            print(f"| {name} | {len(sheets)} | {' | '.join(interval(sheets))} | {tail} |", flush=True)
    print("\n| scene | photos | tile accuracy | false tiles per photo | exact photos |\n|---|---|---|---|---|")
    for scene in sorted({one.scene for one in plain}):
        part = [one for one in plain if one.scene == scene]
        print(f"| {scene} | {len(part)} | {' | '.join(interval(part))} |")


if __name__ == "__main__":
    main()
