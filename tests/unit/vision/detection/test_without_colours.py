"""A sure name that the drawing without its colours speaks against is not sure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.detection.classifier import OnnxClassifier
from vision.detection.types import SURE
from vision.models.manifest import CLASSES
from vision.photo.image import Photo, load_photo
from vision.reading.pipeline import OF_COLOURS, Reader

HAND = Path(__file__).parents[4] / "datasets/rendered/images/val/hand-01.jpg"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def photo() -> Photo:
    return load_photo(HAND)


def test_known_faces_are_told_by_their_drawing(reader: Reader, photo: Photo) -> None:
    tiles = [one for one in reader.detect(photo) if one.tile != "back" and not one.unread]
    assert all(one.confidence != OF_COLOURS for one in tiles)
    boxes = np.array([one.box for one in tiles]) / np.array(photo.scale * 2)
    codes = np.array([CLASSES.index(one.tile) for one in tiles])
    assert isinstance(reader.classifier, OnnxClassifier)
    assert not reader.classifier.contradicted(photo.pixels, boxes, codes).any()
    assert reader.classifier.contradicted(photo.pixels, boxes, (codes + 1) % 27).all()


def test_a_name_of_colours_alone_is_to_be_looked_at(
    reader: Reader, photo: Photo, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = reader.read(photo)

    def one_of_them(self: Any, pixels: Any, boxes: Any, codes: Any) -> Any:
        return np.arange(len(codes)) == 2

    monkeypatch.setattr(OnnxClassifier, "contradicted", one_of_them)
    after = reader.read(photo)
    changed = [place for place, one in enumerate(after.detections) if one != before.detections[place]]
    assert len(changed) == 1
    (place,) = changed
    assert after.detections[place].confidence == OF_COLOURS < SURE <= before.detections[place].confidence
    assert [one.tile for one in after.detections] == [one.tile for one in before.detections]
    assert {one.message.key for one in after.checks} - {one.message.key for one in before.checks} == {"low_confidence"}
