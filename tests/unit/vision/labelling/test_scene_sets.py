"""The model labels many photos by the tile set that was named for their scene, and again once it knows more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.strange_photos import TWO_FLOWERS, Strange, unknown_flowers
from vision.detection.coloured_light import in_white_light
from vision.detection.types import Detection
from vision.geometry import covered
from vision.labelling.assist.prelabel import prelabel, to_prelabel, to_renew
from vision.labelling.assist.scene_memory import own_memory
from vision.labelling.labels import Box, Label, LabelledPhoto, PhotoInfo
from vision.labelling.quality.examine import Seen, _SceneSets, look_at
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.photo.image import load_photo
from vision.tileset.chosen import choose, scene_key
from vision.tileset.enrolment import crop_of
from vision.tileset.store import TileSetStore
from vision.tileset.values import Reference, TileSet

SCENE = LabelledPhoto(PhotoInfo("a" * 64, "a.jpg", (10, 10), scene="A"))
OTHER = LabelledPhoto(PhotoInfo("b" * 64, "b.jpg", (10, 10), scene="B"))


@pytest.fixture
def sets(tmp_path: Path) -> TileSetStore:
    """A set that knows the two flowers of a photo, named for scene A of the label set ``demo``."""
    taught = unknown_flowers(TWO_FLOWERS[0])
    photo = load_photo(taught.jpeg)
    boxes = np.array(list(taught.places.values())) / (*photo.scale, *photo.scale)
    pixels = in_white_light(photo.pixels, boxes)
    crops = [crop_of(pixels, [float(value) for value in box]) for box in boxes]
    store = TileSetStore.in_data(tmp_path)
    store.save(TileSet("mine", tuple(Reference(name, crop) for name, crop in zip(taught.places, crops, strict=True))))
    choose(store, "mine", scene_key("demo", "A"))
    return store


def flowers(photo: Strange, tile_set: Any) -> list[str]:
    """The names read for the two flowers."""
    seen = look_at({"photo": photo.jpeg, "labels": [], "models": "", "tile_set": tile_set})["tiles"]
    return [tile for place in photo.places.values() for tile, *box in seen if covered(box[:4], place) > 0.5]


def test_a_photo_is_read_by_its_scenes_set(sets: TileSetStore) -> None:
    chosen, photo = _SceneSets(sets.root, "demo"), unknown_flowers(TWO_FLOWERS[1])
    assert flowers(photo, chosen.of(OTHER)) != ["3f", "4f"]
    assert flowers(photo, chosen.of(SCENE)) == ["3f", "4f"]


def test_what_was_read_by_less_is_read_again(sets: TileSetStore) -> None:
    before = _SceneSets(sets.root, "demo").key(SCENE)
    assert _SceneSets(sets.root, "demo").key(OTHER) == _SceneSets(None, "demo").key(SCENE) == ""
    sets.change("mine", lambda held: held.without("0001"))
    after = _SceneSets(sets.root, "demo").key(SCENE)
    assert len({before, after, ""}) == 3


def test_a_damaged_set_stops_no_reading(sets: TileSetStore) -> None:
    chosen = _SceneSets(sets.root, "demo")
    tile_set = chosen.of(SCENE)
    (sets.root / "mine/set.json").write_text("{", encoding="utf-8")
    assert flowers(unknown_flowers(TWO_FLOWERS[1]), tile_set) != ["3f", "4f"]


def test_a_scene_without_a_named_set_is_read_by_its_own_memory(tmp_path: Path, sets: TileSetStore) -> None:
    labels = DatasetStore.create(tmp_path / "datasets" / "demo")
    assert _SceneSets(sets.root, "demo", labels).of(OTHER) is None, "nothing was confirmed yet"
    root, name = own_memory(labels, "B")
    TileSetStore(root).save(TileSet(name, sets.load("mine").references))
    place = _SceneSets(sets.root, "demo", labels).of(OTHER)
    assert flowers(unknown_flowers(TWO_FLOWERS[1]), place) == ["3f", "4f"]
    named = _SceneSets(sets.root, "demo", labels).of(SCENE)
    assert named is not None
    assert named[:2] == (str(sets.root), "mine"), "the named set comes first"


def test_one_set_may_be_given_for_all_scenes(sets: TileSetStore) -> None:
    place = _SceneSets(sets.root, "elsewhere", only="mine").of(OTHER)
    assert place is not None
    assert place[:2] == (str(sets.root), "mine")


def test_again_means_unchecked_boxes_beside_checked_ones_too(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "demo")
    info, _ = store.add(unknown_flowers(TWO_FLOWERS[0]).jpeg, "a.jpg")
    checked = Label("1m", Box(10, 10, 40, 50), checked=True, id="a")
    photo = store.save(info.id, [checked, Label("2m", Box(60, 10, 90, 50), "model", 0.5, id="b")], 0)
    assert to_prelabel([photo]) == []
    assert to_renew([photo]) == [photo]
    detections = (
        Detection("3m", (12, 12, 42, 52), 0.9, (), 0.9),
        Detection("4m", (61, 10, 91, 50), 0.8, (), 0.8),
    )
    prelabel(store, [photo], {info.id: Seen(detections, (), (), 1.0)}, Report())
    labels = store.get(info.id).labels
    assert [(label.tile, label.checked) for label in labels] == [("1m", True), ("4m", False)]
