"""``paitai dataset …`` from a folder of photos to a card, with the shipped model."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import paitai
from tests.unit.vision.labelling.support.sets import photo_bytes, small_set
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore

ROOT = Path(__file__).parents[4]
RENDERED = ROOT / "datasets" / "rendered"


def run(capsys: Any, *arguments: object) -> tuple[int, str, str]:
    status = paitai.main(["dataset", *map(str, arguments)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture
def two_photos(tmp_path: Path) -> Path:
    """Two of the rendered photos with their labels, in YOLO layout."""
    (split,) = [path for path in (RENDERED / "images").iterdir() if path.is_dir()]
    for photo in sorted(split.iterdir())[:2]:
        for kind, file in (("images", photo), ("labels", RENDERED / "labels" / split.name / f"{photo.stem}.txt")):
            place = tmp_path / "in" / kind / split.name / file.name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)
    shutil.copy(RENDERED / "data.yaml", tmp_path / "in" / "data.yaml")
    return tmp_path / "in"


def test_from_photos_to_a_card(two_photos: Path, tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "set"
    assert run(capsys, "create", folder, "--title", "Two", "--lang", "en")[0] == 0
    status, out, _ = run(capsys, "import", folder, two_photos, "--licence", "CC0", "--json")
    assert status == 0
    labels = json.loads(out)["labels_added"]
    assert labels >= 34
    assert run(capsys, "version", folder)[0] == 0

    status, out, _ = run(capsys, "evaluate", folder, "--json", "--workers", "1")
    assert status == 0
    assert json.loads(out)["tile_accuracy"] > 0.9

    # a wrong name, a box half a tile off and a label that is missing are all found again
    store = DatasetStore.open(folder)
    first, second = list(store)
    wrong, shifted, *rest, last = sorted(first.labels, key=lambda label: -label.box.width * label.box.height)
    box = shifted.box
    down = 0.5 * box.height if box.center[1] < first.photo.size[1] / 2 else -0.5 * box.height
    changed = [
        Label("5z" if wrong.tile != "5z" else "1m", wrong.box, id=wrong.id),
        Label(shifted.tile, Box(box.x1, box.y1 + down, box.x2, box.y2 + down), id=shifted.id),
    ]
    store.save(first.photo.id, [*changed, *rest], first.photo.revision)
    status, out, _ = run(capsys, "health", folder, "--json", "--workers", "1", "--report", tmp_path / "report.json")
    assert status == 0
    findings = {(finding["kind"], finding["label"]) for finding in json.loads(out)["findings"]}
    assert {("wrong_name", wrong.id), ("shifted", shifted.id)} <= findings
    assert any(finding["kind"].startswith("unlabelled") for finding in json.loads(out)["findings"])
    assert json.loads((tmp_path / "report.json").read_text())["labels"] == labels - 1

    status, out, _ = run(capsys, "diff", f"{folder}@v1", folder, "--lang", "en")
    assert status == 1
    assert "boxes removed: 1" in out
    assert last.tile in out
    assert run(capsys, "diff", folder, folder)[0] == 0

    status, _, _ = run(capsys, "card", folder, "--out", tmp_path / "CARD.md", "--lang", "en")
    assert status == 0
    assert "# Two" in (tmp_path / "CARD.md").read_text(encoding="utf-8")
    assert second.labels


def test_prelabel_touches_only_what_nobody_labelled(two_photos: Path, tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "set"
    shutil.rmtree(two_photos / "labels")
    run(capsys, "create", folder)
    (two_photos / "broken.png").write_bytes(photo_bytes(3)[:-400])
    status, out, _ = run(capsys, "import", folder, two_photos, "--scene-from-folder", "--json")
    assert status == 1
    assert json.loads(out)["aside"][0]["place"] == "broken.png"
    store = DatasetStore.open(folder)
    mine, other = store.photos()
    saved = store.save(mine.id, [Label("1m", Box(10, 10, 40, 50))], 0)
    status, out, _ = run(capsys, "prelabel", folder, "--json", "--workers", "1")
    assert (status, json.loads(out)["prelabelled"], json.loads(out)["kept"]) == (0, 1, 1)
    assert store.get(mine.id) == saved
    labelled = store.get(other.id)
    assert len(labelled.labels) >= 17
    assert {(label.origin, label.checked) for label in labelled.labels} == {("model", False)}
    assert labelled.photo.least is not None

    for rule in ("mixed", "random"):
        status, out, _ = run(capsys, "queue", folder, "--by", rule, "--json", "--lang", "en", "--workers", "1")
        assert status == 0
        (turn,) = [json.loads(line) for line in out.splitlines()]
        assert turn["name"] == other.name
        assert turn["why"].endswith(".")


def test_the_models_may_vanish_between_and_the_readings_stay(two_photos: Path, tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "set"
    run(capsys, "create", folder)
    run(capsys, "import", folder, two_photos)
    run(capsys, "evaluate", folder, "--json", "--workers", "1")
    (journal,) = (folder / "readings").iterdir()
    before = journal.read_bytes()
    assert run(capsys, "evaluate", folder, "--json", "--workers", "1")[0] == 0
    assert journal.read_bytes() == before


def test_names_are_listed_and_a_table_begun(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(photo_bytes(1))
    (tmp_path / "in" / "a.txt").write_text("0 0.5 0.5 0.2 0.2\n1 0.2 0.2 0.2 0.2\n")
    (tmp_path / "in" / "classes.txt").write_text("三萬\njoker\n", encoding="utf-8")
    table = tmp_path / "names.toml"
    status, out, _ = run(capsys, "names", tmp_path / "in", "--write", table)
    assert status == 1
    assert "? joker 1" in out
    assert "  三萬 1" in out
    folder = tmp_path / "set"
    run(capsys, "create", folder)
    status, _, err = run(capsys, "import", folder, tmp_path / "in", "--names", table, "--lang", "en")
    assert status == 2
    assert "joker" in err
    table.write_text(table.read_text(encoding="utf-8").replace('"?"', '""'), encoding="utf-8")
    status, out, _ = run(capsys, "import", folder, tmp_path / "in", "--names", table, "--lang", "en")
    assert status == 0
    assert "left out by the table of names: 1" in out


def test_split_set_and_export(tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "set"
    small_set(folder, photos=6, scenes=3)
    status, out, _ = run(capsys, "split", folder, "--val", "0.34", "--lang", "en", "--dry-run")
    assert status == 0
    assert "val: 2 photos, 1 scene" in out
    assert DatasetStore.open(folder).count(split="val") == 0
    assert run(capsys, "split", folder, "--val", "0.34")[0] == 0
    assert DatasetStore.open(folder).count(split="val") == 2
    assert run(capsys, "set", folder, "p00.png", "--licence", "CC BY 4.0", "--hidden-backs", "yes")[0] == 0
    status, out, _ = run(capsys, "export", folder, "voc", tmp_path / "voc.zip", "--lang", "en", "--split", "train")
    assert status == 0
    assert "scene: this format has no place for it" in out
    assert (tmp_path / "voc.zip").is_file()
    assert run(capsys, "export", folder, "yolo", tmp_path / "yolo")[0] == 0
    status, out, err = run(capsys, "export", folder, "yolo", tmp_path / "yolo", "--lang", "en")
    assert (status, out) == (2, "")
    assert "not overwritten" in err
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".part")]


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", "{0}/nowhere", "{0}"],
        ["import", "{0}/set", "{0}/nowhere"],
        ["health", "{0}"],
        ["version", "{0}"],
        ["export", "{0}/set", "coco", "{0}/out", "--split", "test"],
        ["set", "{0}/set", "nobody.png", "--scene", "x"],
        ["split", "{0}/set"],
        ["split", "{0}/set", "--val", "2"],
        ["diff", "{0}/set@v9", "{0}/set"],
        ["health", "{0}/set", "--models", "{0}/nowhere"],
        ["create", "{0}"],
        ["evaluate", "{0}/set", "--split", "val"],
    ],
)
def test_what_cannot_be_done_is_a_sentence(arguments: list[str], tmp_path: Path, capsys: Any) -> None:
    small_set(tmp_path / "set", photos=2)
    status, out, err = run(capsys, *(argument.format(tmp_path) for argument in arguments))
    assert (status, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_only_what_people_said_is_measured(two_photos: Path, tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "set"
    run(capsys, "create", folder)
    run(capsys, "import", folder, two_photos)
    store = DatasetStore.open(folder)
    first, second = store
    only = [replace(label, origin="model", checked=False) for label in first.labels]
    store.save(first.photo.id, only, first.photo.revision)
    status, out, _ = run(capsys, "evaluate", folder, "--json", "--workers", "1")
    findings = json.loads(out)
    assert (status, findings["photos"], findings["unchecked_photos"]) == (0, 1, 1)
    assert findings["tiles"] == len(second.labels)
    status, out, _ = run(capsys, "evaluate", folder, "--workers", "1", "--lang", "zh")
    assert "另有 1 張照片還有沒確認的標記" in out
    store.save(second.photo.id, [replace(second.labels[0], origin="model")], second.photo.revision)
    status, _, err = run(capsys, "evaluate", folder, "--workers", "1", "--lang", "zh")
    assert (status, "2 張照片" in err) == (2, True)
    assert run(capsys, "export", folder, "yolo", tmp_path / "out", "--true-only", "--lang", "zh")[0] == 2


def test_an_import_that_leaves_labels_unread_ends_with_a_status_and_a_way_on(tmp_path: Path, capsys: Any) -> None:
    source = tmp_path / "in"
    source.mkdir()
    for n, name in enumerate(("a.png", "b.png")):
        (source / name).write_bytes(photo_bytes(n))
    (source / "a.txt").write_text("0 0.5 0.5 0.2 0.2")
    (source / "classes.txt").write_text("3p")
    (source / "README.md").write_text("hello")
    (source / "tiles.parquet").write_bytes(b"PAR1")
    folder = tmp_path / "set"
    run(capsys, "create", folder)
    status, out, _ = run(capsys, "import", folder, source, "--plan", "--json")
    assert json.loads(out)["files"] == {
        "README.md": "ignored",
        "a.png": "photo",
        "a.txt": "yolo",
        "b.png": "waits",
        "classes.txt": "yolo",
        "tiles.parquet": "not read",
    }
    assert (status, DatasetStore.open(folder).count()) == (1, 0)
    status, out, _ = run(capsys, "import", folder, source, "--lang", "en")
    assert (status, DatasetStore.open(folder).count()) == (1, 1)
    assert "tiles.parquet: Parquet is not read" in out
    assert "--yes" in out
    status, out, _ = run(capsys, "import", folder, source, "--yes", "--lang", "en")
    assert (status, DatasetStore.open(folder).count()) == (1, 2)
    assert "Parquet" in out
    (source / "tiles.parquet").unlink()
    assert run(capsys, "import", folder, source)[0] == 0


def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path, capsys: Any) -> None:
    """`paitai dataset own-names SET | head -1`: the pipe is closed while the command still prints."""
    run(capsys, "create", tmp_path / "set")
    command = [sys.executable, "-m", "paitai", "dataset", "own-names", str(tmp_path / "set"), "cards"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1
    assert DatasetStore.open(tmp_path / "set").names.own
