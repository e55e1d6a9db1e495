"""What a table remembers of the things beside its hands: questions saved, and true tiles put aside.

    python benchmarks/serving/known_things.py ../shared/data/tiles [--scene s3-tw-tan]...

The photos of a scene are of one table; they are read in the order of their names. A person puts every unread or
doubtful thing without a label aside, and the next photos know it (``webui/tile_sets/known_things.py``). Prints for each
scene: photos, questions about unread things without and with the memory, how many of the latter are about a true tile
(no memory may answer those), things that the memory put aside, and how many of these bear a label: a true tile that was
put aside without a word is the worst that can happen.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from vision.geometry import iou
from vision.models.manifest import CLASSES
from vision.photo.image import load_photo
from vision.reading.pipeline import Reader
from vision.training.data.dataset import labels_of
from webui.board.asking.aside import put_aside
from webui.board.asking.points import FLOWER, UNREAD, open_points
from webui.board.corrections import Move
from webui.board.editing import apply
from webui.board.limits import Box
from webui.board.photos.readings import board_of
from webui.board.state import Board, BoardPhoto, BoardTile
from webui.tile_sets.known_things import remember, with_known_things

SCENES = ("s3-tw-tan", "s4-riichi-table")
SAME = 0.4
GAME = "table"


@dataclass
class Counted:
    """What is counted for one scene."""

    photos: int = 0
    without: int = 0
    with_memory: int = 0
    about_tiles: int = 0
    aside: int = 0
    true: list[str] = field(default_factory=list)


def questions(board: Board) -> list[BoardTile]:
    """The things that the page asks about because they were not read."""
    asked = put_aside(board)
    return [asked.tiles[point.tiles[0]] for point in open_points(asked) if point.kind in (UNREAD, FLOWER)]


def boxes_of(path: Path, size: tuple[int, int]) -> list[Box]:
    """The labelled boxes of a photo in its pixels."""
    width, height = size
    return [
        ((x - w / 2) * width, (y - h / 2) * height, (x + w / 2) * width, (y + h / 2) * height)
        for _, (x, y, w, h) in labels_of(path, CLASSES)
    ]


def is_true(tile: BoardTile, labels: list[Box]) -> bool:
    """Whether a labelled tile lies in the box of a tile."""
    return any(tile.box is not None and iou(tile.box, label) > SAME for label in labels)


def scene_counted(paths: list[Path], reader: Reader) -> Counted:
    """The photos of one table, one after the other."""
    counted = Counted()
    photos: dict[str, Any] = {}
    services: Any = SimpleNamespace(shelf=SimpleNamespace(get=lambda name: name), load_photo=photos.get)
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            photo = photos[path.stem] = load_photo(path)
            reading = reader.read(photo)
            board = board_of(reading, [BoardPhoto(path.stem, path.name, reading.size)])
            labels = boxes_of(path, reading.size)
            known = with_known_things(board, services, Path(folder), GAME)
            put = [tile for tile, now in zip(board.tiles, known.tiles, strict=True) if tile != now]
            counted.photos += 1
            counted.without += len(questions(board))
            counted.with_memory += len(questions(known))
            counted.about_tiles += sum(is_true(tile, labels) for tile in questions(known))
            counted.aside += len(put)
            counted.true += [f"{path.stem}: {tile.tile}" for tile in put if is_true(tile, labels)]
            strange = [
                place
                for place, tile in enumerate(known.tiles)
                if not tile.placed
                and not tile.meld
                and (tile.open or tile.trust != "sure")
                and not is_true(tile, labels)
            ]
            answered = apply(known, [Move(tuple(strange), "other")]) if strange else known
            remember(replace(answered, photo=path.stem), services, Path(folder), GAME)
    return counted


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--scene", action="append")
    given = parser.parse_args()
    with (given.data / "sources.csv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["split"] == "train"]
    reader = Reader.load()
    print("| scene | photos | questions without | with the memory | about tiles | put aside | true tiles put aside |")
    print("|---|---|---|---|---|---|---|")
    for scene in given.scene or SCENES:
        paths = sorted(given.data / row["file"] for row in rows if row["scene_group"] == scene)
        counted = scene_counted(paths, reader)
        numbers = (
            counted.photos,
            counted.without,
            counted.with_memory,
            counted.about_tiles,
            counted.aside,
            len(counted.true),
        )
        print(f"| {scene} | {' | '.join(map(str, numbers))} |", flush=True)
        for tile in counted.true:
            print(f"  {tile}")


if __name__ == "__main__":
    main()
