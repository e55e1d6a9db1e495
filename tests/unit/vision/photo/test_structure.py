"""Photo files that would keep a decoder busy are refused before decoding; files of cameras and programs are not."""

from __future__ import annotations

import io
import struct
import time
import zlib

import pytest
from PIL import Image

from vision.photo.image import load_photo, pixels_of
from vision.photo.refusals import PhotoError
from vision.photo.structure import MOST_CHUNKS, MOST_SCANS, MOST_SEGMENTS, check_structure

SECONDS = 3.0
MEGABYTES = 39_000_000


def jpeg(side: int = 640, **options: object) -> bytes:
    out = io.BytesIO()
    Image.effect_noise((side, side), 40).save(out, "JPEG", **options)
    return out.getvalue()


def png(*extra: bytes) -> bytes:
    out = io.BytesIO()
    Image.effect_noise((200, 200), 40).save(out, "PNG")
    whole = out.getvalue()
    return whole[:33] + b"".join(extra) + whole[33:]


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def with_scans(number: int, side: int) -> bytes:
    """A grey progressive JPEG with empty scans of one coefficient each."""
    whole = jpeg(side, progressive=True)
    at = whole.rindex(b"\xff\xda")
    empty = b"\xff\xc4" + struct.pack(">H", 20) + b"\x10" + b"\x01" + bytes(15) + b"\x00"
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x01\x01\x00" + b"\x00" * 40
    return whole[:at] + (empty + scan) * number + whole[at:]


def webp(parts: int) -> bytes:
    body = b"WEBP" + b"XXXX\x00\x00\x00\x00" * parts
    return b"RIFF" + struct.pack("<I", len(body)) + body


def heic(boxes: int, items: int = 1) -> bytes:
    meta = (
        b"\x00\x00\x00\x20meta\x00\x00\x00\x00\x00\x00\x00\x14iinf\x00\x00\x00\x00"
        + struct.pack(">H", items)
        + bytes(6)
    )
    return b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1" + meta + b"\x00\x00\x00\x08free" * boxes


BAD = {
    "a thousand scans": lambda: with_scans(1000, 640),
    "scans of a large picture": lambda: with_scans(40, 6900),
    "millions of segments": lambda: b"\xff\xd8" + b"\xff\xe1\x00\x02" * (MEGABYTES // 4) + jpeg()[2:],
    "fill bytes": lambda: b"\xff\xd8" + b"\xff" * MEGABYTES + jpeg()[3:],
    "millions of chunks": lambda: png(chunk(b"teXt") * (MEGABYTES // 12)),
    "a webp of many chunks": lambda: webp(MEGABYTES // 8),
    "a heic of many boxes": lambda: heic(MEGABYTES // 8),
    "a heic of many items": lambda: heic(1, 60_000),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_keeps_a_decoder_busy_is_refused_at_once(name: str) -> None:
    data = BAD[name]()
    started = time.perf_counter()
    with pytest.raises(PhotoError) as refused:
        load_photo(data)
    assert refused.value.key == "photo_tangled"
    assert pixels_of(data) == 0
    assert time.perf_counter() - started < SECONDS


@pytest.mark.parametrize(
    "data",
    [
        jpeg(),
        jpeg(progressive=True),
        jpeg(progressive=True, optimize=True, icc_profile=bytes(200_000)),
        jpeg(exif=b"Exif\x00\x00" + bytes(60_000)),
        png(*[chunk(b"teXt", b"a\x00b")] * 50),
        b"\xff\xd8\xff\xff\xff\xff" + jpeg()[3:],
    ],
    ids=["baseline", "progressive", "a long profile", "exif", "texts", "a few fill bytes"],
)
def test_what_cameras_and_programs_write_is_read(data: bytes) -> None:
    check_structure(data)
    assert load_photo(data).size in ((640, 640), (200, 200))


def test_the_limits_leave_room_for_real_files() -> None:
    assert MOST_SCANS >= 4 * 20
    assert MOST_SEGMENTS * 65_535 > MEGABYTES
    assert MOST_CHUNKS * 8192 > 100_000_000


def test_a_cut_file_ends_the_count() -> None:
    for data in (jpeg(), png(), webp(3), heic(3)):
        for length in range(0, min(len(data), 400), 7):
            check_structure(data[:length])
