"""照片: accepted files, and files refused with a sentence."""

from __future__ import annotations

import io
import os
import struct
import zlib
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, features

from vision.photo.image import MAX_BYTES, PhotoError, load_photo
from vision.photo.sample import sample_photo_path
from vision.pixels.server import decoding


def picture(width: int = 120, height: int = 80) -> Image.Image:
    """Red left of the middle, blue right of it, a green corner at the top left."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2, 0] = 255
    pixels[:, width // 2 :, 2] = 255
    pixels[: height // 4, : width // 4] = (0, 255, 0)
    return Image.fromarray(pixels)


def encoded(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def heic(image: Image.Image, **options: object) -> bytes:
    import pillow_heif

    pillow_heif.register_heif_opener()
    return encoded(image, "HEIF", quality=90, **options)


def corner(pixels: np.ndarray) -> np.ndarray:
    return pixels[4:12, 4:12].mean((0, 1))


needs_avif = pytest.mark.skipif(not features.check("avif"), reason="this Pillow was built without AVIF")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", pytest.param("AVIF", marks=needs_avif)])
def test_formats(kind: str) -> None:
    photo = load_photo(heic(picture()) if kind == "HEIF" else encoded(picture(), kind))
    assert photo.size == (120, 80)
    assert photo.pixels.shape == (80, 120, 3)
    assert photo.pixels.dtype == np.uint8
    assert corner(photo.pixels)[1] > 180
    assert corner(photo.pixels)[0] < 80


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", pytest.param("AVIF", marks=needs_avif)])
def test_exif_orientation_is_undone(kind: str, orientation: int) -> None:
    undo = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # PIL's transpose that stores the picture so
    stored = picture()
    if undo[orientation] is not None:
        stored = stored.transpose(Image.Transpose(undo[orientation]))
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = load_photo(encoded(stored, kind, exif=exif))
    assert photo.size == (120, 80)
    assert corner(photo.pixels)[1] > 180
    assert photo.pixels[70, 110, 2] > 150


@pytest.mark.parametrize("mode", ["L", "LA", "P", "1", "RGBA", "CMYK", "I;16"])
def test_modes(mode: str) -> None:
    kind = "JPEG" if mode == "CMYK" else "PNG"
    image = picture().convert("L").convert("I;16") if mode == "I;16" else picture().convert(mode)
    photo = load_photo(encoded(image, kind))
    assert photo.pixels.shape == (80, 120, 3)


def test_a_grey_jpeg_and_deep_greys() -> None:
    grey = load_photo(encoded(picture().convert("L"), "JPEG"))
    assert grey.pixels.shape == (80, 120, 3)
    ramp = np.linspace(0, 65535, 120 * 80).reshape(80, 120).astype(np.uint16)
    deep = load_photo(encoded(Image.fromarray(ramp), "PNG")).pixels
    assert deep[0, 0, 0] == 0
    assert deep[-1, -1, 0] == 255
    assert 120 < deep[40, 0, 0] < 136


def test_a_colour_png_of_16_bits() -> None:
    ok, data = cv2.imencode(".png", np.asarray(picture())[:, :, ::-1].astype(np.uint16) * 257)
    assert ok
    photo = load_photo(data.tobytes())
    assert corner(photo.pixels).tolist() == [0, 255, 0]


def test_the_first_picture_of_a_phones_mpo() -> None:
    """Two pictures in one JPEG (MPO), as phones with two lenses write them: the first is the photo."""
    data = encoded(picture(400, 300), "MPO", save_all=True, append_images=[Image.new("RGB", (100, 75), "black")])
    photo = load_photo(data)
    assert photo.size == (400, 300)
    assert corner(photo.pixels)[1] > 180
    with pytest.raises(PhotoError):
        load_photo(data[:2000])


def test_a_progressive_jpeg_and_one_in_the_printers_colours() -> None:
    assert corner(load_photo(encoded(picture(), "JPEG", progressive=True)).pixels)[1] > 180
    pixels = load_photo(encoded(picture().convert("CMYK"), "JPEG")).pixels
    assert corner(pixels)[1] > 180
    assert corner(pixels)[0] < 80


def huge_jpeg(width: int, height: int) -> bytes:
    """A JPEG with a huge size in its header."""
    data = bytearray(encoded(picture(), "JPEG"))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def test_a_transparent_ground_is_white() -> None:
    photo = load_photo(encoded(Image.new("RGBA", (100, 100), (0, 0, 0, 0)), "PNG"))
    assert photo.pixels.min() == 255


def test_a_large_jpeg_is_decoded_smaller_and_keeps_its_size() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = load_photo(encoded(picture(4032, 3024), "JPEG", exif=exif))
    assert photo.size == (3024, 4032)
    assert photo.pixels.shape == (2016, 1512, 3)
    assert photo.scale == (2.0, 2.0)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_other_large_photos_are_reduced_too(kind: str) -> None:
    photo = load_photo(encoded(picture(4000, 3000), kind))
    assert photo.size == (4000, 3000)
    assert max(photo.pixels.shape) <= 2000


def bomb(width: int, height: int) -> bytes:
    """A PNG with a huge size in its header and almost no data."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(64))) + chunk(b"IEND", b"")


