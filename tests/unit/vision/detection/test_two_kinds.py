"""A name with a close alternative is marked, however sure the tile is; two networks name doubtful tiles."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detection.classifier import _named_by_both
from vision.detection.confidence import contended
from vision.detection.filtering import IN_QUESTION, believe
from vision.detection.types import SURE, Found
from vision.models.manifest import CLASSES, find_models
from vision.photo.image import Photo

SHARES = {
    "alone": ({"1m": 0.9, "none": 0.1}, False),
    "another far off": ({"1m": 0.8, "2m": 0.19}, False),
    "another near": ({"1m": 0.7, "2m": 0.2}, True),
    "likely no tile, but if it is one, this": ({"1m": 0.3, "none": 0.7}, False),
    "two, and likely no tile": ({"1m": 0.2, "2m": 0.1, "none": 0.7}, True),
    "which flower": ({"1f": 0.5, "2f": 0.5}, False),
    "flower or bird": ({"1f": 0.3, "2f": 0.3, "1s": 0.4}, True),
    "bird or flower": ({"1f": 0.15, "2f": 0.15, "1s": 0.7}, True),
    "nothing": ({"none": 1.0}, False),
}


def row_of(shares: dict[str, float]) -> np.ndarray:
    return np.array([shares.get(name, 0.0) for name in (*CLASSES, "none")])


@pytest.mark.parametrize("case", SHARES)
def test_another_kind_comes_near(case: str) -> None:
    shares, near = SHARES[case]
    assert contended(row_of(shares)[None]).tolist() == [near]
    assert contended(np.zeros((0, 44))).shape == (0,)


@pytest.mark.parametrize(("runner_up", "sure"), [(0.02, True), (0.38, False)])
def test_a_row_of_sure_tiles_does_not_make_the_name_of_one_sure(runner_up: float, sure: bool) -> None:
    """七萬 or 九萬 in the middle of a long row: the row confirms that it is a tile, not which one."""
    boxes = np.array([(60.0 * n + 5, 10.0, 60.0 * n + 63, 90.0) for n in range(13)])
    found = Found(boxes, np.full(13, 0.9), least=np.full(13, 0.9))
    rows = np.stack([row_of({"1p": 0.99})] * 13)
    rows[6] = row_of({"9m": 0.98 - runner_up, "7m": runner_up})
    said = believe(Photo(np.zeros((100, 800, 3), np.uint8), (800, 100)), found, rows, find_models().confidence)
    one = next(tile for tile in said if tile.tile == "9m")
    assert (one.confidence >= SURE) is sure
    assert sure or one.confidence == pytest.approx(IN_QUESTION, abs=1e-9)
    assert all(tile.confidence >= SURE for tile in said if tile is not one)


def test_both_networks_name_what_is_in_doubt_and_the_first_says_whether_it_is_a_tile() -> None:
    first = np.stack([row_of({"9m": 0.4, "7m": 0.35, "none": 0.25}), row_of({"1z": 0.5, "none": 0.5})])
    second = np.stack([row_of({"7m": 0.8, "9m": 0.2}), row_of({"1z": 0.01, "none": 0.99})])
    both = _named_by_both(first, second)
    np.testing.assert_allclose(both.sum(axis=1), 1.0)
    np.testing.assert_allclose(both[:, -1], first[:, -1])
    assert [CLASSES[place] for place in both[:, :-1].argmax(axis=1)] == ["7m", "1z"]
