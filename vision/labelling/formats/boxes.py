"""Functions that make a box once the photo's size is known, from the ways in which formats write boxes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from vision.labelling.labels import Box, LabelError, Point
from vision.labelling.messages import shown

MakeBox = Callable[[int, int], tuple[Box, bool]]
"""From the photo's width and height to the box, and whether the file drew a rectangle. Raises LabelError."""
_NEAR_UPRIGHT, _UPSIDE_DOWN = 45.0, 135.0
_CLEARLY_SHORTER = 0.95


def number(value: object) -> float:
    """A finite number, from a number or a text. Raises LabelError."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise LabelError("no_number", value=shown(value))
    if isinstance(value, str) and not value.strip():
        raise LabelError("number_missing")
    try:
        parsed = float(value)
    except (ValueError, OverflowError):
        raise LabelError("no_number", value=shown(value)) from None
    if not math.isfinite(parsed):
        raise LabelError("no_number", value=shown(value))
    return parsed


def points_of(values: object) -> list[Point]:
    """[[x, y], …] or [{"x": …, "y": …}, …] as points. Raises LabelError."""
    if isinstance(values, list) and values and all(isinstance(p, dict) and {"x", "y"} <= p.keys() for p in values):
        return [(number(p["x"]), number(p["y"])) for p in values]
    if not isinstance(values, list) or not all(isinstance(p, list | tuple) and len(p) == 2 for p in values):
        raise LabelError("points_wanted")
    return [(number(x), number(y)) for x, y in values]


def pairs(values: Sequence[float]) -> list[Point]:
    """x, y, x, y, … as points. Raises LabelError for an odd number of values."""
    if len(values) % 2:
        raise LabelError("coordinates_count", count=len(values))
    return list(zip(values[::2], values[1::2], strict=True))


def flat(x1: float, y1: float, x2: float, y2: float, angle: float = 0.0) -> MakeBox:
    """A box in pixels; corners in either order.

    Args:
        x1: of one corner.
        y1: of the same.
        x2: of the opposite one.
        y2: of the same.
        angle: rotation about the middle, in degrees clockwise.
    """
    return lambda _w, _h: (Box(min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2), angle), True)


def sized(values: object) -> MakeBox:
    """A box in pixels from [x, y, width, height]. Raises LabelError."""
    if not isinstance(values, list | tuple) or len(values) != 4:
        raise LabelError("fields_wanted", field="bbox", wanted="x, y, width, height")
    x, y, w, h = (number(value) for value in values)
    if w < 0 or h < 0:
        raise LabelError("box_negative", width=f"{w:g}", height=f"{h:g}")
    return flat(x, y, x + w, y + h)


def middled(cx: float, cy: float, width: float, height: float, angle: float = 0.0) -> MakeBox:
    """A box in pixels from its middle and size.

    Args:
        cx: of the middle.
        cy: of the middle.
        width: along the top.
        height: along the sides.
        angle: rotation about the middle, in degrees clockwise.
    """
    return flat(cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2, angle)


def shape(points: Sequence[Point], *, own_top: bool = False) -> MakeBox:
    """A polygon in pixels.

    Args:
        points: its corners.
        own_top: the first edge is the tile's own top, as this project writes it; else the top is found (`topped`).
    """

    def make(_width: int, _height: int) -> tuple[Box, bool]:
        box, exact = Box.from_corners(points)
        return (box if own_top else topped(box)), exact

    return make


def share_box(x1: float, y1: float, x2: float, y2: float) -> MakeBox:
    """A box in shares of the photo, corners in either order. Raises LabelError for what are pixels.

    Args:
        x1: of one corner.
        y1: of the same.
        x2: of the opposite one.
        y2: of the same.
    """
    if max(abs(value) for value in (x1, y1, x2, y2)) > 2:
        raise LabelError("shares_wanted")
    return lambda w, h: (Box(min(x1, x2) * w, min(y1, y2) * h, max(x1, x2) * w, max(y1, y2) * h), True)


def share_shape(points: Sequence[Point], *, own_top: bool = False) -> MakeBox:
    """A polygon in shares of the photo.

    Args:
        points: its corners.
        own_top: the first edge is the tile's own top.
    """
    return lambda w, h: shape([(x * w, y * h) for x, y in points], own_top=own_top)(w, h)


def outlined(make: MakeBox) -> MakeBox:
    """The box around another shape: the report says that it was no rectangle."""
    return lambda width, height: (make(width, height)[0], False)


def topped(box: Box) -> Box:
    """The same rectangle with the edge on top that is most likely the tile's own top.

    Tools begin a rectangle at any corner. An edge that runs along the photo's top stays. A short edge stays too,
    because a tile is taller than wide and may lie on its side, unless it would put the tile on its head."""
    angle = _signed(box.angle)
    if abs(angle) <= _NEAR_UPRIGHT:
        return box
    if box.width < _CLEARLY_SHORTER * box.height:
        return box if abs(angle) <= _UPSIDE_DOWN else quarter_turned(box, 2)
    return min((quarter_turned(box, turns) for turns in (1, 3, 2)), key=lambda turned: abs(_signed(turned.angle)))


def topped_at(box: Box, degrees: float) -> Box:
    """The same rectangle with the edge on top whose direction is nearest to ``degrees``."""
    turned = [quarter_turned(box, turns) for turns in range(4)]
    return min(turned, key=lambda other: abs(_signed(other.angle - degrees)))


def quarter_turned(box: Box, turns: int) -> Box:
    """The same rectangle, its edges counted from ``turns`` further on."""
    (cx, cy), width, height = box.center, box.width / 2, box.height / 2
    if turns % 2:
        width, height = height, width
    return Box(cx - width, cy - height, cx + width, cy + height, box.angle + 90 * turns)


def _signed(degrees: float) -> float:
    """The same angle between -180 and 180."""
    return (degrees + 180) % 360 - 180
