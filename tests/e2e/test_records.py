"""A settled hand in a real browser: kept, found, printed, drawn as a picture, disputed; with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import accessible, accessible_in_both_schemes
from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import Board, Record, Screen, becomes, catch, no_sideways

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Records of its own for every test."""
    yield from serve(tmp_path / "data")


def keep(page: Page, name: str, streak: int) -> str:
    """Settle the sample hand under a name, with a streak that makes it another hand; the address of its record."""
    board = Board(page)
    board.on_the_board()
    if streak:
        board.say(f"streak-{streak}")
    expect(page.locator(".total-how")).to_contain_text(f"連莊 {streak}" if streak else "自摸")
    board.name_players(name)
    board.keep()
    return page.url.split("?")[0]


@SIZES
def test_keep_a_hand_and_find_it_again(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size, blank=True)
    name = "阿明" if size == "phone" else "小美"
    kept = keep(page, name, 1 if size == "phone" else 2)
    expect(page.locator(".notice.done")).to_contain_text("記下了")
    expect(page.locator("h1")).to_have_text(f"{name}胡牌")
    expect(page.locator(".photo-kept img")).to_be_visible()
    expect(page.locator(".pay-sentences li")).to_have_count(3)
    no_sideways(page)
    shoot(page, f"{size}-record")
    records = Screen(page)
    records.unfold_all()
    accessible_in_both_schemes(page)

    records.go("/records")
    records.unfold("#search")
    page.select_option("#player", name)
    records.button("找", exact=True)
    expect(page.locator(".record-row")).to_have_count(1)
    no_sideways(page)
    accessible_in_both_schemes(page)
    records.follow(page.locator(".record-row"))
    becomes(page, lambda: page.url, kept)


def test_the_settled_hand_does_not_come_back(open_page: Any) -> None:
    """The next hand starts fresh; going back does not keep the same hand twice."""
    page = open_page(blank=True)
    kept = keep(page, "老王", 3)
    Screen(page).link("拍下一把")
    expect(page.locator("#camera")).to_have_count(1)
    expect(page.locator("#hand")).to_have_count(0)
    expect(page.get_by_role("button", name="回到剛才那一把")).to_have_count(0)
    again = keep(page, "老王", 3)
    assert again == kept  # the same photo, tiles, context and names: the same record


def test_the_picture_for_the_chat_group(open_page: Any, tmp_path: Path) -> None:
    """A PNG with our tiles and red tai, drawn in the browser without a server's fonts. The phone shares it, or saves
    it if it cannot share, or shows a message if it cannot draw."""
    page = open_page("phone", blank=True)
    keep(page, "Grace <b>", 4)
    record = Record(page)
    page.evaluate("Object.defineProperty(navigator, 'canShare', {value: undefined, configurable: true})")
    download = record.download(page.locator("#card"))
    assert download.suggested_filename.endswith(".png")
    path = tmp_path / "card.png"
    download.save_as(path)
    picture = Image.open(path).convert("RGB")
    assert picture.width == 1080
    assert 900 < picture.height < 3000
    colours = {colour: count for count, colour in picture.getcolors(picture.width * picture.height) or []}
    assert colours[(181, 34, 27)] > 1000, "the tai are not there"
    assert len(colours) > 500, "no tiles were drawn"
    assert picture.getpixel((picture.width // 2, picture.height - 4)) == (255, 253, 248)  # nothing is cut off
    page.evaluate(
        """window.shared = [];
        Object.defineProperty(navigator, 'canShare', {value: () => true, configurable: true});
        Object.defineProperty(navigator, 'share', {value: async (what) => { shared.push(what.files[0]); }});"""
    )
    record.draw_card()
    becomes(page, lambda: page.evaluate("shared.map(file => [file.type, file.size > 10000])"), [["image/png", True]])
    record.reload()
    catch(page, "**/static/tiles/*", lambda route: route.abort())
    record.draw_card()
    expect(page.locator("#card-said")).to_contain_text("圖片畫不出來")


def test_the_printed_page(open_page: Any) -> None:
    page = open_page("laptop", blank=True)
    keep(page, "小美", 3)
    page.emulate_media(media="print")
    for gone in (".top", ".rooms", ".actions", "#dispute-new", ".notice"):
        expect(page.locator(gone).first).to_be_hidden()
    for there in ("h1", ".total", ".lines", ".pay", ".photo-kept img", ".proof"):
        expect(page.locator(there).first).to_be_visible()
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    printed = page.pdf()
    assert len(printed) > 10_000


def test_a_dispute(open_page: Any) -> None:
    page = open_page("laptop", blank=True)
    keep(page, "阿明", 3)
    record = Record(page)
    record.dispute("老王", "門清不能跟自摸一起算")
    expect(page.locator(".verdicts li")).to_have_count(4)
    expect(page.locator(".verdicts .own")).to_have_count(1)
    record.answer("阿明", "規則書寫了可以")
    expect(page.locator(".claims li")).to_have_count(2)
    no_sideways(page)
    accessible(page)
    record.agree("照規則書")
    record.go("/records")
    expect(page.locator(".tag", has_text="已談好").first).to_be_visible()


def test_without_scripts(open_page: Any) -> None:
    page = open_page("phone", java_script_enabled=False)
    board = Board(page)
    board.sample()
    board.choose_winning_tile()
    board.name_players("沒有程式")
    board.keep()
    expect(page.locator("#card")).to_be_hidden()
    board.link("戰績")
    board.unfold("#search")
    page.select_option("#player", "沒有程式")
    board.button("找", exact=True)
    expect(page.locator(".record-row").first).to_be_visible()
    board.speak("English")
    expect(page.locator("h1")).to_have_text("Records")
    expect(page.locator("#player")).to_have_value("沒有程式")


def test_by_keyboard(open_page: Any) -> None:
    page = open_page("laptop", blank=True)
    board = Board(page)
    board.on_the_board()
    page.locator("#settle-keep").focus()
    board.left(lambda: page.keyboard.press("Enter"))
    expect(page.locator(".record")).to_be_visible()
    expect(page.locator("#card")).to_be_visible()
    page.locator("#card").focus()
    with page.expect_download():
        page.keyboard.press("Enter")
