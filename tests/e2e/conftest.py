"""A real browser against the real page, reader and rules: Chromium, or the engine that PAITAI_ENGINE names."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.support.accessibility import SIZES
from tests.e2e.support.browsers import Contexts
from tests.e2e.support.engines import PATIENCE, WEBKIT, Look, launched, skip_impossible, take_look
from tests.e2e.support.evenings import reader, served
from tests.e2e.support.pages.screen import HOMES
from tests.e2e.support.slow_server import SLOW, slowly

SCREENSHOTS = Path(__file__).parents[2] / "docs" / "screenshots"
HEAVY = 300_000  # bytes
SHOWN = (  # in the README
    *("phone-start", "phone-read", "phone-tile", "phone-answer", "phone-dark", "phone-settle", "phone-table"),
    *("phone-record", "phone-live", "laptop", "laptop-english", "laptop-table", "laptop-house"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that the chosen engine cannot run are skipped with their reason."""
    skip_impossible(items)


@pytest.fixture(scope="session", autouse=True)
def slow_server() -> Iterator[None]:
    """With PAITAI_SLOW=1 every server of the run is slow on purpose (tests/e2e/support/slow_server.py)."""
    patch = pytest.MonkeyPatch()
    if SLOW:
        patch.setattr(Flask, "wsgi_app", slowly(Flask.wsgi_app))
    yield
    patch.undo()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The page with the real reader and the real rules."""
    yield from served({"READER": reader()})


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Browser]]:
    """Starts a browser with further flags, or with `whole` or a `look`; all are closed at the end."""
    expect.set_options(timeout=1000 * PATIENCE)  # the machine may be busy with other things
    with sync_playwright() as playwright:
        browsers: list[Browser] = []

        def start(*flags: str, whole: bool = False, look: Look | None = None) -> Browser:
            browsers.append(launched(playwright, *flags, whole=whole, look=look))
            return browsers[-1]

        yield start
        for browser in browsers:
            browser.close()


@pytest.fixture(scope="session")
def browser(launch: Callable[..., Browser]) -> Browser:
    """One browser for most tests."""
    return launch()


@pytest.fixture(scope="session")
def browser_of(launch: Callable[..., Browser], browser: Browser) -> Callable[[Look], Browser]:
    """The browser that has a look: the usual one, or one of its own, started when the first test needs it."""
    started = {Look(): browser}

    def find(look: Look) -> Browser:
        if look not in started:
            started[look] = launch(look=look)
        return started[look]

    return find


@pytest.fixture(scope="session")
def browser_contexts() -> Contexts:
    """The contexts that go from test to test."""
    return Contexts()


@pytest.fixture(scope="session")
def page_paths() -> list[str]:
    """The path of every page that needs no number of a record, new ones too."""
    from webui import create_app

    no_pages = {"/manifest.webmanifest", "/sw.js", "/paitai-ca.crt", "/hand", "/line"}
    no_pages |= {"/records/head.json", "/api/openapi.json", "/api/datasets", "/backup/paitai.zip"}
    rules = create_app({"SECRET_KEY": "x"}).url_map.iter_rules()
    return sorted({rule.rule for rule in rules if "GET" in (rule.methods or ()) and not rule.arguments} - no_pages)


Open = Callable[..., Page]


def _any(parts: tuple[str, ...], text: str) -> bool:
    return any(part in text for part in parts)


@pytest.fixture
def open_page(request: pytest.FixtureRequest, address: str, browser_contexts: Contexts) -> Iterator[Open]:
    """Opens the start page: `open_page("phone", locale="en-GB", color_scheme="dark", java_script_enabled=False)`.

    `within`: another browser than the usual one. `book`: the rule book chosen on it before, "" for none.
    `blank`: nothing is opened, as the test goes to another page at once.
    At the end no page may have logged an error: that would be a broken script or something the policy forbids.
    """
    if WEBKIT:
        from tests.e2e.support.webdriver.opening import opener

        yield from opener(address, SIZES)
        return
    browser_of = request.getfixturevalue("browser_of")
    errors: list[str] = []
    expected = (
        "the server responded with a status of 4",
        "net::ERR_FAILED",
        "net::ERR_INTERNET_DISCONNECTED",
    )  # what tests provoke

    def make(
        size: str = "phone", *, within: Browser | None = None, book: str = "luohan", blank: bool = False, **options: Any
    ) -> Page:
        width, height = SIZES[size]
        look = take_look(options, touch=size == "phone")
        page = borrowed.page(
            within or browser_of(look),
            **{
                "viewport": {"width": width, "height": height},
                "device_scale_factor": 2 if size == "phone" else 1,
                "locale": "zh-TW",
                "has_touch": size == "phone",
                **options,
            },
        )
        if book:
            page.context.add_cookies([{"name": "rules", "value": book, "url": address}])
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda said: errors.append(said.text) if said.type == "error" and not _any(expected, said.text) else None,
        )
        if blank:
            HOMES[page] = address
        else:
            page.goto(address)
        return page

    with browser_contexts.borrowed() as borrowed:
        yield make
    assert errors == []


def _keep_small(png: bytes, path: Path) -> None:
    """A picture for the README: it must not make the page heavy."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, optimize=True)
    if path.stat().st_size >= HEAVY:
        picture.quantize(256, kmeans=3, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size < HEAVY, f"{path.name}: {path.stat().st_size} bytes"


@pytest.fixture
def shoot(tmp_path: Path) -> Callable[[Page, str], None]:
    """The page as it is for a picture, every image fetched and drawn. With PAITAI_SCREENSHOTS=1 the picture is kept, in
    the test's own folder or, one of `SHOWN`, for the README. Otherwise none is taken: no test looks at them."""
    wanted = os.environ.get("PAITAI_SCREENSHOTS") == "1"

    def take(page: Page, name: str) -> None:
        page.evaluate("document.fonts.ready")
        page.evaluate(
            "Promise.all([...document.images].map(image => {"
            " image.loading = 'eager'; return image.decode().catch(() => null); }))"
        )
        if not wanted:
            return
        picture = page.screenshot(animations="disabled")
        if name in SHOWN:
            _keep_small(picture, SCREENSHOTS / f"{name}.png")
        else:
            (tmp_path / f"{name}.png").write_bytes(picture)

    return take
