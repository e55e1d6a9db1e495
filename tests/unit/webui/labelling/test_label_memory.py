"""Whose tiles lie in a scene, over HTTP: asked, never guessed; remembered at each save, in the sets of tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.labelling.test_label import Seeing, jpeg
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.tileset.chosen import chosen, chosen_for_scene
from vision.tileset.store import TileSetStore
from webui import create_app

CHECKED = {
    "id": "a1",
    "tile": "3p",
    "box": [30, 30, 60, 70, 0],
    "origin": "person",
    "confidence": None,
    "checked": True,
}


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app({"DATA": str(tmp_path), "READER": Seeing()})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def sets(tmp_path: Path) -> TileSetStore:
    return TileSetStore.in_data(tmp_path)


@pytest.fixture
def ids(tmp_path: Path) -> list[str]:
    """Two photos of one scene and one of another."""
    store = DatasetStore.create(tmp_path / "datasets" / "demo", "試試")
    scenes = ("A", "A", "B")
    return [store.add(jpeg(number), f"{number}.jpg", scene=scene)[0].id for number, scene in enumerate(scenes)]


def save(client: FlaskClient, id_: str, revision: int = 0, **changed: object) -> None:
    labels = [{**CHECKED, **changed}]
    assert client.post(f"/label/demo/{id_}/labels", json={"labels": labels, "revision": revision}).status_code == 200


def test_without_an_answer_nothing_is_remembered(client: FlaskClient, ids: list[str], sets: TileSetStore) -> None:
    state = client.get(f"/label/demo/{ids[0]}/state").get_json()
    assert state["memory"]["set"] == ""
    assert "說了是哪副牌" in state["memory"]["text"]
    save(client, ids[0])
    assert sets.names() == []


def test_a_new_set_knows_what_was_checked_before_and_after(
    client: FlaskClient, ids: list[str], sets: TileSetStore
) -> None:
    save(client, ids[1])
    said = client.post(f"/label/demo/{ids[0]}/memory", data={"set": "new:"}).get_json()
    assert said["set"] == "A"  # as the scene is called
    assert "1 種" in said["text"]  # of the other photo of the scene
    save(client, ids[0], tile="4p")
    assert "2 種" in client.get(f"/label/demo/{ids[1]}/memory").get_json()["text"]
    assert sets.load("A").codes == ("3p", "4p")
    assert client.get(f"/label/demo/{ids[2]}/memory").get_json()["set"] == ""  # another scene: not guessed
    assert chosen(sets) == ""  # and no table plays with it unasked
    save(client, ids[0], 1, tile="5p")
    assert sets.load("A").codes == ("3p", "5p")


def test_the_set_of_a_table_serves_a_scene_and_may_be_changed(
    client: FlaskClient, ids: list[str], sets: TileSetStore
) -> None:
    for name in ("阿公的牌", "B"):
        client.post(f"/label/demo/{ids[0]}/memory", data={"set": f"new:{name}"})
    said = client.post(f"/label/demo/{ids[2]}/memory", data={"set": "阿公的牌"}).get_json()
    assert (said["set"], said["others"]) == ("阿公的牌", ["B"])
    assert client.post(f"/label/demo/{ids[2]}/memory", data={"set": "new:阿公的牌"}).get_json()["set"] == "阿公的牌 2"
    client.post("/sets/阿公的牌 2/remove")
    assert client.get(f"/label/demo/{ids[2]}/memory").get_json()["set"] == ""
    assert chosen_for_scene(sets, "demo", "A") == "B"
    client.post(f"/label/demo/{ids[0]}/memory", data={"set": ""})
    assert chosen_for_scene(sets, "demo", "A") == ""


@pytest.mark.parametrize("wanted", ["nobody's", "../x", "new:con"])
def test_a_set_that_cannot_be(client: FlaskClient, ids: list[str], sets: TileSetStore, wanted: str) -> None:
    answer = client.post(f"/label/demo/{ids[0]}/memory", data={"set": wanted})
    assert answer.status_code == 422
    assert answer.get_json()["error"]
    assert sets.names() == []


def test_photos_are_read_with_their_scenes_set_and_not_with_the_tables(
    client: FlaskClient, ids: list[str], sets: TileSetStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str] = []

    def matcher(_: object, tile_set: object) -> str:
        used.append(tile_set.name)  # type: ignore[attr-defined]
        return "matcher"

    def read(self: Seeing, photo: object, matcher: object = None) -> object:
        used.append(f"read {matcher}")
        return plain(self, photo)

    plain = Seeing.read
    monkeypatch.setattr(Seeing, "matcher", matcher, raising=False)
    monkeypatch.setattr(Seeing, "read", read)
    client.post(f"/label/demo/{ids[0]}/memory", data={"set": "new:mine"})
    client.post(f"/label/demo/{ids[2]}/memory", data={"set": "new:table"})
    client.post(f"/label/demo/{ids[2]}/memory", data={"set": ""})
    client.post("/sets/use", data={"name": "table"})
    for id_ in (ids[0], ids[2]):
        client.post(f"/label/demo/{id_}/read")
    assert used == ["mine", "read matcher", "read None"]


def test_labels_outlive_a_set_that_is_damaged(client: FlaskClient, ids: list[str], sets: TileSetStore) -> None:
    client.post(f"/label/demo/{ids[0]}/memory", data={"set": "new:mine"})
    (sets.root / "mine/set.json").write_text("{", encoding="utf-8")
    save(client, ids[0])
    said = client.get(f"/label/demo/{ids[0]}/memory").get_json()
    assert "set.json" in said["text"]


def test_a_label_is_kept_as_it_was(tmp_path: Path, client: FlaskClient, ids: list[str]) -> None:
    save(client, ids[0])
    store = DatasetStore.open(tmp_path / "datasets/demo")
    assert store.get(ids[0]).labels == (Label("3p", Box(30, 30, 60, 70), checked=True, id="a1"),)
