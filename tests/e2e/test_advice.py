"""該打哪張 at phone size: visible tiles on the table change the best discard, and nothing is wider than the phone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.support.pages import Screen, no_sideways


def test_what_is_seen_on_the_table_changes_the_advice(open_page: Any) -> None:
    page: Page = open_page("phone", blank=True)
    screen = Screen(page)
    screen.go("/advise?rules=common&hand=23m78p123s456s789s5579z")
    expect(
        page.locator("#advice-answer .problems li")
    ).to_be_visible()  # 9z does not exist: a message, and the form keeps it
    expect(page.locator("#advice-hand")).to_have_value("23m78p123s456s789s5579z")
    screen.fill("#advice-hand", "23m78p123s456s789s557z9p")
    screen.button("看建議")
    first = page.locator(".advice-list > li").first
    expect(first).to_contain_text("聽牌")
    expect(first.get_by_role("img", name="中").first).to_be_visible()
    expect(first).to_contain_text("8 張")
    no_sideways(page)
    screen.fill("#advice-seen", "1m1m1m1m")
    screen.button("看建議")
    expect(first).to_contain_text("4 張")
    expect(first).to_contain_text("不會再來")
