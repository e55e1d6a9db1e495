"""axe-core finds nothing serious on any page, in either language, light or dark, small or large."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.accessibility import LOOKS, PAIRS, accessible, bring_axe, serious, serious_in_both_schemes
from tests.e2e.support.pages import Board, shows_heading

ALWAYS_ALIKE = {"/api/docs", "/sources"}
"""Long pages that show nothing of one's own: the evening's tests look at them, in as many looks."""


@pytest.mark.parametrize(("size", "lang", "scheme"), LOOKS)
def test_every_page(size: str, lang: str, scheme: str, open_page: Any, address: str, page_paths: list[str]) -> None:
    """Each page before the first hand, in two different looks."""
    place = [look.values for look in LOOKS].index((size, lang, scheme))
    page = open_page(size, locale=lang, color_scheme=scheme)
    bring_axe(page)
    found = []
    paths = [*(path for path in page_paths if path not in ALWAYS_ALIKE), "/no-such-page"]
    for path in paths[min(place, len(LOOKS) - 1 - place) :: len(LOOKS) // 2]:
        page.goto(address.rstrip("/") + path)
        shows_heading(page)
        found += serious(page)
    assert found == []


@pytest.mark.parametrize(("size", "lang", "scheme"), PAIRS)
def test_a_hand_from_photo_to_payment(size: str, lang: str, scheme: str, open_page: Any) -> None:
    page = open_page(size, locale=lang, color_scheme=scheme)
    board = Board(page)
    board.read()
    found = serious(page)
    board.open_tile(0)
    found += serious(page)
    board.close_sheet()
    board.choose_winning_tile()
    board.say("win-discard")
    expect(page.locator("#ask")).to_be_visible()
    found += serious(page)
    board.say("discarder-W")
    expect(page.locator(".pay-sentences")).to_be_visible()
    board.unfold_all()
    found += serious(page)
    assert found == []


def test_axe_would_find_something(open_page: Any) -> None:
    page = open_page()
    page.evaluate("document.querySelector('h1').outerHTML = '<h1><img src=\"/static/icon.svg\"></h1>'")
    found = serious(page)
    assert any("image-alt" in one for one in found)


def test_the_dark_is_looked_at_too(open_page: Any) -> None:
    page = open_page()
    style = "@media (prefers-color-scheme: dark) { h1 { color: #222; background: #111; } }"
    page.evaluate(
        "style => { document.adoptedStyleSheets = [new CSSStyleSheet()]; "
        "document.adoptedStyleSheets[0].replaceSync(style); }",
        style,
    )
    accessible(page)
    found = serious_in_both_schemes(page)
    assert any("color-contrast" in one for one in found)


def test_of_texts_in_one_place_each_that_fails_is_found(open_page: Any) -> None:
    page = open_page()
    page.evaluate(
        """colours => { for (const colour of colours) {
        const text = document.createElement("p");
        text.style.color = colour;
        text.textContent = `text in ${colour}`;
        document.querySelector("main").append(text);
        } }""",
        ["black", "silver", "black", "silver", "silver", "black"],
    )
    found = serious(page)
    assert ["text in silver" in fault and "color-contrast" in fault for fault in found] == [True] * 3
