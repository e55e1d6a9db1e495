"""Photos whose rows lie askew are read once more with their rows level; others as ever."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detection.coloured_light import search
from vision.detection.types import Detection
from vision.photo.image import Photo, load_photo
from vision.reading import pipeline
from vision.reading.level import (
    ASKEW,
    FEWEST,
    FEWEST_SLANTING,
    LEAST_STRETCH,
    UNSEEN_STRETCH,
    Level,
    better,
    level,
    slant,
    worth,
)
from vision.reading.pipeline import Reader

RENDERED = Path(__file__).parents[4] / "datasets/rendered/images/val"
Box = tuple[float, float, float, float]


def row_at(degrees: float, count: int = 8, length: float = 40.0) -> tuple[Detection, ...]:
    """Tiles side by side in the middle of 800 x 600 pixels, in a row of that direction."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    half = length * (0.75 * abs(cos) + abs(sin)) / 2, length * (0.75 * abs(sin) + abs(cos)) / 2
    seen = []
    for place in range(count):
        along = (place - (count - 1) / 2) * 0.75 * length
        x, y = 400 + along * cos, 300 + along * sin
        seen.append(Detection("1m", (x - half[0], y - half[1], x + half[0], y + half[1]), 0.9))
    return tuple(seen)


PHOTO = Photo(np.full((600, 800, 3), 90, np.uint8), (800, 600))


@pytest.mark.parametrize("degrees", [0, 10, -12, 80, 90, 101])
def test_rows_that_lie_straight_are_read_once(degrees: float) -> None:
    assert level(PHOTO, row_at(degrees)) is None


@pytest.mark.parametrize("degrees", [18, 30, 45, 60, 72, -20, -45, -70])
def test_rows_askew_are_laid_level(degrees: float) -> None:
    seen = row_at(degrees)
    again = level(PHOTO, seen)
    assert again is not None
    middles = np.array([one.center for one in seen])
    laid = middles @ again.matrix[:, :2].T + again.matrix[:, 2]
    assert np.ptp(laid[:, 1]) < 3
    width, height = again.photo.size
    assert again.photo.pixels.shape == (height, width, 3)
    assert ((laid > 0) & (laid < (width, height))).all()


def test_upright_tiles_in_a_stair_are_not_turned() -> None:
    stair = tuple(
        Detection("1m", (100.0 + 50 * at, 100.0 + 40 * at, 120.0 + 50 * at, 145.0 + 40 * at)) for at in range(8)
    )
    assert level(PHOTO, stair) is None


def test_few_tiles_have_no_direction() -> None:
    assert level(PHOTO, row_at(45, FEWEST - 1)) is None
    assert level(PHOTO, row_at(45, FEWEST)) is not None


def level_boxes(seen: tuple[Detection, ...], matrix: np.ndarray) -> list[Detection]:
    """The reading of the same tiles in an upright photo."""
    found = []
    for one in seen:
        x, y = (float(value) for value in matrix[:, :2] @ np.array(one.center) + matrix[:, 2])
        found.append(Detection("2m", (x - 15, y - 20, x + 15, y + 20), 0.95))
    return found


def test_boxes_are_laid_back_round_the_same_tiles() -> None:
    seen = row_at(45)
    again = level(PHOTO, seen)
    assert again is not None
    read = better(PHOTO, seen, again, level_boxes(seen, again.matrix))
    assert [one.tile for one in read] == ["2m"] * len(seen)
    for one, before in zip(read, seen, strict=True):
        assert one.center == pytest.approx(before.center, abs=0.01)
        assert one.size[0] < before.size[0]


def test_a_tile_that_both_readings_see_gets_the_mean_of_its_boxes() -> None:
    seen = row_at(45)
    again = level(PHOTO, seen)
    assert again is not None
    laid = level_boxes(seen, again.matrix)
    far = tuple(Detection("4m", (x, 0.0, x + 20, 20.0), 0.9) for x in (0.0, 30.0, 60.0, 90.0))
    alone = [one for one in better(PHOTO, far, again, laid) if not one.unread]
    both = better(PHOTO, seen, again, laid)
    for one, without, before in zip(both, alone, seen, strict=True):
        assert one.box == pytest.approx((np.array(without.box) + np.array(before.box)) / 2)


def test_boxes_in_pixels_of_the_full_photo() -> None:
    full = Photo(PHOTO.pixels, (1600, 1200))
    seen = row_at(45)
    large: list[Detection] = [Detection(one.tile, tuple(2 * v for v in one.box), 0.9) for one in seen]  # type: ignore[arg-type]
    small, again = level(PHOTO, seen), level(full, large)
    assert small is not None
    assert again is not None
    assert again.matrix == pytest.approx(small.matrix)
    read = better(full, tuple(large), again, level_boxes(seen, again.matrix))
    assert read[0].center == pytest.approx(large[0].center, abs=0.02)


