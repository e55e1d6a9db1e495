"""拍糊、擺正: directions of lost detail, sharpening, and photos laid level, at each threshold."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vision.detection.types import SURE, Detection
from vision.photo.image import Photo
from vision.reading import sharpened as module
from vision.reading.level import (
    ASKEW,
    FLATTEST,
    LEAST_STRETCH,
    MOST_STRETCH,
    SHAPE,
    Level,
    hardly_any,
    level,
    slant,
    worth,
)
from vision.reading.level import (
    better as better_level,
)
from vision.reading.sharpened import (
    ACROSS,
    DOUBTED,
    FEWEST,
    LEAST_LINE,
    LEAST_PIXELS,
    LEAST_SPOT,
    LOST,
    ONE_WAY,
    PIXELS,
    UNFOCUSED,
    better,
    shake,
    shaken,
    sharpened,
    taken_back,
    unfocused,
)

PHOTO = Photo(np.full((300, 800, 3), 90, np.uint8), (800, 300))


@pytest.mark.parametrize(
    ("fine", "rough", "least", "degrees"),
    [
        ((10, 40, 0), (100, 100, 0), 0.0, 0),
        ((40, 10, 0), (100, 100, 0), 0.0, 90),
        ((25, 25, -15), (100, 100, 0), 0.0, 45),
        ((25, 25, 15), (100, 100, 0), 0.0, 135),
        ((10, 40, 0), (100, 100, 0), 0.4, 0),
        ((10, 40, 0), (100, 100, 0), 0.41, None),
        ((10, 10 * ONE_WAY, 0), (100, 100, 0), 0.0, 0),
        ((10, 9.9 * ONE_WAY, 0), (100, 100, 0), 0.0, None),
        ((10, 10, 0), (100, 100, 0), 0.0, None),
        ((50, 150 * LOST, 0), (100, 100, 0), 0.0, 0),
        ((51, 150 * LOST, 0), (100, 100, 0), 0.0, None),
        ((0, 40, 0), (100, 100, 0), 0.0, None),
        ((0.1, 0.4, 0), (1, 1, 0), 0.0, 0),
        ((0.1, 0.4, 0), (1, 0.99, 0), 0.0, None),
        ((10, 40, 0), (100, 100, 100), 0.0, None),
    ],
    ids=[
        *("along", "down", "falling", "rising", "enough across", "too little across", "twice", "hardly twice"),
        *("alike", "little lost", "sharp", "nothing at all", "least print", "no print", "one direction only"),
    ],
)
def test_the_direction_of_a_shake(fine: Any, rough: Any, least: float, degrees: float | None) -> None:
    line = shake(fine, rough, least)
    if degrees is None:
        assert line is None
    else:
        assert line is not None
        assert abs((math.degrees(line) - degrees + 90) % 180 - 90) < 0.5


@pytest.mark.parametrize(("fine", "soft"), [((10.0, 13.9, 0.0), True), ((10.0, 14.1, 0.0), False)])
def test_out_of_focus_is_little_detail_in_any_direction(fine: Any, soft: bool) -> None:
    assert UNFOCUSED == 0.12
    assert unfocused(fine, (120.0, 80.0, 0.0)) is soft


def test_the_shake_along_a_row_of_pixels() -> None:
    """Five pixels: each place of the line gives its light to the two pixels round it."""
    line = shaken(0.0, 4.0)
    shares = {-2: 1 / 6, -1: 2 / 9, 0: 2 / 9, 1: 2 / 9, 2: 1 / 6}
    assert line == pytest.approx({(x, 0): share for x, share in shares.items()})
    assert sum(line.values()) == pytest.approx(1.0)
    down = shaken(math.pi / 2, 4.0)
    assert {(y, x): share for (x, y), share in down.items() if share > 1e-9} == pytest.approx(line)
    assert shaken(0.0, 0.0) == {(0, 0): pytest.approx(1.0)}
    askew = shaken(math.pi / 4, 2.0)
    assert askew[1, 1] == pytest.approx(askew[-1, -1])
    assert sum(share * x * y for (x, y), share in askew.items()) > 0


@pytest.mark.parametrize(("direction", "length"), [(0.0, 3.0), (1.0, 5.0)])
def test_what_is_taken_back_is_three_less_three_shakes_and_one_twice(direction: float, length: float) -> None:
    line = shaken(direction, length)
    reach = 12
    once = np.zeros((2 * reach + 1, 2 * reach + 1))
    for (x, y), share in line.items():
        once[y + reach, x + reach] = share
    twice = np.zeros_like(once)
    for (x, y), share in line.items():
        twice += share * np.roll(once, (y, x), axis=(0, 1))
    expected = -3 * once + twice
    expected[reach, reach] += 3
    taps = np.zeros_like(once)
    for x, y, share in taken_back(direction, length):
        taps[y + reach, x + reach] += share
    assert taps == pytest.approx(expected)


Boxes = list[Detection]


def row(count: int, width: float, height: float) -> Boxes:
    return [Detection("1m", (60.0 * at, 50.0, 60.0 * at + width, 50.0 + height), 0.5) for at in range(count)]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The boxes, the share and the spot that steepness is asked with; nothing is lost."""
    given: list[tuple[Any, ...]] = []

    def steepness(pixels: Any, boxes: Any, share: float, spot: float) -> Any:
        given.append((boxes, share, spot))
        return np.array([(100.0, 100.0, 0.0), (100.0, 100.0, 0.0)])

    monkeypatch.setattr("vision.reading.sharpened.sight.steepness", steepness)
    return given


