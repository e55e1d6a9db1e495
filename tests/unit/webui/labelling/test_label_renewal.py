"""The memory of a scene over HTTP: the first confirmed tile teaches, and the others are renewed at once."""

from __future__ import annotations

import html
import io
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from tests.rendered import RENDERED, truth_of
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.reading.pipeline import Reader
from vision.tileset.store import TileSetStore
from webui import create_app
from webui.labelling import jobs
from webui.labelling.views.memory import renewals

SCENE = "阿姨家"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load(None)


@pytest.fixture
def app(tmp_path: Path, reader: Reader) -> Flask:
    return create_app({"DATA": str(tmp_path), "READER": reader})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@cache
def shot(turned: bool) -> tuple[bytes, list[tuple[str, tuple[float, float, float, float]]]]:
    """One rendered hand and its tiles, the second time brighter: the same tiles in another photo."""
    path = RENDERED / "images/val/hand-01.jpg"
    with Image.open(path) as image:
        truth = [(one.tile, one.box) for one in truth_of(path, *image.size)]
        pixels = np.asarray(image.convert("RGB"), np.int16)
    out = io.BytesIO()
    Image.fromarray(np.clip(pixels + (9 if turned else 0), 0, 255).astype(np.uint8)).save(out, "PNG")
    return out.getvalue(), truth


@pytest.fixture
def photos(tmp_path: Path) -> tuple[DatasetStore, list[str], str]:
    """Two photos of a scene whose tiles were all labelled by a model: the set, their ids, and the first tile."""
    store = DatasetStore.create(tmp_path / "datasets" / "demo", "試試")
    ids = []
    for second in (False, True):
        data, truth = shot(second)
        info, _ = store.add(data, f"{int(second)}.png", scene=SCENE)
        labels = [Label(tile, Box(*box), "model", 0.99, id=f"{int(second)}b{n}") for n, (tile, box) in enumerate(truth)]
        store.save(info.id, labels, 0)
        ids.append(info.id)
    return store, ids, truth[0][0]


def confirm(client: FlaskClient, store: DatasetStore, id_: str, at: int, tile: str) -> None:
    """A person names one box of a photo."""
    photo = store.get(id_)
    labels = [label.to_json() for label in photo.labels]
    labels[at] |= {"tile": tile, "checked": True, "origin": "person", "confidence": None}
    address = f"/label/demo/{id_}/labels"
    answer = client.post(address, json={"labels": labels, "revision": photo.photo.revision})
    assert answer.get_json() == {"revision": photo.photo.revision + 1}


def test_a_name_that_contradicts_the_model_reaches_the_other_photo_at_once(
    app: Flask, client: FlaskClient, photos: tuple[DatasetStore, list[str], str]
) -> None:
    store, (first, second), _ = photos
    confirm(client, store, first, 0, "8f")
    with app.app_context():
        renewals().wait()
    renamed = [label for label in store.get(second).labels if label.tile == "8f"]
    assert [label.id for label in renamed] == ["1b0"], "the same tile in the other photo, and no other"
    assert not renamed[0].checked
    state = client.get(f"/label/demo/{second}/state").get_json()
    assert state["renewed"] == 1
    assert "1 種牌" in state["memory"]["text"]
    assert state["memory"]["set"] == "", "which set of the table it is was not guessed"


def test_the_photo_at_hand_is_told_and_not_saved(
    client: FlaskClient, photos: tuple[DatasetStore, list[str], str]
) -> None:
    store, (first, _), _ = photos
    twice = store.get(first)
    copy = Label(twice.labels[0].tile, twice.labels[0].box, "model", 0.99, id="twin")
    store.save(first, [*twice.labels, copy], twice.photo.revision)
    confirm(client, store, first, 0, "8f")
    before = store.get(first)
    renewed = client.get(f"/label/demo/{first}/memory").get_json()["renewed"]
    assert [(label["id"], label["tile"], label["checked"]) for label in renewed] == [("twin", "8f", False)]
    assert store.get(first) == before


