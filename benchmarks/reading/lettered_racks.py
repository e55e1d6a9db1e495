"""How many tiles are read where there is only writing: racks, score sheets, captions, screens, compass plates.

    python benchmarks/reading/lettered_racks.py [--photos 40] [--models FOLDER …] [--fonts WORD …] [--textures FOLDER]
    python benchmarks/reading/lettered_racks.py --on DATA.yaml [--split train] [--every 6] [--fonts WORD …]

Photos are made (``vision/training/synthetic/surroundings/lettering.py``): tiles drawn by chance, round them things that
bear characters at about a tile's pitch. Prints for each model, in Markdown: false tiles a photo, each with the interval
that holds 95 of 100 draws of as many photos, how many of them lie on writing and how many are at least 80% sure, the
share of tiles that are read right, and the names that the writing was given. ``--fonts`` takes only fonts whose path
holds one of the words: keep some from training (``--keep-out-fonts`` of the collage) and measure on them.

With ``--on`` the tiles are those of real photos, one of ``--every``, and a lettered rack is painted along their longest
row (``surroundings/painted.py``); photos without such a row, or without room, are left out. Each photo is read without
its rack too: things in it that are taken for tiles are there before any rack is. ``the rack's own`` is the difference
of both, photo by photo, with the interval that holds 95 of 100 draws of as many photos; ``sure`` has both numbers.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from vision.detection.measure import Label, Sheet, compare
from vision.models.manifest import CLASSES
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader
from vision.training.data.corrections import correct, photo_key
from vision.training.data.dataset import labels_of, load_dataset
from vision.training.evaluation.evaluate import shipped_corrections
from vision.training.synthetic.collage import Pixels, take_picture
from vision.training.synthetic.faces import face_maker
from vision.training.synthetic.fonts import Font, chinese_fonts, lettering_fonts
from vision.training.synthetic.surroundings.painted import paint_rack

SEED = 5_500_000
"""Photos begin here; trainings draw theirs from other numbers."""
SURE = 0.8
DRAWS = 1000
Box = tuple[float, float, float, float]
Lettered = tuple[Pixels, list[Label], list[Box], bool, Pixels | None]
"""A photo, its tiles, its characters, whether it has unlabelled face-down tiles, and for a painted rack the photo
without it."""


@dataclass
class Counted:
    """What one model reads in all photos."""

    false: list[int] = field(default_factory=list)
    on_writing: int = 0
    sure: int = 0
    plain: list[int] = field(default_factory=list)
    plain_sure: int = 0
    tiles: int = 0
    right: int = 0
    names: Counter[str] = field(default_factory=Counter)

    def add(self, reader: Reader, lettered: Lettered) -> None:
        """Read a photo and count."""
        pixels, tiles, writing, backs, plain = lettered
        sheet = _read(reader, pixels, tiles, backs)
        if plain is not None:
            before = _read(reader, plain, tiles, backs)
            self.plain.append(len(before.false))
            self.plain_sure += sum(before.detections[place].confidence >= SURE for place in before.false)
        self.tiles += len(tiles)
        self.right += sheet.right
        self.false.append(len(sheet.false))
        for place in sheet.false:
            seen = sheet.detections[place]
            self.sure += seen.confidence >= SURE
            if any(_lies_in(seen.box, box) for box in writing):
                self.on_writing += 1
                self.names[seen.tile] += 1

    def line(self, name: str) -> str:
        """One row of the table."""
        names = ", ".join(f"{name} {count}" for name, count in self.names.most_common(6))
        share = self.right / max(1, self.tiles)
        false, sure = _interval(self.false), f"{self.sure}"
        if self.plain:
            own = [with_rack - without for with_rack, without in zip(self.false, self.plain, strict=True)]
            false, sure = f"{false} | {_interval(self.plain)} | {_interval(own)}", f"{self.sure}, {self.plain_sure}"
        head = f"| {name} | {len(self.false)} | {false} | {self.on_writing} | {sure}"
        return f"{head} | {self.tiles} | {share:.4f} | {names} |"


def _read(reader: Reader, pixels: Pixels, tiles: Sequence[Label], backs: bool) -> Sheet:
    """The reading of a photo compared with its tiles."""
    detections = reader.read(Photo(pixels, (pixels.shape[1], pixels.shape[0]))).detections
    return compare("", "", tiles, detections, 0.0, unlabelled_backs=backs)


def _interval(counts: Sequence[int]) -> str:
    """The mean over photos, with its 95% interval."""
    rng = random.Random(7)
    drawn = sorted(float(np.mean(rng.choices(counts, k=len(counts)))) for _ in range(DRAWS))
    return f"{np.mean(counts):.3f} ({drawn[round(DRAWS * 0.025)]:.3f} to {drawn[round(DRAWS * 0.975) - 1]:.3f})"


def _lies_in(box: Box, other: Box) -> bool:
    """Whether the middle of a box is inside another."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return other[0] <= x <= other[2] and other[1] <= y <= other[3]


