"""An evening at the running table in a real browser, on a phone and a laptop, with and without scripts."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.accessibility import serious
from tests.e2e.support.evenings import (
    NAMES,
    choose_winning_tile,
    go,
    hand_on_the_board,
    no_sideways,
    note_by_hand,
    serve,
    sit_down,
    totals,
    unfold,
)

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A table of its own for every test."""
    yield from serve(tmp_path / "data")


@SIZES
def test_an_evening(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size)
    sit_down(page)
    assert totals(page) == dict.fromkeys(NAMES, 0)
    note_by_hand(page, "阿明", 3)
    expect(page.locator("h1")).to_contain_text("東風圈・阿明作莊")
    expect(page.locator("h1")).to_contain_text("連莊 1")
    assert totals(page) == {"阿明": 21, "小美": -7, "老王": -7, "Grace": -7}
    note_by_hand(page, "老王", 4, "小美放槍")
    assert totals(page)["老王"] == 0
    expect(page.locator("h1")).to_contain_text("小美作莊")
    page.locator("#step-drawn summary").click()
    page.locator("#step-drawn").get_by_role("button", name="記下").click()
    expect(page.locator(".hands tbody tr")).to_have_count(3)

    # the photographed hand: its context comes from the table
    page.get_by_role("link", name="拍這一手").click()
    hand_on_the_board(page, NAMES)
    expect(page.locator("#streak-1")).to_be_checked()
    expect(page.locator(".settle-seats .winner")).to_contain_text("小美")  # the dealer sits E unless told otherwise
    page.locator("#dealer-W").check()
    expect(page.locator(".settle-seats .winner")).to_contain_text("Grace")
    page.locator("#win-discard").check()
    page.locator("#discarder-S").check()
    expect(page.locator(".settle-seats li").nth(1)).to_contain_text("阿明")
    page.locator("#settle").scroll_into_view_if_needed()
    if size == "phone":
        shoot(page, "phone-settle")
    before = int(page.locator(".total strong").inner_text())
    page.locator("#settle-game").click()
    expect(page.locator(".record h1")).to_have_text("Grace胡牌")
    expect(page.locator(".pay-sentences li")).to_contain_text("阿明付Grace")
    page.locator(".notice.done").get_by_role("link", name="牌局").click()
    expect(page.locator(".hands tbody tr")).to_have_count(4)
    expect(page.locator(".hands tbody tr").first).to_contain_text(f"Grace {before} 台胡（阿明放槍）")
    assert totals(page)["Grace"] == -7 + 3 + before
    expect(page.locator(".graph polyline")).to_have_count(4)
    expect(page.locator("h1")).to_contain_text("老王作莊")
    no_sideways(page)
    shoot(page, f"{size}-table")
    unfold(page)
    assert serious(page) == []


@SIZES
def test_undo(size: str, open_page: Any) -> None:
    page = open_page(size)
    sit_down(page)
    note_by_hand(page, "阿明", 3)
    note_by_hand(page, "小美", 2)
    page.get_by_role("button", name="復原上一把").click()
    expect(page.locator(".hands tbody tr")).to_have_count(1)
    assert totals(page)["小美"] == -7
    expect(page.locator(".exports")).to_contain_text("復原過 1 筆")


def test_a_second_phone_is_told_that_the_table_moved_on(open_page: Any) -> None:
    first, second = open_page(), open_page()
    sit_down(first)
    hand_on_the_board(first)
    sit_down(second)
    hand_on_the_board(second)
    second.locator("#win-discard").check()
    second.locator("#discarder-W").check()
    expect(second.locator("#settle-game")).to_be_visible()
    first.locator("#settle-game").click()
    expect(first.locator(".record")).to_be_visible()
    second.locator("#settle-game").click()
    expect(second.locator("#notice")).to_contain_text("牌局剛剛已經往下走了")
    expect(second.locator("#hand")).to_be_visible()
    go(second, "/table")
    expect(second.locator(".hands tbody tr")).to_have_count(1)


def test_a_hand_that_differs_from_the_table_is_put_right(open_page: Any) -> None:
    page = open_page()
    sit_down(page)
    hand_on_the_board(page)
    page.locator("#streak-3").check()
    expect(page.locator("#settle .warn")).to_contain_text("連莊")
    expect(page.locator("#settle-game")).to_have_count(0)
    page.get_by_role("button", name="照牌局的，重新算台").click()
    expect(page.locator("#streak-0")).to_be_checked()
    expect(page.locator("#settle-game")).to_be_visible()


