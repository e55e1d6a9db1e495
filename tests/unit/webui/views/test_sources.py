"""Sources of the rules: the page, the clauses by name, and the book of a new phone."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scoring.languages import WHOLE
from scoring.rulebook.loading import BOOK_IDS, READY_IDS, load_book
from webui.app import create_app
from webui.i18n import Texts, catalog
from webui.views.rules.sources import DIFFERENCES, book_facts


@pytest.fixture
def app(tmp_path: Path, reader: Any) -> Iterator[Flask]:
    """The page on a data folder of its own, where no book was chosen."""
    made = create_app({"READER": reader, "DATA": str(tmp_path)})
    yield made
    made.extensions["paitai.store"].close()


@pytest.mark.parametrize("lang", WHOLE)
def test_every_book_says_where_it_comes_from_and_how_it_differs_in_five_lines(client: Any, lang: str) -> None:
    page = client.get(f"/sources?lang={lang}").get_data(as_text=True)
    texts = Texts(lang)
    for id_ in BOOK_IDS:
        section = page.split(f'id="name-{id_}"')[1].split("</section>")[0]
        assert section.count("<li>") == DIFFERENCES == 5
        assert texts(f"sources.{id_}_from").replace("'", "&#39;") in section
        for number in range(1, 6):
            assert texts(f"sources.{id_}_{number}", **book_facts(id_)).replace("'", "&#39;") in section
        assert f"sources.{id_}_6" not in catalog(lang)
    assert "{" not in page.split("<main")[1]


@pytest.mark.parametrize("lang", WHOLE)
def test_a_ready_book_says_where_each_of_its_values_was_seen(client: Any, lang: str) -> None:
    page = unescape(client.get(f"/sources?lang={lang}").get_data(as_text=True))
    for id_ in READY_IDS:
        book, section = load_book(id_), page.split(f'id="name-{id_}"')[1].split("</section>")[0]
        assert Texts(lang)("house.ready_books") in page.split(f'id="book-{id_}"')[0]
        assert all(one in section for one in book.seen)
        changed = [rule for rule in book.patterns.values() if rule.changed]
        assert [rule.id for rule in changed if rule.seen not in section] == []
        assert section.count("</strong>") == section.count('class="seen"') >= len(changed)


def test_a_first_start_asks_for_the_book_and_remembers_it(app: Flask) -> None:
    new = app.test_client()
    start = new.get("/").get_data(as_text=True)
    first = [part.split('"')[0] for part in start.split('formaction="/house/')[1:]]
    assert first == ["common/use", "luohan/use", "ntu/use", "mahjong_time/use"]
    chosen = new.post("/house/ntu/use", follow_redirects=True).get_data(as_text=True)
    assert "formaction" not in chosen
    assert "規則：台大麻將社" in chosen
    assert '<option value="ntu" selected' in new.post("/", data={"manual": "1"}).get_data(as_text=True)


def test_who_does_not_choose_plays_by_the_book_that_most_know(app: Flask) -> None:
    board = app.test_client().post("/", data={"manual": "1"}).get_data(as_text=True)
    assert '<option value="common" selected' in board


def test_a_clause_is_named_by_its_source_and_opens_its_words(page: Any) -> None:
    page.upload()
    clause = page.html.split('class="clause"')[1].split("</details>")[0]
    assert "麻將羅漢規則 第 34 行" in clause
    assert "<q" in clause
    assert 'href="/sources#source-000"' in clause
