"""A name on another ground than all tiles of the photo may be lettering."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.detection.ground import strange
from vision.detection.types import Detection
from vision.pixels.values import Picture

WHITE, IVORY, WOOD, INK = (236, 236, 230), (232, 226, 208), (150, 110, 70), (30, 40, 60)
Colour = tuple[int, int, int]


def table(row: int, others: list[Colour], light: float = 1.0, slope: float = 0.0) -> tuple[Picture, list[Detection]]:
    """A row of tiles, and below it characters on grounds of these colours; `slope`: the increase of red from left to
    right."""
    pixels = np.full((300, 1000, 3), (20, 80, 60), np.uint8)
    seen = []
    for at, colour in enumerate([WHITE] * row + others):
        x, y = (20 + 60 * at, 40) if at < row else (20 + 60 * (at - row), 140)
        pixels[y : y + 76, x : x + 56] = colour
        pixels[y + 20 : y + 50, x + 20 : x + 36] = INK
        seen.append(Detection("1z", (x, y, x + 56, y + 76), 0.97))
    red = 1 + slope * np.linspace(0, 1, 1000)[None, :, None] * np.array([1.0, 0.0, -0.5])
    return (pixels * light * red).clip(0, 255).astype(np.uint8), seen


@pytest.mark.parametrize(
    ("row", "others", "light", "slope", "found"),
    [
        pytest.param(14, [WOOD], 1.0, 0.0, {14}, id="a-character-on-wood"),
        pytest.param(14, [WOOD], 0.25, 0.0, {14}, id="in-the-dark"),
        pytest.param(14, [WHITE, IVORY], 1.0, 0.0, set(), id="tiles"),
        pytest.param(14, [(120, 120, 117)], 1.0, 0.0, set(), id="a-tile-in-the-shade"),
        pytest.param(14, [WHITE], 0.8, 0.25, set(), id="a-lamp-that-colours-one-end"),
        pytest.param(4, [WOOD], 1.0, 0.0, set(), id="too-few-tiles-to-tell"),
        pytest.param(8, [(236, 210, 120)] * 5, 1.0, 0.0, set(), id="two-sets"),
    ],
)
def test_what_stands_on_another_ground(
    row: int, others: list[Colour], light: float, slope: float, found: set[int]
) -> None:
    pixels, seen = table(row, others, light, slope)
    assert strange(pixels, seen, (1.0, 1.0)) == found


def test_backs_the_tables_own_set_and_what_was_not_read_are_left_alone() -> None:
    pixels, seen = table(14, [WOOD, WOOD, WOOD])
    seen[14], seen[15] = replace(seen[14], tile="back"), replace(seen[15], by="set")
    seen[16] = replace(seen[16], unread=True)
    assert strange(pixels, seen, (1.0, 1.0)) == frozenset()


def test_boxes_are_of_the_full_photo_and_may_reach_beyond_it() -> None:
    pixels, seen = table(14, [WOOD])
    large = [replace(one, box=tuple(2 * value for value in one.box)) for one in seen]
    assert strange(pixels, large, (2.0, 2.0)) == {14}
    outside = [*large, Detection("1z", (2100, 0, 2200, 100), 0.9), Detection("1z", (-30, 80, 60, 200), 0.9)]
    assert 14 in strange(pixels, outside, (2.0, 2.0))
