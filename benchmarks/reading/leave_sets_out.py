"""How well flowers are read after one photo of them.

    python benchmarks/reading/leave_sets_out.py [--designs] [--scenes] [--faces SPLIT]

Designs are whole sets of art laid on textures (``set_scenes.py``): the eight flowers of each are shown once, then hands
with flowers among other tiles of the same set are read with and without that tile set. Scenes are the real photos of
train and val: the flowers of the photo that shows most of them are the set, the scene's other photos are read.

- ``flowers``: flowers of the set that were found; ``plain`` and ``with set``: the share of them named right.
- ``sure wrong``: tiles that the set decided, wrong, with at least 0.8; ``made wrong``: tiles named right without the
  set and wrong with it, of them so sure in brackets.
- ``refused``: photos of the eight flowers whose number of tiles was not eight; they count with no flower right.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from set_scenes import FLOWERS, Scene, compose, designs

from vision.detection.measure import Label, Sheet, compare
from vision.detection.types import Detection
from vision.geometry import iou
from vision.models.manifest import CLASSES
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader
from vision.tileset.enrolment import crop_of, enrol, seen_whole
from vision.tileset.matcher import Matcher
from vision.tileset.values import Reference, TileSet, TileSetError
from vision.training.data.corrections import Corrections, correct, photo_key
from vision.training.data.dataset import labels_of
from vision.training.evaluation.evaluate import shipped_corrections

SURE = 0.8
LEAST_IOU = 0.5
FEWEST_FLOWERS = 4
"""Scenes without a photo of this many different flowers teach no set."""
Labels = Sequence[tuple[str, tuple[float, float, float, float]]]


@dataclass
class Count:
    """The counts of one design or scene."""

    photos: int = 0
    flowers: int = 0
    plain: int = 0
    with_set: int = 0
    others: int = 0
    sure_wrong: int = 0
    made_wrong: int = 0
    made_wrong_sure: int = 0
    refused: int = 0

    def add(self, other: Count) -> None:
        """Count another one's too."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def line(self, name: str) -> str:
        """One row of the table in the model card."""
        flowers = max(self.flowers, 1)
        shares = f"{self.plain / flowers:.3f} | {self.with_set / flowers:.3f}"
        wrong = f"{self.sure_wrong} | {self.made_wrong} ({self.made_wrong_sure})"
        return f"| {name} | {self.photos} | {self.flowers} | {shares} | {self.others} | {wrong} | {self.refused} |"


def named(detections: Sequence[Detection], labels: Labels) -> list[Detection | None]:
    """The detection on each label."""
    found: list[Detection | None] = []
    detections = [one for one in detections if not one.unread]
    for _, box in labels:
        best = max(detections, key=lambda one: iou(one.box, box), default=None)
        found.append(best if best is not None and iou(best.box, box) >= LEAST_IOU else None)
    return found


def measure(reader: Reader, matcher: Matcher, photo: Photo, labels: Labels) -> Count:
    """Read one photo with and without the set."""
    count = Count(photos=1)
    plain, own = named(reader.detect(photo), labels), named(reader.detect(photo, matcher), labels)
    for (code, _), before, after in zip(labels, plain, own, strict=True):
        was, now = before is not None and before.tile == code, after is not None and after.tile == code
        if code in matcher.tile_set.codes:
            count.flowers += 1
            count.plain += was
            count.with_set += now
        else:
            count.others += 1
        sure = after is not None and after.confidence >= SURE
        if after is not None and after.by == "set":
            count.sure_wrong += sure and not now
        count.made_wrong += was and not now
        count.made_wrong_sure += was and not now and sure
    return count


def of_scene(scene: Scene) -> Photo:
    """A composite as a photo."""
    return Photo(scene.pixels, (scene.pixels.shape[1], scene.pixels.shape[0]))


