"""口袋版 in Firefox and WebKit: a first start, a photo read on the phone, a record, and the same without the host."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Error

from pocket.serving import serving
from tests.e2e.support.engines import FIREFOX
from tests.e2e.support.pages import Board, screen
from tests.e2e.support.pocket import choose_book
from tests.e2e.support.webdriver.expecting import expect
from tests.e2e.support.webdriver.page import Framed, Page, firefox, started

STARTS = 300.0  # seconds: a first start on a busy machine
ALL_KEPT = "html[data-whole]"


@pytest.fixture
def open_browser(tmp_path: Path) -> Iterator[Callable[[], Page]]:
    """Opens a browser at phone size. Firefox keeps its storage from one to the next; WebKit forgets it."""
    drivers = []

    def start() -> Page:
        drivers.append(firefox(tmp_path / "profile") if FIREFOX else started())
        page = Page(drivers[-1])
        page.set_viewport_size({"width": 390, "height": 844})
        return page

    yield start
    for driver in drivers:
        driver.quit()


def wait_for(page: Page, selector: str) -> None:
    """Until the shell has this element."""
    page.wait_for_function("selector => document.querySelector(selector) !== null", arg=selector, timeout=1000 * STARTS)


def application(page: Page) -> Board:
    """The application in the shell's frame, once it has come: after a first start the shell loads it once more."""
    late = time.monotonic() + STARTS
    while True:
        page.driver.switch_to.default_content()
        wait_for(page, "html[data-started] iframe#app")
        page.driver.switch_to.frame("app")
        board = Board(Framed(page.driver))  # type: ignore[arg-type]
        try:
            board.page.wait_for_function("document.querySelector('main') !== null")
            board.settle()
            return board
        except Error:
            if time.monotonic() > late:
                raise


def test_a_photo_is_read_and_kept_and_all_is_there_without_the_host(
    folder: Path, open_browser: Callable[[], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "PATIENCE", STARTS / 2)  # photos are read in the phone
    with serving(folder) as address:
        page = open_browser()
        begun = time.monotonic()
        page.goto(address)
        wait_for(page, ALL_KEPT)  # the first start loads its frame once more
        board = application(page)
        print(f"first start {time.monotonic() - begun:.1f} s", file=sys.stderr)
        choose_book(board)
        begun = time.monotonic()
        board.sample()
        print(f"photo of the sample {time.monotonic() - begun:.1f} s", file=sys.stderr)
        board.say_at_once()
        total = board.total()
        assert total > 0
        board.name_players("阿明")
        board.keep()
    page.driver.switch_to.default_content()
    page.goto("about:blank")
    page.goto(address)  # nobody answers there any more
    board = application(page)
    board.link("戰績", exact=True)
    expect(board.page.locator(".record-row")).to_have_count(1)
    board.follow(board.page.locator(".record-row"))
    expect(board.page.locator("h1")).to_have_text("阿明胡牌")
