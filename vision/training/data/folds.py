"""Training sets that leave some scenes out, to measure a training on tables that it has never seen.

A scene is one table, cloth or shoot (``sources.csv``). Photos of one scene are near copies of each other, so a
measurement is only worth something if whole scenes were left out.

    python -m vision.training.data.folds --data DATA --out FOLDER [--folds 3]

writes ``FOLDER/1`` … ``FOLDER/n`` in YOLO layout, and ``FOLDER/folds.json``: the scenes that each fold lacks. Every
scene is left out once; folds are of similar size. Pictures and labels are links.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from vision.training.data.crops import scenes_of
from vision.training.data.dataset import UNLABELLED


def divide(photos: Mapping[str, int], folds: int) -> list[list[str]]:
    """Scenes, with how many photos each has, in groups of like size: the largest first, each to the smallest group.

    >>> divide({"mat": 5, "stone": 4, "home": 2, "web": 1}, 2)
    [['mat', 'web'], ['stone', 'home']]
    """
    groups: list[list[str]] = [[] for _ in range(folds)]
    for scene in sorted(photos, key=lambda name: (-photos[name], name)):
        min(groups, key=lambda group: sum(photos[member] for member in group)).append(scene)
    return groups


def leave_out(source: Path, target: Path, scenes: Sequence[str]) -> int:
    """Link the train photos of ``source`` that are of none of ``scenes`` into ``target``; how many."""
    of = scenes_of(source)
    count = 0
    for kind in ("images/train", "labels/train"):
        (target / kind).mkdir(parents=True, exist_ok=True)
    for photo in sorted((source / "images/train").iterdir()):
        if of.get(photo.stem, "") in scenes:
            continue
        for path in (photo, source / f"labels/train/{photo.stem}.txt"):
            link = target / path.relative_to(source)
            link.unlink(missing_ok=True)
            link.symlink_to(path.resolve())
        count += 1
    for name in ("sources.csv", UNLABELLED):
        if (source / name).is_file():
            (target / name).unlink(missing_ok=True)
            (target / name).symlink_to((source / name).resolve())
    return count


def main() -> None:
    """Write the folds of a data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="data set folder in YOLO layout, with sources.csv")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=3)
    args = parser.parse_args()
    of = scenes_of(args.data)
    photos = Counter(of.get(path.stem, "") for path in (args.data / "images/train").iterdir())
    groups = divide(photos, args.folds)
    for number, scenes in enumerate(groups, start=1):
        print(f"{number}: {leave_out(args.data, args.out / str(number), scenes)} photos, without {', '.join(scenes)}")
    (args.out / "folds.json").write_text(
        json.dumps({str(number): scenes for number, scenes in enumerate(groups, start=1)}, indent=1)
    )


if __name__ == "__main__":
    main()
