"""照片檔: files decoded by Pillow, upright and as RGB.

Everything about the file is decided from its header before anything is decoded. Large photos are decoded at a
fraction of their size (a JPEG decoder does that nearly for free).
"""

from __future__ import annotations

import importlib
import io
import threading
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError, features
from PIL.JpegImagePlugin import JpegImageFile  # importing a plugin is what registers its format
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from vision.photo.refusals import MAX_PIXELS, PhotoError, check_size, is_avif, is_heic, is_known, large, other_kind
from vision.photo.structure import has_chunk
from vision.pixels.values import Picture

ENOUGH = 1600
"""Pixels of the longer side that reading needs; photos at least twice as large are decoded smaller."""
MANY_PIXELS = 8_000_000
"""A WebP or HEIC of more is not decoded by Pillow."""
STRIP = 16
"""Rows of the smaller picture that are made at once."""
MOST_DEAR = 20_000_000
"""The most pixels of a file whose decoder holds nine bytes or more for each: AVIF, and WebP with transparency or
without loss. No camera writes larger ones."""

_FORMATS = tuple(kind.format for kind in (JpegImageFile, PngImageFile, WebPImageFile))
_EXIF_ORIENTATION = 0x0112
_NO_MEMORY = ("insufficient memory", "out of memory", "bad_alloc", "memory allocation", "failed to allocate")
_CUT_OFF = ("truncated", "end of file", "incomplete", "premature")


class _Quiet:
    """Switches warnings off while any thread decodes: Pillow tells of odd files through the warnings module, whose
    filters belong to the whole process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before = warnings.catch_warnings()

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                warnings.simplefilter("ignore")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._before.__exit__(None, None, None)


_QUIET = _Quiet()


def decode(data: bytes) -> tuple[Picture, tuple[int, int]]:
    """The upright pixels of a photo, possibly reduced, and its full upright (width, height).

    Raises PhotoError for anything that is not such a photo; never another error, whatever the bytes.
    """
    with _QUIET:
        image = _open(data)
        size = _check(image, data)
        pixels, turned = _decode(image, data)
    return pixels, (size[::-1] if turned else size)


def pixels_of(head: bytes) -> int:
    """The number of pixels of a photo from the first bytes of its file, without decoding; 0 if unknown."""
    with _QUIET:
        try:
            width, height = _open(head).size
        except PhotoError:
            return 0
    return width * height


def crop_from(file: bytes, side: int) -> Picture:
    """A small square picture at ``side`` pixels. Raises OSError or ValueError if the file has none."""
    with Image.open(io.BytesIO(file)) as image:
        if max(image.size) > 4 * side or image.size[0] != image.size[1]:
            raise ValueError(str(image.size))
        return np.asarray(image.convert("RGB").resize((side, side)), dtype=np.uint8)


def _open(data: bytes) -> Image.Image:
    """The picture with its header read and nothing decoded."""
    formats: tuple[str, ...] = _FORMATS
    if is_heic(data):
        _open_heic_too()
        formats = ("HEIF",)
    elif is_avif(data):
        _open_avif_too()
        formats = ("AVIF",)
    known = is_known(data)
    try:
        return Image.open(io.BytesIO(data), formats=formats)
    except Image.DecompressionBombError as error:
        pixels = next((int(word) for word in str(error).replace("(", " ").split() if word.isdigit()), 2 * MAX_PIXELS)
        raise large(pixels) from None
    except UnidentifiedImageError:
        raise (PhotoError("photo_damaged") if known else other_kind(data)) from None
    except Exception:  # Pillow's readers raise what they like on broken headers
        raise PhotoError("photo_damaged" if known else "photo_not") from None


def _open_heic_too() -> None:
    """Let Pillow open HEIC from now on. Raises PhotoError without the library for it, as on Windows on ARM."""
    try:
        from pi_heif import register_heif_opener
    except (ImportError, OSError) as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise PhotoError("photo_no_heic", reason=reason) from None
    register_heif_opener()


def _open_avif_too() -> None:
    """Let Pillow open AVIF from now on. Raises PhotoError if this Pillow was built without it, as all before 11.3."""
    if not features.check("avif"):
        raise PhotoError("photo_no_avif")
    importlib.import_module("PIL.AvifImagePlugin")  # importing a plugin is what registers its format


def heic_trouble() -> PhotoError | None:
    """Why HEIC photos cannot be opened on this computer; None if they can."""
    try:
        _open_heic_too()
    except PhotoError as error:
        return error
    return None


def _check(image: Image.Image, data: bytes) -> tuple[int, int]:
    """Size of the picture as stored, after everything its header can be refused for."""
    width, height = image.size
    check_size(width, height)
    try:
        frames = int(getattr(image, "n_frames", 1))
    except Exception:
        raise PhotoError("photo_damaged") from None
    # MPO and HEIC carry depth maps and previews as further pictures; these files are photos.
    if image.format in ("PNG", "WEBP", "AVIF") and frames > 1:
        raise PhotoError("photo_animated", frames=frames)
    if width * height > MOST_DEAR and (
        image.format == "AVIF" or (image.format == "WEBP" and _is_dear_webp(image, data))
    ):
        raise PhotoError("photo_memory")
    return width, height


def _is_dear_webp(image: Image.Image, data: bytes) -> bool:
    """Whether a WebP is transparent, or stored without loss."""
    return image.mode == "RGBA" or has_chunk(data, b"VP8L")


def _decode(image: Image.Image, data: bytes) -> tuple[NDArray[np.uint8], bool]:
    """Upright RGB pixels, and whether the picture was turned on its side."""
    width, height = image.size
    shrink = max(width, height) / ENOUGH
    try:
        if shrink >= 2 and image.format in ("JPEG", "MPO"):
            image.draft(None, (int(width / shrink), int(height / shrink)))
        orientation = _orientation(image)
        many = width * height > MANY_PIXELS
        if many and image.format == "WEBP":
            image = _small_webp(image, data, int(shrink))
        elif many and image.format == "HEIF":
            image = _small_heic(data, int(shrink))
        else:
            image.load()
        image = _small_rgb(image, int(max(image.size) / ENOUGH))
        if orientation in _TURNS:
            image = image.transpose(_TURNS[orientation])
        pixels = np.asarray(image, dtype=np.uint8)
    except MemoryError:
        raise PhotoError("photo_memory") from None
    except Exception as error:  # decoders raise what they like on broken files
        words = str(error).lower()
        if any(word in words for word in _NO_MEMORY):
            raise PhotoError("photo_memory") from None
        cut_off = isinstance(error, EOFError) or any(word in words for word in _CUT_OFF)
        raise PhotoError("photo_cut_off" if cut_off else "photo_damaged") from None
    return np.ascontiguousarray(pixels), orientation >= 5


def _small_rgb(image: Image.Image, shrink: int) -> Image.Image:
    """The picture as RGB, each side one part in `shrink` (0 and 1: as it is), strip by strip.

    At once, a picture of 50 megapixels would be in memory two or three times over, in the most exact form of each.
    """
    if shrink < 2:
        return _to_rgb(image, _brightest(image))
    brightest, height = _brightest(image), STRIP * shrink
    small = Image.new("RGB", (-(-image.width // shrink), -(-image.height // shrink)))
    for top in range(0, image.height, height):
        strip = image.crop((0, top, image.width, min(top + height, image.height)))
        small.paste(_to_rgb(strip, brightest).reduce(shrink), (0, top // shrink))
    return small


def _small_webp(image: Image.Image, data: bytes, shrink: int) -> Image.Image:
    """A large WebP, smaller: Pillow's decoder holds it four times over, OpenCV's once.

    What OpenCV returns is a copy of what it decoded; it halves an opaque picture before.
    """
    import cv2

    halved = shrink >= 2 and image.mode != "RGBA"
    how = cv2.IMREAD_REDUCED_COLOR_2 | cv2.IMREAD_IGNORE_ORIENTATION if halved else cv2.IMREAD_UNCHANGED
    pixels = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), how)
    if pixels is None or pixels.ndim != 3 or pixels.dtype != np.uint8:
        raise OSError("broken data stream")
    small = _smaller(pixels, shrink, image.size)
    return Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGRA2RGBA if small.shape[2] == 4 else cv2.COLOR_BGR2RGB))


def _small_heic(data: bytes, shrink: int) -> Image.Image:
    """A large HEIC, smaller, without Pillow's copy of the whole."""
    from pi_heif import open_heif

    file = open_heif(io.BytesIO(data), convert_hdr_to_8bit=True)  # its pixels are gone with it: the array holds nothing
    pixels = np.asarray(file)
    small = np.array(_smaller(pixels, shrink, pixels.shape[1::-1]))
    del file
    return Image.fromarray(small)


