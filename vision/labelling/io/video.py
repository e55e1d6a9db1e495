"""Video: a clip becomes photos of a set: frames that differ from each other and are sharp, in their order."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labelling.history.operations import Changes, log_operation
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore

CLIPS = {".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".3gp"}
FRAMES = 60
"""Most frames of a clip that become photos."""
LOOKED_AT = 1500
"""Frames of a clip that are compared at all: longer clips are looked at in larger steps."""
HELD = 60_000_000
"""Bytes of chosen frames that are held at once: of the largest frames fewer than ``FRAMES`` are chosen."""
DIFFERENT = 6.0
"""Mean difference (of 255) of two frames made 64 pixels small, from which the second one is another picture."""
APART_SECONDS = 0.4
"""Seconds between two chosen frames, at least: while a camera turns, every frame differs from the one before."""
BLURRED_RATIO = 0.3
"""Sharpness by that of the clip's usual chosen frame, below which a frame is left out: the camera was moving."""
WHOLE_SHARE = 0.95
"""Share of the announced frames below which a clip counts as cut off."""
SMALL_PIXELS = 64
LONGEST_PIXELS = 4096
QUALITY = 93


@dataclass(frozen=True)
class Frame:
    """A chosen frame: its place in the clip, its second, how sharp it is, the picture as JPEG, and made small."""

    number: int
    second: float
    sharpness: float
    jpeg: bytes
    small: NDArray[np.float32] = dataclasses.field(repr=False, compare=False)


