"""Names of one's own on the pages and over the API: chosen for a new set, offered, saved, renamed, found again."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.labelling.test_label import TILE, Seeing, jpeg
from vision.labelling.own.names import UNNAMED
from vision.labelling.store import DatasetStore
from webui import create_app


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app({"DATA": str(tmp_path), "READER": Seeing()})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def made(client: FlaskClient, folder: Path, names: str) -> tuple[str, str, DatasetStore]:
    """A new set with that list, and a photo: the set's address, the photo's id, and the store."""
    address = client.post("/label/new", data={"title": "mine", "names": names}).headers["Location"]
    store = DatasetStore.open(folder / "datasets" / address.rsplit("/", 1)[1])
    info, _ = store.add(jpeg(1), "a.jpg", scene="A")
    return address, info.id, store


def offered(page: str) -> dict[str, Any]:
    (found,) = re.findall(r'data-tiles="([^"]*)"', page)
    return {tile["code"]: tile for tile in json.loads(unescape(found))}


def test_a_riichi_set_has_red_fives_and_jokers(client: FlaskClient, tmp_path: Path) -> None:
    address, id_, store = made(client, tmp_path, "riichi")
    page = client.get(f"{address}/{id_}").get_data(as_text=True)
    tiles = offered(page)
    assert tiles["@joker"]["name"] == "joker"
    assert tiles["@joker"]["picture"].startswith("data:image/svg+xml,")
    assert "3p" in tiles
    (known,) = re.findall(r'data-known="([^"]*)"', page)
    assert json.loads(unescape(known))["joker"] == "@joker", "typed by its name"
    sent = {"labels": [TILE | {"tile": "@0m"}], "revision": 0}
    assert client.post(f"{address}/{id_}/labels", json=sent).status_code == 200
    assert store.get(id_).labels[0].tile == "@0m"
    answer = client.post(f"{address}/{id_}/labels", json={"labels": [TILE | {"tile": "@7x"}], "revision": 1})
    assert answer.status_code in (400, 422)
    assert "7x" in answer.get_json()["error"]
    for path in ("", "/sheet", "/sheet?tile=@0m", "/groups", "/health", "?tile=@0m", "/card.md"):
        assert client.get(f"{address}{path}").status_code in (200, 404), path
    assert "0m" in client.get(f"{address}?tile=@0m").get_data(as_text=True)
    renamed = client.post(f"{address}/sheet", json={"chosen": [[id_, "a1"]], "tile": "@joker"}).get_json()
    assert renamed["count"] == 1
    assert store.get(id_).labels[0].tile == "@joker"


def test_a_set_without_tiles_asks_for_the_names(client: FlaskClient, tmp_path: Path) -> None:
    address, id_, _ = made(client, tmp_path, "dominoes")
    (label,) = client.post(f"{address}/{id_}/read").get_json()["labels"]
    assert label["tile"] == UNNAMED
    assert label["confidence"] < 0.1
    assert "3p" not in offered(client.get(f"{address}/{id_}").get_data(as_text=True))


def test_the_api_takes_own_names_of_the_set(client: FlaskClient, tmp_path: Path) -> None:
    address, id_, store = made(client, tmp_path, "riichi")
    name = address.rsplit("/", 1)[1]
    place = f"/api/datasets/{name}/photos/{id_}/labels"
    label = {"tile": "@joker", "box": [10, 10, 40, 50], "checked": True}
    answer = client.put(place, json={"labels": [label], "revision": 0})
    assert answer.status_code == 200, answer.get_data(as_text=True)
    assert store.get(id_).labels[0].tile == "@joker"
    assert client.get(place).get_json()["labels"][0]["tile"] == "@joker"


def test_a_plain_set_stays_as_it_was(client: FlaskClient, tmp_path: Path) -> None:
    address, id_, store = made(client, tmp_path, "")
    assert not store.names.own
    tiles = offered(client.get(f"{address}/{id_}").get_data(as_text=True))
    assert len(tiles) == 43
    answer = client.post(f"{address}/{id_}/labels", json={"labels": [TILE | {"tile": "@joker"}], "revision": 0})
    assert answer.status_code in (400, 422)
