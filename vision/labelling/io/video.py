"""Video: a clip becomes photos of a set: frames that differ from each other and are sharp, in their order."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labelling.history.operations import Changes, record
from vision.labelling.messages import LabellingError
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore

CLIPS = {".mp4", ".mov", ".m4v", ".avi", ".mkv", ".webm", ".3gp"}
FRAMES = 60
"""Most frames of a clip that become photos."""
LOOKED_AT = 1500
"""Frames of a clip that are compared at all: longer clips are looked at in larger steps."""
DIFFERENT = 6.0
"""Mean difference (of 255) of two frames made 64 pixels small, from which the second one is another picture."""
SMALL = 64
LONGEST = 4096


@dataclass(frozen=True)
class Frame:
    """A chosen frame: its place in the clip, its second, its pixels (h, w, 3) BGR."""

    number: int
    second: float
    pixels: NDArray[np.uint8]


def frames(path: Path, most: int = FRAMES, progress: Callable[[int, int], None] | None = None) -> Iterator[Frame]:
    """The frames of a clip that differ, at most ``most``; of those that lie close together the sharpest one.
    Raises LabellingError for a file that is no clip, or holds no frame that can be read."""
    with _opened(path) as clip:
        total = int(clip.get(cv2.CAP_PROP_FRAME_COUNT))
        pace = float(clip.get(cv2.CAP_PROP_FPS)) or 25.0
        total = total if 0 < total < 10_000_000 else LOOKED_AT
        step = max(1, total // LOOKED_AT)
        chosen: list[tuple[float, int, NDArray[np.float32]]] = []
        seen, number = 0, -1
        while clip.grab():
            number += 1
            if number % step:
                continue
            there, pixels = clip.retrieve()
            if not there:
                continue
            seen += 1
            _choose(chosen, number, pixels)
            if progress:
                progress(min(number + 1, total), total)
        if not seen:
            raise LabellingError("clip_unreadable", name=path.name)
    wanted = {number for _, number, _ in _thinned(chosen, most)}
    with _opened(path) as clip:
        number = -1
        while clip.grab() and wanted:
            number += 1
            if number in wanted:
                wanted.discard(number)
                there, pixels = clip.retrieve()
                if there:
                    yield Frame(number, number / pace, pixels.astype(np.uint8, copy=False))


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[Any]:
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    clip = cv2.VideoCapture(str(path))
    try:
        if not clip.isOpened():
            raise LabellingError("clip_unreadable", name=path.name)
        width, height = clip.get(cv2.CAP_PROP_FRAME_WIDTH), clip.get(cv2.CAP_PROP_FRAME_HEIGHT)
        if not 0 < max(width, height) <= LONGEST:
            raise LabellingError("clip_size", name=path.name, width=int(width), height=int(height), limit=LONGEST)
        yield clip
    finally:
        clip.release()


def _choose(chosen: list[tuple[float, int, NDArray[np.float32]]], number: int, pixels: NDArray[np.uint8]) -> None:
    """Keep a frame that differs from the last one kept; of two alike the sharper one stays."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (SMALL, SMALL), interpolation=cv2.INTER_AREA).astype(np.float32)
    sharp = float(cv2.Laplacian(cv2.resize(grey, (4 * SMALL, 4 * SMALL)), cv2.CV_32F).var())
    if chosen and float(np.abs(small - chosen[-1][2]).mean()) < DIFFERENT:
        if sharp > 1.15 * chosen[-1][0]:
            chosen[-1] = sharp, number, chosen[-1][2]  # the picture it stands for stays, so that slow pans are followed
        return
    chosen.append((sharp, number, small))


def _thinned(chosen: list[tuple[float, int, Any]], most: int) -> list[tuple[float, int, Any]]:
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
    about: dict[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Take the frames of a clip into a set, named after it and in their order; the clip is their scene where none is
    given. What cannot be read is told in the report's ``aside``."""
    report, changes = Report(), Changes()
    stem = Path(name or path.name).stem
    known = {"scene": stem, "source": name or path.name} | {key: value for key, value in (about or {}).items() if value}
    try:
        with store.together():
            for frame in frames(path, most, progress):
                made, data = cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, 93])
                if not made:
                    continue
                info, fresh = store.add(data.tobytes(), f"{stem}-{frame.number:06}.jpg", **known)
                report.counts["photos_added" if fresh else "photos_known"] += 1
                if fresh:
                    changes.added.append(info.id)
    except LabellingError as error:
        report.refuse(name or path.name, error)
    if changes:
        record(store, "video", name or path.name, changes)
    return report
