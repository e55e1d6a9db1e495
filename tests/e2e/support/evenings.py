"""A page with records of its own, so that an evening played in one test is not the running table of another."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.serving import serving
from vision.detection.types import Detection
from vision.photo.image import Photo
from vision.reading.pipeline import Reader
from vision.tileset.matcher import Matcher


class RememberingReader(Reader):
    """The real reader, whose networks see each photo once. Other tests with the same pixels reuse the detections;
    layout, hand and doubts are computed each time."""

    def detect(self, photo: Photo, matcher: Matcher | None = None) -> tuple[Detection, ...]:
        if matcher is not None:
            return super().detect(photo, matcher)
        key = hashlib.blake2b(photo.pixels.tobytes()).digest(), photo.pixels.shape, photo.size
        if key not in _SEEN:
            _SEEN[key] = super().detect(photo)
        return _SEEN[key]


_SEEN: dict[tuple[Any, ...], tuple[Detection, ...]] = {}


@cache
def reader() -> Reader:
    """The shipped model, loaded once for all these pages."""
    models = os.environ.get("PAITAI_MODELS")
    return RememberingReader.load(Path(models) if models else None)


def serve(folder: Path) -> Iterator[str]:
    """The address of the page with its records in `folder`."""
    yield from served({"READER": reader(), "DATA": str(folder)})


def served(config: dict[str, Any]) -> Iterator[str]:
    """The address of the page with these settings, served as `paitai serve` does."""
    from webui import create_app

    app = create_app(config)
    with serving(app) as port:
        yield f"http://127.0.0.1:{port}/"
    app.extensions["paitai.store"].close()
