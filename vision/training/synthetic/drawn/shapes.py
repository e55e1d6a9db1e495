"""Faces as pictures: cut to what is drawn, set onto an empty face, in other inks."""

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
    """Cut the empty margin off; None where there is nothing."""
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


def drawn_until(draw: Callable[[random.Random, tuple[int, int]], Face], rng: random.Random) -> Face:
    """Something drawn by chance, without its margin; drawn again where nothing came of it."""
    while True:
        cut = trimmed(draw(rng, FACE_PIXELS))
        if cut is not None:
            return cut
