"""全桌照 at a running table, at phone size: from the photo to a filled referee's sheet, and to the record of a win."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import serious_in_both_schemes
from tests.e2e.support.evenings import served
from tests.e2e.support.pages import Screen, Table, no_sideways
from tests.unit.webui.support.whole_tables import TableReader

PHOTO = Path(__file__).parent / "data" / "whole-table.jpg"
WORDS = {
    "zh-TW": ("讀這張照片", "帶著這些去問裁判", "包牌", "請對一次"),
    "en-GB": ("Read this photo", "Take this to the referee", "esponsibility", "Please check"),
}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A table of its own; every photo is read as one made table, on whose right side a won hand lies."""
    yield from served({"DATA": str(tmp_path / "data"), "READER": TableReader(1)})


def read_photo(screen: Screen, button: str) -> None:
    """Send the photo, and wait for its zones."""
    screen.go("/whole")
    screen.choose_files("#whole-file", PHOTO)
    screen.button(button)
    expect(screen.page.locator(".whole-shot")).to_be_visible()


@pytest.mark.parametrize("lang", list(WORDS))
def test_from_a_photo_to_the_referee_and_to_the_won_hand(lang: str, open_page: Callable[..., Page]) -> None:
    page = open_page("phone", blank=True, locale=lang)
    read, ask, liability, check = WORDS[lang]
    table, screen = Table(page), Screen(page)
    table.seated()
    read_photo(screen, read)
    screen.follow(page.locator(".chip[name=near]").nth(0))
    sheet = page.locator("#whole-referee details").filter(has_text=re.compile(liability)).first
    screen.unfold_all()
    expect(sheet.locator("svg.strip").first).to_be_visible()
    no_sideways(page)
    found = serious_in_both_schemes(page)
    assert found == []
    screen.follow(sheet.get_by_role("link", name=ask))
    expect(page.locator("h1")).to_contain_text(re.compile(liability))
    page.go_back()
    expect(page.locator(".whole-shot")).to_be_visible()  # the photo and who sits near, as before
    expect(page.locator(".chip[name=near]").nth(0)).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page.locator("#whole-won")).to_be_visible()
    screen.follow(page.locator("#whole-won .chip").last)
    expect(page.locator("main")).to_contain_text(check)
    no_sideways(page)
    page.go_back()
    expect(page.locator(".whole-shot")).to_be_visible()
    page.go_forward()
    expect(page.locator("main")).to_contain_text(check)
