"""Taking back: operations on many photos, the wastebasket, revisions, findings put away, photos without tiles."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.unit.vision.labelling.support.sets import photo_bytes, small_set
from vision.labelling.assist.prelabel import to_prelabel
from vision.labelling.history.dismissed import dismissed, put_away
from vision.labelling.history.operations import operations, remove_boxes, remove_from_set, revisions, take_back
from vision.labelling.history.wastebasket import empty_wastebasket, removed_photos, restore_photos
from vision.labelling.io.importing import import_into
from vision.labelling.io.names import Names
from vision.labelling.labels import Box, Label, is_checked, is_truth
from vision.labelling.messages import LabellingError
from vision.labelling.store import Conflict, DatasetStore


def contents(store: DatasetStore) -> list[tuple[str, int, list[str]]]:
    return [(photo.photo.name, photo.photo.revision, [label.tile for label in photo.labels]) for photo in store]


def test_a_removed_photo_comes_back_as_it_was(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set")
    photo = store.photos()[0]
    store.save(photo.id, [], photo.revision)
    before = contents(store)
    assert remove_from_set(store, [photo.id], photo.name) == 1
    assert [removed.name for removed in removed_photos(store)] == [photo.name]
    assert store.count() == 2
    assert restore_photos(store, [photo.id]) == [photo.id]
    assert contents(store) == before
    assert [entry.revision for entry in revisions(store, photo.id)] == [2, 1, 0]
    assert removed_photos(store) == []


def test_a_photo_taken_in_anew_is_not_overwritten_by_the_wastebasket(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=1)
    (photo,) = store.photos()
    remove_from_set(store, [photo.id], "x")
    store.add(photo_bytes(0), "again.png")
    assert restore_photos(store, [photo.id]) == []
    assert empty_wastebasket(store) == 1
    assert store.photo_file(store.photos()[0]).is_file(), "its file is in use"


def test_an_emptied_wastebasket_takes_the_files_along(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=1)
    (photo,) = store.photos()
    remove_from_set(store, [photo.id], "x")
    assert store.photo_file(photo).is_file()
    empty_wastebasket(store)
    assert not store.photo_file(photo).exists()
    with pytest.raises(LabellingError):
        take_back(store, 99)


def test_boxes_of_a_kind_go_and_come_back_except_where_somebody_saved_since(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    for n, sure in enumerate((0.3, 0.4, 0.9)):
        info, _ = store.add(photo_bytes(n), f"p{n}.png")
        labels = [Label("5z", Box(10, 10, 40, 50), "model", sure), Label("1m", Box(60, 10, 90, 50), checked=True)]
        store.save(info.id, labels, 0)
    number, count = remove_boxes(store, list(store), "5z", 0.5)
    assert count == 2
    assert contents(store) == [("p0.png", 2, ["1m"]), ("p1.png", 2, ["1m"]), ("p2.png", 1, ["5z", "1m"])]
    store.save(store.get("p1.png").photo.id, [], 2)
    assert take_back(store, number) == (1, ["p1.png"])
    assert contents(store)[:2] == [("p0.png", 3, ["5z", "1m"]), ("p1.png", 3, [])]
    assert [operation.undone for operation in operations(store)] == [True]


def test_an_import_is_taken_back(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=2)
    before = contents(store)
    (tmp_path / "new").mkdir()
    for n in (1, 2, 3):
        (tmp_path / "new" / f"n{n}.png").write_bytes(photo_bytes(n))
        (tmp_path / "new" / f"n{n}.txt").write_text("0 0.5 0.5 0.2 0.2\n", encoding="utf-8")
    report = import_into(store, tmp_path / "new", replace=True)
    assert report.counts["photos_added"] == 2
    assert contents(store) != before
    take_back(store, report.operation)
    assert [(name, tiles) for name, _, tiles in contents(store)] == [(name, tiles) for name, _, tiles in before]
    assert len(removed_photos(store)) == 2


def test_a_photo_of_which_labels_were_lost_is_no_truth_until_it_was_checked(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a.png").write_bytes(photo_bytes())
    (tmp_path / "new" / "classes.txt").write_text("1m\nheart\n", encoding="utf-8")
    (tmp_path / "new" / "a.txt").write_text("0 0.5 0.5 0.2 0.2\n1 0.2 0.2 0.1 0.1\n", encoding="utf-8")
    store = DatasetStore.create(tmp_path / "set")
    import_into(store, tmp_path / "new")
    (photo,) = store
    assert photo.photo.partial == 1
    assert not is_truth(photo)
    checked = [Label(label.tile, label.box, "import", None, True) for label in photo.labels]
    assert is_truth(store.save(photo.photo.id, checked, photo.photo.revision))
    told = DatasetStore.create(tmp_path / "told")
    import_into(told, tmp_path / "new", names=Names({"heart": ""}))
    assert all(is_truth(labelled) for labelled in told), "what is left out on purpose is not lost"


def test_a_photo_without_tiles_is_marked_and_the_mark_ends_with_the_next_save(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=1, labels=0)
    (photo,) = store
    assert not is_checked(photo)
    empty = store.save(photo.photo.id, [], 0, empty=True)
    assert (empty.photo.empty, empty.photo.revision, is_truth(empty)) == (True, 1, True)
    assert store.save(photo.photo.id, [], 1, empty=True).photo.revision == 1, "the same twice is nothing new"
    assert to_prelabel(list(store)) == []
    with pytest.raises(Conflict):
        store.save(photo.photo.id, [], 0)
    assert not store.save(photo.photo.id, [Label("1m", Box(1, 1, 20, 20))], 1).photo.empty
    assert not store.get(photo.photo.id).photo.empty


def test_a_set_of_an_older_program_gets_the_new_tables(tmp_path: Path) -> None:
    small_set(tmp_path / "set", photos=1)
    with sqlite3.connect(tmp_path / "set" / "dataset.sqlite") as connection:
        for table in ("marks", "operations", "removed", "dismissed"):
            connection.execute(f"DROP TABLE {table}")
    connection.close()
    store = DatasetStore.open(tmp_path / "set")
    assert len(store.photos()) == 1
    put_away(store, "odd_size x", "dismissed")
    assert dismissed(store) == {"odd_size x"}
