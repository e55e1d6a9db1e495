"""讀過的照片: readings of the photos that came last, so that the same photo sent again is not read again."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vision.reading.reading import Reading

CHUNK = 1 << 20


class Stream(Protocol):
    """The used methods of an uploaded file."""

    def read(self, size: int = -1, /) -> bytes: ...
    def seek(self, offset: int, /) -> object: ...


Upload = bytes | Stream
"""A photo's bytes, or the file that they are read from when its turn has come: until then a large one stays on disk."""


def bytes_of(upload: Upload) -> bytes:
    """All of it, however often it is asked for."""
    if isinstance(upload, bytes):
        return upload
    upload.seek(0)
    return upload.read()


def digest_of(upload: Upload) -> bytes:
    """Its SHA-256, without holding all of a file in memory."""
    digest = hashlib.sha256()
    if isinstance(upload, bytes):
        digest.update(upload)
        return digest.digest()
    upload.seek(0)
    while chunk := upload.read(CHUNK):
        digest.update(chunk)
    return digest.digest()


@dataclass(frozen=True, slots=True)
class ReadPhoto:
    """A photo that was read: its reading, and the JPEG that the page shows of it."""

    reading: Reading
    jpeg: bytes


class Readings:
    """The photos read last, by what their readings depend on; the oldest go first. Safe for several threads.

    `most`: how many; `size`: bytes of all JPEGs together.
    """

    def __init__(self, most: int, size: int) -> None:
        self._most, self._size = most, size
        self._kept: OrderedDict[Hashable, ReadPhoto] = OrderedDict()
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        """Whether any photo is remembered."""
        return bool(self._kept)

    def get(self, key: Hashable) -> ReadPhoto | None:
        """The reading of this photo, or None if it is not remembered."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Hashable, read: ReadPhoto) -> None:
        """Remember a reading."""
        with self._lock:
            self._kept[key] = read
            self._kept.move_to_end(key)
            total = sum(len(reading.jpeg) for reading in self._kept.values())
            while len(self._kept) > self._most or total > self._size:
                total -= len(self._kept.popitem(last=False)[1].jpeg)
