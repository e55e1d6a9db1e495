"""House rules in the page: from a book, changed, named, used, exported, imported; errors get a sentence."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.http import parse_options_header

from scoring.rulebook.loading import BOOK_IDS, BOOKS_DIR, RuleBook, load_book
from tests.unit.webui.support.records_kit import entries, make_app, open_table, settle, store_of, words
from webui.house_rules import editing, form
from webui.store.place import Place
from webui.store.upkeep.verify import verify
from webui.views.rules.house_rules import load


@pytest.fixture
def app(place: Place, reader: Any) -> Iterator[Flask]:
    made = make_app(place, reader)
    yield made
    store_of(made).close()


def form_of(html: str) -> dict[str, str]:
    """The fields that a browser sends of the rules' form."""
    inside = html.split('id="rules-form"')[1]
    fields = {}
    for tag in re.findall(r"<input[^>]*>", inside):
        at = {key: unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        if "name" in at:  # the search is not sent
            fields[at["name"]] = at.get("value", "")
    for name, options in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', inside, re.S):
        found = re.search(r'value="([^"]*)" selected', options)
        fields[name] = found.group(1) if found else ""
    return fields


def start(client: FlaskClient, base: str = "luohan", title: str = "週五桌", **changed: str) -> str:
    """A new house book by the page's own form; its key."""
    fields = form_of(client.get(f"/house/new?base={base}").get_data(as_text=True))
    answer = client.post("/house", data={**fields, "title": title, **changed})
    assert answer.status_code == 303, words(answer.get_data(as_text=True))
    return str(re.search(r"/house/(house-[\w-]+)", answer.headers["Location"]).group(1))  # type: ignore[union-attr]


def toml_of(app: Flask, number: int = -1) -> dict[str, Any]:
    """The text of a kept version."""
    return tomllib.loads(entries(app, "book")[number].content["book"]["toml"])


def test_start_from_a_book(app: Flask, client: FlaskClient) -> None:
    key = start(
        client,
        **{
            "tai.four_concealed_pungs": "7",
            "tai.half_melded": "0",
            "tai.seven_pairs_and_pung": "8",
            "pay.base": "50",
            "pay.several_winners": "each",
            "plants": "5f 6f 7f 8f",
            "definition.all_chows": "all_chows.flowers_two_sided",
        },
    )
    assert toml_of(app) == {
        "id": "house",
        "title": "週五桌",
        "title_en": "週五桌",
        "based_on": "luohan",
        "plants": ["5f", "6f", "7f", "8f"],
        "patterns": {
            "four_concealed_pungs": 7,
            "half_melded": 0,
            "seven_pairs_and_pung": 8,
            "all_chows": {"definition": "all_chows.flowers_two_sided"},
        },
        "payment": {"base": 50, "several_winners": "each"},
    }
    text = words(client.get(f"/house/{key}").get_data(as_text=True))
    for said in ("週五桌", "和「麻將羅漢」不同的地方", "四暗坎 6 → 7", "半求 1 → 不計", "胡的每一家都收"):
        assert said in text
    assert "改了 7 處" in words(client.get("/house").get_data(as_text=True))


@pytest.mark.parametrize("base", BOOK_IDS)
def test_nothing_changed_is_the_book(app: Flask, client: FlaskClient, base: str) -> None:
    """The form as it comes changes nothing: only name and origin are written."""
    key = start(client, base)
    assert toml_of(app).keys() == {"id", "title", "title_en", "based_on"}
    assert "目前都一樣" in client.get(f"/house/{key}").get_data(as_text=True)


def test_every_row_of_the_form_works(app: Flask, client: FlaskClient) -> None:
    """Each choice of the form makes a book that loads and differs in the right place."""
    book = load_book("luohan")
    rows = [row for row in form.all_rows(book, "zh") if not row.key.startswith("tai.")]
    fields = form_of(client.get("/house/new?base=luohan").get_data(as_text=True))
    for row in rows:
        for value in [one for one, _ in row.options] or ["7"]:
            toml = editing.edited(None, "luohan", Form({**fields, row.key: value, "title": "x"}))
            changes = form.changes(load(toml.encode(), "x.toml"), "zh")
            name = f"{row.name.split()[0]} 定義" if row.key.startswith("part.") else row.name
            assert [one.name for one in changes] == ([name] if value != row.base else []), (row.key, value)


class Form(dict[str, Any]):
    """A form as `edited` takes it."""

    def getlist(self, key: str) -> list[Any]:
        return [self[key]] if key in self else []


def test_a_clause_in_english_names_its_document_and_line(client: FlaskClient) -> None:
    client.set_cookie("lang", "en")
    page = client.get("/house/new?base=luohan").get_data(as_text=True)
    assert "<small>Mahjong Luohan&#39;s rules, line 46</small>" in page


def test_a_second_version(app: Flask, client: FlaskClient) -> None:
    key = start(client, **{"tai.dealer": "2"})
    fields = form_of(client.get(f"/house/{key}").get_data(as_text=True))
    assert (fields["tai.dealer"], fields["title"]) == ("2", "週五桌")
    client.post("/house", data={**fields, "tai.dealer": "1", "tai.streak": "3"})
    assert toml_of(app)["patterns"] == {"streak": 3}
    first, second = entries(app, "book")
    assert second.about == first.id
    assert "存過 2 版" in client.get(f"/house/{key}").get_data(as_text=True)
    assert "作莊 1 → 2" not in words(client.get(f"/house/{key}").get_data(as_text=True))
    client.post("/house", data={**fields, "tai.dealer": "1", "tai.streak": "3"})
    assert len(entries(app, "book")) == 2  # an equal book is not a version


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"title": " "}, "請取個名字"),
        ({"tai.dealer": "two"}, "「作莊」填的「two」不是整數"),
        ({"tai.dealer": "-1"}, "台數不可為負：-1"),
        ({"tai.dealer": "1001"}, "超出範圍"),
        ({"pay.base": "1000001"}, "超出範圍"),
        ({"pay.several_winners": "nobody"}, "不認得 'nobody'"),
        ({"definition.all_chows": "nonsense"}, "不認得的定義 'nonsense'"),
        ({"plants": "1m"}, "plants 須為"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    app: Flask, client: FlaskClient, changed: dict[str, str], says: str
) -> None:
    fields = form_of(client.get("/house/new?base=luohan").get_data(as_text=True))
    answer = client.post("/house", data={**fields, "title": "週五桌", "tai.streak": "9", **changed})
    assert answer.status_code == 422
    html = answer.get_data(as_text=True)
    assert says in words(html)
    assert form_of(html)["tai.streak"] == "9"
    assert entries(app) == []


