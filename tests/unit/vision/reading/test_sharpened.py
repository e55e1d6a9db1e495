"""Photos that are shaken or out of focus are read once more, sharpened; others as ever."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection.types import SURE, Detection
from vision.geometry import overlaps
from vision.photo.image import Photo, load_photo
from vision.photo.sample import sample_photo_path
from vision.pixels import sight
from vision.reading.pipeline import Reader
from vision.reading.sharpened import DOUBTED, ONE_WAY, better, shake, sharpened, taken_back

Pixels = NDArray[np.uint8]


def shaken(pixels: Pixels, degrees: float, length: float) -> Pixels:
    """The picture after a shake of this length in pixels."""
    steps = np.linspace(-0.5, 0.5, 2 * math.ceil(length) + 1) * length
    reach = math.ceil(length / 2) + 1
    moment = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    moment[reach, reach] = 1
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    size = moment.shape[::-1]
    line = np.mean(
        [cv2.warpAffine(moment, np.array([[1, 0, cos * by], [0, 1, sin * by]]), size) for by in steps], axis=0
    )
    return np.asarray(cv2.filter2D(pixels, -1, line, borderType=cv2.BORDER_REPLICATE), np.uint8)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def sample() -> Photo:
    return load_photo(sample_photo_path())


@pytest.fixture(scope="module")
def seen(reader: Reader, sample: Photo) -> tuple[Detection, ...]:
    return reader.detect(sample)


def tile_length(seen: tuple[Detection, ...]) -> float:
    return float(np.median([max(one.size) for one in seen]))


@pytest.mark.parametrize("degrees", [0, 30, 75, 90, 135, 160])
def test_the_line_is_told_by_the_tiles(
    sample: Photo, seen: tuple[Detection, ...], degrees: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    monkeypatch.setattr("vision.reading.sharpened.taken_back", lambda line, length: told.append(line) or ((0, 0, 1.0),))
    blurred = Photo(shaken(sample.pixels, degrees, 0.1 * tile_length(seen)), sample.size)
    assert sharpened(blurred, seen) is not None
    off = (math.degrees(told[0]) - degrees + 90) % 180 - 90
    assert abs(off) < 15


def unfocused(photo: Photo, spot: float) -> Photo:
    return Photo(cv2.GaussianBlur(photo.pixels, (0, 0), spot).astype(np.uint8), photo.size)


def test_a_photo_that_is_sharp_is_read_once(sample: Photo, seen: tuple[Detection, ...]) -> None:
    assert sharpened(sample, seen) is None
    assert sharpened(unfocused(sample, 0.01 * tile_length(seen)), seen) is None, "sharp enough"
    flat = Photo(np.full_like(sample.pixels, 90), sample.size)
    assert sharpened(flat, seen) is None


@pytest.mark.parametrize(("pixels", "line", "spot"), [(14, False, False), (30, True, False), (40, True, True)])
def test_small_tiles_show_less(
    sample: Photo, seen: tuple[Detection, ...], pixels: float, line: bool, spot: bool
) -> None:
    share = pixels / tile_length(seen)
    size = (round(sample.size[0] * share), round(sample.size[1] * share))
    small = cv2.resize(sample.pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    assert (sharpened(Photo(shaken(small, 30, 0.15 * pixels), sample.size), seen) is not None) is line
    soft = cv2.GaussianBlur(small, (0, 0), 0.05 * pixels).astype(np.uint8)
    assert (sharpened(Photo(soft, sample.size), seen) is not None) is spot


def test_one_out_of_focus_is_not_taken_for_shaken(
    sample: Photo, seen: tuple[Detection, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.reading.sharpened.taken_back", None)
    for spot in (0.03, 0.05, 0.08):
        soft = unfocused(sample, spot * tile_length(seen))
        clear = sharpened(soft, seen)
        assert clear is not None
        edges = [cv2.Laplacian(cv2.resize(one.pixels, (400, 300)), cv2.CV_64F).std() for one in (soft, clear)]
        assert edges[1] > edges[0]


def test_few_tiles_tell_no_line(sample: Photo, seen: tuple[Detection, ...]) -> None:
    blurred = Photo(shaken(sample.pixels, 30, 0.1 * tile_length(seen)), sample.size)
    assert sharpened(blurred, seen[:4]) is not None
    assert sharpened(blurred, seen[:3]) is None
    assert sharpened(blurred, ()) is None


@pytest.mark.parametrize(("direction", "length"), [(0.0, 5.0), (0.6, 8.0), (2.2, 3.0)])
def test_what_is_taken_back_undoes_most_of_a_shake(direction: float, length: float) -> None:
    taps = taken_back(direction, length)
    assert sum(share for *_, share in taps) == pytest.approx(1)
    blocks = np.kron(np.random.default_rng(3).integers(40, 210, (9, 9, 3)), np.ones((10, 10, 1))).astype(np.uint8)
    picture = cv2.GaussianBlur(blocks, (0, 0), 1.5).astype(np.uint8)
    blurred = shaken(picture, math.degrees(direction), length)
    inner = slice(20, -20)
    before = np.abs(blurred[inner, inner].astype(int) - picture[inner, inner]).mean()
    after = np.abs(sight.gathered(blurred, taps)[inner, inner].astype(int) - picture[inner, inner]).mean()
    assert after < 0.6 * before


def test_more_of_a_photo_is_read_that_is_not_sharp(reader: Reader, sample: Photo, seen: tuple[Detection, ...]) -> None:
    """Of photos shaken or blurred so hard that not every tile can be read."""

    def right(read: tuple[Detection, ...]) -> int:
        common = overlaps(np.array([one.box for one in seen]), np.array([one.box for one in read]))
        names = [read[int(row.argmax())].tile if row.max() > 0.5 else "" for row in common]
        return sum(one.tile == name for one, name in zip(seen, names, strict=True))

    photos = [
        Photo(shaken(sample.pixels, degrees, length * tile_length(seen)), sample.size)
        for degrees, length in ((100, 0.15), (30, 0.2), (100, 0.2))
    ]
    photos += [unfocused(sample, spot * tile_length(seen)) for spot in (0.05, 0.06)]
    assert sum(right(reader.detect(photo)) for photo in photos) > sum(
        right(reader._detect(one, None)) for one in photos
    )


def test_the_second_reading_is_of_the_network_for_such_photos(
    reader: Reader, sample: Photo, seen: tuple[Detection, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    classifier = reader.classifier.unsharp  # type: ignore[union-attr]
    assert classifier is not reader.classifier
    read = classifier.read
    monkeypatch.setattr(classifier, "read", lambda pixels, boxes: asked.append(len(boxes)) or read(pixels, boxes))
    reader.detect(sample)
    assert asked == []
    reader.detect(Photo(shaken(sample.pixels, 30, 0.1 * tile_length(seen)), sample.size))
    assert len(asked) == 1


def test_a_shaken_frame_is_read_once(reader: Reader, sample: Photo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.reading.pipeline.sharpened", None)
    assert reader.for_frames.detect(sample)


BOX = (0.0, 0.0, 30.0, 40.0)


@pytest.mark.parametrize(
    ("first", "second", "sure"),
    [
        pytest.param("1m", "1m", True, id="both name it alike"),
        pytest.param("2m", "1m", False, id="they differ"),
    ],
)
def test_a_name_that_the_photo_as_it_came_contradicts_is_not_sure(first: str, second: str, sure: bool) -> None:
    (read,) = better((Detection(first, BOX, 0.6),), [Detection(second, BOX, 0.95)])
    assert read.tile == second
    assert (read.confidence >= SURE) is sure
    assert read.confidence == (0.95 if sure else DOUBTED)


def test_a_tile_that_was_not_read_contradicts_nothing() -> None:
    (read,) = better((Detection("2m", BOX, 0.3, unread=True),), [Detection("1m", BOX, 0.95)])
    assert read.confidence == 0.95


def test_the_first_reading_stands_where_the_second_is_less_sure() -> None:
    first = tuple(Detection("1m", (40.0 * at, 0.0, 40.0 * at + 30, 40.0), 0.9) for at in range(10))
    assert better(first, first[:7]) == first
    assert better(first, ()) == first


@pytest.mark.parametrize(("before", "new", "read"), [(3, 9, 3), (3, 8, 11), (0, 1, 1), (10, 10, 20), (10, 11, 10)])
def test_squares_that_got_edges_are_no_tiles_face_down(before: int, new: int, read: int) -> None:
    """Face-down tiles of the sharpened photo alone are read, unless they are many and most of all tiles."""
    faces = [Detection("1m", (40.0 * at, 0.0, 40.0 * at + 30, 40.0), 0.95) for at in range(before)]
    lost = Detection("2m", (0.0, 400.0, 30.0, 440.0), 0.3, unread=True)
    squares = [Detection("back", (40.0 * at, 200.0, 40.0 * at + 30, 240.0), 0.9) for at in range(new)]
    found = better((*faces, lost), [*faces, *squares])
    assert sum(not one.unread for one in found) == read
    assert len(found) == before + new  # nothing that was found disappears
    assert all(one.shaped == 0 for one in found if one.unread)


def test_tiles_face_down_that_both_readings_see_are_read() -> None:
    squares = tuple(Detection("back", (40.0 * at, 0.0, 40.0 * at + 30, 40.0), 0.9) for at in range(9))
    found = better(squares[:2], [replace(one, confidence=0.95) for one in squares[:4]])
    assert [one.unread for one in found] == [False] * 4


Moments = list[float]


def gradients(degrees: float, along: float, across: float, print_: NDArray[np.float64]) -> tuple[Moments, Moments]:
    """Squared gradients of fine and of coarse detail (across, down, across times down) of a photo shaken in this
    direction.

    ``along``, ``across``: the ratio of fine to coarse detail along the line and across it. ``print_``: the coarse ones.
    """
    line = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    line /= math.sqrt(line @ print_ @ line)
    other = np.array([-(print_ @ line)[1], (print_ @ line)[0]])  # its gradients do not mix with the line's
    other /= math.sqrt(other @ print_ @ other)
    ways = np.stack([line, other], axis=1)
    fine = print_ @ ways @ np.diag([along, across]) @ ways.T @ print_
    return [fine[0, 0], fine[1, 1], fine[0, 1]], [print_[0, 0], print_[1, 1], print_[0, 1]]


PRINTS = {
    "even": np.array([[900.0, 0.0], [0.0, 900.0]]),
    "upright": np.array([[1600.0, 0.0], [0.0, 400.0]]),
    "falling": np.array([[900.0, 500.0], [500.0, 700.0]]),
    "rising": np.array([[700.0, -500.0], [-500.0, 900.0]]),
}


@pytest.mark.parametrize("print_", PRINTS.values(), ids=PRINTS.keys())
@pytest.mark.parametrize("degrees", [0, 20, 45, 90, 110, 170])
def test_the_line_is_exact_for_any_print(degrees: float, print_: NDArray[np.float64]) -> None:
    line = shake(*gradients(degrees, 0.1, 0.3, print_), 0.2)
    assert line is not None
    assert abs((math.degrees(line) - degrees + 90) % 180 - 90) < 0.1
    assert shake(*gradients(degrees, 0.1, 0.1 * ONE_WAY * 0.99, print_), 0.0) is None, "alike in all directions"
    assert shake(*gradients(degrees, 0.1, 0.1 * ONE_WAY * 1.01, print_), 0.0) is not None
    assert shake(*gradients(degrees, 0.1, 0.3, print_), 0.31) is None, "too little across the line"
    assert shake(*gradients(degrees, 1.1, 2.2, print_), 0.0) is None, "sharp"


def test_a_photo_without_print_shows_no_line() -> None:
    flat = np.array([[1e-2, 0.0], [0.0, 1e-2]])
    assert shake(*gradients(30, 0.1, 0.3, flat), 0.0) is None