@pytest.mark.parametrize(
    ("seen", "measured"),
    [
        (row(FEWEST, 30, 40), True),
        (row(FEWEST - 1, 30, 40), False),
        (row(FEWEST, 12, LEAST_LINE), True),
        (row(FEWEST, 12, LEAST_LINE - 1), False),
        (row(FEWEST, LEAST_PIXELS, 40), True),
        (row(FEWEST, LEAST_PIXELS - 1, 40), False),
        (row(FEWEST, 40, LEAST_PIXELS - 1), False),
    ],
    ids=["four", "three", "large enough", "too small", "wide enough", "too narrow", "too flat"],
)
def test_which_tiles_tell_of_a_shake(asked: list[Any], seen: Boxes, measured: bool) -> None:
    assert sharpened(PHOTO, seen) is None
    assert len(asked) == measured


@pytest.mark.parametrize(
    ("height", "share", "spot"), [(40.0, 1.0, 0.8), (PIXELS, 1.0, 1.28), (128.0, 0.5, 1.28), (20.0, 1.0, 0.5)]
)
def test_tiles_are_looked_at_in_the_size_in_which_they_are_named(
    asked: list[Any], height: float, share: float, spot: float
) -> None:
    sharpened(PHOTO, row(5, 20, height))
    ((boxes, told_share, told_spot),) = asked
    assert (told_share, told_spot) == pytest.approx((share, spot))
    assert boxes[1] == (60, 50, 80, 50 + height)


def test_boxes_are_cut_at_the_photo_and_measured_in_its_pixels(asked: list[Any]) -> None:
    large = Photo(PHOTO.pixels, (1600, 600))
    seen = [*row(4, 60, 80), Detection("1m", (1560.0, -20.0, 1680.0, 700.0), 0.5)]
    sharpened(large, seen)
    ((boxes, share, _),) = asked
    assert boxes[0] == (0, 25, 30, 65)
    assert boxes[-1] == (780, 0, 800, 300)
    assert share == 1.0


