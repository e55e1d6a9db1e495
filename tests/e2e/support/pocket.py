"""The pocket edition in a browser: built once a run, shown by its shell, driven by the same page objects."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page

from pocket.build.errors import BuildError
from pocket.build.site import build
from tests.e2e.support.engines import FIREFOX, kept
from tests.e2e.support.pages.board import Board

STARTS = 120_000  # milliseconds: a first start on a busy machine
WRITTEN = 2000  # milliseconds that a browser lets pass before a new cache is on the disk: without it a start is slow
KEPT = "indexeddb,local_storage"
HAND = {
    "flowers": "5f 6f",
    "meld:1": "4p 5p 6p",
    "meld:2": "7z 7z 7z",
    "concealed": "1p 2p 3p 5p 5p 7p 9p 1z 1z 1z",
    "winning": "8p",
}
IS_EMPTY = """fetch("/pocket").then((page) => page.text()).then((text) => text.includes("data-empty"))"""
CLEAR = """async () => {
  localStorage.clear();
  for (const { name } of await indexedDB.databases()) {
    await new Promise((done) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = request.onerror = request.onblocked = done;
    });
  }
}"""
KINDS = {"1": "chow", "2": "pung"}
MEMORY = """async () => {
  const name = (await caches.keys()).find((one) => one.startsWith("paitai-memory "));
  return Boolean(name && (await (await caches.open(name)).keys()).length);
}"""
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 1, "locale": "zh-TW", "has_touch": True}


def built(folder: Path) -> Path:
    """The built folder. Tests that need it skip with a reason if npm is missing."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("pocket was not built: " + BuildError("no_npm").message("en"))
    return build(folder).folder


class InFrame:
    """The application's page in the frame of the shell, with the interface of a page; the shell's page has the rest."""

    def __init__(self, shell: Page, frame: Frame) -> None:
        self._shell, self._frame = shell, frame

    def __getattr__(self, name: str) -> Any:
        return getattr(self._frame if hasattr(self._frame, name) else self._shell, name)


class Phone:
    """A browser with its storage, which can be closed and opened again."""

    def __init__(self, browser: Browser, profile: Path, flags: tuple[str, ...]) -> None:
        self._type, self.profile, self._flags = browser.browser_type, profile, flags
        self._context: BrowserContext | None = None
        self.errors: list[str] = []

    @property
    def context(self) -> BrowserContext:
        """The browser, started if it is not running."""
        if self._context is None:
            self._context = kept(self._type, self.profile, *self._flags, **PHONE)
            self._context.set_default_timeout(20_000)
        return self._context

    def shell(self, address: str) -> Page:
        """A new tab with the shell."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address, wait_until="commit")
        return page

    def open(self, address: str) -> tuple[Page, Board]:
        """A new tab, and the application in it."""
        page = self.shell(address)
        return page, started(page)

    def full(self, address: str) -> None:
        """No room for more of what this host's pages keep, until the browser is closed."""
        session = self.context.new_cdp_session(self.context.pages[0])
        session.send("Storage.overrideQuotaForOrigin", {"origin": address.rstrip("/"), "quotaSize": 1})

    def wait_until_kept(self, page: Page) -> None:
        """Wait until everything of this build is on the phone, and Python's memory for the next start."""
        page.wait_for_selector("html[data-whole]", state="attached", timeout=STARTS)
        page.wait_for_function(MEMORY, timeout=STARTS)
        page.wait_for_timeout(WRITTEN)

    def forget(self, page: Page, address: str) -> Board:
        """The application as on a phone that has all its files, and has recorded nothing."""
        board = started(page)
        if board.page.evaluate(IS_EMPTY):
            return board
        if FIREFOX:
            page.goto(f"{address}/icon.svg")  # the application is closed, its address is not left
            page.evaluate(CLEAR)
        else:
            page.goto("about:blank")
            session = self.context.new_cdp_session(page)
            session.send("Storage.clearDataForOrigin", {"origin": address.rstrip("/"), "storageTypes": KEPT})
            session.detach()
        page.goto(address, wait_until="commit")
        return started(page)

    def close(self) -> None:
        if self._context is not None:
            self._context.close()
            self._context = None


def started(page: Page) -> Board:
    """The application's page, when it has come."""
    page.wait_for_selector("html[data-started] iframe#app", timeout=STARTS)
    frame = page.query_selector("#app").content_frame()  # type: ignore[union-attr]
    assert frame is not None
    frame.wait_for_selector("main", timeout=STARTS)
    board = Board(InFrame(page, frame))  # type: ignore[arg-type]
    board.settle()
    return board


@dataclass(frozen=True)
class Opened:
    """A phone that goes from test to test, and the tab that has the application."""

    phone: Phone
    address: str
    tab: Page


@contextlib.contextmanager
def phone(browser: Browser, profile: Path, flags: tuple[str, ...]) -> Iterator[Phone]:
    """A phone for one test or one module; no page of it may have had an error."""
    one = Phone(browser, profile, flags)
    try:
        yield one
    finally:
        one.close()
    assert one.errors == []


def choose_book(board: Board) -> None:
    """The first rule book that the start page offers."""
    board.follow(board.page.locator(".first-book button").first)


def type_hand(board: Board) -> None:
    """The sample's hand, tapped in, self-drawn by the dealer."""
    board.press(board.page.locator('button[name="manual"]'))
    for code in HAND["flowers"].split():
        board.add_tile(code)
    for number, kind in KINDS.items():
        board.press(board.sheet.locator(f"label:has(#into-{kind})"))
        board.add_tile(HAND[f"meld:{number}"].split()[0])
    for code in (*HAND["concealed"].split(), HAND["winning"]):
        board.add_tile(code)
    board.say_how_it_was_won()


def put_hand(board: Board) -> None:
    """The same hand with one request instead of sixteen: for tests that are about something else."""
    board.press(board.page.locator('button[name="manual"]'))
    nothing = {"b": None, "c": None, "o": [], "w": None, "k": True, "p": True}
    tiles = [{"t": code, "g": group, **nothing} for group, codes in HAND.items() for code in codes.split()]
    board.edit_state(f"Object.assign(state, {json.dumps({'tiles': tiles, 'kinds': KINDS})})")
    board.say_at_once()