def made(args: argparse.Namespace, fonts: Sequence[Font]) -> Iterator[Lettered]:
    """Photos of drawn tiles with writing round them."""
    textures = sorted(args.textures.rglob("*.jpg")) if args.textures else []
    make_face, faces = face_maker(None), chinese_fonts()
    for number in range(args.seed, args.seed + args.photos):
        pixels, found = take_picture(random.Random(number), make_face, faces, textures=textures, writing=fonts)
        tiles = [Label(CLASSES[code], box) for code, box in found if code < len(CLASSES)]
        yield pixels, tiles, [box for code, box in found if code == len(CLASSES)], False, None


def painted(args: argparse.Namespace, fonts: Sequence[Font]) -> Iterator[Lettered]:
    """Photos of real tiles with a rack painted along them."""
    dataset, corrections = load_dataset(args.on, args.split), shipped_corrections()
    for path in dataset.photos[:: args.every]:
        photo = load_photo(path)
        w, h = photo.size
        labels = [
            Label(code, ((x - a / 2) * w, (y - b / 2) * h, (x + a / 2) * w, (y + b / 2) * h))
            for code, (x, y, a, b) in labels_of(path, dataset.codes)
        ]
        across, down = photo.scale
        tiles = [
            Label(one.tile, (one.box[0] / across, one.box[1] / down, one.box[2] / across, one.box[3] / down))
            for one in correct(labels, corrections.get(photo_key(path), ()), str(path))
        ]
        lettered = paint_rack(
            photo.pixels, [one.box for one in tiles], random.Random(f"{args.seed} {path.stem}"), fonts
        )
        if lettered is not None:
            yield lettered[0], tiles, lettered[1], path.stem in dataset.unlabelled_backs, photo.pixels


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=int, default=40)
    parser.add_argument("--models", type=Path, nargs="*", default=[], help="folders with manifest.json (shipped: none)")
    parser.add_argument("--fonts", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--textures", type=Path, help="folder with pictures of surfaces: also clutter and wooden racks")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--on", type=Path, metavar="DATA.yaml", help="paint the racks on photos of this set")
    parser.add_argument("--split", default="train")
    parser.add_argument("--every", type=int, default=6)
    args = parser.parse_args()
    fonts = lettering_fonts(only=args.fonts)
    if not fonts:
        parser.error("no font that has 麻 is installed" + (f" under {', '.join(args.fonts)}" if args.fonts else ""))
    readers = {str(folder or "shipped"): Reader.load(folder) for folder in args.models or [None]}
    counted = {name: Counted() for name in readers}
    for lettered in painted(args, fonts) if args.on else made(args, fonts):
        for name, reader in readers.items():
            counted[name].add(reader, lettered)
    racks = " without racks | the rack's own |" if args.on else ""
    print(f"| model | photos | false a photo |{racks} on writing | sure | tiles | right | named |")
    print(f"|{'---|' * (10 if args.on else 8)}")
    for name, count in counted.items():
        print(count.line(name))


if __name__ == "__main__":
    main()
