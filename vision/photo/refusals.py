"""Reasons to refuse a file as a photo: the limits, and one sentence each."""

from __future__ import annotations

from vision.messages import MessageError

MAX_PIXELS = 50_000_000
MAX_BYTES = 100_000_000
MIN_LONG, MIN_SHORT = 64, 24

_HEIC = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")


class PhotoError(MessageError):
    """A photo that cannot be read."""


def heavy(count: int) -> PhotoError:
    """The error for a file of too many bytes."""
    return PhotoError("photo_heavy", megabytes=-(-count // 1_000_000), limit=MAX_BYTES // 1_000_000)


def large(pixels: int) -> PhotoError:
    """The error for a photo of too many pixels."""
    return PhotoError("photo_large", megapixels=round(pixels / 1e6), limit=MAX_PIXELS // 1_000_000)


def check_size(width: int, height: int) -> None:
    """Raise PhotoError for a size that is too large or too small."""
    if width * height > MAX_PIXELS:
        raise large(width * height)
    if max(width, height) < MIN_LONG or min(width, height) < MIN_SHORT:
        raise PhotoError("photo_small", width=width, height=height)


def is_heic(data: bytes) -> bool:
    """Whether a file has the header of HEIC."""
    return data[4:8] == b"ftyp" and data[8:12] in _HEIC


def is_avif(data: bytes) -> bool:
    """Whether a file has the header of AVIF, still or moving."""
    return data[4:8] == b"ftyp" and data[8:12] in (b"avif", b"avis")


def is_known(data: bytes) -> bool:
    """Whether a file begins as one of a kind that is read: JPEG, PNG, WebP, HEIC, AVIF."""
    by_start = data.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")) or data[8:12] == b"WEBP"
    return by_start or is_heic(data) or is_avif(data)


def other_kind(data: bytes) -> PhotoError:
    """Name the well-known kinds of file that are taken for photos."""
    head = data[:16]
    brand = head[8:12]
    if head[4:8] == b"ftyp":
        return PhotoError("photo_video")
    if head.startswith((b"\x1aE\xdf\xa3", b"\x00\x00\x01\xba")) or (head.startswith(b"RIFF") and brand == b"AVI "):
        return PhotoError("photo_video")
    kinds = {
        b"GIF8": "GIF",
        b"%PDF": "PDF",
        b"BM": "BMP",
        b"II*\x00": "TIFF",
        b"MM\x00*": "TIFF",
        b"PK\x03\x04": "ZIP",
        b"<svg": "SVG",
        b"\xff\x0a": "JPEG XL",
        b"\x00\x00\x00\x0cJXL": "JPEG XL",
    }
    for magic, kind in kinds.items():
        if head.startswith(magic):
            return PhotoError("photo_kind", kind=kind)
    return PhotoError("photo_not")
