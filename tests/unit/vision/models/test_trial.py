"""A model tried before it is put into use: how much it must read, and the refusal of one that cannot."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.detection.types import Detection
from vision.models import trial
from vision.models.manifest import ModelError
from vision.models.trial import SAME_IOU, share, try_model
from vision.photo.image import Photo
from vision.reading.pipeline import Reader

PHOTO = Photo(np.full((100, 400, 3), 90, np.uint8), (800, 200))
Patch = pytest.MonkeyPatch


@pytest.mark.parametrize(
    ("sample", "labelled", "error"),
    [
        (0.5, [], None),
        (0.49, [], "model_reads_nothing"),
        (0.0, [0.5], None),
        (0.0, [0.49], "model_reads_nothing"),
        (1.0, [0.2, 0.2], None),
        (1.0, [0.39, 0.0], "model_reads_labelled"),
        (0.0, [0.7, 0.0, 0.0], None),
        (0.0, [0.59, 0.0, 0.0], "model_reads_labelled"),
    ],
)
def test_a_model_must_read_something(
    monkeypatch: Patch, sample: float, labelled: list[float], error: str | None
) -> None:
    known = [("1m", (0.0, 0.0, 1.0, 1.0))]
    shares = iter([sample, *labelled])
    monkeypatch.setattr(Reader, "load", lambda folder: None)
    monkeypatch.setattr(trial, "load_photo", lambda path: PHOTO)
    monkeypatch.setattr(trial, "share", lambda reader, photo, known: next(shares))
    photos: list[Any] = [(PHOTO, known) for _ in labelled]
    if error is None:
        try_model(Path("x"), [*photos, (PHOTO, [])])
        return
    with pytest.raises(ModelError) as refusal:
        try_model(Path("x"), photos)
    assert refusal.value.key == error
    assert "{" not in refusal.value.message("zh")
    percent = sample if error == "model_reads_nothing" else sum(labelled) / len(labelled)
    assert f"{round(100 * percent)}" in refusal.value.message("en")


@pytest.mark.parametrize(
    ("text", "reason"), [("bad shape\nsecond line", "bad shape"), ("", "RuntimeError"), ("y" * 300, "y" * 200)]
)
def test_weights_that_break_are_unusable(monkeypatch: Patch, text: str, reason: str) -> None:
    def broken(folder: Path) -> None:
        raise RuntimeError(text)

    monkeypatch.setattr(Reader, "load", broken)
    with pytest.raises(ModelError) as error:
        try_model(Path("folder"))
    assert error.value.key == "model_unusable"
    assert reason in error.value.message("en")
    assert f"{reason}y" not in error.value.message("en")


@pytest.mark.parametrize(("name", "moved", "hits"), [("1m", 0, 1), ("2m", 0, 0), ("1m", 10, 1), ("1m", 11, 0)])
def test_a_known_tile_is_found_by_name_and_place(name: str, moved: int, hits: int) -> None:
    """Of two boxes of 30 pixels, moved by 10, half of both together is common."""
    seen = Detection(name, (float(moved), 0.0, 30.0 + moved, 40.0))
    known = [("1m", (0.0, 0.0, 30.0, 40.0)), ("9s", (500.0, 0.0, 530.0, 40.0))]
    assert SAME_IOU == 0.5
    eyes: Any = SimpleNamespace(detect=lambda photo: [seen])
    assert share(eyes, PHOTO, known) == hits / 2
    assert share(eyes, PHOTO, []) == 1.0
