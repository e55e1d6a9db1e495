"""The networks as a phone computes them give what onnxruntime gives."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

from pocket.weights import phone_models
from vision.models.manifest import models_folder
from vision.photo.image import load_photo
from vision.photo.sample import sample_photo_path
from vision.pixels.server.crops import letterbox

HERE = Path(__file__).parent
NETWORK = HERE.parents[2] / "pocket/site/network"
CROPS = 5
WAYS = [(1, 1, False), (3, 1, False), (3, 2, False), (3, 1, True)]
"""Side, step, and whether each channel is by itself, of a convolution."""

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
Floats = NDArray[np.float32]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The phone's scripts where Node.js takes them for modules."""
    folder = tmp_path_factory.mktemp("network")
    shutil.copytree(NETWORK, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    return folder


def asked(scripts: Path, question: dict[str, Any]) -> Any:
    done = subprocess.run(
        ["node", str(HERE / "network.mjs")],
        input=json.dumps({"folder": str(scripts), **question}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def told(values: Floats) -> dict[str, Any]:
    return {"dims": list(values.shape), "data": base64.b64encode(np.ascontiguousarray(values).tobytes()).decode()}


def heard(made: dict[str, Any]) -> Floats:
    return np.frombuffer(base64.b64decode(made["data"]), np.float32).reshape(made["dims"])


def both(scripts: Path, name: str, folder: Path, values: Floats) -> tuple[Floats, Floats]:
    """A phone's output and onnxruntime's. The phone's is the same every time, and leaves no memory taken."""
    model, given = folder / f"{name}.onnx", told(values)
    model.write_bytes(phone_models()[model.name])
    made = asked(scripts, {"model": str(model), "dims": given["dims"], "input": given["data"]})
    assert (made["again"], made["left"]) == (True, 0)
    shipped = str(models_folder() / model.name)
    session = onnxruntime.InferenceSession(shipped, providers=["CPUExecutionProvider"])
    return heard(made), np.asarray(session.run(None, {session.get_inputs()[0].name: values})[0])


@pytest.mark.parametrize(
    ("name", "side"), [("reader", 64), ("unsharp", 64), ("flowers", 96), ("glyphs", 74), ("glyphs", 122)]
)
def test_classifiers_give_the_same(scripts: Path, tmp_path: Path, name: str, side: int) -> None:
    crops = np.random.default_rng(7).random((CROPS, 3, side, side), dtype=np.float32)
    mine, theirs = both(scripts, name, tmp_path, crops)
    assert mine.shape == theirs.shape
    assert np.abs(mine - theirs).max() < 1e-4


def test_the_detector_finds_the_same(scripts: Path, tmp_path: Path) -> None:
    """With its weights as a phone stores them, in a photo that is not as high as it is wide."""
    photo = load_photo(sample_photo_path().read_bytes())
    mine, theirs = both(scripts, "finder", tmp_path, letterbox(photo.pixels, 512)[0])
    assert mine.shape == theirs.shape
    assert mine.shape[2] > 17
    assert np.abs(mine - theirs)[:, :4].max() < 0.005
    assert np.abs(mine - theirs)[:, 4].max() < 1e-4


def convolution(picture: Floats, weights: Floats, biases: Floats, side: int, step: int, *, apart: bool) -> Floats:
    edge = side // 2
    wide = np.pad(picture, ((0, 0), (0, 0), (edge, edge), (edge, edge)))
    windows = np.lib.stride_tricks.sliding_window_view(wide, (side, side), (2, 3))[:, :, ::step, ::step]
    sums = (
        np.einsum("nchwij,cij->nchw", windows, weights[:, 0])
        if apart
        else np.einsum("nchwij,kcij->nkhw", windows, weights)
    )
    return np.asarray(sums + biases[:, None, None], np.float32)


def test_convolutions_of_every_size(scripts: Path) -> None:
    """Widths around four and eight, rows of weights around four, several pictures, with and without the sigmoid."""
    chosen = np.random.default_rng(3)
    sizes = [(1, 3, 5, 5, 1), (2, 5, 9, 4, 3), (3, 4, 2, 2, 8), (5, 2, 3, 3, 6), (1, 7, 6, 17, 13), (2, 3, 1, 1, 4)]
    layers, wanted = [], []
    for (count, channels, height, width, rows), (side, step, apart), lit in itertools.product(
        sizes, WAYS, [True, False]
    ):
        picture = chosen.normal(size=(count, channels, height, width)).astype(np.float32)
        kept = channels if apart else rows
        weights = chosen.normal(size=(kept, 1 if apart else channels, side, side)).astype(np.float32)
        biases = chosen.normal(size=kept).astype(np.float32)
        way = {"step": step, "edge": side // 2, "apart": apart, "lit": lit}
        layers.append({"weights": told(weights), "biases": told(biases)["data"], "way": way, "input": told(picture)})
        sums = convolution(picture, weights, biases, side, step, apart=apart)
        wanted.append(sums / (1 + np.exp(-sums)) if lit else sums)
    made = asked(scripts, {"layers": layers})
    assert made["left"] == 0
    for mine, theirs in zip(map(heard, made["made"]), wanted, strict=True):
        assert mine.shape == theirs.shape
        assert np.abs(mine - theirs).max() < 1e-4


def test_products_of_matrices(scripts: Path) -> None:
    chosen = np.random.default_rng(4)
    pairs = [((2, 2, 9, 32), (2, 2, 32, 9)), ((1, 2, 45, 32), (1, 2, 32, 45)), ((1, 64, 50), (1, 50, 33))]
    given = [[chosen.normal(size=dims).astype(np.float32) for dims in pair] for pair in pairs]
    made = asked(scripts, {"layers": [{"matrices": list(map(told, pair))} for pair in given]})
    assert made["left"] == 0
    for mine, (first, second) in zip(map(heard, made["made"]), given, strict=True):
        assert np.abs(mine - first @ second).max() < 1e-4
