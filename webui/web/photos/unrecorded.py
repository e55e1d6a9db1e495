"""照片: photos without a record yet, and what was read on table photos, in memory and in the data folder."""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vision.files import put_file, remove_path

UNRECORDED = "unrecorded"
"""The folder of the cached photos, in the data folder."""
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class CachedPhoto:
    """A photo in the cache: JPEG bytes, and when it was put there (seconds since the epoch)."""

    jpeg: bytes
    since: float


class PhotoCache:
    """Photos by random id. The oldest are removed first when count, bytes or age exceed the limit.

    `folder` gives a folder for copies, so that an unrecorded hand keeps its photo over a restart. Without a writable
    folder the photos are in memory only. `suffix`: of the copies' names; another one keeps other bytes in the same
    folder.
    """

    def __init__(
        self,
        count: int,
        size: int,
        seconds: float,
        folder: Callable[[], Path] | None = None,
        *,
        suffix: str = ".jpg",
    ) -> None:
        self._suffix = suffix
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
        """The photo, or None if it is gone."""
        with self._lock:
            self._load()
            self._tidy()
            cached = self._photos.get(photo)
            if cached is None:
                return None
            self._photos.move_to_end(photo)
            return cached.jpeg

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
            paths = [path for path in self._folder().glob(f"*{self._suffix}") if _ID.fullmatch(path.stem)]
            for since, path in sorted((path.stat().st_mtime, path) for path in paths):
                self._photos[path.stem] = CachedPhoto(path.read_bytes(), since)
        except OSError as error:
            _warn(error)

    def _write(self, photo: str, jpeg: bytes) -> None:
        if self._folder is None:
            return
        try:
            put_file(
                self._folder() / f"{photo}{self._suffix}", jpeg, durable=False
            )  # a photo that a crash may cost is not waited for
        except OSError as error:
            _warn(error)

    def _forget(self, photo: str) -> int:
        """Let go of a photo; its bytes."""
        size = len(self._photos.pop(photo).jpeg)
        if self._folder is not None:
            try:
                remove_path(self._folder() / f"{photo}{self._suffix}")
            except OSError as error:
                _warn(error)
        return size

    def _tidy(self) -> None:
        count, size, seconds = self._limits
        now = time.time()
        for photo in [name for name, cached in self._photos.items() if now - cached.since > seconds]:
            self._forget(photo)
        total = sum(len(cached.jpeg) for cached in self._photos.values())
        while self._photos and (len(self._photos) > count or total > size):
            total -= self._forget(next(iter(self._photos)))


def _warn(error: OSError) -> None:
    logging.getLogger("paitai.webui").warning("photos that are not recorded yet are in memory only: %s", error)
