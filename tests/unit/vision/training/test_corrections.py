"""Corrected labels: parsed strictly, for the named picture, and only if the label matches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.detection.measure import Label
from vision.training.data.corrections import SHIPPED, Correction, correct, corrected_copy, load_corrections, photo_key
from vision.training.data.dataset import DatasetError, labels_of, load_dataset

HEAD = "photo,sha256,split,change,label,box,tile,new_box,reason\n"
KEY = "0123456789abcdef"
TILES = Path(__file__).resolve().parents[5] / "shared/data/tiles"


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (f"a,{KEY},val,swap,1m,0 0 9 9,2m,0 0 9 9,x", "expected one of"),
        (f"a,{KEY},val,name,1m,0 0 9 9,9z,0 0 9 9,x", "no tile: '9z'"),
        (f"a,{KEY},val,move,1m,0 0 9 9,1m,9 0 3 9,x", "no box"),
        (f"a,{KEY},val,move,1m,0 0 9,1m,0 0 9 9,x", "line 2"),
        ("a,0123,val,add,,,1m,0 0 9 9,x", "16 digits"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, row: str, says: str) -> None:
    path = tmp_path / "list.csv"
    path.write_text(HEAD + row + "\n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"list\.csv, line 2") as caught:
        load_corrections(path)
    assert says in str(caught.value)


LABELS = [Label("1m", (0, 0, 10, 10)), Label("1m", (20, 0, 30, 10))]


def test_each_change_does_what_it_says() -> None:
    changes = [
        Correction("move", Label("1m", (20.4, 0, 30, 10)), "1m", (25, 0, 35, 10)),
        Correction("name", Label("1m", (0, 0, 10, 10)), "2m", (0, 0, 10, 10)),
        Correction("add", None, "back", (40, 0, 50, 10)),
        Correction("not_a_tile", None, "", (60, 0, 70, 10)),
    ]
    assert correct(LABELS, changes, "p") == [
        Label("2m", (0, 0, 10, 10)),
        Label("1m", (25, 0, 35, 10)),
        Label("back", (40, 0, 50, 10)),
    ]


def test_a_label_that_is_not_there_is_said() -> None:
    with pytest.raises(DatasetError, match="p: no label 3s"):
        correct(LABELS, [Correction("name", Label("3s", (0, 0, 10, 10)), "2m", (0, 0, 10, 10))], "p")


def test_the_corrected_copy_hides_marks_and_adds(tmp_path: Path) -> None:
    source = tmp_path / "set"
    for kind in ("images/train", "labels/train"):
        (source / kind).mkdir(parents=True)
    Image.fromarray(np.full((40, 80, 3), 200, np.uint8)).save(source / "images/train/a.png")
    (source / "labels/train/a.txt").write_text("0 0.125 0.25 0.125 0.5\n")
    (source / "data.yaml").write_text("train: images/train\nval: images/train\nnc: 43\n")
    key = photo_key(source / "images/train/a.png")
    rows = [
        f"a,{key},train,add,,,back,40 0 60 20,x",
        f"a,{key},train,not_a_tile,,,,60 20 80 40,x",
        f"a,{key},train,hide,,,,0 30 10 40,x",
        f"a,{KEY},train,add,,,1m,0 0 5 5,another picture",
    ]
    (tmp_path / "list.csv").write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    assert corrected_copy(source, tmp_path / "out", load_corrections(tmp_path / "list.csv")) == 1
    lines = (tmp_path / "out/labels/train/a.txt").read_text().splitlines()
    assert [line.split()[0] for line in lines] == ["0", "42", "43"]
    with Image.open(tmp_path / "out/images/train/a.png") as picture:
        pixels = np.asarray(picture.convert("RGB"))
    assert (pixels[32:38, 2:8] == 114).all()
    assert (pixels[2:8, 2:8] == 200).all()


@pytest.mark.skipif(not TILES.is_dir(), reason="the labelled photos (../shared/data/tiles) are not here")
@pytest.mark.parametrize("split", ["train", "val"])
def test_every_shipped_correction_finds_its_label(split: str) -> None:
    corrections = load_corrections(SHIPPED)
    dataset = load_dataset(TILES / "data.yaml", split)
    used = 0
    for path in dataset.photos:
        changes = corrections.get(photo_key(path), ())
        if not changes:
            continue
        with Image.open(path) as opened:
            w, h = opened.size
        labels = [
            Label(code, ((cx - bw / 2) * w, (cy - bh / 2) * h, (cx + bw / 2) * w, (cy + bh / 2) * h))
            for code, (cx, cy, bw, bh) in labels_of(path, dataset.codes)
        ]
        correct(labels, changes, str(path))
        used += len(changes)
    assert used > 20