GIF = encoded(picture(), "GIF")
REFUSED = {
    "empty": (b"", "photo_empty"),
    "text": (b"hello, this is no photo", "photo_not"),
    "one-byte": (b"\xff", "photo_not"),
    "gif": (GIF, "photo_kind"),
    "pdf": (b"%PDF-1.7 ...", "photo_kind"),
    "bmp": (encoded(picture(), "BMP"), "photo_kind"),
    "tiff": (encoded(picture(), "TIFF"), "photo_kind"),
    "mp4": (b"\x00\x00\x00\x20ftypisom" + bytes(64), "photo_video"),
    "webm": (b"\x1aE\xdf\xa3" + bytes(64), "photo_video"),
    "bomb-60mp": (bomb(10_000, 6_000), "photo_large"),
    "bomb-120mp": (bomb(12_000, 10_000), "photo_large"),
    "bomb-4gp": (bomb(65_000, 65_000), "photo_large"),
    "jpeg-200mp": (huge_jpeg(16320, 12240), "photo_large"),
    "animated-gif": (encoded(picture(), "GIF", save_all=True, append_images=[picture().rotate(90)]), "photo_kind"),
    "tiny": (encoded(picture(20, 20), "PNG"), "photo_small"),
    "strip": (encoded(picture(400, 10), "PNG"), "photo_small"),
    "animated-webp": (
        encoded(picture(), "WEBP", save_all=True, append_images=[picture().rotate(180)], duration=100),
        "photo_animated",
    ),
    "animated-png": (
        encoded(picture(), "PNG", save_all=True, append_images=[picture().rotate(180)]),
        "photo_animated",
    ),
    "jpeg-header-only": (b"\xff\xd8\xff\xe0" + bytes(30), "photo_damaged"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_a_sentence(name: str) -> None:
    data, key = REFUSED[name]
    with pytest.raises(PhotoError) as caught:
        load_photo(data)
    assert caught.value.key == key
    zh, en = caught.value.message("zh"), caught.value.message("en")
    assert zh.endswith("。")
    assert en.endswith(".")
    assert "{" not in zh + en
    assert str(caught.value) == en


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF", pytest.param("AVIF", marks=needs_avif)])
@pytest.mark.parametrize("share", [0.5, 0.9])
def test_cut_off(kind: str, share: float) -> None:
    noise = Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8))
    data = heic(noise, enc_params={"preset": "ultrafast"}) if kind == "HEIF" else encoded(noise, kind)
    with pytest.raises(PhotoError) as caught:
        load_photo(data[: int(len(data) * share)])
    assert caught.value.key in ("photo_cut_off", "photo_damaged")


