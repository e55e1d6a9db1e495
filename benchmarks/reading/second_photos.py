"""Which photos a second one is asked for, and what it settles.

    python benchmarks/reading/second_photos.py DATA.yaml [--split train] [--every 1] [--fewest 8] [--seed 7]

Photos with at least ``--fewest`` labelled tiles (of ``train`` only those that the classifier's training held out) are
made worse in one way after the other, as a first photo:

- ``as it is``: unchanged; ``blur``: out of focus by 0.07 of a tile; ``small``: a tile's side is 14 pixels;
- ``cut``: the photo ends in the middle of the tile that lies farthest to the right; ``glare``: a white spot on three
  tiles of the row.

The second photo is the picture as it was, from a little elsewhere (turned by up to 4°, at 0.9 to 1.1 of its size, one
corner drawn in by up to 3%). Both are read and merged as the page does. A hand is the tiles of a photo: how many it
should have is known from the labels. Prints in Markdown, for each way:

- ``asked``: photos for which a second one is asked; ``tiles``: how many it is asked about; ``refused``: the second did
  not fit and was left out;
- of those asked, before and after: ``wrong``: hands with a tile misnamed, missed or made up; ``unsaid``: wrong ones
  that have their number of tiles, of which no wrong tile is marked, and whose photo is said to be good; ``doubts``:
  tiles in doubt, which have to be looked at one by one;
- ``not asked``: photos for which none is asked, ``wrong`` and ``unsaid`` of them.

Then how much a second look at a tile tells: of the tiles named in both photos, by how many of the two are sure of their
name, how many bear the same one in both and how many of those are right; and for each weight of the second look
(``pool`` of ``vision/multiview/merge.py``, before its bound) the logarithmic loss of the pooled names, as many as are
sure, and how many of these are wrong; once more without charts: photos with four things and more without a label.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.measure import Label
from vision.detection.types import SURE, Detection
from vision.geometry import iou
from vision.multiview.merge import merge, pool
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader
from vision.reading.reading import Reading
from vision.training.data.corrections import correct, photo_key
from vision.training.data.crops import is_held_out
from vision.training.data.dataset import Dataset, labels_of, load_dataset
from vision.training.evaluation.evaluate import shipped_corrections
from webui.board.panels.reading.second_photo import second_photo
from webui.board.photos.merge import with_second
from webui.board.photos.readings import board_of
from webui.board.state import Board, BoardPhoto

Pixels = NDArray[np.uint8]
Box = tuple[float, float, float, float]
BLUR, SIDE, SPOT = 0.07, 14.0, 3
"""Blur in tiles (standard deviation), pixels of a small tile's side, tiles under a light spot."""
WEIGHTS = (0.0, 0.25, 0.5, 1.0)
CHART, OVER, LEAST = 4, 0.4, 0.001
"""Unlabelled things that make a photo a chart, overlap of a tile with its label, probability of an unlisted name."""


@dataclass(frozen=True)
class Taken:
    """A photo with its tiles, and whether face-down tiles lie in it without labels."""

    pixels: Pixels
    labels: tuple[Label, ...]
    backs: bool


def photos(dataset: Dataset, split: str, every: int, fewest: int) -> list[Taken]:
    """The photos to be made worse, in pixels as they are read."""
    corrections, found = shipped_corrections(), []
    for path in dataset.photos:
        scene = dataset.scenes.get(path.stem, "")
        if split == "train" and not is_held_out(path.stem, scene):
            continue
        photo = load_photo(path)
        w, h = photo.size
        labels = [
            Label(code, ((x - a / 2) * w, (y - b / 2) * h, (x + a / 2) * w, (y + b / 2) * h))
            for code, (x, y, a, b) in labels_of(path, dataset.codes)
        ]
        labels = correct(labels, corrections.get(photo_key(path), ()), str(path))
        if len(labels) >= fewest:
            (sx, sy), backs = photo.scale, path.stem in dataset.unlabelled_backs
            scaled = (
                Label(one.tile, (one.box[0] / sx, one.box[1] / sy, one.box[2] / sx, one.box[3] / sy)) for one in labels
            )
            found.append(Taken(photo.pixels, tuple(scaled), backs))
    return found[::every]


def _side(labels: Sequence[Label]) -> float:
    """The usual tile's side in pixels."""
    boxes = np.array([one.box for one in labels])
    return float(np.median(np.sqrt((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))))


def _blurred(taken: Taken, rng: random.Random) -> Pixels:
    return np.asarray(cv2.GaussianBlur(taken.pixels, (0, 0), BLUR * _side(taken.labels)), np.uint8)


