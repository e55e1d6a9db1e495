"""Parts of pictures at the input sizes of networks, and the networks' outputs for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.models.manifest import CLASSES, ModelError
from vision.pixels.server.cores import side_by_side
from vision.pixels.server.onnx_session import Network
from vision.pixels.server.shrinking import shrunk
from vision.pixels.values import Crops, Floats, Picture, Seen

STRIDE = 32
GREY = 114
LIGHTEST = np.float32(255)
LIGHT = (0.3, 0.6, 0.1)  # of red, green and blue
BATCH = 128
SHARED = 8  # crops that are worth a second core


def letterbox(pixels: Picture, size: int) -> tuple[NDArray[np.float32], float, tuple[int, int]]:
    """Network input (1, 3, H, W) in 0..1 with the longer side at ``size`` and both sides multiples of 32; the scale
    from picture to input; the input's left and top margin."""
    height, width = pixels.shape[:2]
    scale = size / max(height, width)
    w, h = max(1, round(width * scale)), max(1, round(height * scale))
    if scale < 1:
        pixels = shrunk(pixels, w, h)
    elif (w, h) != (width, height):
        pixels = cv2.resize(pixels, (w, h), interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False)
    full_w, full_h = -(-w // STRIDE) * STRIDE, -(-h // STRIDE) * STRIDE
    left, top = (full_w - w) // 2, (full_h - h) // 2
    values = np.full((1, 3, full_h, full_w), np.float32(GREY) / LIGHTEST, np.float32)
    for channel in range(3):
        plane = cv2.extractChannel(pixels, channel)
        np.divide(plane, LIGHTEST, out=values[0, channel, top : top + h, left : left + w])
    return values, scale, (left, top)


def look(network: Network, pixels: Picture, size: int, least: float) -> Seen:
    """A detector's boxes in a picture.

    Args:
        network: with an output (1, 4 + classes, anchors).
        pixels: the picture.
        size: of its longer side at the network's input.
        least: score of the best class below which a box is left out.

    Returns:
        The boxes, including doubles.

    Raises:
        ModelError: it is not a detector.
    """
    values, scale, margin = letterbox(pixels, size)
    raw = network(values)[0].T.astype(np.float64)
    if raw.shape[1] not in (5, 4 + len(CLASSES)):
        reason = f"output with {raw.shape[1]} values a box, expected 5 or {4 + len(CLASSES)}"
        raise ModelError("model_unusable", place=str(network.path), reason=reason)
    return Seen(raw[raw[:, 4:].max(axis=1) >= least], scale, margin)


def window(pixels: Picture, cx: float, cy: float, side: float, out: int) -> Picture:
    """The square of ``side`` pixels round (cx, cy), resized to ``out``; edges repeat outside the picture."""
    n = max(2, round(side))
    x, y = round(cx - side / 2), round(cy - side / 2)
    height, width = pixels.shape[:2]
    x, y = min(max(x, 1 - n), width - 1), min(max(y, 1 - n), height - 1)
    part = pixels[max(0, y) : min(height, y + n), max(0, x) : min(width, x + n)]
    margins = max(0, -y), max(0, y + n - height), max(0, -x), max(0, x + n - width)
    if any(margins):
        part = cv2.copyMakeBorder(part, *margins, cv2.BORDER_REPLICATE).astype(np.uint8, copy=False)
    if n > out:
        return shrunk(part, out, out)
    return cv2.resize(part, (out, out), interpolation=cv2.INTER_LINEAR).astype(np.uint8, copy=False)


def crops(pixels: Picture, boxes: Floats, side: int, pad: float) -> Crops:
    """Square windows (n, side, side, 3) round boxes (n, 4), each with ``pad`` of its longer side added all round."""
    found = np.empty((len(boxes), side, side, 3), np.uint8)
    for place, (x1, y1, x2, y2) in enumerate(boxes):
        longer = max(x2 - x1, y2 - y1) * (1 + 2 * pad)
        found[place] = window(pixels, (x1 + x2) / 2, (y1 + y2) / 2, longer, side)
    return found


def resized(cut: Crops, side: int) -> Crops:
    """Square crops (n, s, s, 3) at ``side`` pixels."""
    found = np.empty((len(cut), side, side, 3), np.uint8)
    for place, crop in enumerate(cut):
        how = cv2.INTER_AREA if crop.shape[0] > side else cv2.INTER_LINEAR
        found[place] = cv2.resize(crop, (side, side), interpolation=how)
    return found


def grey(cut: Crops) -> Crops:
    """Crops without their colours: three channels alike."""
    light = (cut @ np.array(LIGHT) + 0.5).astype(np.uint8)
    return np.repeat(light[..., None], 3, axis=3)


def stacked(pictures: Sequence[Picture], side: int) -> Crops:
    """Square pictures of ``side`` pixels as crops; there may be none."""
    return np.array(list(pictures), np.uint8).reshape(-1, side, side, 3)


def same(first: Picture, second: Picture) -> bool:
    """Whether two pictures are equal in every pixel."""
    return np.array_equal(first, second)


def logits(network: Network, cut: Crops, quarters: Sequence[int]) -> Floats:
    """A classifier's outputs (quarters, n, classes) for crops (n, side, side, 3), each turned by these quarters."""
    parts = [cut[: len(cut) // 2], cut[len(cut) // 2 :]] if len(cut) >= SHARED else [cut]
    found = side_by_side([partial(_logits, network, part, quarters) for part in parts])
    return np.concatenate(found, axis=1)


def _logits(network: Network, cut: Crops, quarters: Sequence[int]) -> Floats:
    """The same, in this thread."""
    count, side = cut.shape[:2]
    values = np.empty((count, 3, side, side), np.float32)
    np.divide(cut.transpose(0, 3, 1, 2), LIGHTEST, out=values)
    turned = np.empty((len(quarters) * count, 3, side, side), np.float32)
    for place, quarter in enumerate(quarters):
        turned[place * count : (place + 1) * count] = np.rot90(values, quarter, (2, 3))
    parts = [network(turned[at : at + BATCH]) for at in range(0, len(turned), BATCH)]
    found = np.concatenate(parts) if parts else np.zeros((0, len(CLASSES) + 1))
    return found.astype(np.float64).reshape(len(quarters), len(cut), found.shape[1])
