"""The likeness of two crops of tiles: by the networks' outputs, and pixel by pixel.

Both use the four quarter turns. The networks need not know the tile: equal outputs for two crops are enough. Pixels
separate tiles that the networks never learned (two drawings of flowers), if the crops show the same tile under about
the same camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.pixels import sight
from vision.pixels.values import Crops, Cut

Floats = NDArray[np.float32]
QUARTER_TURNS = 4
SIDE, MOVES = 24, 3
"""Pixels of the inner face that are compared, and by how many it may be moved in each direction."""
INNER = 0.54
"""Share of the crop (box and margin) that is compared: the middle, without the edges of the tile."""
LOCAL_PIXELS = 5.0
"""Light is taken out by subtracting a blur of this many pixels."""
SHAPES = (
    *((across, down, turn) for across, down in ((1.0, 1.0), (1.0, 0.88), (0.88, 1.0)) for turn in (0, -7, 7)),
    (1.1, 1.1, 0),
    (1.0, 1.12, 0),
    (1.0, 1.0, -14),
    (1.0, 1.0, 14),
)
"""How a reference is stretched (across, down) and turned (degrees), for a camera that looks from another side."""
COMPARED = Cut(SIDE, INNER, LOCAL_PIXELS)
PIXELS_COUNT = 1.5
"""Weight of the pixels relative to the networks; both are in -1..1."""


class Networks(Protocol):
    """What describes crops: logits (turns, n, classes) of each network there is."""

    def describe(self, crops: Crops) -> list[NDArray[np.float64]]:
        """Logits of ``crops`` (n, side, side, 3) RGB, one array (4, n, classes) a network."""
        ...


@dataclass(frozen=True)
class Features:
    """The features of n crops: ``logits`` (networks, n, turns, classes) of length 1 and mean 0, and ``pixels``
    (n, k, SIDE * SIDE * 3) of length 1.

    For a photo's tiles k counts turns and moves (turn first), for references their shapes.
    """

    logits: tuple[Floats, ...]
    pixels: Floats

    def __len__(self) -> int:
        return len(self.pixels)


def describe_references(networks: Networks, crops: Crops) -> Features:
    """Features of reference crops (n, side, side, 3)."""
    return Features(_logits(networks, crops), sight.shaped_patches(crops, COMPARED, SHAPES))


def describe_tiles(networks: Networks, crops: Crops) -> Features:
    """Features of crops (n, side, side, 3) of the tiles of a photo."""
    return Features(_logits(networks, crops), sight.moved_patches(crops, COMPARED, MOVES))


def similarity(tiles: Features, references: Features) -> Floats:
    """(n, m): how alike each tile is to each reference, at the best turn; about 0 for strangers, at most 2.5."""
    n, m = len(tiles), len(references)
    if not n or not m:
        return np.zeros((n, m), np.float32)
    alike = sight.nearest(tiles.pixels, references.pixels)
    alike *= PIXELS_COUNT
    for own, other in zip(tiles.logits, references.logits, strict=True):
        for quarter in range(QUARTER_TURNS):
            turned = np.roll(own, -quarter, axis=1)
            alike[:, quarter] += np.einsum("ntc,mtc->nm", turned, other) / (QUARTER_TURNS * len(tiles.logits))
    best: Floats = alike.max(axis=1)
    return best


def _logits(networks: Networks, crops: Crops) -> tuple[Floats, ...]:
    found = []
    for raw in networks.describe(crops):
        centred = raw.transpose(1, 0, 2) - raw.mean(axis=2).T[:, :, None]
        found.append((centred / np.maximum(np.linalg.norm(centred, axis=2, keepdims=True), 1e-9)).astype(np.float32))
    return tuple(found)