def test_a_level_reading_that_sees_less_does_not_count() -> None:
    seen = row_at(45)
    again = level(PHOTO, seen)
    assert again is not None
    assert better(PHOTO, seen, again, level_boxes(seen, again.matrix)[:5]) == seen


@pytest.mark.parametrize(("confidence", "unread"), [(0.5, True), (0.7, False)])
def test_what_only_the_level_reading_sees_with_doubt_is_not_read(confidence: float, unread: bool) -> None:
    seen = row_at(45)
    again = level(PHOTO, seen)
    assert again is not None
    *most, last = level_boxes(seen, again.matrix)
    read = better(PHOTO, seen[:-1], again, [Detection(last.tile, last.box, confidence), *most])
    assert len(read) == len(seen)
    assert [one.unread for one in read].count(True) == unread
    assert [one.confidence for one in read if one.unread] == [confidence] * unread
    assert not any(one.unread for one in read[:-1])


@pytest.mark.parametrize(("confidence", "shown"), [(0.95, True), (0.5, False)])
def test_what_only_the_first_reading_was_sure_of_is_shown_as_not_read(confidence: float, shown: bool) -> None:
    *most, last = row_at(45)
    seen = (*most, Detection("5z", last.box, confidence))
    again = level(PHOTO, seen)
    assert again is not None
    read = better(PHOTO, seen, again, level_boxes(seen, again.matrix)[:-1])
    assert [(one.tile, one.box, one.shaped) for one in read if one.unread] == [("5z", last.box, confidence)] * shown
    assert len(read) == len(most) + shown


def test_boxes_stay_in_the_photo() -> None:
    seen = row_at(45)
    again = level(PHOTO, seen)
    assert again is not None
    corner = again.matrix[:, 2]  # the photo's own corner
    x, y = (float(value) for value in corner)
    beside = Detection("3m", (x - 15, y - 20, x + 15, y + 20), 0.95)
    read = better(PHOTO, seen, again, [*level_boxes(seen, again.matrix), beside])
    assert read[-1].box[:2] == (0.0, 0.0)


def test_a_photo_turned_by_45_degrees_is_read_as_the_photo() -> None:
    photo = load_photo(sorted(RENDERED.glob("*.jpg"))[0])
    height, width = photo.pixels.shape[:2]
    cos = math.cos(math.pi / 4)
    side = math.ceil((width + height) * cos)
    matrix = np.array([[cos, cos, 0.0], [-cos, cos, width * cos]])
    pixels = cv2.warpAffine(photo.pixels, matrix, (side, side), borderValue=(114, 114, 114)).astype(np.uint8)
    reader = Reader.load()
    straight = reader.detect(photo)
    askew = reader.detect(Photo(pixels, (side, side)))
    assert sorted(one.tile for one in askew) == sorted(one.tile for one in straight)


def test_straight_photos_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    monkeypatch.setattr(pipeline, "search", lambda *given: searched.append(given) or search(*given))
    Reader.load().detect(load_photo(sorted(RENDERED.glob("*.jpg"))[0]))
    assert len(searched) == 1
    assert math.degrees(ASKEW) == pytest.approx(15)


def grid(shape: float, rows: int, columns: int = 6, growth: float = 0.0) -> list[Detection]:
    """Faces in a close grid in the middle of 800 x 600 pixels, ``shape`` times as high as wide. Each row is wider than
    the one above by the share ``growth``."""
    seen = []
    y = 200.0
    for row in range(rows):
        wide = 40 * (1 + growth * row)
        high = wide * shape
        for column in range(columns):
            x = 400 + (column - columns / 2) * wide
            seen.append(Detection("1m", (x, y, x + wide, y + high), 0.9))
        y += high
    return seen


@pytest.mark.parametrize("degrees", [55, 60, 65, 70])
def test_flat_faces_in_one_row_are_stretched_to_their_own_shape(degrees: float) -> None:
    seen = grid(4 / 3 * math.cos(math.radians(degrees)), 1)
    assert slant(seen, (800, 600)) == pytest.approx(1 / math.cos(math.radians(degrees)), rel=0.02)


@pytest.mark.parametrize("shape", [1.33, 1.1, 0.95])
def test_faces_of_a_usual_shape_are_not_stretched(shape: float) -> None:
    assert slant(grid(shape, 2), (800, 600)) == 1


