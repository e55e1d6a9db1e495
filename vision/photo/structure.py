"""檔案的骨架: counts the scans, segments, chunks and boxes of a photo's file before any decoder sees it.

A file of a few megabytes can keep a decoder busy for minutes: a progressive JPEG with a thousand scans of the whole
picture, or millions of empty segments. No camera and no program writes such files.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from vision.photo.refusals import PhotoError, is_avif, is_heic

MOST_SEGMENTS = 1_000
"""The most segments of a JPEG before its picture; a large EXIF, colour profile or depth map has up to 600."""
MOST_FILL = 4_096
"""The most fill bytes between segments."""
MOST_SCANS = 100
"""The most scans of a JPEG; programs write up to some twenty."""
MOST_SCANNED = 1_500_000_000
"""The most pixels of all scans together, which libjpeg decodes in 1.5 seconds on a slow core."""
MOST_CHUNKS = 20_000
"""The most chunks of a PNG; 100 MB in pieces of 8 KB have 12,000."""
MOST_PARTS = 1_000
"""The most chunks of a WebP, and boxes of a HEIC or AVIF file."""
MOST_ITEMS = 2_000
"""The most items of a HEIC or AVIF file: pictures of 50 megapixels are made of some two hundred."""

_NEXT_MARKER = re.compile(rb"\xff+[^\x00\xd0-\xd7\xff]", re.DOTALL)
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_SCAN, _END = 0xDA, 0xD9
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers without a length."""


def check_structure(data: bytes) -> None:
    """Raise PhotoError for a file whose parts would keep a decoder busy. Looks at the parts' heads only.

    >>> check_structure(b"not a photo")
    """
    if data.startswith(b"\xff\xd8"):
        _check_jpeg(data)
    elif data.startswith(b"\x89PNG\r\n\x1a\n"):
        _check_parts(data, 8, MOST_CHUNKS, _png_length)
    elif data[8:12] == b"WEBP":
        _check_parts(data, 12, MOST_PARTS, _webp_length)
    elif is_heic(data) or is_avif(data):
        _check_parts(data, 0, MOST_PARTS, _box_length)
        _check_items(data)


def _check_jpeg(data: bytes) -> None:
    at, segments, scans, fill, pixels = 2, 0, 0, 0, 0
    while at + 4 <= len(data):
        found = _NEXT_MARKER.search(data, at)
        if found is None:
            return
        fill += found.end() - 2 - at if not scans else 0
        at, marker = found.end(), data[found.end() - 1]
        if marker == _END:
            return
        segments += 1
        if marker == _SCAN:
            scans += 1
        if marker in _FRAMES and at + 7 <= len(data):
            pixels = int.from_bytes(data[at + 3 : at + 5], "big") * int.from_bytes(data[at + 5 : at + 7], "big")
        if segments > MOST_SEGMENTS or fill > MOST_FILL or scans > MOST_SCANS or scans * pixels > MOST_SCANNED:
            raise PhotoError("photo_tangled")
        if marker not in _ALONE:
            at += max(2, int.from_bytes(data[at : at + 2], "big"))


def _png_length(data: bytes, at: int) -> int:
    return 12 + int.from_bytes(data[at : at + 4], "big")


def _webp_length(data: bytes, at: int) -> int:
    length = int.from_bytes(data[at + 4 : at + 8], "little")
    return 8 + length + length % 2


def _box_length(data: bytes, at: int) -> int:
    length = int.from_bytes(data[at : at + 4], "big")
    if length == 1:
        return max(16, int.from_bytes(data[at + 8 : at + 16], "big"))
    return length if length >= 8 else len(data)  # 0: to the end of the file


def _check_parts(data: bytes, at: int, most: int, length: Callable[[bytes, int], int]) -> None:
    parts = 0
    while at + 8 <= len(data):
        parts += 1
        if parts > most:
            raise PhotoError("photo_tangled")
        at += length(data, at)


def _check_items(data: bytes) -> None:
    """The number of items as the ``iinf`` box of HEIC and AVIF states it, wherever the box is."""
    at = data.find(b"iinf")
    if at < 0:
        return
    wide = data[at + 4 : at + 5] != b"\x00"
    count = int.from_bytes(data[at + 8 : at + (12 if wide else 10)], "big")
    if count > MOST_ITEMS:
        raise PhotoError("photo_tangled")
