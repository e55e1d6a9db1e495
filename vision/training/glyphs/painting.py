"""Painting of small windows: paper, plants, a character's ink, and what a camera makes of them.

A window is (56, 56, 3) float32 RGB, 0 to 255, not clipped before :meth:`Painter.lit`.
"""

from __future__ import annotations

import math
import random

import cv2
import numpy as np
from numpy.typing import NDArray

Window = NDArray[np.float32]
Colour = NDArray[np.float64]
SIDE = 56
"""Side of a window in pixels."""
LEAST_CONTRAST = 60
"""Between ink and ground, in the channel in which they differ most."""
INKS = (
    (0.3, ((120, 230), (0, 70), (0, 70))),
    (0.25, ((0, 60), (0, 60), (0, 60))),
    (0.15, ((0, 70), (20, 90), (100, 220))),
    (0.15, ((0, 80), (80, 170), (20, 110))),
    (0.15, ((0, 255), (0, 255), (0, 255))),
)
"""Inks of tiles and their shares: red, black, blue, green, any; bounds of R, G and B."""


class Painter:
    """Paints with the chance of one seed."""

    def __init__(self, seed: int) -> None:
        """seed: of all chance."""
        self.rng = random.Random(seed)
        self._noise = np.random.default_rng(seed)

    def paper(self) -> Window:
        """Plain ground, mostly pale and a little yellow, at times with a shade across."""
        rng = self.rng
        if rng.random() < 0.75:
            bright = rng.uniform(190, 255)
            colour = (bright, bright * rng.uniform(0.92, 1), bright * rng.uniform(0.75, 1))
        else:
            colour = (rng.uniform(60, 255), rng.uniform(60, 255), rng.uniform(60, 255))
        ground = np.empty((SIDE, SIDE, 3), np.float32)
        ground[:] = colour
        if rng.random() < 0.5:
            slope = np.linspace(-1, 1, SIDE, dtype=np.float32)
            shade = rng.uniform(-25, 25) * slope[None] + rng.uniform(-25, 25) * slope[:, None]
            ground += shade[:, :, None].astype(np.float32)
        return ground

    def ink(self, ground: Colour) -> Colour:
        """A colour that stands out from ``ground`` (3,)."""
        for _ in range(10):
            _, bounds = self.rng.choices(INKS, [share for share, _ in INKS])[0]
            colour = np.array([self.rng.uniform(*bound) for bound in bounds])
            if np.abs(colour - ground).max() > LEAST_CONTRAST:
                return colour
        return np.where(np.asarray(ground) < 128, 255.0, 0.0)

    def with_plants(self, window: Window) -> Window:
        """Strokes, leaves and rings, as of drawn flowers."""
        rng = self.rng
        ground = window.reshape(-1, 3).mean(0).astype(np.float64)
        colour = self.ink(ground)
        for _ in range(rng.randint(1, 8)):
            if rng.random() < 0.3:
                colour = self.ink(ground)
            ink, kind = tuple(float(value) for value in colour), rng.random()
            at = (rng.randint(0, SIDE), rng.randint(0, SIDE))
            if kind < 0.5:
                start = [(rng.randint(-10, SIDE + 10), rng.randint(-10, SIDE + 10))]
                steps = [(rng.randint(-16, 16), rng.randint(-16, 16)) for _ in range(rng.randint(1, 4))]
                path = np.cumsum([*start, *steps], axis=0).astype(np.int32)
                cv2.polylines(window, [path], False, ink, rng.randint(1, 4), cv2.LINE_AA)
            elif kind < 0.8:
                thick = rng.choice((-1, 1))
                axes = (rng.randint(2, 12), rng.randint(1, 8))
                cv2.ellipse(window, at, axes, rng.randint(0, 180), 0, 360, ink, thick, cv2.LINE_AA)
            else:
                cv2.circle(window, at, rng.randint(2, 9), ink, -1 if rng.random() < 0.4 else 1, cv2.LINE_AA)
        return window

    def cut(self, crop: NDArray[np.uint8], side: float) -> Window:
        """A random window of a square ``crop`` scaled to ``side`` pixels; edges repeat outside."""
        spare = max(-8.0, side - SIDE + 8)
        x, y = self.rng.uniform(-8, spare), self.rng.uniform(-8, spare)
        scale = side / crop.shape[0]
        if scale < 0.75:
            whole = max(2, round(side))
            crop = cv2.resize(crop, (whole, whole), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
            scale = 1.0
        return warped(crop, np.array([[scale, 0, -x], [0, scale, -y]]))

    def put(
        self,
        window: Window,
        mask: NDArray[np.uint8],
        at: tuple[float, float],
        side: float,
        *,
        angle: float | None = None,
    ) -> Window:
        """Ink ``mask`` with its middle ``at`` (x, y).

        side: of its longer side, in pixels; angle: in degrees clockwise, None for nearly upright.
        """
        rng = self.rng
        height, width = mask.shape
        scale = side / max(height, width)
        turn = math.radians(rng.gauss(0, 5) if angle is None else angle)
        cos, sin = math.cos(turn), math.sin(turn)
        lean = np.array([[1, rng.gauss(0, 0.07)], [rng.gauss(0, 0.04), 1]])
        stretch = np.diag([scale * rng.uniform(0.85, 1.15), scale * rng.uniform(0.85, 1.15)])
        matrix = np.array([[cos, -sin], [sin, cos]]) @ lean @ stretch
        shift = np.array(at) - matrix @ np.array([width / 2, height / 2])
        ink = self._thickened(mask if scale >= 0.6 else cv2.GaussianBlur(mask, (0, 0), 0.36 / scale))
        share = warped(ink, np.column_stack([matrix, shift]), cv2.BORDER_CONSTANT) / np.float32(255)
        bounds = _round(at, side / 2)
        if bounds is None:
            return window
        ground = np.median(window[bounds].reshape(-1, 3), axis=0).astype(np.float64)
        if rng.random() < 0.7:  # a character is mostly on bare ground
            fade = rng.uniform(0.7, 1)
            near = _round(at, side * rng.uniform(0.5, 0.62)) or bounds
            window[near] = window[near] * (1 - fade) + ground * fade
        colour = self.ink(ground)
        if rng.random() < 0.06:  # on a plate
            window[_round(at, side * rng.uniform(0.54, 0.66)) or bounds] = colour
            colour = ground
        return self._inked(window, share, colour)

    def _thickened(self, mask: NDArray[np.uint8] | cv2.typing.MatLike) -> NDArray[np.uint8]:
        """Bolder or finer by chance."""
        kind = self.rng.random()
        if kind < 0.2:
            mask = cv2.dilate(mask, np.ones((self.rng.randint(2, 5),) * 2, np.uint8))
        elif kind < 0.35:
            mask = cv2.erode(mask, np.ones((self.rng.randint(2, 4),) * 2, np.uint8))
        return np.asarray(mask, np.uint8)

    def _inked(self, window: Window, share: Window, colour: Colour) -> Window:
        """``share`` (56, 56) of ``colour``: pale, worn or carved by chance."""
        rng = self.rng
        if rng.random() < 0.4:
            share = share * np.float32(rng.uniform(0.55, 1))
        if rng.random() < 0.15:
            wear = cv2.resize(self._noise.random((7, 7), np.float32), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
            share = share * np.clip((wear - 0.15) * 4, 0.15, 1)
        window = window * (1 - share[:, :, None]) + colour.astype(np.float32) * share[:, :, None]
        if rng.random() < 0.2:
            rim = share - np.roll(share, (1, 1), (0, 1))
            window = window + np.float32(rng.choice((-1, 1)) * rng.uniform(20, 80)) * rim[:, :, None]
        return window.astype(np.float32)

    def with_edges(self, window: Window, at: tuple[float, float], side: float) -> Window:
        """The tile's edge or a frame near a character of ``side`` pixels whose middle is ``at``, in half of the
        windows."""
        rng = self.rng
        for _ in range(rng.choice((1, 1, 2)) if rng.random() < 0.5 else 0):
            away = side / 2 + rng.uniform(1, 10)
            least = 0 if rng.random() < 0.7 else 150
            colour = [rng.uniform(least, 255) for _ in range(3)]
            axis, after = rng.randrange(2), rng.random() < 0.5
            end = max(0, int(at[1 - axis] + (away if after else -away)))
            rows = slice(end, None) if after else slice(0, end)
            window[(rows, slice(None)) if axis == 0 else (slice(None), rows)] = colour
        return window

    def photographed(self, window: Window, least: float) -> Window:
        """Fewer pixels, blur, shake, noise and compression by chance.

        least: the smallest factor by which the resolution may fall.
        """
        rng = self.rng
        if least < 1 and rng.random() < 0.55:
            few = max(6, round(SIDE * rng.uniform(max(least, 0.3), 1)))
            window = _resized(window, few, cv2.INTER_AREA if rng.random() < 0.8 else cv2.INTER_LINEAR)
            if rng.random() < 0.5:
                window = self._noisy(window)
            window = _resized(window, SIDE, rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC)))
        if rng.random() < 0.4:
            window = cv2.GaussianBlur(window, (0, 0), rng.uniform(0.3, 1.1)).astype(np.float32, copy=False)
        if rng.random() < 0.1:
            length = rng.choice((3, 3, 5))
            shape = (length, 1) if rng.random() < 0.5 else (1, length)
            window = cv2.filter2D(window, -1, np.full(shape, 1 / length, np.float32)).astype(np.float32, copy=False)
        return self._noisy(window)

    def _noisy(self, window: Window) -> Window:
        if self.rng.random() < 0.5:
            window = window + self._noise.standard_normal(window.shape, np.float32) * np.float32(self.rng.uniform(1, 9))
        if self.rng.random() < 0.2:
            quality = [cv2.IMWRITE_JPEG_QUALITY, self.rng.randint(30, 90)]
            data = cv2.imencode(".jpg", window.clip(0, 255).astype(np.uint8), quality)[1]
            window = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.float32)
        return window

    def lit(self, window: Window) -> NDArray[np.uint8]:
        """The window as pixels, in light of some colour and strength; at times grey, or with its channels changed."""
        rng = self.rng
        tint = np.array([rng.uniform(0.8, 1.2) for _ in range(3)], np.float32)
        window = window * tint * np.float32(rng.uniform(0.35, 1.15))
        kind = rng.random()
        if kind < 0.2:
            window = np.repeat(window.mean(axis=2, keepdims=True), 3, axis=2)
        elif kind < 0.36:
            window = window[:, :, rng.sample((0, 1, 2), 3)]
        return window.clip(0, 255).astype(np.uint8)


def warped(picture: NDArray[np.uint8], matrix: NDArray[np.float64], border: int = cv2.BORDER_REPLICATE) -> Window:
    """A picture moved by ``matrix`` (2, 3) into a window.

    border: what is outside the picture, as OpenCV names it.
    """
    moved = cv2.warpAffine(picture, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(moved, np.float32)


def _resized(window: Window, side: int, how: int) -> Window:
    return np.asarray(cv2.resize(window, (side, side), interpolation=how), np.float32)


def _round(at: tuple[float, float], half: float) -> tuple[slice, slice] | None:
    """Rows and columns of a square round ``at``; None outside of the window."""
    x1, y1 = (max(0, int(value - half)) for value in at)
    x2, y2 = (min(SIDE, int(value + half + 1)) for value in at)
    return (slice(y1, y2), slice(x1, x2)) if x1 < x2 and y1 < y2 else None
