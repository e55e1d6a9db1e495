"""A recipe names what it cannot follow, and repeats a step only if it or one before it has changed."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from vision.training import recipe
from vision.training.recipe import RecipeError, Step, load_recipe, run, steps

SHIPPED = Path(__file__).resolve().parents[4] / "recipes/shipped.toml"
TEXT = """name = "t"
seed = 3
[data]
set = "tiles"
[made]
count = {count}
art = "art"
[finder]
start = "f.onnx"
epochs = 1
size = 320
rate = 0.001
[reader]
start = "r.onnx"
side = 64
crops = 1000
batch = 32
rate = 0.001
"""


def written(folder: Path, text: str) -> Path:
    for name in ("tiles", "art"):
        (folder / name).mkdir(exist_ok=True)
    for name in ("f.onnx", "r.onnx"):
        (folder / name).touch()
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("seed = 3", "seed = 'x'", "'seed'"),
        ("size = 320", "sizes = 320", "unknown key 'sizes'"),
        ("epochs = 1\n", "", "'epochs' is missing"),
        ("crops = 1000", "crops = '9'", "crops = '9' has the wrong type"),
        ('set = "tiles"', 'set = "nowhere"', "no such file or folder"),
        ("[made]", "[mode]", "unknown key 'mode'"),
        ("[data]", "[data", "recipe.toml"),
    ],
)
def test_what_cannot_be_followed_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = TEXT.format(count=4)
    assert old in text
    with pytest.raises(RecipeError) as caught:
        load_recipe(written(tmp_path, text.replace(old, new)))
    assert says in str(caught.value)
    assert caught.value.message("zh") != str(caught.value)


def test_steps_are_made_once_and_again_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, out = written(tmp_path, TEXT.format(count=4)), tmp_path / "out"
    made: list[str] = []

    def fake(command: list[str], check: bool) -> subprocess.CompletedProcess[bytes]:
        module = command[2].rsplit(".", 1)[1]
        made.append(module)
        for step in steps(load_recipe(path), out.resolve(), 1):
            if step.command[0].endswith(module):
                step.makes.parent.mkdir(parents=True, exist_ok=True)
                step.makes.touch()
        return subprocess.CompletedProcess(command, 1 if module == fails else 0)

    monkeypatch.setattr(recipe.subprocess, "run", fake)
    monkeypatch.setattr(recipe, "LIBRARIES", ())
    fails = "classifier"
    assert run(path, out, threads=1) == 2
    assert made == ["corrections", "collage", "detector", "classifier"]
    fails, made[:] = "", []
    assert run(path, out, threads=1) == 0
    assert made == ["classifier", "package"]
    made.clear()
    assert run(path, out, threads=1) == 0
    assert made == []
    written(tmp_path, TEXT.format(count=5))
    assert run(path, out, threads=1) == 0
    assert made == ["collage", "detector", "classifier", "package"]
    assert set(json.loads((out / "done.json").read_text())) == {"data", "made", "finder", "reader", "models"}


def test_missing_libraries_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A training once prepared photos for minutes before it ended in a traceback."""
    ran: list[object] = []
    monkeypatch.setattr(recipe.subprocess, "run", lambda *command, **_: ran.append(command))
    monkeypatch.setattr(recipe, "LIBRARIES", ("json", "no_such_library"))
    path = written(tmp_path, TEXT.format(count=4).replace("tiles", "${sources}/tiles"))
    for lang, words in (("zh", "沒有裝：no_such_library"), ("en", "not installed: no_such_library")):
        assert run(path, tmp_path / "out", threads=1, lang=lang) == 2
        assert words in capsys.readouterr().err
    assert ran == []


def test_a_recipe_may_ask_for_a_folder_of_sources(tmp_path: Path) -> None:
    text = TEXT.format(count=4).replace('set = "tiles"', 'set = "${sources}/tiles"')
    path = written(tmp_path, text)
    with pytest.raises(RecipeError, match="--sources FOLDER"):
        load_recipe(path)
    (tmp_path / "elsewhere/tiles").mkdir(parents=True)
    assert load_recipe(path, tmp_path / "elsewhere").data.set == (tmp_path / "elsewhere/tiles").resolve()


def test_the_shipped_recipe_names_no_folder_outside_the_checkout() -> None:
    places = re.findall(r'"(\.\./[^"]*)"', SHIPPED.read_text(encoding="utf-8"))
    assert places
    for place in places:
        assert (SHIPPED.parent / place).resolve().is_relative_to(SHIPPED.parents[1])
        assert (SHIPPED.parent / place).exists()


def test_journals_from_before_the_modules_moved_still_hold() -> None:
    step = Step("data", ("vision.training.data.corrections", "--data", "set"), Path("labels"))
    before = hashlib.sha256(b"\0vision.training.corrections\0--data\0set").hexdigest()
    assert recipe.step_mark("", step) == before


