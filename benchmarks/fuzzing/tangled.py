"""Files of photos with far more parts than any camera writes, of any size; nothing of them is kept as a file."""

from __future__ import annotations

import io
import struct
import zlib
from functools import cache

from PIL import Image


def jpeg(side: int = 640, **options: object) -> bytes:
    """A JPEG of noise with sides of `side` pixels; `options`: of Pillow's encoder."""
    out = io.BytesIO()
    noise(side).save(out, "JPEG", **options)
    return out.getvalue()


@cache
def noise(side: int) -> Image.Image:
    """A square picture of noise."""
    return Image.effect_noise((side, side), 40)


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
    whole = jpeg(64, progressive=True)
    frame = whole.index(b"\xff\xc2") + 5
    whole = whole[:frame] + struct.pack(">HH", side, side) + whole[frame + 4 :]  # all but a corner is missing
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


def without_end(number: int) -> bytes:
    """A JPEG of nothing but fill bytes: a search that goes back looks at it once for each of them."""
    return b"\xff\xd8" + b"\xff" * number


def arithmetic(number: int) -> bytes:
    """A JPEG that says it is coded arithmetically, with so many bytes of picture."""
    whole = jpeg()
    return whole.replace(b"\xff\xc0", b"\xff\xc9", 1)[:-2] + b"\x55" * number + b"\xff\xd9"


def coefficients(side: int = 7000) -> bytes:
    """The head of a progressive JPEG of four colours, all of which a decoder would hold."""
    frame = b"\xff\xc2\x00\x14\x08" + struct.pack(">HH", side, side) + b"\x04"
    frame += b"".join(bytes([number, 0x11, 0]) for number in range(1, 5))
    return b"\xff\xd8" + frame + b"\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00" * 2


def noisy_heic(side: int) -> bytes:
    """A HEIC of noise, which takes its decoder long; raises ImportError without pillow-heif."""
    import pillow_heif

    pillow_heif.register_heif_opener()
    out = io.BytesIO()
    Image.effect_noise((side, side), 20).convert("RGB").save(out, "HEIF", quality=50)
    return out.getvalue()


def animated(kind: str, frames: int, **options: object) -> bytes:
    """A GIF, PNG or WebP of so many pictures."""
    out = io.BytesIO()
    pictures = [Image.new("L", (64, 64), number % 256) for number in range(frames)]
    pictures[0].save(out, kind, save_all=True, append_images=pictures[1:], **options)
    return out.getvalue()


SMALL = [
    with_scans(150, 128),
    with_segments(3_000),
    with_fill(9_000),
    png(chunk(b"teXt") * 30_000),
    webp(3_000),
    heic(3_000),
    heic(1, 60_000),
    without_end(9_000),
    coefficients(),
    animated("GIF", 30),
    animated("PNG", 30),
    animated("WEBP", 30, lossless=True),
]
"""One of each kind, as seeds."""
