"""The page's scripts by themselves: loaded by `import()` into one blank page, no server and no Node."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

ROOT = "http://scripts.test/"
# Other scripts than the page's own: changed ones (benchmarks/reliability/script_mutants.py).
SOURCES = Path(os.environ.get("PAITAI_SCRIPTS") or Path(__file__).parents[3] / "webui/static/js")
CALL = """async ([module, name, given]) => {
  const found = await import(module);
  const made = await found[name](...given);
  return made === undefined ? null : made;
}"""
RUN = """async ([module, code, given]) => await (await eval(code))(await import(module), given)"""


class Scripts:
    """The blank page, and what its scripts export."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def call(self, module: str, name: str, *given: Any) -> Any:
        """The result of an exported function for these values."""
        return self.page.evaluate(CALL, [f"{ROOT}{module}", name, list(given)])

    def run(self, module: str, code: str, given: Any = None) -> Any:
        """The result of a function of the module's exports and a value: ``(module, given) => …``."""
        return self.page.evaluate(RUN, [f"{ROOT}{module}", code, given])

    def blank(self, body: str = "") -> None:
        """A fresh page: nothing is loaded, nothing is stored."""
        self.page.goto(ROOT)
        self.page.evaluate(
            """body => { localStorage.clear(); sessionStorage.clear(); document.body.innerHTML = body;
            return new Promise((done) => { indexedDB.deleteDatabase("paitai").onsuccess = () => done(null); }); }""",
            body,
        )


def _file(route: Route) -> None:
    path = SOURCES / route.request.url.removeprefix(ROOT)
    if path.suffix == ".js" and path.is_file():
        route.fulfill(body=path.read_bytes(), content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><title>blank</title><body></body>", content_type="text/html")


@pytest.fixture(scope="session")
def blank_page(browser: Browser) -> Iterator[Page]:
    """One page for all of these tests."""
    context = browser.new_context()
    context.set_default_timeout(20_000)
    context.route(f"{ROOT}**", _file)
    page = context.new_page()
    page.goto(ROOT)
    yield page
    context.close()


@pytest.fixture
def scripts(blank_page: Page) -> Scripts:
    """The modules as other tests left them, for modules without state."""
    return Scripts(blank_page)


@pytest.fixture
def anew(blank_page: Page) -> Scripts:
    """The modules in a page that has just come, and a browser that has kept nothing."""
    made = Scripts(blank_page)
    made.blank()
    return made