def test_an_avif_that_this_pillow_cannot_open_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A header is enough: the sentence comes before anything is decoded."""
    monkeypatch.setattr(decoding.features, "check", lambda name: False)
    with pytest.raises(PhotoError) as caught:
        load_photo(b"\0\0\0\x1cftypavif" + bytes(400))
    assert caught.value.key == "photo_no_avif"
    assert "JPEG" in caught.value.message("zh")


@needs_avif
def test_an_avif_that_moves_is_refused() -> None:
    frames = [picture(), picture().transpose(Image.Transpose.ROTATE_180)]
    with pytest.raises(PhotoError) as caught:
        load_photo(encoded(frames[0], "AVIF", save_all=True, append_images=frames[1:]))
    assert caught.value.key == "photo_animated"


def test_a_cut_off_jpeg_is_called_that() -> None:
    data = encoded(picture(), "JPEG")
    with pytest.raises(PhotoError) as caught:
        load_photo(data[: len(data) - len(data) // 3])
    assert caught.value.key == "photo_cut_off"


def test_files(tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="no such file"):
        load_photo(tmp_path / "none.jpg")
    with pytest.raises(PhotoError, match="not a photo"):
        load_photo(tmp_path)
    with pytest.raises(PhotoError, match="no such file"):
        load_photo(Path("a\0b.jpg"))
    path = tmp_path / "圖.jpg"
    path.write_bytes(encoded(picture(), "JPEG"))
    assert load_photo(path).size == (120, 80)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero on this system")
def test_a_device_without_end() -> None:
    with pytest.raises(PhotoError, match="not a photo"):
        load_photo(Path("/dev/zero"))


def test_a_file_that_is_too_heavy(tmp_path: Path) -> None:
    path = tmp_path / "heavy.jpg"
    with path.open("wb") as handle:
        handle.truncate(MAX_BYTES + 1)
    with pytest.raises(PhotoError, match="101 MB"):
        load_photo(path)


@cache
def seeds() -> list[bytes]:
    """A small photo of each kind, and no photo."""
    kinds = ["JPEG", "PNG", "WEBP", *(["AVIF"] if features.check("avif") else [])]
    return [b"", *(encoded(picture(), kind) for kind in kinds), heic(picture()), GIF]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_bytes_are_a_photo_or_a_sentence(data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from(seeds()))
    junk = data.draw(st.binary(max_size=64))
    if seed:
        at = data.draw(st.integers(0, len(seed)))
        cut = data.draw(st.integers(0, 40))
        seed = seed[:at] + junk + seed[at + cut :]
    else:
        seed = junk
    said = ""
    try:
        load_photo(seed)
    except PhotoError as error:
        said = error.message("zh") + error.message("en")
    assert "{" not in said


def test_the_sample_photo() -> None:
    photo = load_photo(sample_photo_path())
    assert photo.size == (1600, 1200)
    assert sample_photo_path().stat().st_size < 600_000


def _noise(width: int, height: int, channels: int) -> np.ndarray:
    small = np.random.default_rng(7).integers(0, 256, (height // 10, width // 10, channels), dtype=np.uint8)
    return small.repeat(10, axis=0).repeat(10, axis=1)


def test_a_heic_of_a_whole_sensor_is_read() -> None:
    """As large as a phone's: its decoder's pixels go with its file, and whoever reads them then falls over."""
    photo = load_photo(heic(picture(3400, 2500), enc_params={"preset": "ultrafast"}))
    assert photo.size == (3400, 2500)
    height, width = photo.pixels.shape[:2]
    assert abs(photo.pixels[height // 2, width // 4].astype(int) - (255, 0, 0)).max() < 16
    assert abs(photo.pixels[height // 2, width * 3 // 4].astype(int) - (0, 0, 255)).max() < 16
    assert abs(photo.pixels[height // 8, width // 8].astype(int) - (0, 255, 0)).max() < 16


@pytest.mark.parametrize(
    ("mode", "form", "options"),
    [
        ("RGB", "WEBP", {"lossless": True, "method": 0}),
        ("RGBA", "WEBP", {"lossless": True, "method": 0, "exact": True}),
        ("RGBA", "PNG", {"compress_level": 1}),
        ("P", "PNG", {"compress_level": 1}),
        ("L", "PNG", {"compress_level": 1}),
        ("I;16", "PNG", {"compress_level": 1}),
        ("1", "PNG", {}),
    ],
    ids=["webp", "webp-transparent", "png-transparent", "palette", "grey", "grey-16", "one-bit"],
)
def test_a_large_photo_made_smaller_in_strips_looks_as_it_did(
    mode: str, form: str, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compared with the same picture on white, averaged at once; turned according to its EXIF."""
    monkeypatch.setattr(decoding, "MANY_PIXELS", 500_000)  # a sixteenth of the limit, so that it takes no time
    monkeypatch.setattr(decoding, "ENOUGH", 400)
    wide, high = 1000, 550
    if mode == "I;16":
        image = Image.fromarray(_noise(wide, high, 1)[:, :, 0].astype(np.uint16) * 257)
        white = Image.fromarray(_noise(wide, high, 1)[:, :, 0]).convert("RGB")
    else:
        image = Image.fromarray(_noise(wide, high, 4 if mode == "RGBA" else 3)).convert(mode)
        white = Image.new("RGBA", image.size, "white")
        white = Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")
    exif = Image.Exif()
    exif[0x0112] = 6
    out = io.BytesIO()
    image.save(out, form, exif=exif, **options)
    photo = load_photo(out.getvalue())
    wanted = np.asarray(white.reduce(2).transpose(Image.Transpose.ROTATE_270), dtype=int)
    assert photo.size == (high, wide)
    assert photo.pixels.shape == wanted.shape
    assert np.abs(photo.pixels.astype(int) - wanted).max() <= 2


@pytest.mark.parametrize(
    ("form", "mode", "options", "dear"),
    [
        ("WEBP", "RGB", {}, False),
        ("WEBP", "RGB", {"lossless": True}, True),
        ("WEBP", "RGB", {"lossless": True, "icc_profile": bytes(600)}, True),
        ("WEBP", "RGBA", {}, True),
        ("PNG", "RGBA", {}, False),
        pytest.param("AVIF", "RGB", {}, True, marks=needs_avif),
    ],
)
def test_large_files_that_take_much_memory_are_refused(
    form: str, mode: str, options: dict[str, object], dear: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoding, "MOST_DEAR", 120 * 80 - 1)
    image = picture()
    if mode == "RGBA":
        image.putalpha(Image.linear_gradient("L").resize(image.size))
    data = encoded(image, form, **options)
    if not dear:
        assert load_photo(data).size == (120, 80)
        return
    with pytest.raises(PhotoError) as refused:
        load_photo(data)
    assert refused.value.key == "photo_memory"
    monkeypatch.setattr(decoding, "MOST_DEAR", 120 * 80)
    assert load_photo(data).size == (120, 80)
