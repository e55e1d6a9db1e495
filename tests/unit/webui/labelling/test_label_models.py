"""Promote, roll back and compare models, on the page and in the terminal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.unit.webui.support.labelling_kit import noise, one_photo, workbench
from vision.detection.types import Detection
from vision.labelling.labels import Box, Label
from vision.labelling.messages import LabellingError
from vision.labelling.quality.compare import compare_models
from vision.labelling.quality.examine import Seen
from vision.labelling.store import DatasetStore
from vision.models.manifest import ModelError, find_models
from vision.models.registry import ModelShelf
from webui import create_app
from webui.labelling import jobs

MODELS = find_models().folder


def other_model(folder: Path, **changed: Any) -> Path:
    """The shipped weights with another manifest: another model."""
    folder.mkdir(parents=True)
    for path in filter(Path.is_file, MODELS.iterdir()):
        shutil.copy(path, folder / path.name)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["reader"]["sure"] = 0.77
    (folder / "manifest.json").write_text(json.dumps(manifest | {"name": "other"} | changed), encoding="utf-8")
    return folder


def shipped_files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in MODELS.iterdir() if path.is_file()}


def test_a_model_is_promoted_and_rolled_back_and_the_shipped_one_stays(tmp_path: Path) -> None:
    before = shipped_files()
    shelf = ModelShelf(tmp_path / "models")
    assert shelf.current() is None
    key = shelf.promote(str(other_model(tmp_path / "new")))
    assert shelf.current() == tmp_path / "models" / key
    assert find_models(shelf.current()).classifier.sure == 0.77
    assert [one.key for one in shelf.listed() if one.current] == [key]
    shutil.rmtree(tmp_path / "new")
    find_models(shelf.current())  # the shelf has its own copy
    assert shelf.rollback() == "shipped"
    assert shelf.current() is None
    with pytest.raises(LabellingError, match="no earlier model"):
        shelf.rollback()
    assert shelf.promote(key) == key, "it is still on the shelf"
    assert shipped_files() == before


def test_changed_weights_are_not_promoted(tmp_path: Path) -> None:
    folder = other_model(tmp_path / "new")
    (folder / "reader.onnx").write_bytes(b"something else")
    shelf = ModelShelf(tmp_path / "models")
    with pytest.raises(ModelError):
        shelf.promote(str(folder))
    assert shelf.current() is None
    assert [one.key for one in shelf.listed()] == ["shipped"]


def test_a_pointer_that_is_no_json_is_said(tmp_path: Path) -> None:
    (tmp_path / "current.json").write_text("{", encoding="utf-8")
    with pytest.raises(LabellingError, match="cannot be read"):
        ModelShelf(tmp_path).current()


def test_the_page_reads_with_the_promoted_model_at_once(tmp_path: Path) -> None:
    app = create_app({"DATA": str(tmp_path)})
    services = app.extensions["paitai.services"]
    assert services.reader().models.classifier.sure != 0.77
    other_model(tmp_path / "training" / "train-20260101-000000-aaaa" / "work" / "models")
    page = app.test_client().get("/label/models").get_data(as_text=True)
    assert "train-20260101-000000-aaaa" in page
    app.test_client().post("/label/models/promote", data={"model": "train-20260101-000000-aaaa"})
    assert services.reader().models.classifier.sure == 0.77
    page = app.test_client().get("/label/models").get_data(as_text=True)
    assert page.count('class="card model-row"') == 2, "promoted, it is still one model in one row"
    assert page.index("前一個，可以換回") < page.index("使用中") < page.index("train-20260101-000000-aaaa")
    app.test_client().post("/label/models/rollback")
    assert services.reader().models.classifier.sure != 0.77


def test_the_page_promotes_no_folder_that_it_does_not_list(tmp_path: Path) -> None:
    client = workbench(tmp_path).test_client()
    folder = other_model(tmp_path / "elsewhere")
    assert client.post("/label/models/promote", data={"model": str(folder)}).status_code == 422
    assert ModelShelf(tmp_path / "models").current() is None


def test_models_in_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import paitai

    folder, data = other_model(tmp_path / "new"), ["--data", str(tmp_path), "--lang", "en"]
    assert paitai.main(["models", "promote", str(folder), *data]) == 0
    assert "other-" in capsys.readouterr().out
    assert paitai.main(["models", "list", *data]) == 0
    assert "* other-" in capsys.readouterr().out
    assert paitai.main(["models", "rollback", *data]) == 0
    assert paitai.main(["models", "rollback", *data]) == 2
    assert "no earlier model" in capsys.readouterr().err
    assert paitai.main(["models", "promote", "nothing", *data]) == 2


def seen(*tiles: tuple[str, float]) -> Seen:
    detections = tuple(Detection(tile, (x, 10.0, x + 30, 50.0), 0.9) for tile, x in tiles)
    return Seen(detections, (), (), 1.0)


def test_two_models_side_by_side(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    info, _ = store.add(noise(), "one.png", scene="kitchen")
    labels = [Label(tile, Box(x, 10, x + 30, 50)) for tile, x in (("1m", 10), ("2m", 60), ("3m", 110))]
    photo = store.save(info.id, labels, 0)
    a = {info.id: seen(("1m", 10), ("9s", 60), ("8p", 110))}
    b = {info.id: seen(("1m", 10), ("2m", 60), ("7p", 110), ("1z", 200))}
    found = compare_models([photo], a, b)
    assert found["counts"] == {"worse": 1, "better": 1, "other": 1}
    assert [(one["truth"], one["a"], one["b"], one["verdict"]) for one in found["changed"]] == [
        ("", "", "1z", "worse"),
        ("2m", "9s", "2m", "better"),
        ("3m", "8p", "7p", "other"),
    ]
    assert (found["a"]["tile_accuracy"], found["b"]["tile_accuracy"]) == (0.3333, 0.6667)
    assert found["b"]["scenes"]["kitchen"]["photos"] == 1


def test_the_comparison_is_a_page(tmp_path: Path) -> None:
    app, dataset = workbench(tmp_path), one_photo(tmp_path)
    client = app.test_client()
    with app.app_context():
        id_, folder = jobs.new_folder("compare")
    photo = next(iter(dataset))
    one = {photo.photo.id: seen(("3p", 100))}
    (folder / "result.json").write_text(json.dumps(compare_models([photo], one, {photo.photo.id: seen(("4p", 100))})))
    about = {"set": "demo", "a": "shipped", "b": "other", "split": ""}
    (folder / "job.json").write_text(json.dumps({"kind": "compare", "commands": [], "about": about, "begun": 1}))
    (folder / "ended.json").write_text('{"status": 0}')
    page = client.get(f"/label/models/{id_}").get_data(as_text=True)
    assert "看法不同的牌" in page
    assert client.get(f"/label/models/{id_}/tile0.jpg").status_code == 200
    assert client.get(f"/label/models/{id_}/tile99.jpg").status_code == 404


def test_weights_in_the_wrong_places_are_not_promoted(tmp_path: Path) -> None:
    """Their hashes are right, since the manifest was written with them: only reading tells."""
    import hashlib

    folder = other_model(tmp_path / "new")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    data = bytearray((folder / "reader.onnx").read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200_000] = bytes(200_000)
    (folder / "reader.onnx").write_bytes(data)
    manifest["reader"]["sha256"] = hashlib.sha256(data).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    trained = tmp_path / "data" / "training" / "train-20260101-000000-bbbb" / "work" / "models"
    trained.parent.mkdir(parents=True)
    folder.rename(trained)
    client = create_app({"DATA": str(tmp_path / "data")}).test_client()
    refused = client.post("/label/models/promote", data={"model": "train-20260101-000000-bbbb"})
    assert refused.status_code == 422
    assert "仍用原來的模型" in refused.get_data(as_text=True) or "模型無法載入" in refused.get_data(as_text=True)
    assert ModelShelf(tmp_path / "data" / "models").current() is None
