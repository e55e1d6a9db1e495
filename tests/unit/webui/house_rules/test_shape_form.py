"""自訂牌形的表: a house book's own winning shape is written, changed and taken out in the page."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.api.responses.response import answer
from tests.unit.scoring.support.asking import ask, tally_of
from tests.unit.webui.house_rules.test_house_rules import start, toml_of
from webui.house_rules.winning_shapes import fields_of

FORM = {"name": "兩搭五對", "name_en": "Two sets and five pairs", "tai": "6", "sets": "2", "pairs": "5", "singles": "1"}
SHAPE = {"name": "兩搭五對", "name_en": "Two sets and five pairs", "tai": 6, "sets": 2, "pairs": 5, "singles": 1}


def saved(client: FlaskClient, **more: Any) -> tuple[str, Any]:
    """The key of a new house book, and the answer to a form sent for a new shape."""
    key = start(client)
    return key, client.post(f"/house/{key}/shape/new", data=FORM | more)


def raw(app: Flask) -> dict[str, Any]:
    """The shapes of the latest book."""
    return dict(toml_of(app).get("winning_shapes", {}))


def test_a_shape_is_written_and_wins(app: Flask, client: FlaskClient, tmp_path: Any) -> None:
    key, response = saved(client, excludes=["concealed_hand"])
    assert response.status_code == 303, response.text
    ((id_, table),) = raw(app).items()
    assert table == SHAPE | {"excludes": ["concealed_hand"]}
    (tmp_path / "book.toml").write_text(client.get(f"/house/{key}.toml").get_data(as_text=True), encoding="utf-8")
    won = answer(ask("123m456p11335577s11z9m", "9m", rules=str(tmp_path / "book.toml")))
    assert tally_of(won)[id_] == 6
    page = client.get(f"/house/{key}").text
    assert "兩搭五對" in page
    assert f'value="shape:edit:{id_}"' in page


def test_it_is_changed_and_taken_out(app: Flask, client: FlaskClient) -> None:
    key, _ = saved(client)
    ((id_, _),) = raw(app).items()
    form = client.get(f"/house/{key}/shape/{id_}").text
    assert 'name="sets" id="sets" value="2"' in form
    changed = FORM | {"sets": "1", "pairs": "7", "singles": "", "text": "一搭七對"}
    assert client.post(f"/house/{key}/shape/{id_}", data=changed).status_code == 303
    assert raw(app)[id_] == {
        "name": "兩搭五對",
        "name_en": SHAPE["name_en"],
        "text": "一搭七對",
        "tai": 6,
        "sets": 1,
        "pairs": 7,
    }
    edit = client.post("/house", data={"key": key, "title": "週五桌", "do": f"shape:edit:{id_}"})
    assert edit.headers["Location"].endswith(f"/shape/{id_}")
    client.post("/house", data={"key": key, "title": "週五桌", "do": f"shape:remove:{id_}"})
    assert raw(app) == {}


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"sets": "3"}, "parts-wrong"),
        ({"sets": "many"}, "sets-wrong"),
        ({"each": "huh"}, "each-wrong"),
        ({"name": ""}, "name-wrong"),
        ({"sets": "0", "pairs": "8"}, "parts-wrong"),
    ],
)
def test_a_problem_stands_at_its_field_and_nothing_is_kept(
    app: Flask, client: FlaskClient, more: dict[str, str], field: str
) -> None:
    _, response = saved(client, **more)
    assert response.status_code == 422
    assert f'id="{field}"' in response.text
    assert 'value="5"' in response.text or "pairs" in more
    assert raw(app) == {}


def test_an_unknown_shape_is_not_found(client: FlaskClient) -> None:
    key = start(client)
    assert client.get(f"/house/{key}/shape/nothing").status_code == 404


def test_notes_that_the_form_does_not_show_stay() -> None:
    assert fields_of(SHAPE)["sets"] == "2"
    assert fields_of({"name": "a"})["pairs"] == ""
