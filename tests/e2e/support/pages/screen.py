"""Any page: its verbs, each with the condition under which it is done."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from playwright.sync_api import Error, FilePayload, Locator, Page, Route, expect

from tests.e2e.support.engines import PATIENCE

T = TypeVar("T")

HOMES: WeakKeyDictionary[Page, str] = WeakKeyDictionary()
"""The server of a page that shows nothing yet: there it goes by a path."""

# `data-answers` in <html> counts the answers inserted by scripts (js/shared/answers.js). Another page starts at zero
# and
# has no <html> for a moment.
COUNT = "[performance.timeOrigin, Number(document.documentElement?.dataset.answers ?? 0)]"
GROWN = f"""([page, count]) => {{ const [here, now] = {COUNT}; return now > (here === page ? count : 0); }}"""
# On a page with a hand or a camera button, scripts first restore the previous hand.
SETTLED = """() => document.readyState === "complete" && (document.documentElement?.dataset.answers
  || !document.querySelector('script[type=module][src*="/board/main.js"]'))"""
AWAITED = """(condition, argument, patience) => condition(argument) || new Promise((resolve) => {
  const ask = () => { if (condition(argument)) resolve(true); };
  new MutationObserver(ask).observe(document, { subtree: true, attributeFilter: ["data-answers"] });
  addEventListener("load", ask);
  setTimeout(() => resolve(false), 1000 * patience);
})"""
LEFT = "context was destroyed"  # the error if a page is left during a query
SCRIPTED = "document.documentElement.classList.contains('js')"
PRESSED = "control => (control.getAttribute('aria-pressed') ?? '') + control.checked"


def becomes(page: Page, read: Callable[[], T], wanted: T | Callable[[T], bool]) -> T:
    """Read until the value is as wanted: equal, or accepted by a function. Returns it. For checks beyond `expect`."""
    late, pause = time.monotonic() + PATIENCE, 25.0
    while True:
        value = read()
        if wanted(value) if callable(wanted) else value == wanted:
            return value
        if time.monotonic() > late:
            raise AssertionError(f"{value!r} did not become {'what was wanted' if callable(wanted) else repr(wanted)}")
        page.wait_for_timeout(pause)
        pause = min(2 * pause, 200)


def until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until ``condition``, a JavaScript function of ``argument``, is true of the current page or a later one.

    It is checked whenever ``data-answers`` changes and once the page is complete. Playwright's own wait injects a
    script into each new page, which takes a fifth of the processor time of showing it.
    """
    late = time.monotonic() + PATIENCE
    while time.monotonic() < late:
        try:
            if page.evaluate(
                f"([argument, patience]) => ({AWAITED})({condition}, argument, patience)", [argument, PATIENCE]
            ):
                return
        except Error as error:
            if LEFT not in error.message:
                raise
    raise AssertionError(f"{condition} did not become true, given {argument!r}")


def holds(page: Page, told: Callable[[], bool]) -> None:
    """Wait until this is true of the page. For what `expect` cannot tell."""
    becomes(page, lambda: bool(told()), True)


PROBE, CAUGHT = "/static/icon.svg?caught", "caught"


def catch(page: Page, address: str | re.Pattern[str], answer: Callable[[Route], Any], times: int | None = None) -> None:
    """Answer requests of a page in the server's place, from now on.

    While the browser starts to hold requests back, some requests of the open page still pass unnoticed. So this sends a
    request of its own until it is caught.
    """
    page.route(address, answer, times=times)
    if page.url == "about:blank":
        return
    page.route(re.compile(re.escape(PROBE) + "$"), lambda probe: probe.fulfill(body=CAUGHT))
    becomes(page, lambda: page.evaluate("probe => fetch(probe).then((answer) => answer.text())", PROBE), CAUGHT)


def shows_heading(page: Page) -> None:
    """The page that was gone to is there, with a heading: asked without what an expectation brings into each page."""
    until(page, "() => document.querySelector('h1')?.checkVisibility()")


def box_of(part: Locator) -> dict[str, float]:
    """The position of an element on the screen once it exists: x, y, width, height."""
    expect(part).to_be_visible()
    box = part.bounding_box()
    assert box is not None
    return dict(box)


