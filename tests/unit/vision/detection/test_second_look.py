"""再看一次: only photos that need it, only around the tiles, and no found tile is lost."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection.second_look import look_again
from vision.detection.types import Found

WIDTH, HEIGHT = 1600, 1200


def row(count: int, x: float, y: float, size: float, score: float = 0.9) -> Found:
    """``count`` tiles side by side."""
    boxes = [(x + at * size, y, x + (at + 1) * size, y + size * 1.3) for at in range(count)]
    return Found(np.array(boxes, dtype=np.float64).reshape(-1, 4), np.full(count, score))


def joined(*parts: Found) -> Found:
    return Found(np.concatenate([part.boxes for part in parts]), np.concatenate([part.scores for part in parts]))


class Table:
    """A detector that sees the tiles of a table of which each is at least ``least`` of the picture's longer side."""

    def __init__(self, truth: Found, least: float) -> None:
        self.truth, self.least = truth, least
        self.looks: list[tuple[int, int]] = []

    def find(self, pixels: NDArray[np.uint8]) -> Found:
        height, width = pixels.shape[:2]
        self.looks.append((width, height))
        across, down, rest = (int(value) for value in pixels[0, 0])
        x, y = across * 16 + rest // 16, down * 16 + rest % 16
        boxes = self.truth.boxes - (x, y, x, y)
        size = boxes[:, 2] - boxes[:, 0]
        seen = (boxes.min(axis=1) >= 0) & (boxes[:, 2] <= width) & (boxes[:, 3] <= height)
        seen &= size >= self.least * max(width, height)
        return Found(boxes[seen], self.truth.scores[seen])


@pytest.fixture
def pixels() -> NDArray[np.uint8]:
    """A picture whose pixels encode their position."""
    x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    return np.stack([x // 16, y // 16, x % 16 * 16 + y % 16], axis=2).astype(np.uint8)


def look(truth: Found, least: float, pixels: NDArray[np.uint8]) -> tuple[Found, Table]:
    table = Table(truth, least)
    return look_again(table, pixels, table.find(pixels)), table


def test_tiles_of_a_good_size_are_looked_at_once(pixels: NDArray[np.uint8]) -> None:
    found, table = look(row(16, 100, 600, 80), 0.01, pixels)
    assert len(found) == 16
    assert table.looks == [(WIDTH, HEIGHT)]


def test_small_tiles_are_looked_at_again_where_they_are(pixels: NDArray[np.uint8]) -> None:
    clear, faint = row(10, 600, 600, 30), row(4, 900, 600, 27)
    found, table = look(joined(clear, faint), 0.018, pixels)
    assert len(found) == 14
    assert len(table.looks) == 2
    assert max(table.looks[1]) < WIDTH / 2


def test_where_nothing_was_found_the_photo_is_searched_in_parts(pixels: NDArray[np.uint8]) -> None:
    found, table = look(row(10, 100, 200, 26), 0.02, pixels)
    assert len(found) == 10
    assert len(table.looks) == 6  # once, four parts, and the region of the tiles


def test_a_small_picture_without_tiles_is_left_alone() -> None:
    table = Table(row(0, 0, 0, 1), 0.01)
    frame = np.zeros((720, 960, 3), np.uint8)
    assert len(look_again(table, frame, table.find(frame))) == 0
    assert len(table.looks) == 1


def test_far_racks_are_not_what_is_looked_at(pixels: NDArray[np.uint8]) -> None:
    hand, rack = row(12, 500, 800, 40), row(14, 200, 60, 16)
    found, table = look(joined(hand, rack), 0.005, pixels)
    width, height = table.looks[1]
    assert height < 500
    assert width < 900
    assert len(found) == 26  # the racks are still seen: the layout leaves them out of the hand


class Worse:
    """A detector that sees nothing from near."""

    def find(self, pixels: NDArray[np.uint8]) -> Found:
        return row(0, 0, 0, 1)


def test_nothing_is_lost_by_a_second_look(pixels: NDArray[np.uint8]) -> None:
    first = row(12, 500, 800, 40)
    assert len(look_again(Worse(), pixels, first)) == 12
