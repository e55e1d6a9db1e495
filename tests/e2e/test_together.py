"""同桌: one evening on all phones: others follow; entries without Wi-Fi wait; late entries get a message."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import Board, Table, catch


@pytest.fixture
def address(tmp_path: Any) -> Iterator[str]:
    yield from serve(tmp_path / "data")


def test_other_phones_follow_within_two_seconds(open_page: Any) -> None:
    first, second = Table(open_page(blank=True)), Table(open_page(blank=True))
    first.seats()
    second.go("/table")
    second.unfold("#step-won").get_by_label("老王", exact=True).fill("4")  # being filled in there
    first.note("阿明", 3)
    began = time.monotonic()
    expect(second.hands).to_have_count(1)
    second.shows({"阿明": 21})
    assert time.monotonic() - began < 4  # two seconds, and twice that on a busy machine
    expect(second.page.locator("#step-won").get_by_label("老王", exact=True)).to_have_value("4")
    first.undo()
    expect(second.hands).to_have_count(0)


def test_an_entry_without_wifi_waits_and_is_sent_once(open_page: Any) -> None:
    page = open_page(blank=True)
    table = Table(page)
    table.seats()
    page.context.set_offline(True)
    table.note_away("小美", 2)
    expect(page.locator("#notice")).to_contain_text("留在這支手機裡")
    expect(table.hands).to_have_count(0)
    table.note_away("老王", 1)  # on top of the one that waits
    expect(page.locator("#entries b")).to_have_text("2")
    page.context.set_offline(False)
    expect(table.hands).to_have_count(2)
    expect(page.locator("#entries")).to_be_hidden()
    table.reload()
    expect(table.hands).to_have_count(2)


def test_an_entry_that_comes_too_late_is_told_and_never_lost(open_page: Any) -> None:
    page, other = open_page(blank=True), Table(open_page(blank=True))
    table = Table(page)
    table.seats()
    other.go("/table")
    page.context.set_offline(True)
    table.note_away("小美", 2)
    other.note("阿明", 3)
    page.context.set_offline(False)
    expect(page.locator("#notice")).to_contain_text("剛剛有人先記了第 1 把")
    expect(table.hands).to_have_count(1)
    table.shows({"阿明": 21})
    expect(page.locator("#entries")).to_be_hidden()
    refused = page.locator("#refused li")
    expect(refused).to_contain_text("小美 2")
    table.reload()
    expect(refused).to_contain_text("剛剛有人先記了第 1 把")
    table.reveal(refused.get_by_role("button", name="填回去改"), page.locator("#step-won"))
    expect(page.locator("#step-won").get_by_label("小美", exact=True)).to_have_value("2")
    expect(refused).to_have_count(1)
    table.conceal(refused.get_by_role("button", name="照樣記"), page.locator("#refused"))
    expect(table.hands).to_have_count(2)


def test_a_form_that_is_late_by_a_moment_stays_with_its_content(open_page: Any) -> None:
    page, other = open_page(blank=True), Table(open_page(blank=True))
    table = Table(page)
    table.seats()
    other.go("/table")
    catch(page, "**/head.json", lambda route: route.abort())  # this phone has not heard of it yet
    form = table.unfold("#step-won")
    form.get_by_label("老王", exact=True).fill("4")
    other.note("阿明", 3)
    table.reveal(form.get_by_role("button", name="記下"), page.locator("#refused"))
    expect(page.locator("#refused li")).to_contain_text("老王 4")
    expect(table.hands).to_have_count(1)
    refused = page.locator("#refused")
    table.conceal(refused.get_by_role("button", name="不要這筆"), refused)


def test_a_photographed_hand_waits_too(open_page: Any) -> None:
    page = open_page(blank=True)
    table, board = Table(page), Board(page)
    table.seated()
    board.on_the_board()
    page.context.set_offline(True)
    board.press(page.locator("#settle-at-once"))
    expect(page.locator("#notice")).to_contain_text("留在這支手機裡")
    page.context.set_offline(False)
    expect(page.locator("#notice")).to_be_hidden()
    board.go("/table")
    expect(table.hands).to_have_count(1)
