"""Surfaces under the tiles, and the bamboo of their backs: felt, wood, cloth, stone, fibres, all made of noise."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Table = Callable[[Floats], Floats]
SIDE_PIXELS = 1024


def noise(seed: int, falloff: float) -> NDArray[np.float32]:
    """Seamless noise (1024, 1024) of mean 0 and deviation 1; a larger ``falloff`` is smoother."""
    rng = np.random.default_rng(seed)
    frequency = np.hypot(np.fft.fftfreq(SIDE_PIXELS)[:, None], np.fft.fftfreq(SIDE_PIXELS)[None]) * SIDE_PIXELS
    frequency[0, 0] = 1
    spectrum = np.fft.fft2(rng.standard_normal((SIDE_PIXELS, SIDE_PIXELS))) / frequency**falloff
    spectrum[0, 0] = 0
    out = np.fft.ifft2(spectrum).real
    scaled: NDArray[np.float32] = (out / out.std()).astype(np.float32)
    return scaled


def bilinear(picture: NDArray[np.float32], u: Floats, v: Floats) -> Floats:
    """Samples (n, channels) of a picture at pixels ``u``, ``v`` (n,)."""
    # OpenCV's maps have sides of less than 32768: the list is folded into a rectangle.
    fold = 4096
    n = len(u)
    filled = np.zeros((2, -(-n // fold) * fold), np.float32)
    filled[0, :n], filled[1, :n] = u, v
    grids = filled.reshape(2, -1, fold)
    out = cv2.remap(picture, grids[0], grids[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    samples: Floats = out.reshape(grids[0].size, -1)[:n].astype(np.float32, copy=False)
    return samples


def _at(picture: NDArray[np.float32], x: Floats, y: Floats, pitch: float) -> Floats:
    """Samples at ``pitch`` millimetres a pixel, repeating."""
    return bilinear(picture, np.mod(x / pitch, SIDE_PIXELS - 1), np.mod(y / pitch, SIDE_PIXELS - 1))[:, 0]


def cloth(seed: int, colour: tuple[float, float, float], nap: float = 0.10, weave: float = 0.0) -> Table:
    """Felt (``nap``) or woven cloth (``weave``) of a linear RGB colour."""
    fine, rough = noise(seed, 0.35), noise(seed + 1, 1.5)

    def table(points: Floats) -> Floats:
        x, y = points[:, 0], points[:, 1]
        value = 1 + nap * _at(fine, x, y, 0.28) + 0.06 * _at(rough, x, y, 0.9)
        if weave:
            value += weave * (np.sin(x * 3.1) * np.sin(y * 3.1) + 0.5 * np.sin(x * 3.1 + 4 * _at(rough, x, y, 0.5)))
        return np.clip(value, 0.3, 2)[:, None] * np.array(colour, np.float32)

    return table


def wood(seed: int, dark: tuple[float, float, float], light: tuple[float, float, float]) -> Table:
    """Boards with grain along x.

    `seed`: of the grain; `dark`, `light`: the colours between which it runs, RGB from 0 to 1.
    """
    fine, rough = noise(seed, 0.6), noise(seed + 1, 1.8)

    def table(points: Floats) -> Floats:
        x, y = points[:, 0], points[:, 1]
        board = np.floor(y / 92)
        y = y + board * 37
        x = x + board * 211
        bend = _at(rough, x * 0.22, y, 0.8) * 14 + _at(rough, x * 0.05, y * 0.6, 0.9) * 26
        ring = 0.5 + 0.5 * np.sin((y + bend) * 0.30)
        grain = _at(fine, x * 0.05, y, 0.30)
        pores = np.clip(_at(fine, x * 0.10, y + 40, 0.22) - 1.1, 0, 2)
        share = 0.34 + 0.20 * ring**2 + 0.15 * grain + 0.16 * pores + 0.07 * _at(rough, x, y, 1.4)
        share = np.clip(share, 0, 1)[:, None]
        seam = np.abs(np.mod(points[:, 1], 92) - 46) > 45.6
        colour = np.array(dark, np.float32) * share + np.array(light, np.float32) * (1 - share)
        colour[seam] *= 0.35
        boards: Floats = colour.astype(np.float32)
        return boards

    return table


def stone(seed: int, colour: tuple[float, float, float]) -> Table:
    """Speckled stone or a plain worktop."""
    fine, rough = noise(seed, 0.5), noise(seed + 1, 1.2)

    def table(points: Floats) -> Floats:
        x, y = points[:, 0], points[:, 1]
        value = 1 + 0.10 * _at(fine, x, y, 0.5) + 0.10 * _at(rough, x, y, 0.35)
        value = np.where(_at(fine, x, y, 0.33) > 2.1, value * 0.55, value)
        return np.clip(value, 0.2, 2)[:, None] * np.array(colour, np.float32)

    return table


def bamboo(seed: int, colour: tuple[float, float, float], contrast: float) -> Table:
    """Bamboo of a linear RGB colour, its fibres along y.

    Args:
        seed: of the fibres.
        colour: linear RGB, their mean.
        contrast: how much they differ from it: 0.1 polished, 0.3 old and dry.
    """
    fine, rough = noise(seed, 0.4), noise(seed + 1, 1.4)

    def table(points: Floats) -> Floats:
        x, y = points[:, 0], points[:, 1]
        value = 1 + contrast * (0.7 * _at(fine, x, y * 0.03, 0.22) + 0.5 * _at(rough, x, y * 0.15, 0.3))
        fibres: Floats = np.clip(value, 0.3, 1.7).astype(np.float32)[:, None] * np.array(colour, np.float32)
        return fibres

    return table


TABLES: dict[str, Callable[[int], Table]] = {
    "green_felt": lambda seed: cloth(seed, (0.022, 0.16, 0.075)),
    "blue_felt": lambda seed: cloth(seed, (0.03, 0.07, 0.19)),
    "oak": lambda seed: wood(seed, (0.20, 0.105, 0.05), (0.47, 0.29, 0.155)),
    "walnut": lambda seed: wood(seed, (0.055, 0.027, 0.015), (0.16, 0.082, 0.042)),
    "linen": lambda seed: cloth(seed, (0.50, 0.45, 0.37), nap=0.05, weave=0.06),
    "red_cloth": lambda seed: cloth(seed, (0.26, 0.02, 0.025), nap=0.06, weave=0.04),
    "stone": lambda seed: stone(seed, (0.24, 0.25, 0.26)),
}
