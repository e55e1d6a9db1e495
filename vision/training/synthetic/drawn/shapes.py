"""Operations on pictures of faces: cut to the ink, set onto an empty face, in other inks."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Face = NDArray[np.uint8]
"""(h, w, 4) BGRA on a transparent ground."""
FACE_PIXELS = (190, 250)
"""Width and height of a written face in pixels."""


def trimmed(face: Face) -> Face | None:
    """Cut the empty margin off; None for an empty picture."""
    if face.ndim != 3 or face.shape[2] != 4:
        return None
    ys, xs = np.nonzero(face[:, :, 3] > 8)
    if not len(ys) or min(np.ptp(ys), np.ptp(xs)) < 8:
        return None
    return face[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1].astype(np.uint8, copy=False)


def inked(face: Face) -> Face:
    """A drawn face without its empty margin."""
    cut = trimmed(face)
    return face if cut is None else cut


def on_face(art: Face, rng: random.Random, fill: float = 0.86) -> Face:
    """Art set in the middle of an empty face, keeping its shape.

    `fill`: share of the face that the art takes.
    """
    w, h = FACE_PIXELS
    scale = min(w / art.shape[1], h / art.shape[0]) * fill * rng.uniform(0.93, 1.05)
    fitted = cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[:h, :w]
    face = np.zeros((h, w, 4), np.uint8)
    y, x = (h - fitted.shape[0]) // 2, (w - fitted.shape[1]) // 2
    face[y : y + fitted.shape[0], x : x + fitted.shape[1]] = fitted
    return face


def tinted(face: Face, rng: random.Random, most: int = 14) -> Face:
    """The same face with its inks a little different in hue, strength and darkness."""
    hsv = cv2.cvtColor(np.ascontiguousarray(face[:, :, :3]), cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[:, :, 0] = (hsv[:, :, 0] + rng.randint(-most, most)) % 180
    hsv[:, :, 1] = (hsv[:, :, 1] * rng.uniform(0.7, 1.2)).clip(0, 255)
    hsv[:, :, 2] = (hsv[:, :, 2] * rng.uniform(0.6, 1.1)).clip(0, 255)
    inks = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)
    return np.dstack((inks, face[:, :, 3])).astype(np.uint8, copy=False)


def small_on_plate(face: Face, rng: random.Random) -> Face:
    """The same face drawn smaller, as on some sets: with wide margins, often on a pale plate with a border."""
    h, w = face.shape[:2]
    scale = rng.uniform(0.5, 0.85)
    wide, high = scale * rng.uniform(0.9, 1.1), scale * rng.uniform(0.9, 1.1)
    less = cv2.resize(face, (round(w * wide), round(h * high)), interpolation=cv2.INTER_AREA)
    ground = np.zeros((h, w, 4), np.uint8)
    if rng.random() < 0.6:
        light = rng.randint(150, 250)
        colour = [min(255, light + rng.randint(-25, 25)) for _ in range(3)]
        x, y = round(w * rng.uniform(0.01, 0.07)), round(h * rng.uniform(0.01, 0.07))
        plate = np.full((h - 2 * y, w - 2 * x, 3), colour, np.float32)
        plate += cv2.resize(_grain(rng, 24), (w - 2 * x, h - 2 * y))[:, :, None] * rng.uniform(0, 14)
        ground[y : h - y, x : w - x, :3] = plate.clip(0, 255)
        ground[y : h - y, x : w - x, 3] = rng.randint(60, 255)
        if rng.random() < 0.7:
            line = (*(rng.randint(0, 140) for _ in range(3)), 255)
            cv2.rectangle(ground, (x, y), (w - 1 - x, h - 1 - y), line, rng.randint(1, 7))
    y, x = (h - less.shape[0]) // 2 + rng.randint(-6, 6), (w - less.shape[1]) // 2 + rng.randint(-4, 4)
    part = ground[y : y + less.shape[0], x : x + less.shape[1]]
    over = less[:, :, 3:].astype(np.float32) / 255
    under = part[:, :, 3:].astype(np.float32) / 255 * (1 - over)
    part[:, :, :3] = (less[:, :, :3] * over + part[:, :, :3] * under) / np.maximum(over + under, 1e-3)
    part[:, :, 3:] = (over + under) * 255
    return ground


def coarse(face: Face, rng: random.Random) -> Face:
    """The same face as a drawing of few pixels, 36 to 72 across."""
    h, w = face.shape[:2]
    across = rng.randint(36, 72)
    few = cv2.resize(face, (across, round(h * across / w)), interpolation=cv2.INTER_AREA)
    how = rng.choice((cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC))
    return cv2.resize(few, (w, h), interpolation=how).astype(np.uint8, copy=False)


def _grain(rng: random.Random, cells: int) -> NDArray[np.float32]:
    return np.random.default_rng(rng.randrange(1 << 30)).standard_normal((cells, cells), np.float32)


def drawn_until(draw: Callable[[random.Random, tuple[int, int]], Face], rng: random.Random) -> Face:
    """A random drawing without its margin; drawn again if the result is empty."""
    while True:
        cut = trimmed(draw(rng, FACE_PIXELS))
        if cut is not None:
            return cut
