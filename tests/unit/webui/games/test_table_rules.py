"""這桌怎麼算: a silent book's points are asked, answered at one tap and stored; no winner disappears."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.rulebook.loading import load_book
from scoring.rulebook.model import parts_of
from scoring.rulebook.rulings import NOT_RULED, RULING_CHOICES
from tests.unit.webui.games.test_later_payments import amend
from tests.unit.webui.support.records_kit import at_table, entries, hidden, open_table, state, store_of, won, words
from webui import create_app
from webui.house_rules.editing import edited
from webui.house_rules.table_rules import QUESTIONS, Question, cite_of, every_question, question, with_answer
from webui.i18n import catalog
from webui.store.upkeep.verify import verify
from webui.views.rules.house_rules import load


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def answer(client: FlaskClient, rule: str, chosen: str, **more: str) -> Any:
    """Tap an answer; the page that it leads to."""
    return at_table(client, "rule", rule=rule, answer=chosen, **more)


def table(client: FlaskClient, path: str = "/table") -> str:
    return words(client.get(path).get_data(as_text=True))


ALL = [(key, chosen) for key, answers in QUESTIONS.items() for chosen in answers]
ALL += [(key, one) for key, all_ in RULING_CHOICES.items() if NOT_RULED in all_ for one in all_ if one != NOT_RULED]


@pytest.mark.parametrize(("key", "chosen"), ALL, ids=str)
def test_every_answer_is_a_house_book_that_says_so(key: str, chosen: str) -> None:
    """Of the table, not of the document, even if it equals our reading. Both languages have its words."""
    toml = with_answer(None, "common", key, chosen, "我們的")
    book = load(toml.encode(), "a.toml")
    asked = question(book, key)
    assert (asked.now, asked.said) == (chosen, True)
    source = cite_of(book, key)
    assert source is not None
    assert str(source) == "本桌"
    assert book.based_on == "common"
    for lang in ("zh", "en"):
        assert f"table_rule.answer.{key}.{chosen}" in catalog(lang)
    # a second answer leaves the first one as it is
    both = load(with_answer(toml, "", "several_winners", "each", "").encode(), "a.toml")
    assert both.payment.several_winners == "each"
    assert question(both, key).said


def test_only_what_a_book_does_not_say_is_open() -> None:
    open_ = {asked.key for asked in every_question(load_book("common")) if not asked.said}
    of_play = {"several_winners", "false_win", "false_win_deal", "drawn_hand", "responsibility"}
    assert open_ == of_play | {"held_fourth", "many_waits"}
    for book in ("luohan", "ntu", "shifu", "hongkong_taiwan"):
        assert question(load_book(book), "many_waits").said, book
    assert all(question(load_book("luohan"), key).said for key in ("several_winners", "false_win", "drawn_hand"))


def test_the_waits_of_all_chows_are_asked_about_and_change_the_tally(app: Flask, client: FlaskClient) -> None:
    """34567 waits for 2, 5 and 8: the first dispute of many tables, on which 通行 is silent."""
    open_table(client, rules="common")
    assert "平胡聽三種以上（34567）：你們怎麼算？" in table(client, "/table/house")
    answer(client, "many_waits", "not_counted")
    assert "平胡聽三種以上（34567）：你們怎麼算" not in table(client, "/table/house")
    book = state(app).session.book
    assert parts_of(book.patterns["all_chows"].definition)[1] == {"many_waits": "not_counted"}
    answer(client, "many_waits", "counted")
    assert question(state(app).session.book, "many_waits") == Question(
        "many_waits", ("counted", "not_counted"), "counted", True
    )


def test_the_form_of_a_house_book_keeps_what_the_table_decided() -> None:
    """Also if the book is read that way anyway."""
    toml = with_answer(None, "common", "many_waits", "counted", "我們的")
    saved = edited(toml, "common", {"part.all_chows.many_waits": "counted"})
    assert question(load(saved.encode(), "a.toml"), "many_waits").said
    changed = edited(saved, "common", {"part.all_chows.many_waits": "not_counted"})
    assert question(load(changed.encode(), "a.toml"), "many_waits").now == "not_counted"
    back = edited(changed, "common", {"part.all_chows.many_waits": "counted"})
    assert not question(load(back.encode(), "a.toml"), "many_waits").said


def test_a_false_win_is_asked_about_once(app: Flask, client: FlaskClient) -> None:
    """通行 is silent: 8 台 to the three, from now on; earlier entries stay."""
    open_table(client, rules="common")
    at_table(client, "false-win", offender="1")
    assert state(app).totals["小美"] == 0
    text = table(client)
    assert "詐胡賠多少：你們怎麼算？" in text
    assert "[R" not in text
    sent = answer(client, "false_win", "tai_8", back="/table?open=step-false#step-false")
    assert sent.headers["Location"].endswith("/table?open=step-false#step-false")
    page = client.get("/table?open=step-false").get_data(as_text=True)
    assert re.search(r'id="step-false" open', page)
    assert "詐胡賠多少：你們怎麼算" not in words(page)
    assert "固定台數，不含底（8 台）；賠三家" in words(page)
    at_table(client, "false-win", offender="1")
    game = state(app)
    assert game.totals["小美"] == -24
    assert dict(game.hands[0].points) == dict.fromkeys(game.players, 0)
    assert game.hands[0].entry.content["transfers"] == []
    (kept,) = entries(app, "book")
    assert kept.content["book"]["base"]["id"] == "common"
    assert game.book["title"] == "通行台數表・我們的算法"
    assert game.book["key"] == f"house-{kept.id}"
    assert "我們的算法" in table(client, "/house")
    assert verify(store_of(app)).findings == ()


def test_an_answer_can_be_changed_and_taken_back(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="common")
    answer(client, "false_win", "tai_8")
    answer(client, "false_win", "nothing")
    assert "這桌說好的：不罰" in table(client, "/table/house")
    first, second = entries(app, "book")
    assert second.about == first.id  # one house book, two versions
    at_table(client, "undo")
    assert state(app).session.book.payment.false_win == "tai_only"
    at_table(client, "undo")
    assert state(app).book["key"] == "common"
    answer(client, "drawn_hand", "deal_passes")
    assert state(app).session.book.payment.false_win == "not_mentioned"  # an answer taken back does not come back
    at_table(client, "drawn")
    assert state(app).dealer == "小美"


def test_the_same_answer_makes_no_second_book(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="common")
    answer(client, "drawn_hand", "stays_if_ready")
    answer(client, "drawn_hand", "stays_if_ready")
    at_table(client, "end")
    open_table(client, rules="common")
    answer(client, "drawn_hand", "stays_if_ready")
    assert len(entries(app, "book")) == 1


def test_the_house_form_keeps_what_the_table_said(app: Flask, client: FlaskClient) -> None:
    """Even if it equals our reading: the table is not asked again."""
    open_table(client, rules="common")
    answer(client, "several_winners", "nearest")
    key = state(app).book["key"]
    assert (
        client.post("/house", data={"key": key, "title": "我們", "pay.several_winners": "nearest"}).status_code == 303
    )
    newest = entries(app, "book")[-1].content["book"]["toml"]
    assert question(load(newest.encode(), "a.toml"), "several_winners").said


@pytest.mark.parametrize(
    "fields",
    [{"rule": "base", "answer": "3"}, {"rule": "false_win", "answer": "x"}, {"rule": "", "answer": ""}],
    ids=str,
)
def test_no_such_answer(app: Flask, client: FlaskClient, fields: dict[str, str]) -> None:
    open_table(client, rules="common")
    assert at_table(client, "rule", **fields).status_code == 422
    assert entries(app, "book") == []


def test_back_leads_to_the_table_only(client: FlaskClient) -> None:
    open_table(client, rules="common")
    assert answer(client, "false_win", "tai_8", back="https://example.org/").headers["Location"] == "/table/house"
    assert answer(client, "false_win", "tai_16", back="//example.org/table").headers["Location"] == "/table/house"


@pytest.mark.parametrize(
    "incident", [key for key, rule in load_book("common").rulings.items() if rule.choice == NOT_RULED]
)
def test_a_silent_book_is_asked_about_incidents(client: FlaskClient, incident: str) -> None:
    """No answer is "the whole table decides": the usual ways are buttons, and lead back to the ruling."""
    open_table(client, rules="common")
    path = f"/table/incident/{incident}?who=1"
    for _ in range(12):
        page = client.get(path).get_data(as_text=True)
        if "ask-rule" in page or "ruling" in page:
            break
        name, value = re.search(r'<button class="button" name="(\w+)" value="(\w+)"', page).groups()  # type: ignore[union-attr]
        path += f"&{name}={value}"
    text = words(page)
    assert "你們怎麼算？" in text
    assert "由全桌決定" not in text
    assert "這次不罰，繼續打" in text
    chosen = next(one for one in RULING_CHOICES[incident] if one != NOT_RULED)
    back = re.search(r'name="back" value="([^"]*)"', page).group(1).replace("&amp;", "&")  # type: ignore[union-attr]
    assert back.startswith(f"/table/incident/{incident}")
    assert answer(client, incident, chosen, back=back).headers["Location"] == back
    after = client.get(back)
    assert after.status_code == 200
    assert f'id="rule-{incident}"' not in after.get_data(as_text=True)


SILENT_CASES = (
    ("luohan", "unmade_call?who=1&f_call=chow"),
    ("luohan", "turn_fault?who=1&f_act=touched_wall"),
    ("luohan", "cheating?who=1&f_what=collusion"),
    ("common", "watching?who=1"),
    ("common", "turn_fault?who=1&f_act=changed_discard"),
)


@pytest.mark.parametrize(("book", "path"), SILENT_CASES)
def test_a_case_that_no_book_rules_is_entered_as_the_table_agrees(
    app: Flask, client: FlaskClient, book: str, path: str
) -> None:
    open_table(client, rules=book)
    page = client.get(f"/table/incident/{path}").get_data(as_text=True)
    assert "由全桌決定" not in page
    assert 'id="agreed"' in page
    at = {"game": state(app).id, "head": state(app).head}
    action = re.search(r'id="agreed" action="([^"]+)"', page).group(1)  # type: ignore[union-attr]
    for wrong in ({"payer": "1", "to": "1", "points": "5"}, {"payer": "4", "to": "each", "points": "5"}):
        assert "不能付給自己" in words(client.post(action, data={**at, **wrong}).get_data(as_text=True))
    for points in ("", "0", "-3", "x", "99999999999"):
        wrong = {"payer": "1", "to": "each", "points": points}
        refused = client.post(action, data={**at, **wrong})
        assert (refused.status_code, state(app).head) == (422, at["head"]), points
    assert client.post(action, data={**at, "payer": "1", "to": "each", "points": "10"}).status_code == 303
    assert list(state(app).session.totals) == [10, -30, 10, 10]
    assert "照大家說好的，小美付每家 10 點" in table(client)
    at["head"] = state(app).head
    assert client.post(action, data={**at, "payer": "0", "to": "2", "points": "5"}).status_code == 303
    assert list(state(app).session.totals) == [5, -30, 15, 10]


def test_what_was_agreed_stays_whoever_deals(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="luohan")
    won(client, 0, 3)
    agreed = {"payer": "1", "to": "0", "points": "10"}
    answered = client.post("/table/incident/unmade_call/agreed", data={**hidden(client.get("/table").text), **agreed})
    assert answered.status_code == 303
    assert amend(client, state(app).hands[0].entry.id, tai_2="3", source="self_draw").status_code == 303
    assert state(app).dealer == "小美"
    assert 'id="stale"' not in client.get("/table").text
    assert state(app).fines[0].points == {"阿明": 10, "小美": -10, "老王": 0, "Grace": 0}


def test_a_reading_is_a_sentence_without_its_number(client: FlaskClient) -> None:
    open_table(client, rules="common")
    text = table(client, "/table/incident/dead_hand?who=1&f_cause=count&f_count=15&f_drawn=0")
    assert "張數不對就湊不成十七張" in text
    assert not re.search(r"\[R\d+\]", text)


# ---- two winners ----

BOTH = {"tai_1": "3", "tai_3": "2", "source": "2"}  # 老王 discards; Grace is the nearest after him, 小美 is not


def test_a_second_winner_is_said_before_the_hand_is_kept(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="common")
    sent = at_table(client, "won", **BOTH)
    assert sent.status_code == 303
    page = client.get(sent.headers["Location"])
    text = words(page.get_data(as_text=True))
    assert page.status_code == 200
    assert state(app).hands == ()
    assert "通行台數表沒有寫，先當作：只收離放槍最近的" in text
    assert "小美胡了但不收" in text
    assert "Grace +5" in text
    assert "小美 +6" in text  # the other way to play it
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.get_data(as_text=True)))
    assert fields | BOTH == fields


@pytest.mark.parametrize(
    ("rules", "ways"),
    [
        ("common", {"nearest": ("Grace",), "each": ("Grace", "小美")}),
        ("luohan", {"nearest": ("Grace",), "each": ("Grace", "小美")}),
        ("ntu", {"nearest_or_three": ("Grace",), "each": ("Grace", "小美")}),
    ],
)
@pytest.mark.parametrize("chosen", ["own", "each"])
def test_the_choice_is_kept_with_the_hand(
    app: Flask, client: FlaskClient, rules: str, ways: dict[str, tuple[str, ...]], chosen: str
) -> None:
    open_table(client, rules=rules)
    page = client.get(at_table(client, "won", **BOTH).headers["Location"]).get_data(as_text=True)
    offered = re.findall(r'name="several_winners" value="(\w+)"', page)
    assert offered == list(ways)
    rule = offered[0] if chosen == "own" else "each"
    assert at_table(client, "won", **BOTH, several_winners=rule).status_code == 303
    game = state(app)
    (hand,) = game.hands
    assert hand.winners == ways[rule]
    assert {*hand.winners, *(one.name for one in hand.blocked)} == {"Grace", "小美"}
    text = table(client)
    if chosen == "own":
        assert "小美 3 台也胡，攔胡：" in text
        assert hand.points["小美"] == 0
    else:
        assert hand.points["小美"] > 0
        assert game.book["key"].startswith("house-")
        assert at_table(client, "won", **BOTH).status_code == 303  # no question from now on
    assert (rule == "each" or rules == "common") == (len(entries(app, "book")) == 1)
    assert verify(store_of(app)).findings == ()


def test_the_question_is_of_the_table_as_it_was(client: FlaskClient) -> None:
    """Another entry in between: nothing is asked about a hand that would come too late."""
    open_table(client, rules="common")
    asks = at_table(client, "won", **BOTH).headers["Location"]
    assert client.get(asks).status_code == 200
    at_table(client, "drawn")
    assert client.get(asks).status_code == 409
    assert client.get("/table/winners").status_code == 409


def test_who_is_not_paid_is_in_ledger_list_and_export(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="luohan")
    at_table(client, "won", **BOTH, several_winners="nearest")
    game = state(app)
    said = "Grace 2 台胡（老王放槍）；小美 3 台也胡，攔胡：只有離放槍最近的一家收，不收錢"
    assert said in table(client)
    assert said in table(client, f"/games/{game.id}")
    rows = list(csv.reader(io.StringIO(client.get(f"/games/{game.id}/export.csv").get_data(as_text=True))))
    assert said in rows[1]
    exported = client.get(f"/games/{game.id}/export.json").get_json()
    assert exported["hands"][0]["unpaid"] == [{"player": "小美", "tai": 3, "rule": "nearest"}]
    client.post("/table/names", data={**hidden(client.get("/table").get_data(as_text=True)), **_names("小美", "美美")})
    assert "美美 3 台也胡" in table(client)


def _names(old: str, new: str) -> dict[str, str]:
    names = ("阿明", "小美", "老王", "Grace")
    return {f"name_{at}": new if name == old else name for at, name in enumerate(names)}


def test_a_hand_of_before_has_nobody_left_out(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="luohan")
    at_table(client, "won", tai_3="2", source="2")
    (hand,) = state(app).hands
    assert "unpaid" not in hand.entry.content
    assert hand.blocked == ()


def test_a_correction_names_who_is_not_paid(app: Flask, client: FlaskClient) -> None:
    open_table(client, rules="luohan")
    at_table(client, "won", tai_3="2", source="2")
    entry = state(app).hands[0].entry.id
    page = client.get(f"/table/amend/{entry}").get_data(as_text=True)
    client.post(f"/table/amend/{entry}", data={**hidden(page), **BOTH})
    assert "小美 3 台也胡" in table(client)


PULLING = """
id = "club"
title = "本會"
title_en = "Club"
based_on = "common"
payment.pulls = "half_more_half_back"
"""


def test_a_question_about_what_the_book_does_not_play_is_not_asked() -> None:
    """十六不搭 and 拉 are asked about only where they are played; else they would puzzle most tables."""
    keys = {asked.key for asked in every_question(load_book("common"))}
    assert not keys & {"unconnected_last", "pulls_most"}
    sixteen = {asked.key: asked for asked in every_question(load_book("common", {"sixteen_unconnected": 40}))}
    assert (sixteen["unconnected_last"].now, sixteen["unconnected_last"].said) == ("any", False)
    pulling = {asked.key: asked for asked in every_question(load(PULLING.encode(), "a.toml"))}
    assert (pulling["pulls_most"].now, pulling["pulls_most"].said) == ("no_end", False)


def test_the_pull_that_a_table_cuts_ends_after_the_third() -> None:
    book = load(with_answer(PULLING, "common", "pulls_most", "three", "").encode(), "a.toml")
    assert (book.payment.pulls_most, question(book, "pulls_most").said) == (3, True)
