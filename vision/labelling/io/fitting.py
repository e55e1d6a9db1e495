"""Boxes drawn on a picture of another size, or before its EXIF rotation."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from vision.labelling.formats.foreign import ForeignPhoto
from vision.labelling.labels import Box, LabelError, Point


@dataclasses.dataclass(frozen=True)
class Drawn:
    """The picture that boxes were drawn on: its ``size``, and how that is turned to the upright photo (EXIF)."""

    size: tuple[int, int]
    orientation: int = 1


def drawn_on(foreign: ForeignPhoto, file: Path | bytes, size: tuple[int, int]) -> Drawn:
    """Asked of the photo's file once, not for each of its boxes; ``size`` is that of the upright photo."""
    if foreign.size is None or foreign.size == size:
        return Drawn(size)
    try:
        with Image.open(io.BytesIO(file) if isinstance(file, bytes) else file) as image:
            raw, orientation = image.size, int(image.getexif().get(0x0112, 1))
    except Exception:  # HEIC is always given upright; what cannot be asked is taken as upright
        raw, orientation = size, 1
    return Drawn(foreign.size, orientation if foreign.size == raw != size else 1)


def fitted(box: Box, drawn: Drawn, size: tuple[int, int]) -> Box:
    """Convert a box that was drawn on a picture of another size: the same picture scaled, or the file's picture before
    its EXIF rotation. Raises LabelError for another aspect ratio."""
    drawn_size = drawn.size
    if drawn.orientation in _TURNS:
        turn = _TURNS[drawn.orientation]
        corners: list[Point] = [turn(x, y, *drawn_size) for x, y in box.corners]
        if not box.angle:
            xs, ys = zip(*corners, strict=True)
            return Box(min(xs), min(ys), max(xs), max(ys))
        return Box.from_corners(corners)[0]
    factor = size[0] / drawn_size[0], size[1] / drawn_size[1]
    if abs(factor[0] / factor[1] - 1) > 0.02:
        raise LabelError("drawn_on_other", drawn=f"{drawn_size[0]}×{drawn_size[1]}", photo=f"{size[0]}×{size[1]}")
    if not box.angle:
        return Box(box.x1 * factor[0], box.y1 * factor[1], box.x2 * factor[0], box.y2 * factor[1])
    return Box.from_corners([(x * factor[0], y * factor[1]) for x, y in box.corners])[0]


_TURNS: dict[int, Callable[[float, float, int, int], Point]] = {
    5: lambda x, y, w, h: (y, x),
    6: lambda x, y, w, h: (h - y, x),
    7: lambda x, y, w, h: (h - y, w - x),
    8: lambda x, y, w, h: (y, w - x),
}
"""From a point of the picture in the file (width w, height h) to the upright photo, by EXIF orientation."""
