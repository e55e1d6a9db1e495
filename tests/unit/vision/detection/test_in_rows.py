"""補缺: a weak box counts only if it fills a hole of a row."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detection.detector import in_rows
from vision.detection.types import Found

ROW = [(100 + 40 * at, 100, 140 + 40 * at, 154) for at in (0, 1, 3, 4)]
GAP = (180, 101, 219, 155)
CASES = {
    "fills-the-gap": (GAP, 0.05, True),
    "at-the-end-of-the-row": ((300, 100, 340, 154), 0.09, False),
    "above-the-row": ((180, 40, 220, 94), 0.09, False),
    "larger-than-the-row": ((165, 80, 235, 175), 0.09, False),
    "half-on-a-neighbour": ((160, 100, 200, 154), 0.09, False),
    "alone": ((600, 400, 640, 454), 0.09, False),
}


@pytest.mark.parametrize(("box", "score", "kept"), CASES.values(), ids=CASES)
def test_a_weak_box(box: tuple[float, ...], score: float, kept: bool) -> None:
    found = Found(np.array([*ROW, box], np.float64), np.array([0.9, 0.8, 0.7, 0.6, score]))
    assert (len(in_rows(found, 0.1)) == 5) is kept


def test_weak_boxes_do_not_hold_each_other_up() -> None:
    found = Found(np.array([*ROW, GAP], np.float64), np.array([0.05] * 5))
    assert not len(in_rows(found, 0.1))


def test_nothing_found_and_nothing_weak() -> None:
    nothing = Found(np.zeros((0, 4)), np.zeros(0))
    assert in_rows(nothing, 0.1) is nothing
    found = Found(np.array(ROW, np.float64), np.full(4, 0.5))
    assert in_rows(found, 0.1) is found
