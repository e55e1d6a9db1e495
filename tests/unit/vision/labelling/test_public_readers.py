"""The tools that the formats belong to read every export (extra ``formats``; each test needs its tool installed)."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.unit.vision.labelling.support.sets import photo_bytes
from vision.labelling.io.exporting import export
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES

BOXES = [("3p", (10.0, 20.0, 50.0, 70.0)), ("1z", (60.0, 20.0, 100.0, 70.0))]


@pytest.fixture(params=[True, False], ids=["splits", "no splits"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> DatasetStore:
    """Four photos: three labelled, one confirmed to have no tile; with splits or without."""
    created = DatasetStore.create(tmp_path / "set")
    for n in range(4):
        split = ("train", "train", "val", "val")[n] if request.param else None
        info, _ = created.add(photo_bytes(n, kind="JPEG"), f"p{n}.jpg", split=split)
        labels = [Label(tile, Box(*box), checked=True) for tile, box in BOXES]
        created.save(info.id, labels if n < 3 else [], 0, empty=n == 3)
    return created


def written(store: DatasetStore, form: str) -> Path:
    target = store.folder.parent / form
    export(store, form, target, true_only=True)
    return target


def test_pycocotools(store: DatasetStore) -> None:
    pytest.importorskip("pycocotools")
    from pycocotools.coco import COCO

    count = 0
    for path in written(store, "coco").glob("annotations/*.json"):
        coco = COCO(str(path))
        for annotation in coco.loadAnns(coco.getAnnIds()):
            x, y, w, h = annotation["bbox"]
            name = coco.loadCats([annotation["category_id"]])[0]["name"]
            assert (name, (x, y, x + w, y + h)) in BOXES
            count += 1
    assert count == 6


def _split_of(path: Path) -> str:
    """The folder of the photos of one of COCO's files: ``images`` itself without splits."""
    split = path.stem.removeprefix("instances_")
    return "" if split == "default" else split


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["yolo", "coco", "voc"])
def test_supervision(store: DatasetStore, form: str) -> None:
    supervision = pytest.importorskip("supervision")
    root = written(store, form)
    dataset = supervision.DetectionDataset
    if form == "yolo":
        folders = [path.relative_to(root / "images") for path in (root / "images").iterdir() if path.is_dir()]
        sets = [
            dataset.from_yolo(str(root / "images" / path), str(root / "labels" / path), str(root / "data.yaml"))
            for path in folders or [Path()]
        ]
    elif form == "coco":
        sets = [
            dataset.from_coco(str(root / "images" / _split_of(path)), str(path))
            for path in (root / "annotations").iterdir()
        ]
    else:
        sets = [dataset.from_pascal_voc(str(root / "JPEGImages"), str(root / "Annotations"))]
    boxes_read = [
        (one.classes[number], tuple(round(float(value)) for value in box))
        for one in sets
        for _, _, detections in one
        for box, number in zip(detections.xyxy, detections.class_id, strict=True)
    ]
    assert len(boxes_read) == 6
    assert {name for name, _ in boxes_read} == {"3p", "1z"}
    assert all(abs(a - b) <= 1 for name, box in boxes_read for a, b in zip(box, dict(BOXES)[name], strict=True))


def test_ultralytics_checks_it(store: DatasetStore) -> None:
    pytest.importorskip("ultralytics")
    from ultralytics.data.utils import check_det_dataset

    root = written(store, "yolo")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checked = check_det_dataset(str(root / "data.yaml"), autodownload=False)
    assert checked["nc"] == len(CLASSES)
    assert Path(checked["train"]).is_dir()
    assert Path(checked["val"]).is_dir()


