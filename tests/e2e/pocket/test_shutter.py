"""快門先到: the camera button is there before Python, and what was taken with it is read once Python is there."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from pocket.serving import Handler
from tests.e2e.support.accessibility import accessible_in_both_schemes
from tests.e2e.support.engines import CHROMIUM_FLAGS
from tests.e2e.support.pages.board import Board
from tests.e2e.support.pages.screen import no_sideways
from tests.e2e.support.pages.shell import Shell
from tests.e2e.support.pocket import STARTS, Phone, phone, started
from vision.photo.sample import sample_photo_path

MOST = 200_000
"""Bytes until there is a camera button."""
SENT = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((all, one) => all + one.transferSize, 0)"""
HELD = ("/python/", "/models/", "/pocket/network/")


class Slow(Handler):
    """A host whose large files do not come before `there` is set."""

    there: threading.Event

    def do_GET(self) -> None:
        """Wait with the files that take long on a real line."""
        if self.path.startswith(HELD):
            self.there.wait(STARTS / 1000)
        super().do_GET()


@pytest.fixture
def slow(folder: Path) -> Iterator[tuple[str, threading.Event]]:
    """The address of such a host, and the event that lets its large files come."""
    there = threading.Event()
    handler = type("Held", (Slow,), {"there": there})
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/", there
    there.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def new(browser: Browser, tmp_path: Path) -> Iterator[Phone]:
    """A phone that has never opened the address."""
    with phone(browser, tmp_path / "profile", CHROMIUM_FLAGS) as made:
        yield made


@pytest.mark.parametrize(("wish", "words"), [("photo", "照片收好了"), ("sample", "準備好就打開樣張")])
def test_what_is_wished_before_there_is_python_is_read_when_it_has_come(
    slow: tuple[str, threading.Event], new: Phone, wish: str, words: str
) -> None:
    address, there = slow
    page = new.shell(address)
    expect(page.locator("#shutter label").first).to_be_visible()
    expect(page.locator("#said")).to_contain_text("正在把拍台放進這支手機")
    assert 0 < page.evaluate(SENT) < MOST
    no_sideways(page)
    shell = Shell(page)
    if wish == "photo":
        shell.take(sample_photo_path())
    else:
        shell.sample()
    shell.waits(words)
    expect(page.locator("#said")).to_contain_text("%")
    page.reload(wait_until="commit")  # a phone throws the page away while its camera is open
    shell.waits(words)
    there.set()
    board = started(page)
    expect(board.page.locator("#hand")).to_be_visible(timeout=STARTS)
    assert len(board.tiles()) == 17 + 2
    page.goto("about:blank")  # nothing waits any more
    page.goto(address)
    board = started(page)
    expect(board.page.locator("#camera")).to_have_count(1)
    expect(board.page.locator("#waiting")).to_be_hidden()


def test_another_photo_can_be_taken_instead(slow: tuple[str, threading.Event], new: Phone) -> None:
    page = new.shell(slow[0])
    shell = Shell(page)
    shell.take(sample_photo_path())
    shell.another()
    expect(page.locator("#shutter label").first).to_be_visible()
    accessible_in_both_schemes(page)


def test_the_demo_is_an_address(hosted: str, one: Phone, tmp_path: Path) -> None:
    page = one.shell(f"{hosted}#demo")
    board = started(page)
    expect(board.page.locator("#hand")).to_be_visible(timeout=STARTS)
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(sample_photo_path().read_bytes()[:400])
    Shell(page).take(broken)  # its chooser was open when the application came
    expect(Board(board.page).page.get_by_text("照片檔案壞了")).to_be_visible(timeout=STARTS)
