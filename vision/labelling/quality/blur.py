"""模糊: blur everything except the tiles in the dataset's copy of a photo; this cannot be undone."""

from __future__ import annotations

import dataclasses
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from vision.files import put_file, remove_path
from vision.labelling.labels import Label, LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.phash import perceptual_hash
from vision.labelling.store import DatasetStore
from vision.photo.image import load_photo

ROOM_SIDES = 0.75
"""How far a tile's neighbourhood reaches beyond its box on each side, in units of the box's longer side."""
COARSE = 24
"""Number of patches along the longer side of the blurred part: no face and no writing is left in it."""


def blurred(pixels: NDArray[np.uint8], outlines: Sequence[tuple[float, float, float, float]]) -> NDArray[np.uint8]:
    """A picture (h, w, 3) of which only the neighbourhoods of these outlines (x1 y1 x2 y2, pixels) are as they were."""
    height, width = pixels.shape[:2]
    scale = COARSE / max(height, width)
    coarse = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(pixels, coarse, interpolation=cv2.INTER_AREA)
    picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    for x1, y1, x2, y2 in outlines:
        room = ROOM_SIDES * max(x2 - x1, y2 - y1)
        left, top = max(0, int(x1 - room)), max(0, int(y1 - room))
        right, bottom = min(width, int(x2 + room) + 1), min(height, int(y2 + room) + 1)
        picture[top:bottom, left:right] = pixels[top:bottom, left:right]
    return picture


def upright(data: bytes) -> NDArray[np.uint8]:
    """All pixels of a photo (h, w, 3) after its EXIF rotation. Raises PhotoError."""
    photo = load_photo(data)
    if photo.pixels.shape[1::-1] == photo.size:
        return photo.pixels
    if data.startswith(b"\xff\xd8"):
        with Image.open(io.BytesIO(data)) as opened:
            return np.asarray(ImageOps.exif_transpose(opened).convert("RGB"))
    return cv2.resize(photo.pixels, photo.size, interpolation=cv2.INTER_CUBIC).astype(np.uint8)


def blurred_jpeg(data: bytes, labels: Sequence[Label]) -> bytes:
    """A photo as a JPEG without EXIF, blurred away from its labelled tiles. Raises PhotoError, LabellingError."""
    if not labels:
        raise LabellingError("nothing_to_keep")
    out = io.BytesIO()
    picture = Image.fromarray(blurred(upright(data), [label.box.outline for label in labels]))
    picture.save(out, "JPEG", quality=92)
    return out.getvalue()


def blur(store: DatasetStore, id_: str, revision: int) -> LabelledPhoto:
    """Replace a photo by a blurred copy: labels and their history stay, the sharp file is deleted. The photo gets a
    new id, because an id is a content hash. Raises LabellingError if somebody saved since ``revision``."""
    photo = store.get(id_)
    info = photo.photo
    if info.revision != revision:
        raise LabellingError("changed_meanwhile")
    old = store.photo_file(info)
    data = blurred_jpeg(old.read_bytes(), photo.labels)
    name, hashed = f"{Path(info.name).stem}.jpg", perceptual_hash(load_photo(data).pixels)
    fresh = dataclasses.replace(info, id=hashlib.sha256(data).hexdigest(), name=name, perceptual_hash=hashed)
    put_file(store.photo_file(fresh), data)
    with store.transaction(write=True) as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        changed = connection.execute(
            "UPDATE photos SET id = ?, name = ?, look = ? WHERE id = ? AND revision = ?",
            (fresh.id, fresh.name, fresh.perceptual_hash, info.id, revision),
        ).rowcount
        if not changed:
            raise LabellingError("changed_meanwhile")
        for table in ("history", "marks"):
            connection.execute(f"UPDATE {table} SET photo = ? WHERE photo = ?", (fresh.id, info.id))
    remove_path(old)
    return LabelledPhoto(fresh, photo.labels)
