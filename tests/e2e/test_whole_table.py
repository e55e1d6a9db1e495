"""全桌照 at phone size: from a photo of a table to its zones, what is left, and the advice; axe finds nothing serious.

The photo is made: ``python -m vision.training.synthetic.whole_table.photos --seed 54146 --count 1``, 1600 pixels wide.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import serious_in_both_schemes
from tests.e2e.support.pages import Screen, no_sideways

PHOTO = Path(__file__).parent / "data" / "whole-table.jpg"
WORDS = {"zh-TW": ("讀這張照片", "看該打哪張", "照這樣改"), "en-GB": ("Read this photo", "what to discard", "Save")}
LEAST = 44
"""Pixels of a target for a thumb."""


def read_photo(screen: Screen, button: str) -> None:
    """Send the photo, and wait for its zones."""
    screen.choose_files("#whole-file", PHOTO)
    screen.button(button)
    expect(screen.page.locator(".whole-shot")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("lang", list(WORDS))
def test_from_a_photo_of_the_table_to_advice(lang: str, open_page: Callable[..., Page]) -> None:
    page = open_page("phone", blank=True, locale=lang)
    screen = Screen(page)
    read, ask, _ = WORDS[lang]
    screen.go("/advise?rules=common&hand=23m78p123s456s789s557z9p")
    screen.follow(page.locator("#advice-whole"))
    read_photo(screen, read)
    expect(page.locator(".whole-shot .box").nth(60)).to_be_attached()
    expect(page.locator(".whole-shot a").nth(5)).to_be_attached()
    no_sideways(page)
    found = serious_in_both_schemes(page)
    assert found == []
    small = page.evaluate(
        "least => [...document.querySelectorAll('.whole button, .whole select, .whole .button, .whole summary, .area')]"
        ".filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())"
        ".filter(box => box.height && (box.height < least - 1 || box.width < least - 1)).length",
        LEAST,
    )
    assert small == 0
    screen.follow(page.locator(".chip[name=near]").nth(2))
    expect(page.locator(".chip[name=near][aria-pressed=true]")).to_have_count(1)
    screen.link(ask)
    expect(page.locator("#advice-seen")).not_to_have_value("")
    expect(page.locator("#advice-hand")).to_have_value("23m78p123s456s789s557z9p")


def test_a_zone_is_changed_by_hand_and_stays(open_page: Callable[..., Page]) -> None:
    page = open_page("phone", blank=True)
    screen = Screen(page)
    read, _, save = WORDS["zh-TW"]
    screen.go("/whole")
    read_photo(screen, read)
    screen.unfold_all()
    fold = page.locator("details.fold").last
    field = fold.locator("select[name^=zone-]").first
    expect(field).to_be_visible()
    name = field.get_attribute("name")
    field.select_option("wall")
    screen.follow(fold.get_by_role("button", name=save))
    expect(page.locator(f"select[name={name}]")).to_have_value("wall")
