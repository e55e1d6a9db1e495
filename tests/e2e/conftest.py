"""A real Chromium against the real page, reader and rules."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.support.browsers import Contexts
from tests.e2e.support.evenings import reader, served
from tests.e2e.support.pages.screen import HOMES
from tests.e2e.support.slow_server import SLOW, slowly

SHELL = "chromium-headless-shell"
PLACES = (  # the shell without windows first: the same pages take about half of the processor time
    *("/usr/bin/chromium-headless-shell", "/usr/bin/chromium"),
    *("/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"),
    *("/snap/bin/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    *("/Applications/Chromium.app/Contents/MacOS/Chromium", r"C:\Program Files\Google\Chrome\Application\chrome.exe"),
)
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    # the pages of a context share a process: one more costs a quarter of the processor time of a page's first showing
    *("--disable-site-isolation-trials", "--renderer-process-limit=1"),
)
SIZES = {"phone": (390, 844), "laptop": (1280, 800)}
SCREENSHOTS = Path(__file__).parents[2] / "docs" / "screenshots"
HEAVY = 300_000  # bytes
SHOWN = (  # in the README
    *("phone-start", "phone-read", "phone-tile", "phone-answer", "phone-dark", "phone-settle", "phone-table"),
    *("phone-record", "phone-live", "laptop", "laptop-english", "laptop-table", "laptop-house"),
)


def find_chromium(*, whole: bool = False) -> str:
    """PAITAI_CHROMIUM, else the usual places; fails with installation help, never skips. ``whole``: not the headless
    shell, which cannot install a page on a home screen."""
    named = os.environ.get("PAITAI_CHROMIUM")
    if named and not (whole and SHELL in named):
        if Path(named).is_file():
            return named
        pytest.fail(f"PAITAI_CHROMIUM names {named}, which is no file", pytrace=False)
    for place in PLACES:
        if Path(place).is_file() and not (whole and SHELL in place):
            return place
    for name in NAMES:
        found = shutil.which(name)
        if found and not (whole and SHELL in name):
            return found
    pytest.fail(
        "No Chromium found. Install one (Debian: apt-get install chromium fonts-noto-cjk), "
        "or name yours in the environment variable PAITAI_CHROMIUM.",
        pytrace=False,
    )


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
    """Starts a Chromium with further flags, or with `whole`; all are closed at the end."""
    expect.set_options(timeout=20_000)  # the machine may be busy with other things
    with sync_playwright() as playwright:
        launched: list[Browser] = []

        def start(*flags: str, whole: bool = False) -> Browser:
            path = find_chromium(whole=whole)
            launched.append(playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags]))
            return launched[-1]

        yield start
        for one in launched:
            one.close()


@pytest.fixture(scope="session")
def browser(launch: Callable[..., Browser]) -> Browser:
    """One Chromium for most tests."""
    return launch()


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
def open_page(browser: Browser, address: str, browser_contexts: Contexts) -> Iterator[Open]:
    """Opens the start page: `open_page("phone", locale="en-GB", color_scheme="dark", java_script_enabled=False)`.

    `within`: another browser than the usual one. `book`: the rule book chosen on it before, "" for none.
    `blank`: nothing is opened, as the test goes to another page at once.
    At the end no page may have logged an error: that would be a broken script or something the policy forbids.
    """
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
        page = borrowed.page(
            within or browser,
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
