"""How soon a person who follows the queue meets the model's mistakes.

    python benchmarks/labelling/queue_errors.py DATA.yaml [--models FOLDER]

The model in use reads the val split. Every rule of ``vision.labelling.quality.queue`` orders the photos by that reading
alone; nothing is labelled yet. A mistake is a tile not read as labelled, or a tile read without a label. Printed is the
share of all mistakes in the first tenth, fifth, third and half of the photos, and of the tiles, because a crowded photo
is more work. ``random`` is the mean of 200 orders. Labels include the shipped corrections.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import fmean
from typing import Any

from vision.labelling.labels import LabelledPhoto, PhotoInfo
from vision.labelling.phash import perceptual_hash
from vision.labelling.quality.examine import Seen
from vision.labelling.quality.queue import RULES, rank
from vision.photo.image import load_photo
from vision.reading.pipeline import Reader
from vision.training.data.dataset import load_dataset
from vision.training.evaluation.evaluate import read_all, shipped_corrections

SHARES = (0.1, 0.2, 1 / 3, 0.5)


def main() -> None:
    """Read, rank, count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--models", type=Path)
    args = parser.parse_args()
    reader = Reader.load(args.models)
    dataset = load_dataset(args.data, "val")
    warned: list[tuple[str, ...]] = []

    class Listening:
        """The reader, and what it warned of."""

        def read(self, photo: Any) -> Any:
            reading = reader.read(photo)
            warned.append(tuple(warning.key for warning in reading.warnings))
            return reading

    sheets = read_all(dataset, Listening(), shipped_corrections())
    warnings = warned[-len(sheets) :]  # the first photo is read twice
    photos, seen, wrong, tiles = [], {}, {}, {}
    for path, sheet, said in zip(dataset.photos, sheets, warnings, strict=True):
        photo = load_photo(path)
        photos.append(
            LabelledPhoto(PhotoInfo(path.stem, path.name, photo.size, perceptual_hash=perceptual_hash(photo.pixels)))
        )
        seen[path.stem] = Seen(tuple(sheet.detections), (), said, 0.0)
        right = sum(sheet.labels[i].tile == sheet.detections[j].tile for i, j in sheet.pairs)
        wrong[path.stem] = len(sheet.labels) - right + len(sheet.false)
        tiles[path.stem] = len(sheet.labels)
    print(f"{len(photos)} photos, {sum(tiles.values())} tiles, {sum(wrong.values())} mistakes")
    print("| rule | " + " | ".join(f"{share:.0%} of the photos" for share in SHARES) + " |")
    print("|---|" + "---|" * len(SHARES))
    for rule in RULES:
        cells = []
        for share in SHARES:
            shares = []
            for seed in range(200 if rule == "random" else 1):
                turns = rank(photos, [], seen, rule=rule, seed=seed)[: round(share * len(photos))]  # type: ignore[arg-type]
                shares.append(
                    (
                        sum(wrong[turn.photo] for turn in turns) / sum(wrong.values()),
                        sum(tiles[turn.photo] for turn in turns) / sum(tiles.values()),
                    )
                )
            cells.append(f"{fmean(first for first, _ in shares):.0%} ({fmean(first for _, first in shares):.0%})")
        print(f"| {rule} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
