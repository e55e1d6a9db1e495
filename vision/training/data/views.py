"""Views of stored crops for training: turned by any angle, cut as a detector would, shaken, dim. Never mirrored.

Does what :mod:`vision.training.networks.augment` does, without torch: crop by crop with OpenCV, batch by batch with
NumPy. Several times as fast on a CPU.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.tiles import FLOWERS
from vision.models.manifest import PAD
from vision.training.data.changes import line_kernel
from vision.training.data.crops import ROOM_SIDES
from vision.training.data.store import BACK, BIRD, SMOOTHED, STORED_SIDE, Mixture
from vision.training.data.unsharp import unsharp
from vision.training.networks.detector import NO_TILE_CLASS

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
HARD, FREE, LOOSE, BLURRED = 0.6, 0.55, 0.35, 0.6
"""Shares: crops changed hard; crops turned by any angle, not by quarters; hard ones with a box far off; hard ones that
are blurred."""
HARD_UNSHARP = 0.4
"""The share changed hard if all are made unsharp."""
SQUEEZED, FLATTEST = 0.2, 1.8
"""The share of the hard ones seen from low over the table, and the most by which a side is then shorter."""
CUT_OFF, CUT_OFF_UNSHARP, HIDDEN_PART = 0.15, 0.5, (0.05, 0.4)
"""Share of hard crops (tiles only) that the photo's edge cuts; the same if all are made unsharp (those weights name cut
tiles); and the range of the hidden part."""
SLIVER, HIDDEN_MOST = 0.2, (0.55, 0.8)
"""Share of cut crops of which too much is hidden to name the tile: they count as "no tile". The range of that part."""
NOTHING = np.full(NO_TILE_CLASS + 1, SMOOTHED / (NO_TILE_CLASS + 1), np.float32)
NOTHING[NO_TILE_CLASS] += 1 - SMOOTHED
"""The target of such crops (44,)."""
ALREADY_TURNED = 0.86
"""A box that is so nearly square is of a tile already turned: it does not grow when turned further."""
DIM, COVERED = 0.12, 0.15
"""Shares of hard crops: in little light, and with something over the tile."""


def turned_box(size: tuple[float, float], angle: float, corners: float, *, already: bool = True) -> float:
    """The longer side of a detector's box round a tile of ``size`` turned by ``angle`` (radians). It is between the
    box of the corners (``corners`` 1) and of the ellipse (0). ``already``: a square may be a turned tile."""
    w, h = size
    if already and min(w, h) > ALREADY_TURNED:
        return 1.0
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    wide = corners * (w * cos + h * sin) + (1 - corners) * math.hypot(w * cos, h * sin)
    high = corners * (w * sin + h * cos) + (1 - corners) * math.hypot(w * sin, h * cos)
    return max(wide, high)


def cut_off(
    pixels: Pixels, size: tuple[float, float], hidden: float, *, across: bool, last: bool
) -> tuple[Pixels, tuple[float, float], NDArray[np.float64]]:
    """Cut a stored crop as the edge of a photo would: its pixels, the size of the visible part, and the centre (x, y)
    of that part in pixels.

    Args:
        pixels: the stored crop.
        size: the tile's w and h over the longer one.
        hidden: share of the tile, 0 to 1.
        across: the edge is at the left or right, not above or below.
        last: the edge is at the right or below.
    """
    axis = 0 if across else 1
    long = size[axis] * STORED_SIDE / ROOM_SIDES
    middle = (STORED_SIDE - 1) / 2
    edge = round(middle + (0.5 - hidden) * long * (1 if last else -1))
    seen = slice(0, edge + 1) if last else slice(edge, STORED_SIDE)
    shown = pixels[:, seen] if across else pixels[seen]
    left = list(size)
    left[axis] *= 1 - hidden
    places = np.full(2, middle)
    places[axis] = middle - hidden / 2 * long if last else middle + hidden / 2 * long - edge
    return shown, (left[0], left[1]), places


def _cut(
    size: tuple[float, float],
    side: int,
    rng: np.random.Generator,
    middle: NDArray[np.float64] | None = None,
    *,
    tile: bool,
    hard: bool,
) -> NDArray[np.float64]:
    """The matrix (2, 3) from pixels of a view to pixels of the stored crop. ``middle``: centre of the visible part of a
    tile that the photo's edge cuts."""
    free = rng.random() < FREE
    angle = rng.uniform(0, 2 * math.pi) if free else rng.integers(4) * math.pi / 2 + rng.normal() * math.radians(6)
    cos, sin = math.cos(angle), math.sin(angle)
    # A window without a tile does not move: its neighbour is a tile.
    loose = hard and tile and rng.random() < LOOSE
    off = rng.uniform(math.log(0.75), math.log(1.3)) if loose else rng.normal() * 0.07
    box = turned_box(size, angle, rng.uniform(0.3, 1), already=middle is None)
    scale = box * (1 + 2 * PAD) / ROOM_SIDES * math.exp(off)
    squeeze, shear = math.exp(rng.normal() * 0.06), rng.normal() * 0.06
    matrix = np.array([[cos * squeeze, shear * cos - sin], [sin * squeeze, cos + shear * sin]])
    if hard and rng.random() < SQUEEZED:
        matrix[:, rng.integers(2)] *= math.exp(rng.uniform(0, math.log(FLATTEST)))
    matrix *= scale * STORED_SIDE / side
    far = 0.17 * STORED_SIDE / ROOM_SIDES
    shift = rng.uniform(-far, far, 2) if loose else rng.normal(size=2) * 0.03 * STORED_SIDE
    centre = np.full(2, (STORED_SIDE - 1) / 2) if middle is None else middle
    start = centre + shift - matrix @ np.full(2, (side - 1) / 2)
    return np.column_stack((matrix, start))


