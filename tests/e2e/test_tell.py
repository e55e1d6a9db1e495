"""說: how the hand was won, by chips; what contradicts is greyed with the reason, and nothing is lost."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.evenings import read_without_scripts, say_at_once, say_how_it_was_won
from vision.photo.sample import sample_photo_path

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])


def board(open_page: Any, size: str) -> Page:
    """The page with the sample hand on it."""
    page: Page = open_page(size)
    page.set_input_files("#choose", sample_photo_path())
    expect(page.locator("#hand")).to_be_visible()
    say_at_once(page)
    return page


def flowers(page: Page) -> int:
    """How many flowers there are."""
    tiles = json.loads(page.locator("#state").get_attribute("value") or "")["tiles"]
    return sum(one["g"] == "flowers" for one in tiles)


@SIZES
def test_the_chips_are_large_and_nothing_is_taken_for_granted(size: str, open_page: Any) -> None:
    page: Page = open_page(size)
    page.set_input_files("#choose", sample_photo_path())
    expect(page.locator("#hand")).to_be_visible()
    expect(page.locator("#context input:checked")).to_have_count(0)  # nothing is taken for granted
    expect(page.locator(".total")).to_have_count(0)
    say_how_it_was_won(page)
    for name in ("win-self_draw", "seat-E", "round-E", "dealer-E", "streak-0"):
        expect(page.locator(f"#{name}")).to_be_checked()
    for chip in page.locator("#context fieldset label.chip").all():
        box = chip.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    expect(page.locator(".total-how")).to_contain_text("自摸・東家胡・東風圈・東家做莊")


@SIZES
def test_who_discarded_is_asked_and_the_winner_is_greyed(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    page.locator("#win-discard").click()
    expect(page.locator(".who.wanted")).to_be_visible()
    expect(page.locator("#discarder-E")).to_be_disabled()
    page.locator(".who label.chip", has_text="東").click(force=True)
    expect(page.locator(".who .why")).to_be_visible()
    expect(page.locator(".who .why")).to_contain_text("東")
    page.locator("#discarder-W").click()
    expect(page.locator(".pay-sentences li")).to_contain_text("西家付東家")
    page.locator("#seat-W").click()  # who discarded cannot have won: it is asked again
    expect(page.locator(".who.wanted")).to_be_visible()
    expect(page.locator("#discarder-W")).to_be_disabled()
    expect(page.locator("#discarder-E")).to_be_enabled()


@SIZES
def test_what_contradicts_is_greyed_with_the_rules_reason(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    expect(page.locator("#win-eight_flowers")).to_be_disabled()  # the hand has two flowers
    assert flowers(page) == 2
    page.locator("label.chip", has_text="八仙過海").first.click(force=True)
    why = page.locator("fieldset:has(#win-eight_flowers) .why")
    expect(why).to_be_visible()
    expect(why).to_contain_text("八仙過海")
    expect(why).not_to_contain_text(re.compile(r"[a-z]_[a-z]"))  # no code of ours in a sentence
    described = page.locator("#win-eight_flowers").get_attribute("aria-describedby")
    assert page.locator(f"#{described}").inner_text() in why.inner_text()

    page.locator("#more-events summary").click()
    expect(page.locator("#events-kong_replacement")).to_be_disabled()  # there is no kong
    expect(page.locator("#events-human_win")).to_be_disabled()
    expect(page.locator("#events-last_tile")).to_be_enabled()
    page.locator("#events-flower_replacement").click()
    expect(page.locator("#events-flower_replacement")).to_be_checked()
    expect(page.locator("#win-discard")).to_be_disabled()  # a replacement tile is drawn
    page.locator("#events-flower_replacement").click()
    expect(page.locator("#win-discard")).to_be_enabled()


@SIZES
def test_the_context_goes_by_keyboard_and_outlives_a_reload(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    page.locator("#round-E").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#round-S")).to_be_checked()
    expect(page.locator("#round-S")).to_be_focused()
    page.locator("#streak-0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#streak-2")).to_be_checked()
    expect(page.locator(".line-item.extra")).to_have_count(2)  # dealer and streak
    page.locator("#base").fill("10")
    page.locator("#base").press("Tab")
    expect(page.locator(".pay-heading small")).to_contain_text("底 10")
    page.reload()
    expect(page.locator("#round-S")).to_be_checked()
    expect(page.locator("#streak-2")).to_be_checked()
    expect(page.locator("#base")).to_have_value("10")


def test_the_same_without_scripts(open_page: Any) -> None:
    page = open_page("phone", java_script_enabled=False)
    read_without_scripts(page)
    expect(page.locator("#win-eight_flowers")).to_be_disabled()
    page.locator("#win-discard").check()
    page.get_by_role("button", name="算台").last.click()
    page.locator("#discarder-N").check()
    page.get_by_role("button", name="算台").last.click()
    expect(page.locator(".pay-sentences li")).to_contain_text("北家付東家")
