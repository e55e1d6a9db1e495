"""Changes of viewpoint and tiles that the reading benchmark makes: labels stay on their tiles."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from vision.detection.measure import Label

sys.path.insert(0, str(Path(__file__).parents[4] / "benchmarks/reading"))
from changed.viewpoints import BACK_COLOURS, blank_dragons, laid_back, mirrored, other_backs

BOXES = ((100.0, 120.0, 160.0, 200.0), (400.0, 300.0, 460.0, 380.0), (700.0, 400.0, 760.0, 480.0))


def table() -> np.ndarray:
    """A dark table (600, 900, 3) with a bright tile in each of `BOXES`."""
    pixels = np.full((600, 900, 3), 30, np.uint8)
    for x1, y1, x2, y2 in BOXES:
        pixels[int(y1) : int(y2), int(x1) : int(x2)] = 230
    return pixels


@pytest.mark.parametrize("degrees", [50, 60, 70])
@pytest.mark.parametrize("turn", [0, 25])
def test_labels_stay_on_tiles_laid_back(degrees: float, turn: float) -> None:
    pixels, labels = laid_back(degrees, turn)(table(), [Label("1m", box) for box in BOXES])
    bright = pixels.min(axis=2) > 150
    inside = np.zeros_like(bright)
    for label in labels:
        x1, y1, x2, y2 = (round(value) for value in label.box)
        inside[max(0, y1) : y2, max(0, x1) : x2] = True
        assert bright[max(0, y1) : y2, max(0, x1) : x2].mean() > 0.5
    assert (bright & ~inside).sum() < 0.06 * bright.sum()


def test_tiles_further_away_are_smaller_and_flatter() -> None:
    middle = [Label("1m", (420.0, y, 480.0, y + 80.0)) for y in (60.0, 250.0, 450.0)]
    _, labels = laid_back(60)(table(), middle)
    sizes = [(label.box[2] - label.box[0], label.box[3] - label.box[1]) for label in labels]
    assert sizes == sorted(sizes)
    assert [high / wide for wide, high in sizes] == sorted(high / wide for wide, high in sizes)


def test_a_mirrored_label_is_on_its_tile() -> None:
    pixels, labels = mirrored(table(), [Label("1m", box) for box in BOXES])
    for label in labels:
        x1, y1, x2, y2 = (round(value) for value in label.box)
        assert (pixels[y1:y2, x1:x2] == 230).all()


@pytest.mark.parametrize("colour", BACK_COLOURS)
def test_only_backs_change_their_colour(colour: str) -> None:
    labels = [Label("back", BOXES[0]), Label("1m", BOXES[1])]
    pixels, same = other_backs(colour)(table(), labels)
    assert same == labels
    changed = (pixels != table()).any(axis=2)
    assert changed[120:200, 100:160].all()
    assert changed.sum() == 60 * 80


def test_a_blank_dragon_has_no_frame_left() -> None:
    framed = table()
    framed[125:195, 105:107] = framed[125:195, 153:155] = 20
    framed[125:127, 105:155] = framed[193:195, 105:155] = 20
    pixels, _ = blank_dragons(framed, [Label("5z", BOXES[0])])
    assert (pixels[123:197, 103:157] == 230).all()
    assert (blank_dragons(framed, [Label("1m", BOXES[0])])[0] == framed).all()
