"""A person's answers about the boxes of a labelled photo become references of its scene's set; later answers replace
them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from tests.strange_photos import TWO_FLOWERS, unknown_flowers
from vision.labelling.labels import Box, Label, LabelledPhoto
from vision.labelling.store import DatasetStore
from vision.photo.image import load_photo
from vision.tileset.from_labels import ENOUGH, MOST, said_of, teach
from vision.tileset.store import TileSetStore
from vision.tileset.values import CROP, Reference

SET = "阿公的牌"
PLACES = [Box(40 + 70 * at, 300, 100 + 70 * at, 380) for at in range(10)]


@pytest.fixture
def sets(tmp_path: Path) -> TileSetStore:
    return TileSetStore.in_data(tmp_path)


@pytest.fixture
def labels(tmp_path: Path) -> DatasetStore:
    store = DatasetStore.create(tmp_path / "datasets/demo", "試試")
    store.add(unknown_flowers(TWO_FLOWERS[0]).jpeg, "one.jpg")
    return store


def label(at: int, tile: str, *, checked: bool = True, confidence: float | None = 0.6, origin: str = "model") -> Label:
    return Label(tile, PLACES[at], origin, confidence, checked, f"b{at}")  # type: ignore[arg-type]


def saved(store: DatasetStore, *labels: Label) -> LabelledPhoto:
    (photo,) = store
    return store.save(photo.photo.id, labels, photo.photo.revision)


def taught(store: DatasetStore, sets: TileSetStore, *labels: Label) -> list[str]:
    """The codes of the references after a save."""
    photo = saved(store, *labels)
    teach(sets, SET, said_of(store, photo), lambda: load_photo(store.photo_file(photo.photo)))
    held = sets.find(SET)
    return sorted(one.tile for one in held.references) if held else []


def test_checked_boxes_count_at_once(labels: DatasetStore, sets: TileSetStore) -> None:
    assert taught(labels, sets, label(0, "1m"), label(1, "2m", checked=False)) == ["1m"]
    assert taught(labels, sets, label(0, "1m"), label(1, "2m")) == ["1m", "2m"]
    assert all(one.source == "correction" and one.crop.shape == (CROP, CROP, 3) for one in sets.load(SET).references)


@pytest.mark.parametrize(
    ("then", "left"),
    [
        ([label(0, "9m"), label(1, "2m")], ["2m", "9m"]),  # named otherwise
        ([label(1, "2m")], ["2m"]),  # removed after it was checked: a person's box is not lettering
        ([label(0, "1m", checked=False), label(1, "2m")], ["2m"]),  # no longer checked
    ],
)
def test_what_is_said_otherwise_is_forgotten(
    labels: DatasetStore, sets: TileSetStore, then: list[Label], left: list[str]
) -> None:
    taught(labels, sets, label(0, "1m"), label(1, "2m"))
    assert taught(labels, sets, *then) == left


def test_a_place_without_a_box_is_no_tile_once_all_is_checked(labels: DatasetStore, sets: TileSetStore) -> None:
    saved(labels, label(0, "1m", checked=False), label(5, "4z", checked=False))
    assert taught(labels, sets, label(0, "1m", checked=False)) == []
    assert taught(labels, sets, label(0, "1m")) == ["1m", "none"]
    assert taught(labels, sets, label(0, "1m"), label(5, "4z")) == ["1m", "4z"]  # it was a tile after all


@pytest.mark.parametrize(
    "gone",
    [
        label(5, "4z", checked=False, confidence=0.99),  # surely a tile: somebody else's
        label(5, "4z", checked=False, origin="person", confidence=None),  # drawn by a slip
        dataclasses.replace(label(5, "1m", checked=False), box=PLACES[0]),  # the same tile, seen twice
    ],
)
def test_what_was_not_said_of_a_place_is_not_remembered(labels: DatasetStore, sets: TileSetStore, gone: Label) -> None:
    saved(labels, label(0, "1m", checked=False), gone)
    assert taught(labels, sets, label(0, "1m")) == ["1m"]


def test_face_down_tiles_without_labels_are_tiles(labels: DatasetStore, sets: TileSetStore) -> None:
    saved(labels, label(0, "1m", checked=False), label(5, "back", checked=False))
    (photo,) = labels
    labels.change(photo.photo.id, hidden_backs=True)
    assert taught(labels, sets, label(0, "1m")) == ["1m"]


def test_a_few_of_each_tile_and_more_of_what_is_doubtful(labels: DatasetStore, sets: TileSetStore) -> None:
    sure = [label(at, "1m", confidence=0.99) for at in range(ENOUGH + 2)]
    assert taught(labels, sets, *sure) == ["1m"] * ENOUGH
    doubtful = [label(at, "1m", confidence=0.5) for at in range(MOST + 2)]
    assert taught(labels, sets, *doubtful) == ["1m"] * MOST


def test_tiles_that_are_not_seen_whole_teach_nothing(labels: DatasetStore, sets: TileSetStore) -> None:
    cut = dataclasses.replace(label(0, "1m"), box=Box(0, 300, 60, 380))
    assert taught(labels, sets, cut, label(3, "2m")) == ["2m"]


def test_other_photos_and_shown_tiles_stay(labels: DatasetStore, sets: TileSetStore) -> None:
    crop = np.zeros((CROP, CROP, 3), np.uint8)
    shown = (Reference("1f", crop), Reference("2f", crop, of="another-photo/b0"))
    sets.change(SET, lambda held: held.with_references(shown), new=True)
    taught(labels, sets, label(0, "1m"))
    assert taught(labels, sets, label(0, "1m", checked=False)) == ["1f", "2f"]


def test_a_disk_that_refuses_keeps_the_labels(
    labels: DatasetStore, sets: TileSetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = saved(labels, label(0, "1m"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vision.tileset.store.put_file", full)
    assert teach(sets, SET, said_of(labels, photo), lambda: load_photo(labels.photo_file(photo.photo))) is None
    assert len(labels.get(photo.photo.id).labels) == 1
