"""標記的值: boxes, labels, and the data of a photo. Pixels are of the upright photo, after its EXIF rotation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from scoring.tiles import BACK, CODES
from vision.geometry import iou
from vision.labelling.messages import LabellingError, shown
from vision.messages import OWN

TILES: frozenset[str] = frozenset((*CODES, BACK))
Origin = Literal["person", "model", "import"]
ORIGINS: tuple[str, ...] = get_args(Origin)
Split = Literal["train", "val", "test"]
SPLITS: tuple[str, ...] = get_args(Split)
LEAST_SIDE_PIXELS = 2.0
"""Sides of a box in pixels: smaller ones are slips of the mouse."""
DECIMALS = 2
"""Coordinates and angles are kept to a hundredth, so that every format gives back exactly what it was given."""
Point = tuple[float, float]


class LabelError(LabellingError, ValueError):
    """Raised for an invalid label; ``message(lang)`` names the problem."""


@dataclass(frozen=True)
class Box:
    """框: left, top, right, bottom in pixels, then turned round its middle by ``angle`` degrees clockwise (0 to 360).
    The first edge, from (x1, y1) to (x2, y1), is the tile's own top."""

    x1: float
    y1: float
    x2: float
    y2: float
    angle: float = 0.0

    def __post_init__(self) -> None:
        x1, y1, x2, y2, angle = map(float, (self.x1, self.y1, self.x2, self.y2, self.angle))
        if not math.isfinite(x1 + y1 + x2 + y2 + angle):
            raise LabelError("no_number", value=f"{x1:g} {y1:g} {x2:g} {y2:g} {angle:g}")
        keep = object.__setattr__  # sets have hundreds of thousands of boxes
        keep(self, "x1", round(x1, DECIMALS) + 0.0)
        keep(self, "y1", round(y1, DECIMALS) + 0.0)
        keep(self, "x2", round(x2, DECIMALS) + 0.0)
        keep(self, "y2", round(y2, DECIMALS) + 0.0)
        keep(self, "angle", round(angle % 360, DECIMALS) % 360)
        if self.width < LEAST_SIDE_PIXELS or self.height < LEAST_SIDE_PIXELS:
            raise LabelError("box_tiny", width=f"{self.width:g}", height=f"{self.height:g}")

    @property
    def width(self) -> float:
        """Along the tile's own top edge."""
        return round(self.x2 - self.x1, DECIMALS)

    @property
    def height(self) -> float:
        """Across it."""
        return round(self.y2 - self.y1, DECIMALS)

    @property
    def center(self) -> Point:
        """The middle."""
        return (self.x1 + self.x2) / 2, (self.y1 + self.y2) / 2

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """The tile's own top left, top right, bottom right, bottom left."""
        flat = (self.x1, self.y1), (self.x2, self.y1), (self.x2, self.y2), (self.x1, self.y2)
        if not self.angle:
            return flat
        cx, cy = self.center
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        a, b, c, d = ((cx + (x - cx) * cos - (y - cy) * sin, cy + (x - cx) * sin + (y - cy) * cos) for x, y in flat)
        return a, b, c, d

    @property
    def outline(self) -> tuple[float, float, float, float]:
        """x1 y1 x2 y2 of the upright rectangle around the box."""
        if not self.angle:
            return self.x1, self.y1, self.x2, self.y2
        xs, ys = zip(*self.corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def upright(self) -> Box:
        """The rectangle around it."""
        return self if not self.angle else Box(*self.outline)

    @classmethod
    def from_corners(cls, points: Sequence[Point]) -> tuple[Box, bool]:
        """The box with these corners, the first edge its top, and whether they are a rectangle's; other shapes get the
        smallest rectangle around them."""
        import cv2
        import numpy as np

        if len(points) == 4:
            a, b, c, d = points
            if (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]) < 0:
                b, d = d, b  # named the other way round
            middle = (a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4
            width, height = math.dist(a, b), math.dist(a, d)
            slack = max(0.01 * max(width, height), 0.05)
            skewed = (
                abs(math.dist(a, c) - math.dist(b, d)) > slack
                or math.dist(((a[0] + c[0]) / 2, (a[1] + c[1]) / 2), ((b[0] + d[0]) / 2, (b[1] + d[1]) / 2)) > slack
            )
            if not skewed:
                return cls._around(middle, width, height, math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))), True
        (cx, cy), (width, height), angle = cv2.minAreaRect(np.array(points, np.float32))
        while abs(angle) > 45:  # the side nearer to the photo's own top is the top, whatever OpenCV calls the first
            width, height, angle = height, width, angle - math.copysign(90, angle)
        return cls._around((float(cx), float(cy)), float(width), float(height), float(angle)), False

    @classmethod
    def _around(cls, middle: Point, width: float, height: float, angle: float) -> Box:
        if abs((angle + 180) % 360 - 180) < 0.005:
            angle = 0.0
        (cx, cy), w, h = middle, width / 2, height / 2
        return cls(cx - w, cy - h, cx + w, cy + h, angle)

    def clipped(self, width: int, height: int) -> Box | None:
        """The part inside a photo of this size; None if less than half of the box is inside.
        A turned box stays whole if its middle is inside: a tile cut by the edge keeps its own shape."""
        if self.angle:
            cx, cy = self.center
            return self if 0 <= cx <= width and 0 <= cy <= height else None
        inside = max(self.x1, 0.0), max(self.y1, 0.0), min(self.x2, float(width)), min(self.y2, float(height))
        if inside == (self.x1, self.y1, self.x2, self.y2):
            return self
        w, h = round(inside[2] - inside[0], DECIMALS), round(inside[3] - inside[1], DECIMALS)
        return Box(*inside) if min(w, h) >= LEAST_SIDE_PIXELS and w * h >= 0.5 * self.width * self.height else None

    def iou(self, other: Box) -> float:
        """Overlap of the two outlines: intersection by union."""
        return iou(self.outline, other.outline)


