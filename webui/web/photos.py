"""照片: photos that are in no record yet, and the JPEG of a photo that the page shows."""

from __future__ import annotations

import io
import logging
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.files import put_file, remove_path

PREVIEW_SIDE = 2000  # pixels of the longer side of the photo that the page shows
PREVIEW_QUALITY = 82
UNRECORDED = "unrecorded"
"""The folder of the cached photos, in the data folder."""
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class CachedPhoto:
    """A photo in the cache: JPEG bytes, and when it was put there (seconds since the epoch)."""

    jpeg: bytes
    since: float


class PhotoCache:
    """Photos by random id; the oldest go first when count, bytes or age go over the limit.

    `folder` gives where they lie as well, so that a hand that is not recorded yet keeps its photo when the server is
    started again; without it they are in memory only, and so they are where that folder cannot be written.
    """

    def __init__(self, count: int, size: int, seconds: float, folder: Callable[[], Path] | None = None) -> None:
        self._limits = (count, size, seconds)
        self._photos: OrderedDict[str, CachedPhoto] = OrderedDict()
        self._lock = threading.Lock()
        self._folder = folder
        self._loaded = folder is None

    def put(self, jpeg: bytes) -> str:
        """Keep a photo; its id."""
        photo = secrets.token_hex(16)
        with self._lock:
            self._load()
            self._photos[photo] = CachedPhoto(jpeg, time.time())
            self._write(photo, jpeg)
            self._tidy()
        return photo

    def get(self, photo: str) -> bytes | None:
        """The photo, or None where it is gone."""
        with self._lock:
            self._load()
            self._tidy()
            kept = self._photos.get(photo)
            if kept is None:
                return None
            self._photos.move_to_end(photo)
            return kept.jpeg

    def clear(self) -> None:
        """Forget every photo."""
        with self._lock:
            self._load()
            for photo in list(self._photos):
                self._forget(photo)

    def _load(self) -> None:
        """What lay in the folder when the server started, once."""
        if self._loaded or self._folder is None:
            return
        self._loaded = True
        try:
            found = [path for path in self._folder().glob("*.jpg") if _ID.fullmatch(path.stem)]
            for since, path in sorted((path.stat().st_mtime, path) for path in found):
                self._photos[path.stem] = CachedPhoto(path.read_bytes(), since)
        except OSError as error:
            _warn(error)

    def _write(self, photo: str, jpeg: bytes) -> None:
        if self._folder is None:
            return
        try:
            put_file(
                self._folder() / f"{photo}.jpg", jpeg, durable=False
            )  # a photo that a crash may cost is not waited for
        except OSError as error:
            _warn(error)

    def _forget(self, photo: str) -> int:
        """Let go of a photo; its bytes."""
        size = len(self._photos.pop(photo).jpeg)
        if self._folder is not None:
            try:
                remove_path(self._folder() / f"{photo}.jpg")
            except OSError as error:
                _warn(error)
        return size

    def _tidy(self) -> None:
        count, size, seconds = self._limits
        now = time.time()
        for photo in [one for one, kept in self._photos.items() if now - kept.since > seconds]:
            self._forget(photo)
        total = sum(len(kept.jpeg) for kept in self._photos.values())
        while self._photos and (len(self._photos) > count or total > size):
            total -= self._forget(next(iter(self._photos)))


def _warn(error: OSError) -> None:
    logging.getLogger("paitai.webui").warning("photos that are not recorded yet are in memory only: %s", error)


def page_jpeg(photo: Any, upload: bytes) -> bytes:
    """The JPEG that the page shows of an upright photo: the upload itself where our own page made it (small enough, and
    nothing but a picture in it), else made anew."""
    if photo.size == photo.pixels.shape[1::-1] and max(photo.size) <= PREVIEW_SIDE and only_a_picture(upload):
        return upload
    return preview(photo)


def only_a_picture(jpeg: bytes) -> bool:
    """Whether a file is a JPEG that holds no EXIF, no comment, no colour profile, and nothing after its end."""
    if jpeg[:2] != b"\xff\xd8" or jpeg[-2:] != b"\xff\xd9" or jpeg.count(b"\xff\xd9") != 1:
        return False
    at = 2
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF:
        marker = jpeg[at + 1]
        if marker == 0xDA:  # the picture itself begins
            return True
        if marker == 0xFE or 0xE1 <= marker <= 0xEF:
            return False
        at += 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return False


def preview(photo: Any) -> bytes:
    """The upright photo as a JPEG for the page, without the EXIF of the original."""
    import cv2
    from PIL import Image

    pixels = photo.pixels
    height, width = pixels.shape[:2]
    scale = PREVIEW_SIDE / max(height, width)
    if scale < 1:  # OpenCV takes a fifth of the time that Pillow takes for it
        size = max(1, round(width * scale)), max(1, round(height * scale))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=PREVIEW_QUALITY)
    return out.getvalue()


def turned_jpeg(jpeg: bytes) -> bytes:
    """A JPEG of the page turned clockwise by a quarter."""
    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(jpeg)) as picture:
        picture.transpose(Image.Transpose.ROTATE_270).save(out, "JPEG", quality=PREVIEW_QUALITY)
    return out.getvalue()
