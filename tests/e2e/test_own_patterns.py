"""自訂牌型 in a real browser: ready ones by one tap, own ones written with their hands, errors shown, counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.rulebook.own_patterns import ready_own_patterns
from tests.e2e.support.accessibility import accessible_in_both_schemes
from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import Board, OwnPatternForm, Screen, no_sideways

PHONE = pytest.mark.parametrize("size", ["phone"])


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Rule books of its own for every test."""
    yield from serve(tmp_path / "data")


def to_own(page: Page, name: str = "週五桌") -> None:
    """The form of a new house book on 麻將羅漢, at its own patterns."""
    screen = Screen(page)
    screen.go("/house/new?base=luohan")
    screen.fill("#title", name)
    screen.jump(page.locator('.group-links [href="#group-own"]'), page.locator("#heading-own"))


@PHONE
def test_ready_ones_by_one_tap_with_their_hands_as_tiles(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size, blank=True)
    screen = Screen(page)
    to_own(page)
    screen.fill('[id="tai.dragon_pung"]', "5")  # is kept all the while
    rows, ready = page.locator("#group-own .own-row:has(input)"), page.locator("#ready-own ~ .rules .own-row")
    names = [str(table["name"]) for table in ready_own_patterns().values()]
    expect(ready).to_have_count(len(names))
    for number, name in enumerate(names, 1):
        screen.button(f"把{name}加進來")
        expect(page.locator("#heading-own")).to_be_in_viewport()
        expect(rows).to_have_count(number)
        expect(rows.last.locator(".has img")).to_have_count(17)
        expect(rows.last.locator(".has_not img")).to_have_count(17)
    expect(ready).to_have_count(0)
    expect(page.locator(".changes li")).to_have_count(len(names) + 1)
    expect(page.locator('[id="tai.dragon_pung"]')).to_have_value("5")
    expect(rows.nth(2)).to_contain_text("不另計：風字坎（開門）、風字坎（圈風）")
    page.fill("#find", "三相逢")
    expect(page.locator(".rule-group:visible")).to_have_count(1)
    page.fill("#find", "")
    no_sideways(page)
    accessible_in_both_schemes(page)
    screen.jump(page.locator('.group-links [href="#group-own"]'), page.locator("#heading-own"))
    shoot(page, f"{size}-own-patterns")
    screen.fill('[id="tai.straight_line"]', "6")
    screen.button("存起來")
    expect(page.locator(".changes")).to_contain_text("一條龍 沒寫 → 6")
    screen.follow(rows.first.get_by_role("button", name="拿掉"))
    expect(rows).to_have_count(len(names) - 1)
    expect(ready).to_have_count(1)
    screen.speak("English")
    expect(rows.first).to_contain_text("the same chow in all three suits")
    expect(rows.nth(1)).to_contain_text("Round wind South")
    no_sideways(page)
    accessible_in_both_schemes(page)


@PHONE
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_write_one_be_told_what_is_wrong_and_count_by_it(size: str, scripts: bool, open_page: Any, shoot: Any) -> None:
    page = open_page(size, java_script_enabled=scripts, blank=True)
    form = OwnPatternForm(page)
    form.go("/house/new?base=luohan")
    form.fill("#title", "週五桌")
    form.button("自己寫一個", exact=True)
    form.type(name="對對胡", tai="5")
    form.ask_for("字牌", "dragon_pung", "all")
    form.ask_for("花色", "honors", "all")
    form.button("存起來")
    expect(page.get_by_role("alert")).to_contain_text("還沒有存")
    expect(form.wrong("name")).to_have_text("「對對胡」是這本規則裡別的牌型的名字，請換一個。")
    expect(form.wrong("has")).to_have_text("要有一手牌。")
    expect(form.wrong("has_not")).to_have_text("要有一手牌。")
    expect(form.field("trait.honors")).to_have_value("all")  # the choices are still there
    form.type(name="箭刻在手")
    closed = [f"{rank}m" for rank in range(1, 10)] + ["5z"] * 3 + ["5s", "6s", "7s"] + ["1z", "1z"]
    if scripts:
        form.lay("has", [*closed, "1z"][:17])
        form.lay("has", ["", "1z"])
        expect(form.field("has.concealed")).to_have_value("123456789m555z567s11z")
    else:
        form.type(has__concealed="123456789m555z567s11z")
    form.type(has_not__concealed="123456789m555z567s11z")
    form.button("先核對")
    expect(form.wrong("has_not")).to_have_text("這手算出來有這個牌型，不能當作沒有的例子。")
    no_sideways(page)
    if scripts:
        accessible_in_both_schemes(page)
    form.type(has_not__concealed="123456789m111z567s99p")
    form.button("先核對")
    expect(page.get_by_role("status").first).to_contain_text("兩手牌都對")
    expect(page.locator("#example-has .own-won")).to_have_count(1)
    if scripts:
        shoot(page, f"{size}-own-pattern")
    form.button("存起來")
    expect(page.locator(".changes")).to_contain_text("箭刻在手 沒寫 → 5")
    if not scripts:
        return
    form.button("用這本")
    board = Board(page)
    board.on_the_board()
    line = page.locator(".line-item", has_text="箭刻在手")
    expect(line.locator(".line-tai")).to_have_text("5")
    expect(line).to_contain_text("本桌")


@PHONE
def test_changed_in_english_and_in_the_dark(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size, locale="en-GB", color_scheme="dark", blank=True)
    form = OwnPatternForm(page)
    to_own(page, "Friday")
    form.button("Add Double wind")
    form.button("See and change")
    expect(page.locator("h1")).to_have_text("Double wind")
    expect(page.locator(".trait-group[open]")).to_have_count(2)
    form.field("has.round").select_option("E")
    form.button("Save")
    expect(form.wrong("has")).to_have_text(
        "This hand does not have the pattern: not met: the seat's wind is the round's"
    )
    no_sideways(page)
    accessible_in_both_schemes(page)
    shoot(page, f"{size}-own-pattern-en-dark")
    form.field("has.round").select_option("S")
    form.type(tai="6")
    form.button("Save")
    expect(page.locator(".changes")).to_contain_text("Double wind")
    expect(page.locator('[id="tai.double_wind"]')).to_have_value("6")
