"""The mean of two networks, and files that are not the same network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.training.export.average import average

onnx = pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")


def network(path: Path, weights: Any) -> Path:
    """y = x + weights."""
    shape = list(np.shape(weights))
    x, y = (onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name in "xy")
    held = onnx.numpy_helper.from_array(np.array(weights, np.float32), "w")
    graph = onnx.helper.make_graph([onnx.helper.make_node("Add", ["x", "w"], ["y"])], "g", [x], [y], [held])
    onnx.save(onnx.helper.make_model(graph), path)
    return path


def test_every_weight_lies_between_the_two(tmp_path: Path) -> None:
    first, second = network(tmp_path / "a.onnx", [0.0, 4.0]), network(tmp_path / "b.onnx", [1.0, 0.0])
    (found,) = average(first, second, 0.25).graph.initializer
    assert onnx.numpy_helper.to_array(found).tolist() == [0.25, 3.0]


def test_two_architectures_have_no_mean(tmp_path: Path) -> None:
    first, second = network(tmp_path / "a.onnx", [0.0, 4.0]), network(tmp_path / "b.onnx", [1.0])
    with pytest.raises(ValueError, match="differ at w"):
        average(first, second, 0.5)
