"""A clip becomes frames, and labels follow from one frame to the next."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection.types import Detection
from vision.labelling.assist.follow import follow, movement
from vision.labelling.history.operations import operations
from vision.labelling.io import video
from vision.labelling.io.video import import_clip, read_clip
from vision.labelling.labels import Box, Label
from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from vision.photo.image import load_photo


def table() -> NDArray[np.uint8]:
    """A picture with much to hold on to."""
    noise = np.random.default_rng(3).integers(0, 255, (90, 160, 3), dtype=np.uint8)
    return cv2.resize(noise, (1280, 720), interpolation=cv2.INTER_CUBIC).astype(np.uint8)


def view(left: int, top: int = 40) -> NDArray[np.uint8]:
    return np.ascontiguousarray(table()[top : top + 480, left : left + 640])


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """Three pictures, ten frames each."""
    path = tmp_path / "hand.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    for left in (0, 200, 400):
        for _ in range(10):
            writer.write(view(left))
    writer.release()
    return path


def test_the_frames_that_differ_come_in_as_one_operation(clip: Path, tmp_path: Path) -> None:
    findings = read_clip(clip)
    assert [frame.number // 10 for frame in findings.frames] == [0, 1, 2]
    assert (findings.read, findings.whole) == (30, True)
    assert [frame.number // 10 for frame in read_clip(clip, most=2).frames] == [0, 2]
    store = DatasetStore.create(tmp_path / "set")
    report = import_clip(store, clip)
    assert report.counts["photos_added"] == 3
    assert {info.scene for info in store.photos()} == {"hand"}
    assert [(operation.id, operation.kind, operation.photos) for operation in operations(store)] == [
        (report.operation, "video", 3)
    ]


def test_of_large_frames_fewer_are_held_and_they_are_spread_over_the_clip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pan.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 2, (640, 480))
    for at in range(24):
        writer.write(view(25 * at))
    writer.release()
    every = read_clip(path).frames
    assert len(every) >= 20
    monkeypatch.setattr(video, "HELD", 6 * len(every[0].jpeg))
    fewer = read_clip(path).frames
    assert 3 <= len(fewer) <= 8
    assert fewer[0].number <= 4
    assert fewer[-1].number >= 16


@pytest.mark.parametrize(
    "data", [b"", b"no clip at all", b"RIFF\x00\x00\x00\x00AVI LIST"], ids=["empty", "text", "cut off"]
)
def test_a_broken_clip_is_named(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.avi"
    path.write_bytes(data)
    with pytest.raises(LabellingError):
        read_clip(path)
    store = DatasetStore.create(tmp_path / "set")
    report = import_clip(store, path)
    assert "broken.avi" in report.text("en")
    assert (store.count(), operations(store)) == (0, [])


PHONE = Path(__file__).parents[4] / "datasets/rendered/clips/phone.mov"


def test_a_phone_s_clip_turned_and_without_a_steady_pace() -> None:
    clip = read_clip(PHONE)
    assert (clip.read, clip.total, clip.whole) == (26, 26, True)
    places = [(load_photo(frame.jpeg).size, round(frame.second, 1)) for frame in clip.frames]
    assert places == [((480, 640), 0.0), ((480, 640), 1.6)], "upright, where the camera rested, at the clip's own times"


def test_of_a_clip_that_was_cut_off_what_can_be_read_comes_in(tmp_path: Path) -> None:
    data = PHONE.read_bytes()
    path = tmp_path / "half.mov"
    path.write_bytes(data[: len(data) * 2 // 3])
    store = DatasetStore.create(tmp_path / "set")
    report = import_clip(store, path)
    assert store.count() == 1
    assert [(note.place, note.said.key) for note in report.notes] == [("half.mov", "clip_cut_off")]
    assert "26 frames, 9 could be read" in report.text("en")
    assert "26 格畫面，只讀得到 9 格" in report.text("zh")


def jpeg(pixels: NDArray[np.uint8]) -> bytes:
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])[1])


def test_labels_follow_the_picture(tmp_path: Path) -> None:
    first, second = load_photo(jpeg(view(100))), load_photo(jpeg(view(160, 60)))
    labels = [
        Label("3p", Box(200, 200, 240, 260), checked=True),
        Label("7z", Box(300, 200, 340, 260), checked=True),
        Label("1m", Box(5, 5, 40, 60), checked=True),
    ]
    seen = [Detection("3p", (141.0, 181.0, 182.0, 242.0), 0.9, (), 0.9)]
    findings = follow(labels, first, second, seen)
    assert [label.tile for label in findings] == ["3p", "7z"], "the third one has left the picture"
    assert findings[0].box == Box(141, 181, 182, 242), "the model's box where it sees the tile"
    assert findings[1].box.center == pytest.approx((260, 210), abs=2)
    assert [label.checked for label in findings] == [False, False]
    assert (findings[0].confidence or 0) >= 0.9
    assert (findings[1].confidence or 1) <= 0.5, "nothing is seen there: a person looks"


def test_pictures_of_different_tables_have_no_common_movement() -> None:
    other = np.random.default_rng(9).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    blank = np.full((480, 640, 3), 90, np.uint8)
    assert movement(load_photo(jpeg(view(100))), load_photo(jpeg(blank))) is None
    label = dataclasses.replace(Label("3p", Box(200, 200, 240, 260)))
    assert follow([label], load_photo(jpeg(blank)), load_photo(jpeg(other)), []) == []
