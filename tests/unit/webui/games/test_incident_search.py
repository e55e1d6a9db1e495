"""The referee's list is searched in players' own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.rulings.incidents.registry import INCIDENTS
from tests.unit.webui.support.records_kit import make_app, open_table, store_of
from webui.store.place import Place

MOST_HITS = 6
"""The most incidents that a phrase finds: more would be a list again."""
PHRASES = (
    ("多一張", "dead_hand"),
    ("他多摸了一張", "dead_hand"),
    ("喊錯", "unmade_call"),
    ("喊錯了要碰又不碰", "unmade_call"),
    ("牌倒了", "wreck"),
    ("把牌牆推倒", "wreck"),
    ("碰錯", "wrong_pung"),
    ("吃錯牌", "wrong_pung"),
    ("忘記補花", "flower_fault"),
    ("有人偷看", "watching"),
    ("一炮雙響", "several_wins"),
    ("誰先胡", "priority"),
    ("炸胡", "false_win"),
    ("胡錯了", "false_win"),
    ("打太慢", "time"),
    ("沒看到漏胡", "missed_win"),
)


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


def found(client: FlaskClient, phrase: str) -> list[str]:
    """The incidents on the page of a search."""
    html = client.get("/table/incident", query_string={"q": phrase}).get_data(as_text=True)
    ids = re.findall(r"/table/incident/(\w+)", html)
    return [*ids, *(["priority"] if "/table/priority" in html else [])]


def test_a_phrase_of_a_player_finds_its_incident(client: FlaskClient) -> None:
    open_table(client)
    hits = {phrase: found(client, phrase) for phrase, _ in PHRASES}
    assert [(phrase, hits[phrase]) for phrase, id_ in PHRASES if id_ not in hits[phrase]] == []
    assert {phrase: ids for phrase, ids in hits.items() if len(ids) > MOST_HITS} == {}


def test_a_phrase_without_any_sense_shows_everything_and_says_so(client: FlaskClient) -> None:
    open_table(client)
    assert len(found(client, "xyzzy")) >= len(INCIDENTS) - 1
    html = client.get("/table/incident?q=xyzzy").get_data(as_text=True)
    assert 'role="status"' in html


@pytest.mark.parametrize(("phrase", "id_"), [("knocked over", "wreck"), ("the wall fell", "wreck")])
def test_english_words_find_incidents_too(client: FlaskClient, phrase: str, id_: str) -> None:
    open_table(client)
    client.set_cookie("lang", "en")
    assert id_ in found(client, phrase)
