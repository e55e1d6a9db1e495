"""口袋版 in Firefox or WebKit: a browser with its storage, which can be closed or killed and opened again."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Error
from selenium.webdriver.remote.webdriver import WebDriver

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "benchmarks"))

from processes import tree

from tests.e2e.support.pages import Board
from tests.e2e.support.pocket import MEMORY, WRITTEN, choose_book
from tests.e2e.support.webdriver.page import Framed, Page
from tests.e2e.support.webdriver.starting import kept
from tests.processes import alive, left_after

STARTS = 900.0  # seconds: a first start on a busy machine
IN_FRAME = 30_000  # milliseconds before the shell is asked again which page its frame has
ENDS = 60.0  # seconds until all processes of a browser have ended
ALL_KEPT = "html[data-whole]"


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
            board.page.wait_for_function("document.querySelector('main') !== null", timeout=IN_FRAME)
            board.settle()
            return board
        except Error:
            if time.monotonic() > late:
                raise


class KeptPhone:
    """A browser at phone size. ``profile``: the folder of its storage."""

    def __init__(self, profile: Path) -> None:
        self.profile = profile
        self._driver: WebDriver | None = None

    def start(self, *, narrow: bool = False) -> Page:
        """The browser's tab; the browser is started if it is not running."""
        if self._driver is None:
            self._driver = kept(self.profile, narrow=narrow)
        self._driver.switch_to.default_content()  # the frame that it looked into may be gone
        page = Page(self._driver)
        page.set_viewport_size({"width": 390, "height": 844})
        return page

    def open(self, address: str) -> Board:
        """The application, in the tab that the driver shows."""
        page = self.start()
        page.goto("about:blank")  # the address alone, without its fragment, would only move the page that is there
        page.goto(address)
        return application(page)

    def first_start(self, address: str) -> Board:
        """The application on a phone that has never opened it, with a rule book, when all of it is kept."""
        page = self.start()
        page.goto(address)
        wait_for(page, ALL_KEPT)  # the first start loads its frame once more
        board = application(page)
        choose_book(board)
        page.driver.switch_to.default_content()
        page.wait_for_function(MEMORY, timeout=1000 * STARTS)
        page.wait_for_timeout(WRITTEN)
        return application(page)

    def be_patient(self) -> None:
        """A script may take as long as a first start, until the browser is closed: one that reads a large photo."""
        assert self._driver is not None
        self._driver.set_script_timeout(STARTS)

    def new_tab(self) -> Page:
        """Another tab, which the driver shows from now on."""
        assert self._driver is not None
        self._driver.switch_to.new_window("tab")
        return self.start()

    def show_tab(self, place: str) -> Page:
        """The tab of this handle."""
        assert self._driver is not None
        self._driver.switch_to.window(place)
        return Page(self._driver)

    def close(self) -> None:
        """End the browser as its user does, and wait until nothing of it can still write."""
        if self._driver is not None:
            processes = tree(self._driver.service.process.pid)  # type: ignore[attr-defined]
            self._driver.quit()
            self._driver = None
            left_after(ENDS, lambda: {pid: "" for pid in processes if alive(pid)})

    def kill(self) -> None:
        """End the browser as a power cut does: SIGKILL to its driver and every process of it at once."""
        assert self._driver is not None
        for pid in tree(self._driver.service.process.pid):  # type: ignore[attr-defined]
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.close()


@contextlib.contextmanager
def kept_phone(profile: Path) -> Iterator[KeptPhone]:
    """A phone for one test."""
    phone = KeptPhone(profile)
    try:
        yield phone
    finally:
        phone.close()
