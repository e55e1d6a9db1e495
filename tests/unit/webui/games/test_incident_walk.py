"""Every incident under every book, walked on the real page: each question, each answer to it, each ruling entered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scoring.rulebook.model import BOOK_IDS
from scoring.rulings.incidents.registry import INCIDENTS
from tests.unit.webui.support.records_kit import open_table, state, store_of, words
from webui import create_app
from webui.games.game import Game
from webui.games.incidents import Question, sheet
from webui.house_rules.table_rules import asked_of_ruling

Form = list[tuple[str, str]]
SEATS = {"winner": "2", "discarder": "3", "from": "0"}
TILES = {"tile": "3s", "passed": "3s", "discard": "3s", "waits": "3s6s", "with": "4s5s", "tiles": "3s"}
ACTS = ["1.say_pung", "0.reach"]


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    store_of(made).close()


def answers(asked: Question) -> list[Form]:
    """A person's possible taps: every choice, both of yes and no; one answer of everything else."""
    key = asked.name if asked.name in ("who", "face_tai", "draws_left") else f"f_{asked.name}"
    match asked.kind:
        case "bool":
            return [[(key, "1")], [(key, "0")]]
        case "choice":
            return [[(key, one)] for one in asked.choices]
        case "who":
            return [[(key, "1")]]
        case "seat":
            return [[(key, SEATS[asked.name])]]
        case "seats":
            return [[(key, "-"), (key, "2")]]
        case "tile" | "tiles" | "set" | "two":
            return [[(key, TILES[asked.name])]]
        case "flower":
            return [[(key, "1f")]]
        case "wins" | "claims":
            return [[(f"{key}_2", "3")], [(f"{key}_2", "3"), (f"{key}_0", "1")]]
        case "flower_counts":
            return [[(key, "1"), (f"{key}_0", "1 1"), (f"{key}_2", "1")]]
        case "melds":
            return [[(key, "1m2m3m 4m5m6m 7m8m9m 1m1m1m")], [(key, "-")]]
        case "choices":
            return [[(key, "-"), (key, asked.choices[0])], [(key, "-")]]
        case "acts":
            return [[(key, one) for one in ACTS]]
        case _:  # numbers: on both sides of every line that a book draws
            return [[(key, "0")], [(key, "3")], [(key, "20")]]


def page(client: FlaskClient, id_: str, form: Form) -> str:
    answer = client.get(f"/table/incident/{id_}", query_string=MultiDict(form), follow_redirects=True)
    assert answer.status_code == 200, (id_, form)
    return answer.get_data(as_text=True)


def unruled(game: Game, id_: str, outcome: str) -> bool:
    """Whether the book is silent on the whole incident, so that the table is asked how it plays it."""
    silent = outcome == "not_ruled"
    return silent and asked_of_ruling(game.session.book, id_, outcome, paid=False) is not None


def said(html: str) -> str:
    found = re.search(r'<p class="said">(.*?)</p>', html, re.S)
    return unescape(found[1]).strip() if found else ""


@pytest.mark.parametrize(("rules", "lang"), list(zip(BOOK_IDS, ("zh", "en", "zh", "en"), strict=True)))
def test_every_incident_has_a_question_or_a_sentence(app: Flask, client: FlaskClient, rules: str, lang: str) -> None:
    open_table(client, rules=rules)
    client.set_cookie("lang", lang)
    game = state(app)
    names = set(game.players)
    seen: set[tuple[str, str, str]] = set()
    for id_, incident in INCIDENTS.items():
        left: list[Form] = [[]]
        rulings = 0
        while left:
            form = left.pop()
            found = sheet(game, incident, MultiDict(form), lang)
            assert not found.problems, (id_, form, found.problems)
            if found.question is not None:
                left += [[*form, *one] for one in answers(found.question)]
                what = ("asks", found.question.name)
            else:
                assert found.answer is not None
                rulings += 1
                what = ("rules", found.answer["outcome"])
            if (id_, *what) in seen:
                continue
            seen.add((id_, *what))
            html = page(client, id_, form)
            if found.question is None and found.answer and unruled(game, id_, found.answer["outcome"]):
                assert said(html) == ""  # a question instead, with the usual answers
                assert f'id="rule-{id_}"' in html or 'id="rule-responsibility"' in html
                enters(app, client, id_, form, found.enters)
            elif found.question is None and found.answer and found.answer["outcome"] == "not_ruled":
                assert 'id="agreed"' in html or incident.form.settled  # the table's agreement, for this once
                assert "全桌決定" not in html
            elif found.question is None:
                assert said(html) == found.answer["say"][lang]  # type: ignore[index]
                assert len(said(html)) > 3
                assert not re.search(r"\b[1-9][mpszf]\b|facts\.|None", said(html)), said(html)
                enters(app, client, id_, form, found.enters)
            else:
                heading = words(re.search(r"<h2>(.*?)</h2>", html, re.S)[1])  # type: ignore[index]
                assert heading.strip()
                assert not re.fullmatch(r"[a-z_]+", heading.strip()), (id_, heading)
        assert rulings
    assert set(state(app).players) == names


def enters(app: Flask, client: FlaskClient, id_: str, form: Form, may: bool) -> None:
    """Enter it if anything can be entered; the points add up to zero, and undo restores the table."""
    before = state(app)
    data = MultiDict([("game", before.id), ("head", before.head), *form])
    answer = client.post(f"/table/incident/{id_}", data=data)
    assert answer.status_code == (303 if may else 422), (id_, form)
    if not may:
        assert state(app).head == before.head
        return
    after = state(app)
    assert sum(after.totals.values()) == 0
    assert client.get("/table").status_code == 200
    assert client.post("/table/undo", data={"game": after.id, "head": after.head}).status_code == 303
    undone = state(app)
    assert (undone.session, undone.state, undone.rows) == (before.session, before.state, before.rows)
