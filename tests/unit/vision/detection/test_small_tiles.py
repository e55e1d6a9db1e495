"""Small tiles in doubt are named by the weights for photos that are not sharp, all others as ever."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detection.classifier import DOUBTFUL, FLOWERS, SMALL, OnnxClassifier
from vision.detection.types import Detection
from vision.models.manifest import CLASSES, find_models
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader

HANDS = sorted((Path(__file__).parents[4] / "datasets/rendered/images/val").glob("*.jpg"))[::-2]
"""Every other one, the last first: half is enough to tell, and takes half as long."""
TINY = 10
"""Pixels of tiles that are hard to read."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def both(reader: Reader) -> OnnxClassifier:
    assert isinstance(reader.classifier, OnnxClassifier)
    return reader.classifier


@pytest.fixture(scope="module")
def one() -> OnnxClassifier:
    """The classifier without the weights for photos that are not sharp."""
    return OnnxClassifier(dataclasses.replace(find_models().classifier, unsharp=None))


def sure_of_kind(probabilities: np.ndarray) -> np.ndarray:
    """The highest probability of each tile, that of all flowers together counted as one."""
    flowers = probabilities[:, FLOWERS].sum(axis=1)
    return np.maximum(flowers, np.delete(probabilities, np.r_[FLOWERS], axis=1).max(axis=1))


def far(photo: Photo, tiles: Sequence[Detection], length: float) -> tuple[np.ndarray, np.ndarray]:
    """The picture reduced until half of its tiles have at most this length in pixels, and their boxes in it."""
    boxes = np.array([tile.box for tile in tiles]) / np.array(photo.scale * 2)
    share = length / np.median((boxes[:, 2:] - boxes[:, :2]).max(axis=1))
    pixels = cv2.resize(photo.pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(pixels, np.uint8), boxes * share


@pytest.mark.parametrize("length", [10, 14, SMALL])
def test_only_small_tiles_in_doubt_are_named_otherwise(
    reader: Reader, both: OnnxClassifier, one: OnnxClassifier, length: float
) -> None:
    photo = load_photo(HANDS[2])
    pixels, boxes = far(photo, reader.detect(photo), length)
    pixels = cv2.GaussianBlur(pixels, (0, 0), 3) if length == SMALL else pixels
    small = (boxes[:, 2:] - boxes[:, :2]).max(axis=1) < SMALL
    said, alone, soft = (classifier.read(pixels, boxes) for classifier in (both, one, both.unsharp))
    doubted = sure_of_kind(alone) < DOUBTFUL
    others = small & doubted
    assert 0 < others.sum() < len(others)
    np.testing.assert_allclose(said[others], soft[others], atol=1e-4)
    np.testing.assert_allclose(said[~doubted], alone[~doubted], atol=1e-4)
    large = doubted & ~small  # named by both; the classifier decides whether it is a tile
    np.testing.assert_allclose(said[large, -1], alone[large, -1], atol=1e-4)
    assert both.read(pixels, boxes[:0]).shape == (0, 44)


def test_without_such_weights_all_are_named_alike(one: OnnxClassifier) -> None:
    assert one.unsharp is one


def test_tiny_tiles_are_named_better(reader: Reader, both: OnnxClassifier, one: OnnxClassifier) -> None:
    right = {"both": 0, "one": 0}
    for hand in HANDS:
        photo = load_photo(hand)
        tiles = [tile for tile in reader.detect(photo) if not tile.unread]
        pixels, boxes = far(photo, tiles, TINY)
        codes = [CLASSES.index(tile.tile) for tile in tiles]
        for name, classifier in (("both", both), ("one", one)):
            right[name] += int((classifier.read(pixels, boxes).argmax(axis=1) == codes).sum())
    assert right["both"] >= right["one"] + 5, right


def test_far_tiles_are_read(reader: Reader) -> None:
    """The whole way: the hand in a photo so small that its tiles are 16 pixels long."""
    photo = load_photo(HANDS[0])
    seen = reader.detect(photo)
    near = [tile.tile for tile in seen if not tile.unread]
    pixels, _ = far(photo, seen, 16)
    again = reader.detect(Photo(pixels, (pixels.shape[1], pixels.shape[0])))
    assert sorted(tile.tile for tile in again if not tile.unread) == sorted(near)
