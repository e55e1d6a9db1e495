"""自訂牌型 in the page: taken in, written, held to their hands, changed, taken out; and kept with every record."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scoring.rulebook.loading import load_book
from scoring.rulebook.own_patterns import ready_own_patterns
from tests.unit.webui.support.records_kit import entries, make_app, settle, store_of, words
from webui.house_rules import editing, own_patterns
from webui.store.place import Place
from webui.store.upkeep.verify import verify

DRAGONS = {
    "name": "中刻風將",
    "name_en": "Red and winds",
    "tai": "5",
    "trait.dragon_pung": "all",
    "trait.wind_pair": "all",
    "trait.closed": "",
    "exact.all": "777z",
    "excludes": "dragon_pung",
    "has.concealed": "234m567p345s11z",
    "has.melds": "555m 777z",
    "has.winning_tile": "5s",
    "has_not.concealed": "234m567p345s11z",
    "has_not.melds": "555m 666z",
    "has_not.winning_tile": "5s",
}


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


def book(client: FlaskClient, do: str = "", base: str = "luohan") -> str:
    """A new house book, after which an own pattern is dealt with; its key."""
    answer = client.post("/house", data={"base": base, "title": "週五桌", "do": do})
    assert answer.status_code == 303, words(answer.get_data(as_text=True))
    return str(re.search(r"/house/(house-[\w-]+)", answer.headers["Location"]).group(1))  # type: ignore[union-attr]


def own_of(app: Flask) -> dict[str, Any]:
    """The own patterns of the last version."""
    found: dict[str, Any] = tomllib.loads(entries(app, "book")[-1].content["book"]["toml"]).get("own_patterns", {})
    return found


def write(client: FlaskClient, key: str, id_: str = "new", **changed: Any) -> Any:
    return client.post(f"/house/{key}/own/{id_}", data=MultiDict({**DRAGONS, **changed}))


def errors(html: str) -> dict[str, str]:
    """The errors next to each field."""
    found = re.findall(r'class="field-error" id="([\w]+)-wrong">([^<]*)<', html)
    return {field: unescape(text) for field, text in found}


def test_ready_ones_are_taken_in_and_out_by_one_tap(app: Flask, client: FlaskClient) -> None:
    key = book(client, "own:take:straight_line")
    assert own_of(app) == {"straight_line": ready_own_patterns()["straight_line"]}
    html = client.get(f"/house/{key}").get_data(as_text=True)
    assert "一條龍 沒寫 → 4" in words(html)
    assert 'value="own:take:straight_line"' not in html
    assert 'value="own:take:three_alike"' in html
    assert html.split('id="group-own"')[1].count("<img") == 34 * len(ready_own_patterns())  # two hands each
    taken = {"key": key, "title": "週五桌"}
    client.post(
        "/house", data={**taken, "tai.straight_line": "6", "tai.dragon_pung": "2", "do": "own:take:double_wind"}
    )
    assert {id_: one["tai"] for id_, one in own_of(app).items()} == {"straight_line": 6, "double_wind": 4}
    client.post("/house", data={**taken, "do": "own:remove:straight_line"})
    assert list(own_of(app)) == ["double_wind"]
    client.post("/house", data={**taken, "do": "own:remove:double_wind"})
    assert own_of(app) == {}
    assert "dragon_pung = 2" in entries(app, "book")[-1].content["book"]["toml"]  # the typed text stayed all the while


def test_wrong_tai_and_acts_that_are_none(app: Flask, client: FlaskClient) -> None:
    key = book(client, "own:take:straight_line")
    answer = client.post("/house", data={"key": key, "title": "週五桌", "tai.straight_line": "many"})
    assert (answer.status_code, "「一條龍」填的「many」不是整數" in words(answer.get_data(as_text=True))) == (422, True)
    answer = client.post("/house", data={"key": key, "title": "週五桌", "tai.straight_line": "-3"})
    assert (answer.status_code, "台數不可為負" in words(answer.get_data(as_text=True))) == (422, True)
    for do in ("own:take:nothing", "own:remove:nothing", "own:", "other"):
        assert client.post("/house", data={"key": key, "title": "週五桌", "do": do}).status_code == 303
    assert list(own_of(app)) == ["straight_line"]
    for address in (f"/house/{key}/own/nothing", "/house/house-none/own/new"):
        assert client.get(address).status_code == 404
        assert client.post(address, data=DRAGONS).status_code == 404


def test_write_change_and_count(app: Flask, client: FlaskClient, page: Any) -> None:
    key = book(client, "own:edit:new")
    assert client.get(f"/house/{key}/own/new").status_code == 200
    assert write(client, key).status_code == 303
    ((id_, table),) = own_of(app).items()
    assert re.fullmatch(r"own_[0-9a-f]{6}", id_)
    melds = {"concealed": "234m567p345s11z", "winning_tile": "5s"}
    assert table == {
        **{"name": "中刻風將", "name_en": "Red and winds", "tai": 5, "all": ["wind_pair", "dragon_pung", "pung_7z"]},
        **{"excludes": ["dragon_pung"], "has": melds | {"melds": ["555m", "777z"]}},
        "has_not": melds | {"melds": ["555m", "666z"]},
    }
    fields = own_patterns.fields_of(table, "zh") | {"excludes": "dragon_pung"}
    assert {field: fields.get(field, "") for field in DRAGONS} == DRAGONS
    page.upload()
    before = page.tai
    page.press(rules=key)
    assert page.tai == before + 4  # 5 instead of the dragon's 1
    assert "中刻風將" in page.text
    assert "本桌" in page.text
    settle(page)
    (record,) = entries(app, "record")
    assert any(line["id"] == id_ for line in record.content["answer"]["zh"]["patterns"])
    assert write(client, key, id_, tai="7").status_code == 303
    assert page.press().tai == before + 6
    client.post("/house", data={"key": key, "title": "週五桌", "do": f"own:remove:{id_}"})
    assert page.press().tai == before
    assert verify(store_of(app)).findings == ()  # by the book as it was
    text = words(client.get(f"/records/{record.id}").get_data(as_text=True))
    assert "中刻風將" in text
    assert "own_patterns" in text
    english = words(client.get(f"/records/{record.id}?lang=en").get_data(as_text=True))
    assert "Red and winds" in english or "中刻風將" in english


def test_the_list_of_records_asks_for_own_patterns_by_name(app: Flask, client: FlaskClient, page: Any) -> None:
    key = book(client)
    write(client, key)
    page.upload()
    page.press(rules=key)
    settle(page)
    (id_,) = own_of(app)
    assert f'<option value="{id_}">中刻風將</option>' in client.get("/records").get_data(as_text=True)
    assert "中刻風將" in words(client.get(f"/records?pattern={id_}").get_data(as_text=True))


WRONG: dict[str, tuple[dict[str, str], str, str]] = {
    "no name": ({"name": " "}, "name", "這一格要填。"),
    "name of another": ({"name": "對對胡"}, "name", "「對對胡」是這本規則裡別的牌型的名字"),
    "no tai": ({"tai": ""}, "tai", "這一格要填。"),
    "tai no number": ({"tai": "many"}, "tai", "這裡要填整數"),
    "tai too high": ({"tai": "2000"}, "tai", "台數 2000 超出範圍"),
    "nothing asked": (
        {"trait.dragon_pung": "", "trait.wind_pair": "", "exact.all": ""},
        "condition",
        "還沒有選條件，至少要一項。",
    ),
    "no set": ({"exact.all": "12m"}, "condition", "不認得的條件 '12m'"),
    "text that is none": ({"advanced": "all = ["}, "condition", "條件的文字讀不懂"),
    "text of other keys": ({"advanced": "tai = 3"}, "condition", "條件的文字讀不懂：tai"),
    "text of unknown traits": ({"advanced": 'any = ["closd"]'}, "condition", "相近的：closed"),
    "no example": ({"has.concealed": "", "has.melds": ""}, "has", "要有一手牌。"),
    "no hand": ({"has.concealed": "99999m"}, "has", "這不是一手牌：concealed"),
    "no win": ({"has.concealed": "234m567p345s12z", "has.winning_tile": ""}, "has", "這手沒有胡："),
    "lacks it": ({"has.melds": "555m 666z"}, "has", "這手算出來沒有這個牌型。"),
    "has it": ({"has_not.melds": "555m 777z"}, "has_not", "這手算出來有這個牌型，不能當作沒有的例子。"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_kept(app: Flask, client: FlaskClient, case: str) -> None:
    changed, field, said = WRONG[case]
    key = book(client)
    answer = write(client, key, **changed)
    html = answer.get_data(as_text=True)
    assert answer.status_code == 422
    assert said in errors(html)[field], errors(html)
    assert field == "condition" or f'aria-describedby="{field}-wrong"' in html
    assert len(entries(app, "book")) == 1
    typed = {**DRAGONS, **changed}
    assert f'value="{typed["has_not.melds"]}"' in html
    assert typed["advanced" if "advanced" in changed else "has_not.concealed"] in unescape(html)


def test_the_same_in_english(client: FlaskClient) -> None:
    key = book(client)
    answer = client.post(f"/house/{key}/own/new?lang=en", data={**DRAGONS, "has.melds": "555m 666z"})
    assert "the hand" not in errors(answer.get_data(as_text=True)).get("name", "")
    client.set_cookie("lang", "en")
    html = write(client, key, **{"has.melds": "555m 666z"}).get_data(as_text=True)
    assert errors(html)["has"].startswith("This hand does not have the pattern: not met: a pung or kong of 7z")


def test_what_the_form_does_not_show_stays(app: Flask, client: FlaskClient) -> None:
    """Notes, and excluded patterns that the book does not count."""
    key = book(client, base="common")
    text = entries(app, "book")[-1].content["book"]["toml"]
    table = {**ready_own_patterns()["double_wind"], "note": "阿明說的", "excludes": ["seat_wind_pung", "no_honors"]}
    toml = editing.with_own(text, "double_wind", table)
    taken = {"file": (io.BytesIO(toml.encode()), "x.toml")}
    answer = client.post("/house/import", data=taken, content_type="multipart/form-data")
    key = str(re.search(r"/house/(house-[\w-]+)", answer.headers["Location"]).group(1))  # type: ignore[union-attr]
    html = client.get(f"/house/{key}/own/double_wind").get_data(as_text=True)
    chosen = re.findall(r'name="excludes" value="([^"]*)"[^>]* checked', html)
    assert chosen == ["seat_wind_pung", "no_honors"]
    fields = {name: value for name, value in own_patterns.fields_of(table, "zh").items() if value}
    client.post(f"/house/{key}/own/double_wind", data=MultiDict({**fields, "tai": "6"}))
    kept = own_of(app)["double_wind"]
    assert {key: kept[key] for key in table if key not in ("has", "has_not")} | {"tai": 4} == {
        key: value for key, value in table.items() if key not in ("has", "has_not")
    }
    assert kept["tai"] == 6


def test_checked_without_being_kept(app: Flask, client: FlaskClient) -> None:
    key = book(client)
    answer = write(client, key, do="check")
    html = answer.get_data(as_text=True)
    assert (answer.status_code, "核對過了" in words(html)) == (200, True)
    assert html.split('id="example-has"')[1].count("own-won") >= 1
    assert own_of(app) == {}


def test_what_only_text_can_say_stays_as_it_is_written(app: Flask, client: FlaskClient) -> None:
    key = book(client)
    text = '[count]\nof = ["pung_7z", "wind_pair", { not = ["closed"] }]\nat_least = 3\n'
    assert write(client, key, advanced=text).status_code == 303
    ((id_, table),) = own_of(app).items()
    assert table["count"] == {"of": ["pung_7z", "wind_pair", {"not": ["closed"]}], "at_least": 3}
    assert "all" not in table
    fields = own_patterns.fields_of(table, "zh")
    assert tomllib.loads(fields["advanced"]) == {"count": table["count"]}
    assert write(client, key, id_, advanced=fields["advanced"], tai="8").status_code == 303
    assert own_of(app)[id_] == {**table, "tai": 8}


def test_melds_by_their_kind_in_either_language(app: Flask, client: FlaskClient) -> None:
    key = book(client)
    for kind in ("暗槓：", "concealed_kong:", "concealed kong:"):
        melds = f"{kind}7777z 555m"
        answer = write(client, key, name=kind, name_en="", **{"has.melds": melds})
        if " " in kind:
            assert answer.status_code == 422
            continue
        assert answer.status_code == 303, errors(answer.get_data(as_text=True))
        *_, table = own_of(app).values()
        assert table["has"]["melds"] == ["concealed_kong 7777z", "555m"]
        assert own_patterns.fields_of(table, "zh")["has.melds"] == "暗槓:7777z 555m"


def test_the_examples_of_the_ready_ones_are_shown_whole() -> None:
    for lang in ("zh", "en"):
        shown = own_patterns.ready_rows(load_book("common"), lang)
        assert [one.id for one in shown] == list(ready_own_patterns())
        for one in shown:
            assert [sum(map(len, hand.sets)) for _, hand in one.examples] == [17, 17]
            assert one.condition
    double = next(one for one in shown if one.id == "double_wind")
    assert [hand.context for _, hand in double.examples] == [[("round", "S")], [("round", "E")]]
