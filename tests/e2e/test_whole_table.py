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


@pytest.mark.parametrize("lang", list(WORDS))
def test_from_a_photo_of_the_table_to_advice(lang: str, open_page: Callable[..., Page]) -> None:
    page = open_page("phone", blank=True, locale=lang)
    screen = Screen(page)
    read, ask, _ = WORDS[lang]
    screen.go("/advise?rules=common&hand=23m78p123s456s789s557z9p")
    page.locator("#advice-whole").click()
    page.locator("#whole-file").set_input_files(PHOTO)
    page.get_by_role("button", name=read).click()
    expect(page.locator(".whole-shot")).to_be_visible(timeout=60_000)
    assert page.locator(".whole-shot .box").count() > 60
    assert page.locator(".whole-shot a").count() >= 6
    no_sideways(page)
    assert serious_in_both_schemes(page) == []
    small = page.evaluate(
        "least => [...document.querySelectorAll('.whole button, .whole select, .whole .button, .whole summary, .area')]"
        ".filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())"
        ".filter(box => box.height && (box.height < least - 1 || box.width < least - 1)).length",
        LEAST,
    )
    assert small == 0
    page.locator(".chip[name=near]").nth(2).click()
    expect(page.locator(".chip[name=near][aria-pressed=true]")).to_have_count(1)
    page.get_by_role("link", name=ask).click()
    expect(page.locator("#advice-seen")).not_to_have_value("")
    expect(page.locator("#advice-hand")).to_have_value("23m78p123s456s789s557z9p")


def test_a_zone_is_changed_by_hand_and_stays(open_page: Callable[..., Page]) -> None:
    page = open_page("phone", blank=True)
    read, _, save = WORDS["zh-TW"]
    Screen(page).go("/whole")
    page.locator("#whole-file").set_input_files(PHOTO)
    page.get_by_role("button", name=read).click()
    fold = page.locator("details.fold").last
    expect(fold).to_be_visible(timeout=60_000)
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    field = fold.locator("select[name^=zone-]").first
    name = field.get_attribute("name")
    field.select_option("wall")
    fold.get_by_role("button", name=save).click()
    expect(page.locator(f"select[name={name}]")).to_have_value("wall")
