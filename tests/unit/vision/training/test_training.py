"""The parts of training that run without torch: turned labels, cut windows without a tile."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.detection.types import Found
from vision.labelling.taught import turn_boxes
from vision.training.data.crops import STORED, Crops, _empty_windows, _false_finds, without_hidden_tiles
from vision.training.export.package import told_of
from vision.training.networks.detector import NO_TILE_CLASS
from vision.training.progress import ProgressReporter
from vision.training.synthetic.drawn.birds import bird
from vision.training.synthetic.drawn.plants import plant
from vision.training.synthetic.drawn.suits import STICKS, circles, sticks, strokes
from vision.training.synthetic.erase import erase

unit = st.floats(0, 1)


@given(st.lists(st.tuples(unit, unit, unit, unit), max_size=5), st.integers(0, 3))
def test_a_full_turn_brings_the_boxes_back(boxes: list[tuple[float, float, float, float]], quarter: int) -> None:
    back = turn_boxes(turn_boxes(boxes, quarter), 4 - quarter)
    assert np.allclose(np.array(back), np.array(boxes))


def test_boxes_turn_with_the_picture() -> None:
    from PIL import Image

    picture = np.zeros((40, 80), np.uint8)
    picture[5:15, 50:70] = 255  # box x 50-70, y 5-15
    turned = np.asarray(Image.fromarray(picture).rotate(90, expand=True))
    ((cx, cy, w, h),) = turn_boxes([(60 / 80, 10 / 40, 20 / 80, 10 / 40)], 1)
    height, width = turned.shape
    ys, xs = np.nonzero(turned)
    assert (xs.min(), xs.max() + 1) == pytest.approx(((cx - w / 2) * width, (cx + w / 2) * width))
    assert (ys.min(), ys.max() + 1) == pytest.approx(((cy - h / 2) * height, (cy + h / 2) * height))


def test_windows_without_a_tile_keep_off_the_tiles() -> None:
    boxes = np.array([[100.0, 100.0, 40.0, 60.0], [150.0, 100.0, 40.0, 60.0]])
    found = _empty_windows(boxes, 400, 300, random.Random(1), 20)
    assert found
    for cx, cy, _ in found:
        assert not any(abs(cx - x) < 0.36 * w and abs(cy - y) < 0.36 * h for x, y, w, h in boxes)


def test_a_false_find_is_one_with_no_label_near_and_inside_the_picture() -> None:
    class Sees:
        def find(self, pixels: np.ndarray) -> Found:
            boxes = np.array([[82.0, 72, 118, 128], [200, 100, 240, 160], [300, 0, 340, 50], [110, 70, 150, 130]])
            return Found(boxes, np.ones(len(boxes)))

    labels = np.array([[100.0, 100.0, 40.0, 60.0]])
    found = _false_finds(np.zeros((300, 400, 3), np.uint8), labels, Sees())
    assert found == [(220, 130, 40, 60)]


def test_a_window_in_which_every_reader_sees_a_tile_is_no_window_without_one() -> None:
    class Says:
        def __init__(self, *none: float) -> None:
            self.none = iter(none)

        def read(self, pixels: NDArray[np.uint8], boxes: NDArray[np.float64]) -> NDArray[np.float64]:
            x1, y1, x2, y2 = boxes[0]
            assert (x1 + x2, y1 + y2) == pytest.approx((STORED, STORED))
            probabilities: NDArray[np.float64] = np.eye(44)[[NO_TILE_CLASS]] * next(self.none)
            return probabilities

    held = np.array([False, False, False, True])
    crops = Crops(
        np.zeros((4, STORED, STORED, 3), np.uint8),
        np.array([3, NO_TILE_CLASS, NO_TILE_CLASS, NO_TILE_CLASS]),
        np.ones((4, 2), np.float32),
        held,
    )
    cleaned = without_hidden_tiles(crops, [Says(0.1, 0.2), Says(0.05, 0.9)])
    assert cleaned.classes.tolist() == [
        3,
        NO_TILE_CLASS,
        NO_TILE_CLASS,
    ]  # the first window goes, held-out ones stay
    assert cleaned.held_out.tolist() == [False, False, True]
    assert len(without_hidden_tiles(crops, []).classes) == 4


def test_tiles_are_painted_over_whole_and_the_others_stay() -> None:
    pixels = np.full((300, 900, 3), 90, np.uint8)
    row = [np.array([40.0 + 60 * n, 100.0, 90.0 + 60 * n, 170.0]) for n in range(5)]
    boxes = np.array([*row, [700.0, 100, 750, 170]])
    for x1, y1, x2, y2 in boxes.astype(int):
        pixels[y1:y2, x1:x2] = 250
    alone = set()
    for seed in range(6):
        changed, gone = erase(pixels, boxes, random.Random(seed))
        alone.add(5 in gone)
        for place, (x1, y1, x2, y2) in enumerate(boxes.astype(int)):
            white = (changed[y1:y2, x1:x2] > 200).all(2).mean()
            if place in gone:
                sheet = changed[(y1 + y2) // 2, (x1 + x2) // 2].astype(int)
                assert (np.abs(changed[y1 + 8 : y2 - 8, x1 + 8 : x2 - 8] - sheet) < 60).all()
            else:
                assert white > 0.8
    assert alone == {True, False}
    assert (pixels == 250).any(), "the photo itself is left as it is"


def test_lines_come_at_once_then_now_and_then_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr("vision.training.progress.time.monotonic", lambda: now[0])
    teller = ProgressReporter("training", "crops", 12_800, 1_000)
    for seconds, done, loss in ((2, 1_100, 2.5), (4, 1_200, 2.0), (8, 1_400, 1.5), (9, 12_800, 1.0)):
        now[0] = 100.0 + seconds
        teller.tell(done, loss)
    assert capsys.readouterr().out.splitlines() == [
        "training: 1,100 of 12,800 crops  loss 2.500  50.0 crops/s",
        "training: 1,400 of 12,800 crops  loss 1.500  50.0 crops/s",
        "training: 12,800 of 12,800 crops  loss 1.000  1311.1 crops/s",
    ]
    ProgressReporter("cutting", "photos", 20).tell(0)
    assert capsys.readouterr().out == "cutting: 0 of 20 photos  0.0 photos/s\n"


def test_a_reader_that_was_not_trained_keeps_what_its_manifest_says(tmp_path: Path) -> None:
    kept = {"architecture": "yolo11n-cls", "input": 64, "temperature": 0.8}
    (tmp_path / "manifest.json").write_text(json.dumps({"reader": kept}), encoding="utf-8")
    reader = tmp_path / "reader.onnx"
    assert told_of(reader, "reader") == {"arch": "yolo11n-cls", "input": 64, "temperature": 0.8}
    (tmp_path / "reader.json").write_text('{"arch": "other", "input": 96, "temperature": 1.1}', encoding="utf-8")
    assert told_of(reader, "reader")["arch"] == "other"


@pytest.mark.parametrize("draw", [plant, bird])
def test_plants_and_birds_fill_their_picture_and_no_two_are_alike(
    draw: Callable[[random.Random, tuple[int, int]], NDArray[np.uint8]],
) -> None:
    drawn = [draw(random.Random(seed), (190, 250)) for seed in range(40)]
    for one in drawn:
        assert one.shape == (250, 190, 4)
        ys, xs = np.nonzero(one[:, :, 3] > 128)
        assert np.ptp(ys) > 60
        assert np.ptp(xs) > 10
    assert len({one.tobytes() for one in drawn}) == len(drawn)
    assert np.array_equal(drawn[7], draw(random.Random(7), (190, 250)))


def _apart(drawn: NDArray[np.uint8]) -> int:
    """How many shapes stand apart in a drawing."""
    outlines, _ = cv2.findContours((drawn[:, :, 3] > 100).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return len(outlines)


@pytest.mark.parametrize("number", range(1, 10))
def test_a_drawn_face_has_as_many_circles_or_strokes_as_its_number(number: int) -> None:
    for seed in range(6):
        assert _apart(circles(number, random.Random(seed), (190, 250))) == number
        if number <= 3:
            assert _apart(strokes(number, random.Random(seed), (150, 90), (0, 0, 0))) == number


@pytest.mark.parametrize("number", STICKS)
def test_no_two_drawn_faces_of_sticks_are_alike(number: int) -> None:
    drawn = [sticks(number, random.Random(seed), (190, 250)) for seed in range(4)]
    assert len(STICKS[number]) == number
    assert len({one.tobytes() for one in drawn}) == len(drawn)
