"""Nobody is shut out: axe-core finds nothing serious on any page, in either language, light or dark, small or large."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.support.evenings import choose_winning_tile
from vision.photo.sample import sample_photo_path

LOOKS = [
    pytest.param(size, lang, scheme, id=f"{size}-{lang}-{scheme}")
    for size in ("phone", "laptop")
    for lang in ("zh-TW", "en-GB")
    for scheme in ("light", "dark")
]
PAIRS = [LOOKS[place] for place in (0, 3, 5, 6)]
"""Half of them, in which every two of size, language and scheme still meet: for what takes long."""


def serious(page: Page) -> list[str]:
    """What axe-core finds serious or critical, with the place."""
    found = Axe().run(page).response["violations"]
    return [
        f"{page.url} {one['id']} ({one['impact']}): {node['html'][:300]} {node.get('failureSummary', '')[:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize(("size", "lang", "scheme"), LOOKS)
def test_every_page(size: str, lang: str, scheme: str, open_page: Any, address: str, page_paths: list[str]) -> None:
    """Each page in two looks that have nothing in common: both sizes, both languages, both schemes."""
    place = [look.values for look in LOOKS].index((size, lang, scheme))
    page = open_page(size, locale=lang, color_scheme=scheme)
    found = []
    for path in [*page_paths, "/no-such-page"][min(place, len(LOOKS) - 1 - place) :: len(LOOKS) // 2]:
        page.goto(address.rstrip("/") + path)
        expect(page.locator("h1").first).to_be_visible()
        found += serious(page)
    assert found == []


@pytest.mark.parametrize(("size", "lang", "scheme"), LOOKS)
def test_a_hand_from_photo_to_payment(size: str, lang: str, scheme: str, open_page: Any) -> None:
    page = open_page(size, locale=lang, color_scheme=scheme)
    page.set_input_files("#choose", sample_photo_path())
    expect(page.locator("#hand")).to_be_visible()
    found = serious(page)
    page.locator('.seen-tile[data-tile="0"] .box').click()
    expect(page.locator("dialog.sheet")).to_be_visible()
    found += serious(page)
    page.keyboard.press("Escape")
    expect(page.locator("dialog.sheet")).to_have_count(0)
    choose_winning_tile(page)
    page.locator("#win-discard").check()
    expect(page.locator(".tally .question")).to_be_visible()
    found += serious(page)
    page.locator("#discarder-W").check()
    expect(page.locator(".pay-sentences")).to_be_visible()
    for fold in page.locator("details:not([open]) > summary").all():
        if fold.is_visible():
            fold.click()
    found += serious(page)
    assert found == []


def test_axe_would_find_something(open_page: Any) -> None:
    page = open_page()
    page.evaluate("document.querySelector('h1').outerHTML = '<h1><img src=\"/static/icon.svg\"></h1>'")
    assert any("image-alt" in one for one in serious(page))
