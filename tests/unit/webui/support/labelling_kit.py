"""A workbench without a model and a data set of one photo."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from flask import Flask
from PIL import Image

from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from webui import create_app


def noise(seed: int = 0, size: tuple[int, int] = (320, 240)) -> bytes:
    out = io.BytesIO()
    pixels = np.random.default_rng(seed).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def workbench(folder: Path) -> Flask:
    return create_app({"DATA": str(folder), "READER": SimpleNamespace(models=None)})


def one_photo(folder: Path) -> DatasetStore:
    store = DatasetStore.create(folder / "datasets" / "demo", "試試")
    info, _ = store.add(noise(), "one.png")
    store.save(info.id, [Label("3p", Box(100, 10, 130, 50), checked=True)], 0)
    return store
