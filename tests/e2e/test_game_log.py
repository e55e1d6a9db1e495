"""牌譜 at phone size: a log from a file, step by step with taps and keys, exported, and its won hand to the board."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import serious_in_both_schemes
from tests.e2e.support.pages import Screen, no_sideways

LOG = Path(__file__).parent / "data" / "game-log.json"
WORDS = {
    "zh-TW": ("看牌譜", "打開", "南家碰東家的東", "沒看清楚"),
    "en-GB": ("Open a game log", "Open", "South calls a pung of east from East", "open"),
}
LEAST = 44
"""Pixels of a target for a thumb."""


@pytest.mark.parametrize("lang", list(WORDS))
def test_a_log_is_stepped_through_by_taps_and_keys(lang: str, open_page: Callable[..., Page]) -> None:
    page = open_page("phone", blank=True, locale=lang)
    screen = Screen(page)
    link, open_it, pung, open_word = WORDS[lang]
    screen.go("/records")
    screen.link(link)
    screen.choose_files("#log-file", LOG)
    screen.button(open_it, exact=True)
    now = page.locator("#log-now")
    expect(page.locator("#step-back")).to_be_disabled()
    for _ in range(2):
        screen.follow(page.locator("#step-on"))
    screen.left(lambda: page.keyboard.press("ArrowRight"))
    expect(now).to_contain_text(f"3／9 {pung}")
    screen.left(lambda: page.keyboard.press("End"))
    expect(page.locator("#step-on")).to_be_disabled()
    screen.left(lambda: page.keyboard.press("ArrowLeft"))
    expect(now).to_contain_text("8／9")
    screen.unfold_all()
    screen.follow(page.locator(".log-event").nth(4))
    expect(page.locator("#log-form .tag").first).to_have_text(open_word)
    expect(page.locator("section[aria-labelledby=log-player-2] .unread")).to_have_count(1)
    screen.unfold_all()
    no_sideways(page)
    found = serious_in_both_schemes(page)
    assert found == []
    small = page.evaluate(
        "least => [...document.querySelectorAll('.log button, .log .button, .log summary')]"
        ".filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())"
        ".filter(box => box.height && (box.height < least - 1 || box.width < least - 1)).length",
        LEAST,
    )
    assert small == 0


def test_the_log_is_exported_and_its_hand_recorded(open_page: Callable[..., Page]) -> None:
    page = open_page("phone", blank=True)
    screen = Screen(page)
    screen.go("/log")
    screen.choose_files("#log-file", LOG)
    screen.button("打開", exact=True)
    download = screen.download(page.locator("#log-export"))
    assert Path(download.path()).read_text(encoding="utf-8") == LOG.read_text(encoding="utf-8")
    screen.follow(page.locator("#log-record"))
    expect(page.locator("[data-in=winning] img")).to_have_count(1)
    expect(page.locator("[data-in=concealed] img")).to_have_count(10)
    expect(page.locator("[data-in^='meld:'] img")).to_have_count(7)
