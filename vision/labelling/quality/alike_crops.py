"""Tiles of a training photo that are found again in a validation or test photo: measured on them, a model looks better
than it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vision.labelling.labels import Label, LabelledPhoto, PhotoInfo
from vision.labelling.phash import distances, perceptual_hash
from vision.labelling.store import DatasetStore
from vision.photo.image import PhotoError

ALIKE_BITS = 24
"""Bits, of 512, in which the hashes of two pictures of one tile may differ. Tiles of one set on one table differ in 80
and more."""
LEAST_SIDE_PIXELS = 24
"""Smaller crops say too little."""
MOST_PHOTOS = 3000
"""Photos that are looked at, at most."""


@dataclass(frozen=True)
class AlikeCrops:
    """A labelled tile, the photo of another split with the same picture of it, and the number of bits in which both
    differ."""

    photo: PhotoInfo
    label: Label
    other: PhotoInfo
    bits: int


def alike_crops(store: DatasetStore, photos: Iterable[LabelledPhoto]) -> list[AlikeCrops]:
    """Tiles of val and test that are in train too, the most alike first; one for each two photos."""
    train: dict[str, list[tuple[PhotoInfo, Label, str]]] = defaultdict(list)
    others: dict[str, list[tuple[PhotoInfo, Label, str]]] = defaultdict(list)
    members = [photo for photo in photos if photo.photo.split and photo.labels][:MOST_PHOTOS]
    if len({photo.photo.split for photo in members}) < 2:
        return []
    for photo in members:
        into = train if photo.photo.split == "train" else others
        for label, hashed in _hashes(store, photo):
            into[label.tile].append((photo.photo, label, hashed))
    nearest: dict[tuple[str, str], AlikeCrops] = {}
    for tile, held in others.items():
        if not train[tile]:
            continue
        near = distances([hashed for _, _, hashed in held], [hashed for _, _, hashed in train[tile]])
        for i, j in np.argwhere(near <= ALIKE_BITS):
            photo_, label, _ = held[int(i)]
            other, bits = train[tile][int(j)][0], int(near[i, j])
            if (photo_.id, other.id) not in nearest or nearest[photo_.id, other.id].bits > bits:
                nearest[photo_.id, other.id] = AlikeCrops(photo_, label, other, bits)
    return sorted(nearest.values(), key=lambda pair: (pair.bits, pair.photo.name))


def _hashes(store: DatasetStore, photo: LabelledPhoto) -> list[tuple[Label, str]]:
    try:
        picture = store.load(photo.photo)
    except (PhotoError, OSError):
        return []
    sx, sy = picture.scale
    hashes = []
    for label in photo.labels:
        x1, y1, x2, y2 = label.box.outline
        left, top, right, bottom = max(0, int(x1 / sx)), max(0, int(y1 / sy)), int(x2 / sx), int(y2 / sy)
        part = picture.pixels[top:bottom, left:right]
        if min(part.shape[:2]) >= LEAST_SIDE_PIXELS:
            hashes.append((label, perceptual_hash(np.ascontiguousarray(part))))
    return hashes
