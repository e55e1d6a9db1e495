"""A training begun on the page and seen to its end, with steps that only say what real ones say: no torch is needed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import numpy as np
import pytest
from PIL import Image

import paitai
from tests.rendered import RENDERED, truth_of
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import find_models
from vision.models.registry import ModelShelf
from vision.training import recipe
from vision.training.progress import VARIABLE, note
from webui import create_app
from webui.labelling import jobs, runner
from webui.labelling.training_progress import PROGRESS_FILE
from webui.labelling.views import training

PROMOTE = ">換用這個</button>"


class Steps:
    """What ``python -m`` would run: each step makes its file; the step named in ``fails`` ends with status 1 once."""

    def __init__(self, fails: str = "", verdict: str = "better", decided: list[dict[str, Any]] | None = None) -> None:
        self.fails = fails
        self.decided = decided
        self.verdict = verdict
        self.ran: list[str] = []

    def run(self, command: list[str], check: bool) -> SimpleNamespace:
        name = command[2].rsplit(".", 1)[-1]
        self.ran.append(name)
        if name == self.fails:
            self.fails = ""
            note(phase="training", done=12_800, total=60_000, unit="crops", pace=100.0, loss=2.5)
            print("RuntimeError: DefaultCPUAllocator: can't allocate memory")
            return SimpleNamespace(returncode=1)
        if name in ("detector", "classifier"):
            unit = "photos" if name == "detector" else "crops"
            for seen, loss in ((12_800, 2.5), (60_000, 0.75)):
                note(phase="training", done=seen, total=60_000, unit=unit, pace=100.0, loss=loss)
            Path(command[command.index("--onnx") + 1]).write_bytes(b"onnx")
        elif name in ("corrections", "collage"):
            (Path(command[command.index("--out") + 1]) / "labels").mkdir(parents=True)
        elif name == "gate":
            assert "--sets" in command, "every set of the data folder guards"
            out = Path(command[command.index("--out") + 1])
            gain, same = ({"points": points, "low": points - 1, "high": points + 1} for points in (17.4, -3.5))
            counts = {"photos": 3, "tiles": 40, "right": [30, 37], "false": [0, 0], "exact": [0, 2]}
            groups = [
                {"name": "demo", "kind": "own", **counts, **gain},
                {"name": "made", "kind": "made", **counts, **same},
            ]
            own, others = ({**counts, **points} for points in (gain, same))
            found = {"verdict": self.verdict, "share": 0.35, "own": own, "others": others, "groups": groups}
            found |= {"own_learned": False, "tried": []} | ({} if self.decided is None else {"decided": self.decided})
            (out / "gate.json").write_text(json.dumps(found), encoding="utf-8")
            if self.verdict != "nothing":
                shutil.copytree(out / "trained", out / ("models" if self.verdict == "better" else "worse"))
        else:
            target = Path(command[command.index("--models") + 1])
            shutil.copytree(find_models().folder, target)
            manifest = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
            manifest["reader"]["sure"] = 0.7  # other than the shipped one
            fresh = {"name": command[command.index("--name") + 1], "measured": {}}
            (target / "manifest.json").write_text(json.dumps(manifest | fresh), encoding="utf-8")
        return SimpleNamespace(returncode=0)


def in_this_process(arguments: list[str], folder: Path, log: IO[str]) -> int:
    """A command of a job, without a process of its own."""
    os.environ[VARIABLE] = str(folder / PROGRESS_FILE)
    try:
        with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
            return paitai.main(arguments)
    finally:
        del os.environ[VARIABLE]


def go_on(id_: str) -> None:
    """A job from begin to end, at once."""
    folder = jobs.jobs_folder() / id_
    (folder / "ended.json").unlink(missing_ok=True)
    runner.run(folder)


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The page with a set of one photo without a scene; jobs run in this process."""
    store = DatasetStore.create(tmp_path / "datasets" / "demo", "試試")
    photo = RENDERED / "images/val/hand-01.jpg"  # a real hand: a model is tried on checked photos
    info, _ = store.add(photo.read_bytes(), photo.name)
    with Image.open(photo) as image:
        truth = truth_of(photo, *image.size)
    store.save(info.id, [Label(one.tile, Box(*one.box), checked=True) for one in truth], 0)
    monkeypatch.setattr(training, "TRAINING_LIBRARIES", ())
    monkeypatch.setattr(recipe, "LIBRARIES", ())
    monkeypatch.setattr(training, "LEAST_PHOTOS", 1)
    monkeypatch.setattr(runner, "_one", in_this_process)
    monkeypatch.setattr(jobs, "go_on", go_on)
    return create_app({"DATA": str(tmp_path), "READER": SimpleNamespace(models=None)}).test_client()


def begun(client: Any, what: str = "reader") -> str:
    form = {"set": "demo", "what": what, "crops": "60000", "title": "新的"}
    answer = client.post("/label/models/train", data=form)
    assert answer.status_code == 303
    return str(answer.headers["Location"])


