"""Warnings of wrong readings, on photos of tiles that no network saw.

    python benchmarks/reading/unseen_designs.py [--photos 3] [--design NAME ...] [--by-chance]

Won hands of each design of art, with one to four of its flowers, on textures (``set_scenes.py``). A photo is ``wrong``
if a tile is missed, misnamed or invented. It is ``unsaid`` if it is wrong without a warning, a mark or an unread tile.
``unread``: unread tiles; ``surely``: wrong names with at least 0.8. With ``--by-chance`` the photos show 17 random
tiles and all eight flowers; printed is how many of both are named ``right`` and ``surely`` wrong.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from leave_sets_out import of_scene
from set_scenes import FLOWERS, Pixels, compose, designs

from scoring.tiles import CODES
from vision.detection.measure import Label, compare
from vision.detection.types import SURE
from vision.reading.pipeline import Reader

COLUMNS = ("photos", "tiles", "wrong", "surely", "missed", "unread", "photos wrong", "unsaid")
BY_CHANCE = ("photos", "others", "others wrong", "others surely", "flowers", "flowers right", "flowers surely", "false")
CHOWS = [CODES[at : at + 3] for start in (0, 9, 18) for at in range(start, start + 7)]


def won_hand(codes: Sequence[str], rng: random.Random) -> list[str]:
    """Five sets and a pair of tiles that the design has, no more than four of one."""
    while True:
        sets: list[Sequence[str]] = [
            rng.choice([[code] * 3 for code in codes] if rng.random() < 0.4 else CHOWS) for _ in range(5)
        ]
        hand = [code for one in sets for code in one] + [rng.choice(codes)] * 2
        if set(hand) <= set(codes) and max(hand.count(code) for code in hand) <= 4:
            return hand


def measure(reader: Reader, design: dict[str, Pixels], cuts: Sequence[Path], photos: int, seed: str) -> list[int]:
    """The numbers of COLUMNS for one design."""
    rng = random.Random(seed)
    codes, flowers = [code for code in CODES[:34] if code in design], [code for code in FLOWERS if code in design]
    count = dict.fromkeys(COLUMNS, 0)
    for _ in range(photos):
        hand, own = won_hand(codes, rng), rng.sample(flowers, min(len(flowers), rng.randint(1, 4)))
        scene = compose(design, [line for line in (hand, own) if line], cuts, rng)
        reading = reader.read(of_scene(scene))
        labels = [Label(code, box) for code, box in scene.tiles]
        sheet = compare("", "", labels, reading.detections, 0.0, unlabelled_backs=False)
        read = [one for one in reading.detections if not one.unread]
        misnamed = [read[j] for i, j in sheet.pairs if read[j].tile != labels[i].tile]
        told = any(one.about == "reading" for one in reading.checks) or len(read) < len(reading.detections)
        count["photos"] += 1
        count["tiles"] += len(labels)
        count["wrong"] += len(misnamed) + len(sheet.false)
        count["surely"] += sum(one.confidence >= SURE for one in (*misnamed, *(read[j] for j in sheet.false)))
        count["missed"] += len(sheet.missed)
        count["unread"] += len(reading.detections) - len(read)
        count["photos wrong"] += not sheet.exact
        count["unsaid"] += not sheet.exact and not told
    return list(count.values())


def measure_by_chance(
    reader: Reader, design: dict[str, Pixels], cuts: Sequence[Path], photos: int, seed: str
) -> list[int]:
    """The numbers of BY_CHANCE for one design."""
    rng = random.Random(seed)
    codes, own = [code for code in CODES[:34] if code in design], [code for code in FLOWERS if code in design]
    count = dict.fromkeys(BY_CHANCE, 0)
    for number in range(photos):
        hand = [rng.choice(codes) for _ in range(17)]
        rng.shuffle(own)
        lines = [hand, own] if number % 2 else [hand[:9], hand[9:], own]
        scene = compose(design, [line for line in lines if line], cuts, rng, turned=number % 3 == 0)
        labels = [Label(code, box) for code, box in scene.tiles]
        sheet = compare("", "", labels, reader.read(of_scene(scene)).detections, 0.0, unlabelled_backs=False)
        named = {i: sheet.detections[j] for i, j in sheet.pairs}
        count["photos"] += 1
        count["false"] += len(sheet.false)
        for place, label in enumerate(labels):
            one, kind = named.get(place), "flowers" if label.tile in FLOWERS else "others"
            right = one is not None and one.tile == label.tile
            count[kind] += 1
            count[f"{kind} surely"] += one is not None and not right and one.confidence >= SURE
            if kind == "flowers":
                count["flowers right"] += right
            else:
                count["others wrong"] += not right
    return list(count.values())


def rows(reader: Reader, args: argparse.Namespace) -> Iterator[str]:
    """A row for each design, and one for all."""
    columns, counted = (BY_CHANCE, measure_by_chance) if args.by_chance else (COLUMNS, measure)
    cuts, total = sorted(args.textures.rglob("*.jpg")), [0] * len(columns)
    for name, design in designs(args.art).items():
        if (args.design and name not in args.design) or not any(code in design for code in CODES[:34]):
            continue
        count = counted(reader, design, cuts, args.photos, name)
        total = [one + more for one, more in zip(total, count, strict=True)]
        yield f"| {name} | {' | '.join(map(str, count))} |"
    yield f"| **all designs** | {' | '.join(map(str, total))} |"


def main() -> None:
    """Print the table of the model card."""
    data = Path("../shared/data")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, default=data / "art")
    parser.add_argument("--textures", type=Path, default=data / "textures")
    parser.add_argument("--models", type=Path, help="folder with manifest.json and the weights")
    parser.add_argument("--photos", type=int, default=3, help="photos of each design (default: 3)")
    parser.add_argument("--design", action="append", help="only this one")
    parser.add_argument("--by-chance", action="store_true", help="17 tiles by chance and all eight flowers")
    args = parser.parse_args()
    columns = BY_CHANCE if args.by_chance else COLUMNS
    print(f"| design | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for row in rows(Reader.load(args.models), args):
        print(row, flush=True)


if __name__ == "__main__":
    main()
