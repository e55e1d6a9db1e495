"""A settled hand in a real browser: kept, found, printed, drawn as a picture, disputed; with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import serious, serious_in_both_schemes
from tests.e2e.support.evenings import choose_winning_tile, go, hand_on_the_board, no_sideways, serve, unfold

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Records of its own for every test."""
    yield from serve(tmp_path / "data")


def keep(page: Page, name: str, streak: int) -> str:
    """Settle the sample hand under a name, with a streak that makes it another hand; the address of its record."""
    hand_on_the_board(page)
    page.locator(f"#streak-{streak}").check()
    expect(page.locator(".total-how")).to_contain_text(f"連莊 {streak}" if streak else "自摸")
    page.locator("#settle-names summary").click()
    page.fill("#player_E", name)
    page.locator("#player_E").blur()
    expect(page.locator("#player_E")).to_have_value(name)
    page.locator("#settle-keep").click()
    expect(page.locator(".record")).to_be_visible()
    return page.url.split("?")[0]


@SIZES
def test_keep_a_hand_and_find_it_again(size: str, open_page: Any, shoot: Any) -> None:
    page = open_page(size)
    name = "阿明" if size == "phone" else "小美"
    record = keep(page, name, 1 if size == "phone" else 2)
    expect(page.locator(".notice.done")).to_contain_text("記下了")
    expect(page.locator("h1")).to_have_text(f"{name}胡牌")
    expect(page.locator(".photo-kept img")).to_be_visible()
    expect(page.locator(".pay-sentences li")).to_have_count(3)
    no_sideways(page)
    shoot(page, f"{size}-record")

    go(page, "/records")
    page.locator("#search summary").click()
    page.select_option("#player", name)
    page.get_by_role("button", name="找", exact=True).click()
    expect(page.locator(".record-row")).to_have_count(1)
    no_sideways(page)
    page.locator(".record-row").click()
    expect(page).to_have_url(record)


def test_the_settled_hand_does_not_come_back(open_page: Any) -> None:
    """The next hand starts fresh; going back does not keep the same hand twice."""
    page = open_page()
    record = keep(page, "老王", 3)
    page.get_by_role("link", name="拍下一手").click()
    expect(page.locator("#camera")).to_have_count(1)
    expect(page.locator("#hand")).to_have_count(0)
    expect(page.get_by_role("button", name="回到剛才那一手")).to_have_count(0)
    assert keep(page, "老王", 3) == record  # the same photo, tiles, context and names: the same record


@SIZES
def test_the_picture_for_the_chat_group(size: str, open_page: Any, tmp_path: Path) -> None:
    """Drawn in the browser, with no server's fonts: a PNG that is not empty, with our tiles and red tai on it."""
    page = open_page(size)
    keep(page, "Grace <b>", 4 if size == "phone" else 0)
    page.evaluate("Object.defineProperty(navigator, 'canShare', {value: undefined, configurable: true})")
    with page.expect_download() as download:
        page.locator("#card").click()
    assert download.value.suggested_filename.endswith(".png")
    path = tmp_path / "card.png"
    download.value.save_as(path)
    picture = Image.open(path).convert("RGB")
    assert picture.width == 1080
    assert 900 < picture.height < 3000
    found = picture.getcolors(picture.width * picture.height) or []
    colours = {colour: count for count, colour in found}
    assert colours[(181, 34, 27)] > 1000, "the tai are not there"
    assert len(colours) > 500, "no tiles were drawn"
    assert picture.getpixel((picture.width // 2, picture.height - 4)) == (255, 253, 248)  # nothing is cut off


def test_sharing_where_the_phone_can(open_page: Any) -> None:
    page = open_page("phone")
    keep(page, "阿明", 2)
    page.evaluate(
        """window.shared = [];
        Object.defineProperty(navigator, 'canShare', {value: () => true, configurable: true});
        Object.defineProperty(navigator, 'share', {value: async (what) => { shared.push(what.files[0]); }});"""
    )
    page.locator("#card").click()
    page.evaluate("new Promise(done => { const look = () => shared.length ? done() : setTimeout(look, 50); look(); })")
    assert page.evaluate("[shared[0].type, shared[0].size > 10000]") == ["image/png", True]


def test_a_picture_that_cannot_be_drawn_is_said(open_page: Any) -> None:
    page = open_page("phone")
    keep(page, "老王", 1)
    page.route("**/static/tiles/*", lambda route: route.abort())
    page.locator("#card").click()
    expect(page.locator("#card-said")).to_contain_text("圖片畫不出來")


def test_the_printed_page(open_page: Any) -> None:
    page = open_page("laptop")
    keep(page, "小美", 3)
    page.emulate_media(media="print")
    for gone in (".top", ".rooms", ".actions", "#dispute-new", ".notice"):
        expect(page.locator(gone).first).to_be_hidden()
    for there in ("h1", ".total", ".lines", ".pay", ".photo-kept img", ".proof"):
        expect(page.locator(there).first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert len(page.pdf()) > 10_000


@SIZES
def test_a_dispute(size: str, open_page: Any) -> None:
    page = open_page(size)
    keep(page, "阿明", 4 if size == "phone" else 3)
    page.locator("#dispute-new summary").click()
    page.fill("#who-new", "老王")
    page.fill("#claim", "門清不能跟自摸一起算")
    page.locator("#dispute-new").get_by_role("button", name="提出爭議").click()
    expect(page.locator(".verdicts li")).to_have_count(4)
    expect(page.locator(".verdicts .own")).to_have_count(1)
    page.fill("#who-claim", "阿明")
    page.fill("#claim-more", "規則書寫了可以")
    page.get_by_role("button", name="加上這個說法").click()
    expect(page.locator(".claims li")).to_have_count(2)
    no_sideways(page)
    assert serious(page) == []
    page.fill("#outcome", "照規則書")
    page.get_by_role("button", name="談好了，記下結果").click()
    expect(page.locator(".agreed")).to_contain_text("照規則書")
    go(page, "/records")
    expect(page.locator(".tag", has_text="已談好").first).to_be_visible()


@SIZES
def test_nobody_is_shut_out(size: str, open_page: Any) -> None:
    page = open_page(size)
    keep(page, "小美", 2)
    unfold(page)
    assert serious_in_both_schemes(page) == []
    go(page, "/records?player=小美")
    assert serious_in_both_schemes(page) == []


@SIZES
def test_without_scripts(size: str, open_page: Any) -> None:
    page = open_page(size, java_script_enabled=False)
    page.get_by_role("button", name="試試樣張").click()
    choose_winning_tile(page)
    page.locator("#settle-names summary").click()
    page.fill("#player_E", "沒有程式")
    page.locator("#settle-keep").click()
    expect(page.locator(".record")).to_be_visible()
    expect(page.locator("#card")).to_be_hidden()
    page.get_by_role("link", name="戰績").click()
    page.locator("#search summary").click()
    page.select_option("#player", "沒有程式")
    page.get_by_role("button", name="找", exact=True).click()
    expect(page.locator(".record-row").first).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(page.locator("h1")).to_have_text("Records")
    expect(page.locator("#player")).to_have_value("沒有程式")


def test_by_keyboard(open_page: Any) -> None:
    page = open_page("laptop")
    hand_on_the_board(page)
    page.locator("#settle-keep").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".record")).to_be_visible()
    expect(page.locator("#card")).to_be_visible()  # its script has come
    page.locator("#card").focus()
    with page.expect_download():
        page.keyboard.press("Enter")
