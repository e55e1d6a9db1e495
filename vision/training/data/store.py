"""Crops on the disk for a long training: cut once, mapped into memory, with an earlier reader's answers.

A store is a folder. Each part (``real``, ``made``, ``racks``) is two files. ``pixels-NAME.npy``: (n, 112, 112, 3) uint8
RGB. ``meta-NAME.npz``: ``classes`` (n,), ``sizes`` (n, 2), ``held`` (n,) as in :class:`Crops`, and ``teacher`` (n, 44),
the earlier reader's answer for each unchanged crop. Pixels stay on the disk; a step reads only its own crops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.files import part_of, put_part
from vision.models.manifest import CLASSES
from vision.training.data.crops import HIDDEN, Crops
from vision.training.networks.detector import NO_TILE_CLASS

STORED_SIDE = 112
"""Side of a stored crop in pixels: the 64 that a network of crops takes, with the room around, lose nothing."""
BACK, BIRD, WHITE = CLASSES.index("back"), CLASSES.index("1s"), CLASSES.index("5z")
SHOWN_MORE = {BACK: 2.0, BIRD: 2.0, WHITE: 1.5}
"""Classes that are shown more often, and by what."""
SMOOTHED = 0.02
"""Share of a label that is spread over all classes."""
LIKE_A_BACK = 0.2
"""The earlier reader's share for "face-down tile" above which an unlabelled window of a made photo is left out. It is a
square of a mat or a board; one photo can have a hundred."""


@dataclass(frozen=True)
class Rule:
    """How a part is learned: its ``share`` of the crops, and the earlier reader's share of a target: ``agreed`` if its
    answer names the label, ``differs`` if not."""

    share: float
    agreed: float
    differs: float


RULES: Mapping[str, Rule] = {"real": Rule(0.62, 0.9, 0.3), "made": Rule(0.26, 0.5, 0.0), "racks": Rule(0.12, 0.0, 0.0)}
"""Real photos keep the earlier reader's knowledge, made ones teach their drawings, racks teach "no tile"."""


@dataclass(frozen=True)
class Part:
    """One part of a store: its ``name``, ``pixels`` (n, 112, 112, 3) on the disk, and the columns of its crops."""

    name: str
    pixels: NDArray[np.uint8]
    classes: NDArray[np.int64]
    sizes: NDArray[np.float32]
    held: NDArray[np.bool_]
    teacher: NDArray[np.float32]


def pixels_file(folder: Path, name: str) -> Path:
    """The pixels of part ``name``. They are written last: if the file exists, the part is complete."""
    return folder / f"pixels-{name}.npy"


def write_part(folder: Path, name: str, crops: Crops, teacher: NDArray[np.float32]) -> None:
    """Write part ``name`` of a store; ``teacher``: (n, 44) probabilities, a row for each of ``crops``."""
    target = pixels_file(folder, name)
    part = part_of(target)
    shape = (len(crops.classes), STORED_SIDE, STORED_SIDE, 3)
    stored = np.lib.format.open_memmap(part, "w+", np.uint8, shape)
    for place, crop in enumerate(crops.pixels):
        stored[place] = cv2.resize(crop, (STORED_SIDE, STORED_SIDE), interpolation=cv2.INTER_AREA)
    stored.flush()
    del stored
    meta = folder / f"meta-{name}.npz"
    with part_of(meta).open("wb") as stream:
        np.savez(stream, classes=crops.classes, sizes=crops.sizes, held=crops.held_out, teacher=teacher)
    put_part(Path(stream.name), meta)
    put_part(part, target)


def read_part(folder: Path, name: str) -> Part:
    """Read part ``name`` of a store; its pixels stay on the disk. Raises OSError if it was never written."""
    pixels = np.load(pixels_file(folder, name), mmap_mode="r")
    with np.load(folder / f"meta-{name}.npz") as stored:
        return Part(name, pixels, stored["classes"], stored["sizes"], stored["held"], stored["teacher"])


def read_store(folder: Path) -> tuple[Part, ...]:
    """All parts of a store, in the order of :data:`RULES`. Raises FileNotFoundError if there are none."""
    parts = tuple(read_part(folder, name) for name in RULES if pixels_file(folder, name).is_file())
    if not parts:
        raise FileNotFoundError(f"{folder}: no crops; prepare them first")
    return parts


def taught(part: Part) -> NDArray[np.bool_]:
    """Which crops of a part are trained on (n,). Held-out crops are not, and unlabelled windows in which the earlier
    reader sees a tile are not."""
    none, back = part.teacher[:, NO_TILE_CLASS], part.teacher[:, BACK]
    mask = (part.classes != NO_TILE_CLASS) | (none >= HIDDEN)
    if part.name == "racks":
        mask[:] = True  # the earlier reader's mistakes there are the lesson
    elif part.name == "made":
        mask |= back < LIKE_A_BACK
    return np.asarray(mask & ~part.held)


def targets_of(part: Part, rule: Rule) -> NDArray[np.float32]:
    """What each crop is to be answered with (n, 44): its label, a little smoothed, and by ``rule`` the answer of the
    earlier reader."""
    labels = np.full(part.teacher.shape, SMOOTHED / part.teacher.shape[1], np.float32)
    labels[np.arange(len(labels)), part.classes] += 1 - SMOOTHED
    same = part.teacher.argmax(axis=1) == part.classes
    share = np.where(same, rule.agreed, rule.differs)[:, None]
    return np.asarray(labels * (1 - share) + part.teacher * share, np.float32)


class Mixture:
    """Draws crops from several parts, each part by its share; rare classes are drawn more often, but not equally often.
    ``classes``, ``sizes``, ``targets`` and ``held`` have a row for each crop."""

    def __init__(self, parts: Sequence[Part], shares: Mapping[str, float] | None = None) -> None:
        """``shares``: of parts by name, in place of the ones of :data:`RULES`."""
        self._parts = tuple(parts)
        weights = []
        for part in self._parts:
            mask = taught(part)
            counts = np.bincount(part.classes, minlength=NO_TILE_CLASS + 1)
            more = np.ones(len(counts))
            more[list(SHOWN_MORE)] = list(SHOWN_MORE.values())
            weight = np.where(mask, more[part.classes] / np.sqrt(counts[part.classes]), 0.0)
            weights.append(weight * (shares or {}).get(part.name, RULES[part.name].share) / max(weight.sum(), 1e-9))
        summed = np.concatenate(weights).cumsum()
        self._until = summed / summed[-1]
        self._starts = np.cumsum([0, *(len(part.classes) for part in self._parts)])
        self.classes = np.concatenate([part.classes for part in self._parts])
        self.sizes = np.concatenate([part.sizes for part in self._parts])
        self.targets = np.concatenate([targets_of(part, RULES[part.name]) for part in self._parts])
        self.held = np.concatenate([part.held & (part.name == "real") for part in self._parts])

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Places of ``count`` crops, as ``rng`` falls."""
        indices = np.searchsorted(self._until, rng.random(count), side="right")
        return np.minimum(indices, len(self._until) - 1)

    def pixels(self, place: int) -> NDArray[np.uint8]:
        """One crop (112, 112, 3) uint8 RGB, read from the disk."""
        number = int(np.searchsorted(self._starts, place, side="right")) - 1
        return np.asarray(self._parts[number].pixels[place - self._starts[number]])
