"""House rules in a real browser: from a book to the chips of the board, and out and in again as a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import accessible, accessible_in_both_schemes
from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import Board, Screen, no_sideways

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])
LAPTOP = pytest.mark.parametrize("size", ["laptop"])
PHONE = pytest.mark.parametrize("size", ["phone"])


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Rule books of its own for every test."""
    yield from serve(tmp_path / "data")


def field(page: Page, key: str) -> Any:
    """A field of the form by its key."""
    return page.locator(f'[id="{key}"]')


def start(page: Page, name: str = "週五桌") -> None:
    """A house book on 麻將羅漢 with dragons at five tai."""
    screen = Screen(page)
    screen.go("/house/new?base=luohan")
    page.fill("#title", name)
    field(page, "tai.dragon_pung").fill("5")
    screen.button("存起來")
    expect(page.locator("h1")).to_have_text(name)


def find_in_groups(page: Page) -> None:
    """The search shows the rows that it finds, by name, id and the other language, in their groups; links go there."""
    screen = Screen(page)
    rows, groups = page.locator(".rule-row:visible"), page.locator(".rule-group:visible")
    everything = rows.count()
    for words, key in (("封頂", "pay.tai_cap"), ("all chows", "tai.all_chows"), ("any_wind_pung", "tai.any_wind_pung")):
        page.fill("#find", words)
        expect(field(page, key)).to_be_visible()
        expect(field(page, "tai.dragon_pung")).to_be_hidden()
        expect(groups).to_have_count(1)
    page.keyboard.press("Enter")  # searches, does not save
    page.fill("#find", "沒有這種規定")
    expect(page.locator("#none-found")).not_to_be_empty()
    expect(rows).to_have_count(0)
    page.fill("#find", "")
    expect(page.locator("#none-found")).to_be_empty()
    expect(rows).to_have_count(everything)
    expect(groups).to_have_count(13)
    screen.jump(page.locator(".group-links").get_by_role("link", name="字牌"), page.locator("#heading-honors"))
    expect(page.locator("#title")).to_have_value("週五桌")


@SIZES
def test_make_name_use(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size, book="")
    board = Board(page)
    screen = Screen(page)
    screen.button("台大麻將社")  # a first start asks which rules, in one tap
    expect(page.locator("main")).to_contain_text("規則：台大麻將社")
    screen.reload()
    expect(page.get_by_role("button", name="通行台數表")).to_have_count(0)  # and remembers
    screen.link("桌規")
    screen.follow(page.locator(".book", has_text="麻將羅漢").get_by_role("link", name="改成我們的"))
    page.fill("#title", "週五桌")
    find_in_groups(page)
    field(page, "tai.dragon_pung").fill("5")
    expect(page.locator(".rule-row.changed")).to_have_count(1)  # marked while one types
    expect(page.locator("#changed-count")).to_have_text("改了 1 處")
    expect(page.locator("#group-honors .group-changed")).to_have_text("改了 1 處")
    expect(page.locator(".group-changed:visible")).to_have_count(1)
    field(page, "pay.several_winners").select_option("each")
    expect(page.locator("#changed-count")).to_have_text("改了 2 處")
    no_sideways(page)
    accessible(page)
    page.evaluate("window.scrollTo(0, 0)")
    shoot(page, f"{size}-house")
    screen.button("存起來")
    expect(page.locator(".notice.done")).to_have_text("存好了。")
    expect(page.locator(".changes li")).to_have_count(2)
    expect(page.locator(".changes")).to_contain_text("箭字坎 1 → 5")
    screen.button("用這本")
    board.on_the_board()
    expect(page.locator("#context")).to_contain_text("週五桌")
    expect(page.locator(".line-item", has_text="箭字坎").locator(".line-tai")).to_have_text("5")


@LAPTOP
def test_out_and_in_again(size: str, open_page: Any, tmp_path: Path) -> None:
    page = open_page(size, blank=True)
    screen = Screen(page)
    start(page)
    download = screen.download(page.get_by_role("link", name="匯出 TOML"))
    file = tmp_path / "friday.toml"
    download.save_as(file)
    assert "dragon_pung = 5" in file.read_text(encoding="utf-8")
    screen.go("/house")
    changed = tmp_path / "saturday.toml"
    changed.write_text(file.read_text(encoding="utf-8").replace("週五桌", "週六桌"), encoding="utf-8")
    page.set_input_files("#file", changed)
    screen.button("匯入")
    expect(page.locator("h1")).to_have_text("週六桌")
    screen.go("/house")
    expect(page.locator(".books").first.locator(".book")).to_have_count(2)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(file.read_text(encoding="utf-8").replace("dragon_pung", "dragons"), encoding="utf-8")
    page.set_input_files("#file", wrong)
    screen.button("匯入")
    expect(page.get_by_role("alert")).to_contain_text("wrong.toml: 牌型 'dragons': 不認得的牌型")
    expect(page.locator(".books").first.locator(".book")).to_have_count(2)


@PHONE
def test_without_scripts(size: str, open_page: Any) -> None:
    page = open_page(size, java_script_enabled=False, blank=True)
    screen = Screen(page)
    start(page)
    expect(page.locator(".changes")).to_contain_text("箭字坎 1 → 5")
    field(page, "tai.dragon_pung").fill("many")
    screen.button("存起來")
    expect(page.get_by_role("alert")).to_contain_text("「箭字坎」填的「many」不是整數")
    expect(field(page, "tai.dragon_pung")).to_have_value("many")


def test_by_keyboard(open_page: Any) -> None:
    page = open_page("laptop", blank=True)
    screen = Screen(page)
    start(page)
    field(page, "tai.dragon_pung").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("6")
    screen.left(lambda: page.keyboard.press("Enter"))
    expect(page.locator(".changes")).to_contain_text("箭字坎 1 → 6")


def test_nobody_is_shut_out(open_page: Any) -> None:
    page = open_page("phone", blank=True)
    screen = Screen(page)
    start(page)
    accessible_in_both_schemes(page)
    screen.go("/house")
    accessible_in_both_schemes(page)
