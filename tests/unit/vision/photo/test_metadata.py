"""A photo without its notes: the same pixels, the same turn, and nothing of place, camera or comment."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, PngImagePlugin, features

from vision.photo.image import load_photo
from vision.photo.metadata import without_metadata

SECRET = "at the table of Mei"


def noted(form: str, orientation: int) -> bytes:
    """A photo with a place in its EXIF, with coordinates, and in a comment if the format has one."""
    pixels = np.random.default_rng(3).integers(0, 256, (90, 140, 3), dtype=np.uint8)
    exif, out = Image.Exif(), io.BytesIO()
    exif[0x010E] = SECRET
    exif[0x0112] = orientation
    exif.get_ifd(0x8825)[1], exif.get_ifd(0x8825)[2] = "N", (25.0, 2.0, 1.5)
    more: dict[str, object] = {"exif": exif}
    if form == "JPEG":
        more |= {"comment": SECRET.encode(), "progressive": True}
    if form == "PNG":
        notes = PngImagePlugin.PngInfo()
        notes.add_text("Comment", SECRET)
        more |= {"pnginfo": notes}
    if form in ("WEBP", "AVIF"):
        more |= {"xmp": SECRET.encode()}
    if form == "HEIF":
        import pillow_heif

        pillow_heif.register_heif_opener()
    Image.fromarray(pixels).save(out, form, **more)
    return out.getvalue()


@pytest.mark.parametrize("orientation", [1, 6])
@pytest.mark.parametrize(
    "form",
    [
        *("JPEG", "PNG", "WEBP", "HEIF"),
        pytest.param("AVIF", marks=pytest.mark.skipif(not features.check("avif"), reason="Pillow without AVIF")),
    ],
)
def test_only_the_picture_is_left(form: str, orientation: int) -> None:
    data = noted(form, orientation)
    bare = without_metadata(data)
    assert SECRET.encode() in data
    assert SECRET.encode() not in bare
    before, after = load_photo(data), load_photo(bare)
    assert after.size == before.size
    assert (after.pixels == before.pixels).all()
    with Image.open(io.BytesIO(bare)) as image:
        assert not image.getexif().get_ifd(0x8825)
    assert without_metadata(bare) == bare


def test_a_second_picture_in_the_file_goes_too() -> None:
    """Phones put a depth map or a preview behind the photo, with the same notes."""
    assert SECRET.encode() not in without_metadata(noted("JPEG", 1) + noted("JPEG", 1))


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_a_file_that_is_cut_off_is_refused(form: str) -> None:
    data = noted(form, 1)
    with pytest.raises((ValueError, OSError)):
        without_metadata(data[: len(data) // 2])


def test_anything_else_comes_back_as_it_is() -> None:
    assert without_metadata(b"GIF89a...") == b"GIF89a..."
