"""The dataset on disk: by content, with revisions, nothing lost."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.vision.labelling.support.sets import boxes, photo_bytes, small_set
from vision.labelling.labels import Box, Label, LabelError
from vision.labelling.messages import LabellingError
from vision.labelling.store import FILE, Conflict, DatasetStore, safe_stem
from vision.photo.image import PhotoError

LABEL = Label("3p", Box(10, 10, 40, 50))


@pytest.fixture
def store(tmp_path: Path) -> DatasetStore:
    return DatasetStore.create(tmp_path / "set", "Title")


def test_a_photo_is_kept_by_its_content_as_it_came(store: DatasetStore) -> None:
    data = photo_bytes()
    info, fresh = store.add(data, "folder/一.png", scene="table")
    assert (info.name, info.size, info.scene, fresh) == ("一.png", (160, 120), "table", True)
    assert store.photo_file(info).read_bytes() == data
    assert store.add(data, "another name.png") == (info, False)
    assert DatasetStore.open(store.folder).photos() == [info]
    assert store.about()["title"] == "Title"


def test_boxes_are_of_the_upright_photo(store: DatasetStore) -> None:
    info, _ = store.add(photo_bytes(kind="JPEG", orientation=6), "turned.jpg")
    assert info.size == (120, 160)
    saved = store.save(info.id, [Label("1m", Box(0, 100, 50, 170))], 0)
    assert saved.labels[0].box == Box(0, 100, 50, 160)


def test_the_suffix_is_the_content_s(store: DatasetStore) -> None:
    assert store.add(photo_bytes(), "lies.jpg")[0].name == "lies.png"


def test_names_that_some_file_system_takes_for_one_are_two(store: DatasetStore) -> None:
    names = [store.add(photo_bytes(n), name)[0].name for n, name in enumerate(("A.png", "a.jpg", "b/a.png"))]
    assert names[0] == "A.png"
    assert len({Path(name).stem.casefold() for name in names}) == 3


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\photos\\a.b.jpg", "a.b"),
        ("", "photo"),
        ("...", "photo"),
        (".jpg", "jpg"),
        ("con.jpg", "_con"),
        ("a\x00b\n.jpg", "a_b_"),
        ("x" * 300 + ".jpg", "x" * 120),
        ("\ud800.png", "?"),
    ],
)
def test_names_are_safe_everywhere(name: str, stem: str) -> None:
    assert safe_stem(name) == stem


def test_what_is_no_photo_leaves_nothing_behind(store: DatasetStore) -> None:
    with pytest.raises(PhotoError):
        store.add(b"not a photo", "a.jpg")
    assert store.count() == 0
    assert not [path for path in (store.folder / "photos").rglob("*") if path.is_file()]


def test_a_save_onto_an_older_revision_is_refused_with_what_changed(store: DatasetStore) -> None:
    info, _ = store.add(photo_bytes(), "a.png")
    first = store.save(info.id, [LABEL], 0)
    assert (first.photo.revision, first.photo.boxes, first.photo.unchecked) == (1, 1, 1)
    renamed = Label("4p", first.labels[0].box, id=first.labels[0].id)
    store.save(info.id, [renamed, Label("back", Box(60, 10, 90, 50))], 1)
    with pytest.raises(Conflict) as caught:
        store.save(info.id, [], 1)
    assert sorted(change.kind for change in caught.value.changes) == ["added", "renamed"]
    assert caught.value.current.photo.revision == 2
    assert "a.png" in caught.value.message("zh")
    assert store.get(info.id).labels == caught.value.current.labels
    assert [label.tile for label in store.labels_at(info.id, 1)] == ["3p"]
    assert store.labels_at(info.id, 0) == ()


def test_saving_the_same_again_is_no_new_revision(store: DatasetStore) -> None:
    info, _ = store.add(photo_bytes(), "a.png")
    saved = store.save(info.id, [LABEL], 0)
    assert store.save(info.id, saved.labels, 1) == saved


def test_a_box_outside_the_photo_changes_nothing(store: DatasetStore) -> None:
    info, _ = store.add(photo_bytes(), "a.png")
    with pytest.raises(LabellingError, match=r"3p.*outside"):
        store.save(info.id, [LABEL, Label("3p", Box(300, 0, 340, 40))], 0)
    assert store.get(info.id).photo.revision == 0


def test_of_many_saves_at_once_one_wins_and_none_is_mixed(store: DatasetStore) -> None:
    info, _ = store.add(photo_bytes(), "a.png")
    outcomes: list[str] = []

    def save(n: int) -> None:
        try:
            store.save(info.id, [Label("1m", Box(n, 0, n + 20, 20))] * 2, 0)
            outcomes.append("saved")
        except Conflict:
            outcomes.append("refused")

    threads = [threading.Thread(target=save, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused"] * 7 + ["saved"]
    saved = store.get(info.id).labels
    assert len({label.box for label in saved}) == 1
    assert len({label.id for label in saved}) == 2


def test_killed_in_the_middle_of_saving_the_set_is_whole(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=1)
    code = (
        "import sys; from pathlib import Path; from vision.labelling.store import *;"
        "from vision.labelling.labels import *\n"
        "store = DatasetStore.open(Path(sys.argv[1])); photo = store.photos()[0]; n = photo.revision\n"
        "while True:\n"
        "    store.save(photo.id, [Label('1m', Box(n % 50, 0, n % 50 + 20, 20))] * (n % 7), n); n += 1\n"
        "    print(n, flush=True)"
    )
    command = [sys.executable, "-c", code, str(store.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        revisions = [int(process.stdout.readline()) for _ in range(5)]
        process.send_signal(signal.SIGKILL)
        revisions += [int(line) for line in process.stdout]
    (photo,) = DatasetStore.open(store.folder)
    assert photo.photo.revision in (revisions[-1], revisions[-1] + 1)
    assert len(photo.labels) == (photo.photo.revision - 1) % 7
    assert [len(store.labels_at(photo.photo.id, n)) for n in range(2, revisions[-1])] == [
        (n - 1) % 7 for n in range(2, revisions[-1])
    ]


def test_what_is_saved_together_is_kept_step_by_step(store: DatasetStore) -> None:
    with store.together():
        info, _ = store.add(photo_bytes(), "a.png")
        store.save(info.id, [LABEL], 0)
        with pytest.raises(Conflict):
            store.save(info.id, [], 0)
    assert len(store.get("a.png").labels) == 1


def test_others_get_their_turn_while_much_is_saved(store: DatasetStore) -> None:
    info, _ = store.add(photo_bytes(), "a.png")
    store.save(info.id, [LABEL], 0)
    done = threading.Event()

    def much() -> None:
        with store.together():
            while not done.is_set():
                store.change(info.id, scene=str(time.monotonic()))
                time.sleep(0.01)

    thread = threading.Thread(target=much)
    thread.start()
    time.sleep(0.2)
    store.save(info.id, [], 1)
    done.set()
    thread.join()
    assert store.get(info.id).labels == ()


def test_pages_of_photos(tmp_path: Path) -> None:
    store = small_set(tmp_path / "set", photos=5, scenes=2)
    assert [info.name for info in store.photos(offset=1, limit=2)] == ["p01.png", "p02.png"]
    store.assign({store.get("p00.png").photo.id: "val"})
    assert (store.count(), store.count(split="val"), store.count(split=""), store.count(scene="scene1")) == (5, 1, 4, 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"split": "vale"}, "vale"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_cannot_be_set_is_named(store: DatasetStore, change: dict[str, str], said: str) -> None:
    info, _ = store.add(photo_bytes(), "a.png")
    with pytest.raises(LabellingError, match=said):
        store.change(info.id, **change)


def test_folders_that_are_no_dataset(tmp_path: Path, store: DatasetStore) -> None:
    with pytest.raises(LabellingError, match="no dataset"):
        DatasetStore.open(tmp_path)
    with pytest.raises(LabellingError, match="already"):
        DatasetStore.create(store.folder)
    with pytest.raises(LabellingError, match="not empty"):
        DatasetStore.create(tmp_path)
    (store.folder / FILE).write_bytes(b"SQLite format 3\0" + os.urandom(5000))
    before = (store.folder / FILE).read_bytes()
    with pytest.raises(LabellingError, match="cannot be read"):
        DatasetStore.open(store.folder)
    assert (store.folder / FILE).read_bytes() == before


def test_a_newer_form_is_not_touched(store: DatasetStore) -> None:
    store.describe("form", "99")
    with pytest.raises(LabellingError, match="99"):
        DatasetStore.open(store.folder)


@given(boxes())
def test_corners_give_the_box_back(box: Box) -> None:
    assert Box.from_corners(box.corners) == (box, True)


@pytest.mark.parametrize("turn", [0, 10, 44, -10, -44])
@pytest.mark.parametrize("start", range(5))
def test_the_box_of_a_polygon_stands_as_upright_as_it_can(turn: int, start: int) -> None:
    outline = Box(100, 100, 140, 160, turn % 360)
    a, b, c, d = outline.corners
    points = [a, b, c, d, ((d[0] + a[0]) / 2, (d[1] + a[1]) / 2)]  # five corners: no rectangle's own order
    box, exact = Box.from_corners(points[start:] + points[:start])
    assert not exact
    assert (box.angle + 180) % 360 - 180 == pytest.approx(turn, abs=0.1)
    assert (box.width, box.height) == pytest.approx((40, 60), abs=0.1)


@given(boxes(), st.integers(1, 300), st.integers(1, 300))
def test_a_clipped_box_lies_inside_and_again_is_itself(box: Box, width: int, height: int) -> None:
    inside = box.clipped(width, height)
    if inside and not box.angle:
        assert inside.clipped(width, height) == inside
        assert 0 <= inside.x1 < inside.x2 <= width
        assert 0 <= inside.y1 < inside.y2 <= height


@given(boxes())
def test_labels_come_back_from_json(box: Box) -> None:
    label = Label("8f", box, "model", 0.5, True, "abc")
    assert Label.from_json(label.to_json()) == label


@pytest.mark.parametrize(
    "values",
    [
        [],
        {"tile": "1m"},
        {"tile": "1x", "box": [0, 0, 9, 9]},
        {"tile": "1m", "box": [0, 0, 1, 9]},
        {"tile": "1m", "box": [0, 0, float("nan"), 9]},
        {"tile": "1m", "box": [0, 0, "9", 9]},
        {"tile": "1m", "box": [0, 0, 9, 9], "origin": "cat"},
        {"tile": "1m", "box": [0, 0, 9, 9], "confidence": 2},
        {"tile": "1m", "box": [0, 0, 9, 9], "checked": 1},
        {"tile": "1m", "box": [0, 0, 9, 9], "extra": 1},
        {"tile": "1m", "box": [0, 0, 1e300, 9]},
        {"tile": ["1m"], "box": [0, 0, 9, 9]},
    ],
)
def test_what_is_no_label_is_refused(values: object) -> None:
    with pytest.raises(LabelError):
        Label.from_json(values)


def test_the_file_is_plain_sqlite(store: DatasetStore) -> None:
    connection = sqlite3.connect(store.folder / FILE)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
