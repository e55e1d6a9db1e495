"""No internet: no request to any other host, and a page on the home screen reports that the computer is away."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.support.accessibility import SIZES
from tests.e2e.support.pages import Board, holds
from tests.serving import listen_apart
from webui import create_app
from webui.lan.addresses import listen
from webui.lan.waitress_front import Server, make_server


class Switch:
    """A page that can be switched off and on again at the same address."""

    def __init__(self) -> None:
        self.port = 0
        self._running: tuple[Server, threading.Thread] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def on(self) -> None:
        listener = listen("127.0.0.1", self.port) if self.port else listen_apart()
        self.port = listener.getsockname()[1]
        server = make_server(create_app({}), [listener])
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        self._running = server, thread

    def off(self) -> None:
        if self._running:
            server, thread = self._running
            server.close()
            thread.join(5)
            self._running = None


@pytest.fixture
def switch() -> Iterator[Switch]:
    made = Switch()
    made.on()
    yield made
    made.off()


@pytest.fixture
def with_worker(browser: Browser) -> Iterator[Any]:
    """A page with its service worker; not `open_page`, because what fails while the computer is away is logged."""
    contexts: list[BrowserContext] = []

    def make(size: str, address: str, within: Browser = browser, **options: Any) -> Page:
        width, height = SIZES[size]
        context = within.new_context(
            viewport={"width": width, "height": height}, service_workers="allow", **{"locale": "zh-TW", **options}
        )
        context.set_default_timeout(20_000)
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        return page

    yield make
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    ("size", "locale", "sentence"),
    [("phone", "zh-TW", "連不到電腦"), ("laptop", "en-GB", "The computer cannot be reached")],
)
def test_while_the_computer_is_away_the_page_says_so_and_comes_back(
    size: str, locale: str, sentence: str, switch: Switch, with_worker: Any, shoot: Any
) -> None:
    page = with_worker(size, switch.address, locale=locale)
    switch.off()
    page.goto(switch.address)
    expect(page.get_by_role("heading", name=sentence)).to_be_visible()
    holds(page, lambda: page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius") != "0px")
    if size == "phone" and locale == "zh-TW":
        shoot(page, "phone-away")
    switch.on()
    expect(page.locator("#camera")).to_have_count(1)  # by itself


def test_a_choice_that_did_not_arrive_is_not_lit(switch: Switch, with_worker: Any) -> None:
    """放槍 lit over the tally of a self-draw would be a wrong number without a word."""
    page = with_worker("phone", switch.address)
    board = Board(page)
    page.context.add_cookies([{"name": "rules", "value": "luohan", "url": switch.address}])
    page.goto(switch.address)
    board.sample()
    board.choose_winning_tile()
    board.how()
    switch.off()
    board.press(page.locator("label", has=page.locator("#win-discard")))
    expect(page.locator("#notice")).to_be_visible()
    expect(page.locator("#win-self_draw")).to_be_checked()
    expect(page.locator(".total-how")).to_contain_text("自摸")


def test_the_worker_shows_no_old_page_while_the_computer_is_there(switch: Switch, with_worker: Any) -> None:
    page = with_worker("phone", switch.address)
    board = Board(page)
    board.read()
    board.reload()
    expect(page.locator("#hand")).to_be_visible()
    kept = page.evaluate("caches.open('paitai-shell').then(cache => cache.keys()).then(all => all.map(one => one.url))")
    assert f"{switch.address}offline" in kept
    assert all("/static/" in url and "?v=" in url for url in kept if not url.endswith("/offline"))


def test_every_request_is_to_this_host(address: str, with_worker: Any, page_paths: list[str]) -> None:
    """On a phone and, turned to another size, on a laptop: what a page asks for does not depend on its language."""
    page = with_worker("phone", address)
    board = Board(page)
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    for path in (*page_paths, "/no-such-page"):
        page.goto(address.rstrip("/") + path)
        page.wait_for_load_state()
        for size in ("laptop", "phone"):
            width, height = SIZES[size]
            page.set_viewport_size({"width": width, "height": height})
    page.goto(address)
    board.read()
    board.open_tile(0)
    assert len(asked) > 50
    assert [url for url in asked if not url.startswith((address, "blob:", "data:"))] == []


def test_it_can_be_put_on_the_home_screen(switch: Switch, with_worker: Any, launch: Callable[..., Browser]) -> None:
    page = with_worker("phone", switch.address, launch(whole=True))
    link = page.locator('link[rel="manifest"]').get_attribute("href")
    manifest = page.request.get(switch.address.rstrip("/") + str(link)).json()
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "/"
    assert manifest["name"]
    sizes = {(one["sizes"], one["purpose"]) for one in manifest["icons"] if one["type"] == "image/png"}
    assert sizes == {(f"{side}x{side}", purpose) for side in (192, 512) for purpose in ("any", "maskable")}
    for one in manifest["icons"]:
        answer = page.request.get(switch.address.rstrip("/") + one["src"])
        assert answer.ok
        if one["type"] == "image/png":
            picture = Image.open(io.BytesIO(answer.body()))
            assert f"{picture.width}x{picture.height}" == one["sizes"]
    touch = page.locator('link[rel="apple-touch-icon"]').get_attribute("href")
    picture = Image.open(io.BytesIO(page.request.get(switch.address.rstrip("/") + str(touch)).body()))
    assert (picture.size, picture.mode) == ((180, 180), "RGB")
    session = page.context.new_cdp_session(page)
    found = [one["errorId"] for one in session.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert found == ["in-incognito"]  # as every page of a test is