def _small(taken: Taken, rng: random.Random) -> Pixels:
    scale = min(1.0, SIDE / _side(taken.labels))
    return np.asarray(cv2.resize(taken.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _cut(taken: Taken, rng: random.Random) -> Pixels:
    last = max(taken.labels, key=lambda one: one.box[2]).box
    return taken.pixels[:, : max(8, round((last[0] + last[2]) / 2))].copy()


def _glared(taken: Taken, rng: random.Random) -> Pixels:
    """A spot of light, white in its middle, over a tile and its neighbours."""
    x1, y1, x2, y2 = rng.choice(taken.labels).box
    x, y, side = (x1 + x2) / 2, (y1 + y2) / 2, _side(taken.labels)
    ys, xs = np.mgrid[: taken.pixels.shape[0], : taken.pixels.shape[1]]
    far = np.hypot((xs - x) / (SPOT * 0.5 * side), (ys - y) / (0.7 * side))
    light = np.clip(1.6 - far, 0, 1)[:, :, None]
    return np.asarray(taken.pixels * (1 - light) + 255 * light, np.uint8)


WAYS: dict[str, Callable[[Taken, random.Random], Pixels]] = {
    "as it is": lambda taken, rng: taken.pixels,
    "blur": _blurred,
    "small": _small,
    "cut": _cut,
    "glare": _glared,
}


def _elsewhere(pixels: Pixels, rng: random.Random) -> Pixels:
    """The same table from a little elsewhere."""
    height, width = pixels.shape[:2]
    turn, scale = math.radians(rng.uniform(-4, 4)), rng.uniform(0.9, 1.1)
    c, s = scale * math.cos(turn), scale * math.sin(turn)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    moved = (corners - (width / 2, height / 2)) @ np.array([[c, s], [-s, c]])
    moved[rng.randrange(4)] *= 1 - rng.uniform(0, 0.03)
    moved -= moved.min(axis=0)
    w, h = (math.ceil(value) for value in moved.max(axis=0))
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), moved.astype(np.float32))
    return np.asarray(
        cv2.warpPerspective(pixels, matrix, (w, h), borderMode=cv2.BORDER_REPLICATE, flags=cv2.INTER_AREA), np.uint8
    )


def _read(reader: Reader, pixels: Pixels) -> Reading:
    return reader.read(Photo(pixels, (pixels.shape[1], pixels.shape[0])))


def _board(reading: Reading) -> Board:
    """All tiles of the photo count as the hand, even if the layout sets them aside."""
    board = board_of(reading, [BoardPhoto("a0", "0.jpg", reading.size)])
    tiles = (replace(one, group="concealed") if one.group == "other" else one for one in board.tiles)
    return replace(board, tiles=tuple(tiles))


@dataclass
class Row:
    """The counts of one way."""

    photos: int = 0
    asked: int = 0
    tiles: int = 0
    refused: int = 0
    wrong_before: int = 0
    unsaid_before: int = 0
    doubts_before: int = 0
    wrong_after: int = 0
    unsaid_after: int = 0
    doubts_after: int = 0
    quiet: int = 0
    quiet_wrong: int = 0
    quiet_unsaid: int = 0

    def line(self) -> str:
        """The numbers as cells."""
        return " | ".join(str(getattr(self, one.name)) for one in fields(self))


def _judged(board: Board, taken: Taken) -> tuple[bool, bool, int]:
    """Whether the tiles of a board differ from the labels; whether the board hides that; the number of doubtful
    tiles."""
    marked = [one for one in board.tiles if one.trust in ("unsure", "doubtful")]
    seen, truth = Counter(one.tile for one in board.tiles), Counter(one.tile for one in taken.labels)
    if taken.backs:
        del seen["back"], truth["back"]
    surplus = seen - truth
    wrong = seen != truth
    told = surplus & Counter(one.tile for one in marked) or any(note.about == "photo" for note in board.notes)
    hidden = wrong and seen.total() == truth.total() and not told
    return wrong, hidden, len(marked)


def count(first: Reading, second: Reading, taken: Taken, row: Row) -> None:
    """Count one photo made worse, and its second one if the page asks for it."""
    board = _board(first)
    row.photos += 1
    wrong, hidden, doubts = _judged(board, taken)
    wanted = second_photo(board, max(0, len(taken.labels) - len(board.tiles)))
    if wanted is None:
        row.quiet += 1
        row.quiet_wrong += wrong
        row.quiet_unsaid += hidden
        return
    row.asked += 1
    row.tiles += len(wanted.tiles)
    row.wrong_before += wrong
    row.unsaid_before += hidden
    row.doubts_before += doubts
    photo = BoardPhoto("a1", "1.jpg", second.size)
    together = with_second(board, [second], [photo], lambda one: abs(len(taken.labels) - len(one.tiles)))
    row.refused += together is None
    together = together or board
    wrong, hidden, doubts = _judged(together, taken)
    row.wrong_after += wrong
    row.unsaid_after += hidden
    row.doubts_after += doubts


