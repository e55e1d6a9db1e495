"""怎麼教: how a training alters a labelled photo before the detector learns from it, with or without torch.

:mod:`vision.training.networks.detector` itself uses `turn_by_chance`, `turn_boxes` and `VALUES`. `changed` draws the
alterations of ultralytics by the same rule, so that people can see them without it. Its mosaic of four photos is left
out, as in its last epochs.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shares = tuple[float, float, float, float]
"""Middle, width and height of a box, as shares of the picture."""
Outline = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels."""
QUARTER_TURN_SHARE = 0.4
"""Share of the photos that are turned: tables are photographed from all four sides, the data mostly from one."""
VALUES = {
    "degrees": 8.0,
    "translate": 0.1,
    "scale": 0.5,
    "perspective": 0.0003,
    "hsv_h": 0.02,
    "hsv_s": 0.6,
    "hsv_v": 0.45,
    "fliplr": 0.0,  # a mirrored tile is another picture
    "flipud": 0.0,
}
"""What ultralytics changes by chance, by its own names."""
MOSAIC_OFF = 2
"""Number of last epochs without mosaics of four photos."""
SIZE = 576
"""Side of the pictures that the detector learns on."""
GREY = 114
LEAST_AREA, LEAST_SIDE = 0.1, 2.0
"""Least share of a box's area, and least side in pixels, that must be left in the picture."""


def turn_by_chance(rng: random.Random) -> int:
    """By how many quarter turns, counter-clockwise, a photo is turned."""
    return rng.randint(1, 3) if rng.random() < QUARTER_TURN_SHARE else 0


def turn_boxes(boxes: list[Shares], quarter: int) -> list[Shares]:
    """Boxes after ``quarter`` counter-clockwise quarter turns of the picture."""
    for _ in range(quarter % 4):
        boxes = [(cy, 1 - cx, h, w) for cx, cy, w, h in boxes]
    return boxes


@dataclass(frozen=True)
class Sample:
    """An altered photo: pixels, the boxes that are left (by their place in the list), and the drawn values: quarter
    turns, degrees, scale."""

    pixels: NDArray[np.uint8]
    boxes: tuple[tuple[int, Outline], ...]
    quarter: int
    degrees: float
    scale: float


def changed(pixels: NDArray[np.uint8], boxes: Sequence[Shares], seed: str, size: int = SIZE) -> Sample:
    """One such picture of a photo; the same for the same seed.

    Args:
        pixels: the upright photo.
        boxes: its labels.
        seed: what chance goes by.
        size: side of the picture.
    """
    import cv2

    rng = random.Random(seed)
    quarter = turn_by_chance(rng)
    turned = turn_boxes(list(boxes), quarter)
    photo = np.rot90(pixels, quarter)
    height, width = photo.shape[:2]
    fit = size / max(width, height)
    small = cv2.resize(
        np.ascontiguousarray(photo), (round(width * fit), round(height * fit)), interpolation=cv2.INTER_AREA
    )
    matrix, degrees, scale = _matrix(rng, small.shape[1], small.shape[0], size)
    warped = cv2.warpPerspective(small, matrix, (size, size), borderValue=(GREY, GREY, GREY))
    left = [
        (place, shares)
        for place, box in enumerate(turned)
        if (shares := _moved(box, (small.shape[1], small.shape[0]), matrix, scale, size))
    ]
    return Sample(_coloured(np.asarray(warped, np.uint8), rng), tuple(left), quarter, degrees, scale)


def _matrix(rng: random.Random, width: int, height: int, size: int) -> tuple[NDArray[np.float64], float, float]:
    """From the photo's pixels to the picture's; by how many degrees, and how much larger."""

    def chance(most: float, around: float = 0.0) -> float:
        return rng.uniform(around - most, around + most)

    middle, tilt, move = np.eye(3), np.eye(3), np.eye(3)
    middle[:2, 2] = -width / 2, -height / 2
    tilt[2, :2] = chance(VALUES["perspective"]), chance(VALUES["perspective"])
    degrees, scale = chance(VALUES["degrees"]), chance(VALUES["scale"], 1.0)
    cos, sin = scale * math.cos(math.radians(degrees)), scale * math.sin(math.radians(degrees))
    turn = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1.0]])
    move[:2, 2] = chance(VALUES["translate"], 0.5) * size, chance(VALUES["translate"], 0.5) * size
    return move @ turn @ tilt @ middle, degrees, scale


def _moved(box: Shares, shape: tuple[int, int], matrix: NDArray[np.float64], scale: float, size: int) -> Outline | None:
    """The box in the altered picture; None if too little of it is left."""
    width, height = shape
    cx, cy, w, h = box[0] * width, box[1] * height, box[2] * width / 2, box[3] * height / 2
    corners = np.array([[cx - w, cy - h, 1], [cx + w, cy - h, 1], [cx + w, cy + h, 1], [cx - w, cy + h, 1]]) @ matrix.T
    xs, ys = (corners[:, at] / corners[:, 2] for at in (0, 1))
    x1, y1, x2, y2 = (float(edge) for edge in np.clip((xs.min(), ys.min(), xs.max(), ys.max()), 0, size))
    enough = (x2 - x1) * (y2 - y1) > LEAST_AREA * 4 * w * h * scale**2
    return (x1, y1, x2, y2) if min(x2 - x1, y2 - y1) > LEAST_SIDE and enough else None


def _coloured(pixels: NDArray[np.uint8], rng: random.Random) -> NDArray[np.uint8]:
    """Hue, saturation and brightness by chance."""
    import cv2

    hue, strength, light = (rng.uniform(-1, 1) * VALUES[key] for key in ("hsv_h", "hsv_s", "hsv_v"))
    steps = np.arange(256, dtype=np.float64)
    tables = (steps + hue * 180) % 180, np.clip(steps * (1 + strength), 0, 255), np.clip(steps * (1 + light), 0, 255)
    planes = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_RGB2HSV))
    mapped = [cv2.LUT(plane, table.astype(np.uint8)) for plane, table in zip(planes, tables, strict=True)]
    return np.asarray(cv2.cvtColor(cv2.merge(mapped), cv2.COLOR_HSV2RGB), np.uint8)
