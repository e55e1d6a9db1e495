"""畫面: the frames of a clip, or of a folder of photos in the order of their names, read one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.game_log.log import GameLog
from vision.game_log.reading import GameLogError
from vision.game_log.watching.ordering import log_of
from vision.game_log.watching.tracks import FrameReading
from vision.photo.image import load_photo
from vision.photo.refusals import PhotoError
from vision.reading.pipeline import Reader

PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif")
MOST_FRAMES = 5000
QUALITY = 92
"""Of the JPEG by which a clip's frame becomes a photo."""


def log_of_frames(
    path: Path, reader: Reader, every: float, progress: Callable[[int, int], None] | None = None
) -> GameLog:
    """The log of a clip or a folder of photos.

    Args:
        path: a video file, or a folder of photos of one size, one for each moment.
        reader: reads the tiles of each frame.
        every: seconds between the frames that are read of a clip, and between the photos of a folder.
        progress: called with the number of frames read, and of all (0 if not known).

    Raises:
        GameLogError: there is no frame that can be read, the frames differ in size, or they show no table in play.
    """
    total, pictures = _photos(path, every) if path.is_dir() else _clip(path, every)
    frames: list[FrameReading] = []
    size: tuple[int, int] | None = None
    refused: PhotoError | None = None
    for number, (second, source) in enumerate(pictures, start=1):
        if number > MOST_FRAMES:
            raise GameLogError("log_clip_long", limit=MOST_FRAMES)
        try:
            photo = load_photo(source)
            reading = reader.read(photo)
        except PhotoError as error:  # a frame without a reading, as if hands hid the table
            refused = refused or error
            frames.append(FrameReading(second, ()))
            continue
        if size not in (None, reading.size):
            raise GameLogError("log_frame_size", name=_name(source, number))
        size = reading.size
        frames.append(FrameReading(second, reading.detections))
        if progress:
            progress(number, total)
    if size is None:
        raise refused or GameLogError("log_no_frames", name=path.name)
    log = log_of(frames, size, path.name)
    if not log.events:
        raise GameLogError("log_nothing_seen", number=len(frames))
    return log


def _name(source: bytes | Path, number: int) -> str:
    return source.name if isinstance(source, Path) else f"#{number}"


def _photos(folder: Path, every: float) -> tuple[int, Iterator[tuple[float, bytes | Path]]]:
    paths: Sequence[Path] = sorted(path for path in folder.iterdir() if path.suffix.lower() in PHOTOS)
    return len(paths), ((number * every, path) for number, path in enumerate(paths))


def _clip(path: Path, every: float) -> tuple[int, Iterator[tuple[float, bytes | Path]]]:
    if not path.is_file():
        raise GameLogError("log_no_clip", name=path.name)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    clip = cv2.VideoCapture(str(path))
    if not clip.isOpened():
        raise GameLogError("log_no_clip", name=path.name)
    rate, count = clip.get(cv2.CAP_PROP_FPS), clip.get(cv2.CAP_PROP_FRAME_COUNT)
    total = int(count / rate / every) + 1 if rate > 0 and 0 < count < 1e7 else 0
    return total, _clip_frames(clip, every)


def _clip_frames(clip: cv2.VideoCapture, every: float) -> Iterator[tuple[float, bytes | Path]]:
    due = 0.0
    try:
        while clip.grab():
            second = clip.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if second + 1e-6 < due:
                continue
            there, pixels = clip.retrieve()
            if there:
                due = second + every
                yield second, _jpeg(pixels)
    finally:
        clip.release()


def _jpeg(pixels: NDArray[np.generic]) -> bytes:
    _, data = cv2.imencode(".jpg", np.asarray(pixels, np.uint8), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()
