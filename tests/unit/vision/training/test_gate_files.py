"""Files of the gate: checked photos of every set, and a model only with a good verdict."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import find_models
from vision.training.evaluation.gate import LEARNED, OWN, Count, Group, settle, trial
from vision.training.export.gate import DEAR, OFFERED, keep, mix, questions_of_set
from vision.training.export.package import entry, write

OWN_TABLE, OTHER = Group("mine", OWN), Group("kitchen", "table")


def noise(seed: int) -> bytes:
    """A picture of nothing."""
    out = io.BytesIO()
    Image.fromarray(np.random.default_rng(seed).integers(0, 255, (120, 160, 3), dtype=np.uint8)).save(out, "PNG")
    return out.getvalue()


def dataset(folder: Path, splits: list[str | None]) -> Path:
    """A set with a photo of one checked tile for each split, and one unchecked photo."""
    store = DatasetStore.create(folder)
    for number, split in enumerate([*splits, None]):
        info, _ = store.add(noise(number), f"{number}.png", split=split)
        store.save(info.id, [Label("1m", Box(10, 10, 40, 50), checked=number < len(splits))], 0)
    return folder


def test_only_checked_photos_are_asked_and_those_learned_from_apart(tmp_path: Path) -> None:
    folder = dataset(tmp_path / "mine", ["train", "train", "val", None])
    own = questions_of_set(folder, own=True)
    assert {group.kind: len(photos) for group, photos in own.items()} == {LEARNED: 2, OWN: 2}
    other = questions_of_set(folder, own=False)
    assert {group: len(photos) for group, photos in other.items()} == {Group("mine", "table"): 4}
    question = other[Group("mine", "table")][0]()
    assert question is not None
    assert [(label.tile, label.box) for label in question.labels] == [("1m", (10.0, 10.0, 40.0, 50.0))]


@pytest.mark.parametrize(
    ("own", "other", "kept"),
    [(17, 16, {OFFERED}), (17, 12, {DEAR}), (14, 17, set())],
    ids=["better", "price", "nothing"],
)
def test_a_model_stands_where_its_verdict_says(tmp_path: Path, own: int, other: int, kept: set[str]) -> None:
    before = {OWN_TABLE: [Count(17, 14, 0, False)] * 4, OTHER: [Count(17, 16, 0, False)] * 4}
    after = {OWN_TABLE: [Count(17, own, 0, False)] * 4, OTHER: [Count(17, other, 0, False)] * 4}
    shutil.copytree(find_models().folder, tmp_path / "work/0.35")
    (tmp_path / OFFERED).mkdir()  # of an earlier try
    keep(settle([trial(0.35, before, after)]), tmp_path / "work", tmp_path)
    assert {name for name in (OFFERED, DEAR) if (tmp_path / name).is_dir()} == kept
    for name in kept:
        measured = json.loads((tmp_path / name / "manifest.json").read_text(encoding="utf-8"))["measured"]
        assert measured["own"]["tile_accuracy"] == 1.0
        assert measured["others"]["tiles"] == 68
        find_models(tmp_path / name)


def test_a_mixture_reads_like_a_model_and_lies_between_the_two(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")
    start, trained = find_models().folder, tmp_path / "trained"
    shutil.copytree(start, trained)
    network = onnx.load(trained / "reader.onnx")
    weights = max(network.graph.initializer, key=lambda one: len(one.raw_data))
    old = onnx.numpy_helper.to_array(weights)
    weights.CopyFrom(onnx.numpy_helper.from_array(old + old.dtype.type(1), weights.name))
    onnx.save(network, trained / "reader.onnx")
    manifest = json.loads((trained / "manifest.json").read_text(encoding="utf-8"))
    changed = {key: value for key, value in manifest["reader"].items() if key not in ("file", "size", "sha256")}
    manifest["reader"] = entry(trained / "reader.onnx", **changed | {"temperature": 1.8})
    write(trained, manifest)
    mix(start, trained, 0.25, tmp_path / "mixed", "mixed")
    mixed = find_models(tmp_path / "mixed")
    assert mixed.classifier.temperature == pytest.approx(1.05)
    assert (tmp_path / "mixed/finder.onnx").read_bytes() == (start / "finder.onnx").read_bytes()
    files = {path.name for path in start.glob("*.onnx")} | {"manifest.json"}
    assert {path.name for path in (tmp_path / "mixed").iterdir()} == files
    between = {one.name: one for one in onnx.load(tmp_path / "mixed/reader.onnx").graph.initializer}[weights.name]
    assert onnx.numpy_helper.to_array(between) - old == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("temperature", [1.0, 1.8], ids=["same reader", "trained reader"])
def test_a_mixture_keeps_the_network_for_unsharp_photos(tmp_path: Path, temperature: float) -> None:
    """Without it the mixture would be compared with a model that has one more network."""
    onnx = pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")
    start, trained = find_models().folder, tmp_path / "trained"
    shutil.copytree(start, trained)
    manifest = json.loads((trained / "manifest.json").read_text(encoding="utf-8"))
    del manifest["unsharp"]  # a training packs only the networks that it trained
    if temperature != manifest["reader"]["temperature"]:
        network = onnx.load(trained / "reader.onnx")
        network.producer_name = "trained"
        onnx.save(network, trained / "reader.onnx")
        about = {key: value for key, value in manifest["reader"].items() if key not in ("file", "size", "sha256")}
        manifest["reader"] = entry(trained / "reader.onnx", **about | {"temperature": temperature})
    (trained / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    mix(start, trained, 0.25, tmp_path / "mixed", "mixed")
    unsharp = find_models(tmp_path / "mixed").classifier.unsharp
    assert unsharp is not None
    assert unsharp.path.read_bytes() == (start / "unsharp.onnx").read_bytes()


def test_a_second_network_that_learned_is_mixed_though_its_weights_are_in_bytes(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx (extra `train`) is not installed")
    pytest.importorskip("torch", reason="torch (extra `train`) is not installed")
    from vision.training.networks.unfold import folded_weights

    start, trained = find_models().folder, tmp_path / "trained"
    shutil.copytree(start, trained)
    network = onnx.load(trained / "unsharp.onnx")
    scale = next(one for one in network.graph.initializer if one.name.endswith("/scale"))
    doubled = 2 * onnx.numpy_helper.to_array(scale)
    scale.CopyFrom(onnx.numpy_helper.from_array(doubled, scale.name))
    onnx.save(network, trained / "unsharp.onnx")
    manifest = json.loads((trained / "manifest.json").read_text(encoding="utf-8"))
    about = {key: value for key, value in manifest["unsharp"].items() if key not in ("file", "size", "sha256")}
    manifest["unsharp"] = entry(trained / "unsharp.onnx", **about)
    write(trained, manifest)
    mix(start, trained, 0.5, tmp_path / "mixed", "mixed")
    before, after = (folded_weights(folder / "unsharp.onnx") for folder in (start, tmp_path / "mixed"))
    larger = [name for name in before if (after[name] - before[name]).abs().max() > 1e-3]
    assert len(larger) == 1
    assert float(after[larger[0]].abs().sum() / before[larger[0]].abs().sum()) == pytest.approx(1.5, abs=0.01)