def test_a_correction_that_is_taken_back_leads_back_to_the_models_name(
    app: Flask, client: FlaskClient, photos: tuple[DatasetStore, list[str], str]
) -> None:
    store, (first, second), tile = photos
    for name in ("8f", tile):
        confirm(client, store, first, 0, name)
        with app.app_context():
            renewals().wait()
    label = next(label for label in store.get(second).labels if label.id == "1b0")
    assert label.tile == tile


def test_what_a_person_confirmed_and_other_scenes_stay(
    app: Flask, client: FlaskClient, photos: tuple[DatasetStore, list[str], str]
) -> None:
    store, (first, second), tile = photos
    confirm(client, store, second, 0, tile)
    store.change(second, scene="大舅家")
    before = store.get(second).labels
    confirm(client, store, first, 0, "8f")
    with app.app_context():
        renewals().wait()
    assert store.get(second).labels == before
    store.change(second, scene=SCENE)
    client.get(f"/label/demo/{second}/state")
    kept = next(label for label in store.get(second).labels if label.id == "1b0")
    assert (kept.tile, kept.checked) == (tile, True)


def test_naming_the_set_afterwards_renews_what_was_labelled_before(
    app: Flask, client: FlaskClient, tmp_path: Path, photos: tuple[DatasetStore, list[str], str]
) -> None:
    """Pre-labelled first and named afterwards, the memory once changed nothing."""
    store, (first, second), _ = photos
    confirm(client, store, first, 0, "8f")
    with app.app_context():
        renewals().wait()
    answer = client.post(f"/label/demo/{second}/memory", data={"set": "new:阿姨的牌"}).get_json()
    assert answer["set"] == "阿姨的牌"
    assert "8f" in TileSetStore.in_data(tmp_path).load("阿姨的牌").codes
    label = next(label for label in store.get(second).labels if label.id == "1b0")
    assert label.tile == "8f"


def test_alike_crops_are_grouped_and_named_once(
    app: Flask, client: FlaskClient, photos: tuple[DatasetStore, list[str], str]
) -> None:
    store, (first, second), _ = photos
    page = client.get("/label/demo/groups").get_data(as_text=True)
    groups = [
        {tuple(json.loads(html.unescape(pick))) for pick in re.findall("data-pick='([^']*)'", part)}
        for part in page.split("data-group=")[1:]
    ]
    assert sum(map(len, groups)) == sum(len(store.get(id_).labels) for id_ in (first, second))
    (twins,) = [group for group in groups if (first, "0b0") in group]
    assert (second, "1b0") in twins, "the same tile in both photos"
    tiles = {store.get(id_).labels[int(box[2:])].tile for id_, box in twins}
    assert len(tiles) == 1
    answer = client.post("/label/demo/sheet", json={"chosen": sorted(map(list, twins)), "tile": "8f"}).get_json()
    assert answer["count"] == len(twins)
    with app.app_context():
        renewals().wait()
    named = [label for id_ in (first, second) for label in store.get(id_).labels if label.tile == "8f"]
    assert len(named) == len(twins)
    assert all(label.checked for label in named)
    assert "1 種牌" in client.get(f"/label/demo/{first}/memory").get_json()["text"], "naming a group teaches"


def test_the_question_comes_before_the_model_labels_everything(
    client: FlaskClient, tmp_path: Path, photos: tuple[DatasetStore, list[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "go_on", lambda id_: None)
    page = client.get("/label/demo").get_data(as_text=True)
    assert f"{SCENE}：這一場的牌是哪一副？" in page
    client.post("/label/demo/prelabel", data={"scene": SCENE, "set": "new:"})
    assert TileSetStore.in_data(tmp_path).names() == [SCENE]
    assert "這一場的牌是哪一副？" not in client.get("/label/demo").get_data(as_text=True)
