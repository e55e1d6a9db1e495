"""Every written format: an export comes back as it was, as far as the format can hold it."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.vision.labelling.support.sets import QUICK, labels, photo_bytes, words
from vision.labelling.formats import WRITTEN
from vision.labelling.io.exporting import export, held
from vision.labelling.io.importing import import_into
from vision.labelling.labels import SPLITS, Box, Label, LabelledPhoto
from vision.labelling.store import DatasetStore

photos = st.fixed_dictionaries(
    {
        "name": words,
        "labels": st.lists(labels, max_size=4, unique_by=lambda label: (label.tile, label.box.upright())),
        "scene": words,
        "source": words,
        "licence": words,
        "consent": words,
        "split": st.sampled_from((None, *SPLITS)),
        "hidden_backs": st.booleans(),
    }
)


def content(photo: LabelledPhoto) -> tuple[Any, ...]:
    info = photo.photo
    about = (
        info.id,
        info.name,
        info.size,
        info.scene,
        info.source,
        info.licence,
        info.consent,
        info.split,
        info.hidden_backs,
    )
    return *about, sorted(map(str, (dataclasses.replace(label, id="") for label in photo.labels)))


def there_and_back(store: DatasetStore, form: str, folder: Path, zipped: bool) -> DatasetStore:
    target = folder / ("out.zip" if zipped else "out")
    export(store, form, target)
    again = DatasetStore.create(folder / "again")
    report = import_into(again, target)
    assert report.aside == []
    return again


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("name", ["LICENSE", "readme", "train", "classes", "labels", "unlabelled_backs", "data"])
def test_a_photo_may_be_called_as_a_file_of_the_set_is(name: str, form: str, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    for seed, called in enumerate((name, "other")):
        info, _ = store.add(photo_bytes(seed), f"{called}.png")
        store.save(info.id, [Label("2m", Box(0, 0, 20, 20))], 0)
    again = there_and_back(store, form, tmp_path, zipped=False)
    assert sorted(photo.photo.name for photo in again) == sorted([f"{name}.png", "other.png"])
    assert [[label.tile for label in photo.labels] for photo in again] == [["2m"], ["2m"]]


@pytest.mark.parametrize("form", WRITTEN)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn=st.lists(photos, min_size=1, max_size=3), zipped=st.booleans())
def test_nothing_is_lost_that_the_format_can_hold(form: str, drawn: list[dict[str, Any]], zipped: bool) -> None:
    with tempfile.TemporaryDirectory(dir=QUICK) as place:
        folder = Path(place)
        store = DatasetStore.create(folder / "set")
        for seed, values in enumerate(drawn):
            known = {key: value for key, value in values.items() if key not in ("name", "labels")}
            info, _ = store.add(photo_bytes(seed), values["name"] + ".png", **known)
            store.save(info.id, values["labels"], 0)
        again = there_and_back(store, form, folder, zipped)
        holds = WRITTEN[form].holds
        assert sorted(content(held(photo, holds)) for photo in store) == sorted(map(content, again))


@pytest.mark.parametrize("form", WRITTEN)
def test_a_turned_box_keeps_its_top_where_the_format_knows_one(form: str, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    info, _ = store.add(photo_bytes(), "a.png")
    box = Box(60, 40, 90, 80, 200)
    store.save(info.id, [Label("7z", box)], 0)
    (photo,) = there_and_back(store, form, tmp_path, zipped=False)
    assert photo.labels[0].box == (box if "turn" in WRITTEN[form].holds else box.upright())


def test_corners_past_the_edge_are_drawn_in_where_the_format_has_no_place_for_them(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    info, _ = store.add(photo_bytes(), "a.png")
    box = Box(0, 40, 30, 80, 45)
    store.save(info.id, [Label("7z", box)], 0)
    (photo,) = there_and_back(store, "yolo-obb", tmp_path, zipped=False)
    line = (tmp_path / "out" / "labels" / "a.txt").read_text().split()
    assert all(0 <= float(value) <= 1 for value in line[1:])
    assert photo.labels[0].box.iou(box) > 0.7
