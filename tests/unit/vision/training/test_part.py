"""A parted detector: each half of a map has its own convolution, and the numbers that it had."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.models.manifest import find_models
from vision.pixels.server.onnx_session import Network
from vision.training.export.part import part

WIDTH = 16


def test_the_shipped_detector_is_parted() -> None:
    assert b"/model.2/cv1/conv/Conv.1" in find_models().detector.path.read_bytes()


def block(path: Path, *, curved: bool, added: bool) -> None:
    """A block in ultralytics' form, with random weights; ``added``: its second half is added to the output of a
    convolution without an activation."""
    onnx = pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")
    helper, kept = onnx.helper, onnx.numpy_helper.from_array
    random = np.random.default_rng(1)
    nodes: list[Any] = []
    weights: list[Any] = [kept(np.array([WIDTH, WIDTH]), "halves")]

    def node(kind: str, inputs: list[str], name: str, outputs: int = 1, **more: Any) -> list[str]:
        made = [f"{name}_output_{at}" for at in range(outputs)]
        nodes.append(helper.make_node(kind, inputs, made, name=name, **more))
        return made

    def conv(taken: str, name: str, come: int, go: int, side: int) -> str:
        for key, values in (
            ("weight", random.normal(0, 0.4, (go, come, side, side))),
            ("bias", random.normal(size=go)),
        ):
            weights.append(kept(values.astype(np.float32), f"{name}.{key}"))
        sides = {"kernel_shape": [side, side], "pads": [side // 2] * 4}
        return node("Conv", [taken, f"{name}.weight", f"{name}.bias"], f"{name}/Conv", **sides)[0]

    def curve(taken: str, name: str) -> str:
        return node("Mul", [taken, *node("Sigmoid", [taken], f"{name}/Sigmoid")], f"{name}/Mul")[0]

    whole = conv("images", "/a", 3, 2 * WIDTH, 1)
    first, second = node("Split", [curve(whole, "/a") if curved else whole, "halves"], "/Split", 2, axis=1)
    more = conv(second, "/b", WIDTH, WIDTH, 3)
    third = node("Add", [second, more if added else curve(more, "/b")], "/Add")[0]
    nodes.append(helper.make_node("Concat", [first, second, third], ["out"], name="/Concat", axis=1))
    single = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "block",
        [helper.make_tensor_value_info("images", single, [1, 3, 24, 32])],
        [helper.make_tensor_value_info("out", single, [1, 3 * WIDTH, 24, 32])],
        weights,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


@pytest.mark.parametrize("curved", [True, False])
def test_halves_are_the_same_to_the_last_digit(tmp_path: Path, curved: bool) -> None:
    whole, halves = tmp_path / "whole.onnx", tmp_path / "halves.onnx"
    block(whole, curved=curved, added=False)
    assert part(whole, halves) == 1
    values = np.random.default_rng(2).normal(size=(1, 3, 24, 32)).astype(np.float32)
    np.testing.assert_array_equal(Network(whole)(values), Network(halves)(values))
    assert part(halves, tmp_path / "again.onnx") == 0, "parted already"
    assert (tmp_path / "again.onnx").read_bytes() == halves.read_bytes()


def test_a_half_with_which_another_sum_would_begin_stays(tmp_path: Path) -> None:
    whole = tmp_path / "whole.onnx"
    block(whole, curved=True, added=True)
    assert part(whole, tmp_path / "halves.onnx") == 0
