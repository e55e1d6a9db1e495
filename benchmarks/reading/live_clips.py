"""What the live view makes of clips: the names that all frames together give a tile, beside those of single frames.

    python benchmarks/reading/live_clips.py ../shared/data/tiles/data.yaml [--split train] [--every 60] [--frames 18]
    python benchmarks/reading/live_clips.py datasets/rendered/data.yaml --split val --every 1

A clip is one photo as a camera in the hand sees it (:data:`KINDS`): it comes from beside the tiles, is held over them
and trembles; and shakes again (``shaken``), loses the focus (``unfocused``), a lamp is mirrored in the tiles
(``glare``), or a hand passes over them (``hand``). Frames are as the page sends them: 960 pixels, JPEG. Every photo
gives one clip of each of ``--kinds`` (each kind in turn with ``--turns``). Prints in Markdown, for each kind:

in how many of the frames the view shows tiles and has not lost them (``shown``); over these the share of tiles right,
the false tiles a frame and the names that are wrong or false with 0.8 and more, in the single frame and voted; how many
clips settle, after how many seconds (at ``--rate`` frames a second, median); and how many of these are whole then:
voted, and the single frame at that moment. A tile under the hand counts as one of the frame's: the vote may know it.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection.measure import Label, Sheet, compare
from vision.detection.types import SURE, Detection
from vision.multiview.tracking import Tracking
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader
from vision.training.data.changes import moved, shaken
from vision.training.data.corrections import correct, photo_key
from vision.training.data.dataset import labels_of, load_dataset
from vision.training.evaluation.evaluate import shipped_corrections

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]
KINDS = ("held", "shaken", "unfocused", "glare", "hand")
FRAME, QUALITY = 960, 80
"""Longer side in pixels and JPEG quality of a frame, as ``webui/static/js/upload/live.js`` sends it."""
LEAST, MOST = 5, 40
"""Photos with fewer or more tiles are left out."""
ARRIVES = 4
"""Frames for which the camera still moves at the beginning."""


@dataclass(frozen=True)
class Frame:
    """One frame of a clip, (h, w, 3) RGB, and its tiles."""

    pixels: Pixels
    tiles: tuple[Label, ...]


def clip(pixels: Pixels, tiles: Sequence[Label], kind: str, frames: int, rng: random.Random) -> Iterator[Frame]:
    """The frames of one photo (RGB) with these tiles, in its pixels.

    `kind`: one of KINDS; `frames`: how many; `rng`: draws path, blur and light.
    """
    share = FRAME / max(pixels.shape[:2])
    w, h = round(pixels.shape[1] * share), round(pixels.shape[0] * share)
    tile = share * float(np.median([max(one.box[2] - one.box[0], one.box[3] - one.box[1]) for one in tiles]))
    path = _path(kind, frames, rng)
    again = range(frames // 2, frames // 2 + 4)  # the frames of the disturbance
    centers = [((one.box[0] + one.box[2]) / 2 * share, (one.box[1] + one.box[3]) / 2 * share) for one in tiles]
    spot = np.array(rng.choice(centers))
    gain = rng.uniform(0.75, 1.1)
    before = path[0]
    for number, place in enumerate(path):
        x, y, turn, grow = place
        matrix = np.asarray(cv2.getRotationMatrix2D((w / 2, h / 2), turn, grow), np.float64)
        matrix[:, 2] += (x * tile, y * tile)
        matrix[:, :2] *= share
        size = (w, h)
        laid = cv2.warpAffine(pixels, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        out: Pixels = laid.astype(np.uint8, copy=False)
        if kind == "glare" and number >= ARRIVES:
            # Mirrored light does not go with the tiles: it wanders over them as the camera moves.
            out = _glare(out, spot + np.array([x, y]) * -3 * tile + number * 0.25 * tile, 1.6 * tile)
        if kind == "hand" and number in again:
            out = _hand(out, centers, tile, (number - again.start + 1) / (len(again) + 1))
        # An exposure of 1/30 s at three frames a second sees a tenth of the way, and the hand trembles.
        way = math.hypot(x - before[0], y - before[1])
        blur = 0.1 * way + abs(rng.gauss(0, 0.025)) + (rng.uniform(0.08, 0.25) if _shakes(kind, number, again) else 0.0)
        out, _ = shaken(blur, rng.uniform(0, 180))(out, tile)
        if kind == "unfocused" and number in again:
            out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.03, 0.08) * tile).astype(np.uint8, copy=False)
        grit = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(out.shape) * rng.uniform(2, 6)
        out = (out * (gain * rng.uniform(0.97, 1.03)) + grit).clip(0, 255).astype(np.uint8)
        yield Frame(_sent(out), tuple(moved(tiles, matrix)))
        before = place


def _path(kind: str, frames: int, rng: random.Random) -> list[tuple[float, float, float, float]]:
    """Shift in tile lengths, turn in degrees and scale of each frame: approaching the tiles, then held and trembling;
    ``shaken`` moves once more."""
    side = rng.choice((-1, 1))
    away = (side * rng.uniform(1.5, 3), rng.uniform(-1, 1), rng.uniform(-6, 6), rng.uniform(0.9, 1.0))
    rest = (rng.uniform(-0.1, 0.1), rng.uniform(-0.1, 0.1), rng.uniform(-3, 3), rng.uniform(0.92, 1.0))
    path = []
    for number in range(frames):
        left = max(0.0, 1 - number / ARRIVES)
        if kind == "shaken" and number in range(frames // 2, frames // 2 + 3):
            left = 0.15
        x, y, turn, grow = (a * left + b * (1 - left) for a, b in zip(away, rest, strict=True))
        path.append((x + rng.gauss(0, 0.04), y + rng.gauss(0, 0.04), turn + rng.gauss(0, 0.3), grow))
    return path


def _shakes(kind: str, number: int, again: range) -> bool:
    return number < ARRIVES or (kind == "shaken" and number in again)


def _glare(pixels: Pixels, middle: Floats, radius: float) -> Pixels:
    """A lamp mirrored at a place (pixels), as large as its radius."""
    h, w = pixels.shape[:2]
    ys, xs = np.ogrid[:h, :w]
    light = np.exp(-((xs - middle[0]) ** 2 + (ys - middle[1]) ** 2) / (2 * radius**2))
    lit: Pixels = (pixels + 230 * light[..., None]).clip(0, 255).astype(np.uint8)
    return lit


def _hand(pixels: Pixels, centers: Sequence[tuple[float, float]], tile: float, share: float) -> Pixels:
    """A hand that has come so far over the tiles: an arm from below and four fingers."""
    out = np.ascontiguousarray(pixels)
    xs, ys = [x for x, _ in centers], [y for _, y in centers]
    x = min(xs) + (max(xs) - min(xs)) * share
    y = float(np.median(ys))
    skin = (205, 160, 130)
    cv2.line(out, (round(x + tile), out.shape[0]), (round(x), round(y + tile)), skin, max(1, round(1.6 * tile)))
    cv2.circle(out, (round(x), round(y + 0.6 * tile)), max(1, round(1.1 * tile)), skin, -1, cv2.LINE_AA)
    for finger in range(4):
        fx = x + (finger - 1.5) * 0.5 * tile
        tip = (round(fx), round(y - 0.9 * tile))
        cv2.line(out, (round(fx), round(y + 0.4 * tile)), tip, (195, 148, 118), max(1, round(0.42 * tile)), cv2.LINE_AA)
    return out


def _sent(pixels: Pixels) -> Pixels:
    """As the page sends a frame."""
    _, coded = cv2.imencode(".jpg", pixels[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    back = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    assert back is not None
    return np.ascontiguousarray(back[:, :, ::-1], np.uint8)


@dataclass
class Counted:
    """What single frames and votes say, over the clips of one kind."""

    all_frames: int = 0
    frames: int = 0
    tiles: int = 0
    single: list[int] = field(default_factory=lambda: [0, 0, 0])
    voted: list[int] = field(default_factory=lambda: [0, 0, 0])
    clips: int = 0
    settled: list[int] = field(default_factory=list)
    whole: list[tuple[bool, bool]] = field(default_factory=list)

    def line(self, kind: str, rate: float) -> str:
        """One row of the table."""

        def told(counts: Sequence[int]) -> str:
            right, false, sure = counts
            return f"{right / max(1, self.tiles):.4f} | {false / max(1, self.frames):.3f} | {sure}"

        seconds = f"{float(np.median(self.settled)) / rate:.1f}" if self.settled else ""
        whole = f"{sum(voted for voted, _ in self.whole)} | {sum(single for _, single in self.whole)}"
        shown = f"{self.clips} | {self.frames} of {self.all_frames} | {self.tiles}"
        return (
            f"| {kind} | {shown} | {told(self.single)} | {told(self.voted)} "
            f"| {len(self.settled)} | {seconds} | {whole} |"
        )


Seen = tuple[tuple[Label, ...], tuple[Detection, ...], tuple[int, int]]
"""A frame: its tiles, its detections, its size."""


def count(counted: Sequence[Counted], seen: Sequence[Seen], backs: bool) -> None:
    """Follow one clip and add its results; `backs`: whether it shows unlabelled face-down tiles."""
    tracking, settled = Tracking(), False
    for one in counted:
        one.clips += 1
    for number, (tiles, detections, size) in enumerate(seen, start=1):
        tracking = tracking.after(detections, size)
        single = compare("", "", tiles, detections, 0.0, unlabelled_backs=backs)
        voted = compare("", "", tiles, [track.voted for track in tracking.shown], 0.0, unlabelled_backs=backs)
        for one in counted:
            one.all_frames += 1
            if tracking.shown and not tracking.lost:
                one.frames += 1
                one.tiles += len(tiles)
                for counts, sheet in ((one.single, single), (one.voted, voted)):
                    counts[0] += sheet.right
                    counts[1] += len(sheet.false)
                    counts[2] += surely_wrong(sheet)
            if tracking.stable and not settled:
                one.settled.append(number)
                one.whole.append((voted.exact, single.exact))
        settled = settled or tracking.stable


def surely_wrong(sheet: Sheet) -> int:
    """Names that are wrong or of no tile, with 0.8 and more."""
    wrong = [j for i, j in sheet.pairs if sheet.labels[i].tile != sheet.detections[j].tile]
    return sum(sheet.detections[j].confidence >= SURE for j in (*wrong, *sheet.false))


def clips(args: argparse.Namespace, reader: Reader) -> Iterator[tuple[str, list[Seen], bool]]:
    """Kind of each clip, the readings of its frames, and whether it has unlabelled face-down tiles."""
    dataset, corrections = load_dataset(args.dataset, args.split), shipped_corrections()
    taken = 0
    for path in dataset.photos[:: args.every]:
        photo = load_photo(path)
        (w, h), (across, down) = photo.size, photo.scale
        labels = [
            Label(code, ((x - a / 2) * w, (y - b / 2) * h, (x + a / 2) * w, (y + b / 2) * h))
            for code, (x, y, a, b) in labels_of(path, dataset.codes)
        ]
        labels = correct(labels, corrections.get(photo_key(path), ()), str(path))
        if not LEAST <= len(labels) <= MOST:
            continue
        tiles = [Label(one.tile, tuple(np.divide(one.box, (across, down, across, down)))) for one in labels]
        for kind in (args.kinds[taken % len(args.kinds)],) if args.turns else args.kinds:
            seen: list[Seen] = []
            for one in clip(photo.pixels, tiles, kind, args.frames, random.Random(f"{args.seed} {kind} {path.stem}")):
                size = (one.pixels.shape[1], one.pixels.shape[0])
                seen.append((one.tiles, reader.read(Photo(one.pixels, size)).detections, size))
            yield kind, seen, path.stem in dataset.unlabelled_backs
        taken += 1


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="train")
    parser.add_argument("--every", type=int, default=60, help="of the photos, one of so many")
    parser.add_argument("--frames", type=int, default=18)
    parser.add_argument("--rate", type=float, default=3.0, help="frames a second")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--turns", action="store_true", help="one clip a photo, its kind in turn")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    found = {kind: Counted() for kind in args.kinds}
    total = Counted()
    for kind, seen, backs in clips(args, Reader.load(args.models).for_frames):
        count((found[kind], total), seen, backs)
    columns = "clips | shown | tiles | single: right | false | sure | voted: right | false | sure"
    print(f"| kind | {columns} | settle | after s | whole then: voted | single |\n|---|{'---|' * 13}")
    for kind, one in (*found.items(), ("**all**", total)):
        print(one.line(kind, args.rate))


if __name__ == "__main__":
    main()
