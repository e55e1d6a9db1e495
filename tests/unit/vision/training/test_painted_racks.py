"""Racks painted on real photos are along the row, hide no tile, and list their characters."""

from __future__ import annotations

import random

import numpy as np
import pytest

from vision.training.synthetic.fonts import lettering_fonts
from vision.training.synthetic.surroundings.painted import paint_rack

ROW = [(100.0 + 32 * n, 150.0, 130.0 + 32 * n, 190.0) for n in range(8)]


@pytest.fixture(scope="module")
def photo() -> np.ndarray:
    return np.full((360, 640, 3), 120, np.uint8)


@pytest.mark.parametrize("seed", range(6))
def test_a_rack_lies_beside_its_row_and_hides_no_tile(photo: np.ndarray, seed: int) -> None:
    fonts = lettering_fonts()
    if not fonts:
        pytest.skip("no font with Chinese characters")
    painted = paint_rack(photo, ROW, random.Random(seed), fonts)
    assert painted is not None
    pixels, writing = painted
    assert (photo == 120).all()
    assert (pixels[155:185, 100:354] == 120).mean() > 0.95
    assert (pixels != 120).any()
    assert 1 <= len(writing) <= 14
    for x1, y1, x2, y2 in writing:
        assert 40 < (x1 + x2) / 2 < 420
        assert 10 < abs((y1 + y2) / 2 - 170) < 90


@pytest.mark.parametrize(
    "tiles",
    [
        pytest.param([], id="nothing"),
        pytest.param(ROW[:3], id="a short row"),
        pytest.param([(32.0 * n, 0.0, 32.0 * n + 30, 360.0) for n in range(5)], id="no room"),
    ],
)
def test_without_a_row_or_room_there_is_none(photo: np.ndarray, tiles: list[tuple[float, float, float, float]]) -> None:
    assert paint_rack(photo, tiles, random.Random(7), [("unused", 0)]) is None  # type: ignore[list-item]