def measure_designs(reader: Reader, art: Path, textures: Path, enrolments: int, tests: int) -> Iterator[str]:
    """A row for each design, and one for all."""
    cuts = sorted(textures.rglob("*.jpg"))
    total = Count()
    for name, design in designs(art).items():
        codes = [code for code in CLASSES[:34] if code in design]
        if not codes or not set(FLOWERS) <= design.keys():  # no hand, or nothing to teach
            continue
        rng = random.Random(name)
        count = Count()
        for number in range(enrolments):
            rows = [FLOWERS] if number % 2 else [FLOWERS[:4], FLOWERS[4:]]
            shown = of_scene(compose(design, rows, cuts, rng))
            try:
                taught = enrol(shown, reader.detector, reader.classifier, len(FLOWERS)).named(FLOWERS)
            except TileSetError:
                taught = ()
                count.refused += 1
            matcher = reader.matcher(TileSet("measured", taught))
            for test in range(tests):
                flowers, hand = list(FLOWERS), [rng.choice(codes) for _ in range(17)]
                rng.shuffle(flowers)
                lines = [hand, flowers] if test % 2 else [hand[:9], hand[9:], flowers]
                scene = compose(design, lines, cuts, rng, turned=test % 3 == 0)
                if taught:
                    count.add(measure(reader, matcher, of_scene(scene), scene.tiles))
                else:
                    count.add(Count(photos=1, flowers=len(flowers), others=len(hand)))
        total.add(count)
        yield count.line(name)
    yield total.line("**all designs**")


