"""Files decoded and written by the browser; small ones by Python."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from pyodide.ffi import to_js

from vision.photo.refusals import PhotoError, check_size, is_avif, is_heic, is_known, other_kind
from vision.pixels.browser.bridge import NotYet, Picture, worker

_PNG = b"\x89PNG\r\n\x1a\n"


def decode(data: bytes) -> tuple[Picture, tuple[int, int]]:
    """The upright pixels of a photo, possibly reduced, and its full upright (width, height).

    Raises PhotoError for a file that is not such a photo, NotYet if the browser has not opened it.
    """
    if not is_known(data):
        raise other_kind(data)
    frames = _frames(data)
    if frames > 1:
        raise PhotoError("photo_animated", frames=frames)
    found = _done("decode", data, 0)
    if found.trouble:
        by_kind = "photo_no_heic_here" if is_heic(data) else "photo_no_avif_here" if is_avif(data) else "photo_damaged"
        raise PhotoError(by_kind)
    size = int(found.width), int(found.height)
    check_size(*size)
    return Picture(found.picture), size


def pixels_of(head: bytes) -> int:
    """How many pixels a photo has by its first bytes: they do not tell here."""
    return 0


def heic_trouble() -> PhotoError | None:
    """Why HEIC photos cannot be opened: unknown before one is given."""
    return None


def jpeg(picture: Picture, longer: int, quality: int) -> bytes:
    """A picture as a JPEG file of at most ``longer`` pixels on its longer side; ``quality``: 0 to 100.

    Raises NotYet if the browser has not written it.
    """
    made = worker.photos.jpeg(picture.made, longer, quality)
    if made is None:
        raise NotYet
    return bytes(made.to_py())


def turned_jpeg(file: bytes, quality: int) -> bytes:
    """A JPEG file turned clockwise by a quarter; ``quality``: 0 to 100. Raises NotYet."""
    return bytes(_done("turn", file, quality).file.to_py())


def _done(what: str, file: bytes, quality: int) -> Any:
    """The browser's result for a file. Raises NotYet and requests it if it is missing."""
    key = hashlib.sha256(file).hexdigest()
    found = worker.photos.done(what, key)
    if found is None:
        worker.photos.want(what, key, to_js(file), quality)
        raise NotYet
    return found


def _frames(data: bytes) -> int:
    """The number of pictures in an animated PNG or WebP; else 1."""
    if data.startswith(_PNG):
        at = data.find(b"acTL", 0, 4096)
        return 1 if at < 0 else int(struct.unpack_from(">I", data, at + 4)[0])
    return max(1, data.count(b"ANMF")) if data[8:12] == b"WEBP" and data[12:16] == b"VP8X" and data[20] & 2 else 1


def png(picture: Picture, *, small: bool = False) -> bytes:
    """A picture as a PNG file; ``small``: take the time to make it so."""
    height, width, _ = picture.shape
    rows = picture.bytes()
    raw = b"".join(b"\0" + rows[at : at + 3 * width] for at in range(0, len(rows), 3 * width))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(raw, 9 if small else 6)), (b"IEND", b""))
    return _PNG + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in parts
    )


def crop_from(file: bytes, side: int) -> Picture:
    """A small square picture at ``side`` pixels, from a PNG file of a tile set: RGB, 8 bits, not interlaced.

    Raises ValueError if the file has none.
    """
    if not file.startswith(_PNG):
        raise ValueError("not a PNG file")
    chunks = dict(_chunks(file))
    width, height, depth, colours, _, _, woven = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    if (depth, colours, woven) != (8, 2, 0) or width != height or width > 4 * side:
        raise ValueError(str((width, height)))
    raw = zlib.decompress(chunks[b"IDAT"])
    if len(raw) != height * (1 + 3 * width):
        raise ValueError("cut off")
    whole = Picture(worker.pixels.unfiltered(to_js(raw), width, height))
    return whole if width == side else Picture(worker.pixels.window(whole.made, width / 2, width / 2, width, side))


def _chunks(file: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG file; its pixel chunks are joined into one."""
    at, held = 8, b""
    while at + 8 <= len(file):
        length, name = struct.unpack_from(">I4s", file, at)
        body = file[at + 8 : at + 8 + length]
        at += 12 + length
        if name == b"IDAT":
            held += body
        else:
            yield name, body
    yield b"IDAT", held