@dataclass
class _Picture:
    """The picture since the last chosen frame: its first frame (small), when it began, and its sharpest frame."""

    first: NDArray[np.float32]
    begun: float
    small: NDArray[np.float32]
    number: int
    second: float
    sharpness: float
    pixels: NDArray[np.uint8]

    def frame(self) -> Frame:
        _, data = cv2.imencode(".jpg", self.pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return Frame(self.number, self.second, self.sharpness, data.tobytes(), self.small)


@dataclass(frozen=True)
class Clip:
    """The chosen frames of a clip, in their order; how many frames it has and how many of them could be read."""

    frames: tuple[Frame, ...]
    total: int
    read: int

    @property
    def whole(self) -> bool:
        """Whether it was read to its end."""
        return self.read >= WHOLE_SHARE * self.total


def read_clip(path: Path, most: int = FRAMES, progress: Callable[[int, int], None] | None = None) -> Clip:
    """The frames of a clip that differ, at least ``APART_SECONDS`` apart and at most ``most``; of frames that show one
    picture the sharpest. They are rotated as the clip's metadata demands. Raises LabellingError if the file is not a
    clip or has no readable frame."""
    with _opened(path) as clip:
        total = int(clip.get(cv2.CAP_PROP_FRAME_COUNT))
        total = total if 0 < total < 10_000_000 else 0  # some containers do not say
        chosen: list[Frame] = []
        picture: _Picture | None = None
        apart, read = APART_SECONDS, 0
        for read, seen in _looked_through(clip, max(1, total // LOOKED_AT)):
            if progress and total:
                progress(min(read, total), total)
            if seen is None:
                continue
            if picture and not _another(picture, seen, apart):
                if seen.sharpness > 1.15 * picture.sharpness:
                    # the first frame stays what others are held against, so that slow pans are followed
                    picture = dataclasses.replace(seen, first=picture.first, begun=picture.begun)
                continue
            chosen += [picture.frame()] if picture else []
            picture = seen
            held = sum(len(frame.jpeg) for frame in chosen)
            if len(chosen) > 2 * most or (held > HELD and len(chosen) > 2):  # of a long clip few are kept at any time
                chosen, apart = chosen[::2], 2 * apart
        if picture is None:
            raise LabellingError("clip_unreadable", name=path.name)
        chosen.append(picture.frame())
    usual = statistics.median(frame.sharpness for frame in chosen)
    sharp = [frame for frame in chosen if frame.sharpness >= BLURRED_RATIO * usual]
    return Clip(tuple(_thinned(_distinct(sharp), most)), total, read)


def _looked_through(clip: Any, step: int) -> Iterator[tuple[int, _Picture | None]]:
    """How many frames were read so far, and every ``step``-th of them (None for the others)."""
    read = 0
    while clip.grab():
        read += 1
        there, pixels = clip.retrieve() if (read - 1) % step == 0 else (False, np.empty(0, np.uint8))
        # a phone's clip has no steady frame rate: ask the clip for the time of each frame
        yield read, _looked_at(read - 1, clip.get(cv2.CAP_PROP_POS_MSEC) / 1000, pixels) if there else None


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    clip = cv2.VideoCapture(str(path))
    try:
        if not clip.isOpened():
            raise LabellingError("clip_unreadable", name=path.name)
        width, height = clip.get(cv2.CAP_PROP_FRAME_WIDTH), clip.get(cv2.CAP_PROP_FRAME_HEIGHT)
        if not 0 < max(width, height) <= LONGEST_PIXELS:
            raise LabellingError(
                "clip_size", name=path.name, width=int(width), height=int(height), limit=LONGEST_PIXELS
            )
        yield clip
    finally:
        clip.release()


def _looked_at(number: int, second: float, pixels: NDArray[np.uint8]) -> _Picture:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (SMALL_PIXELS, SMALL_PIXELS), interpolation=cv2.INTER_AREA).astype(np.float32)
    sharpness = float(cv2.Laplacian(cv2.resize(grey, (4 * SMALL_PIXELS, 4 * SMALL_PIXELS)), cv2.CV_32F).var())
    return _Picture(small, second, small, number, second, sharpness, pixels)


def _another(picture: _Picture, seen: _Picture, apart: float) -> bool:
    """Whether a frame shows another picture, long enough after the one before."""
    return seen.second - picture.begun >= apart and _differ(seen.small, picture.first)


def _differ(first: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    return float(np.abs(first - other).mean()) >= DIFFERENT


def _distinct(chosen: Sequence[Frame]) -> list[Frame]:
    """The frames without repeats of the previous picture: when the camera came to rest, only the sharpest is left."""
    frames: list[Frame] = []
    for frame in chosen:
        if not frames or _differ(frame.small, frames[-1].small):
            frames.append(frame)
        elif frame.sharpness > frames[-1].sharpness:
            frames[-1] = frame
    return frames


def _thinned(chosen: list[Frame], most: int) -> list[Frame]:
    """Not more than ``most``, spread over the clip."""
    if len(chosen) <= most:
        return chosen
    return [chosen[round(n * (len(chosen) - 1) / max(1, most - 1))] for n in range(most)]


def import_clip(
    store: DatasetStore,
    path: Path,
    *,
    name: str = "",
    most: int = FRAMES,
    about: Mapping[str, object] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Import the frames of a clip, in order and named after it; the clip is their scene unless another is given. The
    report's ``aside`` names an unreadable clip, its ``notes`` a clip that was cut off.

    `most`: frames to take; `about`: fields of every frame's photo (scene, source, licence); `progress`: called with the
    number of frames looked at, and of all.
    """
    report, changes = Report(), Changes()
    called = name or path.name
    stem = Path(called).stem
    known = {"scene": stem, "source": called} | {key: value for key, value in (about or {}).items() if value}
    try:
        clip = read_clip(path, most, progress)
        with store.together():
            for frame in clip.frames:
                info, fresh = store.add(frame.jpeg, f"{stem}-{frame.number:06}.jpg", **known)
                report.counts["photos_added" if fresh else "photos_known"] += 1
                if fresh:
                    changes.added.append(info.id)
        if not clip.whole:
            report.note(called, "clip_cut_off", count=clip.read, total=clip.total)
    except LabellingError as error:
        report.refuse(called, error)
    if changes:
        report.operation = log_operation(store, "video", called, changes)
    return report
