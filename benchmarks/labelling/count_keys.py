"""Keys per tile on the labelling page at the accuracy of a model: an estimate on a labelled set.

    python benchmarks/labelling/count_keys.py DATA.yaml [--split val] [--models DIR]

Every question of the page is counted, a click as a key. A tile in doubt takes 1, or 2 if its name is typed. A wrong one
that looked sure takes 3 (a click, its name), a false one 2 (a click, Delete). A missed one takes 3 (a click, its name),
or 2 if the model names it right. The photo takes 1. There is one line per threshold of confidence.
``benchmarks/labelling/label_evening.py`` does the same in a browser.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from vision.detection.filtering import certainty
from vision.reading.pipeline import Reader
from vision.training.data.dataset import load_dataset
from vision.training.evaluation.evaluate import read_all, shipped_corrections

LIMITS = (0.5, 0.55, 0.6, 0.7, 0.8, 0.9)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="val")
    parser.add_argument("--models", type=Path)
    args = parser.parse_args()
    sheets = read_all(load_dataset(args.dataset, args.split), Reader.load(args.models), shipped_corrections())
    tiles, missed = sum(len(sheet.labels) for sheet in sheets), sum(len(sheet.missed) for sheet in sheets)
    print(f"{len(sheets)} photos, {tiles} tiles, {missed} missed")
    print("| limit | in doubt, one key | in doubt, name typed | sure and wrong | keys a tile |")
    print("|---|---|---|---|---|")
    for limit in LIMITS:
        asked = wrong = misnamed = false = 0
        for sheet in sheets:
            label_of = {seen: label for label, seen in sheet.pairs}
            for place, detection in enumerate(sheet.detections):
                if place in sheet.ignored:
                    continue
                paired = place in label_of
                right = paired and sheet.labels[label_of[place]].tile == detection.tile
                if certainty(detection) < limit:
                    asked, wrong = asked + (right or not paired), wrong + (paired and not right)
                elif not right:
                    misnamed, false = misnamed + paired, false + (not paired)
        keys = asked + 2 * wrong + 3 * misnamed + 2 * false + 3 * missed + len(sheets)
        print(f"| {limit} | {asked} | {wrong} | {misnamed + false} | {keys / tiles:.2f} |")


if __name__ == "__main__":
    main()
