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
from PIL import Image, ImageDraw, ImageFont

from vision.extras import missing_libraries
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES, find_models
from vision.training.evaluation.gate import BETTER, PRICE
from vision.training.synthetic.collage import take_picture
from vision.training.synthetic.faces import face_maker
from vision.training.synthetic.fonts import chinese_fonts

Face = NDArray[np.uint8]
Faces = Callable[[str, random.Random], Face]
ROOT = Path(__file__).parents[4]
OF_LEARNERS, OF_TABLE, OF_ANOTHER = 0, 3, 77
ELSEWHERE = 4
GAIN = 20
"""Points that the table gains on photos that the training did not see."""
NUMERALS = "一二三四五六七八九"
SUITS = {"p": ("筒", (30, 60, 170)), "s": ("索", (20, 120, 50))}
"""On a set for learners circles and bamboos are words. The network reads them as characters."""
TEACHERS = {"teacher": "reader", "second_teacher": "unsharp"}
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
[unsharp]
start = "{models}/unsharp.onnx"
side = 64
crops = {second}
batch = 128
rate = {rate}
{second_teacher}
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


def design(seed: int, *, words: bool = False) -> Faces:
    """One tile set: the same face whenever a tile is drawn. Its faces are drawn by chance, so no network knows it.

    ``words``: circles and bamboos are written out, as sets for learners have them.
    """
    maker, faces = face_maker(None), dict[str, Face]()

    def face(code: str, _: random.Random) -> Face:
        if code not in faces:
            spelt = words and code[1] in SUITS
            faces[code] = (
                written(code) if spelt else maker(code, random.Random(seed * 1000 + zlib.crc32(code.encode())))
            )
        return faces[code]

    return face


def written(code: str) -> Face:
    """A number over the word of its suit."""
    path, index = chinese_fonts()[0]
    font = ImageFont.truetype(str(path), 112, index=index)
    image = Image.new("RGBA", (180, 240))
    word, ink = SUITS[code[1]]
    for text, place, colour in ((NUMERALS[int(code[0]) - 1], 62, (20, 20, 30)), (word, 178, ink)):
        ImageDraw.Draw(image).text((90, place), text, fill=(*colour, 255), font=font, anchor="mm")
    return np.asarray(image)[:, :, [2, 1, 0, 3]].astype(np.uint8)


def fill(folder: Path, face: Faces, first: int, splits: list[str], names: dict[str, str]) -> None:
    """A set of the workbench with a checked photo for each split. ``names``: wrong names for some tiles."""
    store, fonts = DatasetStore.create(folder), chinese_fonts()
    for number, split in enumerate(splits):
        pixels, seen = take_picture(random.Random(first + number), face, fonts)
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "JPEG", quality=92)
        info, _ = store.add(out.getvalue(), f"{number}.jpg", split=split, scene=folder.name)
        tiles = [(CLASSES[code], box) for code, box in seen if code < len(CLASSES)]
        labels = [Label(names.get(tile, tile), Box(*map(float, box)), checked=True) for tile, box in tiles]
        store.save(info.id, labels, 0)


def trained(folder: Path, face: Faces, taught: int, held: int, names: dict[str, str], **recipe: object) -> Any:
    """Train on a table and let the gate judge; its answer.

    ``face``: of the table's tiles; ``taught``, ``held``: photos to learn from, and others; ``names``: wrong names.
    """
    fill(folder / "own", face, 9_100_000, ["train"] * taught + ["val"] * held, names)
    fill(folder / "other", design(OF_ANOTHER), 9_200_000, ["train"] * ELSEWHERE, {})
    models = find_models().folder.as_posix()
    (folder / "recipe.toml").write_text(RECIPE.format(models=models, **recipe), encoding="utf-8")
    for command in (
        ["dataset", "export", str(folder / "own"), "yolo", str(folder / "data"), "--true-only"],
        ["train", str(folder / "recipe.toml"), "--out", str(folder / "work"), "--threads", "1"],
    ):
        subprocess.run([sys.executable, "-m", "paitai", *command], cwd=ROOT, check=True)
    answer = json.loads((folder / "work/gate.json").read_text(encoding="utf-8"))
    print({key: answer[key] for key in ("verdict", "share", "decided", "tried", "groups")})
    return answer


def test_a_training_that_gains_twenty_points_and_harms_no_other_table_is_offered(tmp_path: Path) -> None:
    """The gate once dropped a network from every mixture and refused each training of names for it."""
    models = find_models().folder.as_posix()
    teachers = {key: f'teacher = "{models}/{name}.onnx"' for key, name in TEACHERS.items()}
    face = design(OF_LEARNERS, words=True)
    answer = trained(
        tmp_path, face, 16, 6, {}, made=80, flowers=20, crops=30_000, second=20_000, rate=0.0008, **teachers
    )
    assert answer["verdict"] == BETTER
    assert answer["decided"] == []
    own = next(group for group in answer["groups"] if group["kind"] == "own")
    assert own["points"] >= GAIN
    assert own["low"] > 0, "the table surely gains"
    offered = find_models(tmp_path / "work/models")
    assert offered.classifier.unsharp is not None


def test_a_training_that_harms_others_is_not_offered(tmp_path: Path) -> None:
    answer = trained(
        tmp_path,
        design(OF_TABLE),
        12,
        4,
        SWAPPED,
        made=0,
        flowers=0,
        crops=8_000,
        rate=0.002,
        second=0,
        teacher="",
        second_teacher="",
    )
    assert answer["verdict"] == PRICE, "its own labels are read better"
    assert answer["decided"]
    assert all(group["kind"] not in ("own", "learned") for group in answer["decided"])
    assert not (tmp_path / "work/models").exists()
