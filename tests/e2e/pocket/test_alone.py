"""口袋版自己: offline, closed and opened again, updated, in two tabs, on a full phone: nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from pocket.serving import serving
from tests.e2e.support.accessibility import accessible_in_both_schemes
from tests.e2e.support.engines import CHROMIUM_FLAGS
from tests.e2e.support.pages.board import Board
from tests.e2e.support.pages.screen import no_sideways
from tests.e2e.support.pages.shell import Shell
from tests.e2e.support.pocket import Phone, choose_book, phone, put_hand, started, type_hand
from tests.e2e.support.pocket_journeys import WAITING, build_of, come_together, rebuilt, record, records

BELOW = "/some/folder"


@pytest.fixture
def new(browser: Browser, tmp_path: Path) -> Iterator[Phone]:
    """A phone that has never opened the address."""
    with phone(browser, tmp_path / "profile", CHROMIUM_FLAGS) as made:
        yield made


def test_a_hand_is_recorded_offline_and_kept_through_closing(folder: Path, new: Phone) -> None:
    with serving(folder, BELOW) as address:
        page, board = new.open(address)
        choose_book(board)
        new.context.set_offline(True)
        record(board, enter=type_hand)
        expect(board.page.locator(".notice.done")).to_contain_text("記下了")
    new.close()
    new.context.set_offline(True)  # and the host is gone
    page, board = new.open(address)
    expect(records(board)).to_have_count(1)
    expect(page.locator("#shell")).to_be_hidden()
    board.follow(records(board))
    expect(board.page.locator("h1")).to_contain_text("胡牌")
    expect(board.page.locator("footer a")).to_have_attribute("href", f"{BELOW}/pocket")


def test_a_second_tab_takes_over_when_asked(hosted: str, one: Phone) -> None:
    first, board = one.open(hosted)
    record(board)
    second = one.shell(hosted)
    Shell(second).says("另一個分頁")
    Shell(second).take_over()
    expect(records(started(second))).to_have_count(1)
    Shell(first).says("另一個分頁")


def test_an_address_that_nobody_can_have_written_opens_the_start_page(hosted: str, one: Phone) -> None:
    board = one.open(f"{hosted}#/%")[1]
    expect(board.page.locator("#camera")).to_have_count(1)
    assert one.errors == []


def test_another_build_takes_over_at_the_next_opening(folder: Path, hosted: str, one: Phone) -> None:
    page, board = one.open(hosted)
    record(board)
    before = build_of(page)
    with rebuilt(folder, before):  # to the end: a browser looks by itself whether the host has yet another build
        page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update())")
        page.evaluate(WAITING)
        expect(records(board)).to_have_count(1)  # goes on with the build that it began with
        assert build_of(page) == before
        one.context.set_offline(True)
        page.close()  # the app, not the browser: there is no sign that it has stored which build is ready
        page, board = one.open(hosted)
        assert build_of(page) != before
        expect(records(board)).to_have_count(1)


def test_a_full_phone_says_so_and_loses_nothing(hosted: str, one: Phone) -> None:
    board = one.open(hosted)[1]
    record(board)
    one.close()
    one.full(hosted)  # before anything is open: a browser asks for the room that is left now and then only
    board = one.open(hosted)[1]
    put_hand(board)
    board.name_players("小美")
    board.press(board.page.locator("#settle-keep"))
    expect(board.page.locator("body")).to_contain_text("手機沒有空間了")
    expect(records(board)).to_have_count(1)
    one.close()  # somebody has made room
    board = one.open(hosted)[1]
    expect(records(board)).to_have_count(1)
    record(board, "小美")
    expect(records(board)).to_have_count(2)


def test_two_devices_come_together_both_ways(hosted: str, one: Phone, tmp_path: Path) -> None:
    board = one.open(hosted)[1]
    record(board)
    come_together(board, tmp_path)


def test_its_own_page_fits_a_phone(open_page: Callable[..., Any]) -> None:
    board = Board(open_page())
    board.go("/pocket")
    expect(board.page.locator("#restore")).to_be_visible()
    no_sideways(board.page)
    accessible_in_both_schemes(board.page)
