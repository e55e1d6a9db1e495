"""Corrected labels: a committed list of the mistakes in a labelled set that is not ours to change.

A CSV. ``photo`` (stem) is for people; ``sha256`` (first 16 digits, of the photo file) binds a correction to that
picture. ``split``, ``change``, ``label`` and ``box`` are as in the set, ``tile`` and ``new_box`` as they should be,
and ``reason`` explains. Boxes are x1 y1 x2 y2 in pixels of the upright photo. Changes: ``move`` a box, ``name`` a
tile, ``add`` a tile; and for training ``not_a_tile`` (looks like one) and ``hide`` (unclear: greyed out).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from vision.detection.measure import Label
from vision.models.manifest import CLASSES, NONE
from vision.training.data.dataset import OTHER, UNLABELLED, DatasetError, labels_of, load_dataset

SHIPPED = Path(__file__).resolve().parents[3] / "datasets/corrections/tiles.csv"
CHANGES = ("move", "name", "add", "not_a_tile", "hide")
NEAR_PIXELS = 2.0
"""Pixels by which a corner of a named box may differ from the set's (the list has one decimal)."""
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Correction:
    """One change. ``old``: the label in the set, None for a missing one; ``tile``: empty for "not a tile"."""

    change: str
    old: Label | None
    tile: str
    box: Box


Corrections = dict[str, tuple[Correction, ...]]
"""Corrections by the first 16 hexadecimal digits of the photo's SHA-256."""


def load_corrections(path: Path) -> Corrections:
    """Read a list. Raises DatasetError, which names the file, the line and the fault."""
    by_photo: dict[str, list[Correction]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            for number, row in enumerate(csv.DictReader(handle), start=2):
                where = f"{path}, line {number}"
                try:
                    change, key = row["change"], row["sha256"].lower()
                    old = _label(row["label"], row["box"]) if change in ("move", "name") else None
                    tile, box = row["tile"], _box(row["new_box"])
                    if change in ("move", "name", "add"):
                        _label(tile, row["new_box"])
                except (KeyError, TypeError, ValueError, AttributeError) as error:
                    raise DatasetError(f"{where}: {error}") from None
                if change not in CHANGES or len(key) != 16:
                    raise DatasetError(f"{where}: expected one of {', '.join(CHANGES)} and 16 digits of SHA-256")
                by_photo.setdefault(key, []).append(Correction(change, old, tile, box))
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: {error}") from None
    return {key: tuple(corrections) for key, corrections in by_photo.items()}


def _label(tile: str, text: str) -> Label:
    if tile not in CLASSES:
        raise ValueError(f"no tile: {tile!r}")
    return Label(tile, _box(text))


def _box(text: str) -> Box:
    x1, y1, x2, y2 = (float(part) for part in text.split())
    if not (x1 < x2 and y1 < y2):
        raise ValueError(f"no box: {text!r}")
    return x1, y1, x2, y2


def photo_key(path: Path) -> str:
    """The first 16 digits of a file's SHA-256."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()[:16]


def correct(labels: Sequence[Label], corrections: Sequence[Correction], where: str) -> list[Label]:
    """The corrected labels. Raises DatasetError (it names ``where``) if a correction's label is missing."""
    corrected = list(labels)
    for correction in corrections:
        if correction.change in ("not_a_tile", "hide"):
            continue
        new = Label(correction.tile, correction.box)
        if correction.old is None:
            corrected.append(new)
            continue
        place = next((i for i, label in enumerate(corrected) if _same(label, correction.old)), None)
        if place is None:
            raise DatasetError(f"{where}: no label {correction.old.tile} at {correction.old.box} to correct")
        corrected[place] = new
    return corrected


def changed(corrections: Sequence[Correction]) -> int:
    """How many labels of a photo were put right."""
    return sum(correction.change in ("move", "name", "add") for correction in corrections)


def _same(label: Label, old: Label) -> bool:
    return label.tile == old.tile and all(abs(a - b) <= NEAR_PIXELS for a, b in zip(label.box, old.box, strict=True))


def corrected_copy(source: Path, target: Path, corrections: Corrections) -> int:
    """Write the train split of ``source`` (YOLO layout) to ``target`` with corrected labels; return the number of
    photos.

    A look-alike becomes a box of class 43, an unclear place is greyed out. Photos without either are links.
    """
    dataset = load_dataset(source / "data.yaml", "train")
    for kind in ("images/train", "labels/train"):
        shutil.rmtree(target / kind, ignore_errors=True)
        (target / kind).mkdir(parents=True)
    for name in ("sources.csv", UNLABELLED):
        if (source / name).is_file():
            shutil.copy(source / name, target / name)
    for path in dataset.photos:
        of_photo = corrections.get(photo_key(path), ())
        hidden = [correction.box for correction in of_photo if correction.change == "hide"]
        with Image.open(path) as opened:
            image = ImageOps.exif_transpose(opened)
            w, h = image.size
            if hidden:
                pixels = np.array(image.convert("RGB"))
                for x1, y1, x2, y2 in hidden:
                    pixels[int(y1) : int(y2) + 1, int(x1) : int(x2) + 1] = 114
                Image.fromarray(pixels).save(target / "images/train" / path.name, quality=95)
            else:
                (target / "images/train" / path.name).symlink_to(path.resolve())
        labels = [
            Label(code, ((cx - bw / 2) * w, (cy - bh / 2) * h, (cx + bw / 2) * w, (cy + bh / 2) * h))
            for code, (cx, cy, bw, bh) in labels_of(path, dataset.codes)
        ]
        boxes = [
            ((*CLASSES, NONE, OTHER).index(label.tile), label.box) for label in correct(labels, of_photo, str(path))
        ]
        boxes += [(len(CLASSES), correction.box) for correction in of_photo if correction.change == "not_a_tile"]
        lines = [
            f"{number} {(x1 + x2) / 2 / w:.6f} {(y1 + y2) / 2 / h:.6f} {(x2 - x1) / w:.6f} {(y2 - y1) / h:.6f}\n"
            for number, (x1, y1, x2, y2) in boxes
        ]
        (target / "labels/train" / f"{path.stem}.txt").write_text("".join(lines), encoding="utf-8")
    return len(dataset.photos)


def main() -> None:
    """``python -m vision.training.data.corrections --data DIR --out DIR``: a train split with its labels put right."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="data set folder in YOLO layout")
    parser.add_argument("--corrections", type=Path, help="the list (CSV)")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    corrections = load_corrections(args.corrections) if args.corrections else {}
    print(f"{corrected_copy(args.data, args.out, corrections)} photos")


if __name__ == "__main__":
    main()
