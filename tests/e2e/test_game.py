"""An evening at the running table in a real browser, on a phone and a laptop, with and without scripts."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.accessibility import accessible
from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import NAMES, Board, Table, becomes, no_sideways

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A table of its own for every test."""
    yield from serve(tmp_path / "data")


@SIZES
def test_an_evening(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size, blank=True)
    board = Board(page)
    table = Table(page)
    table.sit_down()
    table.shows(dict.fromkeys(NAMES, 0))
    table.note("阿明", 3)
    expect(page.locator("h1")).to_contain_text("東風圈・阿明作莊")
    expect(page.locator("h1")).to_contain_text("連莊 1")
    table.shows({"阿明": 21, "小美": -7, "老王": -7, "Grace": -7})
    table.note("老王", 4, "小美放槍")
    table.shows({"老王": 0})
    expect(page.locator("h1")).to_contain_text("小美作莊")
    table.note_draw()
    expect(table.hands).to_have_count(3)

    # the photographed hand: its context comes from the table
    board.link("拍這一把")
    board.on_the_board(NAMES)
    expect(page.locator("#streak-1")).to_be_checked()
    expect(page.locator(".settle-seats .winner")).to_contain_text("小美")  # the dealer sits E by default
    board.say("dealer-W")
    expect(page.locator(".settle-seats .winner")).to_contain_text("Grace")
    board.say("win-discard")
    board.say("discarder-S")
    expect(page.locator(".settle-seats li").nth(1)).to_contain_text("阿明")
    page.locator("#settle").scroll_into_view_if_needed()
    if size == "phone":
        shoot(page, "phone-settle")
    before = int(page.locator(".total strong").inner_text())
    board.settle_game()
    expect(page.locator(".record h1")).to_have_text("Grace胡牌")
    expect(page.locator(".pay-sentences li")).to_contain_text("阿明付Grace")
    board.follow(page.locator(".notice.done").get_by_role("link", name="牌局"))
    expect(page.locator(".hands tbody tr")).to_have_count(4)
    expect(page.locator(".hands tbody tr").first).to_contain_text(f"Grace {before} 台胡（阿明放槍）")
    table.shows({"Grace": -7 + 3 + before})
    expect(page.locator(".graph polyline")).to_have_count(4)
    expect(page.locator("h1")).to_contain_text("老王作莊")
    no_sideways(page)
    shoot(page, f"{size}-table")
    board.unfold_all()
    accessible(page)


def test_undo(open_page: Any) -> None:
    page = open_page("laptop", blank=True)
    table = Table(page)
    table.seats()
    table.note("阿明", 3)
    table.note("小美", 2)
    table.undo()
    table.shows({"阿明": 21, "小美": -7})
    expect(page.locator(".exports")).to_contain_text("復原過 1 筆")


def test_a_second_phone_is_told_that_the_table_moved_on(open_page: Any) -> None:
    first, second = open_page(blank=True), open_page(blank=True)
    here, there = Board(first), Board(second)
    Table(first).seated()
    here.on_the_board()
    there.on_the_board()
    there.say("win-discard")
    there.say("discarder-W")
    here.settle_game()
    there.press(second.locator("#settle-game"))
    expect(second.locator("#notice")).to_contain_text("剛剛有人先")
    expect(second.locator("#notice").get_by_role("link", name="回牌局")).to_be_visible()
    expect(second.locator("#hand")).to_be_visible()
    there.go("/table")
    expect(second.locator(".hands tbody tr")).to_have_count(1)


def test_a_hand_that_differs_from_the_table_is_put_right(open_page: Any) -> None:
    page = open_page(blank=True)
    board = Board(page)
    table = Table(page)
    table.seated()
    board.on_the_board()
    board.say("streak-3")
    expect(page.locator("#settle .warn")).to_contain_text("連莊")
    expect(page.locator("#settle-game")).to_have_count(0)
    board.press(page.get_by_role("button", name="照牌局的，重新算台"))
    expect(page.locator("#streak-0")).to_be_checked()
    expect(page.locator("#settle-game")).to_be_visible()


