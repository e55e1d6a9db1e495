"""Versions: one content, one hash; a difference that people can read."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from tests.unit.vision.labelling.support.sets import photo_bytes, small_set
from vision.labelling.io.exporting import export
from vision.labelling.io.importing import import_into
from vision.labelling.labels import Box, Label
from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from vision.labelling.versions import content_hash, difference, keep_version, load_state, versions


def test_the_same_content_has_the_same_hash_however_it_came(tmp_path: Path) -> None:
    store = small_set(tmp_path / "a")
    export(store, "coco", tmp_path / "out")
    again = DatasetStore.create(tmp_path / "b")
    import_into(again, tmp_path / "out")
    assert content_hash(again) == content_hash(store)
    assert difference(list(store), list(again)).same


@pytest.mark.parametrize("what", ["tile", "box", "checked", "confidence", "scene", "split", "photo", "removed"])
def test_every_change_changes_the_hash(what: str, tmp_path: Path) -> None:
    store = small_set(tmp_path / "a")
    before = content_hash(store)
    first = store.get("p00.png")
    label = first.labels[0]
    changes: dict[str, dict[str, object]] = {
        "tile": {"tile": "8f"},
        "box": {"box": Box(10, 10, 35, 51)},
        "checked": {"checked": True},
        "confidence": {"confidence": 0.5},
    }
    if what in changes:
        changed = dataclasses.replace(label, **changes[what])  # type: ignore[arg-type]
        store.save(first.photo.id, [changed, *first.labels[1:]], 1)
    elif what == "photo":
        store.add(photo_bytes(77), "new.png")
    elif what == "removed":
        store.save(first.photo.id, first.labels[1:], 1)
    else:
        store.change(first.photo.id, **{what: "val"})
    assert content_hash(store) != before


def test_a_difference_names_everything(tmp_path: Path) -> None:
    store = small_set(tmp_path / "a")
    saved, fresh = keep_version(store)
    assert fresh
    assert keep_version(store) == (saved, False)
    first, second = store.get("p00.png"), store.get("p01.png")
    first_label, two = first.labels
    moved = dataclasses.replace(first_label, box=Box(14, 10, 39, 50))
    renamed = dataclasses.replace(two, tile="7z")
    store.save(first.photo.id, [moved, renamed, Label("back", Box(100, 60, 130, 100))], 1)
    store.save(second.photo.id, second.labels[1:], 1)
    store.change(second.photo.id, scene="elsewhere")
    store.add(photo_bytes(50), "new.png")
    changes = difference(load_state(f"{store.folder}@v1"), load_state(str(store.folder)))
    text = changes.text("en")
    for sentence in (
        "photos added: 1",
        "boxes added: 1",
        "boxes removed: 1",
        "boxes moved: 1",
        "boxes renamed: 1",
        "+ new.png",
        "p00.png: 1m [10 10 35 50] → 1m [14 10 39 50]",
        "2m [40 10 65 50] → 7z [40 10 65 50]",
        "scene: 'scene0' → 'elsewhere'",
        "7z 0 → 1 (+1)",
        "back 0 → 1 (+1)",
    ):
        assert sentence in text, sentence
    values = changes.to_json()
    assert values["photos_added"] == ["new.png"]
    assert sorted(box["kind"] for box in values["boxes"]) == ["added", "moved", "removed", "renamed"]
    backwards = difference(load_state(str(store.folder)), load_state(str(saved)))
    assert [info.name for info in backwards.removed] == ["new.png"]
    keep_version(store)
    assert [path.stem.split("-")[0] for path in versions(store)] == ["v1", "v2"]


def test_boxes_without_a_common_id_are_matched_by_place(tmp_path: Path) -> None:
    first_set, other = small_set(tmp_path / "a"), small_set(tmp_path / "b")
    first = other.get("p00.png")
    fresh = [Label(label.tile, dataclasses.replace(label.box, y2=label.box.y2 - 4)) for label in first.labels]
    other.save(first.photo.id, fresh, 1)
    assert [change.kind for _, change in difference(list(first_set), list(other)).boxes] == ["moved", "moved"]


@pytest.mark.parametrize("name", ["nowhere", "{a}@v7", "{a}@"])
def test_a_state_that_is_not_there(name: str, tmp_path: Path) -> None:
    small_set(tmp_path / "a")
    with pytest.raises(LabellingError):
        load_state(name.format(a=tmp_path / "a"))


def test_a_damaged_version_is_named_by_its_line(tmp_path: Path) -> None:
    store = small_set(tmp_path / "a")
    path, _ = keep_version(store)
    path.write_text(path.read_text().replace('"tile": "2m"', '"tile": "2x"', 1))
    with pytest.raises(LabellingError, match=r"line \d"):
        load_state(str(path))
