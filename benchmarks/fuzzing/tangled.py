"""Files of photos with far more parts than any camera writes, of any size; nothing of them is kept as a file."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image


def jpeg(side: int = 640, **options: object) -> bytes:
    """A JPEG of noise with sides of `side` pixels; `options`: of Pillow's encoder."""
    out = io.BytesIO()
    Image.effect_noise((side, side), 40).save(out, "JPEG", **options)
    return out.getvalue()


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(*extra: bytes) -> bytes:
    """A PNG of noise with more chunks behind its head."""
    out = io.BytesIO()
    Image.effect_noise((200, 200), 40).save(out, "PNG")
    whole = out.getvalue()
    return whole[:33] + b"".join(extra) + whole[33:]


def with_scans(number: int, side: int) -> bytes:
    """A progressive JPEG with empty scans of one coefficient each."""
    whole = jpeg(side, progressive=True)
    at = whole.rindex(b"\xff\xda")
    empty = b"\xff\xc4" + struct.pack(">H", 20) + b"\x10" + b"\x01" + bytes(15) + b"\x00"
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x01\x01\x00" + b"\x00" * 40
    return whole[:at] + (empty + scan) * number + whole[at:]


def with_segments(number: int) -> bytes:
    """A JPEG with empty segments."""
    return b"\xff\xd8" + b"\xff\xe1\x00\x02" * number + jpeg()[2:]


def with_fill(number: int) -> bytes:
    """A JPEG with fill bytes before its first segment."""
    return b"\xff\xd8" + b"\xff" * number + jpeg()[3:]


def webp(parts: int) -> bytes:
    """A WebP of empty chunks."""
    body = b"WEBP" + b"XXXX\x00\x00\x00\x00" * parts
    return b"RIFF" + struct.pack("<I", len(body)) + body


def heic(boxes: int, items: int = 1) -> bytes:
    """A HEIC file of empty boxes that says it has so many items."""
    infos = b"\x00\x00\x00\x14iinf\x00\x00\x00\x00" + struct.pack(">H", items) + bytes(6)
    meta = b"\x00\x00\x00\x20meta\x00\x00\x00\x00" + infos
    return b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1" + meta + b"\x00\x00\x00\x08free" * boxes


SMALL = [
    with_scans(150, 128),
    with_segments(3_000),
    with_fill(9_000),
    png(chunk(b"teXt") * 30_000),
    webp(3_000),
    heic(3_000),
    heic(1, 60_000),
]
"""One of each kind, as seeds."""
