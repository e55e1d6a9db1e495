"""Small real trainings through the gate: one that helps its table and harms no other is offered, one that harms is not.

They take minutes of a processor and the extra ``train``; without it they are skipped.
"""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from vision.extras import missing_libraries
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES, find_models
from vision.training.evaluation.gate import BETTER, PRICE
from vision.training.synthetic.collage import take_picture
from vision.training.synthetic.faces import face_maker
from vision.training.synthetic.fonts import chinese_fonts

Face = NDArray[np.uint8]
ROOT = Path(__file__).parents[4]
OF_TABLE, OF_ANOTHER = 3, 77
TAUGHT, HELD_BACK, ELSEWHERE = 12, 4, 4
SWAPPED = {f"{n}{one}": f"{n}{other}" for n in range(1, 10) for one, other in ("mp", "ps", "sm")}
"""Wrong names: what learns them reads every other table worse."""
RECIPE = """name = "t"
seed = 7
[data]
set = "data"
[made]
count = {made}
flowers = {flowers}
[finder]
start = "{models}/finder.onnx"
first = "{models}/finder.onnx"
epochs = 0
size = 576
rate = 0.0006
[reader]
start = "{models}/reader.onnx"
finder = "{models}/finder.onnx"
side = 64
crops = {crops}
batch = 128
rate = {rate}
{teacher}
[flowers]
start = "{models}/flowers.onnx"
side = 96
crops = 0
batch = 96
rate = 0.0008
[gate]
start = "{models}"
own = "own"
sets = ["own", "other"]
"""

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(5400),
    pytest.mark.skipif(bool(missing_libraries()), reason="training comes with an extra"),
    pytest.mark.skipif(not chinese_fonts(), reason="no Chinese font to draw tiles with"),
]


def design(seed: int) -> Callable[[str, random.Random], Face]:
    """One tile set: the same face whenever a tile is drawn. Its faces are drawn by chance, so no network knows it."""
    maker, faces = face_maker(None), dict[str, Face]()

    def face(code: str, _: random.Random) -> Face:
        if code not in faces:
            faces[code] = maker(code, random.Random(seed * 1000 + zlib.crc32(code.encode())))
        return faces[code]

    return face


def fill(folder: Path, seed: int, first: int, splits: list[str], names: dict[str, str]) -> None:
    """A set of the workbench with a checked photo for each split. ``names``: wrong names for some tiles."""
    store, face, fonts = DatasetStore.create(folder), design(seed), chinese_fonts()
    for number, split in enumerate(splits):
        pixels, seen = take_picture(random.Random(first + number), face, fonts)
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "JPEG", quality=92)
        info, _ = store.add(out.getvalue(), f"{number}.jpg", split=split, scene=folder.name)
        tiles = [(CLASSES[code], box) for code, box in seen if code < len(CLASSES)]
        labels = [Label(names.get(tile, tile), Box(*map(float, box)), checked=True) for tile, box in tiles]
        store.save(info.id, labels, 0)


def trained(folder: Path, names: dict[str, str], **recipe: object) -> dict[str, Any]:
    """Train on a table and let the gate judge; its answer."""
    fill(folder / "own", OF_TABLE, 9_100_000, ["train"] * TAUGHT + ["val"] * HELD_BACK, names)
    fill(folder / "other", OF_ANOTHER, 9_200_000, ["train"] * ELSEWHERE, {})
    models = find_models().folder.as_posix()
    (folder / "recipe.toml").write_text(RECIPE.format(models=models, **recipe), encoding="utf-8")
    for command in (
        ["dataset", "export", str(folder / "own"), "yolo", str(folder / "data"), "--true-only"],
        ["train", str(folder / "recipe.toml"), "--out", str(folder / "work"), "--threads", "1"],
    ):
        subprocess.run([sys.executable, "-m", "paitai", *command], cwd=ROOT, check=True)
    answer: dict[str, Any] = json.loads((folder / "work/gate.json").read_text(encoding="utf-8"))
    print({key: answer[key] for key in ("verdict", "share", "decided", "tried")})
    return answer


def test_a_training_that_harms_no_other_table_is_offered(tmp_path: Path) -> None:
    """The gate once dropped a network from every mixture and refused each training of names for it."""
    teacher = f'teacher = "{find_models().folder.as_posix()}/reader.onnx"'
    answer = trained(tmp_path, {}, made=40, flowers=10, crops=20_000, rate=0.0008, teacher=teacher)
    assert answer["verdict"] == BETTER
    assert answer["decided"] == []
    learned = next(group for group in answer["groups"] if group["kind"] == "learned")
    assert learned["low"] > 0, "the table surely gains"
    assert answer["own"]["points"] > 5
    offered = find_models(tmp_path / "work/models")
    assert offered.classifier.unsharp is not None


def test_a_training_that_harms_others_is_not_offered(tmp_path: Path) -> None:
    answer = trained(tmp_path, SWAPPED, made=0, flowers=0, crops=8_000, rate=0.002, teacher="")
    assert answer["verdict"] == PRICE, "its own labels are read better"
    assert answer["decided"]
    assert all(group["kind"] not in ("own", "learned") for group in answer["decided"])
    assert not (tmp_path / "work/models").exists()
