"""Weak boxes that continue a row of tiles, or fill a hole in one."""

from __future__ import annotations

import numpy as np
import pytest

from vision.alignment import in_rows


def box(x: float, y: float = 0.0, wide: float = 38.0, high: float = 50.0) -> list[float]:
    return [x, y, x + wide, y + high]


ROW = [box(0), box(40), box(80), box(120)]


@pytest.mark.parametrize(
    ("weak", "continues"),
    [
        ([box(160)], [4]),
        ([box(-40)], [4]),
        ([box(160), box(200)], [4, 5]),  # one after the other
        ([box(200)], []),  # two steps away
        ([box(160, 40)], []),  # in another direction
        ([box(160, 0, 60, 80)], []),  # larger
        ([box(100)], []),  # half in a tile
        ([box(40, 54)], []),  # below the row, beside nothing
    ],
)
def test_the_end_of_a_row_is_one_even_step_away(weak: list[list[float]], continues: list[int]) -> None:
    boxes = np.array(ROW + weak)
    assert in_rows(boxes, range(4), range(4, len(boxes))) == continues


def test_a_hole_between_two_tiles_is_filled() -> None:
    boxes = np.array([box(0), box(80), box(40), box(40, 200)])
    assert in_rows(boxes, (0, 1), (2, 3)) == [2]


def test_a_pair_has_neighbours_on_both_sides() -> None:
    boxes = np.array([box(40), box(80), box(0), box(120)])
    assert in_rows(boxes, (0, 1), (2, 3)) == [2, 3]
    assert not in_rows(boxes[[0, 2]], (0,), (1,)), "one tile alone has no direction"
