"""What `open_page` does in WebKit: one browser a test, without what it kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e.support.pages.screen import HOMES
from tests.e2e.support.webdriver.page import Page
from tests.e2e.support.webdriver.starting import webkit

DRIVER_HAS_NOT = {"java_script_enabled": True, "color_scheme": "light", "locale": "zh-TW"}
"""Options of a page that the driver cannot set, and the only value that it shows."""


def opener(address: str, sizes: dict[str, tuple[int, int]]) -> Iterator[Callable[..., Page]]:
    """Opens the start page of ``address``, as `open_page` does in the other engines.

    A test that asks for an option which the driver cannot set is skipped with that reason.
    """
    drivers = []

    def make(size: str = "phone", *, book: str = "luohan", blank: bool = False, **options: Any) -> Page:
        for name, only in DRIVER_HAS_NOT.items():
            if options.get(name, only) != only:
                pytest.skip(f"webkit: its driver cannot set {name}")
        if options.get("within"):
            pytest.skip("webkit: its driver has no second browser with other flags")
        drivers.append(webkit())
        page = Page(drivers[-1])
        width, height = sizes[size]
        page.set_viewport_size({"width": width, "height": height})
        if book:
            page.context.add_cookies([{"name": "rules", "value": book, "url": address}])
        if blank:
            HOMES[page] = address  # type: ignore[index]
            page.goto("about:blank")
        else:
            page.goto(address)
        return page

    try:
        yield make
    finally:
        for driver in drivers:
            driver.quit()