def test_without_made_photos_none_are_trained_on(tmp_path: Path) -> None:
    plan = steps(load_recipe(written(tmp_path, TEXT.format(count=0))), tmp_path, 1)
    assert [step.name for step in plan] == ["data", "finder", "reader", "models"]
    assert all("--extra" not in step.command for step in plan)


def test_photos_painted_over_are_trained_on_beside_the_made_ones(tmp_path: Path) -> None:
    text = TEXT.format(count=4).replace("count = 4", "count = 4\nerased = 5")
    plan = {step.name: step.command for step in steps(load_recipe(written(tmp_path, text)), tmp_path, 1)}
    assert plan["erased"][plan["erased"].index("--data") + 1] == str(tmp_path / "data")
    for name in ("finder", "reader"):
        at = plan[name].index("--extra")
        assert plan[name][at + 1 : at + 3] == (str(tmp_path / "made"), str(tmp_path / "erased"))


def test_a_gate_stands_between_what_was_trained_and_what_is_offered(tmp_path: Path) -> None:
    text = TEXT.format(count=4).replace("side = 64", 'side = 64\nteacher = "r.onnx"')
    text += '[gate]\nstart = "tiles"\nown = "art"\nsets = ["art", "tiles"]\n'
    plan = {step.name: step for step in steps(load_recipe(written(tmp_path, text)), tmp_path, 1)}
    assert list(plan)[-2:] == ["models", "gate"]
    trained = str(tmp_path / "trained")
    assert plan["models"].command[plan["models"].command.index("--models") + 1] == trained
    gate = plan["gate"].command
    assert gate[gate.index("--trained") + 1] == trained
    assert gate[gate.index("--sets") + 1 :][:2] == (str(tmp_path / "art"), str(tmp_path / "tiles"))
    assert plan["gate"].makes == tmp_path / "gate.json"
    reader = plan["reader"].command
    assert reader[reader.index("--teacher") + 1] == str(tmp_path / "r.onnx")
    assert reader[reader.index("--replay") + 1] == "made"


@pytest.mark.parametrize(("crops", "made"), [(0, False), (500, True)])
def test_the_flowers_have_weights_of_their_own_where_the_recipe_says_so(tmp_path: Path, crops: int, made: bool) -> None:
    text = TEXT.format(count=0) + f'[flowers]\nstart = "r.onnx"\nside = 96\ncrops = {crops}\nbatch = 8\nrate = 0.01\n'
    plan = {step.name: step.command for step in steps(load_recipe(written(tmp_path, text)), tmp_path, 1)}
    shipped = plan["models"][plan["models"].index("--flowers") + 1]
    assert shipped == str(tmp_path / ("flowers.onnx" if made else "r.onnx"))
    assert ("flowers" in plan) == made
    if made:
        assert "--flowers" in plan["flowers"]
        assert plan["flowers"][plan["flowers"].index("--side") + 1] == "96"
    assert "--flowers" not in plan["reader"]


@pytest.mark.parametrize("listed", [True, False])
def test_a_set_without_corrections_is_measured_by_its_own_labels(tmp_path: Path, listed: bool) -> None:
    more = '\ncorrections = "f.onnx"' if listed else ""
    text = TEXT.format(count=0).replace('set = "tiles"', f'set = "tiles"{more}')
    plan = steps(load_recipe(written(tmp_path, text)), tmp_path, 1)
    assert ("--as-labelled" in plan[-1].command) == (not listed)


def test_the_shipped_recipe_can_be_followed_where_its_data_is() -> None:
    if not (SHIPPED.parents[2] / "shared/data/tiles").is_dir():
        pytest.skip("the labelled photos (../shared/data/tiles) are not here")
    plan: list[Any] = steps(load_recipe(SHIPPED, SHIPPED.parents[2] / "shared/data"), Path("out"), 2)
    assert [step.name for step in plan] == [
        "data",
        "made",
        "standing",
        "erased",
        "finder",
        "reader",
        "flowers",
        "models",
    ]


@pytest.mark.parametrize("crops", [0, 500])
def test_a_second_network_is_packed_if_it_was_taught(tmp_path: Path, crops: int) -> None:
    """If it was not, the gate keeps the one in use as it is: its weights are in bytes, and have no mean."""
    path = written(tmp_path, TEXT.format(count=4))
    path.write_text(
        path.read_text() + f'[unsharp]\nstart = "r.onnx"\nside = 64\ncrops = {crops}\nbatch = 32\nrate = 0.001\n'
    )
    planned = {step.name: step for step in steps(load_recipe(path), tmp_path / "out", 1)}
    assert ("unsharp" in planned) == bool(crops)
    assert ("--unsharp" in planned["models"].command) == bool(crops)