def _smaller(pixels: NDArray[Any], shrink: int, size: tuple[int, int]) -> NDArray[Any]:
    """Each side of a picture of this size, which may be halved already, one part in `shrink`."""
    import cv2

    if shrink < 2:
        return pixels
    wanted = -(-size[0] // shrink), -(-size[1] // shrink)
    return cv2.resize(pixels, wanted, interpolation=cv2.INTER_AREA)


def _brightest(image: Image.Image) -> float:
    """The largest value of a picture of one deep channel; 0 for any other."""
    if image.mode not in _DEEP:
        return 0
    extrema = image.getextrema()
    return float(extrema[1])  # type: ignore[arg-type]


_DEEP = ("I", "I;16", "I;16B", "I;16L", "F")
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _orientation(image: Image.Image) -> int:
    """EXIF orientation, 1 to 8; a broken EXIF block does not refuse a photo."""
    try:
        value = int(image.getexif().get(_EXIF_ORIENTATION, 1))
    except Exception:
        return 1
    return value if 1 <= value <= 8 else 1


def _to_rgb(image: Image.Image, brightest: float) -> Image.Image:
    """Any mode as RGB: deep greys are scaled to 8 bits, transparency becomes white."""
    if image.mode in _DEEP:
        values = np.asarray(image, dtype=np.float64)
        image = Image.fromarray((values / 257 if brightest > 255 else values).clip(0, 255).astype(np.uint8))
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(ground, image)
    return image if image.mode == "RGB" else image.convert("RGB")
