"""照片: bytes or a file to an upright RGB picture, or one clear sentence why not.

``Photo.size`` is the size of the full photo, even if it was decoded smaller. Every box of this package is in those
pixels.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from vision.photo.refusals import MAX_BYTES, PhotoError, heavy
from vision.photo.structure import check_structure
from vision.pixels import files
from vision.pixels.values import Picture

__all__ = ["HEADER", "MAX_BYTES", "Photo", "PhotoError", "heic_trouble", "load_photo", "pixels_of", "slow_photos_by"]


@dataclass(frozen=True)
class Photo:
    """照片: ``pixels`` (h, w, 3) uint8 RGB, upright, possibly smaller than ``size``, the (width, height) of the full
    upright photo. ``ms``: the time of decoding."""

    pixels: Picture
    size: tuple[int, int]
    ms: float = 0.0

    @property
    def scale(self) -> tuple[float, float]:
        """Full pixels per pixel of ``pixels``, in x and in y."""
        return self.size[0] / self.pixels.shape[1], self.size[1] / self.pixels.shape[0]


_SLOWLY: ContextVar[Callable[[bytes], Photo] | None] = ContextVar("slowly", default=None)


@contextmanager
def slow_photos_by(decode: Callable[[bytes], Photo]) -> Iterator[None]:
    """In this thread and during the block, photos that may take long to decode are decoded by this function."""
    token = _SLOWLY.set(decode)
    try:
        yield
    finally:
        _SLOWLY.reset(token)


def load_photo(source: bytes | Path) -> Photo:
    """Decode a JPEG, PNG, WebP, HEIC or AVIF photo of up to 50 megapixels, turned according to its EXIF.

    Raises PhotoError for anything else; never another error, whatever the bytes.

    >>> from vision.photo.sample import sample_photo_path
    >>> load_photo(sample_photo_path()).size
    (1600, 1200)
    >>> load_photo(b"")
    Traceback (most recent call last):
    vision.photo.refusals.PhotoError: The file is empty. Take or choose the photo again.
    """
    started = time.perf_counter()
    data = _read(source) if isinstance(source, Path) else bytes(source)
    if not data:
        raise PhotoError("photo_empty")
    if len(data) > MAX_BYTES:
        raise heavy(len(data))
    quick, decode_slowly = check_structure(data), _SLOWLY.get()
    if decode_slowly is not None and not quick:
        return decode_slowly(data)
    pixels, size = files.decode(data)
    return Photo(pixels, size, (time.perf_counter() - started) * 1000)


HEADER = 512_000
"""Bytes at the start of a file that contain its size in pixels."""


def pixels_of(head: bytes) -> int:
    """The number of pixels of a photo from its first HEADER bytes, without decoding; 0 if unknown.

    >>> from vision.photo.sample import sample_photo_path
    >>> pixels_of(sample_photo_path().read_bytes()[:HEADER])
    1920000
    """
    try:
        check_structure(head)
    except PhotoError:
        return 0
    return files.pixels_of(head)


def heic_trouble() -> PhotoError | None:
    """Why HEIC photos cannot be opened on this computer; None if they can."""
    return files.heic_trouble()


def _read(path: Path) -> bytes:
    try:
        if not path.exists():
            raise PhotoError("photo_missing")
        if not path.is_file():  # a folder, a device that never ends
            raise PhotoError("photo_not")
        if path.stat().st_size > MAX_BYTES:
            raise heavy(path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        raise PhotoError("photo_unreadable", reason=error.strerror or type(error).__name__) from None
    except ValueError:  # a path with a null character
        raise PhotoError("photo_missing") from None
