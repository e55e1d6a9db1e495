"""自訂名稱: sets with names of their own, from the list to training."""

from __future__ import annotations

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.rendered import RENDERED, truth_of
from tests.unit.vision.labelling.support.sets import photo_bytes
from vision.detection.types import Detection
from vision.labelling.assist.prelabel import prelabel
from vision.labelling.assist.renew import IN_DOUBT, SURE_AGAINST, Memory, opinions, renewed
from vision.labelling.cli import dataset as command
from vision.labelling.formats import WRITTEN
from vision.labelling.io.exporting import export
from vision.labelling.io.importing import import_into
from vision.labelling.labels import Box, Label, LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.own.names import READY, UNNAMED, load_names, name_list
from vision.labelling.quality.examine import Opinion, Seen
from vision.labelling.quality.health import check
from vision.labelling.quality.queue import OF_HANDS, rank
from vision.labelling.quality.report import Report
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES
from vision.photo.image import load_photo
from vision.reading.pipeline import Reader
from vision.tileset.from_labels import said_of, teach
from vision.tileset.matcher import Matcher
from vision.tileset.store import TileSetStore
from vision.training.data.corrections import corrected_copy
from vision.training.data.crops import cut
from vision.training.data.dataset import labels_of, load_dataset

RED, JOKER = "@0m", "@joker"


@pytest.fixture
def store(tmp_path: Path) -> DatasetStore:
    """A set of riichi tiles: a plain tile, a red five, a joker, all checked."""
    store = DatasetStore.create(tmp_path / "riichi")
    store.give_names(load_names("riichi"))
    info, _ = store.add(photo_bytes(1), "a.png", split="train")
    store.save(info.id, row("3p", RED, JOKER), 0)
    return store


def row(*tiles: str, checked: bool = True) -> list[Label]:
    return [Label(tile, Box(10 + 40 * n, 20, 40 + 40 * n, 70), checked=checked) for n, tile in enumerate(tiles)]


def test_the_mark_of_own_names_is_in_no_report(store: DatasetStore) -> None:
    text = check(list(store), names=store.names).text("en")
    assert "0p 0s" in text, "missing names are listed"
    assert "@" not in text


@pytest.mark.parametrize("which", READY)
def test_every_ready_list_can_be_given_to_a_set(which: str, tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "set")
    names = load_names(which)
    store.give_names(names)
    assert DatasetStore.open(tmp_path / "set").names == names
    assert len(set(names.codes)) == len(names.codes) > 6
    assert ("3p" in names.codes) == (which == "riichi")


def test_a_list_of_ones_own_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('title = "x"\n[names]\n"赤五萬" = "5m"\n"百搭" = ""\n', encoding="utf-8")
    names = load_names(str(tmp_path / "mine.toml"))
    assert [names.tile_of(code) for code in ("@赤五萬", "@百搭", "3p")] == ["5m", "", "3p"]
    assert names.code_of(" 百搭 ") == "@百搭"


@pytest.mark.parametrize(
    ("values", "key"),
    [
        ({}, "own_list_form"),
        ({"names": {}}, "own_list_form"),
        ({"names": {"a": ""}, "tiles": 1}, "own_list_form"),
        ({"names": {"3p": ""}}, "own_name_wrong"),
        ({"names": {"?": ""}}, "own_name_wrong"),
        ({"names": {"a,b": ""}}, "own_name_wrong"),
        ({"names": {" a": ""}}, "own_name_wrong"),
        ({"names": {"x" * 25: ""}}, "own_name_wrong"),
        ({"names": {"Joker": "", "joker": ""}}, "own_name_twice"),
        ({"names": {"joker": "9z"}}, "names_code"),
    ],
)
def test_a_list_that_cannot_be_is_refused_in_words(values: dict[str, Any], key: str) -> None:
    with pytest.raises(LabellingError) as refused:
        name_list(values)
    assert refused.value.key == key
    assert refused.value.message("zh") != refused.value.message("en")


def test_a_label_has_a_name_of_its_set_s_list(store: DatasetStore, tmp_path: Path) -> None:
    (photo,) = store
    for tile in ("@0z", UNNAMED):
        with pytest.raises(LabellingError, match=r"no name"):
            store.save(photo.photo.id, row(tile), photo.photo.revision)
    with pytest.raises(LabellingError, match="joker"):
        store.give_names(name_list({"names": {"0m": "5m"}}))
    plain = DatasetStore.create(tmp_path / "plain")
    info, _ = plain.add(photo_bytes(1), "a.png")
    with pytest.raises(LabellingError, match=r"no name 0m"):
        plain.save(info.id, row(RED), 0)


@pytest.mark.parametrize("form", WRITTEN)
def test_own_names_come_back_from_every_format(form: str, store: DatasetStore, tmp_path: Path) -> None:
    export(store, form, tmp_path / "out")
    other = DatasetStore.create(tmp_path / "other")
    other.give_names(store.names)
    report = import_into(other, tmp_path / "out")
    assert (report.aside, dict(report.unknown)) == ([], {})
    assert [label.tile for label in next(iter(other)).labels] == ["3p", RED, JOKER]
    plain = DatasetStore.create(tmp_path / "plain")
    assert set(import_into(plain, tmp_path / "out").unknown) == {"0m", "joker"}, "asked for where they are unknown"


