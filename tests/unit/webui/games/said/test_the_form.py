"""/table/say: the form that a sentence fills in, and that nothing is kept before its own button is pressed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.languages import LANGUAGES
from tests.unit.webui.support.records_kit import NAMES, entries, hidden, open_table, state, store_of, won, words
from webui import create_app
from webui.games.said import grammar, hearing, meaning, pieces
from webui.i18n import catalog

INPUT = re.compile(r'<input type="(\w+)" name="(\w+)" value="([^"]*)"[^>]*?( checked)?>')
FIELD = re.compile(r'<input name="(tai_\d|face_tai)"[^>]*value="(\d*)"')


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def say(client: FlaskClient, *texts: str, **more: str) -> str:
    """The page after a sentence was sent from the table."""
    known = hidden(client.get("/table").get_data(as_text=True))
    asked = {"game": known["game"], "head": known["head"], "said": list(texts), **more}
    return client.get("/table/say", query_string=asked).get_data(as_text=True)


def the_form(html: str) -> tuple[str, dict[str, str]]:
    """The address of the filled form, and its fields if its button is pressed at once."""
    address, body = re.search(r'<form method="post" action="([^"]+)"[^>]*data-filled>(.*?)</form>', html, re.S).groups()  # type: ignore[union-attr]
    sent = {name: unescape(value) for kind, name, value, on in INPUT.findall(body) if kind == "hidden" or on}
    return address, sent | {name: value for name, value in FIELD.findall(body) if value}


def pressed(client: FlaskClient, html: str) -> Any:
    address, sent = the_form(html)
    return client.post(address, data=sent)


def test_a_sentence_fills_the_form_and_its_button_keeps_it(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    before = len(entries(app))
    html = say(client, f"{NAMES[2]}放槍給{NAMES[0]}，三台")
    assert f"聽到的：「{NAMES[2]}放槍給{NAMES[0]}，三台」" in words(html)
    assert len(entries(app)) == before
    assert pressed(client, html).status_code == 303
    hand = state(app).hands[-1]
    assert (hand.winners, hand.loser, hand.tai) == ((NAMES[0],), NAMES[2], (3,))


def test_what_was_not_said_is_open_and_must_be_filled_in(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    html = say(client, f"{NAMES[1]}胡")
    address, sent = the_form(html)
    assert address == "/table/won"
    assert {"source", "tai_0", "tai_1"}.isdisjoint(sent)
    assert re.search(r'name="tai_1"[^>]* required', html)
    assert not re.search(r'name="tai_0"[^>]* required', html)
    assert "請補上：自摸還是誰放槍、幾台" in words(html)
    assert pressed(client, html).status_code == 422
    assert state(app).hands == ()


def test_two_winners_a_drawn_hand_and_a_false_win(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="mahjong_time")
    html = say(client, f"一炮雙響{NAMES[0]}三台跟{NAMES[1]}五台胡{NAMES[3]}的")
    assert pressed(client, html).status_code == 303
    assert pressed(client, say(client, "這把流局")).status_code == 303
    assert pressed(client, say(client, f"{NAMES[1]}詐胡")).status_code == 303
    hands = state(app).hands
    assert [hand.kind for hand in hands] == ["won", "drawn", "false_win"]
    assert (set(hands[0].winners), hands[0].loser, hands[2].loser) == ({NAMES[0], NAMES[1]}, NAMES[3], NAMES[1])


def test_three_players(app: Flask, client: FlaskClient) -> None:
    open_table(client, NAMES[:3], players="3", rules="common")
    assert pressed(client, say(client, f"{NAMES[0]}放槍給下家四台")).status_code == 303
    assert state(app).hands[-1].winners == (NAMES[1],)
    assert "三個人打沒有「對家」" in words(say(client, f"{NAMES[0]}放槍給對家四台"))


def test_what_was_not_understood_is_said_and_the_text_stays(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    html = say(client, f"{NAMES[2]}放槍給阿媽，三台")
    assert "「阿媽」聽不懂，沒有填。" in words(html)
    assert f'value="{NAMES[2]}放槍給阿媽，三台"' in html
    assert the_form(html)[1]["source"] == "2"
    nothing = say(client, "<b>今天天氣好")
    assert "&lt;b&gt;今天天氣好" in nothing
    assert set(the_form(nothing)[1]) == {"game", "head"}


def test_another_hearing_of_the_recogniser(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    assert the_form(say(client, "阿銘自摸三台", f"{NAMES[0]}自摸三台"))[1]["tai_0"] == "3"


def test_a_sentence_of_an_earlier_moment_is_refused(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    known = hidden(client.get("/table").get_data(as_text=True))
    late = say(client, f"{NAMES[0]}自摸三台")
    won(client, 1, 2)
    asked = {"game": known["game"], "head": known["head"], "said": "流局"}
    assert client.get("/table/say", query_string=asked).status_code == 409
    assert pressed(client, late).status_code == 409
    assert len(state(app).hands) == 1


def test_without_a_table_or_after_its_end(app: Flask, client: FlaskClient) -> None:
    assert client.get("/table/say?said=流局").status_code == 409
    open_table(client)
    assert client.get("/table/say").status_code == 200


def test_only_these_pages_may_ask_for_the_microphone(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    policy = {
        path: client.get(path).headers["Permissions-Policy"] for path in ("/", "/table", "/table/say", "/records")
    }
    assert {path for path, value in policy.items() if "microphone=(self)" in value} == {"/table", "/table/say"}
    assert all("microphone=" in value for value in policy.values())


def test_in_the_pocket_it_is_text_only(tmp_path: Path, reader: Any) -> None:
    app = create_app({"READER": reader, "DATA": str(tmp_path), "PARTS": ("sets", "live"), "FRAMED": True})
    app.jinja_env.globals["has"] = {"sets", "live", "pocket"}.__contains__
    app.add_url_rule("/pocket/about", "pocket.about", lambda: "")
    client = app.test_client()
    open_table(client)
    answer = client.get("/table")
    html = answer.get_data(as_text=True)
    assert "口袋版只能打字" in html
    assert 'class="button listen"' not in html
    assert "microphone=()" in answer.headers["Permissions-Policy"]
    store_of(app).close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_trouble_has_its_sentence(lang: str) -> None:
    source = "".join(Path(str(one.__file__)).read_text("utf-8") for one in (grammar, hearing, meaning, pieces))
    codes = {key.removeprefix("said.trouble.") for key in catalog(lang) if key.startswith("said.trouble.")}
    assert {code for code in codes if f'"{code}"' not in source} == set()
    said = set(re.findall(r'(?:trouble|Trouble)\("(\w+)"|return None, "(\w+)"', source))
    assert {one or other for one, other in said} <= codes
