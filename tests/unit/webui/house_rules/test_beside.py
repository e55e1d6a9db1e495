"""各本並列: the books that a phone has chosen are those that its page compares."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from scoring.rulebook.loading import BOOK_IDS
from tests.unit.webui.house_rules.test_house_rules import app
from tests.unit.webui.support.records_kit import words
from webui.house_rules import beside

__all__ = ["app"]


def columns(text: str) -> str:
    """The head of the comparison."""
    return text.partition('id="beside"')[2].partition("</thead>")[0]


def test_the_four_documents_unless_others_are_chosen(client: FlaskClient, page: Any) -> None:
    head = columns(page.upload().html)
    assert head.count('scope="col"') == len(BOOK_IDS)
    sent = client.post("/house/beside", data={"beside": ["star31", "hongkong_taiwan", "luohan", "nonsense"]})
    assert sent.status_code == 303
    head = columns(page.upload().html)
    assert "港式台灣麻雀" in head
    assert head.count('scope="col"') in (3, 4)  # the book in use has a column if it was not chosen
    assert words(client.get("/house").get_data(as_text=True)).count("港式台灣麻雀") >= 2
    client.post("/house/beside", data={})
    assert columns(page.upload().html).count('scope="col"') == len(BOOK_IDS)


@pytest.mark.parametrize(
    ("ids", "text"), [((), ""), (("star31", "luohan"), "luohan.star31"), (("nonsense", "ntu"), "ntu")]
)
def test_the_cookie_holds_known_books_in_order(ids: tuple[str, ...], text: str) -> None:
    assert beside.cookie_of(ids) == text
    assert beside.chosen_books() == BOOK_IDS
