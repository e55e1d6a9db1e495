"""Mirrored photos are recognized by their tiles, read flipped, and named; other photos stay as they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detection.types import SURE, Detection
from vision.models.manifest import CLASSES
from vision.photo.image import Photo, load_photo
from vision.reading.mirror import FEWEST, TAKEN_FOR, flip, flipped_back, mirror
from vision.reading.pipeline import Reader

RENDERED = sorted((Path(__file__).parents[4] / "datasets/rendered/images/val").glob("*.jpg"))
PHOTO = Photo(np.full((300, 400, 3), 90, np.uint8), (800, 600))


@cache
def reader() -> Reader:
    return Reader.load()


class Flipped:
    """A classifier with one probability for every tile, which notes the boxes it was asked about."""

    def __init__(self, probability: float, name: str = "1m") -> None:
        self.probability, self.name = probability, name
        self.boxes = np.zeros((0, 4))

    def read(self, pixels: np.ndarray, boxes: np.ndarray) -> np.ndarray:
        self.pixels, self.boxes = pixels, boxes
        probabilities = np.zeros((len(boxes), 44))
        probabilities[:, CLASSES.index(self.name)] = self.probability
        return probabilities


def tiles(codes: str, confidence: float) -> list[Detection]:
    return [
        Detection(code, (40.0 * at, 100.0, 40.0 * at + 38, 150.0), confidence) for at, code in enumerate(codes.split())
    ]


def test_a_photo_is_flipped_pixel_by_pixel() -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (40, 61, 3), np.uint8)
    assert (flip(Photo(pixels, (61, 40))).pixels == pixels[:, ::-1]).all()


def test_boxes_go_back_where_the_tiles_are() -> None:
    (tile,) = flipped_back(PHOTO, [Detection("1m", (100.0, 20.0, 140.0, 70.0), 0.9)])
    assert tile.box == (660.0, 20.0, 700.0, 70.0)
    assert tile.by == "mirror"


def test_doubtful_tiles_that_are_sure_flipped_mean_a_mirror() -> None:
    assert mirror(PHOTO, tiles("5m 7p 1s", 0.5), Flipped(0.95)).mirrored
    assert not mirror(PHOTO, tiles("5m 7p 1s", 0.5), Flipped(0.7)).mirrored


@pytest.mark.parametrize("left", [0.0, 300.0, 700.0])
def test_what_is_looked_at_is_the_tiles_flipped(left: float) -> None:
    """Only the part of the photo round them is flipped; their boxes in it hold the same pixels."""
    photo = Photo(np.random.default_rng(5).integers(0, 256, (300, 400, 3), np.uint8), (800, 600))
    places = enumerate(("5m", "7p"))
    seen = [Detection(code, (left + 50 * at, 100.0, left + 50 * at + 40, 160.0), 0.5) for at, code in places]
    asked = Flipped(0.95)
    mirror(photo, seen, asked)
    for tile, (x1, y1, x2, y2) in zip(seen, asked.boxes.astype(int), strict=True):
        a, b, c, d = (int(value / 2) for value in tile.box)
        assert (asked.pixels[y1:y2, x1:x2] == photo.pixels[b:d, a:c][:, ::-1]).all()
    assert asked.pixels.shape[1] < 400


@pytest.mark.parametrize("seen", [tiles("5m 1s 2s 3s", 0.5), tiles("5m 7p 9m", 0.95), tiles("1s 2s 3s 4p", 0.4), []])
def test_few_doubts_or_tiles_that_a_mirror_keeps_are_not_looked_at(seen: list[Detection]) -> None:
    asked = Flipped(0.95)
    assert not mirror(PHOTO, seen, asked).mirrored
    assert not len(asked.boxes)


def test_tiles_that_a_set_decided_do_not_count() -> None:
    assert not mirror(PHOTO, [replace(tile, by="set") for tile in tiles("5m 7p", 0.5)], Flipped(0.95)).mirrored


@pytest.mark.parametrize(("name", "own"), [(name, own[0]) for name, own in TAKEN_FOR.items()])
def test_a_sure_name_that_only_a_mirror_gives_is_doubted(name: str, own: str) -> None:
    seen = tiles(f"1s {name} 2s", 0.95)
    answers = ((0.95, own), (0.6, own), (1.0, name))
    clear, unclear, other = (mirror(PHOTO, seen, Flipped(share, to)) for share, to in answers)
    assert clear.mirrored
    assert not unclear.mirrored
    assert not other.mirrored
    assert clear.taken == unclear.taken == (seen[1],)
    assert other.taken == ()


@pytest.mark.parametrize("place", range(0, len(RENDERED), 3))
def test_photos_as_they_are_are_not_flipped(place: int) -> None:
    assert not any(tile.by for tile in reader().detect(load_photo(RENDERED[place])))


def sure_names(seen: tuple[Detection, ...]) -> list[str]:
    return sorted(tile.tile for tile in seen if tile.confidence >= SURE and not tile.unread)


def test_mirrored_photos_are_read_flipped_and_say_so() -> None:
    flipped = 0
    for path in RENDERED:
        photo = load_photo(path)
        plain = reader().read(photo)
        read = reader().read(Photo(np.ascontiguousarray(photo.pixels[:, ::-1]), photo.size))
        taken = [name for name in sure_names(read.detections) if name in TAKEN_FOR]
        assert set(taken) <= set(sure_names(plain.detections)), path.name
        if any(tile.by == "mirror" for tile in read.detections):
            flipped += 1
            assert "quality_mirrored" in [check.message.key for check in read.checks]
            assert sure_names(read.detections) == sure_names(plain.detections)
    assert flipped >= FEWEST


@pytest.mark.parametrize("sigma", [2.0, 2.5, 3.0])
def test_blurred_photos_are_not_flipped(sigma: float) -> None:
    """Their tiles are in doubt, and may look clearer flipped by chance."""
    for path in RENDERED[:4]:
        photo = load_photo(path)
        blurred = cv2.GaussianBlur(photo.pixels, (0, 0), sigma).astype(np.uint8)
        shaken = np.mean([np.roll(photo.pixels, by, axis=1) for by in range(-6, 7)], axis=0).round().astype(np.uint8)
        for pixels in (blurred, shaken) if sigma == 2.0 else (blurred,):
            assert not any(tile.by for tile in reader().detect(Photo(pixels, photo.size)))
