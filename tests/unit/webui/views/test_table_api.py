"""POST /api/table answers as `paitai read --table` does (contract)."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from typing import Any

import jsonschema_rs
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.unit.webui.support.whole_tables import TableReader
from vision.detection.types import Detection
from webui import create_app

TABLE, HEIGHT = TableReader(1), 1500
"""A made table, and the pixels of its photo."""


def asked(client: FlaskClient, photo: bytes, query: str = "") -> TestResponse:
    return client.post(f"/api/table{query}", data={"photo": (io.BytesIO(photo), "dir/a.jpg")})


def client_of(reader: TableReader) -> FlaskClient:
    return create_app({"READER": reader}).test_client()


def test_the_answer_fits_its_schema_and_its_parts_agree(jpeg: bytes) -> None:
    client = client_of(TABLE)
    line = asked(client, jpeg).get_json()
    schemas = client.get("/api/openapi.json").get_json()["components"]["schemas"]
    root = {"$ref": "#/components/schemas/TableAnswer", "components": {"schemas": schemas}}
    jsonschema_rs.validator_for(root).validate(line)
    assert line["photo"] == "a.jpg"
    assert line["in_play"] is True
    faces = Counter(tile.code for tile in TABLE.truth)
    assert len(line["tiles"]) == sum(faces.values())
    asked_about = [tile for tile in line["tiles"] if "tile" in tile["open"]]
    assert len(asked_about) == 1
    assert asked_about[0]["box"][3] == HEIGHT, "of the truth only a tile that the photo's edge cuts is asked about"
    hidden = [tile["tile"] for tile in asked_about]
    for count in line["counts"]:
        assert count["seen"] == faces[count["tile"]] - hidden.count(count["tile"])
        assert count["sure"] == (count["tile"] not in hidden)
    assert all(line["tiles"][place]["tile"] == count["tile"] for count in line["counts"] for place in count["tiles"])
    assert sum(line["face_down"].values()) == faces["back"]
    assert [player["side"] for player in line["players"]] == ["near", "right", "far", "left"]


def test_a_doubtful_tile_is_open_and_its_counts_are_not_sure(jpeg: bytes) -> None:
    place = next(at for at, tile in enumerate(TABLE.truth) if tile.zone == "river")
    tile = TABLE.truth[place]
    doubtful = Detection(tile.code, tile.box, 0.6, (("9s", 0.3),))
    before = asked(client_of(TABLE), jpeg).get_json()
    line = asked(client_of(replace(TABLE, changes=((place, doubtful),))), jpeg).get_json()
    assert "tile" not in before["tiles"][place]["open"]
    assert "tile" in line["tiles"][place]["open"]
    assert unsure_of(line) - unsure_of(before) == {tile.code, "9s"}


def unsure_of(line: dict[str, Any]) -> set[str]:
    return {count["tile"] for count in line["counts"] if not count["sure"]}


@pytest.mark.parametrize(("query", "sentence"), [("", "沒有收到照片"), ("?lang=en", "photo")])
def test_without_a_photo(query: str, sentence: str, client: FlaskClient) -> None:
    answer = client.post(f"/api/table{query}")
    assert answer.status_code == 400
    assert sentence in answer.get_json()["error"]


def test_what_is_no_photo(client: FlaskClient) -> None:
    answer = asked(client, b"no photo")
    assert answer.status_code == 422
    assert answer.get_json()["photo"] == "a.jpg"
