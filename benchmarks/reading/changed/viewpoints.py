"""Photos changed as another viewpoint or another set of tiles would: laid back, mirrored, other backs, blank dragons.

Each change returns new pixels and the new labels. Benchmarks measure readings on them.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.tiles import BACK
from vision.detection.measure import Label
from vision.training.data.changes import Change, moved

Pixels = NDArray[np.uint8]
Scene = tuple[Pixels, list[Label]]
Viewpoint = Callable[[Pixels, Sequence[Label]], Scene]
CAMERA = 1.2
"""Distance of the camera from the middle of the photo, in longer sides."""
GROUND = (114, 114, 114)
FINER = (2, 4)
"""A tilted photo is drawn this many times wider and higher, then reduced, without jagged edges."""
BACK_COLOURS = {
    "red": (0.0, 0.45),
    "orange": (0.08, 0.5),
    "yellow": (0.15, 0.55),
    "green": (0.36, 0.4),
    "teal": (0.48, 0.4),
    "sky": (0.55, 0.7),
    "blue": (0.6, 0.45),
    "navy": (0.63, 0.25),
    "purple": (0.77, 0.4),
    "pink": (0.92, 0.75),
    "pale": (0.12, 0.88),
    "black": (0.0, 0.12),
}
"""Hue and lightness of face-down tiles. Pale and black have next to no saturation."""
COLOURLESS = ("pale", "black")
RIM = 0.2
"""Share of a white dragon's shorter side, from its edge, in which a frame is painted out."""


def moving(change: Change) -> Viewpoint:
    """A change of pixels as one of pixels and labels."""

    def both(pixels: Pixels, labels: Sequence[Label]) -> Scene:
        lengths = [max(label.box[2] - label.box[0], label.box[3] - label.box[1]) for label in labels]
        changed, matrix = change(pixels, float(np.median(lengths)) if lengths else 40.0)
        return changed, moved(labels, matrix)

    return both


def laid_back(degrees: float, turn: float = 0.0) -> Viewpoint:
    """Seen from a low camera: the photo turned by ``turn`` degrees, then laid back about the horizontal."""

    def change(pixels: Pixels, labels: Sequence[Label]) -> Scene:
        height, width = pixels.shape[:2]
        matrix = projection(width, height, degrees, turn)
        corners = _carried(matrix, np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64))
        low, high = corners.min(axis=0), corners.max(axis=0)
        wide, tall = (math.ceil(value) for value in high - low)
        shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
        matrix = shift @ matrix
        finer = np.diag([FINER[0], FINER[1], 1.0]) @ matrix
        size = (wide * FINER[0], tall * FINER[1])
        drawn = cv2.warpPerspective(pixels, finer, size, flags=cv2.INTER_LINEAR, borderValue=GROUND)
        shrunk = cv2.resize(drawn, (wide, tall), interpolation=cv2.INTER_AREA)
        return shrunk.astype(np.uint8, copy=False), [_seen(matrix, label) for label in labels]

    return change


def projection(width: int, height: int, degrees: float, turn: float) -> NDArray[np.float64]:
    """The matrix (3, 3) from pixels of a flat photo to pixels of the tilted photo."""
    lay, spin, far = math.radians(degrees), math.radians(turn), CAMERA * max(width, height)
    middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    turned = np.array([[math.cos(spin), -math.sin(spin), 0], [math.sin(spin), math.cos(spin), 0], [0, 0, 1]])
    seen = np.array([[far, 0, 0], [0, far * math.cos(lay), 0], [0, -math.sin(lay), far]])
    return np.asarray(seen @ turned @ middle, np.float64)


def mirrored(pixels: Pixels, labels: Sequence[Label]) -> Scene:
    """As a front camera shows it."""
    width = pixels.shape[1]
    flipped = [Label(one.tile, (width - one.box[2], one.box[1], width - one.box[0], one.box[3])) for one in labels]
    return np.ascontiguousarray(pixels[:, ::-1]), flipped


def other_backs(colour: str) -> Viewpoint:
    """Face-down tiles of another colour (see :data:`BACK_COLOURS`); their light and shade stay."""
    hue, lightness = BACK_COLOURS[colour]
    wanted = np.array(colorsys.hls_to_rgb(hue, lightness, 0.04 if colour in COLOURLESS else 0.6)) * 255

    def change(pixels: Pixels, labels: Sequence[Label]) -> Scene:
        out = pixels.copy()
        for label in labels:
            if label.tile == BACK:
                part = _part(out, label)
                usual = float(np.median(part.mean(axis=2))) if part.size else 0.0
                if usual > 0:
                    shade = part.mean(axis=2, keepdims=True) / usual
                    part[:] = (wanted * shade).clip(0, 255).astype(np.uint8)
        return out, list(labels)

    return change


def blank_dragons(pixels: Pixels, labels: Sequence[Label]) -> Scene:
    """White dragons without a frame: each gets the colour of its own middle."""
    out = pixels.copy()
    for label in labels:
        if label.tile != "5z":
            continue
        part = _part(out, label)
        height, width = part.shape[:2]
        rim = round(RIM * min(height, width))
        if min(height, width) - 2 * rim < 3:
            continue
        middle = part[height // 3 : -(height // 3), width // 3 : -(width // 3)]
        light = np.median(middle.reshape(-1, 3), axis=0)
        edge = max(1, rim // 4)
        inner = part[edge : height - edge, edge : width - edge]
        frame = (np.abs(inner.astype(np.float64) - light).max(axis=2) > 12)[..., None]
        inner[:] = np.where(cv2.dilate(frame.astype(np.uint8), np.ones((3, 3), np.uint8))[..., None] > 0, light, inner)
    return out, list(labels)


def _part(pixels: Pixels, label: Label) -> Pixels:
    x1, y1, x2, y2 = (max(0, round(value)) for value in label.box)
    return pixels[y1:y2, x1:x2]


def _carried(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    there = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    carried: NDArray[np.float64] = there[:, :2] / there[:, 2:]
    return carried


def _seen(matrix: NDArray[np.float64], label: Label) -> Label:
    """The label in the changed photo. Its box is drawn between that of the corners and that of the ellipse in them, as
    a detector draws turned tiles."""
    x1, y1, x2, y2 = label.box
    around = np.linspace(0, 2 * math.pi, 16, endpoint=False)
    ellipse = np.column_stack(
        [(x1 + x2) / 2 + (x2 - x1) / 2 * np.cos(around), (y1 + y2) / 2 + (y2 - y1) / 2 * np.sin(around)]
    )
    corners = _carried(matrix, np.array([(x1, y1), (x2, y1), (x2, y2), (x1, y2)]))
    drawn = _carried(matrix, ellipse)
    low = (corners.min(axis=0) + drawn.min(axis=0)) / 2
    high = (corners.max(axis=0) + drawn.max(axis=0)) / 2
    return Label(label.tile, (*low.tolist(), *high.tolist()))
