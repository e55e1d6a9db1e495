"""The confidence of a flower's name from two networks, and among other flowers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.detection.classifier import OWN_WORD, _heard
from vision.detection.filtering import BY_OTHERS, TWICE, _told_apart, believe, each_once
from vision.detection.types import SURE, Detection, Found
from vision.models.manifest import CLASSES, Confidence
from vision.photo.image import Photo

SHARES = arrays(np.float64, (3, 8), elements=st.floats(0.001, 1.0))
FIRST = CLASSES.index("1f")
PHOTO = Photo(np.zeros((100, 600, 3), np.uint8), (600, 100))


def of(sure: float, name: int, other: int) -> list[float]:
    """Probabilities with this share for one flower, and the rest for another."""
    row = [0.0] * 8
    row[name] += sure
    row[other] += 1 - sure
    return row


@pytest.mark.parametrize(
    ("flowers", "classifier", "sure"),
    [
        pytest.param(of(0.98, 4, 0), of(0.9, 4, 0), True, id="both-are-sure"),
        pytest.param(of(0.98, 4, 0), of(0.6, 4, 6), True, id="one-hesitates"),
        pytest.param(of(0.92, 4, 0), of(0.4, 4, 6), False, id="hardly-found-by-one"),
        pytest.param(of(0.98, 4, 0), of(0.9, 6, 4), False, id="two-names"),
    ],
)
def test_a_name_is_sure_where_both_looks_find_it(flowers: list[float], classifier: list[float], sure: bool) -> None:
    (heard,) = _heard(np.array([flowers]), np.array([classifier]))
    assert heard.argmax() == 4
    assert bool(heard.max() >= SURE) is sure


@given(SHARES, SHARES)
def test_the_name_stays_and_the_shares_are_whole(flowers: np.ndarray, classifier: np.ndarray) -> None:
    names = flowers / flowers.sum(axis=1, keepdims=True)
    heard = _heard(names, classifier)
    assert (heard[np.arange(3), names.argmax(axis=1)] == heard.max(axis=1)).all()
    assert heard.sum(axis=1) == pytest.approx(1.0)
    assert (heard.max(axis=1) >= names.max(axis=1) * OWN_WORD / (OWN_WORD + 1) - 1e-9).all()


@given(SHARES)
def test_every_way_to_name_flowers_is_weighed(shares: np.ndarray) -> None:
    names = shares / shares.sum(axis=1, keepdims=True)
    names = np.where(names < 0.01, 0, names)  # drop improbable names
    weighed = np.zeros((3, 8))
    for way in itertools.product(range(8), repeat=3):
        weight = np.prod(names[range(3), way]) * TWICE ** (3 - len(set(way)))
        weighed[range(3), way] += weight
    assert each_once(names) == pytest.approx(weighed / weighed.sum(axis=1, keepdims=True))


def test_many_flowers_are_named_too() -> None:
    """Flowers of a shop's page: no set has as many, and the weights of all assignments would be too small."""
    assert each_once(np.full((600, 8), 1 / 8)) == pytest.approx(1 / 8)
    alike = each_once(np.array([of(1.0, 2, 3)] * 600))
    assert alike[:, 2] == pytest.approx(1.0)


@given(SHARES)
def test_a_flower_is_named_by_all_and_no_surer_than_by_itself(shares: np.ndarray) -> None:
    names = shares / shares.sum(axis=1, keepdims=True)
    together, told = each_once(names), _told_apart(names)
    best = together.argmax(axis=1)
    rows = np.arange(len(names))
    assert told.sum(axis=1) == pytest.approx(1.0)
    assert told[rows, best] == pytest.approx(told.max(axis=1))
    alone = np.where(best == names.argmax(axis=1), names[rows, best], BY_OTHERS)
    assert (told.max(axis=1) <= np.maximum(alone, 0.5) + 1e-9).all()


def believed(*looks: list[float], by_set: tuple[bool, ...] | None = None) -> list[Detection]:
    """Flowers side by side with these looks, from left to right; then another tile at the end of the photo."""
    boxes = [(30.0 * place, 0.0, 30.0 * place + 28, 40.0) for place in range(len(looks))]
    rows = np.zeros((len(looks) + 1, len(CLASSES) + 1))
    rows[:-1, FIRST : FIRST + 8] = looks
    rows[-1, 0] = 1.0
    found = Found(np.array([*boxes, (500.0, 0.0, 528.0, 40.0)]), np.full(len(rows), 0.9), None, np.full(len(rows), 0.9))
    decided = None if by_set is None else np.array([*by_set, False])
    tiles = believe(PHOTO, found, rows, Confidence({}, 6.0, 0.4), by_set=decided)
    assert [tile.tile for tile in tiles if tile.box[0] == 500] == ["1m"]
    return sorted((tile for tile in tiles if tile.box[0] < 500), key=lambda tile: tile.box[0])


@pytest.mark.parametrize(
    ("looks", "names", "sure"),
    [
        pytest.param([of(0.9, 6, 7)], ["7f"], [True], id="one-alone"),
        pytest.param([of(0.9, 6, 7), of(0.9, 2, 3)], ["7f", "3f"], [True, True], id="two-names"),
        pytest.param([of(0.98, 6, 7), of(0.6, 6, 7)], ["7f", "8f"], [True, False], id="the-other-is-taken"),
        pytest.param([of(0.6, 6, 7), of(0.98, 6, 7)], ["8f", "7f"], [False, True], id="wherever-it-lies"),
        pytest.param([of(0.7, 6, 7), of(0.98, 7, 6)], ["7f", "8f"], [False, True], id="never-surer-than-by-itself"),
        pytest.param([of(0.9, 6, 7), of(0.9, 6, 7)], ["7f", "7f"], [False, False], id="as-like-as-each-other"),
        pytest.param([of(1.0, 6, 7), of(1.0, 6, 7)], ["7f", "7f"], [True, True], id="two-sets-on-one-table"),
    ],
)
def test_a_set_has_each_flower_once(looks: list[list[float]], names: list[str], sure: list[bool]) -> None:
    flowers = believed(*looks)
    assert [flower.tile for flower in flowers] == names
    assert [flower.confidence >= SURE for flower in flowers] == sure
    assert all(flower.confidence + sum(share for _, share in flower.others) <= 1.0001 for flower in flowers)


def test_what_a_tile_set_decided_stays_and_tells_the_others() -> None:
    own, other = believed(of(0.6, 6, 7), of(0.7, 6, 7), by_set=(True, False))
    assert (own.tile, own.by, own.confidence) == ("7f", "set", pytest.approx(0.6, abs=0.01))
    own, other = believed(of(0.95, 6, 7), of(0.6, 6, 7), by_set=(True, False))
    assert (own.tile, own.by, own.confidence) == ("7f", "set", pytest.approx(0.95, abs=0.01))
    assert (other.tile, other.by, other.confidence < SURE) == ("8f", "", True)
