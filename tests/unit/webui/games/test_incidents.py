"""出事了: the referee's sheet of the running table: questions, rulings, entries, undo, totals, the next win."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.rulings.incidents.registry import INCIDENT_GROUPS, INCIDENTS
from tests.unit.webui.support.records_kit import at_table, entries, make_app, open_table, state, store_of, words
from webui.i18n import catalog
from webui.store.place import Place
from webui.store.upkeep.verify import verify


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


def page(client: FlaskClient, incident: str, **fields: Any) -> str:
    answer = client.get(f"/table/incident/{incident}?{urlencode(fields, doseq=True)}")
    return words(answer.get_data(as_text=True))


def enter(app: Flask, client: FlaskClient, incident: str, **fields: Any) -> Any:
    game = state(app)
    return client.post(f"/table/incident/{incident}", data={"game": game.id, "head": game.head, **fields})


def test_the_menu_groups_every_incident_that_is_reported(client: FlaskClient) -> None:
    assert client.get("/table/incident").status_code == 409  # no table yet
    open_table(client)
    text = words(client.get("/table/incident").get_data(as_text=True))
    for said in ("相公", "詐胡", "過水", "喊碰未碰", "錯碰", "補花", "優先權", "牌牆", "麻將羅漢"):
        assert said in text
    assert sorted(one for ids in INCIDENT_GROUPS.values() for one in ids) == sorted(INCIDENTS)


def test_every_choice_and_circumstance_has_words() -> None:
    for ids in INCIDENT_GROUPS.values():
        for id_ in ids:
            for fact in INCIDENTS[id_].facts:
                first = INCIDENTS[id_].form.first == fact.name
                if fact.kind in ("choice", "choices"):
                    assert {f"incident.choice_{fact.name}_{one}" for one in fact.choices} <= set(catalog("zh"))
                optional = fact.default is not None or (id_, fact.name) in (("calls", "tile"), ("swap_call", "before"))
                if optional and fact.kind in ("bool", "choice", "count", "choices", "tile") and not first:
                    assert f"incident.fact_{fact.name}" in catalog("zh")


def test_only_what_the_book_needs_is_asked(client: FlaskClient) -> None:
    open_table(client)
    assert "是誰" in page(client, "false_win")
    assert "台數" in page(client, "false_win", who=1)
    text = page(client, "false_win", who=1, face_tai=4)
    assert "小美詐胡。小美付阿明 8 點、老王 7 點、Grace 7 點。這把結束，莊家續莊，連莊數不變。" in text
    assert "第 431 行" in text


def test_what_cannot_be_is_refused_by_name(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    before = entries(app)
    answer = client.get("/table/incident/false_win?who=1&face_tai=-4")
    assert (answer.status_code, "face_tai" in answer.get_data(as_text=True)) == (422, True)
    answer = enter(app, client, "unmade_call", who="1", f_call="pung", f_discarder="1")
    assert (answer.status_code, "facts.discarder" in answer.get_data(as_text=True)) == (422, True)
    assert enter(app, client, "wreck", who="1").status_code == 422  # nothing ruled yet
    assert enter(app, client, "fire").status_code == 404
    assert entries(app) == before


@pytest.mark.parametrize(
    ("incident", "fields", "named"),
    [
        ("false_win", {"who": "1", "face_tai": "4", "f_fire": "1"}, "facts.fire"),
        ("unmade_call", {"who": "3", "f_call": "pung", "f_discarder": "0", "f_flowers_0": "1"}, "facts.flowers_0"),
        ("false_win", {"who": "1", "face_tai": "-1"}, "face_tai"),
        ("false_win", {"who": "1", "face_tai": "x"}, "face_tai"),
        ("wrong_meld_discard", {"who": "1", "f_noticed": "called", "f_callers": ["2", "2"]}, "facts.callers"),
        ("missed_win", {"who": "1", "f_passed": "0z", "f_waits": "3s", "f_tile": "3s"}, "facts.passed"),
        ("end_of_wall", {"f_event": "flower", "draws_left": "-3"}, "draws_left"),
        ("unmade_call", {"who": "3", "f_call": "fly", "f_discarder": "0"}, "facts.call"),
        ("responsibility", {"f_melds": "1m2m4m", "f_winner": "1"}, "facts.melds"),
    ],
    ids=["fact too many", "a part too many", "negative", "no number", "seat twice", "no tile", "wall", "value", "meld"],
)
def test_bad_input_is_named_and_nothing_entered(
    app: Flask, client: FlaskClient, incident: str, fields: dict[str, Any], named: str
) -> None:
    open_table(client)
    before = entries(app)
    asked = client.get(f"/table/incident/{incident}?{urlencode(fields, doseq=True)}")
    assert (asked.status_code, named in words(asked.get_data(as_text=True))) == (422, True)
    answer = enter(app, client, incident, **fields)
    assert (answer.status_code, named in words(answer.get_data(as_text=True))) == (422, True)
    assert entries(app) == before


def test_marks_of_a_hand_that_is_over_are_not_entered(app: Flask, client: FlaskClient) -> None:
    """A form opened while a player carried a mark, sent after that hand ended."""
    open_table(client)
    enter(app, client, "wrong_pung", who="1", f_done="1")
    marked = state(app)
    at_table(client, "won", tai_2="3", source="self_draw")
    before = entries(app)
    old = {"game": marked.id, "head": marked.head, "who": "1"}
    answer = client.post("/table/incident/dead_again", data={**old, "face_tai": "0"})
    assert answer.status_code == 409
    assert "沒有記下" in words(answer.get_data(as_text=True))
    assert entries(app) == before
    fresh = words(client.get("/table/incident/dead_again?who=1&face_tai=0").get_data(as_text=True))
    assert "先前沒有宣告過相公" in fresh  # no mark is left: it is the first fault of this hand


def test_an_unknown_incident_says_so(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    answer = client.get("/table/incident/fire")
    assert answer.status_code == 404
    assert len(words(answer.get_data(as_text=True))) > 20


def test_three_incidents_undone_one_by_one_give_the_first_state(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    first = state(app)
    assert enter(app, client, "unmade_call", who="3", f_call="pung", f_discarder="0").status_code == 303
    assert state(app).totals == {"阿明": 1, "小美": 0, "老王": 0, "Grace": -1}
    assert enter(app, client, "wrong_pung", who="1", f_done="1").status_code == 303
    game = state(app)
    assert game.state.marks == {1: ("dead_hand",)}
    assert [(one.chair, one.wins, one.draws) for one in game.state.duties] == [(1, "self_draw", 8)]
    text = words(client.get("/table").get_data(as_text=True))
    assert "相公" in text
    assert "代付責任" in text
    assert enter(app, client, "false_win", who="2", face_tai="0").status_code == 303
    game = state(app)
    assert (len(game.hands), game.state.marks, game.state.duties) == (1, {}, ())
    assert game.totals == {"阿明": 5, "小美": 3, "老王": -10, "Grace": 2}
    assert (game.session.streak, game.dealer) == (0, "阿明")
    for kind in ("fouled", "fine", "fine"):
        game = state(app)
        assert game.last is not None
        assert game.last.kind == kind
        assert client.post("/table/undo", data={"game": game.id, "head": game.head}).status_code == 303
    last = state(app)
    assert (last.session, last.state, last.rows) == (first.session, first.state, ())
    assert verify(store_of(app)).findings == ()


def test_a_duty_really_pays(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    enter(app, client, "wrong_pung", who="1", f_done="1")
    at_table(client, "won", tai_2="3", source="self_draw")
    assert state(app).totals == {"阿明": 0, "小美": -19, "老王": 19, "Grace": 0}
    game = state(app)
    client.post("/table/undo", data={"game": game.id, "head": game.head})
    at_table(client, "won", tai_2="3", source="self_draw", late="1")
    assert state(app).totals == {"阿明": -7, "小美": -6, "老王": 19, "Grace": -6}


def test_csv_and_json_tell_of_fines(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    enter(app, client, "unmade_call", who="3", f_call="pung", f_discarder="0")
    at_table(client, "drawn")
    game = state(app)
    rows = client.get(f"/games/{game.id}/export.csv").get_data(as_text=True).splitlines()
    assert len(rows) == 3
    assert "Grace喊了沒有做成" in rows[1]
    assert client.get(f"/games/{game.id}/export.json").get_json()["fines"][0]["points"]["Grace"] == -1


def test_a_drawn_hand_and_a_flower_win_are_hands(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    enter(app, client, "end_of_wall", f_event="flower", draws_left="0")
    assert (state(app).hands[0].kind, state(app).session.streak) == ("drawn", 1)
    enter(app, client, "flower_win", who="1", f_kind="eight", f_replaced="1")
    game = state(app)
    assert (game.hands[1].kind, game.hands[1].winners, game.dealer) == ("won", ("小美",), "小美")
    assert game.totals["小美"] == 3 * 11 + 3


def test_a_form_of_another_moment_is_refused(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    game = state(app)
    at_table(client, "drawn")
    old = {"game": game.id, "head": game.head, "who": "1", "face_tai": "0"}
    assert client.post("/table/incident/false_win", data=old).status_code == 409
    assert len(state(app).hands) == 1


def test_a_watcher_pays_the_winner(app: Flask, client: FlaskClient) -> None:
    open_table(client)
    assert "開始眼牌" in page(client, "watching", who=3)
    game = state(app)
    answer = client.post("/table/watching", data={"game": game.id, "head": game.head, "who": "3"})
    assert answer.status_code == 303
    assert state(app).state.marks == {3: ("watching",)}
    at_table(client, "won", tai_1="2", source="2")
    assert state(app).totals == {"阿明": 0, "小美": 6, "老王": -5, "Grace": -1}
    assert state(app).state.marks == {}


def test_the_dealers_die_counts(app: Flask, client: FlaskClient) -> None:
    """000 L387: the dealer collects by his die, even if it shows too little."""
    open_table(client)
    at_table(client, "drawn")
    at_table(client, "won", tai_0="0", source="1", shown_streak="0")
    assert state(app).totals["阿明"] == 3 + 1


def found(client: FlaskClient, query: str) -> set[str]:
    html = client.get("/table/incident", query_string={"q": query}).get_data(as_text=True)
    return {name for name in INCIDENTS if f'href="/table/incident/{name}"' in html}


def test_an_incident_is_found_in_players_words(client: FlaskClient) -> None:
    open_table(client)
    assert found(client, "多一張") == {"dead_hand"}
    assert found(client, "偷看") == {"watching"}
    assert "wreck" in found(client, "牌牆 倒")
    assert found(client, "流局") == {"end_of_wall", "ready_paid"}
    every = found(client, "")
    assert len(every) > 25
    assert found(client, "外星人") == every
    assert "找不到「外星人」" in words(client.get("/table/incident?q=外星人").get_data(as_text=True))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_incident_has_players_words(lang: str) -> None:
    texts = catalog(lang)
    assert {name for name in INCIDENTS if not texts.get(f"incident.plain.{name}")} == set()
    assert {name for name in INCIDENTS if not texts.get(f"incident.keywords.{name}")} == set()