def test_a_house_book_scores_hands(app: Flask, client: FlaskClient, page: Any) -> None:
    key = start(client, **{"tai.dragon_pung": "5"})
    page.upload()
    assert page.tai == 3
    assert 'value="' + key in page.html
    page.press(rules=key)
    assert page.tai == 7
    assert "週五桌" in page.text
    settle(page)
    (record,) = entries(app, "record")
    assert record.content["book"]["key"] == key
    assert record.content["book"]["base"]["id"] == "luohan"
    assert record.content["answer"]["zh"]["tai"] == 7
    client.post("/house", data={**form_of(client.get(f"/house/{key}").get_data(as_text=True)), "tai.dragon_pung": "6"})
    assert page.press().tai == 8
    assert verify(store_of(app)).findings == ()  # the record is scored by the book as it was
    text = words(client.get(f"/records/{record.id}").get_data(as_text=True))
    assert "週五桌" in text
    assert "dragon_pung = 5" in text
    client.post(f"/records/{record.id}/disputes", data={"who": "a", "claim": "b"})
    books = entries(app, "dispute")[0].content["books"]["zh"]["books"]
    assert [(book["title"], book["tai"], book["own"]) for book in books][:2] == [
        ("週五桌", 7, True),
        ("麻將羅漢 16 張台灣麻將規則", 3, False),
    ]


def test_use_it_from_the_next_hand_on(app: Flask, client: FlaskClient, page: Any) -> None:
    key = start(client)
    assert client.post(f"/house/{key}/use").headers["Location"] == "/"
    page.upload()
    assert page.fields()["rules"] == key
    assert client.post("/house/ntu/use").status_code == 303
    page.upload()
    assert page.fields()["rules"] == "ntu"
    assert client.post("/house/nobody/use").status_code == 404


FOUR = {"concealed": "222m888p11123s11155z", "winning": "4s"}  # 四暗坎: 6 in the table, 5 in its examples


