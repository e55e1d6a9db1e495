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


def test_numbers_are_fields(app: Flask, client: FlaskClient) -> None:
    """七只內 and its like: one number is `number`, several are parts of `all`."""
    open_ = {"has.concealed": "55z234s789m", "has.melds": "777z 123m 666z", "each": ""}
    one = {"number.0.of": "melds", "number.0.at_least": "3"}
    key, response = saved(client, **open_, **one)
    assert response.status_code == 303, response.text
    ((id_, table),) = raw(app).items()
    assert table["number"] == {"of": "melds", "at_least": 3}
    assert "advanced" not in fields_of(table, "zh")
    page = client.get(f"/house/{key}/own/{id_}").text
    assert '<option value="melds" selected>' in page
    two = {"number.1.of": "dragon_pungs", "number.1.at_least": "1", "number.1.at_most": "2", "trait.honors": "all"}
    assert client.post(f"/house/{key}/own/{id_}", data=FORM | open_ | one | two).status_code == 303
    (table,) = raw(app).values()
    number = {"of": "dragon_pungs", "at_least": 1, "at_most": 2}
    assert table["all"] == ["honors", {"number": {"of": "melds", "at_least": 3}}, {"number": number}]
    fields = fields_of(table, "zh")
    assert (fields["trait.honors"], fields["number.1.of"], fields["number.1.at_most"]) == ("all", "dragon_pungs", "2")
    assert "advanced" not in fields


@pytest.mark.parametrize(
    "condition",
    [
        {"any": [{"number": {"of": "melds", "at_least": 3}}, "honors"]},
        {"all": [{"number": {"of": "melds", "at_least": least}} for least in (1, 2, 3, 4)]},
        {"not": {"number": {"of": "melds", "at_least": 3}}},
    ],
)
def test_numbers_that_the_fields_cannot_say_stay_text(condition: dict[str, Any]) -> None:
    assert "melds" in fields_of({"name": "a", "tai": 1, **condition}, "zh")["advanced"]


def test_a_number_that_is_none_is_refused_at_the_condition(client: FlaskClient) -> None:
    _, response = saved(client, each="", **{"number.0.of": "melds", "number.0.at_least": "many"})
    assert response.status_code == 422
    assert 'id="condition-wrong"' in response.text
