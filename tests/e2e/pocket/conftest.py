"""One folder, one address and one phone for all of these tests, as the other tests share one server.

A first start takes ten seconds, a later one two. So a test starts fresh only if it tests a first start. The other
phones begin with a copy of the profile of a browser that has opened the address before.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from pocket.serving import serving
from tests.e2e.conftest import SIZES
from tests.e2e.support.camera import film, sees
from tests.e2e.support.engines import CHROMIUM_FLAGS
from tests.e2e.support.pocket import Opened, Phone, built, choose_book, phone

HERE = Path(__file__).parent
SLOW, USUAL = 120_000, 20_000  # milliseconds: the networks may still be coming, on a busy machine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them on one worker: the folder takes long to build, and longer if two build it at once. Tests that
    elsewhere run at two sizes run at phone size here."""
    mine = [item for item in items if item.path.is_relative_to(HERE)]
    for item in mine:
        item.add_marker(pytest.mark.xdist_group("pocket"))
        if "[laptop]" in item.name:
            items.remove(item)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static folder of the pocket edition."""
    return built(tmp_path_factory.mktemp("pocket") / "folder")


@pytest.fixture(scope="session")
def hosted(folder: Path) -> Iterator[str]:
    """The address of the folder, one for the whole run: a browser's storage belongs to an address."""
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="session")
def kept_profile(hosted: str, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The profile of a browser that has opened the address once: all files, Python's memory, a chosen rule book."""
    profile = tmp_path_factory.mktemp("kept") / "profile"
    with phone(browser, profile, CHROMIUM_FLAGS) as one:
        page, board = one.open(hosted)
        choose_book(board)
        one.wait_until_kept(page)
    return profile


@pytest.fixture
def one(kept_profile: Path, browser: Browser, tmp_path: Path) -> Iterator[Phone]:
    """A phone that has opened the address before, and recorded nothing."""
    shutil.copytree(kept_profile, tmp_path / "profile")
    with phone(browser, tmp_path / "profile", CHROMIUM_FLAGS) as made:
        yield made


@pytest.fixture(scope="session")
def opened(
    hosted: str, kept_profile: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Opened]:
    """A phone whose camera sees the sample hand, with the application open."""
    made = tmp_path_factory.mktemp("phone")
    shutil.copytree(kept_profile, made / "profile")
    flags = (*CHROMIUM_FLAGS, *sees(film(made)))
    with phone(browser, made / "profile", flags) as one:
        tab, _ = one.open(hosted)
        yield Opened(one, hosted, tab)


@pytest.fixture
def open_page(opened: Opened) -> Callable[..., Any]:
    """As `open_page` of the server's tests: the same tests, another edition, nothing recorded in it. Its one tab always
    shows a page: `blank` changes nothing."""

    def make(size: str = "phone", *, book: str = "luohan", blank: bool = False) -> Any:
        width, height = SIZES[size]
        opened.tab.set_viewport_size({"width": width, "height": height})
        board = opened.phone.forget(opened.tab, opened.address)
        board.page.evaluate("sessionStorage.clear()")
        if book:
            board.page.evaluate("book => fetch(`/house/${book}/use`, { method: 'POST' })", book)
        board.goto(opened.address)
        expect(board.page.locator("#camera")).to_have_count(1)
        return board.page

    return make


@pytest.fixture
def patient(opened: Opened) -> Iterator[None]:
    """Photos are read in the phone: everything may take its time."""
    opened.phone.context.set_default_timeout(SLOW)
    expect.set_options(timeout=SLOW)
    yield
    opened.phone.context.set_default_timeout(USUAL)
    expect.set_options(timeout=USUAL)
