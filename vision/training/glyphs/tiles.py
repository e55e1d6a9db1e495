"""Pictures of tiles for the network of characters: crops of real flowers and other tiles, and drawn faces.

A real flower may bear its character or not, so it teaches nothing until the network has found the character there.
Every other tile teaches where no character is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.tiles import CODES, FLOWERS
from vision.files import part_of, put_part
from vision.photo.image import load_photo
from vision.pixels.sight import window
from vision.training.data.dataset import labels_of, load_dataset
from vision.training.glyphs.masks import OTHER, Masks
from vision.training.progress import ProgressReporter
from vision.training.synthetic.designs import Face, listed_designs, whole_faces
from vision.training.synthetic.render import load_art

STORED = 160
"""Side of a stored crop in pixels."""
ROOM_SIDES = 1.16
"""Side of a crop in units of the longer side of the tile's box: as the flower network reads it."""
OTHER_SHARE = 0.15
"""Share of the tiles other than flowers that are cut."""
FLOWER_CODES = tuple(CODES[number] for number in FLOWERS)
LETTERED: Mapping[str, tuple[str, ...]] = {
    "imahjong-tw": FLOWER_CODES,
    "kmahjongg-default": FLOWER_CODES[:4],
    "pysol-embossed": FLOWER_CODES,
    "pysol-uni": FLOWER_CODES,
    "pysol-xmahjongg-small": FLOWER_CODES,
}
"""Designs whose flowers bear their own character, and which of them. Looked at on contact sheets."""
MEASURED = ("bihaifeng-planar", "cangjie6-oblique", "pysol-kyushu")
"""Lettered designs that are left out of the training, to measure with."""
UNUSED = ("imahjong-can", "imahjong-hk", "kmahjongg-bamboo", "kmahjongg-classic", "pysol-western-classic")
"""Designs that are neither: other measurements leave them out, or they share drawings with one that is trained on, as
imahjong-hk does with imahjong-tw."""
TUNE = ("s3-web", "s3-wood", "s3-tw-tan", "s3-keyboard")
"""Scene groups of the train split that are left out of the training, to choose by."""
TIMES = 6
"""How many pictures of a flower are made of each drawing."""
TILE_SIZE = (104, 138)
"""Width and height of a drawn tile on its crop."""


@dataclass(frozen=True)
class Tiles:
    """Pictures of tiles: ``pixels`` (n, 160, 160, 3) uint8 RGB, ``kinds`` (n,): 0 to 7 for flowers, 8 for other tiles
    and for drawn flowers without a character; ``sources`` (n,): scene group or design. ``drawn`` (n,) marks art,
    ``held`` (n,) what is never trained on."""

    pixels: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    sources: NDArray[np.str_]
    drawn: NDArray[np.bool_]
    held: NDArray[np.bool_]

    def places(self, *, flowers: bool, drawn: bool, held: bool) -> NDArray[np.intp]:
        """Places of the flowers with a kind, or of all other tiles, among real or drawn ones, trained on or not."""
        return np.flatnonzero(((self.kinds < OTHER) == flowers) & (self.drawn == drawn) & (self.held == held))


@dataclass(frozen=True)
class _Row:
    pixels: NDArray[np.uint8]
    kind: int
    source: str
    drawn: bool
    held: bool


def cut_tiles(data: Path, tune: Sequence[str] = TUNE, *, seed: int = 2) -> Iterator[_Row]:
    """Cut all flowers and some other tiles of the train split of the set ``data`` (a folder with ``data.yaml``).

    tune: scene groups that are left out of the training; seed: of the choice of other tiles.
    """
    rng = random.Random(seed)
    labelled = load_dataset(data / "data.yaml", "train")
    reporter = ProgressReporter("cutting", "photos", len(labelled.photos))
    for number, path in enumerate(labelled.photos, start=1):
        scene = labelled.scenes.get(path.stem, "")
        boxes = [
            (code, box)
            for code, box in labels_of(path, labelled.codes)
            if code in FLOWER_CODES or rng.random() < OTHER_SHARE
        ]
        reporter.tell(number)
        if not boxes:
            continue
        photo = load_photo(path).pixels
        height, width = photo.shape[:2]
        for code, (x, y, w, h) in boxes:
            side = ROOM_SIDES * max(w * width, h * height)
            kind = FLOWER_CODES.index(code) if code in FLOWER_CODES else OTHER
            yield _Row(window(photo, x * width, y * height, side, STORED), kind, scene, False, scene in tune)


