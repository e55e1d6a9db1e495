"""比對: decisions of a set, and its silence; with empty networks, so that pixels must decide."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.tiles import CODES
from vision.models.manifest import CLASSES, NONE
from vision.tileset.matcher import Matcher
from vision.tileset.values import CROP, Reference, TileSet

FLOWERS = CODES[34:42]
SIDE = 110


class Blank:
    """Networks that say anything of a crop: nothing they say of two crops is alike."""

    def describe(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
        return [np.random.default_rng(int(crops.sum())).standard_normal((4, len(crops), 44))]


class Eyes:
    """Networks that know no tile but say the same of the same picture."""

    def describe(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
        mix = np.random.default_rng(0).standard_normal((64, 44))
        small = [
            [cv2.resize(np.rot90(crop, quarter).mean(axis=2), (8, 8)).ravel() for crop in crops] for quarter in range(4)
        ]
        return [(np.array(small) - 200) @ mix]


def drawing(seed: int) -> NDArray[np.uint8]:
    """A tile (CROP, CROP, 3) with a picture of its own."""
    rng = np.random.default_rng(seed)
    picture = np.full((CROP, CROP, 3), 235, np.uint8)
    for _ in range(14):
        x, y = (int(value) for value in rng.integers(34, CROP - 34, 2))
        colour = tuple(int(value) for value in rng.integers(0, 180, 3))
        cv2.circle(picture, (x, y), int(rng.integers(3, 10)), colour, -1)
    return picture


def photo(crops: list[NDArray[np.uint8]]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The tiles side by side, darker and a little blurred, and the boxes whose crops they are."""
    flat = np.concatenate(crops, axis=1)
    pixels = cv2.GaussianBlur((flat * 0.8).astype(np.uint8), (0, 0), 0.6)
    margin = CROP * 0.08 / 1.16
    boxes = [(at * CROP + margin, margin, (at + 1) * CROP - margin, CROP - margin) for at in range(len(crops))]
    return pixels.astype(np.uint8), np.array(boxes)


def said(name: str, share: float, count: int = 1) -> NDArray[np.float64]:
    """Rows (count, 44) in which ``name`` has ``share`` and all others the rest."""
    rows = np.full((count, 44), (1 - share) / 43)
    rows[:, (*CLASSES, NONE).index(name)] = share
    return rows


MATCHER = Matcher(TileSet("A", tuple(Reference(code, drawing(at)) for at, code in enumerate(FLOWERS))), Blank())


@pytest.mark.parametrize("quarter", range(4))
def test_every_flower_is_told_whatever_the_networks_call_it(quarter: int) -> None:
    crops = [np.rot90(drawing(at), quarter).copy() for at in range(8)]
    pixels, boxes = photo(crops)
    decision = MATCHER.decide(pixels, boxes, said("1s", 0.45, 8))
    assert decision.decided.all()
    assert [CLASSES[at] for at in decision.probabilities.argmax(axis=1)] == list(FLOWERS)
    assert decision.probabilities.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("degrees", [-15, -8, 8, 15])
def test_a_tile_that_lies_askew_is_told_by_its_picture(degrees: float) -> None:
    matrix = cv2.getRotationMatrix2D((CROP / 2, CROP / 2), degrees, 1)
    askew = [cv2.warpAffine(drawing(at), matrix, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE) for at in range(8)]
    likeness, _ = MATCHER.likeness(np.stack(askew).astype(np.uint8))
    assert likeness.argmax(axis=1).tolist() == list(range(8))
    assert likeness.diagonal().min() > 1.0


def test_what_is_none_of_the_set_is_left_alone() -> None:
    pixels, boxes = photo([drawing(100), drawing(101)])
    before = said("1s", 0.6, 2)
    decision = MATCHER.decide(pixels, boxes, before)
    assert not decision.decided.any()
    assert (decision.probabilities == before).all()