def test_flat_faces_of_one_size_in_many_rows_lie_across() -> None:
    """A box of tiles seen from above, each lying on its side: no perspective, no slant."""
    assert slant(grid(0.56, 9, 4), (800, 600)) == 1


def test_enough_faces_decide_without_the_backs() -> None:
    """Upright backs hide the slant of too few faces, and not of enough."""
    flat = grid(4 / 3 * math.cos(math.radians(60)), 1, FEWEST_SLANTING)
    backs = [Detection("back", (x, 400.0, x + 40, 454.0), 0.9) for x in range(100, 700, 40)]
    assert slant([*flat, *backs], (800, 600)) > LEAST_STRETCH
    assert slant([*flat[1:], *backs], (800, 600)) == 1
    assert slant(flat, (800, 600)) > LEAST_STRETCH
    assert slant(flat[1:], (800, 600)) == 1


def test_flat_faces_that_grow_downwards_are_seen_from_low() -> None:
    assert slant(grid(0.56, 6, 4, growth=0.05), (800, 600)) > 2


def low(degrees: float, turn: float = 0.0) -> Photo:
    """A rendered photo laid back about the horizontal, the camera 1.2 longer sides away."""
    photo = load_photo(sorted(RENDERED.glob("*.jpg"))[0])
    height, width = photo.pixels.shape[:2]
    lay, spin, far = math.radians(degrees), math.radians(turn), 1.2 * max(width, height)
    to_middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    turned = np.array([[math.cos(spin), -math.sin(spin), 0], [math.sin(spin), math.cos(spin), 0], [0, 0, 1]])
    seen = np.array([[far, 0, 0], [0, far * math.cos(lay), 0], [0, -math.sin(lay), far]])
    corners = seen @ turned @ to_middle @ np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)]).T
    left, top = (corners[:2] / corners[2]).min(axis=1)
    right, bottom = (corners[:2] / corners[2]).max(axis=1)
    size = (math.ceil(right - left), math.ceil(bottom - top))
    shift = np.diag([2.0, 4.0, 1.0]) @ np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]])
    drawn = cv2.warpPerspective(photo.pixels, shift @ seen @ turned @ to_middle, (size[0] * 2, size[1] * 4))
    return Photo(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA).astype(np.uint8), size)


@pytest.mark.parametrize("turn", [0, 25])
def test_a_photo_from_a_low_camera_is_read_as_well_as_from_above(turn: float) -> None:
    reader = Reader.load()
    plain = [tile.tile for tile in reader.detect(load_photo(sorted(RENDERED.glob("*.jpg"))[0])) if not tile.unread]
    photo = low(62, turn)
    first = reader._detect(photo, None)
    read = reader.detect(photo)
    assert worth(read) > worth(first) + 2
    assert sorted(tile.tile for tile in read if not tile.unread) == sorted(plain)
    width, height = photo.size
    assert all(0 <= tile.box[0] < tile.box[2] <= width and 0 <= tile.box[1] < tile.box[3] <= height for tile in read)


def flat_row(confidence: float) -> tuple[Detection, ...]:
    return tuple(replace(tile, confidence=confidence) for tile in grid(0.6, 1, 8))


def stretched(seen: tuple[Detection, ...]) -> Level:
    again = level(PHOTO, seen)
    assert again is not None
    assert again.stretch > LEAST_STRETCH
    return again


def test_a_sure_reading_from_low_is_not_repeated() -> None:
    assert level(PHOTO, flat_row(0.95)) is None
    assert level(PHOTO, (*flat_row(0.95)[:-1], replace(flat_row(0.95)[-1], confidence=0.5))) is not None


def test_the_stretched_reading_must_be_worth_more() -> None:
    seen = flat_row(0.7)
    again = stretched(seen)
    laid = level_boxes(seen, again.matrix)
    doubtful = [replace(tile, confidence=0.7) for tile in laid]
    assert better(PHOTO, seen, again, doubtful) == seen
    assert [tile.tile for tile in better(PHOTO, seen, again, laid)] == ["2m"] * 8


def test_a_stretched_reading_keeps_its_own_boxes_and_contradicts_no_sure_name() -> None:
    seen = (*flat_row(0.95)[:2], *flat_row(0.5)[2:])
    again = stretched(seen)
    read = better(PHOTO, seen, again, level_boxes(seen, again.matrix))
    assert [tile.confidence for tile in read] == [0.7] * 2 + [0.95] * 6
    for tile, before in zip(read, seen, strict=True):
        assert tile.center == pytest.approx(before.center, abs=0.01)
        assert tile.size == pytest.approx((30.0, 40 / again.stretch), abs=0.01)


