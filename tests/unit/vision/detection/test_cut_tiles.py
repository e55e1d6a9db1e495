"""Tiles that the photo's edge cuts are named by the weights for photos that are not sharp, which were taught such."""

from __future__ import annotations

import dataclasses
import itertools
from pathlib import Path

import numpy as np
import pytest

from vision.detection.classifier import OnnxClassifier
from vision.geometry import at_edge
from vision.models.manifest import CLASSES, find_models
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader

HANDS = sorted((Path(__file__).parents[4] / "datasets/rendered/images/val").glob("*.jpg"))
HIDDEN = (0.2, 0.4)
"""Shares of a tile that the new edge hides."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def one() -> OnnxClassifier:
    """The classifier without the weights for photos that are not sharp."""
    return OnnxClassifier(dataclasses.replace(find_models().classifier, unsharp=None))


def cut(
    photo: Photo, boxes: np.ndarray, place: int, hidden: float, last: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The picture up to an edge that hides this share of the box at ``place``, on its left or (``last``) right; the
    visible parts (n, 4) of the boxes with at least half left; and their indices."""
    x1, x2 = boxes[place, 0], boxes[place, 2]
    edge = round(x2 - hidden * (x2 - x1) if last else x1 + hidden * (x2 - x1))
    seen = (0, edge) if last else (edge, photo.pixels.shape[1])
    left = boxes.copy()
    left[:, ::2] = boxes[:, ::2].clip(*seen)
    kept = np.flatnonzero(left[:, 2] - left[:, 0] > 0.5 * (boxes[:, 2] - boxes[:, 0]))
    pixels = np.ascontiguousarray(photo.pixels[:, seen[0] : seen[1]])
    return pixels, left[kept] - (seen[0], 0, seen[0], 0), kept


@pytest.mark.parametrize(
    ("box", "cut_by_it"),
    [
        ((0, 20, 30, 60), True),
        ((1.9, 20, 30, 60), True),
        ((2, 20, 30, 60), False),
        ((30, 0, 60, 40), True),
        ((30, 2, 60, 40), False),
        ((170, 20, 198.5, 60), True),
        ((170, 20, 198, 60), False),
        ((30, 60, 60, 99), True),
        ((30, 60, 60, 98), False),
    ],
)
def test_boxes_at_the_edge(box: tuple[float, ...], cut_by_it: bool) -> None:
    assert at_edge(np.array([box]), 100, 200).tolist() == [cut_by_it]
    assert at_edge(np.zeros((0, 4)), 100, 200).shape == (0,)


def test_tiles_that_the_edge_cuts_are_named_so_and_better(reader: Reader, one: OnnxClassifier) -> None:
    both = reader.classifier
    assert isinstance(both, OnnxClassifier)
    right, count = {"both": 0, "one": 0}, 0
    for number, hand in enumerate(HANDS):
        photo = load_photo(hand)
        tiles = [tile for tile in reader.detect(photo) if not tile.unread]
        boxes = np.array([tile.box for tile in tiles]) / np.array(photo.scale * 2)
        for hidden, last in itertools.product(HIDDEN, (False, True)):
            pixels, left, kept = cut(photo, boxes, (number + last) % len(boxes), hidden, last)
            said, alone, soft = (classifier.read(pixels, left) for classifier in (both, one, both.unsharp))
            edge = at_edge(left, *pixels.shape[:2])
            assert edge.any()
            np.testing.assert_allclose(said[edge], soft[edge], atol=1e-4)
            codes = np.array([CLASSES.index(tiles[place].tile) for place in kept])[edge]
            count += len(codes)
            right["both"] += int((said[edge].argmax(axis=1) == codes).sum())
            right["one"] += int((alone[edge].argmax(axis=1) == codes).sum())
    assert right["both"] >= right["one"] + 5, (right, count)


def test_a_whole_tile_is_named_as_ever(reader: Reader, one: OnnxClassifier) -> None:
    both = reader.classifier
    assert isinstance(both, OnnxClassifier)
    photo = load_photo(HANDS[0])
    tiles = [tile for tile in reader.detect(photo) if not tile.unread]
    boxes = np.array([tile.box for tile in tiles]) / np.array(photo.scale * 2)
    assert not at_edge(boxes, *photo.pixels.shape[:2]).any()
    np.testing.assert_allclose(both.read(photo.pixels, boxes), one.read(photo.pixels, boxes), atol=1e-4)
