"""檔案的骨架: counts the scans, segments, chunks and boxes of a photo's file before any decoder sees it.

A file of a few megabytes can keep a decoder busy for minutes: a progressive JPEG with a thousand scans of the whole
picture, or millions of empty segments. No camera and no program writes such files. A file within these limits may
still take seconds; `check_structure` tells which files surely do not.
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

MOST_COEFFICIENTS = 100_000_000
"""The most coefficients of a JPEG of several scans: a decoder holds all of them, in two bytes each."""
QUICK_BYTES = 25_000_000
"""A file of at most this many bytes can be decoded quickly."""
QUICK_SCANNED = 160_000_000
"""The most pixels of all scans together that are decoded quickly."""
QUICK_WHOLE = 16_000_000
"""The most pixels of a JPEG of several scans, of which a decoder holds every coefficient."""
QUICK_PIXELS = 8_000_000
"""The most pixels of a PNG or WebP that is decoded quickly, and within little memory."""

_NEXT_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
"""The last fill byte and a marker: without a repetition, so that a file of fill bytes is searched once."""
_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_QUICK_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
"""Sequential and progressive, in Huffman's code."""
_SCAN, _END = 0xDA, 0xD9
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers without a length."""


def check_structure(data: bytes) -> bool:
    """Whether a photo is surely decoded within a third of a second; HEIC files never tell. Looks at the parts' heads
    only. Raises PhotoError for a file whose parts would keep a decoder busy.

    >>> check_structure(b"not a photo")
    True
    """
    small = len(data) <= QUICK_BYTES
    if data.startswith(b"\xff\xd8"):
        return _check_jpeg(data) and small
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        _check_parts(data, 8, MOST_CHUNKS, _png_length)
        return small and int.from_bytes(data[16:20], "big") * int.from_bytes(data[20:24], "big") <= QUICK_PIXELS
    if data[8:12] == b"WEBP":
        _check_parts(data, 12, MOST_PARTS, _webp_length)
        return small and _webp_pixels(data) <= QUICK_PIXELS
    if is_heic(data) or is_avif(data):
        _check_parts(data, 0, MOST_PARTS, _box_length)
        _check_items(data)
        return False
    return True


def _check_jpeg(data: bytes) -> bool:
    at, segments, scans, fill, pixels, coefficients, quick = 2, 0, 0, 0, 0, 0, True
    while at + 4 <= len(data):
        found = _NEXT_MARKER.search(data, at)
        fill += (found.start() if found else len(data)) - at if not scans else 0
        if fill > MOST_FILL:
            raise PhotoError("photo_tangled")
        if found is None:
            break
        at, marker = found.end(), data[found.end() - 1]
        if marker == _END:
            break
        segments += 1
        if marker == _SCAN:
            scans += 1
        if marker in _FRAMES and at + 8 <= len(data):
            rows, columns = int.from_bytes(data[at + 3 : at + 5], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
            pixels = max(pixels, rows * columns)
            coefficients = max(coefficients, _coefficients(data[at : at + 8 + 3 * data[at + 7]], rows * columns))
            quick = quick and marker in _QUICK_FRAMES
        if segments > MOST_SEGMENTS or scans > MOST_SCANS or scans * pixels > MOST_SCANNED:
            raise PhotoError("photo_tangled")
        if scans > 1 and coefficients > MOST_COEFFICIENTS:
            raise PhotoError("photo_memory")
        if marker not in _ALONE:
            at += max(2, int.from_bytes(data[at : at + 2], "big"))
    return quick and scans * pixels <= QUICK_SCANNED and (scans < 2 or pixels <= QUICK_WHOLE)


def _coefficients(frame: bytes, pixels: int) -> int:
    """How many coefficients the frame of a JPEG has: colours may be stored coarser than brightness."""
    factors = [(value >> 4 or 1, value & 15 or 1) for value in frame[9::3]]
    most = max((wide for wide, _ in factors), default=1) * max((high for _, high in factors), default=1)
    return sum(pixels * wide * high // most for wide, high in factors)


def _png_length(data: bytes, at: int) -> int:
    return 12 + int.from_bytes(data[at : at + 4], "big")


def _webp_length(data: bytes, at: int) -> int:
    length = int.from_bytes(data[at + 4 : at + 8], "little")
    return 8 + length + length % 2


def _webp_pixels(data: bytes) -> int:
    """The pixels that its first chunk names."""
    kind = data[12:16]
    if kind == b"VP8X":
        wide, high = int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    elif kind == b"VP8L":
        both = int.from_bytes(data[21:25], "little")
        wide, high = (both & 0x3FFF) + 1, (both >> 14 & 0x3FFF) + 1
    else:
        wide = int.from_bytes(data[26:28], "little") & 0x3FFF
        high = int.from_bytes(data[28:30], "little") & 0x3FFF
    return wide * high


def has_chunk(data: bytes, name: bytes) -> bool:
    """Whether a WebP that `check_structure` let pass has a chunk of this name."""
    at = 12
    while at + 8 <= len(data):
        if data[at : at + 4] == name:
            return True
        at += _webp_length(data, at)
    return False


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