def measure_scenes(reader: Reader, tiles: Path, most: int) -> Iterator[str]:
    """A row for each real scene that shows a set, and one for all."""
    scenes: dict[str, list[str]] = {}
    with (tiles / "sources.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            scenes.setdefault(f"{row['split']} {row['scene_group']}", []).append(row["file"])
    corrections = shipped_corrections()
    total = Count()
    for name, files in sorted(scenes.items()):
        flowers = {file: len({code for code, _ in labels_of(tiles / file, CLASSES)} & set(FLOWERS)) for file in files}
        first, *rest = sorted(files, key=lambda file: -flowers[file])
        rest = [file for file in rest if flowers[file]]
        if flowers[first] < FEWEST_FLOWERS or not rest:
            continue
        random.Random(name).shuffle(rest)
        photo = load_photo(tiles / first)
        shown = true_labels(tiles / first, photo, corrections)
        found = named(reader.detect(photo), shown)
        references: dict[str, Reference] = {}
        sx, sy = photo.scale
        for (code, _), one in zip(shown, found, strict=True):
            if one is not None and code in FLOWERS:
                box = np.array(one.box) / (sx, sy, sx, sy)
                references.setdefault(code, Reference(code, crop_of(photo.pixels, [float(v) for v in box])))
        matcher = reader.matcher(TileSet("measured", tuple(references.values())))
        count = Count()
        for file in rest[:most]:
            photo = load_photo(tiles / file)
            count.add(measure(reader, matcher, photo, true_labels(tiles / file, photo, corrections)))
        total.add(count)
        yield count.line(name)
    yield total.line("**all scenes**")


def measure_faces(reader: Reader, tiles: Path, split: str, most: int) -> Iterator[str]:
    """A set may only help: a row for each scene of a split, whose photo of the most different faces is the set, and
    whose other photos are read with it and without, photo by photo."""
    scenes: dict[str, list[str]] = {}
    with (tiles / "sources.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["split"] == split:
                scenes.setdefault(row["scene_group"], []).append(row["file"])
    corrections = shipped_corrections()
    total = [0] * 7
    for name, files in sorted(scenes.items()):
        faces = {file: len({code for code, _ in labels_of(tiles / file, CLASSES)}) for file in files}
        first, *rest = sorted(files, key=lambda file: -faces[file])
        random.Random(name).shuffle(rest)
        if not rest:
            continue
        photo = load_photo(tiles / first)
        shown = true_labels(tiles / first, photo, corrections)
        boxes = np.array([box for _, box in shown]) / np.array(photo.scale * 2)
        whole = seen_whole(boxes, photo.pixels.shape[:2])
        references = tuple(
            Reference(code, crop_of(photo.pixels, [float(v) for v in box]))
            for (code, _), box, is_whole in zip(shown, boxes, whole, strict=True)
            if is_whole
        )
        matcher = reader.matcher(TileSet("measured", references))
        count = [0] * 7
        for file in rest[:most]:
            photo = load_photo(tiles / file)
            labels = [Label(code, box) for code, box in true_labels(tiles / file, photo, corrections)]
            before, after = (
                compare(file, name, labels, reader.detect(photo, own), 0.0, unlabelled_backs=True)
                for own in (None, matcher)
            )
            better, worse = after.exact and not before.exact, before.exact and not after.exact
            row_of = (1, before.exact, after.exact, better, worse, _surely_wrong(before), _surely_wrong(after))
            count = [one + int(more) for one, more in zip(count, row_of, strict=True)]
        total = [one + more for one, more in zip(total, count, strict=True)]
        yield f"| {split} {name} | {len(references)} | {' | '.join(map(str, count))} |"
    yield f"| **all** | | {' | '.join(map(str, total))} |"


def _surely_wrong(sheet: Sheet) -> int:
    named = [sheet.detections[j] for i, j in sheet.pairs if sheet.detections[j].tile != sheet.labels[i].tile]
    return sum(one.confidence >= SURE for one in (*named, *(sheet.detections[j] for j in sheet.false)))


def true_labels(path: Path, photo: Photo, corrections: Corrections) -> Labels:
    """The photo's labels, put right by the committed list, with boxes x1 y1 x2 y2 in pixels of the full photo."""
    w, h = photo.size
    raw = [
        Label(code, ((x - a / 2) * w, (y - b / 2) * h, (x + a / 2) * w, (y + b / 2) * h))
        for code, (x, y, a, b) in labels_of(path, CLASSES)
    ]
    return [(one.tile, one.box) for one in correct(raw, corrections.get(photo_key(path), ()), str(path))]


def main() -> None:
    """Print the tables of the model card."""
    data = Path("../shared/data")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, default=data / "art")
    parser.add_argument("--textures", type=Path, default=data / "textures")
    parser.add_argument("--tiles", type=Path, default=data / "tiles")
    parser.add_argument("--models", type=Path, help="folder with manifest.json and the weights")
    parser.add_argument("--enrolments", type=int, default=4, help="photos of the flowers of each design (default: 4)")
    parser.add_argument("--tests", type=int, default=5, help="photos read with each (default: 5)")
    parser.add_argument("--most", type=int, default=12, help="photos of a scene (default: 12)")
    parser.add_argument("--designs", action="store_true", help="designs only")
    parser.add_argument("--scenes", action="store_true", help="real scenes only")
    parser.add_argument(
        "--faces", metavar="SPLIT", help="sets of all faces of one photo of each scene, and nothing else"
    )
    args = parser.parse_args()
    reader = Reader.load(args.models)
    print(json.dumps({"model": reader.models.manifest.get("name") if reader.models else None}))
    if args.faces:
        print("| scene | references | photos | whole | with set | better | worse | surely wrong | with set |")
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
        for line in measure_faces(reader, args.tiles, args.faces, args.most):
            print(line, flush=True)
        return
    head = "photos | flowers | plain | with set | other tiles | sure wrong | made wrong | refused"
    if not args.scenes:
        print(f"| design | {head} |\n|---|---|---|---|---|---|---|---|---|", flush=True)
        for line in measure_designs(reader, args.art, args.textures, args.enrolments, args.tests):
            print(line, flush=True)
    if not args.designs:
        print(f"| scene | {head} |\n|---|---|---|---|---|---|---|---|---|", flush=True)
        for line in measure_scenes(reader, args.tiles, args.most):
            print(line, flush=True)


if __name__ == "__main__":
    main()
