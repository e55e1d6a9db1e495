"""How alike two crops of tiles are: by what the networks say of them, and pixel by pixel.

Both look at the four quarter turns. The networks need not know the tile: that two crops give them the same impression
is enough. The pixels tell apart what the networks never learned to (two drawings of flowers), where the crops are of
the same tile under about the same camera.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
TURNS = 4
SIDE, MOVES = 24, 3
"""Pixels of the inner face that are compared, and by how many it may be moved in each direction."""
INNER = 0.54
"""Share of the crop (box and margin) that is compared: the middle, without the edges of the tile."""
LOCAL = 5.0
"""Light is taken out by subtracting a blur of this many pixels."""
SHAPES = (
    *((across, down, turn) for across, down in ((1.0, 1.0), (1.0, 0.88), (0.88, 1.0)) for turn in (0, -7, 7)),
    (1.1, 1.1, 0),
    (1.0, 1.12, 0),
    (1.0, 1.0, -14),
    (1.0, 1.0, 14),
)
"""How a reference is stretched (across, down) and turned (degrees), for a camera that looks from another side."""
PIXELS_COUNT = 1.5
"""Weight of the pixels beside the networks; both lie in -1..1."""


class Networks(Protocol):
    """What describes crops: logits (turns, n, classes) of each network there is."""

    def describe(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
        """Logits of ``crops`` (n, side, side, 3) RGB, one array (4, n, classes) a network."""
        ...


@dataclass(frozen=True)
class Features:
    """What is compared of n crops: ``logits`` (networks, n, turns, classes) of length 1 and mean 0, and ``pixels``
    (n, k, SIDE * SIDE * 3) of length 1: of a photo's tiles k are their turns and moves (turn first), of references
    their shapes."""

    logits: tuple[Floats, ...]
    pixels: Floats

    def __len__(self) -> int:
        return len(self.pixels)


def describe_references(networks: Networks, crops: NDArray[np.uint8]) -> Features:
    """Features of reference crops (n, side, side, 3)."""
    shaped = [_unit(_patches(crops, SIDE, shape)) for shape in SHAPES]
    return Features(_logits(networks, crops), np.stack(shaped, axis=1))


def describe_tiles(networks: Networks, crops: NDArray[np.uint8]) -> Features:
    """Features of crops (n, side, side, 3) of the tiles of a photo."""
    patches = _patches(crops, SIDE + 2 * MOVES)
    offsets = range(0, 2 * MOVES + 1)
    moved = [
        _unit(turned[:, y : y + SIDE, x : x + SIDE])
        for turned in (np.rot90(patches, quarter, (1, 2)) for quarter in range(TURNS))
        for y in offsets
        for x in offsets
    ]
    return Features(_logits(networks, crops), np.stack(moved, axis=1))


def similarity(tiles: Features, references: Features) -> Floats:
    """(n, m): how alike each tile is to each reference, at the best turn; about 0 for strangers, at most 2.5."""
    n, m = len(tiles), len(references)
    if not n or not m:
        return np.zeros((n, m), np.float32)
    flat = tiles.pixels.reshape(n * tiles.pixels.shape[1], -1)
    alike = np.full((n, TURNS, m), -1.0, np.float32)
    for at in range(references.pixels.shape[1]):
        products = (flat @ references.pixels[:, at].T).reshape(n, TURNS, -1, m)
        alike = np.maximum(alike, products.max(axis=2))
    alike *= PIXELS_COUNT
    for own, other in zip(tiles.logits, references.logits, strict=True):
        for quarter in range(TURNS):
            turned = np.roll(own, -quarter, axis=1)
            alike[:, quarter] += np.einsum("ntc,mtc->nm", turned, other) / (TURNS * len(tiles.logits))
    best: Floats = alike.max(axis=1)
    return best


def _logits(networks: Networks, crops: NDArray[np.uint8]) -> tuple[Floats, ...]:
    found = []
    for raw in networks.describe(crops):
        centred = raw.transpose(1, 0, 2) - raw.mean(axis=2).T[:, :, None]
        found.append((centred / np.maximum(np.linalg.norm(centred, axis=2, keepdims=True), 1e-9)).astype(np.float32))
    return tuple(found)


def _patches(crops: NDArray[np.uint8], side: int, shape: tuple[float, float, float] = SHAPES[0]) -> Floats:
    """The middle of each crop at (n, side, side, 3), stretched and turned by ``shape``, Lab without slow changes of
    light."""
    across, down, turn = shape
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    found = np.empty((len(crops), side, side, 3), np.float32)
    for place, crop in enumerate(crops):
        whole = crop.shape[0]
        step = INNER * whole / SIDE
        mix = step * np.array([[across * cos, -down * sin], [across * sin, down * cos]])
        matrix = np.column_stack((mix, whole / 2 - mix @ (side / 2, side / 2))).astype(np.float32)
        soft = cv2.GaussianBlur(crop, (0, 0), 0.4 * max(step, 1.0))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = cv2.warpAffine(soft, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
        found[place] = lab - cv2.GaussianBlur(lab, (0, 0), LOCAL)
    return found


def _unit(patches: Floats) -> Floats:
    """(n, side * side * 3) of mean 0 a channel and length 1."""
    centred = patches - patches.mean(axis=(1, 2), keepdims=True)
    flat = centred.reshape(len(patches), -1)
    unit: Floats = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    return unit
