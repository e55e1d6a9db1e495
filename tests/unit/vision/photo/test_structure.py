"""Photo files that would keep a decoder busy are refused before decoding; files of cameras and programs are not."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from vision.photo.image import load_photo, pixels_of
from vision.photo.refusals import PhotoError
from vision.photo.structure import MOST_CHUNKS, MOST_SCANS, MOST_SEGMENTS, check_structure

sys.path.insert(0, str(Path(__file__).parents[4] / "benchmarks" / "fuzzing"))

from tangled import (
    SMALL,
    arithmetic,
    chunk,
    coefficients,
    heic,
    jpeg,
    png,
    webp,
    with_fill,
    with_scans,
    with_segments,
    without_end,
)

SECONDS = 3.0
MEGABYTES = 39_000_000


BAD = {
    "a thousand scans": lambda: with_scans(1000, 640),
    "scans of a large picture": lambda: with_scans(40, 6900),
    "millions of segments": lambda: with_segments(MEGABYTES // 4),
    "fill bytes": lambda: with_fill(MEGABYTES),
    "nothing but fill bytes": lambda: without_end(MEGABYTES),
    "millions of chunks": lambda: png(chunk(b"teXt") * (MEGABYTES // 12)),
    "a webp of many chunks": lambda: webp(MEGABYTES // 8),
    "a heic of many boxes": lambda: heic(MEGABYTES // 8),
    "a heic of many items": lambda: heic(1, 60_000),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_keeps_a_decoder_busy_is_refused_at_once(name: str) -> None:
    data = BAD[name]()
    started = time.process_time()
    with pytest.raises(PhotoError) as refused:
        load_photo(data)
    assert refused.value.key == "photo_tangled"
    assert pixels_of(data) == 0
    assert time.process_time() - started < SECONDS


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


@pytest.mark.parametrize(
    ("data", "quick"),
    [
        (jpeg(), True),
        (jpeg(progressive=True), True),
        (with_scans(90, 1500), False),
        (jpeg() + bytes(26_000_000), False),
        (arithmetic(100), False),
        (png(), True),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR" + (4000).to_bytes(4, "big") * 2, False),
        (b"RIFF____WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00" + (3999).to_bytes(3, "little") * 2, False),
        (b"RIFF____WEBPVP8L\x08\x00\x00\x00\x2f" + (3999 | 3999 << 14).to_bytes(4, "little"), False),
        (b"RIFF____WEBPVP8 " + bytes(10) + (4000).to_bytes(2, "little") * 2, False),
        (b"RIFF____WEBPVP8 " + bytes(10) + (400).to_bytes(2, "little") * 2, True),
        (b"\x00\x00\x00\x18ftypheic" + bytes(12), False),
        (b"GIF89a", True),
    ],
    ids=[
        "jpeg",
        "progressive",
        "scans",
        "bytes",
        "arithmetic",
        "png",
        "png large",
        "x",
        "l",
        "lossy",
        "small",
        "heic",
        "gif",
    ],
)
def test_what_surely_takes_little(data: bytes, quick: bool) -> None:
    assert check_structure(data) is quick


def test_coefficients_that_fill_the_memory_are_refused() -> None:
    with pytest.raises(PhotoError) as refused:
        load_photo(coefficients())
    assert refused.value.key == "photo_memory"


@pytest.mark.parametrize(("brightness", "refused"), [(0x11, True), (0x21, False), (0x22, False)])
def test_colours_that_are_stored_coarser_take_less_memory(brightness: int, refused: bool) -> None:
    """49 megapixels in three colours, the second and third at full, half and quarter size."""
    whole = coefficients()
    at = whole.index(b"\xff\xc2")
    frame = whole[at : at + 9] + b"\x03" + bytes([1, brightness, 0, 2, 0x11, 0, 3, 0x11, 0])
    data = whole[:at] + frame[:2] + b"\x00\x11" + frame[4:] + whole[whole.index(b"\xff\xda") :]
    if not refused:
        check_structure(data)
        return
    with pytest.raises(PhotoError) as error:
        check_structure(data)
    assert error.value.key == "photo_memory"


def test_the_limits_leave_room_for_real_files() -> None:
    assert MOST_SCANS >= 4 * 20
    assert MOST_SEGMENTS * 65_535 > MEGABYTES
    assert MOST_CHUNKS * 8192 > 100_000_000


def test_a_cut_file_ends_the_count() -> None:
    for data in (jpeg(), png(), webp(3), heic(3)):
        for length in range(0, min(len(data), 400), 7):
            check_structure(data[:length])


@pytest.mark.parametrize("data", SMALL, ids=range(len(SMALL)))
def test_the_seeds_of_the_fuzzing_are_refused(data: bytes) -> None:
    with pytest.raises(PhotoError):
        load_photo(data)
