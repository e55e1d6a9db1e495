"""The metadata of a photo's file, such as place, time, camera and comments; and the same file without it.

Nothing is decoded or compressed again. The parts with the picture are copied, with a small new EXIF block for the
orientation.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator

from PIL import Image

_SOS, _EOI, _COM = 0xDA, 0xD9, 0xFE
_KEPT_APPS = (0xE0, 0xEE)  # JFIF, and how the colours are stored
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_NOTES = (b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME")


def without_metadata(data: bytes) -> bytes:
    """The same picture without metadata; other files than JPEG, PNG, WebP, HEIC and AVIF are returned unchanged.

    Raises ValueError if the file breaks its format.
    """
    try:
        if data.startswith(b"\xff\xd8"):
            return b"".join(_jpeg(data))
        if data.startswith(_PNG):
            return b"".join(_png(data))
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
        if data[4:8] == b"ftyp":
            return _boxed(data)
    except (IndexError, struct.error, ImportError) as error:
        raise ValueError(str(error)) from None
    return data


def _turn(data: bytes) -> bytes:
    """An EXIF block (TIFF) with the orientation alone; empty for an upright photo."""
    with Image.open(io.BytesIO(data)) as image:
        orientation = image.getexif().get(0x0112, 1)
    return _tiff(orientation) if orientation in range(2, 9) else b""


def _tiff(orientation: int) -> bytes:
    return b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)


def _jpeg(data: bytes) -> Iterator[bytes]:
    yield b"\xff\xd8"
    turn = _turn(data)
    if turn:
        yield b"\xff\xe1" + struct.pack(">H", len(turn) + 8) + b"Exif\0\0" + turn
    at = 2
    while True:
        if data[at] != 0xFF:
            raise ValueError("no marker")
        marker = data[at + 1]
        if marker == 0xFF:  # filled up
            at += 1
            continue
        if marker == _EOI:
            yield b"\xff\xd9"
            return  # further pictures of a phone's file have notes of their own
        end = at + 2 + struct.unpack_from(">H", data, at + 2)[0]
        profile = marker == 0xE2 and data[at + 4 : at + 15] == b"ICC_PROFILE"
        if marker == _SOS:
            end = _end_of_scan(data, end)
        if marker != _COM and (not 0xE0 <= marker <= 0xEF or marker in _KEPT_APPS or profile):
            yield data[at:end]
        at = end


def _end_of_scan(data: bytes, at: int) -> int:
    """The position of the next marker outside the scan."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0:
            raise ValueError("cut off")
        if data[at + 1] != 0 and not 0xD0 <= data[at + 1] <= 0xD7 and data[at + 1] != 0xFF:
            return at
        at += 1 if data[at + 1] == 0xFF else 2


def _png(data: bytes) -> Iterator[bytes]:
    import zlib

    yield _PNG
    turn, at = _turn(data), len(_PNG)
    while True:
        length, name = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            raise ValueError("cut off")
        if name == b"IDAT" and turn:
            yield struct.pack(">I", len(turn)) + b"eXIf" + turn + struct.pack(">I", zlib.crc32(b"eXIf" + turn))
            turn = b""
        if name not in _PNG_NOTES:
            yield data[at:end]
        if name == b"IEND":
            return
        at = end


def _webp(data: bytes) -> bytes:
    turn, at, parts = _turn(data), 12, []
    while at + 8 <= len(data):
        name, length = struct.unpack_from("<4sI", data, at)
        end = at + 8 + length + length % 2
        part = data[at:end]
        if name == b"VP8X":  # its flags say what follows
            part = part[:8] + bytes([part[8] & ~0x0C | (0x08 if turn else 0)]) + part[9:]
        if name not in (b"EXIF", b"XMP "):
            parts.append(part)
        at = end
    if turn:
        parts.append(struct.pack("<4sI", b"EXIF", len(turn)) + turn)
    body = b"WEBP" + b"".join(parts)
    return struct.pack("<4sI", b"RIFF", len(body)) + body


def _boxed(data: bytes) -> bytes:
    """HEIC or AVIF with the metadata overwritten in place; such a file stores its orientation elsewhere."""
    from pi_heif import open_heif

    for one in open_heif(io.BytesIO(data)):
        exif, xmp = bytes(one.info.get("exif") or b""), bytes(one.info.get("xmp") or b"")
        if exif:
            start = (b"Exif\0\0" if exif.startswith(b"Exif") else b"") + b"MM\0*" + struct.pack(">IHI", 8, 0, 0)
            data = data.replace(exif, start[: len(exif)].ljust(len(exif), b"\0"))
        if xmp.strip(b"\0 "):  # else it lies in what was overwritten
            data = data.replace(xmp, b" " * len(xmp))
    return data
