"""Pictures written as files."""

from __future__ import annotations

import io

import cv2
from PIL import Image

from vision.pixels.server.shrinking import shrunk
from vision.pixels.values import Picture


def jpeg(pixels: Picture, longer: int, quality: int) -> bytes:
    """A picture as a JPEG file of at most ``longer`` pixels on its longer side; ``quality``: 0 to 100."""
    height, width = pixels.shape[:2]
    scale = longer / max(height, width)
    if scale < 1:  # OpenCV takes a fifth of the time that Pillow takes for it
        size = max(1, round(width * scale)), max(1, round(height * scale))
        pixels = shrunk(pixels, *size)
    done, file = cv2.imencode(".jpg", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), (cv2.IMWRITE_JPEG_QUALITY, quality))
    if not done:  # OpenCV gives no reason
        raise MemoryError
    return file.tobytes()


def turned_jpeg(file: bytes, quality: int) -> bytes:
    """A JPEG file turned clockwise by a quarter; ``quality``: 0 to 100."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(file)) as picture:
        picture.transpose(Image.Transpose.ROTATE_270).save(out, "JPEG", quality=quality)
    return out.getvalue()


def png(pixels: Picture, *, small: bool = False) -> bytes:
    """A picture as a PNG file; ``small``: take the time to make it so."""
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", optimize=small)
    return out.getvalue()