@pytest.mark.parametrize(
    ("height", "fine", "kind"),
    [
        (LEAST_SPOT, (10, 10, 0), "focused"),
        (LEAST_SPOT - 1, (10, 10, 0), None),
        (LEAST_SPOT, (3, 100 * ACROSS + 0.1, 0), "gathered"),
        (LEAST_SPOT, (3, 100 * ACROSS - 0.1, 0), "focused"),
        (LEAST_SPOT - 1, (3, 100 * ACROSS - 0.1, 0), "gathered"),
        (LEAST_SPOT, (30, 40, 0), None),
    ],
    ids=["out of focus", "too small for a spot", "shaken", "both", "shaken small", "sharp"],
)
def test_a_spot_or_a_line_is_taken_out(
    monkeypatch: pytest.MonkeyPatch, height: float, fine: tuple[float, float, float], kind: str | None
) -> None:
    done: list[str] = []
    monkeypatch.setattr("vision.reading.sharpened.sight.steepness", lambda *given: np.array([fine, (100, 100, 0)]))
    for name in ("focused", "gathered"):

        def sight(pixels: Any, by: Any, name: str = name) -> Any:
            done.append(name)
            return pixels

        monkeypatch.setattr(f"vision.reading.sharpened.sight.{name}", sight)
    again = sharpened(PHOTO, row(5, 24, height))
    assert done == ([kind] if kind else [])
    assert (again is None) is (kind is None)
    if again is not None:
        assert again.size == PHOTO.size


def test_a_large_photo_is_sharpened_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    monkeypatch.setattr(
        "vision.reading.sharpened.sight.steepness", lambda *values: np.array([(10, 10, 0), (100, 100, 0)])
    )

    def focused(pixels: Any, spot: float) -> Any:
        given.append((pixels.shape, spot))
        return pixels

    monkeypatch.setattr("vision.reading.sharpened.sight.focused", focused)
    sharpened(PHOTO, row(5, 90, 128))
    assert given == [((150, 400, 3), pytest.approx(module.SPOT * 64))]


BOX = (0.0, 0.0, 30.0, 40.0)


@pytest.mark.parametrize(
    ("confidence", "unread", "before", "after"),
    [
        (SURE, False, "2m", DOUBTED),
        (SURE - 0.01, False, "2m", SURE - 0.01),
        (0.95, True, "2m", 0.95),
        (0.95, False, "1m", 0.95),
    ],
)
def test_a_sharpened_name_against_the_first(confidence: float, unread: bool, before: str, after: float) -> None:
    others = [Detection("9s", (100.0 + 50 * at, 0.0, 130.0 + 50 * at, 40.0), 0.95) for at in range(4)]
    first = (Detection(before, BOX, 0.5), *others)
    read = better(first, [Detection("1m", BOX, confidence, unread=unread), *others])
    assert next(one for one in read if one.tile == "1m").confidence == after


@pytest.mark.parametrize(("apart", "contradicts"), [(16.0, True), (16.5, False)])
def test_a_name_is_contradicted_at_the_same_place(apart: float, contradicts: bool) -> None:
    x = 100.0 + apart
    first = (Detection("2m", (100.0, 0.0, 130.0, 40.0), 0.5), Detection("9s", (300.0, 0.0, 330.0, 40.0), 0.95))
    read = better(first, [Detection("1m", (x, 0.0, x + 30, 40.0), 0.95), first[1]])
    # The mean of both boxes is half as far from the first one, so it counts as its place.
    assert (next(one for one in read if one.tile == "1m").confidence == DOUBTED) is contradicts


def tile(confidence: float, *, unread: bool = False) -> Detection:
    return Detection("1m", BOX, confidence, unread=unread)


@pytest.mark.parametrize(
    ("seen", "value"),
    [
        ([], 0.0),
        ([tile(SURE)], 1.0),
        ([tile(SURE - 0.01)], -0.5),
        ([tile(0.95, unread=True)], -0.5),
        ([tile(0.95), tile(0.95), tile(0.5)], 1.5),
    ],
)
def test_what_a_reading_is_worth(seen: list[Detection], value: float) -> None:
    assert worth(seen) == value


@pytest.mark.parametrize(
    ("seen", "few"),
    [
        ([], True),
        ([tile(0.5)] * 3, True),
        ([tile(0.5)] * 4, False),
        ([tile(SURE)], False),
        ([tile(0.9, unread=True)], True),
    ],
)
def test_hardly_any_tile(seen: list[Detection], few: bool) -> None:
    assert hardly_any(seen) is few


def flat(height: float, count: int = 8, name: str = "1m") -> Boxes:
    return [Detection(name, (100.0 + 40 * at, 100.0, 140.0 + 40 * at, 100 + height), 0.5) for at in range(count)]


