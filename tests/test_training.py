"""The parts of training that run without torch: turned labels, cut windows, windows without a tile."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.training.crops import _empty_windows, window
from vision.training.finder import turn_boxes

unit = st.floats(0, 1)


@given(st.lists(st.tuples(unit, unit, unit, unit), max_size=5), st.integers(0, 3))
def test_a_full_turn_brings_the_boxes_back(boxes: list[tuple[float, float, float, float]], quarter: int) -> None:
    back = turn_boxes(turn_boxes(boxes, quarter), 4 - quarter)
    assert np.allclose(np.array(back), np.array(boxes))


def test_boxes_turn_with_the_picture() -> None:
    from PIL import Image

    picture = np.zeros((40, 80), np.uint8)
    picture[5:15, 50:70] = 255  # box x 50-70, y 5-15
    turned = np.asarray(Image.fromarray(picture).rotate(90, expand=True))
    ((cx, cy, w, h),) = turn_boxes([(60 / 80, 10 / 40, 20 / 80, 10 / 40)], 1)
    height, width = turned.shape
    ys, xs = np.nonzero(turned)
    assert (xs.min(), xs.max() + 1) == pytest.approx(((cx - w / 2) * width, (cx + w / 2) * width))
    assert (ys.min(), ys.max() + 1) == pytest.approx(((cy - h / 2) * height, (cy + h / 2) * height))


def test_a_window_over_the_edge_repeats_the_edge() -> None:
    picture = np.full((30, 30, 3), 200, np.uint8)
    assert (window(picture, 0, 0, 40, 16) == 200).all()


def test_a_window_shows_its_middle() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[40:60, 40:60] = 255
    cut = window(picture, 50, 50, 40, 64)
    assert cut[32, 32].tolist() == [255, 255, 255]
    assert cut[2, 2].tolist() == [0, 0, 0]


def test_windows_without_a_tile_keep_off_the_tiles() -> None:
    boxes = np.array([[100.0, 100.0, 40.0, 60.0], [150.0, 100.0, 40.0, 60.0]])
    found = _empty_windows(boxes, 400, 300, random.Random(1), 20)
    assert found
    for cx, cy, _ in found:
        assert not any(abs(cx - x) < 0.36 * w and abs(cy - y) < 0.36 * h for x, y, w, h in boxes)
