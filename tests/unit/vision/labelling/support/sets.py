"""Small photos and random labelled sets for these tests."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from PIL import Image

from vision.labelling.labels import ORIGINS, Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES

WIDTH, HEIGHT = 160, 120
QUICK = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Folder for hypothesis: in memory, if there is such a place."""


def photo_bytes(
    seed: int = 0, size: tuple[int, int] = (WIDTH, HEIGHT), orientation: int = 1, kind: str = "PNG"
) -> bytes:
    """A picture of its own for each seed: grey squares."""
    squares = np.random.default_rng(seed).integers(0, 255, (12, 16, 3), dtype=np.uint8)
    image = Image.fromarray(squares).resize(size, Image.Resampling.NEAREST)
    exif = Image.Exif()
    exif[0x0112] = orientation
    out = io.BytesIO()
    image.save(out, kind, exif=exif)
    return out.getvalue()


def small_set(folder: Path, photos: int = 3, labels: int = 2, scenes: int = 1) -> DatasetStore:
    """A set with boxes side by side."""
    store = DatasetStore.create(folder)
    for n in range(photos):
        info, _ = store.add(photo_bytes(n), f"p{n:02}.png", scene=f"scene{n % scenes}")
        labels_ = [Label(CLASSES[(n + k) % 43], Box(10 + 30 * k, 10, 35 + 30 * k, 50)) for k in range(labels)]
        store.save(info.id, labels_, 0)
    return store


hundredths = st.integers(0, 5000).map(lambda n: n / 100)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    """Inside the photo, turned or not."""
    if draw(st.booleans()):
        x, y = draw(st.integers(0, 9000)) / 100, draw(st.integers(0, 6000)) / 100
        return Box(x, y, x + draw(st.integers(200, 7000)) / 100, y + draw(st.integers(200, 6000)) / 100)
    w, h = draw(st.integers(1000, 4000)) / 100, draw(st.integers(1000, 4000)) / 100
    x, y = draw(st.integers(5000, 6000)) / 100, draw(st.integers(3000, 4000)) / 100
    return Box(x, y, x + w, y + h, draw(st.integers(1, 35999)) / 100)


labels = st.builds(
    Label,
    st.sampled_from(CLASSES),
    boxes(),
    st.sampled_from(ORIGINS),
    st.one_of(st.none(), st.integers(0, 10000).map(lambda n: n / 10000)),
    st.booleans(),
)
words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
