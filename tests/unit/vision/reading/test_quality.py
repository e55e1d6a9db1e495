"""照片好不好: our own rendered photos with artificial faults; the hint appears, names its tiles and the remedy."""

from __future__ import annotations

import json
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.languages import WHOLE
from vision.detection.types import Detection
from vision.layout.grouping import arrange
from vision.photo.image import Photo, load_photo
from vision.photo.sample import sample_photo_path
from vision.reading.quality import at_edge, judge, measure
from vision.reading.reading import understand

Pixels = NDArray[np.uint8]


@cache
def sample() -> tuple[Photo, tuple[Detection, ...]]:
    truth = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))
    detections = tuple(Detection(tile["tile"], tuple(tile["box"]), 0.99) for tile in truth["tiles"])
    return load_photo(sample_photo_path()), detections


def said(pixels: Pixels, scale: float = 1.0, confidence: float = 0.99) -> dict[str, tuple[int, ...]]:
    """Hints by key, for the sample's pixels changed, and shrunk by ``scale``."""
    photo, detections = sample()
    size = photo.size if scale == 1 else (pixels.shape[1], pixels.shape[0])
    moved = [Detection(d.tile, tuple(v * scale for v in d.box), confidence) for d in detections]  # type: ignore[arg-type]
    checks = judge(Photo(pixels, size), moved, arrange(moved, size).table)
    for check in checks:
        assert check.about == "photo"
        for lang in WHOLE:
            assert "{" not in check.message.text(lang)
    return {check.message.key: check.tiles for check in checks}


def changed(kind: str) -> Pixels:
    pixels = sample()[0].pixels
    if kind == "blur":
        return cv2.GaussianBlur(pixels, (0, 0), 7).astype(np.uint8)
    if kind == "motion":
        line = np.zeros((35, 35), np.float32)
        line[17] = 1 / 35
        return cv2.filter2D(pixels, -1, line).astype(np.uint8)
    if kind == "dark":
        return (((pixels / 255) ** 2.2 / 60) ** (1 / 2.2) * 255).astype(np.uint8)
    if kind == "dim":
        return (pixels * 0.3).astype(np.uint8)
    if kind == "lamp":
        return (pixels * (1, 0.3, 0.9)).astype(np.uint8)
    return pixels


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("as it is", None),
        ("blur", "quality_blurred"),
        ("motion", "quality_blurred"),
        ("dark", "quality_dark"),
        ("dim", "quality_dim"),
        ("lamp", "quality_coloured"),
    ],
)
def test_the_photo_as_a_whole(kind: str, expected: str | None) -> None:
    found = said(changed(kind))
    assert list(found) == ([expected] if expected else [])
    if expected:
        assert len(found[expected]) >= len(sample()[1]) / 2


def test_too_small() -> None:
    photo, _ = sample()
    scale = 0.1
    small = cv2.resize(photo.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.uint8)
    found = said(small, scale)
    assert list(found) == ["quality_small"]
    assert set(found["quality_small"]) == set(range(len(sample()[1])))


def test_taken_from_too_low() -> None:
    photo, detections = sample()
    squeezed = cv2.resize(photo.pixels, None, fx=1, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
    flat = [Detection(d.tile, (d.box[0], d.box[1] / 2, d.box[2], d.box[3] / 2), 0.99) for d in detections]
    size = (squeezed.shape[1], squeezed.shape[0])
    keys = [check.message.key for check in judge(Photo(squeezed, size), flat, arrange(flat, size).table)]
    assert "quality_slanting" in keys


@pytest.mark.parametrize("place", [2, 9])
def test_glare_names_its_tile(place: int) -> None:
    photo, detections = sample()
    pixels = photo.pixels.astype(np.float32)
    x, y = detections[place].center
    rows, columns = np.mgrid[0 : pixels.shape[0], 0 : pixels.shape[1]]
    radius = 0.45 * max(detections[place].size)
    pixels += (600 * np.exp(-1.5 * ((columns - x) ** 2 + (rows - y) ** 2) / radius**2))[..., None]
    burnt = pixels.clip(0, 255).astype(np.uint8)
    found = said(burnt, confidence=0.7)
    assert list(found) == ["quality_glare"]
    assert found["quality_glare"] == (place,)
    assert said(burnt) == {}  # the face was seen


def test_a_bright_photo_is_no_glare() -> None:
    """White tiles burnt out all alike are not glare on one of them."""
    photo, _ = sample()
    burnt = (photo.pixels.astype(np.float32) * 1.6).clip(0, 255).astype(np.uint8)
    assert "quality_glare" not in said(burnt, confidence=0.7)


def test_cut_off_at_the_edge() -> None:
    detection = Detection("1m", (0, 100, 60, 180))
    assert at_edge(detection, (1000, 800))
    assert at_edge(Detection("1m", (939, 100, 999, 180)), (1000, 800))
    assert not at_edge(Detection("1m", (10, 100, 70, 180)), (1000, 800))
    grey = np.random.default_rng(0).integers(0, 255, (800, 1000, 3)).astype(np.uint8)
    checks = judge(Photo(grey, (1000, 800)), [Detection("1m", (300, 300, 360, 380)), detection])
    assert [(check.message.key, check.tiles) for check in checks] == [("at_edge", (1,))]


def test_a_photo_without_tiles_and_boxes_without_pixels() -> None:
    photo, _ = sample()
    assert judge(photo, []) == ()
    assert measure(photo, Detection("1m", (0.1, 0.1, 0.9, 0.9))) is None
    assert measure(photo, Detection("1m", (5000, 5000, 5100, 5100))) is None


def test_a_photo_decoded_smaller_is_measured_in_its_own_pixels() -> None:
    photo, detections = sample()
    twice = [Detection(d.tile, tuple(2 * v for v in d.box), 0.99) for d in detections]  # type: ignore[arg-type]
    large = Photo(photo.pixels, (2 * photo.size[0], 2 * photo.size[1]))
    one, other = measure(photo, detections[0]), measure(large, twice[0])
    assert one is not None
    assert one == other


def test_hints_come_first_among_the_warnings() -> None:
    _, detections = sample()
    lost = detections[1:]
    photo = Photo(changed("dark"), sample()[0].size)
    layout = arrange(lost, photo.size)
    reading = understand(lost, layout, photo.size, judge(photo, lost))
    assert reading.warnings[0].key == "quality_dark"
    assert "tile_count_short" in [warning.key for warning in reading.warnings]
    line = reading.to_json("a.jpg")
    assert [check["about"] for check in line["checks"]] == ["photo", *["reading"] * (len(line["checks"]) - 1)]
