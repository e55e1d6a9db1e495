"""How a training alters a photo: the boxes follow the tiles, the same seed gives the same picture, and the training
uses the same values."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.labelling.taught import GREY, SIZE, VALUES, changed
from vision.training.networks import detector

WIDTH, HEIGHT = 400, 300
SQUARES = [(100, 80, 140, 140), (220, 180, 300, 220)]


def photo() -> NDArray[np.uint8]:
    """Two red squares on a dark ground."""
    pixels = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
    for x1, y1, x2, y2 in SQUARES:
        pixels[y1:y2, x1:x2] = 255, 0, 0
    return pixels


def shares(x1: float, y1: float, x2: float, y2: float) -> tuple[float, float, float, float]:
    return (x1 + x2) / 2 / WIDTH, (y1 + y2) / 2 / HEIGHT, (x2 - x1) / WIDTH, (y2 - y1) / HEIGHT


def test_the_boxes_follow_the_tiles() -> None:
    """In forty pictures red pixels are inside the boxes, and the boxes are mostly red."""
    turns, framed = set(), 0
    for seed in range(40):
        sample = changed(photo(), [shares(*square) for square in SQUARES], str(seed))
        turns.add(sample.quarter)
        red = sample.pixels.max(2).astype(int) - sample.pixels.min(2) > 40  # the ground and the surroundings are grey
        inside = np.zeros_like(red)
        for place, (x1, y1, x2, y2) in sample.boxes:
            assert place in (0, 1)
            part = red[int(y1) : int(y2) + 1, int(x1) : int(x2) + 1]
            inside[max(0, int(y1) - 2) : int(y2) + 3, max(0, int(x1) - 2) : int(x2) + 3] = True
            if red.any():
                assert part.mean() > 0.5, seed
                framed += 1
        if len(sample.boxes) == len(SQUARES):
            assert not (red & ~inside).any(), seed
    assert turns == {0, 1, 2, 3}
    assert framed > 40


def test_the_same_chance_is_the_same_picture() -> None:
    first, same, other = (changed(photo(), [shares(*SQUARES[0])], seed) for seed in ("a", "a", "b"))
    assert np.array_equal(first.pixels, same.pixels)
    assert first.boxes == same.boxes
    assert not np.array_equal(first.pixels, other.pixels)
    assert first.pixels.shape == (SIZE, SIZE, 3)


def test_chance_keeps_to_its_values() -> None:
    samples = [changed(photo(), [], str(seed)) for seed in range(100)]
    assert max(abs(sample.degrees) for sample in samples) <= VALUES["degrees"]
    assert (
        1 - VALUES["scale"]
        <= min(sample.scale for sample in samples)
        < max(sample.scale for sample in samples)
        <= 1 + VALUES["scale"]
    )
    assert max(abs(sample.degrees) for sample in samples) > VALUES["degrees"] / 2
    turned = sum(bool(sample.quarter) for sample in samples)
    assert 25 <= turned <= 55
    assert sum(int((sample.pixels == GREY).any()) for sample in samples) > 0


def test_the_training_goes_by_the_same_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}

    class Network:
        def __init__(self, weights: object) -> None: ...

        def add_callback(self, *_: object) -> None: ...

        def train(self, **values: Any) -> None:
            asked.update(values)

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(set_flush_denormal=lambda _: None))
    monkeypatch.setitem(sys.modules, "ultralytics", SimpleNamespace(YOLO=Network))
    monkeypatch.setattr("vision.detection.torch_nms.ensure_nms", lambda: None)
    detector.train(tmp_path, tmp_path, tmp_path, epochs=1, size=SIZE, rate=0.1, threads=1, resume=False, seed=1)
    assert VALUES.items() <= asked.items()
    assert asked["close_mosaic"] == detector.MOSAIC_OFF
