"""The long training: the stored network learns as it is, goes on as if it had not stopped, and is mixed back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch (extra `train`) is not installed")
onnx = pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")
pytest.importorskip("ultralytics", reason="ultralytics (extra `train`) is not installed")

from vision.training.data.crops import STORED, Crops  # noqa: E402
from vision.training.data.store import write_part  # noqa: E402
from vision.training.networks.distil import CHECKPOINT, main  # noqa: E402
from vision.training.networks.folded import folded_network, write_mixed  # noqa: E402
from vision.training.networks.unfold import folded_weights  # noqa: E402

READER = Path(__file__).parents[4] / "models/reader.onnx"
UNSHARP = READER.with_name("unsharp.onnx")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A small store of noise, a third of it held out."""
    rng = np.random.default_rng(7)
    pixels = rng.integers(0, 255, (24, STORED, STORED, 3), np.uint8)
    sizes = np.tile(np.array([[0.7, 1.0]], np.float32), (24, 1))
    crops = Crops(pixels, np.arange(24) % 8, sizes, np.arange(24) % 3 == 0)
    write_part(tmp_path, "real", crops, rng.dirichlet(np.ones(44), 24).astype(np.float32))
    return tmp_path


def trained(store: Path, crops: int) -> Any:
    """The checkpoint after this many crops in all."""
    main(["train", "--out", str(store), "--start", str(READER), "--crops", str(crops), "--batch", "8"])
    return torch.load(store / CHECKPOINT)


def logits_of(path: Path, views: Any) -> Any:
    """An ONNX file's outputs for ``views`` (n, 3, 64, 64): (n, 44)."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return session.run(None, {"crops": views.numpy()})[0]


def test_the_network_computes_what_the_file_does() -> None:
    views = torch.rand(3, 3, 64, 64)
    with torch.no_grad():
        said = folded_network(READER)(views)
    said = said[1] if isinstance(said, tuple) else said
    assert np.abs(logits_of(READER, views) - said.numpy()).max() < 1e-3


def test_a_training_that_stopped_goes_on_as_if_it_had_not(store: Path) -> None:
    whole = trained(store, 32)
    (store / CHECKPOINT).unlink()
    trained(store, 16)
    parts = trained(store, 32)
    assert whole["seen"] == parts["seen"] == 32
    assert whole["rng"] == parts["rng"]
    for name, mean in whole["mean"].items():
        assert torch.allclose(mean, parts["mean"][name], atol=1e-6), name


def test_the_mean_is_mixed_into_the_weights_it_began_with(store: Path, tmp_path: Path) -> None:
    checkpoint = trained(store, 16)
    out = tmp_path / "mixed.onnx"
    main(["export", "--out", str(store), "--start", str(READER), "--share", "0.25", "--onnx", str(out)])
    assert out.with_suffix(".json").is_file()
    before, after = folded_weights(READER), folded_weights(out)
    for name, mean in checkpoint["mean"].items():
        expected = 0.75 * before[name].float() + 0.25 * mean
        assert torch.allclose(after[name].float(), expected, rtol=2e-3, atol=2e-4), name


def test_a_training_goes_on_from_weights_that_are_stored_in_bytes(tmp_path: Path) -> None:
    network = folded_network(UNSHARP)
    views = torch.rand(3, 3, 64, 64)
    with torch.no_grad():
        said = network(views)
    said = (said[1] if isinstance(said, tuple) else said).numpy()
    assert np.abs(logits_of(UNSHARP, views) - said).max() < 1e-2
    weights = {name: one.detach().numpy() for name, one in network.named_parameters()}
    write_mixed(UNSHARP, weights, 1.0, tmp_path / "half.onnx")
    assert np.abs(logits_of(tmp_path / "half.onnx", views) - said).max() < 1e-2
    assert (tmp_path / "half.onnx").stat().st_size > 1.8 * UNSHARP.stat().st_size


def test_another_network_is_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="has other layers"):
        write_mixed(READER, {"model.0.conv.weight": np.zeros(3, np.float32)}, 0.5, tmp_path / "no.onnx")