def test_the_other_value_of_a_document_is_one_tap_away(app: Flask, client: FlaskClient, page: Any, reader: Any) -> None:
    """000 L134 against L228, L242, L247: the table's own book, from this hand on; the same tap makes no second one."""
    reader.groups = FOUR
    for _ in range(2):
        client.post("/house/luohan/use")
        page.upload()
        assert "我們這桌算 5 台" in words(page.html)
        before = page.tai
        page.press("table_tai:four_concealed_pungs")
        assert page.tai == before - 1
        assert "table_tai:" not in page.html
        assert "本桌改為 5 台" in words(page.html)
    assert "麻將羅漢・四暗坎 5" in words(page.html)
    assert toml_of(app)["patterns"] == {"four_concealed_pungs": 5}
    assert len(entries(app, "book")) == 1
    page.upload()
    assert page.tai == before - 1  # remembered
    assert page.press("table_tai:dragon_pung").status == 400


def test_the_other_value_at_a_running_table(app: Flask, client: FlaskClient, page: Any, reader: Any) -> None:
    reader.groups = FOUR
    key = start(client, title="週五桌", **{"tai.streak": "1"})
    open_table(client, rules=key)
    page.upload()
    page.press("table_tai:four_concealed_pungs")
    assert toml_of(app)["patterns"] == {"four_concealed_pungs": 5, "streak": 1}  # the same book, a version more
    assert page.fields()["rules"] == key
    assert len(entries(app, "rules")) == 1
    assert settle(page, into_game=True).status_code == 303


def test_put_away_and_back(app: Flask, client: FlaskClient, page: Any) -> None:
    key = start(client)
    page.upload()
    page.press(rules=key)
    client.post(f"/house/{key}/shelve")
    assert page.press().tai == 3  # a page with it goes on
    page.upload()
    assert f'value="{key}"' not in page.html
    assert client.post(f"/house/{key}/shelve").status_code == 409
    assert client.post(f"/house/{key}/use").status_code == 404
    assert "收起來的 1 本" in words(client.get("/house").get_data(as_text=True))
    client.post("/house", data=form_of(client.get(f"/house/{key}").get_data(as_text=True)))
    assert client.post(f"/house/{key}/use").status_code == 303
    assert len(entries(app, "book")) == 2


def take(client: FlaskClient, data: bytes, name: str = "friday.toml") -> Any:
    return client.post("/house/import", data={"file": (io.BytesIO(data), name)}, content_type="multipart/form-data")


FRIDAY = """# our own
id = "friday"
title = "週五桌"
title_en = "Friday table"
based_on = "luohan"
[patterns]
four_concealed_pungs = 7
[patterns.flower_set]
tai = 1
excludes = []
note = "正花照加"
[payment]
several_winners = "each"
"""


def test_export_and_import(app: Flask, client: FlaskClient) -> None:
    answer = take(client, FRIDAY.encode())
    assert answer.status_code == 303
    key = re.search(r"/house/(house-[\w-]+)", answer.headers["Location"]).group(1)  # type: ignore[union-attr]
    exported = client.get(f"/house/{key}.toml")
    assert exported.get_data(as_text=True) == FRIDAY  # byte for byte, comments too
    _, named = parse_options_header(exported.headers["Content-Disposition"])
    assert named["filename"] == "週五桌.toml"
    assert "Friday table" in client.get("/house", headers={"Accept-Language": "en"}).get_data(as_text=True)
    take(client, FRIDAY.encode())
    assert len(entries(app, "book")) == 1  # the same file is the same book
    fields = form_of(client.get(f"/house/{key}").get_data(as_text=True))
    client.post("/house", data={**fields, "tai.dealer": "2"})
    after = toml_of(app)
    assert after["patterns"]["flower_set"] == {"tai": 1, "excludes": [], "note": "正花照加"}
    assert after["patterns"]["dealer"] == 2
    assert after["payment"] == {"several_winners": "each"}
    assert (after["title"], after["title_en"]) == ("週五桌", "Friday table")


@pytest.mark.parametrize("book", BOOK_IDS)
def test_built_in_books_are_exported_too(client: FlaskClient, book: str) -> None:
    assert client.get(f"/house/{book}.toml").data == Path(BOOKS_DIR, f"{book}.toml").read_bytes()


