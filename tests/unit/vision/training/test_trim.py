"""A trimmed detector: fewer places, each with the numbers that it had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.detection.detector import WEAK
from vision.models.manifest import find_models
from vision.photo.image import load_photo
from vision.photo.sample import sample_photo_path
from vision.pixels.server.crops import letterbox
from vision.pixels.server.onnx_session import Network
from vision.training.export.trim import LEAST_SCORE, trim

BINS, WIDTH = 4, 6


def test_the_shipped_detector_is_trimmed() -> None:
    network = Network(find_models().detector.path)
    values, _, _ = letterbox(load_photo(sample_photo_path()).pixels, 512)
    found = network(values)
    assert found.shape[:2] == (1, 5)
    assert (found[0, 4] >= LEAST_SCORE).all()
    assert LEAST_SCORE < WEAK, "nothing that anybody reads is left out"
    assert 19 <= (found[0, 4] >= WEAK).sum() < 500
    assert network(np.full_like(values, 0.45)).shape == (1, 5, 1), "nothing seen: the best place is kept"


def head(path: Path, seed: int) -> None:
    """A head of two maps as ultralytics writes it, with random weights."""
    onnx = pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")
    helper, kept = onnx.helper, onnx.numpy_helper.from_array
    random = np.random.default_rng(seed)
    nodes: list[Any] = []
    weights: list[Any] = []

    def constant(name: str, values: Any) -> str:
        weights.append(kept(np.asarray(values), name))
        return name

    def node(kind: str, inputs: list[str], name: str, **more: Any) -> str:
        nodes.append(helper.make_node(kind, inputs, [f"{name}_output_0"], name=name, **more))
        return f"{name}_output_0"

    def conv(taken: str, name: str, come: int, go: int, side: int, stride: int = 1) -> str:
        values = random.normal(0, 0.4, (go, come, side, side)).astype(np.float32)
        sides = {"kernel_shape": [side, side], "pads": [side // 2] * 4, "strides": [stride, stride]}
        return node("Conv", [taken, constant(f"{name}.weight", values)], f"{name}/Conv", **sides)

    def curved(taken: str, name: str) -> str:
        return node("Mul", [taken, node("Sigmoid", [taken], f"{name}/Sigmoid")], f"{name}/Mul")

    features = [curved(conv("images", "/body/a", 3, WIDTH, 3, 8), "/body/a")]
    features.append(curved(conv(features[0], "/body/b", WIDTH, WIDTH, 3, 2), "/body/b"))
    spreads, classes, middles, strides = [], [], [], []
    constant("one", np.array([1], np.int64)), constant("none", np.array([0], np.int64))
    constant("spread", np.array([1, 4 * BINS, -1], np.int64)), constant("class", np.array([1, 1, -1], np.int64))
    for at, (feature, high, wide) in enumerate(zip(features, (12, 6), (16, 8), strict=True)):
        first = curved(conv(feature, f"/head/box.{at}.0", WIDTH, WIDTH, 3), f"/head/box.{at}.0")
        second = curved(conv(first, f"/head/box.{at}.1", WIDTH, WIDTH, 3), f"/head/box.{at}.1")
        spread = conv(second, f"/head/box.{at}.2", WIDTH, 4 * BINS, 1)
        spreads.append(node("Reshape", [spread, "spread"], f"/head/box.{at}"))
        said = conv(feature, f"/head/class.{at}", WIDTH, 1, 1)
        classes.append(node("Reshape", [said, "class"], f"/head/class.{at}"))
        rows, columns = np.mgrid[0:high, 0:wide].astype(np.float32) + 0.5
        middles.append(np.stack([columns.ravel(), rows.ravel()]))
        strides.append(np.full(high * wide, 8.0 * 2**at, np.float32))
    constant("middles", np.concatenate(middles, axis=1)[None]), constant("strides", np.concatenate(strides)[None])
    anchors = node("Identity", ["middles"], "/head/anchors")
    spread = node("Concat", spreads, "/head/spread", axis=-1)
    parts = node("Reshape", [spread, constant("bins", np.array([1, 4, BINS, -1], np.int64))], "/head/dfl/Reshape")
    shares = node(
        "Softmax", [node("Transpose", [parts], "/head/dfl/Transpose", perm=[0, 2, 1, 3])], "/head/dfl/Softmax", axis=1
    )
    constant("steps", np.arange(BINS, dtype=np.float32).reshape(1, BINS, 1, 1))
    far = node("Conv", [shares, "steps"], "/head/dfl/Conv", kernel_shape=[1, 1])
    sides = node("Reshape", [far, constant("sides", np.array([1, 4, -1], np.int64))], "/head/dfl/far")
    constant("two", np.array([2], np.int64)), constant("four", np.array([4], np.int64))
    low = node("Sub", [anchors, node("Slice", [sides, "none", "two", "one"], "/head/low")], "/head/Sub")
    top = node("Add", [anchors, node("Slice", [sides, "two", "four", "one"], "/head/top")], "/head/Add")
    half = constant("half", np.float32(2))
    middle = node("Div", [node("Add", [low, top], "/head/both"), half], "/head/Div")
    size = node("Sub", [top, low], "/head/size")
    boxes = node("Concat", [middle, size], "/head/boxes", axis=1)
    steps = node("Identity", ["strides"], "/head/strides")
    scaled = node("Mul", [boxes, steps], "/head/scaled")
    scores = node("Sigmoid", [node("Concat", classes, "/head/classes", axis=-1)], "/head/Sigmoid")
    nodes.append(helper.make_node("Concat", [scaled, scores], ["out"], name="/head/out", axis=1))
    single = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "head",
        [helper.make_tensor_value_info("images", single, [1, 3, 96, 128])],
        [helper.make_tensor_value_info("out", single, [1, 5, "places"])],
        weights,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_left_is_the_same_to_the_last_digit(tmp_path: Path, seed: int) -> None:
    whole, small = tmp_path / "whole.onnx", tmp_path / "small.onnx"
    head(whole, seed)
    assert trim(whole, small)
    old, new = Network(whole), Network(small)
    for offset in (0.0, -0.5, 0.5):
        values = np.random.default_rng(seed).normal(offset, 1, (1, 3, 96, 128)).astype(np.float32)
        full = old(values)
        kept = full[:, :, full[0, 4] >= min(LEAST_SCORE, full[0, 4].max())]
        np.testing.assert_array_equal(new(values), kept)
    assert not trim(small, tmp_path / "again.onnx"), "trimmed already"
    assert (tmp_path / "again.onnx").read_bytes() == small.read_bytes()


def test_what_is_no_such_head_stays_as_it_is(tmp_path: Path) -> None:
    pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")
    reader = find_models().classifier.path
    assert not trim(reader, tmp_path / "reader.onnx")
    assert (tmp_path / "reader.onnx").read_bytes() == reader.read_bytes()
