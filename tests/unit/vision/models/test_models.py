"""模型: found, checked, refused; detector and classifier on stubs and on the shipped weights."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detection import classifier, detector
from vision.detection.types import Found
from vision.models.manifest import (
    CLASSES,
    NONE,
    ClassifierSpec,
    DetectorSpec,
    FlowerSpec,
    GlyphSpec,
    ModelError,
    UnsharpSpec,
    find_models,
)
from vision.photo.image import Photo, load_photo
from vision.photo.sample import sample_photo_path
from vision.pixels import sight
from vision.pixels.server.crops import letterbox
from vision.reading.pipeline import Reader


@pytest.fixture(scope="session")
def shipped() -> Reader:
    try:
        return Reader.load()
    except ModelError as error:
        pytest.skip(str(error))


def manifest(folder: Path, **changes: object) -> Path:
    for name in ("finder.onnx", "reader.onnx"):
        (folder / name).write_bytes(name.encode())
    digest = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("finder.onnx", "reader.onnx")}
    values = {
        "finder": {"file": "finder.onnx", "sha256": digest["finder.onnx"], "inputs": [640], "score": 0.25, "iou": 0.5},
        "reader": {
            "file": "reader.onnx",
            "sha256": digest["reader.onnx"],
            "input": 64,
            "pad": 0.08,
            "temperature": 0.7,
            "classes": [*CLASSES, NONE],
        },
    }
    (folder / "manifest.json").write_text(json.dumps({**values, **changes}))
    return folder


def test_a_manifest_is_read(tmp_path: Path) -> None:
    models = find_models(manifest(tmp_path))
    assert models.detector == DetectorSpec(tmp_path / "finder.onnx", (640,), 0.25, 0.5)
    assert models.classifier.temperature == 0.7


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("flowers", lambda path: FlowerSpec(path, 96, 1.2)),
        ("unsharp", lambda path: UnsharpSpec(path, 1.2)),
        ("glyphs", lambda path: GlyphSpec(path, (74, 122))),
    ],
)
def test_further_weights_are_checked_like_the_others(name: str, spec: Callable[[Path], object], tmp_path: Path) -> None:
    assert getattr(find_models(manifest(tmp_path)).classifier, name) is None
    path = tmp_path / f"{name}.onnx"
    path.write_bytes(b"reader.onnx")
    digest = hashlib.sha256(b"reader.onnx").hexdigest()
    folder = manifest(tmp_path, **{name: {"file": path.name, "sha256": digest, "input": 96, "temperature": 1.2}})
    assert getattr(find_models(folder).classifier, name) == spec(path)
    path.write_bytes(b"changed")
    with pytest.raises(ModelError, match=rf"{name}\.onnx"):
        find_models(folder)


def test_what_is_not_sharp_has_weights_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    class Fake:
        """Names everything 1萬; the second network 2萬, less surely."""

        def __init__(self, path: Path) -> None:
            loaded.append(path.name)
            self.says = int(path.name == "unsharp.onnx")

        def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
            out = np.zeros((len(values), 44), np.float32)
            out[:, self.says] = 12.0
            return out

    monkeypatch.setattr(sight, "Network", Fake)
    spec = ClassifierSpec(Path("reader.onnx"), turns=1, flowers=FlowerSpec(Path("flowers.onnx")))
    box = np.array([[10.0, 10, 40, 50]])
    without = classifier.OnnxClassifier(spec)
    assert without.unsharp is without
    both = classifier.OnnxClassifier(replace(spec, unsharp=UnsharpSpec(Path("unsharp.onnx"), 2.0)))
    assert loaded == ["reader.onnx", "flowers.onnx"] * 2, "it is loaded when it is asked"
    photo = np.zeros((100, 100, 3), np.uint8)
    sharp, unsharp = both.read(photo, box)[0], both.unsharp.read(photo, box)[0]
    assert (sharp.argmax(), unsharp.argmax()) == (0, 1)
    assert unsharp.max() < sharp.max(), "its own temperature"
    assert both.unsharp is both.unsharp
    assert loaded[4:] == ["unsharp.onnx"]


def spoil_file(folder: Path) -> None:
    (folder / "finder.onnx").write_bytes(b"changed")


def spoil_json(folder: Path) -> None:
    (folder / "manifest.json").write_text("{")


def remove_file(folder: Path) -> None:
    (folder / "reader.onnx").unlink()


def remove_key(folder: Path) -> None:
    values = json.loads((folder / "manifest.json").read_text())
    del values["reader"]["pad"]
    (folder / "manifest.json").write_text(json.dumps(values))


def change_classes(folder: Path) -> None:
    values = json.loads((folder / "manifest.json").read_text())
    values["reader"]["classes"][0] = "x"
    (folder / "manifest.json").write_text(json.dumps(values))


def remove_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


@pytest.mark.parametrize(
    ("spoil", "key"),
    [
        (spoil_file, "model_changed"),
        (spoil_json, "model_manifest"),
        (remove_file, "model_missing"),
        (remove_key, "model_manifest"),
        (change_classes, "model_manifest"),
        (remove_manifest, "model_missing"),
    ],
)
def test_wrong_weights_are_named(tmp_path: Path, spoil: Callable[[Path], None], key: str) -> None:
    spoil(manifest(tmp_path))
    with pytest.raises(ModelError) as caught:
        find_models(tmp_path)
    assert caught.value.key == key
    assert str(tmp_path) in str(caught.value)
    assert caught.value.message("zh").endswith("。")


def test_a_file_that_is_no_network(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be loaded"):
        Reader.load(manifest(tmp_path))


@pytest.mark.parametrize(("w", "h"), [(640, 480), (4032, 3024), (100, 1000), (33, 70), (640, 137)])
def test_letterbox(w: int, h: int) -> None:
    values, scale, (left, top) = letterbox(np.zeros((h, w, 3), np.uint8), 640)
    assert values.shape[2] % 32 == 0
    assert values.shape[3] % 32 == 0
    assert max(values.shape) == 640
    assert scale == 640 / max(w, h)
    inside = (values[0, 0] == 0).sum()
    assert inside == round(w * scale) * round(h * scale)
    assert values[0, 0, top, left] == 0


def test_overlapping_boxes_are_one_tile() -> None:
    boxes = np.array([[0, 0, 10, 10], [1, 0, 11, 10], [20, 0, 30, 10], [5, 0, 15, 10]], float)
    kept = detector.keep_best(boxes, np.array([0.5, 0.9, 0.3, 0.4]), 0.5)
    assert kept.tolist() == [1, 3, 2]
    assert detector.keep_best(np.zeros((0, 4)), np.zeros(0), 0.5).tolist() == []


class FakeNetwork:
    """Answers with what it was given."""

    path = Path("fake.onnx")

    def __init__(self, out: NDArray[np.float32]) -> None:
        self.out = out

    def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        return self.out


@pytest.fixture
def fake_detector(monkeypatch: pytest.MonkeyPatch) -> Callable[[NDArray[np.float32]], detector.OnnxDetector]:
    def make(out: NDArray[np.float32], inputs: tuple[int, ...] = (640,)) -> detector.OnnxDetector:
        monkeypatch.setattr(sight, "Network", lambda path: FakeNetwork(out))
        return detector.OnnxDetector(DetectorSpec(Path("fake.onnx"), inputs))

    return make


def test_boxes_come_back_in_the_pictures_pixels(fake_detector: Callable[..., detector.OnnxDetector]) -> None:
    # a picture of 1280 x 900 goes in as 640 x 450, with margins of 15 above and below
    out = np.array([[[100, 60, 20, 30, 0.9], [100, 60, 20, 30, 0.8], [300, 200, 20, 30, 0.05]]], np.float32)
    found = fake_detector(out.transpose(0, 2, 1)).find(np.zeros((900, 1280, 3), np.uint8))
    assert found.boxes.tolist() == [[180, 60, 220, 120]]
    assert found.scores.tolist() == pytest.approx([0.9])
    assert found.faces is None


def test_two_looks_at_a_tile_are_one_tile(fake_detector: Callable[..., detector.OnnxDetector]) -> None:
    out = np.array([[[100, 60, 20, 30, 0.9]]], np.float32).transpose(0, 2, 1)
    found = fake_detector(out, (640, 1280)).find(np.zeros((900, 1280, 3), np.uint8))
    assert len(found) == 2  # the same place in inputs of two sizes is two places in the photo
    assert len(fake_detector(out, (640, 640)).find(np.zeros((900, 1280, 3), np.uint8))) == 1


def test_a_one_stage_model_names_its_tiles(fake_detector: Callable[..., detector.OnnxDetector]) -> None:
    raw = np.zeros((1, 47, 1), np.float32)
    raw[0, :4, 0] = (320, 240, 40, 60)
    raw[0, 4 + 5, 0], raw[0, 4 + 8, 0] = 0.6, 0.2
    photo = Photo(np.zeros((480, 640, 3), np.uint8), (1280, 960))
    reader = Reader(fake_detector(raw), None)
    (detection,) = reader.detect(photo)
    assert detection.tile == "6m"
    assert detection.box == (600, 420, 680, 540)
    assert detection.confidence == pytest.approx(0.75)
    assert detection.others == (("9m", 0.25),)


def test_a_head_of_another_shape_is_refused(fake_detector: Callable[..., detector.OnnxDetector]) -> None:
    with pytest.raises(ModelError, match="7 values"):
        fake_detector(np.zeros((1, 7, 3), np.float32)).find(np.zeros((64, 64, 3), np.uint8))


def test_windows_repeat_the_edge() -> None:
    pixels = np.arange(100, dtype=np.uint8).reshape(10, 10, 1).repeat(3, 2)
    out = sight.window(pixels, 0, 0, 8, 8)
    assert out.shape == (8, 8, 3)
    assert out[0, 0, 0] == 0
    assert out[7, 7, 0] == 33
    assert sight.window(pixels, -500, 900, 6, 4).shape == (4, 4, 3)


def test_every_crop_is_the_mean_of_four_turns_however_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[NDArray[np.float32]] = []

    class Fake:
        """1萬 upright, almost surely; turned, 2萬."""

        def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
            seen.append(values)
            shares = np.full((len(values), 44), 1e-9)
            shares[:, CLASSES.index("2m")] = 1.0
            shares[0, [CLASSES.index("2m"), CLASSES.index("1m")]] = 0.001, 0.999
            return np.log(shares).astype(np.float32)

    monkeypatch.setattr(sight, "Network", lambda path: Fake())
    monkeypatch.setattr(classifier, "DOUBTFUL", 0.0)  # not at other margins too
    network = classifier.OnnxClassifier(ClassifierSpec(Path("fake.onnx")))
    pixels = np.random.default_rng(0).integers(0, 255, (100, 100, 3), dtype=np.uint8)
    out = network.read(pixels, np.array([[10.0, 10, 40, 50]]))
    (turns,) = seen
    assert len(turns) == 4
    assert np.array_equal(np.rot90(turns[:1], 1, (2, 3)), turns[1:2])
    assert np.array_equal(np.rot90(turns[:1], 3, (2, 3)), turns[3:])
    assert out[0, [CLASSES.index("1m"), CLASSES.index("2m")]] == pytest.approx([1 / 4, 3 / 4], abs=1e-3)
    assert network.read(pixels, np.zeros((0, 4))).shape == (0, 44)


def test_what_may_be_a_flower_is_looked_at_again_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    sides: list[tuple[int, int]] = []

    class Fake:
        """The first names the three tiles 1萬, 春 or 中, 1索 with a little doubt; the second always 竹."""

        def __init__(self, path: Path) -> None:
            self.apart = path.name == "flowers.onnx"

        def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
            sides.append((values.shape[-1], len(values)))
            shares = np.full((len(values), 44), 1e-9)
            for place, row in enumerate(shares):
                if self.apart:
                    row[[CLASSES.index("7f"), CLASSES.index("1m")]] = 0.001, 0.999
                else:
                    told = ({"1m": 1.0}, {"1f": 0.6, "7z": 0.4}, {"1s": 0.9, "1f": 0.1})[place % 3]
                    row[[CLASSES.index(code) for code in told]] = list(told.values())
            return np.log(shares).astype(np.float32)

    monkeypatch.setattr(sight, "Network", Fake)
    monkeypatch.setattr(classifier, "DOUBTFUL", 0.0)  # not at other margins too
    spec = ClassifierSpec(Path("reader.onnx"), turns=1, flowers=FlowerSpec(Path("flowers.onnx"), 80))
    boxes = np.array([[10.0, 10, 40, 50], [50, 50, 80, 90], [20, 50, 45, 90]])
    out = classifier.OnnxClassifier(spec).read(np.zeros((100, 100, 3), np.uint8), boxes)
    assert sides == [(64, 3), (80, 1)]
    named = [[CLASSES[n] for n in np.flatnonzero(row > 0.05)] for row in out]
    assert named == [["1m"], ["7z", "1f", "7f"], ["1s", "1f"]]
    both = [out[1, CLASSES.index(code)] for code in ("7f", "1f")]  # as sure as both: the second's word counts twice
    assert both == pytest.approx([0.6 * 2 / 3, 0.6 / 3], abs=1e-4)
    assert out.sum(axis=1) == pytest.approx([1, 1, 1])


def test_only_crops_in_doubt_are_read_at_other_margins(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    class Fake:
        def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
            counts.append(len(values))
            shares = np.full((len(values), 44), 1e-9)
            shares[:, 0] = 1.0
            if len(counts) == 1:  # of the second tile, at the first look, nothing is sure
                shares[1, :2] = 0.5
            return np.log(shares).astype(np.float32)

    monkeypatch.setattr(sight, "Network", lambda path: Fake())
    network = classifier.OnnxClassifier(ClassifierSpec(Path("fake.onnx"), turns=1))
    out = network.read(np.zeros((100, 100, 3), np.uint8), np.array([[10.0, 10, 40, 50], [50, 50, 80, 90]]))
    assert counts == [2, 1, 1]
    assert out[1, 0] == pytest.approx(2.5 / 3, abs=1e-6)


def test_what_is_no_tile_is_dropped_and_others_are_listed() -> None:
    photo = Photo(np.zeros((100, 100, 3), np.uint8), (200, 200))
    found = Found(np.array([[0.0, 0, 10, 20], [30, 0, 40, 20]]), np.array([0.9, 0.8]))
    rows = np.zeros((2, 44))
    rows[0, [3, 42, 43]] = 0.6, 0.3, 0.1
    rows[1, [3, 43]] = 0.4, 0.6
    (detection,) = classifier.name_tiles(photo, found, rows)
    assert detection.tile == "4m"
    assert detection.others == (("back", 0.3),)
    assert detection.box == (0, 0, 20, 40)


def test_the_sample_is_read_right(shipped: Reader) -> None:
    truth = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))
    reading = shipped.read(load_photo(sample_photo_path()))
    assert reading.to_json("x")["hand"] == truth["hand"]
    assert set(reading.ms) == {"decode", "detect", "layout", "total"}


def test_a_photo_without_tiles(shipped: Reader) -> None:
    reading = shipped.read(Photo(np.full((480, 640, 3), 120, np.uint8), (640, 480)))
    assert reading.detections == ()
    assert [warning.key for warning in reading.warnings] == ["nothing_found"]


def test_importing_is_light() -> None:
    code = (
        "import sys, vision.reading.pipeline, vision.photo.sample;"
        "print([name for name in ('torch', 'ultralytics', 'onnxruntime', 'pi_heif') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[4]
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("file", ["finder.pt", "../finder.onnx", "/tmp/finder.onnx", "finder.ONNX.pt"])
def test_a_manifest_names_onnx_files_beside_it_and_nothing_else(file: str, tmp_path: Path) -> None:
    """A checkpoint runs code of its own when it is loaded: whatever its hash, it is not read with."""
    folder = manifest(tmp_path)
    said = json.loads((folder / "manifest.json").read_text())
    said["finder"]["file"] = file
    (folder / "manifest.json").write_text(json.dumps(said))
    with pytest.raises(ModelError, match="ONNX models only"):
        find_models(folder)


def test_a_checkpoint_is_loaded_only_where_a_person_named_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.pt").write_bytes(b"code")
    monkeypatch.setattr(detector, "UltralyticsDetector", lambda spec: pytest.fail("it was loaded"))
    with pytest.raises(ModelError, match="ONNX models only"):
        Reader.load(tmp_path / "a.pt")
