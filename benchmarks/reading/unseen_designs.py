"""How designs of tiles are read that no network was trained on, without a tile set: composites of their art.

    python benchmarks/reading/unseen_designs.py --designs NAME … [--photos 8] [--models FOLDER …]

Each design (a folder of ``../shared/data/art``) is laid on textures (``set_scenes.py``): 17 suit tiles and honors and
its eight flowers in each photo. Prints for each model and design, in Markdown: suit tiles and honors that are wrong
or not found, of them those wrong with at least 80%, the share of flowers that are named right and how many are surely
wrong, tiles made up, and the commonest mistakes. Where several models are named, the last lines compare each with the
first on the same tiles: how many only the one and only the other reads right, and McNemar's probability of so great a
difference by chance.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from leave_sets_out import of_scene
from set_scenes import FLOWERS, compose, designs

from vision.detection.measure import Label, compare
from vision.models.manifest import CLASSES
from vision.reading.pipeline import Reader

SURE = 0.8
KEPT_OUT = (
    "pysol-crystal",
    "pysol-etheral",
    "pysol-ivory",
    "gl-mahjongtile",
    "bihaifeng-planar",
    "pysol-western-classic",
)
"""Designs that no training saw: see ``keep_out`` in recipes/shipped.toml."""


@dataclass
class Counted:
    """What is counted of one design, or of all. ``right``: whether each tile was, in order."""

    others: int = 0
    wrong: int = 0
    sure: int = 0
    flowers: int = 0
    named: int = 0
    flowers_sure: int = 0
    false: int = 0
    right: list[bool] = field(default_factory=list)
    mistakes: Counter[str] = field(default_factory=Counter)

    def add(self, truth: str, read: str, confidence: float) -> None:
        """Count one labelled tile; ``read`` is empty where none was found."""
        right, sure = truth == read, truth != read and bool(read) and confidence >= SURE
        self.right.append(right)
        if truth in FLOWERS:
            self.flowers += 1
            self.named += right
            self.flowers_sure += sure
        else:
            self.others += 1
            self.wrong += not right
            self.sure += sure
            if not right:
                self.mistakes[f"{truth} > {read or 'missed'}"] += 1

    def line(self, model: str, design: str) -> str:
        """One row of the table."""
        flowers = f"{self.named / max(1, self.flowers):.3f} of {self.flowers}"
        mistakes = ", ".join(f"{name} {count}" for name, count in self.mistakes.most_common(4))
        numbers = f"{self.wrong} of {self.others} | {self.sure} | {flowers} | {self.flowers_sure} | {self.false}"
        return f"| {model} | {design} | {numbers} | {mistakes} |"


def mcnemar(only_first: int, only_second: int) -> float:
    """The probability that a fair coin falls as unevenly, on both sides (exact)."""
    n, k = only_first + only_second, min(only_first, only_second)
    if not n:
        return 1.0
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / float(2**n))


def main() -> None:
    """Print the table."""
    data = Path("../shared/data")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, default=data / "art")
    parser.add_argument("--textures", type=Path, default=data / "textures")
    parser.add_argument("--designs", nargs="*", default=list(KEPT_OUT), metavar="NAME")
    parser.add_argument("--photos", type=int, default=8, help="photos of each design (default: 8)")
    parser.add_argument("--models", type=Path, nargs="*", default=[], help="folders with manifest.json (shipped: none)")
    args = parser.parse_args()
    textures = sorted(args.textures.rglob("*.jpg"))
    readers = {str(folder or "shipped"): Reader.load(folder) for folder in args.models or [None]}
    known = designs(args.art)
    if missing := [name for name in args.designs if name not in known]:
        parser.error(f"no such design below {args.art}: {', '.join(missing)}")
    everything = {model: Counted() for model in readers}
    print("| model | design | others wrong | surely | flowers named | surely wrong | made up | commonest |")
    print("|---|---|---|---|---|---|---|---|")
    for name in args.designs:
        rng, design = random.Random(f"unseen {name}"), known[name]
        codes = [code for code in CLASSES[:34] if code in design]
        flowers = [code for code in FLOWERS if code in design]
        counted = {model: Counted() for model in readers}
        for number in range(args.photos):
            hand = [rng.choice(codes) for _ in range(17)]
            shown = rng.sample(flowers, len(flowers))
            rows = [row for row in ([hand[:9], hand[9:], shown] if number % 2 else [hand, shown]) if row]
            scene = compose(design, rows, textures, rng, turned=number % 3 == 0)
            labels = [Label(code, box) for code, box in scene.tiles]
            for model, reader in readers.items():
                detections = reader.read(of_scene(scene)).detections
                sheet = compare(name, "", labels, detections, 0.0, unlabelled_backs=False)
                read = {i: detections[j] for i, j in sheet.pairs}
                for count in (counted[model], everything[model]):
                    count.false += len(sheet.false)
                    for i, label in enumerate(labels):
                        seen = read.get(i)
                        count.add(label.tile, seen.tile if seen else "", seen.confidence if seen else 0.0)
        for model, count in counted.items():
            print(count.line(model, name), flush=True)
    for model, count in everything.items():
        print(count.line(model, "**all**"))
    first, *others = everything.items()
    for model, count in others:
        pairs = Counter(zip(first[1].right, count.right, strict=True))
        lost, gained = pairs[True, False], pairs[False, True]
        print(f"{first[0]} → {model}: {gained} tiles gained, {lost} lost, p = {mcnemar(gained, lost):.4f}")


if __name__ == "__main__":
    main()