def no_sideways(page: Page) -> None:
    """Nothing sticks out of the screen."""
    holds(page, lambda: page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


class Screen:
    """An open page with its verbs. ``page``: for reading."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def scripted(self) -> bool:
        """Whether its scripts run."""
        return bool(self.page.evaluate(SCRIPTED))

    def settle(self) -> None:
        """Wait until the new page is complete and its scripts have restored the previous hand."""
        self.page.wait_for_load_state()
        if self.scripted:
            until(self.page, SETTLED)

    def goto(self, address: str) -> None:
        self.page.goto(address)
        self.settle()

    def go(self, path: str) -> None:
        """To a page of the same server by its path."""
        blank = self.page.url == "about:blank"
        origin = HOMES[self.page].rstrip("/") if blank else self.page.evaluate("location.origin")
        self.goto(origin + path)

    def reload(self) -> None:
        self.page.reload()
        self.settle()

    def follow(self, control: Locator) -> None:
        """Click what leads to another page, and wait until all of that is there."""
        self.left(control.click)

    def left(self, act: Callable[[], Any]) -> None:
        """Do what leads to another page, and wait until all of that is there."""
        if self.scripted:
            before = self.page.evaluate("performance.timeOrigin")
            act()
            until(self.page, "before => performance.timeOrigin !== before", before)
        else:
            with self.page.expect_navigation():
                act()
        self.settle()

    def link(self, name: str, *, exact: bool = False) -> None:
        self.follow(self.page.get_by_role("link", name=name, exact=exact).first)

    def button(self, name: str, *, exact: bool = False) -> None:
        """A button that leads to another page."""
        self.follow(self.page.get_by_role("button", name=name, exact=exact).first)

    def press(self, control: Locator, *, force: bool = False) -> None:
        """Click a control that scripts answer on the same page; without scripts, one that leads to the next page."""
        if not self.scripted:
            self.follow(control)
            return
        self.answered(lambda: control.click(force=force))

    def answered(self, act: Callable[[], Any]) -> None:
        """Do something that the page's scripts answer, and wait until the answer is inserted."""
        before = self.page.evaluate(COUNT)
        act()
        until(self.page, GROWN, before)

    def key(self, key: str) -> None:
        """A key whose answer changes the page."""
        self.answered(lambda: self.page.keyboard.press(key))

    def toggle(self, control: Locator) -> None:
        """Click something that the page changes at once, such as a switch or a crop, and wait until it looks
        different."""
        before = control.evaluate(PRESSED)
        control.click()
        becomes(self.page, lambda: control.evaluate(PRESSED), lambda now: now != before)

    def jump(self, link: Locator, place: Locator) -> None:
        """A link to a place of the same page."""
        link.click()
        expect(place).to_be_in_viewport()

    def reveal(self, control: Locator, part: Locator) -> None:
        """Click what shows another part of the page."""
        control.click()
        expect(part).to_be_visible()

    def conceal(self, control: Locator, part: Locator) -> None:
        """Click what takes a part of the page away."""
        control.click()
        expect(part).to_be_hidden()

    def unfold(self, selector: str, text: str = "") -> Locator:
        """Open the fold with this text in its heading; returns the ``details`` element."""
        heading = self.page.locator(":scope > summary", has_text=text or None)
        details = self.page.locator(selector).filter(has=heading).first
        details.locator("> summary").click()
        expect(details).to_have_attribute("open", "")
        return details

    def unfold_all(self) -> None:
        """Open everything that is folded."""
        self.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")

    def fill(self, selector: str, value: str) -> None:
        self.page.locator(selector).fill(value)
        expect(self.page.locator(selector)).to_have_value(value)

    def choose_files(self, selector: str, files: Any | FilePayload) -> None:
        self.page.set_input_files(selector, files)

    def download(self, control: Locator) -> Any:
        """Click a control that saves a file; returns the download."""
        with self.page.expect_download() as started:
            control.click()
        return started.value

    def speak(self, language: str) -> None:
        """Switch the language; the current hand returns in it."""
        self.follow(self.page.locator(".languages").get_by_role("button", name=language))
        expect(self.page.locator(".languages [aria-current]")).to_have_text(language)