def blurred(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """A view shaken along a line of up to a sixth of its side, out of focus, or from few pixels."""
    side, kind = pixels.shape[0], rng.random()
    if kind < 0.45:
        kernel = line_kernel(rng.uniform(0.023, 0.156) * side, rng.uniform(0, math.pi))
        return np.asarray(cv2.filter2D(pixels, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.uint8)
    if kind < 0.7:
        spread = rng.uniform(0.008, 0.044) * side
        return np.asarray(cv2.GaussianBlur(pixels, (0, 0), spread, borderType=cv2.BORDER_REPLICATE), np.uint8)
    few = round(rng.uniform(0.28, 0.74) * side)
    low = cv2.resize(pixels, (few, few), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(low, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)


def view(
    pixels: Pixels, size: tuple[float, float], code: int, side: int, rng: np.random.Generator, *, unsharp: bool = False
) -> tuple[Pixels, bool, bool]:
    """One view of a stored crop: pixels (side, side, 3), whether it was changed hard, and whether too little of the
    tile is left to name it.

    ``size``: w and h of its box over the longer one; ``code``: its class number; ``side``: pixels of the view;
    ``unsharp``: the crop is unsharp already.
    """
    hard = bool(rng.random() < (HARD_UNSHARP if unsharp else HARD))
    tile, middle, sliver = code != NO_TILE_CLASS, None, False
    if hard and tile and rng.random() < (CUT_OFF_UNSHARP if unsharp else CUT_OFF):
        sliver = bool(rng.random() < SLIVER)
        hidden = rng.uniform(*(HIDDEN_MOST if sliver else HIDDEN_PART))
        across, last = rng.random() < 0.5, rng.random() < 0.5
        pixels, size, middle = cut_off(pixels, size, hidden, across=across, last=last)
    matrix = _cut(size, side, rng, middle, tile=tile, hard=hard)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    out = cv2.warpAffine(pixels, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    # Backs come in every colour, the data has four; the bird of 1s and the flowers are coloured otherwise in each set.
    recoloured = 0.6 if code == BACK else 0.2 if code == BIRD or code in FLOWERS else 0.0
    if rng.random() < recoloured:
        out = out[:, :, rng.permutation(3)]
    shown = np.ascontiguousarray(out, np.uint8)
    return (blurred(shown, rng) if hard and not unsharp and rng.random() < BLURRED else shown), hard, sliver


def light(views: Floats, hard: NDArray[np.bool_], noise: Floats, rng: np.random.Generator) -> None:
    """Change the light of ``views`` (n, side, side, 3) in 0..1, in place: colour, contrast, brightness. The ``hard``
    ones (n,) change more: little light, cover, grain out of ``noise`` (any length above theirs)."""
    n, side = len(views), views.shape[1]
    strong = hard.astype(np.float32).reshape(n, 1, 1, 1)

    def uniform(low: float, high: float) -> Floats:
        return rng.uniform(low, high, (n, 1, 1, 1)).astype(np.float32)

    def normal(*channels: int) -> Floats:
        return rng.standard_normal((n, 1, 1, *channels), np.float32)

    grey = views.mean(axis=3, keepdims=True)
    views -= grey
    views *= 1 + strong * (uniform(0.5, 1.4) - 1)
    views += grey
    views *= np.exp(normal(3) * 0.07 * (0.4 + 0.6 * strong))
    mean = views.mean(axis=(1, 2, 3), keepdims=True)
    dim = ((rng.random((n, 1, 1, 1)) < DIM) & (strong > 0)).astype(np.float32)
    gain = np.exp(normal(1) * (0.08 + 0.17 * strong)) * (1 + dim * (uniform(0.15, 0.5) - 1))
    views -= mean
    views *= (1 + strong * (uniform(0.6, 1.35) - 1)) * gain
    views += mean * gain
    start = int(rng.integers(len(noise) - views.size + 1))
    views += noise[start : start + views.size].reshape(views.shape) * (uniform(0, 0.03) * strong + dim * 0.03)
    for place in np.flatnonzero(hard & (rng.random(n) < COVERED)):
        y, x = rng.integers(0, side * 4 // 5, 2)
        down, across = rng.integers(side // 10, side // 3, 2)
        views[place, y : y + down, x : x + across] = rng.random(3, np.float32)
    np.clip(views, 0, 1, out=views)


class Views:
    """Batches of views of a :class:`Mixture`. ``rng`` alone decides them: the same state gives the same batches."""

    def __init__(
        self,
        crops: Mixture,
        side: int,
        batch: int,
        rng: np.random.Generator,
        *,
        unsharp: bool = False,
        sharp: float = 0.0,
    ) -> None:
        """Args:
        crops: the source.
        side: pixels of a view.
        batch: views at once.
        rng: decides the changes.
        unsharp: make views as in photos that are not sharp.
        sharp: the share left sharp in that case.
        """
        self._crops, self._side, self._batch, self.rng = crops, side, batch, rng
        self._unsharp, self._sharp = unsharp, sharp
        self._noise = np.random.default_rng(1).standard_normal(3 * batch * side * side * 3, np.float32)

    def next(self) -> tuple[Floats, Floats]:
        """Views (n, side, side, 3) in 0..1 and their targets (n, 44)."""
        places = self._crops.draw(self._batch, self.rng)
        shown = np.empty((self._batch, self._side, self._side, 3), np.uint8)
        hard, slivers = np.zeros(self._batch, bool), np.zeros(self._batch, bool)
        for number, place in enumerate(places):
            w, h = self._crops.sizes[place].tolist()
            stored, code = self._crops.pixels(int(place)), int(self._crops.classes[place])
            if self._unsharp and self.rng.random() >= self._sharp:
                stored = unsharp(np.ascontiguousarray(stored), self.rng)
            changed = view(stored, (w, h), code, self._side, self.rng, unsharp=self._unsharp)
            shown[number], hard[number], slivers[number] = changed
        views = shown.astype(np.float32) / np.float32(255)
        light(views, hard, self._noise, self.rng)
        targets = self._crops.targets[places]
        targets[slivers] = NOTHING
        return views, targets
