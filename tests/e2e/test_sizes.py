"""The table on a phone: letters of twice the size, the phone on its side, the screen kept on, results read aloud."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.evenings import serve
from tests.e2e.support.pages import NAMES, Board, Table, box_of, holds, no_sideways

TWICE = "document.documentElement.style.fontSize = '200%'"
COLUMNS = """[...document.querySelectorAll('.who-row')].map((row) =>
  [...row.querySelectorAll('.chip')].map((chip) => Math.round(chip.getBoundingClientRect().left)))"""
OVERLAP = """() => {
  const [photo, bar] = ['.photo', '.bar'].map((place) => document.querySelector(place).getBoundingClientRect());
  return photo.right > bar.left && bar.right > photo.left && photo.bottom > bar.top && bar.bottom > photo.top;
}"""


CHART_COLOURS = """[...document.querySelectorAll('.graph polyline')].map((line) => getComputedStyle(line).stroke)"""
UNSEEN = """[...document.querySelectorAll('dialog.sheet button')].filter((button) => button.checkVisibility())
  .filter((button) => button.getBoundingClientRect().bottom > innerHeight).map((button) => button.textContent)"""
"""Buttons of an open sheet below the edge of the screen."""


@pytest.fixture
def address(tmp_path: Any) -> Iterator[str]:
    yield from serve(tmp_path / "data")


def until(page: Any, code: str, value: Any) -> None:
    """Wait until an expression of the page has a value."""
    holds(page, lambda: page.evaluate(code) == value)


def test_letters_of_twice_the_size(open_page: Any) -> None:
    page = open_page(blank=True)
    table, board = Table(page), Board(page)
    table.seats()
    table.note("小美", 4, "老王放槍")
    for path in ("/table", "/table/incident", "/table/say?said=小美詐胡", "/table/say?said=老王放槍給小美"):
        table.go(path)
        page.evaluate(TWICE)
        board.unfold_all()
        no_sideways(page)
    board.go("/")
    board.sample()
    expect(page.locator("#ask .who-row")).to_have_count(len(NAMES))
    page.evaluate(TWICE)
    rows = page.evaluate(COLUMNS)
    assert len(rows) == len(NAMES)
    assert all(row == rows[0] for row in rows), rows
    no_sideways(page)


BOXES = """[...document.querySelectorAll('.shot:not([hidden]) [data-tile]')].map((tile) => {
  const box = tile.querySelector('.box').getBoundingClientRect();
  return {place: Number(tile.dataset.tile), left: box.left, right: box.right, top: box.top, bottom: box.bottom};
})"""
THUMB = 44


def test_a_tap_near_a_box_of_the_photo_opens_the_nearest(open_page: Any) -> None:
    """Boxes are narrower than a thumb: together with the room around it, each is a target of 44 pixels in height."""
    page = open_page(blank=True)
    board = Board(page)
    board.go("/")
    board.sample()
    boxes = page.evaluate(BOXES)
    assert min(box["right"] - box["left"] for box in boxes) < THUMB

    def distance(box: Any, x: float, y: float) -> float:
        return math.hypot(max(box["left"] - x, 0, x - box["right"]), max(box["top"] - y, 0, y - box["bottom"]))

    for box in (boxes[0], boxes[4], boxes[-1]):
        x, middle = (box["left"] + box["right"]) / 2, (box["top"] + box["bottom"]) / 2
        for y in (middle - THUMB / 2 + 1, middle + THUMB / 2 - 1):
            meant = min(boxes, key=lambda other: distance(other, x, y))
            board.touch(x, y)
            expect(page.locator(f"dialog [value='drop:{meant['place']}']")).to_have_count(1)
            board.close_sheet()


def test_the_phone_on_its_side(open_page: Any) -> None:
    page = open_page(blank=True)
    page.set_viewport_size({"width": 844, "height": 390})
    table, board = Table(page), Board(page)
    table.seated()
    board.go("/")
    board.sample()
    expect(page.locator("#ask .who-row")).to_have_count(len(NAMES))
    holds(page, lambda: not page.evaluate(OVERLAP))
    foot = page.locator(".bar-foot")
    foot.scroll_into_view_if_needed()
    holds(page, lambda: box_of(foot)["y"] + box_of(foot)["height"] <= 390)
    board.open_held(0)
    holds(page, lambda: page.evaluate(UNSEEN) == [])
    board.close_sheet()
    while page.locator("#ask .answer").count():
        board.press(page.locator("#ask .answer").first)
    expect(page.locator(".total strong")).to_be_in_viewport(ratio=1)
    holds(page, lambda: not page.evaluate(OVERLAP))


def test_the_screen_stays_on_while_a_table_is_played(open_page: Any) -> None:
    page = open_page(blank=True)
    page.add_init_script(
        """window.locks = 0;
        Object.defineProperty(navigator, 'wakeLock', {value: {request: async () => {
          window.locks += 1;
          return {released: false, release: async () => { window.locks -= 1; }};
        }}});"""
    )
    table = Table(page)
    table.seats()
    until(page, "window.locks", 1)
    board = Board(page)
    board.unfold_all()
    board.toggle(page.locator('[data-option="awake"]'))
    until(page, "window.locks", 0)
    table.reload()
    expect(page.locator("html")).not_to_have_attribute("data-awake", "1")
    until(page, "window.locks", 0)


def test_results_are_read_aloud_when_that_is_switched_on(open_page: Any) -> None:
    page, other = open_page(blank=True), Table(open_page(blank=True))
    page.add_init_script(
        "window.heard = []; speechSynthesis.speak = (words) => window.heard.push([words.text, words.lang]);"
    )
    table = Table(page)
    table.seats()
    other.go("/table")
    other.note("阿明", 2)
    expect(table.hands).to_have_count(1)
    until(page, "window.heard.length", 0)
    board = Board(page)
    board.unfold_all()
    board.toggle(page.locator('[data-option="speak"]'))
    until(page, "window.heard", [["三台", "zh-TW"]])
    other.note("小美", 4)
    until(page, "window.heard.length", 2)
    until(page, "window.heard[1]", ["小美 4 台自摸", "zh-TW"])


def test_the_big_screen_follows_within_two_seconds(open_page: Any) -> None:
    page, phone = open_page("laptop", blank=True), Table(open_page(blank=True))
    page.set_viewport_size({"width": 1920, "height": 1080})
    phone.seats()
    Board(page).go("/stage")
    phone.note("阿明", 3)
    began = time.monotonic()
    expect(page.locator(".stage-hand")).to_contain_text("阿明 3 台自摸")
    assert time.monotonic() - began < 4  # two seconds, and twice that on a busy machine
    until(page, "document.documentElement.scrollHeight <= innerHeight", True)
    no_sideways(page)
    colours = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        colours[scheme] = page.evaluate(CHART_COLOURS)
    assert colours["light"] == colours["dark"]  # the chart's card is light in both
