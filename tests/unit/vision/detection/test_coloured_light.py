"""色光: under a coloured lamp and in little light the same tiles are read, with the shipped weights; ordinary light is
left alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.detection.coloured_light import in_white_light
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import Reader

PHOTO = Path(__file__).parents[4] / "datasets/rendered/images/val/hand-01.jpg"
LAMPS = {"magenta": (1, 0.2, 0.9), "red": (1, 0.35, 0.3), "green": (0.4, 1, 0.4), "blue": (0.25, 0.4, 1)}
CLOTH, WHITE = (180, 20, 30), (240, 238, 230)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def photo() -> Photo:
    return load_photo(PHOTO)


@pytest.fixture(scope="module")
def names(reader: Reader, photo: Photo) -> list[str]:
    return sorted(one.tile for one in reader.detect(photo))


@pytest.mark.parametrize("lamp", LAMPS.values(), ids=LAMPS)
def test_the_same_tiles_under_a_coloured_lamp(
    reader: Reader, photo: Photo, names: list[str], lamp: tuple[float, float, float]
) -> None:
    pixels = (photo.pixels * np.array(lamp)).astype(np.uint8)
    assert sorted(one.tile for one in reader.detect(Photo(pixels, photo.size))) == names


@pytest.mark.parametrize(("gain", "grain"), [(0.3, 0), (0.15, 4), (0.2, 8)])
def test_the_same_tiles_in_little_light(
    reader: Reader, photo: Photo, names: list[str], gain: float, grain: float
) -> None:
    noise = np.random.default_rng(7).standard_normal(photo.pixels.shape) * grain
    pixels = (photo.pixels * gain + noise).clip(0, 255).astype(np.uint8)
    read = reader.detect(Photo(pixels, photo.size))
    assert sorted(one.tile for one in read if not one.unread) == names


def test_ordinary_light_is_left_alone(reader: Reader, photo: Photo) -> None:
    boxes = reader.detector.find(photo.pixels).boxes
    assert len(boxes) > 10
    assert in_white_light(photo.pixels, boxes) is photo.pixels


def test_a_coloured_cloth_is_not_a_coloured_lamp() -> None:
    pixels = np.full((600, 800, 3), CLOTH, np.uint8)
    boxes = np.array([(100.0 + 30 * at, 100, 128 + 30 * at, 140) for at in range(5)])
    for x1, y1, x2, y2 in boxes.astype(int):
        pixels[y1:y2, x1:x2] = WHITE
    assert in_white_light(pixels, boxes) is pixels
    assert in_white_light(pixels, boxes[:2]) is pixels  # too few to tell
    lit = (pixels * np.array((1, 0.3, 1))).astype(np.uint8)
    assert in_white_light(lit, boxes + 5000) is lit  # nothing of them is in the photo
    partly = np.concatenate([boxes, boxes[:3] - (150, 0, 150, 0)])
    assert (in_white_light(lit, partly)[110, 110] == in_white_light(lit, boxes)[110, 110]).all()
    white = in_white_light(lit, boxes)[110, 110].astype(int)
    assert np.ptp(white) < 16


@pytest.mark.parametrize(("white", "brought_to"), [(60, 200), (86, 200), (95, 95), (200, 200)])
def test_a_dark_table_is_not_little_light(white: int, brought_to: int) -> None:
    """What white looks like on the tiles decides, not how dark the photo is."""
    pixels = np.full((600, 800, 3), 8, np.uint8)
    boxes = np.array([(100.0 + 30 * at, 100, 128 + 30 * at, 140) for at in range(5)])
    for x1, y1, x2, y2 in boxes.astype(int):
        pixels[y1:y2, x1:x2] = white
    seen = in_white_light(pixels, boxes)
    assert abs(int(seen[110, 110].max()) - brought_to) <= 2
    assert (seen is pixels) == (white == brought_to)
    assert in_white_light(pixels, boxes[:2]) is pixels  # too few to tell


def test_grain_is_spread_where_it_is_made_brighter() -> None:
    noise = np.random.default_rng(7).integers(40, 80, (600, 800, 3))
    boxes = np.array([(100.0 + 30 * at, 100, 128 + 30 * at, 140) for at in range(5)])
    seen = in_white_light(noise.astype(np.uint8), boxes).astype(float)
    gain = seen.mean() / noise.mean()
    assert gain > 2
    assert seen.std() < 0.6 * gain * noise.std()
    dim_lamp = noise * np.array((1, 0.3, 1))  # both at once
    even = in_white_light(dim_lamp.astype(np.uint8), boxes)
    assert np.ptp(even.mean((0, 1))) < 12
