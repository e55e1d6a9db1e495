"""The network of characters learns, is scanned at two sizes, goes on at its checkpoint, and is exported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch (extra `train`) is not installed")
onnx = pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")

from vision.models.manifest import GLYPH_INPUTS  # noqa: E402
from vision.training.export.package import in_bytes  # noqa: E402
from vision.training.glyphs.finding import Located, Turned  # noqa: E402
from vision.training.glyphs.learning import Training, loss_of  # noqa: E402
from vision.training.glyphs.masks import LETTERS, OTHER, STORED, Masks  # noqa: E402
from vision.training.glyphs.network import as_batch, export, network, scan  # noqa: E402
from vision.training.glyphs.reporting import report  # noqa: E402
from vision.training.glyphs.tiles import STORED as CROP  # noqa: E402
from vision.training.glyphs.tiles import Tiles  # noqa: E402
from vision.training.glyphs.windows import CELLS, NOTHING, Windows  # noqa: E402


def store() -> tuple[Masks, Tiles]:
    """Noise for every kind, in a family that is trained on and in one that is left out; the same for tiles."""
    rng = np.random.default_rng(3)
    kinds = np.tile([*range(8), OTHER, LETTERS], 2)
    ink = rng.integers(0, 2, (20, STORED // 8, STORED // 8), np.uint8).repeat(8, 1).repeat(8, 2) * 255
    held = np.arange(20) >= 10
    masks = Masks(ink, np.full((20, 2), STORED), kinds, np.where(held, "b", "a"), held)
    pixels = rng.integers(0, 255, (12, CROP, CROP, 3), np.uint8)
    tile_kinds, drawn = np.array([0, OTHER, 3] * 4), np.arange(12) // 3 % 2 == 1
    return masks, Tiles(pixels, tile_kinds, np.array(["x"] * 12), drawn, np.arange(12) >= 6)


def test_the_network_has_the_weights_of_the_shipped_one_and_a_cell_for_every_fourth_pixel() -> None:
    model = network().eval()
    assert 360_000 < sum(weights.numel() for weights in model.parameters()) < 380_000
    assert model(torch.rand(2, 3, 56, 56)).shape == (2, 9, CELLS, CELLS)


def test_light_and_contrast_do_not_matter() -> None:
    model, pictures = network().eval(), torch.rand(2, 3, 56, 56) * 0.5 + 0.25
    with torch.no_grad():
        assert (model(pictures) - model(pictures + 0.2)).abs().max() < 1e-3


def test_learning_lowers_the_loss_on_the_same_windows() -> None:
    windows, cells = Windows(store(), 5).batch(8)
    training = Training(1)

    def loss() -> float:
        with torch.no_grad():
            return float(loss_of(training.model(as_batch(windows)), torch.from_numpy(cells).long()))

    before = loss()
    training.seen = 4000  # the rate has risen
    for _ in range(4):
        training.step(windows, cells, 0.0)
    assert loss() < before


def test_cells_near_a_character_cost_nothing() -> None:
    logits = torch.zeros(1, 9, CELLS, CELLS)
    cells = torch.full((1, CELLS, CELLS), NOTHING)
    cells[0, 3, 3] = 2
    before = loss_of(logits, cells)
    cells[0, 3, 4] = -1
    logits[0, 5, 3, 4] = 50.0
    assert torch.isclose(loss_of(logits, cells), before)


def test_a_scan_has_every_turn_at_both_sizes() -> None:
    crops = np.zeros((3, CROP, CROP, 3), np.uint8)
    answers = scan(network().eval(), crops)
    assert [level.shape for level in answers] == [(4, 3, 8, cells, cells) for cells in (19, 31)]
    assert [-(-side // 4) for side in GLYPH_INPUTS] == [19, 31]


def test_a_training_goes_on_at_its_checkpoint(tmp_path: Path) -> None:
    windows, cells = Windows(store(), 5).batch(4)
    training = Training(1)
    training.step(windows, cells, 0.0)
    training.located = {4: Located(Turned(4, 3), 2, 0.25, 0.75, 0.2)}
    training.hard = [Turned(1, 2)]
    training.save(tmp_path / "glyphs.pt")
    later = Training(2)
    later.load(tmp_path / "glyphs.pt")
    assert later.seen == 4
    assert later.located == training.located
    assert later.hard == training.hard
    assert later.rng.bit_generator.state == training.rng.bit_generator.state
    for name, values in training.mean.items():
        assert torch.equal(later.mean[name], values), name
        assert torch.equal(later.model.state_dict()[name], values), name
    later.step(windows, cells, 0.5)
    assert later.seen == 8


def test_mining_looks_only_at_what_is_trained_on() -> None:
    training = Training(1)
    masks, tiles = store()
    training.mine(tiles)
    allowed = set(tiles.places(flowers=True, drawn=False, held=False).tolist())
    allowed |= set(tiles.places(flowers=True, drawn=True, held=False).tolist())
    assert set(training.located) <= allowed
    hard = {tile.place for tile in training.hard}
    assert hard == set(np.flatnonzero((tiles.kinds == OTHER) & ~tiles.held).tolist())
    told = report(training.averaged(), (masks, tiles))
    assert set(told) == {"fonts", "real", "drawn", "others"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the exporter, which the other networks use too
def test_the_exported_network_answers_in_the_columns_of_flowers(tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    model, path = network().eval(), tmp_path / "glyphs.onnx"
    export(model, path)
    packed = tmp_path / "packed.onnx"
    in_bytes(path, packed)
    assert packed.stat().st_size < 400_000
    session, shipped = (
        onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"]) for file in (path, packed)
    )
    for count, side in ((1, GLYPH_INPUTS[0]), (3, GLYPH_INPUTS[1])):
        pictures = np.random.default_rng(side).integers(0, 255, (count, side, side, 3), np.uint8)
        (logits,) = session.run(None, {"crops": as_batch(pictures).numpy()})
        with torch.no_grad():
            expected = model(as_batch(pictures)).softmax(1)[:, :8].amax((2, 3)).numpy()
        assert logits.shape == (count, 44)
        assert np.abs(logits[:, 34:42] - expected).max() < 1e-4
        assert not np.delete(logits, range(34, 42), axis=1).any()
        assert np.abs(shipped.run(None, {"crops": as_batch(pictures).numpy()})[0] - logits).max() < 0.05
