"""Evaluation: the arithmetic on made sheets, the command on made sets, the shipped model on real ones."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vision.detection.measure import Label, average_precision, compare, match, summarize, table
from vision.detection.types import Detection
from vision.geometry import overlaps
from vision.labelling.formats.parsing.data_yaml import DatasetError, _plain_yaml, parse_yaml
from vision.layout.grouping import arrange
from vision.models.manifest import CLASSES, find_models
from vision.photo.image import Photo
from vision.reading.reading import Reading, understand
from vision.training.data.dataset import load_dataset
from vision.training.evaluation.evaluate import draw_sheet, evaluate, misses, read_all, run, write_misses

ROOT = Path(__file__).parents[4]
RENDERED = ROOT / "datasets/rendered/data.yaml"
REAL = ROOT.parent / "shared/data/tiles/data.yaml"


def box(x: float, y: float = 0, w: float = 30, h: float = 40) -> tuple[float, float, float, float]:
    return (x, y, x + w, y + h)


def test_overlaps() -> None:
    iou = overlaps(np.array([[0.0, 0, 10, 10]]), np.array([[0.0, 0, 10, 10], [5, 0, 15, 10], [50, 50, 60, 60]]))
    assert iou[0].tolist() == pytest.approx([1, 1 / 3, 0])


def test_the_best_overlap_is_matched_first() -> None:
    labels = [Label("1m", box(0)), Label("2m", box(30))]
    detections = [Detection("2m", box(12)), Detection("1m", box(2)), Detection("9s", box(200))]
    assert match(labels, detections) == [(0, 1)]
    assert match([], detections) == []
    assert match(labels, []) == []


@pytest.mark.parametrize(
    ("hits", "labelled", "expected"),
    [([1, 1], 2, 1.0), ([1, 0, 1], 2, (51 + 50 * 2 / 3) / 101), ([0, 0], 2, 0.0), ([1], 2, 51 / 101), ([], 2, 0.0)],
)
def test_average_precision(hits: list[int], labelled: int, expected: float) -> None:
    assert average_precision(np.array(hits, bool), labelled) == pytest.approx(expected, abs=1e-9)


def test_summary() -> None:
    labels = [Label("1m", box(0)), Label("2m", box(40)), Label("3m", box(80))]
    right = [Detection(label.tile, label.box, 0.995) for label in labels]
    wrong = [right[0], Detection("9m", box(41), 0.6), Detection("5z", box(300), 0.5), Detection("back", box(400), 0.9)]
    sheets = [
        compare("a.jpg", "", labels, right, 10, unlabelled_backs=False),
        compare("b.jpg", "", labels, wrong, 30, unlabelled_backs=True),
    ]
    result = summarize(sheets)
    assert result["tiles"] == 6
    assert result["tile_accuracy"] == round(4 / 6, 4)
    assert result["found"] == round(5 / 6, 4)
    assert result["false_tiles"] == 0.5
    assert result["exact_photos"] == 0.5
    assert result["ignored_backs"] == 1
    assert result["ms"] == 20
    assert result["confusion"] == [
        {"truth": "2m", "read": "9m", "count": 1},
        {"truth": "3m", "read": "missed", "count": 1},
        {"truth": "none", "read": "5z", "count": 1},
    ]
    assert result["per_class"]["2m"] == {
        "labelled": 2,
        "found": 2,
        "right": 1,
        "read": 1,
        "accuracy": 0.5,
        "ap50": round(51 / 101, 4),
    }
    assert result["map50"] == pytest.approx((1 + 51 / 101 + 51 / 101) / 3, abs=1e-4)
    assert result["calibration"]["sure"] == 4
    assert result["calibration"]["sure_right"] == 1.0
    assert result["scenes"] == {}
    assert "2m" in table(result, "en")
    assert "牌正確率" in table(result, "zh")
    kinds = [(row["kind"], row["truth"], row["read"]) for row in misses(sheets)]
    assert kinds == [("wrong", "2m", "9m"), ("missed", "3m", ""), ("false", "", "5z")]


def test_nothing_to_sum_up() -> None:
    assert summarize([])["tile_accuracy"] == 0.0
    result = summarize([compare("a.jpg", "", [], [], 1, unlabelled_backs=False)])
    assert result["exact_photos"] == 1.0
    assert table(result)


YAMLS = {
    "list": "train: a\nval: images/val  # here\nnc: 2\nnames: ['1m', '2m']\n",
    "numbered": "val: images/val\nnames:\n  0: '1m'\n  1: \"2m\"\n",
    "dashes": "val: images/val\nnames:\n  - 1m\n  - 2m\n",
}


@pytest.mark.parametrize("name", YAMLS)
def test_yaml_without_a_library(name: str) -> None:
    assert _plain_yaml(YAMLS[name], "x") == parse_yaml(YAMLS[name], "x")


class Oracle:
    """Returns prepared readings."""

    def __init__(self, detections: list[Detection]) -> None:
        self.detections = detections

    def read(self, photo: Photo) -> Reading:
        layout = arrange(self.detections, photo.size)
        return replace(understand(self.detections, layout, photo.size), ms={"total": 5.0})


@pytest.fixture
def made_set(tmp_path: Path) -> Path:
    for kind in ("images/val", "labels/val"):
        (tmp_path / kind).mkdir(parents=True)
    Image.new("RGB", (200, 100), "green").save(tmp_path / "images/val/a.jpg")
    (tmp_path / "labels/val/a.txt").write_text("1 0.25 0.5 0.1 0.3\n0 0.75 0.5 0.1 0.3\n")
    (tmp_path / "data.yaml").write_text("val: images/val\nnc: 2\nnames: ['9s', '1f']\n")
    (tmp_path / "sources.csv").write_text("file,scene_group\nimages/val/a.jpg,table\n")
    return tmp_path / "data.yaml"


def test_a_set_with_its_own_class_order(made_set: Path, tmp_path: Path) -> None:
    seen = [Detection("1f", (40, 35, 60, 65)), Detection("9p", (140, 35, 160, 65), 0.4)]
    result = evaluate(made_set, Oracle(seen))
    assert result["tile_accuracy"] == 0.5
    assert result["scenes"]["table"]["photos"] == 1
    rows = misses(read_all(load_dataset(made_set), Oracle(seen)))
    write_misses(tmp_path / "misses.csv", rows)
    with (tmp_path / "misses.csv").open(encoding="utf-8", newline="") as handle:
        assert [row["truth"] for row in csv.DictReader(handle)] == ["9s"]
    draw_sheet(tmp_path / "sheet.png", rows)
    with Image.open(tmp_path / "sheet.png") as drawn:
        assert drawn.size == (12 * 116, 130)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("val: images/val", "val: images/none"), "no such folder"),
        (("val: images/val", "train: images/val"), "no 'val'"),
        (("'1f'", "'joker'"), "no tile: 'joker'"),
        (("val: images/val", "- : ["), "data.yaml"),
    ],
)
def test_a_wrong_set_is_named(made_set: Path, change: tuple[str, str], words: str) -> None:
    made_set.write_text(made_set.read_text().replace(*change))
    with pytest.raises(DatasetError, match=words) as caught:
        load_dataset(made_set)
    assert str(made_set) in str(caught.value)


def test_a_wrong_label_is_named(made_set: Path) -> None:
    (made_set.parent / "labels/val/a.txt").write_text("1 0.25 0.5 0.1\n")
    with pytest.raises(DatasetError, match=r"a\.txt, line 1"):
        evaluate(made_set, Oracle([]))


def test_the_command_refuses_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "none.yaml", as_json=True) == 2
    assert "none.yaml" in json.loads(capsys.readouterr().out)["error"]


def test_the_numbers_are_there_when_the_misses_cannot_be_written(
    made_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(made_set, as_json=True, misses=tmp_path / "nowhere" / "misses.csv") == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["photos"] == 1
    assert "misses.csv" in captured.err


def shipped_floor(name: str) -> tuple[dict[str, float], object]:
    from vision.reading.pipeline import Reader

    return find_models().manifest["floor"][name], Reader.load()


def hold(result: dict[str, Any], floor: dict[str, float]) -> None:
    classes = [(counted["accuracy"], tile) for tile, counted in result["per_class"].items() if counted["labelled"]]
    measured = {**result, "every_class": min(classes)[0], "calibration_error": result["calibration"]["ece"]}
    for key, value in floor.items():
        found = measured[key]
        kept = found <= value if key in ("false_tiles", "ms", "calibration_error") else found >= value
        assert kept, f"{key}: {found}, the floor is {value}; the weakest classes are {sorted(classes)[:4]}"


def test_the_rendered_set_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    floor, reader = shipped_floor("rendered")
    hold(evaluate(RENDERED, reader), floor)  # type: ignore[arg-type]


@pytest.mark.skipif(not REAL.is_file(), reason="the real photos are not here: ../shared/data/tiles")
def test_real_photos_are_read() -> None:
    floor, reader = shipped_floor("val")
    hold(evaluate(REAL, reader), floor)  # type: ignore[arg-type]


def test_class_order_is_the_contracts() -> None:
    assert CLASSES[0] == "1m"
    assert CLASSES[26] == "9s"
    assert CLASSES[33] == "7z"
    assert CLASSES[41:] == ("8f", "back")
    assert load_dataset(RENDERED).codes == CLASSES
