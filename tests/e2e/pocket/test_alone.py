"""口袋版自己: offline, closed and opened again, updated, in two tabs, on a full phone: nothing is lost."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from pocket.build.site import hashes
from pocket.serving import serving
from tests.e2e.support.accessibility import accessible_in_both_schemes
from tests.e2e.support.engines import CHROMIUM_FLAGS
from tests.e2e.support.pages.board import Board
from tests.e2e.support.pages.screen import no_sideways
from tests.e2e.support.pages.shell import Shell
from tests.e2e.support.pocket import Phone, choose_book, phone, put_hand, started, type_hand
from tests.unit.webui.support.records_kit import open_table, store_of, won
from webui import create_app
from webui.people.readable import unreadable_in
from webui.store.place import DATABASE, Place
from webui.store.store import Query, Store
from webui.store.upkeep.backup import backup, restore
from webui.store.upkeep.device_signatures import stored
from webui.store.upkeep.merging.merge import merge
from webui.store.upkeep.verify import verify

BELOW = "/some/folder"
WAITING = """async () => {
  const one = await navigator.serviceWorker.getRegistration();
  while (!one.waiting) await new Promise((done) => setTimeout(done, 100));
}"""
"""Until another build is complete next to the current one."""


@pytest.fixture
def new(browser: Browser, tmp_path: Path) -> Iterator[Phone]:
    """A phone that has never opened the address."""
    with phone(browser, tmp_path / "profile", CHROMIUM_FLAGS) as made:
        yield made


def records(board: Board) -> Any:
    """The list of records."""
    board.link("戰績", exact=True)
    return board.page.locator(".record-row")


def record(board: Board, name: str = "阿明", enter: Callable[[Board], None] = put_hand) -> None:
    """A hand entered, tallied and recorded."""
    board.link("拍照", exact=True)
    enter(board)
    expect(board.page.locator(".total strong")).to_have_text("10")
    board.name_players(name)
    board.keep()


def test_a_hand_is_recorded_offline_and_kept_through_closing(folder: Path, new: Phone) -> None:
    with serving(folder, BELOW) as address:
        page, board = new.open(address)
        choose_book(board)
        new.context.set_offline(True)
        record(board, enter=type_hand)
        expect(board.page.locator(".notice.done")).to_contain_text("記下了")
    new.close()
    new.context.set_offline(True)  # and the host is gone
    page, board = new.open(address)
    expect(records(board)).to_have_count(1)
    expect(page.locator("#shell")).to_be_hidden()
    board.follow(records(board))
    expect(board.page.locator("h1")).to_contain_text("胡牌")
    expect(board.page.locator("footer a")).to_have_attribute("href", f"{BELOW}/pocket")


def test_a_second_tab_takes_over_when_asked(hosted: str, one: Phone) -> None:
    first, board = one.open(hosted)
    record(board)
    second = one.shell(hosted)
    Shell(second).says("另一個分頁")
    Shell(second).take_over()
    expect(records(started(second))).to_have_count(1)
    Shell(first).says("另一個分頁")


def test_an_address_that_nobody_can_have_written_opens_the_start_page(hosted: str, one: Phone) -> None:
    board = one.open(f"{hosted}#/%")[1]
    expect(board.page.locator("#camera")).to_have_count(1)
    assert one.errors == []


def test_another_build_takes_over_at_the_next_opening(folder: Path, hosted: str, one: Phone) -> None:
    page, board = one.open(hosted)
    record(board)
    before = build_of(page)
    with rebuilt(folder, before):  # to the end: a browser looks by itself whether the host has yet another build
        page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update())")
        page.evaluate(WAITING)
        expect(records(board)).to_have_count(1)  # goes on with the build that it began with
        assert build_of(page) == before
        one.context.set_offline(True)
        page.close()  # the app, not the browser: there is no sign that it has stored which build is ready
        page, board = one.open(hosted)
        assert build_of(page) != before
        expect(records(board)).to_have_count(1)


def build_of(page: Any) -> str:
    """The build whose files a tab shows."""
    return str(page.evaluate("import('./pocket/build.js').then(one => one.BUILD)"))


@contextlib.contextmanager
def rebuilt(folder: Path, before: str) -> Iterator[None]:
    """The same folder as another build for a while: one file differs, and with it the build and its hash."""
    script, worker = folder / "pocket/build.js", folder / "sw.js"
    kept = {path: path.read_bytes() for path in (script, worker)}
    other = kept[script].replace(before.encode(), b"abcdef012345")
    old, new = (hashes({"one": data})["one"] for data in (kept[script], other))
    script.write_bytes(other)
    worker.write_text(kept[worker].decode().replace(before, "abcdef012345").replace(old, new), "utf-8")
    try:
        yield
    finally:
        for path, data in kept.items():
            path.write_bytes(data)


def test_a_full_phone_says_so_and_loses_nothing(hosted: str, one: Phone) -> None:
    board = one.open(hosted)[1]
    record(board)
    one.close()
    one.full(hosted)  # before anything is open: a browser asks for the room that is left now and then only
    board = one.open(hosted)[1]
    put_hand(board)
    board.name_players("小美")
    board.press(board.page.locator("#settle-keep"))
    expect(board.page.locator("body")).to_contain_text("手機沒有空間了")
    expect(records(board)).to_have_count(1)
    one.close()  # somebody has made room
    board = one.open(hosted)[1]
    expect(records(board)).to_have_count(1)
    record(board, "小美")
    expect(records(board)).to_have_count(2)


BACKUP = """async () => {
  const made = await fetch("/pocket/backup.zip");
  return [...new Uint8Array(await made.arrayBuffer())];
}"""


def test_two_devices_come_together_both_ways(hosted: str, one: Phone, tmp_path: Path) -> None:
    board = one.open(hosted)[1]
    record(board)
    app = create_app({"DATA": str(tmp_path / "laptop")})
    laptop, client = store_of(app), app.test_client()
    open_table(client, ("阿明", "阿華", "小美", "老王"))
    won(client, 1, 3)
    (tmp_path / "phone.zip").write_bytes(bytes(board.page.evaluate(BACKUP)))
    assert merge(laptop, tmp_path / "phone.zip", unreadable_in).device.name == "口袋版 · 手機"
    with laptop.reading() as view:
        assert view.search(Query()).total == 1
    assert verify(laptop).findings == ()
    restored = Store(Place(f"sqlite:///{tmp_path / 'restored' / DATABASE}", tmp_path / "restored"))
    restore(restored, tmp_path / "phone.zip")
    assert verify(restored).findings == (), "the phone has signed every entry"
    assert all(signature.fits for signature in stored(restored.place.folder))
    assert stored(restored.place.folder)[-1].seq == verify(restored).entries
    restored.close()
    backup(laptop, tmp_path / "laptop.zip")
    laptop.close()
    board.go("/pocket")
    board.page.set_input_files("#restore", tmp_path / "laptop.zip")
    board.follow(board.page.locator("#backup form button"))
    expect(board.page.locator("#merged")).to_contain_text("老王：這裡沒有的一晚，拿來了（2 筆）")
    expect(records(board)).to_have_count(2)
    expect(records(board).first).to_contain_text("阿華 自摸")
    board.follow(records(board).last)
    expect(board.page.locator(".record-head")).to_contain_text("記在：口袋版 · 手機")


def test_its_own_page_fits_a_phone(open_page: Callable[..., Any]) -> None:
    board = Board(open_page())
    board.go("/pocket")
    expect(board.page.locator("#restore")).to_be_visible()
    no_sideways(board.page)
    accessible_in_both_schemes(board.page)
