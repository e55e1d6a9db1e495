"""The pocket edition in Firefox or WebKit: its starts, photos, memory, and a table full of tiles, as one line of JSON.

    PAITAI_ENGINE=webkit xvfb-run -a python benchmarks/pocket/engines.py FOLDER PHOTO... [--table PHOTO]

`budgets.py --engines` runs it and compares with the server. Later starts are from one browser. What cannot be measured
is null.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from processes import megabytes, processor_seconds, tree

from pocket.serving import serving
from tests.e2e.support.pages import Board, screen
from tests.e2e.support.pocket import choose_book
from tests.e2e.support.webdriver.page import Page
from tests.e2e.support.webdriver.phone import ALL_KEPT, STARTS, application, wait_for
from tests.e2e.support.webdriver.starting import kept

REST = 3000  # milliseconds before a photo
TAPS = 5


def again(page: Page, address: str) -> Board:
    """The application opened once more, with no hand in it."""
    page.driver.switch_to.default_content()
    page.goto("about:blank")
    page.goto(address)
    board = application(page)
    board.page.evaluate("sessionStorage.clear()")
    return board


def measure(folder: Path, photos: list[Path], full: Path | None, profile: Path) -> dict[str, Any]:
    """Seconds of the starts, processor seconds of the photos (the first warms up) and of a tap, MB."""
    screen.PATIENCE = STARTS / 2
    driver = kept(profile)
    try:
        root = driver.service.process.pid  # type: ignore[attr-defined]
        page = Page(driver)
        page.set_viewport_size({"width": 390, "height": 844})
        with serving(folder) as address:
            begun = time.perf_counter()
            page.goto(address)
            board = application(page)
            first = time.perf_counter() - begun
            page.driver.switch_to.default_content()
            wait_for(page, ALL_KEPT)
            choose_book(application(page))
            starts, costs = [], []
            for photo in photos:
                begun = time.perf_counter()
                board = again(page, address)
                starts.append(time.perf_counter() - begun)
                board.page.wait_for_timeout(REST)
                before = processor_seconds(root)
                board.read(photo)
                costs.append(processor_seconds(root) - before)
            held = max(megabytes(pid) for pid in tree(root))
            table = of_table(again(page, address), full, root) if full else None
        return {"first": first, "starts": starts, "photos": costs[1:], "memory": held, "table": table}
    finally:
        driver.quit()


def of_table(board: Board, photo: Path, root: int) -> tuple[int, float, float]:
    """How many tiles a photo shows, processor seconds to its board, and of a tap on a tile (median)."""
    board.page.wait_for_timeout(REST)
    before = processor_seconds(root)
    board.read(photo)
    read = processor_seconds(root) - before
    taps = []
    for place in range(TAPS):
        before = processor_seconds(root)
        board.open_tile(place)
        taps.append(processor_seconds(root) - before)
        board.close_sheet()
    return len(board.tiles()), read, statistics.median(taps)


def main() -> int:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--table", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        print(
            json.dumps(
                measure(
                    args.folder,
                    [photo.resolve() for photo in args.photos],
                    args.table and args.table.resolve(),
                    Path(made) / "profile",
                )
            )
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