def test_export(open_page: Any, tmp_path: Path) -> None:
    page = open_page("laptop")
    sit_down(page)
    note_by_hand(page, "阿明", 3)
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    download.value.save_as(tmp_path / "evening.csv")
    rows = list(csv.reader((tmp_path / "evening.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert rows[1][7:11] == ["21", "-7", "-7", "-7"]


@SIZES
def test_without_scripts(size: str, open_page: Any) -> None:
    page = open_page(size, java_script_enabled=False)
    page.get_by_role("link", name="牌局").click()
    for at, name in enumerate(NAMES):
        page.fill(f"#name_{at}", name)
    page.get_by_role("button", name="開一桌").click()
    note_by_hand(page, "老王", 5, "Grace放槍")
    expect(page.locator("h1")).to_contain_text("小美作莊")
    page.get_by_role("link", name="拍這一手").click()
    page.get_by_role("button", name="試試樣張").click()
    choose_winning_tile(page)
    page.locator("#settle-game").click()
    expect(page.locator(".record h1")).to_have_text("小美胡牌")
    page.get_by_role("link", name="牌局", exact=True).first.click()
    page.get_by_role("button", name="復原上一把").click()
    expect(page.locator(".hands tbody tr")).to_have_count(1)
    page.locator("#more-table summary").click()
    page.locator("#more-table").get_by_role("button", name="收桌").click()
    expect(page.get_by_role("button", name="繼續打")).to_be_visible()


LONG = ("阿明阿明阿明阿明", "Maximiliane-Theodora", "老王", "Grace")
CUT = """() => [...document.querySelectorAll('.totals strong, .hands .num')].filter((one) => {
    const range = document.createRange(); range.selectNodeContents(one);
    const text = range.getBoundingClientRect(), box = one.closest('li, td').getBoundingClientRect();
    return text.left < box.left - .5 || text.right > box.right + .5 || text.right > window.innerWidth; })
  .map((one) => one.textContent)"""


def test_five_digits_are_whole_on_a_phone(open_page: Any, shoot: Any) -> None:
    """底 100 台 20, long names: every total and every payment is inside its place, in either language."""
    page = open_page("phone")
    go(page, "/table")
    for at, name in enumerate(LONG):
        page.fill(f"#name_{at}", name)
    page.fill("#base", "100")
    page.fill("#per_tai", "20")
    page.get_by_role("button", name="開一桌").click()
    for _ in range(3):
        note_by_hand(page, LONG[1], 250)
    for lang in ("中文", "English"):
        page.get_by_role("button", name=lang).click()
        expect(page.locator(".totals strong").nth(1)).to_have_text("+46160")  # 15,320 + 15,360 + 15,480
        assert page.evaluate(CUT) == []
        no_sideways(page)
        expect(page.locator(".hands .num")).to_have_count(12)
        shoot(page, f"phone-five-digits-{lang}")
    page.locator(".hands").scroll_into_view_if_needed()
    shoot(page, "phone-hands")
    page.locator("#more-table summary").click()
    page.locator("#more-table").scroll_into_view_if_needed()
    shoot(page, "phone-seating")


def test_by_keyboard(open_page: Any) -> None:
    page = open_page("laptop")
    sit_down(page)
    page.locator("#step-won summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.locator(".hands tbody tr")).to_have_count(1)
    assert totals(page)["阿明"] == 21


def test_in_english(open_page: Any) -> None:
    page = open_page(locale="en-GB")
    go(page, "/table")
    for at, name in enumerate(NAMES):
        page.fill(f"#name_{at}", name)
    page.get_by_role("button", name="Open a table").click()
    expect(page.locator("h1")).to_have_text("East round, 阿明 deals")
    no_sideways(page)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
@SIZES
def test_two_winners_on_one_discard_are_one_hand(size: str, scripts: bool, open_page: Any, shoot: Any) -> None:
    page = open_page(size, java_script_enabled=scripts)

    def choose(*fields: str) -> None:
        for field in fields:
            page.locator(field).check()
            if not scripts:
                page.get_by_role("button", name="算台").last.click()

    def hand(seat: str) -> None:
        hand_on_the_board(page)
        choose("#win-discard", f"#seat-{seat}", "#discarder-W")

    go(page, "/table")
    for at, name in enumerate(NAMES):
        page.fill(f"#name_{at}", name)
    page.select_option("#rules", "mahjong_time")
    page.get_by_role("button", name="開一桌").click()
    hand("E")
    page.locator("#settle-game").click()
    expect(page.locator(".record h1")).to_have_text("阿明胡牌")
    hand("N")
    expect(page.locator("#streak-1")).to_be_checked()
    page.locator("#settle-join summary").click()
    if scripts:
        page.locator("#settle-join").scroll_into_view_if_needed()
        shoot(page, f"{size}-join-asked")
    page.get_by_role("button", name="是同一張，照上一把算台").click()
    expect(page.locator("#streak-0")).to_be_checked()
    if scripts:
        page.locator("#settle").scroll_into_view_if_needed()
        shoot(page, f"{size}-join")
        assert serious(page) == []
        no_sideways(page)
    page.locator("#settle-join-keep").click()
    expect(page.locator(".record h1")).to_have_text("Grace胡牌")
    go(page, "/table")
    expect(page.locator(".hands tbody tr")).to_have_count(1)
    expect(page.locator(".hands tbody tr")).to_contain_text("老王放槍")
    expect(page.locator(".hands tbody tr a[href^='/records']")).to_have_count(2)
    expect(page.locator("h1")).to_contain_text("連莊 1")
    assert sum(totals(page).values()) == 0
