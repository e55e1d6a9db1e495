"""A slow line and slow hands: how soon the camera button is there, and what a table full of tiles costs."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from processes import processor_seconds

from tests.e2e.support.pages.board import Board

LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000}
"""1.6 Mbit/s, in bytes a second; milliseconds."""
SLOWER = 4
TAPS = 5
SENT = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((all, one) => all + one.transferSize, 0)"""
LISTENING = "() => document.querySelector('#said').textContent !== ''"


def shutter(browser: Browser, address: str) -> tuple[float, float, float]:
    """kB until the camera button works, the second at which it was painted, and the second at which it works: a browser
    slowed four times, on a slow line, with nothing of the folder stored."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINE)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    begun = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector("#shutter-camera", state="attached")
    while not page.evaluate(LISTENING):
        time.sleep(0.02)
    works = time.perf_counter() - begun
    painted = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime") / 1000
    sent = page.evaluate(SENT) / 1000
    context.close()
    return sent, painted, works


def table(board: Board, address: str, photo: Path, root: int) -> tuple[int, float, float, float, float]:
    """How many tiles a photo shows; processor seconds and seconds to its board, and of a tap on a tile (median)."""
    board.goto(address)
    board.page.evaluate("sessionStorage.clear()")
    board.goto(address)
    board.page.wait_for_timeout(3000)
    read, seconds = _cost(root, partial(board.read, photo))
    tiles = board.tiles()
    taps = []
    for place in range(TAPS):
        taps.append(_cost(root, partial(board.open_tile, place)))
        board.close_sheet()
    return len(tiles), read, seconds, *(statistics.median(each) for each in zip(*taps, strict=True))


def _cost(root: int, act: Callable[[], None]) -> tuple[float, float]:
    begun, before = time.perf_counter(), processor_seconds(root)
    act()
    return processor_seconds(root) - before, time.perf_counter() - begun