def test_a_complete_book_of_its_own(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    """Without `based_on`: untouched parts stay to the letter, an unmentioned pattern stays unmentioned."""
    text = Path(BOOKS_DIR, "common.toml").read_text(encoding="utf-8").replace('id = "common"', 'id = "ours"')
    take(client, text.encode())
    html = client.get("/house").get_data(as_text=True)
    key = re.search(r"/house/(house-[\w-]+)", html).group(1)  # type: ignore[union-attr]
    page = client.get(f"/house/{key}").get_data(as_text=True)
    assert "整本都是自己寫的" in page
    client.post("/house", data={**form_of(page), "tai.dealer": "4"})
    before, after = (load(one.encode(), "a.toml") for one in (text, entries(app, "book")[-1].content["book"]["toml"]))

    def values(book: RuleBook) -> dict[str, Any]:
        return {
            id_: (rule.status, rule.tai, rule.definition, rule.excludes, rule.note, rule.cite)
            for id_, rule in book.patterns.items()
            if id_ != "dealer"
        }

    assert values(after) == values(before)
    assert after.patterns["dealer"].tai == 4
    assert after.payment == before.payment


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "沒有選檔案"),
        (b"\xff\xfe\x00", "friday.toml: 不是正確的 TOML"),
        (b"id = ", "friday.toml: 不是正確的 TOML"),
        (b'id = "luohan"\nbased_on = "luohan"', "id 'luohan' 是內建規則書的名字"),
        (FRIDAY.replace("four_concealed_pungs", "four_hidden").encode(), "牌型 'four_hidden': 不認得的牌型"),
        (FRIDAY.replace("= 7", "= -7").encode(), "台數不可為負：-7"),
        (FRIDAY.replace('based_on = "luohan"', 'based_on = "nobody"').encode(), "based_on 不認得 'nobody'"),
        (b"x" * 300_000, "檔案太大"),
    ],
    ids=["empty", "binary", "cut off", "reserved", "pattern", "negative", "base", "large"],
)
def test_a_wrong_file_is_answered_with_scorings_own_sentence(
    app: Flask, client: FlaskClient, data: bytes, says: str
) -> None:
    kept = start(client)
    answer = take(client, data)
    assert answer.status_code in (400, 422)
    assert says in words(answer.get_data(as_text=True))
    assert f"/house/{kept}" in answer.get_data(as_text=True)  # nothing is lost
    assert len(entries(app)) == 1


@pytest.mark.parametrize("name", ["../../../etc/x.toml", "a\\b.toml", "\u2028.toml", ".", "", "長" * 300 + ".toml"])
def test_odd_file_names(app: Flask, client: FlaskClient, name: str) -> None:
    answer = take(client, FRIDAY.encode(), name)
    assert answer.status_code == (303 if name else 400)


@pytest.mark.parametrize("address", ["/house/new?base=nobody", "/house/new", "/house/house-nobody", "/house/x.toml"])
def test_no_such_book(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_a_book_of_no_base(client: FlaskClient) -> None:
    assert client.post("/house", data={"title": "x", "base": "/etc/passwd"}).status_code == 404
    assert client.post("/house", data={"title": "x", "key": "house-x"}).status_code == 404


def test_the_api_knows_the_built_in_books_only(app: Flask, client: FlaskClient) -> None:
    key = start(client)
    path = next((store_of(app).place.folder / "books").glob("*.toml"), Path("x"))
    for rules in (key, str(path)):
        assert client.post("/api/score", json={"rules": rules}).status_code == 422


@pytest.mark.parametrize("ready", ["star31", "shenlaiye", "sml"])
def test_a_ready_book_is_used_as_a_book_of_ones_own(client: FlaskClient, page: Any, ready: str) -> None:
    index = client.get("/house").get_data(as_text=True)
    assert f"/house/new?base={ready}" in index
    assert client.post(f"/house/{ready}/use").status_code == 303
    page.upload()
    key = page.fields()["rules"]
    assert key.startswith("house-")
    assert page.press().tai > 0
    assert f'href="/house/{key}"' in client.get("/house").get_data(as_text=True)


def test_a_ready_book_is_a_start(app: Flask, client: FlaskClient) -> None:
    start(client, base="star31", title="我們的明星", **{"tai.dragon_pung": "7"})
    text = toml_of(app)
    assert text["patterns"]["dragon_pung"] == 7
    assert len(text["patterns"]) > 10  # the app's choices are stored


def test_every_row_stands_in_a_group_that_can_be_jumped_to(client: FlaskClient) -> None:
    html = client.get("/house/new?base=luohan").get_data(as_text=True)
    links = re.findall(r'class="chip" href="#(group-\w+)"', html)
    assert len(links) > 4
    assert re.findall(r'<section class="card rule-group" id="(group-\w+)"', html) == links
    groups = html[html.index('id="rule-groups"') :]
    assert html.count('class="rule-row') == groups.count('class="rule-row') > 60
