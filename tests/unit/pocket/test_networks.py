"""The networks as a phone loads them give what the shipped ones give."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest

from pocket.protobuf import all_of
from pocket.together import together
from vision.models.manifest import models_folder

CROPS = 5


def output(model: bytes, side: int) -> np.ndarray:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    crops = np.random.default_rng(7).random((CROPS, 3, side, side), dtype=np.float32)
    return np.asarray(session.run(None, {session.get_inputs()[0].name: crops})[0])


def convolutions(model: bytes) -> int:
    (graph,) = all_of(model, 7)
    return sum(b"/together 0" in output for node in all_of(graph, 1) for output in all_of(node, 2))


@pytest.mark.parametrize(("name", "side"), [("reader", 64), ("unsharp", 64), ("flowers", 96)])
def test_late_layers_together_give_the_same(name: str, side: int) -> None:
    shipped = (models_folder() / f"{name}.onnx").read_bytes()
    model = together(shipped)
    assert convolutions(model) == 17, "all with at most three positions a side, and no other"
    assert np.abs(output(model, side) - output(shipped, side)).max() < 1e-5


def test_a_detector_of_pictures_of_any_size_stays_as_it_is() -> None:
    finder = (models_folder() / "finder.onnx").read_bytes()
    assert together(finder) == finder