def on_tile(face: Face, rng: random.Random) -> NDArray[np.uint8]:
    """A crop (160, 160, 3) RGB of a tile with ``face`` (h, w, 4) BGRA on its paper, on a table of any colour."""
    bright = rng.uniform(225, 253)
    paper = np.array((bright, bright * rng.uniform(0.95, 1), bright * rng.uniform(0.82, 1)))
    crop = np.empty((STORED, STORED, 3), np.float64)
    crop[:] = [rng.uniform(20, 220) for _ in range(3)]
    width, height = TILE_SIZE
    left, top = (STORED - width) // 2, (STORED - height) // 2
    crop[top : top + height, left : left + width] = paper
    scale = min(width / face.shape[1], height / face.shape[0]) * rng.uniform(0.75, 0.95)
    size = (max(1, round(face.shape[1] * scale)), max(1, round(face.shape[0] * scale)))
    ink = cv2.resize(face, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC).astype(np.float64)
    x, y = (STORED - size[0]) // 2, (STORED - size[1]) // 2
    share = ink[:, :, 3:] / 255
    part = crop[y : y + size[1], x : x + size[0]]
    part[:] = part * (1 - share) + ink[:, :, 2::-1] * share
    return crop.clip(0, 255).astype(np.uint8)


def draw_tiles(art: Path, *, seed: int = 3) -> Iterator[_Row]:
    """Drawn tiles of a folder like ``../shared/data/art``: the flowers several times, other tiles once."""
    rng = random.Random(seed)
    sets = {folder.name: whole_faces(folder) for folder in listed_designs(art, UNUSED)}
    if (art / "samoheen").is_dir():
        sets["samoheen"] = load_art(art / "samoheen")
    for name, faces in sorted(sets.items()):
        held = name in MEASURED
        for code, face in sorted(faces.items()):
            flower = code in FLOWER_CODES
            if held and not flower:
                continue
            kind = FLOWER_CODES.index(code) if flower and (held or code in LETTERED.get(name, ())) else OTHER
            for _ in range(TIMES if flower else 1):
                yield _Row(on_tile(face, rng), kind, name, True, held)


def collect(rows: Sequence[_Row]) -> Tiles:
    """The rows as columns. Raises ValueError if there are none."""
    if not rows:
        raise ValueError("no labelled tile and no drawing: nothing to learn from")
    return Tiles(
        np.stack([row.pixels for row in rows]),
        np.array([row.kind for row in rows]),
        np.array([row.source for row in rows]),
        np.array([row.drawn for row in rows]),
        np.array([row.held for row in rows]),
    )


def write_store(folder: Path, masks: Masks, tiles: Tiles) -> None:
    """Write ``masks.npz`` and ``tiles.npz`` into ``folder``, each whole or not at all."""
    for name, columns in (("masks", vars(masks)), ("tiles", vars(tiles))):
        target = folder / f"{name}.npz"
        part = part_of(target)
        with part.open("wb") as stream:
            np.savez(stream, **columns)
        put_part(part, target)


def read_store(folder: Path) -> tuple[Masks, Tiles]:
    """What :func:`write_store` wrote. Raises FileNotFoundError if ``prepare`` has not run."""
    if not (folder / "tiles.npz").is_file():
        raise FileNotFoundError(f"{folder}: no pictures; run prepare first")
    with np.load(folder / "masks.npz") as masks, np.load(folder / "tiles.npz") as tiles:
        return Masks(**masks), Tiles(**tiles)