@pytest.mark.parametrize(
    ("what", "ran"),
    [
        ("reader", ["corrections", "collage", "classifier", "classifier", "package", "gate"]),
        ("finder", ["corrections", "detector", "package", "gate"]),
        ("both", ["corrections", "collage", "detector", "classifier", "classifier", "package", "gate"]),
    ],
)
def test_from_the_form_to_a_model_in_use_and_back(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, ran: list[str]
) -> None:
    steps = Steps()
    monkeypatch.setattr(recipe, "subprocess", steps)
    place = begun(client, what)
    assert steps.ran == ran
    page = client.get(place).get_data(as_text=True)
    assert 'data-state="done"' in page
    learned = [name for name in ran if name in ("detector", "classifier")]
    assert page.count("2.500 → 0.750") == len(learned), "a curve for each network that learned"
    assert "這桌" in page
    assert "+17.4 <small" in page, "what was gained stands there with its interval"
    assert "換用這個" in page
    shelf = ModelShelf(tmp_path / "models")
    client.post("/label/models/promote", data={"model": place.rsplit("/", 1)[-1]})
    current = shelf.current()
    assert current is not None
    assert current.name.startswith("新的-")
    assert "換用這個" not in client.get(place).get_data(as_text=True), "it is in use"
    (row,) = [one for one in ModelShelf(tmp_path / "models", tmp_path / "training").listed() if one.current]
    assert (row.key, row.training) == (current.name, place.rsplit("/", 1)[-1])
    client.post("/label/models/rollback")
    assert shelf.current() is None


def test_a_step_that_fails_is_said_and_gone_on_with(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(fails="classifier")
    monkeypatch.setattr(recipe, "subprocess", steps)
    place = begun(client)
    page = client.get(place).get_data(as_text=True)
    assert 'data-state="failed"' in page
    assert "換用這個" not in page
    assert "reader stopped" in page
    client.post(f"{place}/resume")
    assert 'data-state="done"' in client.get(place).get_data(as_text=True)
    assert steps.ran == ["corrections", "collage", "classifier", "classifier", "classifier", "package", "gate"]


def test_what_other_tables_pay_for_is_offered_only_for_its_price(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe, "subprocess", Steps(verdict="price"))
    place = begun(client)
    page = client.get(place).get_data(as_text=True)
    assert PROMOTE not in page
    assert "知道別桌 −3.5 點" in page
    shelf = ModelShelf(tmp_path / "models", tmp_path / "training")
    assert [one.key for one in shelf.listed()] == ["shipped"]
    assert client.post(f"{place}/accept", data={"price": "+0.0"}).status_code == 400
    assert client.post("/label/models/promote", data={"model": place.rsplit("/", 1)[-1]}).status_code == 422
    assert client.post(f"{place}/accept", data={"price": "−3.5"}).status_code == 303
    assert PROMOTE in client.get(place).get_data(as_text=True)
    assert shelf.current() is None, "two steps: it may be used now, it is not in use"


def test_the_sentence_names_the_groups_that_decided(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The button once showed "other tables +0.1 points" although the made photos had decided."""
    decided = [
        {"name": "made", "kind": "made", "points": -10.5, "exact": [3, 1]},
        {"name": "大舅家", "kind": "table", "points": 0.1, "exact": [5, 4]},
    ]
    monkeypatch.setattr(recipe, "subprocess", Steps(verdict="price", decided=decided))
    place = begun(client)
    page = client.get(place).get_data(as_text=True)
    sentence = "電腦畫的別種牌面 −10.5 點、大舅家少 1 張照片整張全對"
    assert f"所以沒有提供：{sentence}" in page
    assert f"知道{sentence}，仍要留下這份" in page
    assert client.post(f"{place}/accept", data={"price": "−10.5"}).status_code == 400
    assert client.post(f"{place}/accept", data={"price": "−10.5, +0.1"}).status_code == 303
    assert f"所以沒有提供：{sentence}" in client.get(place).get_data(as_text=True), "the price stays with the model"


def test_too_few_photos_keep_the_form_and_name_the_scenes(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "LEAST_PHOTOS", 10)
    store = DatasetStore.create(tmp_path / "datasets" / "two", "兩桌")
    for number in range(16):
        pixels = np.random.default_rng(number).integers(0, 255, (90, 120, 3), dtype=np.uint8)
        out = io.BytesIO()
        Image.fromarray(pixels).save(out, "PNG")
        scene = "阿姨家" if number < 8 else "大舅家"
        info, _ = store.add(out.getvalue(), f"{number}.png", scene=scene)
        store.save(info.id, [Label("1m", Box(10, 10, 40, 50), checked=True)], 0)
    form = {"set": "two", "what": "both", "crops": "20000", "epochs": "5", "title": "我家的"}
    answer = client.post("/label/models/train", data=form)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert "現在有 8 張" in page
    assert re.search("訓練組：(阿姨|大舅)家 8 張；驗證組：(阿姨|大舅)家 8 張）", page)
    for value in ('value="我家的"', 'value="20000"', 'value="5"', 'value="both" checked', 'value="two" selected'):
        assert value in page


def test_a_training_that_gains_nothing_leaves_no_model(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe, "subprocess", Steps(verdict="nothing"))
    page = client.get(begun(client)).get_data(as_text=True)
    assert "仍用原來的模型" in page
    assert PROMOTE not in page
    assert [one.key for one in ModelShelf(tmp_path / "models", tmp_path / "training").listed()] == ["shipped"]