@pytest.mark.filterwarnings("ignore")  # it leaves the photos' files open
def test_labelme(store: DatasetStore) -> None:
    label_file = pytest.importorskip("labelme._label_file", reason="labelme is not installed")
    boxes_read = [
        shape["label"]
        for path in written(store, "labelme").rglob("*.json")
        for shape in label_file.read_label_file(str(path)).shapes
    ]
    assert sorted(boxes_read) == ["1z"] * 3 + ["3p"] * 3


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["voc", "cvat", "coco", "yolo"])
def test_datumaro(store: DatasetStore, form: str) -> None:
    datumaro = pytest.importorskip("datumaro")
    root = written(store, form)
    dataset = datumaro.Dataset.import_from(str(root), form)
    labels = dataset.categories()[datumaro.AnnotationType.label]
    boxes_read = [
        labels[annotation.label].name
        for item in dataset
        for annotation in item.annotations
        if annotation.type == datumaro.AnnotationType.bbox
    ]
    assert sorted(boxes_read) == ["1z"] * 3 + ["3p"] * 3


def test_an_empty_label_file_is_a_background_image(store: DatasetStore) -> None:
    root = written(store, "yolo")
    (empty,) = root.rglob("p3.txt")
    assert empty.read_text() == ""
    assert sorted(path.name for path in (root / "labels").rglob("*.txt")) == [f"p{n}.txt" for n in range(4)]


def test_without_splits_photos_and_labels_lie_in_one_folder_each(tmp_path: Path) -> None:
    """Readers that are given a folder of photos and one of labels do not look into folders below them."""
    created = DatasetStore.create(tmp_path / "set")
    info, _ = created.add(photo_bytes(0, kind="JPEG"), "p.jpg")
    created.save(info.id, [Label("3p", Box(10, 20, 50, 70), checked=True)], 0)
    for form in ("yolo", "yolo-obb"):
        root = written(created, form)
        assert [path.name for path in (root / "images").iterdir()] == ["p.jpg"]
        assert [path.name for path in (root / "labels").iterdir()] == ["p.txt"]
        assert (root / "data.yaml").read_text().startswith("train: images\nval: images\nnc:")
        assert "images/p.jpg," in (root / "sources.csv").read_text()
    root = written(created, "coco")
    assert [path.name for path in (root / "images").iterdir()] == ["p.jpg"]
    assert [path.name for path in (root / "annotations").iterdir()] == ["instances_default.json"]


def labelled_as(folder: Path, confidences: list[list[float | None]], splits: list[str | None]) -> Path:
    """An export of a photo per list of confidences."""
    store = DatasetStore.create(folder / "confidences")
    for n, (values, split) in enumerate(zip(confidences, splits, strict=True)):
        info, _ = store.add(photo_bytes(n), f"p{n}.png", split=split)
        store.save(info.id, [Label("3p", Box(10, 10, 40, 50), confidence=value) for value in values], 0)
    export(store, "hugging-face", folder / "hub")
    return folder / "hub"


@pytest.mark.parametrize(
    ("confidences", "splits"),
    [
        ([[None, None], [None]], [None, None]),
        ([[0.5, None], [None], []], [None, None, None]),
        ([[0.5], [None], [None]], ["train", "val", "test"]),
        ([[], [None], []], ["train", "val", "test"]),
        ([[], []], [None, None]),
    ],
    ids=["none", "some", "some-in-one-split", "splits-without-boxes", "no-boxes"],
)
def test_datasets_loads_every_export(
    confidences: list[list[float | None]], splits: list[str | None], tmp_path: Path
) -> None:
    """A split without any box has no types of columns; its photos lie apart, and the other splits are read."""
    pytest.importorskip("datasets.load")  # a folder of this project has the name too
    datasets = pytest.importorskip("datasets")
    hub = labelled_as(tmp_path, confidences, splits)
    loaded = datasets.load_dataset("imagefolder", data_dir=str(hub), cache_dir=str(tmp_path / "cache"))
    boxes = [len((row["objects"] or {"bbox": []})["bbox"]) for rows in loaded.values() for row in rows]
    assert sum(boxes) == sum(map(len, confidences))
    assert sum(map(bool, boxes)) == sum(map(bool, confidences))
