"""From a flat picture of a table to a photo of it: turned, tilted, lit, shaken, dim, with noise; boxes go along."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.networks.detector import NO_TILE_CLASS


def shaken(picture: NDArray[np.float32], rng: random.Random) -> NDArray[np.float32]:
    """Motion blur along a line, or a wide defocus."""
    if rng.random() < 0.35:
        blurred = cv2.GaussianBlur(picture, (0, 0), rng.uniform(1.2, 2.6))
        return blurred.astype(np.float32, copy=False)
    reach, angle = rng.uniform(3, 12), rng.uniform(0, math.pi)
    side = int(reach) | 1
    kernel = np.zeros((side, side), np.float32)
    middle = side // 2
    dx, dy = math.cos(angle) * reach / 2, math.sin(angle) * reach / 2
    cv2.line(kernel, (round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy)), 1.0)
    return cv2.filter2D(picture, -1, kernel / kernel.sum()).astype(np.float32, copy=False)


def photograph(
    pixels: NDArray[np.uint8],
    numbered_quads: Sequence[tuple[int, NDArray[np.float64]]],
    rng: random.Random,
    *,
    harder: bool = False,
) -> tuple[NDArray[np.uint8], list[tuple[int, tuple[float, float, float, float]]]]:
    """Turn, tilt, light, blur and noise; ``harder``: now and then a moved camera, a lens out of focus, dim light. Boxes
    go with the picture: class and x1 y1 x2 y2 for the ``numbered_quads`` (4, 2) that are seen."""
    height, width = pixels.shape[:2]
    angle = rng.choice((0, 0, 0, math.pi / 2, math.pi, -math.pi / 2)) + rng.gauss(0, 0.2)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64) - (width / 2, height / 2)
    turned = corners @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    far = 1 / (1 + rng.uniform(0, 0.45) * (turned[:, 1].max() - turned[:, 1]) / (np.ptp(turned[:, 1]) + 1))
    turned *= far[:, None]
    turned -= turned.min(0)
    scale = rng.uniform(800, 1300) / turned.max()
    turned *= scale
    size = tuple(int(v) for v in np.ceil(turned.max(0)))
    matrix = cv2.getPerspectiveTransform(
        np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32), turned.astype(np.float32)
    )
    outside = tuple(float(v) for v in pixels.reshape(-1, 3).mean(0))
    picture = cv2.warpPerspective(pixels, matrix, size, flags=cv2.INTER_AREA, borderValue=outside).astype(np.float32)
    ramp_y, ramp_x = np.linspace(-1, 1, size[1])[:, None, None], np.linspace(-1, 1, size[0])[None, :, None]
    light = np.exp(rng.gauss(0, 0.22) + rng.gauss(0, 0.15) * ramp_x + rng.gauss(0, 0.15) * ramp_y)
    cast = np.exp(np.array([rng.gauss(-0.05, 0.1), rng.gauss(0, 0.05), rng.gauss(0.05, 0.08)]))
    picture = picture * light.astype(np.float32) * cast.astype(np.float32)
    if rng.random() < 0.4:  # glare
        x, y, r = rng.uniform(0, size[0]), rng.uniform(0, size[1]), rng.uniform(20, 160)
        spot = np.exp(-((np.arange(size[0])[None] - x) ** 2 + (np.arange(size[1])[:, None] - y) ** 2) / r**2)
        picture += (rng.uniform(30, 150) * spot[..., None]).astype(np.float32)
    picture = cv2.GaussianBlur(picture, (0, 0), abs(rng.gauss(0.5, 0.5)) + 0.2)
    if harder and rng.random() < 0.15:  # the hand moved, or the lens was not in focus
        picture = shaken(picture, rng)
    if harder and rng.random() < 0.12:
        picture *= rng.uniform(0.15, 0.5)
        dim = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(picture.shape).astype(np.float32)
        picture += cv2.GaussianBlur(dim, (0, 0), rng.uniform(0.4, 1.2)) * rng.uniform(4, 16)
    grit = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(picture.shape).astype(np.float32)
    picture = (picture + grit * abs(rng.gauss(2, 3))).clip(0, 255)
    boxes = []
    for number, quad in numbered_quads:
        seen = cv2.perspectiveTransform(quad[None].astype(np.float32), matrix)[0]
        (x1, y1), (x2, y2) = seen.min(0), seen.max(0)
        box = (max(0.0, float(x1)), max(0.0, float(y1)), min(size[0], float(x2)), min(size[1], float(y2)))
        inside = (box[2] - box[0]) * (box[3] - box[1]) > 0.5 * (x2 - x1) * (y2 - y1) or number != NO_TILE_CLASS
        if box[2] - box[0] > 8 and box[3] - box[1] > 8 and inside:
            boxes.append((number, box))
    return picture[:, :, ::-1].astype(np.uint8), boxes
