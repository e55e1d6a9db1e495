"""自訂牌型的表: how often a pattern counts and on which total, through the form and back; rare events on the board."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.webui.house_rules.test_house_rules import start, toml_of
from webui.house_rules.own_patterns import fields_of

FORM = {
    "name": "每暗刻",
    "name_en": "Each concealed pung",
    "tai": "1",
    "each": "concealed_pungs",
    "has.concealed": "111222m333p456s789s55z",
    "has_not.concealed": "123456789m345p77s123s",
}


def saved(client: FlaskClient, **more: str) -> tuple[str, Any]:
    """The key of a new house book, and the answer to a form sent for a new own pattern."""
    key = start(client)
    return key, client.post(f"/house/{key}/own/new", data=FORM | more)


def raw(app: Flask) -> dict[str, Any]:
    """The own patterns of the latest book."""
    return dict(toml_of(app)["own_patterns"])


def test_once_for_each(app: Flask, client: FlaskClient) -> None:
    key, response = saved(client)
    assert response.status_code == 303
    ((id_, table),) = raw(app).items()
    assert table["each"] == "concealed_pungs"
    assert fields_of(table, "zh")["each"] == "concealed_pungs"
    page = client.get(f"/house/{key}/own/{id_}").text
    assert '<option value="concealed_pungs" selected>' in page
    assert "每有一個「暗刻（含暗槓）」計一次" in client.get(f"/house/{key}").text


def test_on_the_total(app: Flask, client: FlaskClient) -> None:
    poor = {"has_not.concealed": "23499m", "has_not.melds": "456p 789s 444p 123s", "has_not.winning_tile": "2m"}
    _, response = saved(client, each="", **{"total.at_least": "3", "total.at_most": "40"}, **poor)
    assert response.status_code == 303
    (table,) = raw(app).values()
    assert table["total"] == {"at_least": 3, "at_most": 40}


@pytest.mark.parametrize(
    ("more", "sentence"), [({"total.at_least": "many"}, "total 要寫"), ({"each": "huh"}, "不認得的數目")]
)
def test_what_is_wrong_stands_at_its_field(client: FlaskClient, more: dict[str, str], sentence: str) -> None:
    _, response = saved(client, **more)
    assert response.status_code == 422
    assert sentence in response.text
    assert 'name="each"' in response.text


def test_a_rare_event_is_asked_only_where_a_pattern_asks_for_it(client: FlaskClient, page: Any) -> None:
    assert "槓上槓" not in page.upload().text
    key = start(client)
    kongs = "345p777s123s11z"
    form = {
        **FORM,
        **{"name": "槓上槓", "each": "", "trait.kong_upon_kong": "all"},
        **{"has.concealed": kongs, "has.melds": "kong:1111m concealed_kong:2222p", "has.events": "kong_upon_kong"},
    }
    assert client.post(f"/house/{key}/own/new", data=form).status_code == 303
    client.post(f"/house/{key}/use")
    assert "槓上槓" in page.upload().text
