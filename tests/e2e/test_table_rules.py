"""If a book is silent, the table is asked and the answer is stored; two winners; three players: at phone size, by
taps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import accessible
from tests.e2e.support.evenings import served
from tests.e2e.support.pages import Board, Screen, Table, no_sideways
from tests.unit.webui.conftest import HAND, canned_reading
from vision.reading.reading import Reading


class Wins:
    """Sees the same winning hand on every photo."""

    def read(self, photo: Any) -> Reading:
        return canned_reading(HAND, photo.size, {})


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A table of its own for every test; photos are not really read."""
    yield from served({"DATA": str(tmp_path / "data"), "READER": Wins()})


def check(page: Page) -> None:
    no_sideways(page)
    accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_false_win_that_the_book_does_not_price(open_page: Any, shoot: Any, scheme: str) -> None:
    """通行: one tap sets this table's rule; the second false win is not asked about."""
    page = open_page("phone", color_scheme=scheme, blank=True)
    table = Table(page)
    table.seats(rules="common")
    table.unfold("#step-false")
    expect(page.locator("#rule-false_win")).to_contain_text("詐胡賠多少：你們怎麼算？")
    check(page)
    page.locator("#step-false").scroll_into_view_if_needed()
    shoot(page, f"phone-rule-asked-{scheme}")
    table.answer_rule("false_win", "三家各賠 8 台，沒有底")
    expect(page.locator("#step-false")).to_have_attribute("open", "")
    expect(page.locator("#rule-false_win")).to_have_count(0)
    expect(page.locator("#step-false")).to_contain_text("固定台數，不含底（8 台）；賠三家")
    table.note_false_win("小美")
    table.shows({"阿明": 8, "小美": -24, "老王": 8, "Grace": 8})
    table.go("/table/house")
    expect(page.locator("#rule-false_win")).to_contain_text("這桌說好的：三家各賠 8 台，沒有底")
    check(page)
    shoot(page, f"phone-table-rules-{scheme}")
    table.answer_rule("false_win", "不罰")
    expect(page.locator("#rule-false_win")).to_contain_text("這桌說好的：不罰")
    table.go("/table")
    table.shows({"小美": -24})  # the entry stays
    table.unfold("#step-false")
    table.note_false_win("小美")
    table.shows({"小美": -24})


def test_an_incident_that_the_book_does_not_rule(open_page: Any, shoot: Any) -> None:
    page = open_page("phone", blank=True)
    table = Table(page)
    table.seats(rules="common")
    table.choose("出事了")
    for answer in ("錯碰", "小美"):
        table.choose(answer)
    expect(page.locator("#rule-wrong_pung")).to_contain_text("你們怎麼算？")
    expect(page.locator("main")).not_to_contain_text("由全桌決定")
    check(page)
    shoot(page, "phone-rule-incident")
    table.answer_rule("wrong_pung", "相公")
    table.choose("不是")
    expect(page.locator(".said")).to_contain_text("小美判相公")
    expect(page.locator("main")).not_to_contain_text("[R")


def test_two_winners_of_one_discard(open_page: Any, shoot: Any) -> None:
    """No typed player disappears: paid by the table's choice, or named with the reason."""
    page = open_page("phone", blank=True)
    table = Table(page)
    table.seats(rules="common")
    table.type_winners({"小美": 3, "Grace": 2}, "老王放槍")
    expect(page.get_by_role("heading", name="不只一家胡")).to_be_visible()
    expect(page.locator("main")).to_contain_text("小美胡了但不收")
    check(page)
    shoot(page, "phone-two-winners")
    table.choose("回去改，先不記")
    expect(table.hands).to_have_count(0)
    table.type_winners({"小美": 3, "Grace": 2}, "老王放槍")
    table.button("只收離放槍最近的")
    table.shows({"阿明": 0, "小美": 0, "老王": -5, "Grace": 5})
    expect(table.hands.first).to_contain_text("小美 3 台也胡，攔胡：只有離放槍最近的一家收，不收錢")
    check(page)
    page.locator("#step-won").scroll_into_view_if_needed()
    shoot(page, "phone-blocked-winner")
    table.undo()
    table.go("/table/house")
    table.answer_rule("several_winners", "每家都收")
    table.go("/table")
    table.type_winners({"小美": 3, "Grace": 2}, "老王放槍")
    table.shows({"老王": -11, "小美": 6, "Grace": 5})


def test_three_players_without_flowers(open_page: Any, shoot: Any) -> None:
    """三人 136 張: sat down by two taps more; a photographed hand is paid by two; the deal goes round three."""
    page = open_page("phone")
    table = Table(page)
    table.sit_three(flowers=False)
    check(page)
    shoot(page, "phone-three")
    table.note("小美", 2)
    table.shows({"阿明": -6, "小美": 11, "老王": -5})
    table.note("小美", 2, "老王放槍")
    table.shows({"老王": -11, "小美": 17, "阿明": -6})
    table.note("阿明", 1)
    expect(page.locator("h1")).to_contain_text("東風圈・老王作莊")
    table.note("阿明", 1)
    expect(page.locator("h1")).to_contain_text("南風圈・阿明作莊")
    table.go("/table/wall")
    expect(page.locator("main")).to_contain_text("照四家寫的")
    expect(page.locator(".left strong")).to_have_text("71")
    check(page)
    table.go("/")
    Board(page).read()
    expect(page.locator("#ask")).not_to_contain_text("Grace")
    check(page)
    shoot(page, "phone-three-board")


def test_what_the_book_leaves_open_of_what_it_plays(open_page: Any) -> None:
    """十六不搭 and 拉 are asked about at a table that plays them, and at no other."""
    page = open_page("phone", blank=True)
    screen, table = Screen(page), Table(page)
    screen.go("/house/new?base=common")
    screen.fill("#title", "港式桌")
    screen.fill('[id="tai.sixteen_unconnected"]', "40")
    page.select_option('[id="pay.pulls"]', "half_more_half_back")
    screen.button("存起來")
    page.wait_for_url("**/house/house-*")
    key = page.url.split("/house/")[1].split("?")[0]
    screen.go("/table")
    table.name()
    page.select_option("#rules", key)
    screen.button("開一桌")
    table.go("/table/house")
    for question, title, answer in (
        ("unconnected_last", "十六不搭胡哪一張", "胡的那張要成對"),
        ("pulls_most", "拉滿幾次就斬", "拉三次就斬"),
    ):
        expect(page.locator(f"#rule-{question}")).to_contain_text(f"{title}：你們怎麼算？")
        check(page)
        table.answer_rule(question, answer)
        expect(page.locator(f"#rule-{question}")).to_contain_text(f"這桌說好的：{answer}")