@pytest.mark.parametrize(
    ("height", "stretch"),
    [
        (40 * SHAPE / LEAST_STRETCH - 0.1, LEAST_STRETCH),
        (40 * SHAPE / LEAST_STRETCH + 0.1, 1.0),
        (20.0, 40 * SHAPE / 20),
        (40 * SHAPE / MOST_STRETCH, MOST_STRETCH),
        (4.0, MOST_STRETCH),
    ],
)
def test_flat_faces_are_stretched_from_a_least_to_a_most(height: float, stretch: float) -> None:
    assert slant(flat(height), (800, 300)) == pytest.approx(stretch, rel=0.01)


def test_backs_have_no_shape_of_faces_and_one_face_tells_nothing() -> None:
    assert slant(flat(20.0, 1), (800, 300)) == 1.0
    assert slant([*flat(53.0, 4, "back"), *flat(20.0, 2)], (800, 300)) > LEAST_STRETCH
    assert slant([], (800, 300)) == 1.0


def askew(degrees: float, count: int = 8) -> Boxes:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    half = 20 * (0.75 * abs(c) + abs(s)), 20 * (0.75 * abs(s) + abs(c))
    middles = [(400 + 30 * at * c, 150 + 30 * at * s) for at in range(-count // 2, count // 2)]
    return [Detection("1m", (x - half[0], y - half[1], x + half[0], y + half[1]), 0.95) for x, y in middles]


@pytest.mark.parametrize(
    ("degrees", "turned"), [(14.5, False), (15.5, True), (74.5, True), (75.5, False), (-15.5, True)]
)
def test_rows_askew_by_fifteen_degrees_are_turned(degrees: float, turned: bool) -> None:
    assert math.degrees(ASKEW) == pytest.approx(15)
    again = level(PHOTO, askew(degrees))
    assert (again is not None) is turned
    if again is not None:
        assert again.stretch == 1.0


def test_what_is_sure_is_not_stretched_and_a_part_of_the_photo_is_turned() -> None:
    again = level(PHOTO, askew(45, 4))
    assert again is not None
    assert max(again.photo.size) < 400
    assert level(PHOTO, [replace(one, confidence=SURE) for one in flat(20.0)]) is None
    assert level(PHOTO, [*(replace(one, confidence=SURE) for one in flat(20.0)[1:]), flat(20.0)[0]]) is not None


SAME = Level(PHOTO, np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]), 2.0)
"""A photo stretched twice, so that the reading's boxes are twice as high."""


def again_of(seen: Boxes, name: str, confidence: float = 0.95) -> Boxes:
    return [Detection(name, (one.box[0], 2 * one.box[1], one.box[2], 2 * one.box[3]), confidence) for one in seen]


@pytest.mark.parametrize(
    ("height", "before", "confidence", "after"),
    [
        (FLATTEST + 0.5, 0.5, 0.95, 0.95),
        (FLATTEST - 0.5, 0.5, 0.95, 0.7),
        (FLATTEST - 0.5, SURE, 0.95, 0.95),
        (FLATTEST - 0.5, 0.5, SURE - 0.01, SURE - 0.01),
    ],
    ids=["high enough", "very flat", "was sure", "is not sure"],
)
def test_a_very_flat_face_is_not_sure_alone(height: float, before: float, confidence: float, after: float) -> None:
    first = (*(replace(one, confidence=before) for one in flat(height, 1)), *flat(40.0, 9)[1:])
    laid = [*again_of(list(first[:1]), "1m", confidence), *again_of(list(first[1:]), "1m")]
    read = better_level(PHOTO, first, SAME, laid)
    assert read[0].confidence == after
    assert read[0].box[3] - read[0].box[1] == pytest.approx(height, rel=0.2)


@pytest.mark.parametrize(("confidence", "taken"), [(0.95, True), (0.5, False)])
def test_a_stretched_reading_that_is_worth_no_more_does_not_count(confidence: float, taken: bool) -> None:
    first = tuple(flat(30.0))
    read = better_level(PHOTO, first, SAME, again_of(list(first), "2m", confidence))
    assert (read != first) is taken
    assert better_level(PHOTO, first, SAME, []) == first
