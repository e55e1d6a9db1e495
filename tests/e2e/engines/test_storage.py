"""口袋版 in Firefox and WebKit: killed, updated, in two tabs, on a full phone, beside a laptop: nothing is lost."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests.e2e.support.pages import Board
from tests.e2e.support.pages.shell import Shell
from tests.e2e.support.pocket import put_hand
from tests.e2e.support.pocket_journeys import (
    BACKUP,
    WAITING,
    build_of,
    come_together,
    rebuilt,
    record,
    records,
)
from tests.e2e.support.webdriver.expecting import expect
from tests.e2e.support.webdriver.page import Page
from tests.e2e.support.webdriver.phone import KeptPhone, application
from webui.store.place import DATABASE, Place
from webui.store.store import Store
from webui.store.upkeep.backup import restore
from webui.store.upkeep.verify import verify

pytestmark = pytest.mark.timeout(3600)
KILLS = 10
LATEST = 1.5  # times the time that a record takes undisturbed
IS_RECORDED = "document.querySelector('.record') !== null"
FILL = """async () => {
  const database = await new Promise((opened, failed) => {
    const request = indexedDB.open("filler", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("parts", { autoIncrement: true });
    request.onsuccess = () => opened(request.result);
    request.onerror = failed;
  });
  const add = (size) => new Promise((done) => {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
    const part = database.transaction("parts", "readwrite");
    part.oncomplete = () => done(true);
    part.onabort = () => done(false);
    try {
      part.objectStore("parts").add(bytes);
    } catch (fault) {
      if (fault.name !== "InvalidStateError") throw fault;
      part.oncomplete = () => add(size).then(done);
    }
  });
  for (let size = 1 << 22; size >= 1 << 10; ) if (!(await add(size))) size >>= 1;
  database.close();
}"""
"""Stores bytes until there is no room for another 1,024. Firefox refuses the next piece after a refused one: again."""
MAKE_ROOM = """() => new Promise((done) => {
  const request = indexedDB.deleteDatabase("filler");
  request.onsuccess = request.onerror = request.onblocked = () => done(null);
})"""


def prepared(board: Board, name: str) -> Board:
    """A hand that only needs to be recorded."""
    board.link("拍照", exact=True)
    put_hand(board)
    board.name_players(name)
    return board


def shows_the_record(board: Board) -> bool:
    """Whether the page of the record is there. It is asked twice: a driver loses its frame with each page."""
    for _ in range(2):
        try:
            return bool(Page.evaluate(board.page, IS_RECORDED))  # type: ignore[arg-type]
        except Error:
            continue
    return False


def seconds_of_a_record(board: Board) -> float:
    """Record, and the seconds until the page of the record is there."""
    begun = time.monotonic()
    board.begin_to_keep()
    expect(board.page.locator(".record")).to_have_count(1)
    return time.monotonic() - begun


def test_ten_kills_in_the_middle_of_a_record_lose_nothing(hosted: str, phone: KeptPhone, tmp_path: Path) -> None:
    seconds = seconds_of_a_record(prepared(phone.open(hosted), "第零"))
    stored = acknowledged = 1
    for kill in range(KILLS):
        board = prepared(phone.open(hosted), f"第{kill + 1}")
        board.begin_to_keep()
        time.sleep(LATEST * seconds * kill / (KILLS - 1))
        shown = shows_the_record(board)
        phone.kill()
        count = records(phone.open(hosted)).count()
        assert stored + shown <= count <= stored + 1, f"kill {kill + 1}: {count} after {stored}, shown: {shown}"
        print(f"kill {kill + 1}: {count - stored} recorded, shown: {shown}", file=sys.stderr)
        stored, acknowledged = count, acknowledged + shown
    assert acknowledged > 1, "no kill came after a record was shown"
    backup = tmp_path / "phone.zip"
    backup.write_bytes(bytes(phone.open(hosted).page.evaluate(BACKUP)))
    restored = Store(Place(f"sqlite:///{tmp_path / 'restored' / DATABASE}", tmp_path / "restored"))
    restore(restored, backup)
    assert verify(restored).findings == ()
    restored.close()


def test_another_build_takes_over_at_the_next_opening(folder: Path, hosted: str, phone: KeptPhone) -> None:
    record(phone.open(hosted))
    page = phone.start()
    page.driver.switch_to.default_content()
    before = build_of(page)
    with rebuilt(folder, before):  # to the end: a browser looks by itself whether the host has yet another build
        page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update()).then(() => null)")
        page.evaluate(WAITING)
        expect(records(application(page))).to_have_count(1)  # goes on with the build that it began with
        page.driver.switch_to.default_content()
        assert build_of(page) == before
        phone.close()
        board = phone.open(hosted)
        page = phone.start()
        page.driver.switch_to.default_content()
        assert build_of(page) != before
        board = application(page)
        expect(records(board)).to_have_count(1)


def test_a_second_tab_takes_over_when_asked(hosted: str, phone: KeptPhone) -> None:
    record(phone.open(hosted))
    first = phone.start().driver.current_window_handle
    second = phone.new_tab()
    second.goto(hosted)
    Shell(second).says("另一個分頁")  # type: ignore[arg-type]
    Shell(second).take_over()  # type: ignore[arg-type]
    expect(records(application(second))).to_have_count(1)
    Shell(phone.show_tab(first)).says("另一個分頁")  # type: ignore[arg-type]


def test_a_full_phone_says_so_and_loses_nothing(hosted: str, phone: KeptPhone) -> None:
    record(phone.open(hosted))
    phone.close()
    phone.start(narrow=True)
    board = prepared(phone.open(hosted), "小美")
    board.page.evaluate(FILL)
    board.press(board.page.locator("#settle-keep"))
    expect(board.page.locator("body")).to_contain_text("手機沒有空間了")
    expect(records(board)).to_have_count(1)
    board.page.evaluate(MAKE_ROOM)
    phone.close()
    board = phone.open(hosted)
    expect(records(board)).to_have_count(1)
    record(board, "小美")
    expect(records(board)).to_have_count(2)


def test_two_devices_come_together_both_ways(hosted: str, phone: KeptPhone, tmp_path: Path) -> None:
    board = phone.open(hosted)
    record(board)
    come_together(board, tmp_path)
