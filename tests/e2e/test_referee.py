"""The referee at the running table, at phone size: incidents, who may win, whose tile, seats and dice, the wall."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import accessible
from tests.e2e.support.evenings import served
from tests.e2e.support.pages import NAMES, Board, Table, becomes, no_sideways
from tests.unit.webui.conftest import canned_reading
from vision.reading.reading import Reading


class NoWin:
    """Sees a hand of seventeen tiles that does not win, 中 in it, on every photo."""

    def read(self, photo: Any) -> Reading:
        groups = {"concealed": "234m567p34s11z9p777z", "meld:1": "555m"}
        return canned_reading(groups, photo.size, {})


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A table of its own for every test; photos are not really read."""
    yield from served({"DATA": str(tmp_path / "data"), "READER": NoWin()})


def check(page: Page) -> None:
    no_sideways(page)
    accessible(page)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_an_incident_is_asked_ruled_entered_and_undone(open_page: Any, shoot: Any, scripts: bool) -> None:
    page = open_page("phone", java_script_enabled=scripts, blank=True)
    table = Table(page)
    table.seats()
    table.choose("出事了")
    if scripts:
        check(page)
        shoot(page, "phone-incidents")
    for answer in ("錯碰", "小美", "是"):
        table.choose(answer)
    expect(page.locator(".said")).to_contain_text("錯碰：小美判相公，這把不能胡。")
    if scripts:
        check(page)
        shoot(page, "phone-ruling")
    table.choose("記下這個裁決")
    expect(page.locator(".totals li").nth(1).locator(".marks")).to_contain_text("相公")
    if scripts:
        check(page)
        shoot(page, "phone-marks")
    table.note("老王", 3)  # the duty pays for the other two
    table.shows({"阿明": 0, "小美": -19, "老王": 19, "Grace": 0})
    expect(page.locator(".marks")).to_have_count(0)
    for left in (1, 0):  # the hand, then the ruling
        table.follow(page.locator("#undo button"))
        expect(page.locator(".hands tbody tr")).to_have_count(left)
    table.shows(dict.fromkeys(NAMES, 0))
    expect(page.locator(".marks")).to_have_count(0)


def test_a_photo_helps_and_side_bets_are_paid(open_page: Any, shoot: Any) -> None:
    page = open_page("phone", blank=True)
    table = Table(page)
    table.seats()
    table.unfold("#step-bets")
    page.get_by_label("小美", exact=True).and_(page.locator("select")).first.select_option("1")
    page.locator("#bettor_0").fill("阿姨")
    page.locator("#follows_0").select_option(label="老王")
    page.locator("#stake_0").fill("5")
    check(page)
    page.locator("#step-bets").scroll_into_view_if_needed()
    shoot(page, "phone-bets")
    table.choose("照這樣插花")
    expect(page.locator(".totals li").nth(1)).to_contain_text("內插 1 底")
    table.go("/")
    Board(page).photo()
    expect(page.locator("#went-wrong")).to_contain_text("照片裡有 17 張")
    expect(page.locator("#went-wrong")).to_contain_text("確定的台：1 台")
    page.locator("#went-wrong").scroll_into_view_if_needed()
    check(page)
    shoot(page, "phone-went-wrong")
    table.follow(page.locator("#went-wrong").get_by_role("link", name="詐胡"))
    table.choose("小美")
    expect(page.locator("#answer")).to_have_value("1")
    table.choose("下一步")
    expect(page.locator(".with-bets")).to_contain_text("小美付老王 7 點")  # 3 x 2 + 1
    expect(page.locator(".with-bets")).to_contain_text("小美付阿姨外插 5 點")
    check(page)
    shoot(page, "phone-with-bets")
    table.choose("記下這個裁決")
    table.shows({"阿明": 8, "小美": -27, "老王": 7, "Grace": 7})
    expect(page.locator(".bettors")).to_contain_text("阿姨 +5")


def test_may_he_win_and_whose_tile(open_page: Any, shoot: Any) -> None:
    page = open_page("phone", blank=True)
    table = Table(page)
    table.seats()
    table.choose("出事了")
    table.choose("過水")
    table.choose("老王")
    table.pick("3s")
    table.pick("3s")
    table.pick("3s6s")
    check(page)
    shoot(page, "phone-waits")
    table.choose("下一步")
    table.pick("6s")
    expect(page.locator(".said")).to_contain_text("老王過水中，不能胡六索")
    table.pick("discard:1m")
    expect(page.locator(".said")).to_contain_text("老王可以胡六索")
    table.go("/table/priority")
    table.choose("阿明")
    row = page.locator("section.card", has=page.get_by_role("heading", name="小美", exact=True))
    table.follow(row.get_by_role("link", name="伸手摸牌"))
    row = page.locator("section.card", has=page.get_by_role("heading", name="Grace", exact=True))
    table.follow(row.get_by_role("link", name="喊碰"))
    expect(page.locator(".said")).to_have_text("Grace碰。")
    check(page)
    shoot(page, "phone-priority")
    table.choose("拿掉最後一項")
    expect(page.locator(".said")).to_contain_text("小美摸牌")


def test_the_evening_begins_with_dice(open_page: Any, shoot: Any) -> None:
    page = open_page("phone", blank=True)
    table = Table(page)
    table.go("/table")
    table.follow(page.locator("#draw-seats"))
    table.name()
    table.choose("下一步")
    table.choose("阿明")
    page.fill("#typed-place", "11")
    table.choose("下一步")
    expect(page.locator(".said")).to_contain_text("老王坐的地方就是東位")
    for at, wind in enumerate("SNWE"):
        page.select_option(f"#wind_{at}", wind)
    table.choose("照抽到的入座")
    page.fill("#typed-first", "9")
    table.choose("下一步")
    expect(page.locator(".said")).to_contain_text("Grace起莊")
    check(page)
    shoot(page, "phone-seats")
    table.choose("坐好，開這一桌")
    becomes(page, lambda: list(table.totals()), ["老王", "小美", "Grace", "阿明"])
    expect(page.locator("h1")).to_contain_text("Grace作莊")
    table.choose("開門與牌牆")
    page.fill("#typed-wall", "7")
    table.choose("下一步")
    expect(page.locator(".said")).to_contain_text("數到老王家的牌牆，留 7 墩，從老王家第 8 墩開始，Grace先拿")
    expect(page.locator(".walls .start")).to_have_count(1)
    check(page)
    shoot(page, "phone-wall")
    table.follow(page.locator("#throw-wall"))
    expect(page.locator(".faces")).not_to_be_empty()
    table.go("/table/wall?drawn=59")
    expect(page.locator(".left")).to_contain_text("4 張可摸")
    table.follow(page.locator(".counter").first.get_by_label("加一"))
    expect(page.locator(".left")).to_contain_text("3 張可摸")
    expect(page.locator(".notice.error")).to_contain_text("現在不能： 吃、碰、碰槓")
