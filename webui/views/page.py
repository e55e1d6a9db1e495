"""頁: a group of pages that belong together, declared once for application, navigation and language switch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from flask import Blueprint, Flask, current_app, request

PAGES_KEY = "paitai.pages"
PARTS_KEY = "paitai.parts"


@dataclass(frozen=True, slots=True)
class Page:
    """A group of pages. Its texts are in `webui/i18n/*/`, the text of its navigation entry is ``nav.NAV``.

    Attributes:
        views: blueprints, or functions that add them to an application.
        address: the prefix of their addresses; "" for views that only other pages call.
        nav: the navigation entry that leads to `address`; "" for pages that other pages lead to.
        within: the entry that is marked on pages without an entry.
        returns: whether a change of language returns to this page; a page made from a form cannot be reopened.
        shown: whether the entry is visible.
        part: the optional part of an application that they belong to; "" for every application.
    """

    views: Blueprint | Callable[[Flask], None]
    address: str = ""
    nav: str = ""
    within: str = ""
    returns: bool = True
    shown: Callable[[], bool] = lambda: True
    part: str = ""

    def holds(self, path: str) -> bool:
        """Whether an address is one of these."""
        return bool(self.address) and (path == "/" if self.address == "/" else path.startswith(self.address))


@dataclass(frozen=True, slots=True)
class NavEntry:
    """An entry of the navigation: its address, the key of its text, and whether it is open now."""

    href: str
    text: str
    here: bool


def register(app: Flask, pages: Sequence[Page], parts: Collection[str] | None = None) -> None:
    """Put pages into an application: all of them, or only those of the given parts and those without a part.

    Templates ask with ``has("part")`` before they link to an optional page. Phones are paired before there are pages.
    """
    wanted = tuple(page for page in pages if parts is None or not page.part or page.part in parts)
    phones = {"phones"} if "pairing" in app.blueprints else set()
    app.extensions[PAGES_KEY] = wanted
    app.extensions[PARTS_KEY] = frozenset(page.part for page in wanted) | phones
    app.jinja_env.globals["has"] = app.extensions[PARTS_KEY].__contains__
    for page in wanted:
        if isinstance(page.views, Blueprint):
            app.register_blueprint(page.views)
        else:
            page.views(app)


def _pages() -> tuple[Page, ...]:
    return cast("tuple[Page, ...]", current_app.extensions[PAGES_KEY])


def has_part(part: str) -> bool:
    """Whether the current application has the pages of an optional part; templates ask with ``has("part")``."""
    return part in cast("frozenset[str]", current_app.extensions[PARTS_KEY])


def navigation(path: str) -> Iterator[NavEntry]:
    """The entries of the navigation for the page at an address."""
    pages = _pages()
    for page in pages:
        if page.nav and page.shown():
            here = any(other.holds(path) for other in pages if page.nav in (other.nav, other.within))
            yield NavEntry(request.script_root + page.address, f"nav.{page.nav}", here)


def can_return(path: str) -> bool:
    """Whether an address can be asked for again as it is."""
    return any(page.holds(path) for page in _pages() if page.returns)
