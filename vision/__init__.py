"""讀照片: the tiles of a photo, their names, and the hand that they make.

Programs need only `read(photo)`; nothing heavy is imported before it is called.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.reading.pipeline import Reader
    from vision.reading.reading import Reading

__all__ = ["read"]


def read(photo: str | Path | bytes, *, models: str | Path | None = None) -> Reading:
    """Read a photo of a hand.

    Args:
        photo: the path of a JPEG, PNG, WebP, HEIC or AVIF file, or its bytes; turned according to its EXIF.
        models: the folder of other models than the shipped ones; they are loaded once.

    Returns:
        The tiles with boxes in pixels of the upright photo, confidence from 0 to 1 and alternatives; the hand; the
        doubts. ``to_json(name, lang)`` is the line of ``paitai read --json``.

    Raises:
        PhotoError: it is not a photo, or too large; ``message(lang)`` gives the way out.
        ModelError: the models are missing or damaged.

    >>> from vision.photo.sample import sample_photo_path
    >>> read(sample_photo_path()).to_json("sample")["hand"]["melds"][0]
    {'kind': 'pung', 'tiles': '777z'}
    """
    from vision.photo.image import load_photo

    return _reader(models).read(load_photo(photo if isinstance(photo, bytes) else Path(photo)))


@cache
def _reader(models: str | Path | None) -> Reader:
    from vision.reading.pipeline import Reader

    return Reader.load(None if models is None else Path(models))