@dataclass(frozen=True)
class Twice:
    """A tile that both photos name, by its detections, and its label (empty without one)."""

    first: Detection
    second: Detection
    truth: str

    @property
    def sure(self) -> int:
        """How many of the photos are sure of its name."""
        return sum(one.confidence >= SURE for one in (self.first, self.second))


def seen_twice(first: Reading, second: Reading, taken: Taken) -> list[Twice]:
    """The tiles that both photos name."""
    scale, found = taken.pixels.shape[0] / first.size[1], []
    for seen in merge([first, second]).sightings:
        boxes = {one.photo: one.box for one in seen}
        if len(boxes) == 2:
            a, b = (
                next(one for one in reading.detections if one.box == boxes[photo])
                for photo, reading in enumerate((first, second))
            )
            if not a.unread and not b.unread:
                found.append(Twice(a, b, _label_at(_scaled(a.box, scale), taken.labels)))
    return found


def _scaled(box: Box, scale: float) -> Box:
    x1, y1, x2, y2 = (value * scale for value in box)
    return x1, y1, x2, y2


def _label_at(box: Box, labels: Sequence[Label]) -> str:
    """The tile of the label that covers a box; empty without one."""
    best = max(labels, key=lambda one: iou(one.box, box))
    return best.tile if iou(best.box, box) >= OVER else ""


def show_twice(tiles: Sequence[Twice]) -> None:
    """Print the value of a second look, by how many of both are sure."""
    print("| sure | tiles | same name | right |", *(f" {weight}: loss, sure, wrong |" for weight in WEIGHTS), sep="")
    print("|---|", "---|" * (3 + len(WEIGHTS)), sep="")
    for sure in range(3):
        those = [one for one in tiles if one.sure == sure]
        same = [one for one in those if one.first.tile == one.second.tile]
        cells = [f"{sure}", f"{len(those)}", f"{len(same)}", f"{sum(one.first.tile == one.truth for one in same)}"]
        print("|", " | ".join([*cells, *(_pooled(those, weight) for weight in WEIGHTS)]), "|")


def _pooled(tiles: Sequence[Twice], weight: float) -> str:
    """Loss, sure ones and wrong ones of these among the pooled names."""
    loss, sure, wrong = 0.0, 0, 0
    for one in tiles:
        names = pool([dict(one.first.names), dict(one.second.names)], weight)
        (code, confidence), *_ = names
        none = 1 - sum(share for _, share in names)
        loss -= math.log(max(LEAST, dict(names).get(one.truth, 0.0) if one.truth else none))
        sure += confidence >= SURE
        wrong += confidence >= SURE and code != one.truth
    return f"{loss / max(1, len(tiles)):.3f}, {sure}, {wrong}"


def main() -> None:
    """Print the table of the model card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", default="train")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--fewest", type=int, default=8)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--models", type=Path, help="folder with manifest.json and the weights")
    args = parser.parse_args()
    reader = Reader.load(args.models)
    rows = {way: Row() for way in WAYS}
    twice: list[Twice] = []
    plain: list[Twice] = []
    for number, taken in enumerate(photos(load_dataset(args.data, args.split), args.split, args.every, args.fewest)):
        rng = random.Random(f"{args.seed} {number}")
        second = _read(reader, _elsewhere(taken.pixels, rng))
        found: dict[str, list[Twice]] = {}
        for way, row in rows.items():
            first = _read(reader, WAYS[way](taken, rng))
            count(first, second, taken, row)
            found[way] = seen_twice(first, second, taken)
        chart = sum(not one.truth for one in found["as it is"]) >= CHART
        these = [one for ones in found.values() for one in ones]
        twice += these
        plain += [] if chart else these
    print("| | photos | asked | tiles | refused | wrong | unsaid | doubts", end=" | ")
    print("wrong after | unsaid after | doubts after | not asked | wrong | unsaid |\n|---|", "---|" * 13, sep="")
    for way, row in rows.items():
        print(f"| {way} | {row.line()} |")
    for name, tiles in (("all photos", twice), ("charts left out", plain)):
        print(f"\nTiles named in both, {name}:\n")
        show_twice(tiles)


if __name__ == "__main__":
    main()
