"""A Hong Kong table at phone size: its own shape and numbers are written, then dice, pulls and payments at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import accessible
from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import Screen, Table, no_sideways


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Rule books and an evening of its own."""
    yield from serve(tmp_path / "data")


def check(page: Page) -> None:
    no_sideways(page)
    accessible(page)


def test_a_table_of_its_own_rules(open_page: Any, shoot: Any) -> None:
    page = open_page("phone", blank=True)
    screen, table = Screen(page), Table(page)
    screen.go("/house/new?base=common")
    screen.fill("#title", "港式桌")
    for key, value in (("ready_points", "50"), ("concealed_kong_points", "20"), ("base", "10")):
        screen.fill(f'[id="pay.{key}"]', value)
    page.select_option('[id="pay.win_dice"]', "multiplies")
    page.select_option('[id="pay.pulls"]', "half_more_half_back")
    screen.button("自己寫一種胡法")
    for key, value in (("name", "兩搭五對"), ("tai", "6"), ("sets", "3"), ("pairs", "5"), ("singles", "1")):
        screen.fill(f"#{key}", value)
    screen.button("存起來")
    expect(page.locator("#parts-wrong")).to_contain_text("胡牌要 17 張")
    check(page)
    shoot(page, "phone-own-shape")
    screen.fill("#sets", "2")
    screen.button("存起來")
    expect(page.locator("#group-shapes .own-row")).to_have_count(1)
    check(page)
    key = page.url.split("/house/")[1].split("?")[0]
    screen.go(f"/house/{key}/own/new")
    screen.unfold("#numbers")
    expect(page.locator('[id="number.2.of"]')).to_be_visible()
    check(page)
    shoot(page, "phone-own-numbers")
    screen.go("/table")
    table.name()
    page.select_option("#rules", key)
    screen.button("開一桌")
    table.unfold("#step-at-once")
    check(page)
    screen.follow(page.locator("#step-at-once").get_by_role("link", name="小美"))
    screen.button(re.compile("記"))
    table.shows({"小美": 60, "阿明": -20})
    check(page)
    table.note_ready("小美")
    table.shows({"小美": 210, "阿明": -70})
    for dice in (1, 2):
        table.note_thrown("小美", 0, 2, dice)
    expect(page.locator(".hands tbody")).to_contain_text("拉：老王多付小美")
    expect(page.locator(".totals")).to_contain_text("被小美拉 2 次")
    check(page)
    shoot(page, "phone-pulls")