@dataclass(frozen=True)
class Label:
    """一個標記: a tile's code (or ``back``, or an own name of its set behind ``@``) and its box.

    ``origin``: who put it there; ``confidence``: of the model; ``checked``: a person confirmed it. ``id`` is the
    store's name for it, empty before saving."""

    tile: str
    box: Box
    origin: Origin = "person"
    confidence: float | None = None
    checked: bool = False
    id: str = ""

    def __post_init__(self) -> None:
        if self.tile not in TILES and not self.tile.startswith(OWN):
            raise LabelError("no_tile", code=shown(self.tile))
        if self.origin not in ORIGINS:
            raise LabelError("origin_unknown", known=", ".join(ORIGINS))
        if self.confidence is not None:
            value = float(self.confidence)
            if not 0 <= value <= 1:
                raise LabelError("confidence_range", value=f"{value:g}")
            object.__setattr__(self, "confidence", round(value, 4))

    def to_json(self, *, with_id: bool = True) -> dict[str, Any]:
        """As the store, the versions and the page write it."""
        box = [self.box.x1, self.box.y1, self.box.x2, self.box.y2, self.box.angle]
        values: dict[str, Any] = {"tile": self.tile, "box": box, "origin": self.origin}
        values |= {"confidence": self.confidence, "checked": self.checked}
        return {"id": self.id, **values} if with_id else values

    @classmethod
    def from_json(cls, values: object) -> Label:
        """The label of a JSON object. Raises LabelError."""
        if not isinstance(values, dict):
            raise LabelError("label_no_object")
        if not values.keys() <= _KEYS:
            raise LabelError("label_key", name=shown(min(values.keys() - _KEYS)))
        box, checked, id_ = values.get("box"), values.get("checked", False), values.get("id", "")
        if not isinstance(box, list) or len(box) not in (4, 5) or not all(map(_is_number, box)):
            raise LabelError("fields_wanted", field="box", wanted="x1, y1, x2, y2, angle")
        confidence = values.get("confidence")
        if confidence is not None and not _is_number(confidence):
            raise LabelError("no_number", value=shown(confidence))
        if not isinstance(checked, bool) or not isinstance(id_, str) or len(id_) > 40:
            raise LabelError("fields_wrong", fields="checked, id")
        return cls(str(values.get("tile")), Box(*box), values.get("origin", "person"), confidence, checked, id_)


_KEYS = frozenset({"id", "tile", "box", "origin", "confidence", "checked"})


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e7


@dataclass(frozen=True)
class PhotoInfo:
    """一張照片的資料.

    Attributes:
        id: SHA-256 of the file.
        name: in the set, unique.
        size: width and height of the upright photo.
        scene: the table, cloth or shoot; splits never cut one.
        hidden_backs: face-down tiles in it have no labels.
        revision: number of saves.
        boxes: number of labels.
        unchecked: number of unchecked labels.
        least: lowest confidence of an unchecked label.
        empty: a person confirmed that it has no tile.
        partial: number of imported labels that could not be read.
        consent: the agreement of the people in the photo, with its date, in a person's words.
    """

    id: str
    name: str
    size: tuple[int, int]
    scene: str = ""
    source: str = ""
    licence: str = ""
    split: Split | None = None
    hidden_backs: bool = False
    perceptual_hash: str = ""
    revision: int = 0
    boxes: int = 0
    unchecked: int = 0
    least: float | None = None
    empty: bool = False
    partial: int = 0
    consent: str = ""


@dataclass(frozen=True)
class LabelledPhoto:
    """A photo and its labels, as they were at ``photo.revision``."""

    photo: PhotoInfo
    labels: tuple[Label, ...] = ()


def is_checked(photo: LabelledPhoto) -> bool:
    """Whether a person has looked at all of it: every label is checked, or the photo is confirmed to have none."""
    return all(label.checked for label in photo.labels) if photo.labels else photo.photo.empty


def is_truth(photo: LabelledPhoto) -> bool:
    """Whether the labels may measure and train. Every label was checked, or came with an import that lost none; a photo
    without labels must be confirmed empty. Labels of a model alone do not count."""
    if not photo.labels:
        return photo.photo.empty
    return all(label.checked or (label.origin == "import" and not photo.photo.partial) for label in photo.labels)
