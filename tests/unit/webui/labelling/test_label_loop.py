"""The workbench's loop: photos from the table, blurring, background jobs, trainings."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from tests.processes import MARK, left_after, marked
from tests.unit.webui.support.labelling_kit import noise, one_photo, workbench
from vision.labelling.labels import Box, Label, is_truth
from vision.labelling.quality.blur import blurred
from vision.labelling.quality.calibration import Judged, judged, passed_under
from vision.labelling.store import DatasetStore
from vision.models.manifest import find_models
from webui.labelling import jobs, runner, training_progress
from webui.labelling.views.upkeep import queue_views

MODELS = find_models().folder


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return workbench(tmp_path)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetStore:
    return one_photo(tmp_path)


@pytest.mark.parametrize(
    ("label", "counts"),
    [
        pytest.param(Label("3p", Box(10, 10, 40, 50), checked=True), True, id="checked"),
        pytest.param(Label("3p", Box(10, 10, 40, 50), "import"), True, id="imported"),
        pytest.param(Label("3p", Box(10, 10, 40, 50), "model", 0.99), False, id="a model's own"),
    ],
)
def test_a_model_is_not_measured_by_what_a_model_said(tmp_path: Path, label: Label, counts: bool) -> None:
    store = DatasetStore.create(tmp_path / "set")
    info, _ = store.add(noise(), "one.png")
    assert not is_truth(store.get(info.id))
    assert is_truth(store.save(info.id, [label], 0)) == counts


def test_only_the_tiles_stay_sharp() -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    found = blurred(pixels, [(100, 100, 130, 140)])
    assert np.array_equal(found[100:140, 100:130], pixels[100:140, 100:130])
    away = found[200:300, 250:400].astype(int)
    assert np.abs(np.diff(away, axis=1)).max() < 40, "what is left has no fine detail"
    assert np.abs(np.diff(pixels[200:300, 250:400].astype(int), axis=1)).max() > 200


def test_a_blurred_photo_takes_the_place_of_the_sharp_one(client: FlaskClient, dataset: DatasetStore) -> None:
    old = dataset.get("one.png")
    sharp = dataset.photo_file(old.photo)
    client.get(f"/label/demo/large/{old.photo.id}.jpg").close()
    refused = client.post(f"/label/demo/{old.photo.id}/blur", data={"revision": "0"})
    assert refused.status_code == 422
    assert sharp.exists()
    answer = client.post(f"/label/demo/{old.photo.id}/blur", data={"revision": "1"})
    assert answer.status_code == 303
    new = dataset.get("one.jpg")
    assert new.labels == old.labels
    assert new.photo.id != old.photo.id
    assert dataset.labels_at(new.photo.id, 0) == ()
    assert not sharp.exists()
    assert not list((dataset.folder / "thumbs").rglob(f"{old.photo.id}*"))
    assert dataset.count() == 1


def record_in(app: Flask, data: bytes) -> str:
    """A settled hand with one photo: one tile that was changed, one as the model read it, one without a box."""
    store = app.extensions["paitai.store"]
    tile = {"group": "concealed", "shot": 0, "others": [], "confidence": 0.9, "settled": False}
    answer = {"tai": 0, "patterns": [], "transfers": [], "explain": {"patterns": [], "left_out": []}}
    won = {
        "rules": "luohan",
        "win": "self_draw",
        "seat": "E",
        "round": "E",
        "dealer": "E",
        "streak": 0,
        "discarder": None,
    }
    content = {
        "answer": {"zh": answer, "en": answer},
        "corrections": [],
        "context": won,
        "request": {},
        "players": {},
        "book": {"key": "luohan", "id": "luohan", "title": "", "title_en": None, "toml": "", "sha256": "0" * 64},
        "photos": [{"sha256": store.photos.put(data), "name": "a.jpg", "size": [640, 480]}],
        "tiles": [
            {**tile, "tile": "5p", "was": "6p", "box": [100, 100, 160, 180]},
            {**tile, "tile": "1z", "was": "1z", "box": [200, 100, 260, 180]},
            {**tile, "tile": "2z", "was": "2z", "box": None},
        ],
    }
    with store.writing() as writer:
        return str(writer.append("record", content).id)


def evening(client: FlaskClient) -> str:
    """The day that the page offers."""
    found = re.search(r'name="evening" value="([^"]+)"', client.get("/label/demo/records").get_data(as_text=True))
    assert found
    return found[1]


def photo_jpeg() -> bytes:
    out = io.BytesIO()
    Image.open(io.BytesIO(noise(5))).save(out, "JPEG")
    return out.getvalue()


def test_photos_of_the_table_come_in_only_where_the_setting_allows(
    app: Flask, client: FlaskClient, dataset: DatasetStore
) -> None:
    id_ = record_in(app, photo_jpeg())
    refused = client.post("/label/demo/records")
    assert refused.status_code == 403
    assert "設定沒有開" in refused.get_data(as_text=True)
    assert dataset.count() == 1
    client.post("/label/settings", data={"records": "on"})
    assert client.post("/label/demo/records", data={"blur": "on"}).status_code == 422, "nobody agreed"
    agreed = {"blur": "on", "evening": evening(client), "licence": "CC BY 4.0"}
    client.post("/label/demo/records", data=agreed)
    client.post("/label/demo/records", data=agreed)
    assert dataset.count() == 2, "no photo comes twice"
    taken = next(photo for photo in dataset if photo.photo.source == f"record {id_} photo 1")
    assert [(one.tile, one.checked, one.origin) for one in taken.labels] == [
        ("5p", True, "person"),
        ("1z", True, "model"),
    ], "both were paid on"
    assert (taken.photo.licence, evening(client) in taken.photo.consent) == ("CC BY 4.0", True)
    page = client.get("/label/demo/records").get_data(as_text=True)
    assert 'name="licence" value="CC BY 4.0"' in page, "the licence is asked once"
    assert taken.labels[0].box.outline == (50, 50, 80, 90), "in the pixels of the photo that was kept"
    assert taken.photo.scene.startswith("table ")
    pixels = dataset.load(taken.photo).pixels.astype(int)
    assert np.abs(np.diff(pixels[200:, 200:], axis=1)).max() < 60, "blurred away from the tiles"


def test_void_hands_are_left_out(app: Flask, client: FlaskClient, dataset: DatasetStore) -> None:
    id_ = record_in(app, photo_jpeg())
    with app.extensions["paitai.store"].writing() as writer:
        writer.append("void", {"entry": id_}, about=id_)
    client.post("/label/settings", data={"records": "on"})
    assert client.post("/label/demo/records", data={"evening": "2026-01-01"}).status_code == 200
    assert dataset.count() == 1


def job_in(tmp_path: Path, *commands: dict[str, Any]) -> Path:
    folder = tmp_path / "job"
    folder.mkdir()
    (folder / "job.json").write_text(json.dumps({"kind": "train", "commands": commands, "about": {}, "begun": 1}))
    return folder


def test_a_job_runs_its_commands_in_order_and_says_how_it_ended(tmp_path: Path) -> None:
    folder = job_in(tmp_path, {"run": ["rules", "list"], "makes": str(tmp_path)}, {"run": ["--version"]})
    assert runner.run(folder) == 0
    assert (folder / "log.txt").read_text(encoding="utf-8").startswith("paitai "), "what is there is not made again"
    assert json.loads((folder / "ended.json").read_text())["status"] == 0
    failing = job_in(tmp_path / "job", {"run": ["rules", "show", "nothing"]}, {"run": ["--version"]})
    assert runner.run(failing) == 2
    assert "paitai 0" not in (failing / "log.txt").read_text(encoding="utf-8")


def test_a_job_that_is_stopped_takes_its_children_along(tmp_path: Path) -> None:
    folder = job_in(tmp_path, {"run": ["serve", "--port", "0", "--data", str(tmp_path / "data")]})
    process = subprocess.Popen([sys.executable, "-m", "webui.labelling.runner", str(folder)])
    until = time.monotonic() + 60
    while not (folder / "alive").exists() and time.monotonic() < until:
        time.sleep(0.1)
    (folder / "stop").touch()
    assert process.wait(60) == runner.STOPPED
    assert json.loads((folder / "ended.json").read_text())["status"] == runner.STOPPED


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc: processes cannot be told apart")
def test_a_job_that_is_killed_takes_its_children_along(tmp_path: Path) -> None:
    """Else the command would go on unseen, and a second time when the job is gone on with."""
    folder = job_in(tmp_path, {"run": ["serve", "--port", "0", "--data", str(tmp_path / "data")]})
    environment = {**os.environ, MARK: str(tmp_path)}
    process = subprocess.Popen([sys.executable, "-m", "webui.labelling.runner", str(folder)], env=environment)
    until = time.monotonic() + 60
    while len(marked(str(tmp_path))) < 2 and time.monotonic() < until:
        time.sleep(0.1)
    assert len(marked(str(tmp_path))) >= 2, "its command has not begun"
    process.kill()
    process.wait()
    assert not left_after(30, lambda: marked(str(tmp_path)))


def test_a_training_says_what_is_missing(
    client: FlaskClient, dataset: DatasetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    from webui.labelling.views import training

    monkeypatch.setattr(training, "TRAINING_LIBRARIES", ("json", "no_such_part"))
    page = client.get("/label/models").get_data(as_text=True)
    assert "no_such_part" in page
    assert 'pip install "paitai[train]"' in page.replace("&#34;", '"')
    assert client.post("/label/models/train", data={"set": "demo"}).status_code == 409


@pytest.mark.parametrize(
    ("what", "flowers_wanted", "trained"),
    [
        ("reader", 20, ["reader", "unsharp"]),
        ("reader", 0, ["reader", "flowers", "unsharp"]),
        ("finder", 0, ["finder"]),
        ("both", 0, ["finder", "reader", "flowers", "unsharp"]),
    ],
)
def test_a_training_begins_beside_the_page(
    app: Flask,
    client: FlaskClient,
    dataset: DatasetStore,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    flowers_wanted: int,
    trained: list[str],
) -> None:
    from vision.training.recipe import load_recipe, steps
    from webui.labelling.views import training

    monkeypatch.setattr(training, "TRAINING_LIBRARIES", ())
    monkeypatch.setattr(training, "LEAST_PHOTOS", 1)
    monkeypatch.setattr(training, "LEAST_FLOWERS", flowers_wanted)
    begun: list[str] = []
    monkeypatch.setattr(jobs, "go_on", begun.append)
    form = {"set": "demo", "what": what, "crops": "5000", "epochs": "2", "title": "新 的"}
    answer = client.post("/label/models/train", data=form)
    assert answer.status_code == 303
    with app.app_context():
        job = jobs.find(begun[0])
    assert job is not None
    said = json.loads((job.folder / "job.json").read_text(encoding="utf-8"))
    assert [command["run"][0] for command in said["commands"]] == ["dataset", "train"]
    assert said["commands"][0]["run"][-2:] == ["--true-only", "--as-tiles"]
    assert (said["about"]["train"], said["about"]["val"]) == (1, 0)
    (job.folder / "data").mkdir()
    recipe = load_recipe(job.folder / "recipe.toml")
    plan = {step.name: step.command for step in steps(recipe, job.folder / "work", 1)}
    replayed = ["made"] if "reader" in trained else []
    assert list(plan) == ["data", *replayed, *trained, "models", "gate"]
    wanted = {"finder": ("--epochs", "2"), "reader": ("--crops", "5000"), "flowers": ("--crops", "1250")}
    wanted |= {"unsharp": ("--crops", "3333")}
    for name in trained:
        key, value = wanted[name]
        assert plan[name][plan[name].index(key) + 1] == value
    shipped = find_models().classifier.flowers
    assert shipped is not None
    assert ("flowers" in plan) != (str(shipped.path) in plan["models"]), "flowers not learned are shipped as they are"
    assert "沒有留下用來量的" in client.get(f"/label/models/{job.id}").get_data(as_text=True)
    assert [photo.photo.split for photo in dataset] == ["train"]


@pytest.mark.parametrize(
    ("changed", "asked", "status", "says"),
    [
        pytest.param({"split": "val"}, {}, 409, "改成訓練組", id="all in val"),
        pytest.param({}, {}, 409, "至少要 10 張確認過的照片放在訓練組才練得起來，現在有 1 張", id="too few"),
        pytest.param({}, {"what": "everything"}, 400, "", id="no such part"),
        pytest.param({}, {"set": "gone"}, 404, "", id="no such set"),
    ],
)
def test_a_training_needs_something_to_train_on(
    client: FlaskClient,
    dataset: DatasetStore,
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, Any],
    asked: dict[str, str],
    status: int,
    says: str,
) -> None:
    from webui.labelling.views import training

    monkeypatch.setattr(training, "TRAINING_LIBRARIES", ())
    dataset.change(dataset.photos()[0].id, **changed)
    answer = client.post("/label/models/train", data={"set": "demo", **asked})
    assert answer.status_code == status
    assert says in answer.get_data(as_text=True)


def at(step: str, number: int, of: int) -> dict[str, Any]:
    return {"step": step, "at": number, "of": of}


def seen(phase: str, done: int, total: int, unit: str, pace: float, loss: float | None = None) -> dict[str, Any]:
    return {"phase": phase, "done": done, "total": total, "unit": unit, "pace": pace, "loss": loss}


CUTTING = [at("data", 1, 4), at("reader", 3, 4), seen("cutting", 5, 20, "photos", 2.5)]
READING = [
    *CUTTING,
    seen("training", 128, 60_000, "crops", 400.0, 2.5),
    seen("training", 30_000, 60_000, "crops", 400.0, 0.9),
]
FINDING = [
    at("finder", 2, 3),
    seen("training", 16, 40, "photos", 0.5, 2.0),
    seen("training", 20, 40, "photos", 0.5, 1.75),
]


@pytest.mark.parametrize(
    ("log", "told", "left", "losses"),
    [
        pytest.param([], (0, 0, "", "", 0, 0), None, {}, id="just begun"),
        pytest.param([at("data", 1, 4)], (1, 4, "data", "", 0, 0), None, {}, id="a step"),
        pytest.param(CUTTING, (3, 4, "reader", "cutting", 5, 20), 0.1, {}, id="cutting"),
        pytest.param(
            READING, (3, 4, "reader", "training", 30_000, 60_000), 1.25, {"reader_loss": [2.5, 0.9]}, id="reader"
        ),
        pytest.param(
            [*READING, {"phase": "measuring"}],
            (3, 4, "reader", "measuring", 0, 0),
            None,
            {"reader_loss": [2.5, 0.9]},
            id="measuring",
        ),
        pytest.param(FINDING, (2, 3, "finder", "training", 20, 40), 40 / 60, {"finder_loss": [2.0, 1.75]}, id="finder"),
        pytest.param(
            [*READING, seen("training", 12_800, 60_000, "crops", 400.0, 1.1)],
            (3, 4, "reader", "training", 12_800, 60_000),
            47_200 / 400 / 60,
            {"reader_loss": [2.5, 1.1]},
            id="gone on from a checkpoint",
        ),
    ],
)
def test_progress_is_read_line_by_line(
    tmp_path: Path, log: list[dict[str, Any]], told: tuple[Any, ...], left: float | None, losses: dict[str, list[float]]
) -> None:
    lines = [*map(json.dumps, log), '{"phase": "cut o']  # the last line is still being written
    (tmp_path / training_progress.PROGRESS_FILE).write_text("\n".join(lines), encoding="utf-8")
    found = training_progress.progress_of(jobs.Job("x", "train", tmp_path, {}, 0.0, "running"))
    assert (found.at, found.steps, found.step, found.phase, found.done, found.total) == told
    assert found.minutes == (None if left is None else pytest.approx(left))
    assert {curve.key: [y for _, y in curve.points] for curve in found.curves} == losses


def test_a_long_curve_is_drawn_with_few_points_and_its_last(tmp_path: Path) -> None:
    log = [at("reader", 1, 1), *(seen("training", n, 9_999, "crops", 1.0, n / 10) for n in range(1, 2001))]
    (tmp_path / training_progress.PROGRESS_FILE).write_text("\n".join(map(json.dumps, log)), encoding="utf-8")
    (curve,) = training_progress.progress_of(jobs.Job("x", "train", tmp_path, {}, 0.0, "running")).curves
    assert len(curve.points) <= training_progress.CURVE_POINTS
    assert curve.points[-1] == (2000, 200.0)


def test_the_ranking_of_a_job_becomes_the_sets_order(app: Flask, dataset: DatasetStore) -> None:
    photo = dataset.photos()[0].id
    with app.app_context():
        id_, folder = jobs.new_folder("queue")
        (folder / "job.json").write_text(json.dumps({"kind": "queue", "about": {"set": "demo"}, "begun": 1}))
        ranking = {"places": {photo: 1}, "why": {"zh": {photo: "少見。"}, "en": {photo: "Rare."}}}
        (folder / "ranking.json").write_text(json.dumps(ranking), encoding="utf-8")
        (folder / "ended.json").write_text('{"status": 0}')
        queue_views.take_ranking(dataset, "demo")
    kept = json.loads((dataset.folder / "queue.json").read_text(encoding="utf-8"))
    assert kept == {"job": id_, "places": {photo: 1}, "why": {"zh": {photo: "少見。"}, "en": {photo: "Rare."}}}


def test_what_the_model_had_said_is_kept_before_a_quick_all_right(client: FlaskClient, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "datasets" / "quick")
    info, _ = store.add(noise(5), "one.png")
    said = Label("3p", Box(100, 10, 130, 50), "model", 0.7, id="b0").to_json()
    sent = {"labels": [said | {"tile": "4p", "origin": "person", "confidence": None, "checked": True}], "revision": 0}
    for _ in range(2):  # the answer got lost, and it is sent again
        answer = client.post(f"/label/quick/{info.id}/labels", json=sent | {"model": [said]})
        assert answer.get_json() == {"revision": 2}
    assert judged(store) == [Judged(0.7, False, False)]
    assert client.post(f"/label/quick/{info.id}/passed", json={"tile": 0.5, "flower": 0.4}).status_code == 200
    assert passed_under(store, info.id) == (0.5, 0.4)
    for wrong in ({}, {"tile": "x", "flower": 1}, {"tile": 9, "flower": 1}):
        assert client.post(f"/label/quick/{info.id}/passed", json=wrong).status_code == 400