@pytest.mark.parametrize(
    ("name", "share", "nearest", "following", "decides"),
    [
        ("2z", 0.45, 1.3, 0.9, True),  # the classifier does not know itself
        ("2z", 0.7, 1.3, 0.9, False),  # it does, and the reference is only somewhat near
        ("2z", 0.7, 1.5, 0.9, True),
        ("2z", 0.98, 1.45, 0.9, False),
        ("2z", 0.98, 1.6, 1.2, True),
        (NONE, 0.7, 2.2, 0.9, False),  # "no tile" stays none, however like a flower it is
        ("2f", 0.7, 1.3, 0.9, True),  # another of the set's own
    ],
)
def test_a_tile_the_set_was_not_shown_is_overruled_only_from_near(
    name: str, share: float, nearest: float, following: float, decides: bool
) -> None:
    alike = np.array([nearest, following, *[0.1] * 6])
    assert (MATCHER.judge(alike, said(name, share)[0]) is not None) is decides


@pytest.mark.parametrize(("nearest", "decides"), [(1.7, False), (2.2, True)])
def test_a_flower_the_set_was_not_shown_is_not_its_nearest_one(nearest: float, decides: bool) -> None:
    some = Matcher(TileSet("A", tuple(Reference(code, drawing(at)) for at, code in enumerate(FLOWERS[:2]))), Blank())
    assert (some.judge(np.array([nearest, 0.9]), said("4f", 0.7)[0]) is not None) is decides


def test_a_box_the_networks_call_no_tile_stays_none() -> None:
    pixels, boxes = photo([drawing(2)])
    before = said(NONE, 0.7)
    decision = MATCHER.decide(pixels, boxes, before)
    assert not decision.decided.any()
    assert (decision.probabilities == before).all()


@pytest.mark.parametrize(("share", "decides"), [(0.75, True), (0.85, False)])
def test_other_tiles_than_flowers_are_told_only_where_the_networks_do_not_know(share: float, decides: bool) -> None:
    """7s of the set is the nearest, and the networks say 9s."""
    suits = Matcher(TileSet("A", (Reference("7s", drawing(1)), Reference("9s", drawing(2)))), Blank())
    assert (suits.judge(np.array([2.2, 0.9]), said("9s", share)[0]) is not None) is decides


def test_a_tile_that_the_set_was_not_shown_is_none_of_its_others_and_blank_faces_say_nothing() -> None:
    suits = Matcher(TileSet("A", (Reference("7s", drawing(1)), Reference("5z", drawing(2)))), Blank())
    assert suits.judge(np.array([2.2, 0.9]), said("9s", 0.6)[0]) is None
    assert suits.judge(np.array([0.9, 2.2]), said("7s", 0.6)[0]) is None


def test_what_a_person_took_away_is_no_tile_the_next_time() -> None:
    lettering = Reference(NONE, drawing(50))
    table = TileSet("A", (*(Reference(code, drawing(at)) for at, code in enumerate(FLOWERS)), lettering))
    assert (table.no_tiles, NONE in table.codes) == (1, False)
    pixels, boxes = photo([drawing(50), drawing(51), drawing(2)])
    for matcher in (Matcher(table, Eyes()), Matcher(TileSet("A", (lettering,)), Eyes())):
        decision = matcher.decide(pixels, boxes, said("2z", 0.96, 3))
        names = [(*CLASSES, NONE)[at] for at in decision.probabilities.argmax(axis=1)]
        assert names[:2] == [NONE, "2z"]
        assert names[2] != NONE


def test_two_drawings_alike_are_no_decision() -> None:
    twins = TileSet("A", (Reference("1f", drawing(1)), Reference("2f", drawing(1))))
    pixels, boxes = photo([drawing(1)])
    before = said("1s", 0.98)
    assert not Matcher(twins, Blank()).decide(pixels, boxes, before).decided.any()


def test_an_empty_set_and_a_photo_without_tiles_change_nothing() -> None:
    pixels, boxes = photo([drawing(1)])
    assert not Matcher(TileSet("A"), Blank()).decide(pixels, boxes, said("1s", 0.5)).decided.any()
    nothing = MATCHER.decide(pixels, np.zeros((0, 4)), np.zeros((0, 44)))
    assert nothing.probabilities.shape == (0, 44)
