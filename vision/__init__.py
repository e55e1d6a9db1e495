"""讀照片: where the tiles are, which they are, and the hand that they make.

`read(photo)` is all that a program needs; nothing heavy is imported before it is called.
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
        photo: the path of a JPEG, PNG, WebP or HEIC file, or its bytes; turned as its EXIF says.
        models: the folder of other models than the shipped ones; they are loaded once.

    Returns:
        The tiles with boxes in pixels of the upright photo, confidence from 0 to 1 and what each may be instead; the
        hand; what is doubtful. ``to_json(name, lang)`` is the line of ``paitai read --json``.

    Raises:
        PhotoError: it is no photo, or too large; ``message(lang)`` says what to do.
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
