"""Playwright's ``expect`` for the locators of WebKit: each check is repeated until it holds."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect as playwright_expect

from tests.e2e.support.engines import PATIENCE
from tests.e2e.support.webdriver.locator import STEP, Locator
from tests.e2e.support.webdriver.page import Page


def _same(text: str, wanted: Any) -> bool:
    if isinstance(wanted, re.Pattern):
        return bool(wanted.search(text))
    return " ".join(text.split()) == " ".join(str(wanted).split())


def _contains(text: str, wanted: Any) -> bool:
    if isinstance(wanted, re.Pattern):
        return bool(wanted.search(text))
    return " ".join(str(wanted).split()) in " ".join(text.split())


def _texts(part: Locator) -> list[str]:
    return list(part.ask("return elements.map((element) => element.textContent);"))


def _each(part: Locator, wanted: Any, fits: Callable[[str, Any], bool]) -> bool:
    texts = _texts(part)
    if isinstance(wanted, list):
        return len(texts) == len(wanted) and all(map(fits, texts, wanted))
    return len(texts) == 1 and fits(texts[0], wanted)


def _attribute(part: Locator, name: str, *wanted: Any) -> bool:
    value = part.get_attribute(name) if part.count() == 1 else None
    return value is not None and all(_same(value, each) for each in wanted)


VISIBLE = "return elements.length === 1 && shown(elements[0]);"
EMPTY = "return !elements[0].children.length && !elements[0].textContent.trim() && !elements[0].value;"
STYLE = "return getComputedStyle(elements[0]).getPropertyValue(argument);"
IN_VIEW = """if (elements.length !== 1) return false; const box = elements[0].getBoundingClientRect();
  return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;"""
CHECKS: dict[str, Callable[..., bool]] = {
    "to_be_visible": lambda part: bool(part.ask(VISIBLE)),
    "to_be_hidden": lambda part: not part.ask("return elements.some(shown);"),
    "to_be_in_viewport": lambda part, **_: bool(part.ask(IN_VIEW)),
    "to_be_empty": lambda part: part.count() == 1 and part.ask(EMPTY),
    "to_have_count": lambda part, count: part.count() == count,
    "to_have_text": lambda part, text: _each(part, text, _same),
    "to_contain_text": lambda part, text: _each(part, text, _contains),
    "to_have_value": lambda part, value: part.count() == 1 and _same(part.input_value(), value),
    "to_have_attribute": _attribute,
    "to_have_css": lambda part, name, value: part.count() == 1 and _same(part.ask(STYLE, name), value),
    "to_have_class": lambda part, value: part.count() == 1 and _same(part.get_attribute("class") or "", value),
    "to_be_checked": lambda part: part.count() == 1 and part.is_checked(),
    "to_be_focused": lambda part: bool(part.ask("return elements[0] === document.activeElement;")),
    "to_be_disabled": lambda part: bool(part.ask("return elements.length === 1 && elements[0].disabled;")),
    "to_be_enabled": lambda part: bool(part.ask("return elements.length === 1 && !elements[0].disabled;")),
    "to_be_attached": lambda part: part.count() == 1,
    "to_have_url": lambda page, url: _same(page.url, url),
    "to_have_title": lambda page, title: _same(page.title(), title),
}


class Expectation:
    """What is expected of a part of a page, or of a page."""

    def __init__(self, part: Locator | Page) -> None:
        self.part = part

    def __getattr__(self, name: str) -> Callable[..., None]:
        wanted = not name.startswith("not_")
        check = CHECKS[name.removeprefix("not_")]

        def hold(*values: Any, timeout: float = 1000 * PATIENCE, **named: Any) -> None:
            late = time.monotonic() + timeout / 1000
            while bool(check(self.part, *values, **named)) is not wanted:
                if time.monotonic() > late:
                    seen = _texts(self.part)[:3] if isinstance(self.part, Locator) else self.part.url
                    raise AssertionError(f"{name}{values} does not hold: {getattr(self.part, 'steps', '')} {seen}")
                time.sleep(STEP)

        return hold


class Expect:
    """As Playwright's ``expect``: called with a part, or with ``set_options``."""

    def __call__(self, part: Any, message: str | None = None) -> Any:
        return Expectation(part) if isinstance(part, (Locator, Page)) else playwright_expect(part, message)

    def set_options(self, timeout: float | None = None) -> None:
        playwright_expect.set_options(timeout=timeout)


expect = Expect()
