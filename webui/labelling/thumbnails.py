"""縮圖: small and middle-sized pictures of a set's photos, made once and kept on the disk."""

from __future__ import annotations

import io
import threading
from pathlib import Path

from PIL import Image, ImageOps

from vision.files import put_file, remove_path
from vision.labelling.labels import PhotoInfo
from vision.labelling.store import DatasetStore

THUMBNAILS_FOLDER = "thumbs"
SMALL, LARGE = 240, 2000
"""Longer sides in pixels: for lists, and for the canvas."""
_TURNS = threading.BoundedSemaphore(2)  # decoding keeps a core busy and a large photo in memory


def place_of(store: DatasetStore, id_: str, side: int) -> Path:
    """The path of the picture, which may not exist yet.

    Args:
        store: the set.
        id_: of the photo.
        side: the longer one, in pixels.
    """
    return store.folder / THUMBNAILS_FOLDER / id_[:2] / f"{id_}-{side}.jpg"


def picture(store: DatasetStore, info: PhotoInfo, side: int) -> Path:
    """The file of a photo's picture, upright, without EXIF. Raises PhotoError or OSError for a damaged photo.

    Args:
        store: the set.
        info: the photo.
        side: the longer one, in pixels.
    """
    path = place_of(store, info.id, side)
    if path.is_file():
        return path
    with _TURNS:
        if not path.is_file():
            put_file(path, _jpeg(store, info, side))
    return path


def _jpeg(store: DatasetStore, info: PhotoInfo, side: int) -> bytes:
    source = store.photo_file(info)
    if source.suffix == ".jpg" and side <= SMALL:
        with Image.open(source) as opened:  # the decoder itself makes it smaller, at nearly no cost
            opened.draft("RGB", (2 * side, 2 * side))
            image = ImageOps.exif_transpose(opened).convert("RGB")
    else:
        image = Image.fromarray(store.load(info).pixels)
    image.thumbnail((side, side))
    image.info.clear()  # Pillow would copy the photo's comment
    out = io.BytesIO()
    image.save(out, "JPEG", quality=70 if side <= SMALL else 85)
    return out.getvalue()


def forget(store: DatasetStore, id_: str) -> None:
    """Take the pictures of a photo away."""
    for side in (SMALL, LARGE):
        remove_path(place_of(store, id_, side))