def test_a_stretched_photo_has_a_limit() -> None:
    photo = Photo(np.zeros((1200, 1600, 3), np.uint8), (1600, 1200))
    seen = tuple(
        Detection("1m", (200.0 * at, 1100.0 * (at % 2), 200.0 * at + 50, 1100.0 * (at % 2) + 30), 0.5)
        for at in range(8)
    )
    again = level(photo, seen)
    assert again is not None
    assert max(again.photo.size) == 2000
    assert again.photo.pixels.shape[:2] == again.photo.size[::-1]


def read_again(first: tuple[Detection, ...], name: str) -> list[Detection]:
    """The better reading of a flat row whose tiles all get ``name`` for sure when it is stretched."""
    again = stretched(first)
    laid = []
    for tile in first:
        x1, y1, x2, y2 = tile.box
        box = (*(again.matrix @ (x1, y1, 1)).tolist(), *(again.matrix @ (x2, y2, 1)).tolist())
        laid.append(Detection(name, box, 0.95))
    return list(better(PHOTO, first, again, laid))


def flat_tiles(name: str, height: float, *, unread: bool = False) -> tuple[Detection, ...]:
    return tuple(
        Detection(name, (100.0 + 40 * at, 200.0, 140.0 + 40 * at, 200.0 + height), 0.5, unread=unread, shaped=0.6)
        for at in range(8)
    )


def test_a_stretched_reading_alone_is_not_sure_of_very_flat_faces() -> None:
    assert {tile.confidence for tile in read_again(flat_tiles("1m", 24), "2m")} == {0.95}
    assert {tile.confidence for tile in read_again(flat_tiles("1m", 14), "2m")} == {0.7}


@pytest.mark.parametrize("name", ["5z", "back"])
def test_blank_faces_that_only_the_stretched_reading_names_are_not_read(name: str) -> None:
    assert all(tile.unread and tile.shaped == 0.6 for tile in read_again(flat_tiles(name, 24, unread=True), name))
    assert not any(tile.unread for tile in read_again(flat_tiles(name, 24), name))


def test_a_blank_face_where_nothing_was_seen_is_hardly_a_tile() -> None:
    seen = flat_row(0.5)
    again = stretched(seen)
    side = (again.matrix @ (300, 420, 1)).tolist()
    laid = [*level_boxes(seen, again.matrix), Detection("back", (*side, side[0] + 30, side[1] + 40), 0.9)]
    *tiles, last = better(PHOTO, seen, again, laid)
    assert [tile.tile for tile in tiles] == ["2m"] * 8
    assert (last.tile, last.unread, last.shaped) == ("back", True, 0.0)


@pytest.mark.parametrize(("count", "whole"), [(2, True), (6, False)])
def test_a_slanted_photo_with_few_tiles_seen_is_stretched_whole(count: int, whole: bool) -> None:
    """Two faces far from the others do not show where those are."""
    flat = [Detection("1m", (20.0 * at, 20.0, 20.0 * at + 20, 33.0), 0.5) for at in range(count)]
    again = level(PHOTO, flat)
    assert again is not None
    width, height = again.photo.size
    assert (width == 800) is whole
    assert (height == math.ceil(600 * again.stretch)) is whole


def unread(count: int) -> tuple[Detection, ...]:
    return tuple(Detection("4z", (30.0 * at, 20.0, 30.0 * at + 22, 35.0), 0.3, unread=True) for at in range(count))


@pytest.mark.parametrize("seen", [(), unread(1)])
def test_a_photo_with_hardly_a_tile_is_stretched_blindly(seen: tuple[Detection, ...]) -> None:
    again = level(PHOTO, seen)
    assert again is not None
    assert again.stretch == UNSEEN_STRETCH
    assert again.photo.size == (800, math.ceil(600 * UNSEEN_STRETCH))
    assert level(PHOTO, seen, patient=False) is None, "a frame of a live view"


def test_a_slant_that_is_known_is_believed_however_few_tiles_show_it() -> None:
    again = level(PHOTO, unread(3))
    assert again is not None
    assert again.stretch == pytest.approx(22 * 4 / 3 / 15)
    assert again.photo.size[0] == 800


@pytest.mark.parametrize("sure", [0, 3, 4, 6])
def test_a_blind_reading_counts_from_four_sure_tiles(sure: int) -> None:
    again = level(PHOTO, unread(1))
    assert again is not None
    laid = [Detection("2m", (300.0 + 40 * at, 400.0, 330.0 + 40 * at, 450.0), 0.95) for at in range(sure)]
    for first in ((), unread(1)):
        read = better(PHOTO, first, again, laid)
        assert sum(not tile.unread for tile in read) == (sure if sure >= FEWEST else 0)
