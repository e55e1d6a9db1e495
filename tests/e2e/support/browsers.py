"""Browser contexts that tests use one after the other.

A new context costs about a second of processor time: its cache is empty, so it fetches and compiles every script and
picture again. Here a context goes from test to test with its cache, whose addresses contain a hash. Pages, cookies,
storage and service workers of one test are removed before the next begins.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Frame, Page

from tests.e2e.support.engines import PATIENCE

STORED = "cookies,indexeddb,local_storage,service_workers,cache_storage"


@dataclass
class Used:
    """A context, and the origins of the pages it has shown since it was last cleared."""

    context: BrowserContext
    origins: set[str] = field(default_factory=set)
    blank: Page | None = None  # stays open: with it the process stays that shows the next test's pages

    def follow(self, page: Page) -> None:
        page.on("framenavigated", self._note)

    def _note(self, frame: Frame) -> None:
        parts = urlsplit(frame.url)
        if parts.scheme in ("http", "https"):
            self.origins.add(f"{parts.scheme}://{parts.netloc}")


class Contexts:
    """The contexts that are free, by browser and options."""

    def __init__(self) -> None:
        self._free: defaultdict[tuple[Browser, str], list[Used]] = defaultdict(list)

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[Borrowed]:
        """For the time of one test: what it asks for, and everything given back at the end."""
        borrowed = Borrowed(self._free)
        try:
            yield borrowed
        finally:
            borrowed.give_back()


class Borrowed:
    """The contexts of one test."""

    def __init__(self, free: defaultdict[tuple[Browser, str], list[Used]]) -> None:
        self._free = free
        self._taken: list[tuple[tuple[Browser, str], Used]] = []

    def page(self, browser: Browser, **options: Any) -> Page:
        """An empty page in a context with these options that no other page of this test uses.

        Without the service worker unless requested: after each test it would fetch and store the whole page again.
        """
        options = {"service_workers": "block", **options}
        key = (browser, repr(sorted(options.items())))
        if self._free[key]:
            used = self._free[key].pop()
        else:
            used = Used(browser.new_context(**options))
            used.context.set_default_timeout(1000 * PATIENCE)
            used.blank = used.context.new_page()
            used.context.on("page", used.follow)
        self._taken.append((key, used))
        page = used.context.new_page()
        if used.origins:
            session = used.context.new_cdp_session(page)  # of Chromium only: `give_back` keeps no other context
            for origin in sorted(used.origins):
                session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": STORED})
            session.detach()
            used.origins.clear()
        return page

    def give_back(self) -> None:
        """Close every page; a context that cannot be tidied is closed for good."""
        for key, used in self._taken:
            try:
                for page in used.context.pages:
                    if page is not used.blank:
                        page.close()
                used.context.clear_cookies()
                if key[0].browser_type.name != "chromium":
                    used.context.close()
                    continue
            except Error:
                with contextlib.suppress(Error):
                    used.context.close()
            else:
                self._free[key].append(used)
        self._taken.clear()