def test_export(open_page: Any, tmp_path: Path) -> None:
    page = open_page("laptop", blank=True)
    table = Table(page)
    table.seats()
    table.note("阿明", 3)
    table.download(page.get_by_role("link", name="CSV")).save_as(tmp_path / "evening.csv")
    rows = list(csv.reader((tmp_path / "evening.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert rows[1][7:11] == ["21", "-7", "-7", "-7"]


def test_without_scripts(open_page: Any) -> None:
    page = open_page("phone", java_script_enabled=False)
    table = Table(page)
    board = Board(page)
    board.link("牌局")
    table.sit_down()
    table.note("老王", 5, "Grace放槍")
    expect(page.locator("h1")).to_contain_text("小美作莊")
    board.link("拍這一把")
    board.sample()
    board.choose_winning_tile()
    board.settle_game()
    expect(page.locator(".record h1")).to_have_text("小美胡牌")
    board.link("牌局", exact=True)
    table.undo()
    expect(table.hands).to_have_count(1)
    table.close()


LONG = ("阿明阿明阿明阿明", "Maximiliane-Theodora", "老王", "Grace")
CUT = """() => [...document.querySelectorAll('.totals strong, .hands .num')].filter((one) => {
    const range = document.createRange(); range.selectNodeContents(one);
    const text = range.getBoundingClientRect(), box = one.closest('li, td').getBoundingClientRect();
    return text.left < box.left - .5 || text.right > box.right + .5 || text.right > window.innerWidth; })
  .map((one) => one.textContent)"""


def test_five_digits_are_whole_on_a_phone(open_page: Any, shoot: Any) -> None:
    """底 100 台 20, long names: every total and every payment is inside its place, in either language."""
    page = open_page("phone", blank=True)
    table = Table(page)
    table.go("/table")
    table.name(LONG)
    page.fill("#base", "100")
    page.fill("#per_tai", "20")
    table.button("開一桌")
    for _ in range(3):
        table.note(LONG[1], 250)
    for lang in ("中文", "English"):
        table.speak(lang)
        expect(page.locator(".totals strong").nth(1)).to_have_text("+46160")  # 15,320 + 15,360 + 15,480
        becomes(page, lambda: page.evaluate(CUT), [])
        no_sideways(page)
        expect(page.locator(".hands .num")).to_have_count(12)
        shoot(page, f"phone-five-digits-{lang}")
    page.locator(".hands").scroll_into_view_if_needed()
    shoot(page, "phone-hands")
    table.unfold("#more-table").scroll_into_view_if_needed()
    shoot(page, "phone-seating")


def test_by_keyboard(open_page: Any) -> None:
    page = open_page("laptop", blank=True)
    table = Table(page)
    table.seats()
    page.locator("#step-won summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#step-won")).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    page.keyboard.type("3")
    table.left(lambda: page.keyboard.press("Enter"))
    expect(table.hands).to_have_count(1)
    table.shows({"阿明": 21})


def test_in_english(open_page: Any) -> None:
    page = open_page(locale="en-GB", blank=True)
    table = Table(page)
    table.sit_down(button="Open a table")
    expect(page.locator("h1")).to_have_text("East round, 阿明 deals")
    no_sideways(page)


@pytest.mark.parametrize(
    ("size", "scripts"), [pytest.param("phone", True, id="scripts"), pytest.param("laptop", False, id="no scripts")]
)
def test_two_winners_on_one_discard_are_one_hand(size: str, scripts: bool, open_page: Any, shoot: Any) -> None:
    page = open_page(size, java_script_enabled=scripts, blank=True)
    table = Table(page)
    board = Board(page)

    def hand(seat: str) -> None:
        board.on_the_board()
        for chip in ("win-discard", f"seat-{seat}", "discarder-W"):
            if not page.locator(f"#{chip}").is_checked():
                board.say(chip)

    table.seated(rules="mahjong_time")
    hand("E")
    board.settle_game()
    expect(page.locator(".record h1")).to_have_text("阿明胡牌")
    hand("N")
    expect(page.locator("#streak-1")).to_be_checked()
    board.unfold("#settle-join")
    if scripts:
        page.locator("#settle-join").scroll_into_view_if_needed()
        shoot(page, "phone-join-asked")
    board.press(page.get_by_role("button", name="是同一張，照上一把算台"))
    expect(page.locator("#streak-0")).to_be_checked()
    if scripts:
        page.locator("#settle").scroll_into_view_if_needed()
        shoot(page, "phone-join")
        accessible(page)
        no_sideways(page)
    board.follow(page.locator("#settle-join-keep"))
    expect(page.locator(".record h1")).to_have_text("Grace胡牌")
    board.go("/table")
    expect(table.hands).to_have_count(1)
    expect(table.hands).to_contain_text("老王放槍")
    expect(page.locator(".hands tbody tr a[href^='/records']")).to_have_count(2)
    expect(page.locator("h1")).to_contain_text("連莊 1")
    becomes(page, lambda: sum(table.totals().values()), 0)
