"""What collages are made on: grounds of one colour with noise, photographed textures, and the wood of grained backs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.synthetic.tables import noise

Colour = Sequence[float]
Pixels = NDArray[np.uint8]
GRAINED = {"Bamboo", "Wood", "Planks", "WoodFloor", "Chipboard", "Cork"}
"""Folders of the textures that show what backs are made of."""
BACK_SIDE = (190, 250)
"""Width and height of one back in pixels."""


def ground(rng: random.Random, width: int, height: int) -> Pixels:
    """Cloth, wood or stone (BGR): a colour with rough and fine noise, sometimes stripes.

    `width`, `height`: pixels.
    """
    colour = np.array([rng.uniform(15, 215) for _ in range(3)], np.float32)
    if rng.random() < 0.6:  # most tables are green, brown, grey, blue
        colour = np.array(
            rng.choice(
                (
                    (60, 120, 40),
                    (50, 80, 120),
                    (110, 110, 110),
                    (120, 70, 30),
                    (90, 140, 180),
                    (40, 45, 50),
                    (200, 205, 205),
                    (60, 60, 130),
                )
            ),
            np.float32,
        )
        colour *= rng.uniform(0.5, 1.3)
    part = noise(rng.randrange(40), 1.4)[: rng.randint(120, 1000), : rng.randint(120, 1000)]
    rough = cv2.resize(part, (width, height))
    fine = np.random.default_rng(rng.randrange(1 << 30)).standard_normal((height, width)).astype(np.float32)
    value = 1 + rng.uniform(0.02, 0.16) * rough
    value = value + rng.uniform(0, 0.07) * cv2.GaussianBlur(fine, (0, 0), rng.uniform(0.6, 1.5))
    if rng.random() < 0.3:
        wave = np.linspace(0, rng.uniform(20, 400), height if rng.random() < 0.5 else width)
        stripes = (np.sin(wave) * rng.uniform(0.03, 0.15)).astype(np.float32)
        value = value + (stripes[:, None] if len(stripes) == height else stripes[None])
    picture = value[..., None] * colour
    return picture.clip(0, 255).astype(np.uint8)


def textured(rng: random.Random, width: int, height: int, textures: Sequence[Path]) -> Pixels:
    """A mat, a board, a cloth: a photographed texture (BGR), repeated and lit otherwise.

    `width`, `height`: pixels; `textures`: files to choose from.
    """
    read = cv2.imread(str(rng.choice(tuple(textures))))
    if read is None:
        return ground(rng, width, height)
    scale = rng.uniform(0.35, 1.6)
    texture = cv2.resize(read, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        texture = cv2.rotate(texture, cv2.ROTATE_90_CLOCKWISE)
    times = (-(-height // texture.shape[0]), -(-width // texture.shape[1]), 1)
    wide = np.tile(texture, times)[:height, :width].astype(np.float32)
    mean = wide.mean((0, 1), keepdims=True)
    wide = (wide - mean) * rng.uniform(0.7, 1.4) + mean * rng.uniform(0.5, 1.25)
    if rng.random() < 0.3:
        wide *= np.array([rng.uniform(0.6, 1.3) for _ in range(3)], np.float32)
    return np.ascontiguousarray(wide.clip(0, 255)).astype(np.uint8)


def wooden(rng: random.Random, textures: Sequence[Path], colour: Colour) -> Pixels | None:
    """A sheet (h, w, 4) BGRA of photographed grain, along the tiles, from which backs are cut; mostly of a back's
    colour."""
    read = cv2.imread(str(rng.choice([path for path in textures if path.parent.name in GRAINED] or textures)))
    if read is None:
        return None
    scale = 3 * BACK_SIDE[1] / min(read.shape[:2]) * rng.uniform(0.6, 1.8)
    sheet = cv2.resize(read, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    if rng.random() < 0.5:
        sheet = np.ascontiguousarray(np.rot90(sheet))
    if rng.random() < 0.6:
        mean = sheet.mean((0, 1), np.float64, keepdims=True)
        sheet = (sheet - mean) * rng.uniform(0.4, 1.0) + np.array(colour, np.float32)
    opaque = np.full((*sheet.shape[:2], 1), 255, np.uint8)
    return np.dstack((sheet.clip(0, 255).astype(np.uint8), opaque))


def piece_of(sheet: Pixels, rng: random.Random) -> Pixels:
    """One back (250, 190, 4) cut from a sheet of :func:`wooden`."""
    y, x = (rng.randrange(sheet.shape[n] - BACK_SIDE[1 - n]) for n in (0, 1))
    return sheet[y : y + BACK_SIDE[1], x : x + BACK_SIDE[0]]
