"""認識這副牌: reading order of rows for any camera position, and an honest number of tiles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.detection.types import Found
from vision.models.manifest import CLASSES
from vision.photo.image import Photo
from vision.tileset.enrolment import Enrolment, choose, reading_order, seen_whole, tiles_among
from vision.tileset.values import CROP, TileSetError


def laid(
    counts: list[int], degrees: float = 0.0, far: float = 0.0, starts: tuple[float, ...] = (), gap: float = 1.03
) -> NDArray[np.float64]:
    """Boxes of tiles 60 by 80 in rows of ``counts``, in reading order, leaning, and smaller by ``far`` at the top."""
    boxes = []
    for row, count in enumerate(counts):
        start = starts[row] if row < len(starts) else 0.0
        boxes += [(start + at * 60 * gap, row * 85.0) for at in range(count)]
    points = np.array(boxes) + np.array((30, 40))
    angle = math.radians(degrees)
    turned = points @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    low, high = turned[:, 1].min(), turned[:, 1].max()
    scale = 1 - far * (high - turned[:, 1]) / max(high - low, 1.0)
    turned[:, 0] = (turned[:, 0] - turned[:, 0].mean()) * scale
    half = np.column_stack([30 * scale, 40 * scale])
    return np.concatenate([turned - half, turned + half], axis=1) + 2000


@settings(max_examples=40, deadline=None)
@given(
    counts=st.lists(st.integers(3, 9), min_size=1, max_size=4),
    degrees=st.floats(-12, 12),
    far=st.floats(0, 0.3),
    gap=st.floats(1.0, 1.25),
)
def test_rows_are_read_from_the_top_and_from_the_left(
    counts: list[int], degrees: float, far: float, gap: float
) -> None:
    boxes = laid(counts, degrees, far, gap=gap)
    shuffled = np.random.default_rng(len(boxes)).permutation(len(boxes))
    order = reading_order(boxes[shuffled])
    assert shuffled[order].tolist() == list(range(len(boxes)))


@pytest.mark.parametrize(
    "boxes",
    [
        pytest.param(laid([8]), id="one row"),
        pytest.param(laid([4, 4], starts=(0.0, 31.0)), id="second row half a tile to the right"),
        pytest.param(laid([8, 2], degrees=-8), id="a short second row"),
        pytest.param(np.delete(laid([9]), 4, axis=0), id="a gap of a tile"),
        pytest.param(np.delete(laid([9, 9], degrees=6), [3, 4, 12], axis=0), id="gaps in both rows"),
        pytest.param(laid([1]), id="one tile"),
        pytest.param(laid([1, 1, 1]), id="a column"),
    ],
)
def test_rows_with_gaps_and_of_different_lengths(boxes: NDArray[np.float64]) -> None:
    backwards = boxes[::-1]
    assert (len(boxes) - 1 - reading_order(backwards)).tolist() == list(range(len(boxes)))


def test_nothing_found_is_no_rows() -> None:
    assert reading_order(np.zeros((0, 4))).tolist() == []
    assert choose(np.zeros((0, 4)), np.zeros(0)).tolist() == []


@pytest.mark.parametrize(
    ("certainty", "expected", "found"),
    [
        pytest.param([0.9] * 8, 8, 8, id="all certain"),
        pytest.param([0.9] * 8, 7, 8, id="one more than named stays one more"),
        pytest.param([0.8] * 7 + [0.6], 7, 7, id="one more, clearly less certain than all the others, is none"),
        pytest.param([0.8] * 6 + [0.7, 0.6], 7, 8, id="one more, about as certain as another, stays"),
        pytest.param([0.9] * 7 + [0.3], 8, 8, id="a doubtful one in line is the one named"),
        pytest.param([0.9] * 7 + [0.3], 7, 7, id="a doubtful one nobody named is none"),
        pytest.param([0.9] * 7 + [0.1], 8, 8, id="as few as the caller lets in"),
        pytest.param([0.9] * 7 + [0.45], None, 8, id="likely enough without a number"),
        pytest.param([0.9] * 7 + [0.25], None, 7, id="not likely enough without a number"),
    ],
)
def test_the_number_named_decides_about_doubtful_boxes_only(
    certainty: list[float], expected: int | None, found: int
) -> None:
    assert len(choose(laid([8]), np.array(certainty), expected)) == found


def test_a_thing_elsewhere_is_no_tile_and_another_size_neither() -> None:
    boxes = np.concatenate([laid([8]), [[5000.0, 100, 5060, 180]], [[2000.0, 1700, 2300, 2090]]])
    assert choose(boxes, np.array([0.9] * 8 + [0.8, 0.8]), 8).tolist() == list(range(8))


def test_two_groups_of_tiles_are_counted_together() -> None:
    boxes = np.concatenate([laid([5]), laid([3]) + np.array((0, 2000, 0, 2000))])
    assert len(choose(boxes, np.full(8, 0.9), 8)) == 8


def test_another_number_than_named_is_refused_with_both() -> None:
    enrolment = Enrolment(((0, 0, 1, 1),) * 7, (np.zeros((CROP, CROP, 3), np.uint8),) * 7)
    with pytest.raises(TileSetError) as refused:
        enrolment.named(["1f"] * 8)
    assert (refused.value.args_["found"], refused.value.args_["named"]) == (7, 8)
    assert "7" in refused.value.message("zh")
    assert "8" in refused.value.message("en")


def test_squares_of_a_mat_that_look_face_down_are_not_shown() -> None:
    """Read as backs by the classifier, found as surely as the tiles."""
    boxes = laid([8, 8])
    read = np.full((16, 44), 0.0)
    read[:8, CLASSES.index("1f")], read[8:, CLASSES.index("back")] = 1.0, 1.0
    networks = type("Networks", (), {"read": lambda self, pixels, boxes: read})()
    shown = Photo(np.zeros((900, 1200, 3), np.uint8), (1200, 900))
    kept, _ = tiles_among(Found(boxes, np.linspace(0.9, 0.89, 16)), shown, networks)
    assert kept.tolist() == boxes[:8].tolist()


def test_part_of_a_tile_is_no_reference() -> None:
    boxes = laid([8, 8])
    boxes -= np.tile(boxes[:, :2].min(axis=0) - 10, 2)
    width, height = round(float(boxes[:, 2].max())) + 20, round(float(boxes[:, 3].max())) + 20
    boxes[3, 3] -= 35  # something covers it
    boxes[8, 0] = 0.0
    assert np.flatnonzero(~seen_whole(boxes, (height, width))).tolist() == [3, 8]
    crops = (np.zeros((CROP, CROP, 3), np.uint8),) * 3
    cut = Enrolment(((0, 0, 1, 1),) * 3, crops, (True, False, True))
    assert [one.tile for one in cut.named(["1m", "2m", ""])] == ["1m"]


FLOWERS = [f"{n}f" for n in range(1, 9)]


@pytest.mark.parametrize(
    ("named", "read", "against", "another_order"),
    [
        pytest.param(["1s", "2s", "3s"], [("1s", 0.9), ("2s", 0.9), ("3s", 0.9)], [], False, id="as they are read"),
        pytest.param(["1s", "2s", "3s"], [("1s", 0.9), ("3s", 0.9), ("2s", 0.7)], [1], False, id="one slip"),
        pytest.param(
            ["9s", "8s", "7s", "6s"], [(f"{n}s", 0.9) for n in (1, 2, 3, 6)], [0, 1, 2], True, id="from the wrong end"
        ),
        pytest.param(["1s", "", "1f"], [("1f", 0.9), ("5m", 0.99), ("1s", 0.9)], [0, 2], False, id="one left unnamed"),
        pytest.param(
            FLOWERS, [(f"{n}f", 0.95) for n in range(8, 0, -1)], list(range(8)), True, id="flowers from the end"
        ),
        pytest.param(FLOWERS, [("4f", 0.95)] * 8, [], False, id="flowers of art that nobody knows"),
        pytest.param(FLOWERS, [(f"{n}f", 0.95) for n in (1, 2, 3, 5, 4, 6, 7, 8)], [], False, id="two flowers changed"),
    ],
)
def test_names_that_contradict_what_is_surely_read(
    named: list[str], read: list[tuple[str, float]], against: list[int], another_order: bool
) -> None:
    crops = (np.zeros((CROP, CROP, 3), np.uint8),) * len(named)
    enrolment = Enrolment(((0, 0, 1, 1),) * len(named), crops, (), tuple(read))
    assert enrolment.contradicted(named) == tuple(against)
    assert enrolment.in_another_order(named) is another_order