def test_training_learns_the_tile_that_a_name_stands_for_and_finds_the_others(
    store: DatasetStore, tmp_path: Path
) -> None:
    export(store, "yolo", tmp_path / "data", true_only=True, as_tiles=True)
    dataset = load_dataset(tmp_path / "data/data.yaml", "train")
    assert [code for code, _ in labels_of(dataset.photos[0], dataset.codes)] == ["3p", "5m", "?"]
    corrected_copy(tmp_path / "data", tmp_path / "work", {})
    text = (tmp_path / "work/labels/train/a.txt").read_text(encoding="utf-8")
    assert len(text.splitlines()) == 3, "the finder learns all of them"
    crops = cut(tmp_path / "work", "train", negatives=0)
    assert sorted(crops.classes) == [CLASSES.index("5m"), CLASSES.index("3p")], "the classifier those with a class"


def detection(box: tuple[float, float, float, float], tile: str = "1p") -> Detection:
    return Detection(tile, box, 0.95, score=0.95)


def test_a_set_without_tiles_gets_boxes_to_be_named(tmp_path: Path) -> None:
    store = DatasetStore.create(tmp_path / "dominoes")
    store.give_names(load_names("dominoes"))
    info, _ = store.add(photo_bytes(1), "a.png")
    (photo,) = store
    seen = Seen((detection((10, 20, 40, 70)),), (), (), 1.0)
    prelabel(store, [photo], {info.id: seen}, Report())
    (label,) = store.get(info.id).labels
    assert (label.tile, label.checked) == (UNNAMED, False)
    assert label.confidence is not None
    assert label.confidence < 0.1, "asked about"
    fresh = dataclasses.replace(label, tile="@6-6", checked=True, origin="person", confidence=None)
    assert store.save(info.id, [fresh], 1).labels[0].tile == "@6-6"


def test_health_and_queue_know_no_rules_of_a_hand(store: DatasetStore) -> None:
    (photo,) = store
    many = LabelledPhoto(photo.photo, tuple(row("3p", "3p", "3p", "3p", "3p", RED)))
    wrong = tuple(Opinion(0.0, "5m", 0.99) for _ in many.labels)
    seen = {photo.photo.id: Seen((), wrong, (min(OF_HANDS),), 1.0)}
    plain = LabelledPhoto(photo.photo, many.labels[:5])
    assert "too_many" in {finding.kind for finding in check([plain]).findings}
    findings = check([many], seen, names=store.names).findings
    assert "too_many" not in {finding.kind for finding in findings}
    named = [finding for finding in findings if finding.kind == "wrong_name"]
    assert len(named) == 5, "the red five is a five to the model"
    assert set(check([many], names=store.names).classes) >= {RED, JOKER}
    broken = [rank([many], [], seen, hands=hands)[0].parts["rules"] for hands in (True, False)]
    assert broken == [1.0, 0.0]


def test_the_memory_knows_own_names_and_a_table_reads_tiles_only(tmp_path: Path) -> None:
    """A rendered tile is called a joker: its twin in a brighter photo is one too, and no other tile."""
    networks = Reader.load(None).classifier
    store, sets = DatasetStore.create(tmp_path / "set"), TileSetStore(tmp_path / "memory")
    store.give_names(load_names("riichi"))
    path = RENDERED / "images/val/hand-01.jpg"
    ids = []
    with Image.open(path) as image:
        truth = truth_of(path, *image.size)
        pixels = np.asarray(image.convert("RGB"), np.int16)
        for brighter in (0, 9):
            out = io.BytesIO()
            Image.fromarray(np.clip(pixels + brighter, 0, 255).astype(np.uint8)).save(out, "PNG")
            info, _ = store.add(out.getvalue(), f"{brighter}.png")
            labels = [Label(one.tile, Box(*one.box), "model", 0.99, id=f"b{n}") for n, one in enumerate(truth)]
            store.save(info.id, labels, 0)
            ids.append(info.id)
    first = store.get(ids[0])
    joker = dataclasses.replace(first.labels[0], tile=JOKER, checked=True, origin="person", confidence=None)
    saved = store.save(ids[0], [joker, *first.labels[1:]], 1)
    picture = load_photo(store.photo_file(first.photo))
    tile_set = teach(sets, "own", said_of(store, saved), lambda: picture)
    assert tile_set is not None
    assert tile_set.codes == (JOKER,)
    assert sets.load("own").codes == (JOKER,), "it is stored"
    assert Matcher(sets.load("own"), networks).tile_set.codes == (), "no table can read it"
    memory = Memory(networks)
    memory.learn(tile_set)
    second = store.get(ids[1])
    seen = opinions(networks, load_photo(store.photo_file(second.photo)), second.labels)
    fresh = renewed(second.labels, {}, seen, memory)
    changed = {n: label for n, label in enumerate(fresh) if label.tile != truth[n].tile}
    assert changed[0].tile == JOKER
    assert changed[0].confidence == IN_DOUBT, "the only name that the memory knows: to be looked at"
    assert {truth[n].tile for n in changed} == {truth[0].tile}
    assert SURE_AGAINST > IN_DOUBT


def test_the_command_shows_and_changes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import argparse

    folder = tmp_path / "set"
    DatasetStore.create(folder)
    arguments = argparse.Namespace(folder=folder, list="riichi", json=True)
    assert command.own_names(arguments, "zh") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["names"] == {"0m": "5m", "0p": "5p", "0s": "5s", "joker": ""}
    arguments = argparse.Namespace(folder=folder, list="nothing", json=False)
    with pytest.raises(LabellingError, match="riichi, dominoes"):
        command.own_names(arguments, "zh")
