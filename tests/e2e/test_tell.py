"""說: how the hand was won, by chips; what contradicts is greyed with the reason, and nothing is lost."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.pages import Board, becomes, box_of

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])
LAPTOP = pytest.mark.parametrize("size", ["laptop"])
PHONE = pytest.mark.parametrize("size", ["phone"])


def told(open_page: Any, size: str) -> Board:
    """The page with the sample hand on it."""
    board = Board(open_page(size))
    board.won()
    return board


@SIZES
def test_the_chips_are_large_and_nothing_is_taken_for_granted(size: str, open_page: Any) -> None:
    page: Page = open_page(size)
    board = Board(page)
    board.read()
    expect(page.locator("#context input:checked")).to_have_count(0)  # nothing is taken for granted
    expect(page.locator(".total")).to_have_count(0)
    board.say_how_it_was_won()
    for name in ("win-self_draw", "seat-E", "round-E", "dealer-E", "streak-0"):
        expect(page.locator(f"#{name}")).to_be_checked()
    board.how()
    for chip in page.locator("#context fieldset label.chip").all():
        box = box_of(chip)
        assert min(box["width"], box["height"]) >= 44
    expect(page.locator(".total-how")).to_contain_text("自摸・東家胡・東風圈・東家作莊")


@LAPTOP
def test_who_discarded_is_asked_and_the_winner_is_greyed(size: str, open_page: Any) -> None:
    board = told(open_page, size)
    page = board.page
    board.say("win-discard")
    expect(page.locator(".who.wanted")).to_be_visible()
    expect(page.locator("#discarder-E")).to_be_disabled()
    board.tap_grey(page.locator(".who label.chip", has_text="東"))
    expect(page.locator(".who .why")).to_be_visible()
    expect(page.locator(".who .why")).to_contain_text("東")
    board.say("discarder-W")
    expect(page.locator(".pay-sentences li")).to_contain_text("西家付東家")
    board.say("seat-W")  # who discarded cannot have won: it is asked again
    expect(page.locator(".who.wanted")).to_be_visible()
    expect(page.locator("#discarder-W")).to_be_disabled()
    expect(page.locator("#discarder-E")).to_be_enabled()


@PHONE
def test_what_contradicts_is_greyed_with_the_rules_reason(size: str, open_page: Any) -> None:
    board = told(open_page, size)
    page = board.page
    expect(page.locator("#win-eight_flowers")).to_be_disabled()  # the hand has two flowers
    becomes(page, lambda: sum(tile["g"] == "flowers" for tile in board.tiles()), 2)
    board.how()
    board.tap_grey(page.locator("label.chip", has_text="八仙過海").first)
    why = page.locator("fieldset:has(#win-eight_flowers) .why")
    expect(why).to_be_visible()
    expect(why).to_contain_text("八仙過海")
    expect(why).not_to_contain_text(re.compile(r"[a-z]_[a-z]"))  # no code of ours in a sentence
    described = page.locator("#win-eight_flowers").get_attribute("aria-describedby")
    expect(why).to_contain_text(page.locator(f"#{described}").inner_text())

    board.unfold("#more-events")
    expect(page.locator("#events-kong_replacement")).to_be_disabled()  # without a kong
    expect(page.locator("#events-human_win")).to_be_disabled()
    expect(page.locator("#events-last_tile")).to_be_enabled()
    board.say("events-flower_replacement")
    expect(page.locator("#events-flower_replacement")).to_be_checked()
    expect(page.locator("#win-discard")).to_be_disabled()  # a replacement tile is drawn
    board.say("events-flower_replacement")
    expect(page.locator("#win-discard")).to_be_enabled()


@LAPTOP
def test_the_context_goes_by_keyboard_and_outlives_a_reload(size: str, open_page: Any) -> None:
    board = told(open_page, size)
    page = board.page
    board.how()
    page.locator("#round-E").focus()
    board.key("ArrowRight")
    expect(page.locator("#round-S")).to_be_checked()
    expect(page.locator("#round-S")).to_be_focused()
    page.locator("#streak-0").focus()
    board.key("ArrowRight")
    board.key("ArrowRight")
    expect(page.locator("#streak-2")).to_be_checked()
    expect(page.locator(".line-item.extra")).to_have_count(2)  # dealer and streak
    page.locator("#base").fill("10")
    board.key("Tab")
    expect(page.locator(".pay-heading small")).to_contain_text("底 10")
    board.reload()
    expect(page.locator("#round-S")).to_be_checked()
    expect(page.locator("#streak-2")).to_be_checked()
    expect(page.locator("#base")).to_have_value("10")


def test_the_same_without_scripts(open_page: Any) -> None:
    page = open_page("phone", java_script_enabled=False)
    board = Board(page)
    board.read_without_scripts()
    expect(page.locator("#win-eight_flowers")).to_be_disabled()
    board.say("win-discard")
    board.say("discarder-N")
    expect(page.locator(".pay-sentences li")).to_contain_text("北家付東家")
