"""The training data of the network for blurred photos, and its storage."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.detection.classifier import OnnxClassifier
from vision.models.manifest import find_models
from vision.pixels import sight
from vision.training.data.store import STORED_SIDE
from vision.training.data.unsharp import unsharp


def squares(seed: int) -> np.ndarray:
    """A picture with edges, as large as a stored crop."""
    small = np.random.default_rng(seed).integers(30, 220, (14, 14, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(small, (STORED_SIDE, STORED_SIDE), interpolation=cv2.INTER_NEAREST), np.uint8)


def edges(pixels: np.ndarray) -> float:
    """The steepness of its edges, without noise, which is as small as a pixel."""
    return float(cv2.Laplacian(cv2.resize(pixels, (56, 56), interpolation=cv2.INTER_AREA), cv2.CV_64F).std())


def test_a_crop_loses_what_is_small_and_nothing_else() -> None:
    softer = 0
    for seed in range(40):
        crop = squares(seed)
        made = unsharp(crop, np.random.default_rng(seed))
        assert made.shape == crop.shape
        assert made.dtype == np.uint8
        softer += edges(made) < 0.95 * edges(crop)
        large = [cv2.resize(one, (4, 4), interpolation=cv2.INTER_AREA).astype(int) for one in (made, crop)]
        assert np.abs(large[0] - large[1]).max() < 30
    assert softer > 30, "most of them"


def test_chance_alone_decides_it() -> None:
    crop = squares(1)
    first, again, other = (unsharp(crop, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert (first == again).all()
    assert (first != other).any()


def test_stored_in_bytes_it_names_the_same(tmp_path: Path) -> None:
    pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")
    from vision.training.export.package import in_bytes

    spec = find_models().classifier
    in_bytes(spec.path, tmp_path / "small.onnx")
    assert (tmp_path / "small.onnx").stat().st_size < 0.55 * spec.path.stat().st_size
    crops = np.stack([cv2.resize(squares(seed), (spec.input, spec.input)) for seed in range(8)])
    whole, small = (sight.logits(sight.Network(path), crops, range(1)) for path in (spec.path, tmp_path / "small.onnx"))
    assert np.abs(whole - small).max() < 0.1 * np.ptp(whole)


def test_the_shipped_one_is_of_the_classifiers_form() -> None:
    classifier = OnnxClassifier(find_models().classifier)
    assert classifier.unsharp is not classifier
    said = classifier.unsharp.read(squares(3), np.array([[20.0, 20, 70, 90]]))
    assert said.shape == (1, 44)
    assert said.sum() == pytest.approx(1)
