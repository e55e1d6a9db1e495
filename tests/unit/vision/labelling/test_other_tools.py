"""Sets as other tools write them: each label comes in, or its file is named and photos without labels wait for a
yes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.vision.labelling.support.sets import photo_bytes
from tests.unit.vision.labelling.support.tables import TABLE_SETS
from tests.unit.vision.labelling.support.texts import TEXT_SETS
from tests.unit.vision.labelling.support.tools import COCO, JSON_SETS, PHOTO, YOLO, labelme, text, voc
from vision.labelling.io.importing import import_into
from vision.labelling.labels import Box, LabelledPhoto
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore

TOOLS = JSON_SETS | TABLE_SETS | TEXT_SETS


def taken_in(folder: Path, files: dict[str, bytes], yes: bool = False) -> tuple[list[LabelledPhoto], Report]:
    for path, content in files.items():
        place = folder / "in" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    store = DatasetStore.create(folder / f"set{yes}")
    report = import_into(store, folder / "in", unlabelled=yes)
    return list(store), report


@pytest.mark.parametrize("tool", TOOLS)
def test_the_labels_of_a_tool_come_in(tool: str, tmp_path: Path) -> None:
    photos, report = taken_in(tmp_path, TOOLS[tool])
    assert [entry.text("en") for entry in report.aside] == []
    (photo,) = photos
    assert [label.tile for label in photo.labels] == ["3p", "1z"]
    for label, box in zip(photo.labels, (Box(10, 20, 50, 70), Box(60, 20, 100, 70)), strict=True):
        assert label.box.outline == pytest.approx(box.outline, abs=0.02)
        assert label.box.angle == 0


SPLITS = {
    "tensorflow-csv": "train",
    "datumaro": "train",
    "fiftyone-dataset": "val",
    "ultralytics": "val",
    "automl-csv": "train",
}


@pytest.mark.parametrize(("tool", "split"), SPLITS.items())
def test_the_split_comes_with_them(tool: str, split: str, tmp_path: Path) -> None:
    (photo,), _ = taken_in(tmp_path, TOOLS[tool])
    assert photo.photo.split == split


NOT_READ = {
    "parquet": ({"data/train-00000-of-00001.parquet": b"PAR1\0\0\0PAR1"}, "Parquet"),
    "tfrecord": ({"tiles.tfrecord": b"\x0a\0\0\0\0\0\0\0rest"}, "TFRecord"),
    "sharded-tfrecord": ({"tiles.tfrecord-00000-of-00002": b"\x0a\0\0\0\0\0\0\0rest"}, "TFRecord"),
    "arrow": ({"data-00000-of-00001.arrow": b"ARROW1\0\0"}, "Arrow"),
    "multiclass-csv": ({"_classes.csv": b"filename, 3p, 1z\na.png, 1, 0\n"}, "boxes"),
    "unknown-csv": ({"scores.csv": b"player,points\nAnn,3\n"}, "scores.csv"),
    "unknown-json": ({"labels.json": b'{"boxes": [1, 2]}'}, "labels.json"),
    "unknown-text": ({"labels.bin": bytes(range(256))}, "labels.bin"),
    "unknown-yaml": ({"labels.yaml": b"a.png:\n  - [10, 20, 40, 50, 3p]\n"}, "labels.yaml"),
    "settings-with-labels": ({"a.ini": b"[tile]\nlabel = 3p\n", "b.ini": b"[tile]\n"}, "a.ini"),
    "other-suffix": ({"tiles.lbl": b"tile at the left"}, "tiles.lbl"),
    "broken": ({"all.json": b'{"images": ['}, "all.json"),
    "archive": ({"labels.zip": b"PK\3\4"}, "labels.zip"),
    "labels-of-other-photos": (
        {"all.json": text(COCO | {"images": [COCO["images"][0] | {"file_name": "zz.png"}]})},
        "zz.png",
    ),
    "bbox-of-either-kind": ({"boxes.csv": b'file,class,bbox\nzz.png,3p,"[1, 2, 30, 40]"\n'}, "boxes.csv, 2"),
    "result-list-alone": (
        {"r.json": b'[{"image_id": 12, "category_id": 1, "bbox": [1, 2, 30, 40], "score": 1}]'},
        "r.json",
    ),
}


@pytest.mark.parametrize(("files", "named"), NOT_READ.values(), ids=NOT_READ)
def test_photos_beside_labels_that_are_not_read_wait_for_a_yes(
    files: dict[str, bytes], named: str, tmp_path: Path
) -> None:
    files = files | {"a.png": PHOTO, "b.png": photo_bytes(2)}
    photos, report = taken_in(tmp_path, files)
    assert photos == []
    assert named in report.text("en")
    assert report.counts["waiting"] == 2
    assert "--yes" in report.text("en")
    photos, report = taken_in(tmp_path, files, yes=True)
    assert [(photo.photo.boxes, photo.photo.partial) for photo in photos] == [(0, 0), (0, 0)]
    assert named in report.text("en")


def test_only_the_photos_that_an_unread_file_may_be_about_wait(tmp_path: Path) -> None:
    files = {
        "a.png": PHOTO,
        "a.json": text(labelme()),
        "b.png": photo_bytes(2),
        "b.json": b"{",
        "c.png": photo_bytes(3),
    }
    photos, report = taken_in(tmp_path, files)
    assert sorted((photo.photo.name, len(photo.labels)) for photo in photos) == [("a.png", 2), ("c.png", 0)]
    assert report.counts["waiting"] == 1
    files = {"x/d.png": photo_bytes(4), "x/all.json": b"{", "y/e.png": photo_bytes(5)}
    (tmp_path / "other").mkdir()
    photos, report = taken_in(tmp_path / "other", files)
    assert [photo.photo.name for photo in photos] == ["e.png"]


def test_two_photos_of_one_name_wait_and_their_labels_are_named(tmp_path: Path) -> None:
    files = {
        "a.jpg": photo_bytes(2, kind="JPEG"),
        "a.png": PHOTO,
        "labels/a.txt": text(YOLO),
        "labels/classes.txt": b"3p\n1z",
    }
    photos, report = taken_in(tmp_path, files)
    assert photos == []
    assert [entry.said.key for entry in report.aside] == ["photo_not_found", "photos_wait"]


IGNORED = (
    "README.md",
    "README.roboflow.txt",
    "LICENSE",
    "__MACOSX/._a.png",
    ".DS_Store",
    "Thumbs.db",
    "args.yaml",
    "train.cache",
    "run.py",
)


@pytest.mark.parametrize("name", IGNORED)
def test_files_on_the_list_change_nothing(name: str, tmp_path: Path) -> None:
    photos, report = taken_in(tmp_path, {name: b"anything \x00", "a.png": PHOTO})
    assert (len(photos), report.aside) == (1, [])


def test_a_clip_is_named_and_holds_no_photo_back(tmp_path: Path) -> None:
    photos, report = taken_in(tmp_path, {"a.png": PHOTO, "a.mov": b"moov\0"})
    assert len(photos) == 1
    assert [entry.place for entry in report.aside] == ["a.mov"]
    assert "Import it alone" in report.text("en")


def test_masks_and_drawn_copies_are_no_photos(tmp_path: Path) -> None:
    files = {"JPEGImages/a.png": PHOTO, "Annotations/a.xml": text(voc()), "SegmentationClass/a.png": photo_bytes(2)}
    (photo,), report = taken_in(tmp_path, files)
    assert (len(photo.labels), report.aside) == (2, [])


def test_x_anylabeling_s_checked_photos_are_checked(tmp_path: Path) -> None:
    files = {"a.json": text(labelme(checked=True)), "a.png": PHOTO}
    files |= {"b.json": text(labelme(checked=True, imagePath="b.png") | {"shapes": []}), "b.png": photo_bytes(2)}
    (a, b), _ = taken_in(tmp_path, files)
    assert [label.checked for label in a.labels] == [True, True]
    assert b.photo.empty


TURNED = Box(60, 30, 90, 75, 20)


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("clockwise", [True, False])
@pytest.mark.parametrize("kind", ["polygon", "rotation", "dota", "coco", "obb"])
def test_a_turned_box_is_the_same_from_any_first_corner(kind: str, clockwise: bool, first: int, tmp_path: Path) -> None:
    points = [list(point) for point in TURNED.corners][:: 1 if clockwise else -1]
    points = points[first:] + points[:first]
    numbers = [value for point in points for value in point]
    shape: dict[str, object] = {"label": "3p", "points": points, "shape_type": kind}
    if kind == "rotation":
        shape["direction"] = 0.3490658503988659
    annotation = {"id": 1, "image_id": 7, "category_id": 0, "bbox": [1, 1, 5, 5], "segmentation": [numbers]}
    shares = " ".join(str(value / (120 if n % 2 else 160)) for n, value in enumerate(numbers))
    files = {
        "dota": {"labelTxt/a.txt": text(" ".join(map(str, numbers)) + " 3p 0")},
        "coco": {"c.json": text(COCO | {"annotations": [annotation]})},
        "obb": {"a.txt": text(f"0 {shares}"), "classes.txt": b"3p"},
    }.get(kind, {"a.json": text(labelme(shapes=[shape]))})
    (photo,), report = taken_in(tmp_path, files | {"a.png": PHOTO})
    assert report.aside == []
    (label,) = photo.labels
    assert (label.box.angle, label.box.width, label.box.height) == pytest.approx((20, 30, 45), abs=0.1)


def test_the_report_says_it_in_json_too(tmp_path: Path) -> None:
    _, report = taken_in(tmp_path, {"a.png": PHOTO, "x.parquet": b"PAR1"})
    assert json.loads(json.dumps(report.to_json("en")))["waiting"] == 1


def test_photos_of_one_name_in_two_splits_are_told_apart_by_the_split(tmp_path: Path) -> None:
    files = {f"images/{split}/a.png": photo_bytes(n) for n, split in enumerate(("train", "val"))}
    val = COCO | {"annotations": COCO["annotations"][:1]}
    files |= {"annotations/instances_train.json": text(COCO), "annotations/instances_val.json": text(val)}
    photos, report = taken_in(tmp_path, files)
    assert report.aside == []
    assert sorted((photo.photo.split, len(photo.labels)) for photo in photos) == [("train", 2), ("val", 1)]


def test_corners_with_a_certain_class_are_no_dota(tmp_path: Path) -> None:
    line = "5 0.1 0.1 0.4 0.1 0.4 0.5 0.1 0.5 1"
    names = "\n".join(["1m"] * 5 + ["3p"])
    (photo,), report = taken_in(tmp_path, {"a.png": PHOTO, "a.txt": text(line), "classes.txt": text(names)})
    assert report.aside == []
    assert [(label.tile, label.confidence) for label in photo.labels] == [("3p", 1.0)]


@pytest.mark.parametrize(
    "content", [b"#a\n# CSV_HEADER = metadata_id,file_list\n1\n", b"ImageID,LabelName,XMin,YMin,XMax,YMax\nzz,\n"]
)
def test_short_rows_are_set_aside(content: bytes, tmp_path: Path) -> None:
    photos, report = taken_in(tmp_path, {"a.png": PHOTO, "rows.csv": content})
    assert photos == []
    assert report.aside
