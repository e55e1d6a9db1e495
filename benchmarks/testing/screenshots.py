"""Pictures of every page to look at: both languages, light and dark, phone, phone on its side, laptop, large text.

    PYTHONPATH=. python benchmarks/testing/screenshots.py FOLDER [--look NAME]...

An evening is played first: hands with and without a photo. Each look becomes one sheet, ``FOLDER/LOOK.png``, on which
the pages lie side by side under their addresses. ``room`` is the page for a television, also without its background.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright

from tests.e2e.support.engines import launched
from tests.e2e.support.evenings import reader, served
from tests.e2e.support.pages import Board, Table

ROOT = Path(__file__).parents[2]
PHOTO = ROOT / "datasets" / "rendered" / "images" / "val" / "hand-09.jpg"
TALLEST, ACROSS, GAP = 2400, 6, 24
"""Most pixels of a page that are shown, pages to a row of a sheet, and the space between them."""
PATHS = (
    *("/", "/table", "/table/wall", "/table/seats", "/table/incident", "/table/incident/wrong_pung"),
    *("/table/say?said=小美詐胡", "/table/priority", "/table/house", "/records", "/games", "/people", "/people/hands"),
    *("/house", "/house/new?base=luohan", "/sets", "/sources", "/advise", "/whole", "/phones", "/backup"),
    *("/records/witness", "/label", "/stage"),
)


@dataclass(frozen=True)
class Look:
    """A way to look at the pages: language, colours, size of the window, size of the text."""

    lang: str
    scheme: Literal["light", "dark"]
    size: tuple[int, int]
    text: int = 100


ROOM = "room"
LOOKS = {
    "phone": Look("zh-TW", "light", (390, 844)),
    "phone-english-dark": Look("en-GB", "dark", (390, 844)),
    "landscape": Look("zh-TW", "light", (844, 390)),
    "laptop": Look("zh-TW", "dark", (1366, 768)),
    "laptop-english": Look("en-GB", "light", (1366, 768)),
    "large-text": Look("zh-TW", "light", (390, 844), 200),
}


def played(browser: Browser, address: str) -> list[str]:
    """An evening with three hands, and the addresses of its record and its game."""
    page = browser.new_context(locale="zh-TW", viewport={"width": 390, "height": 844}).new_page()
    page.goto(address)
    table, board = Table(page), Board(page)
    table.sit_down()
    table.note("小美", 4, "老王放槍")
    table.note("阿明", 3)
    board.on_the_board()
    board.settle_game()
    record = page.evaluate("location.pathname")
    table.go("/table")
    links = [page.locator(f"a[href*='{part}']").first.get_attribute("href") for part in ("/amend/", "/evening")]
    page.context.close()
    return [record, *filter(None, links)]


def shot(page: Page, name: str) -> tuple[str, Image.Image]:
    """The page as it is, under its name."""
    page.evaluate("document.fonts.ready")
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")
    return name, picture.crop((0, 0, picture.width, min(picture.height, TALLEST)))


def looked(browser: Browser, address: str, look: Look, paths: list[str]) -> list[tuple[str, Image.Image]]:
    """Every page in one look, and the board while it asks, with a sheet and with its number."""
    width, height = look.size
    context = browser.new_context(
        locale=look.lang,
        color_scheme=look.scheme,
        viewport={"width": width, "height": height},
    )
    context.set_default_timeout(60_000)
    context.add_cookies([{"name": "rules", "value": "luohan", "url": address}])
    context.add_init_script(
        f"addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '{look.text}%')"
    )
    page = context.new_page()
    page.goto(address)
    shots = []
    for path in paths:
        page.goto(address.rstrip("/") + path)
        page.wait_for_load_state("networkidle")
        shots.append(shot(page, path))
    for path in ("/table", "/"):
        page.goto(address.rstrip("/") + path)
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        shots.append(shot(page, f"{path} with all folds open"))
    board = Board(page)
    board.go("/")
    board.photo(PHOTO)
    page.locator("#ask").wait_for()
    shots.append(shot(page, "board: asks"))
    board.press(page.locator("#ask .answer").first)
    shots.append(shot(page, "board: next question"))
    board.open_held(0)
    shots.append(shot(page, "board: sheet"))
    board.close_sheet()
    while page.locator("#ask .answer").count():
        board.press(page.locator("#ask .answer").first)
    shots.append(shot(page, "board: number"))
    board.press(page.locator("#more-flowers"))
    shots.append(shot(page, "board: flowers"))
    context.close()
    return shots


def room(browser: Browser, address: str) -> list[tuple[str, Image.Image]]:
    """The page for a television, and the same over a stream's own picture, for which magenta stands in."""
    page = browser.new_context(locale="zh-TW", viewport={"width": 1920, "height": 1080}).new_page()
    shots = []
    for path in ("/stage", "/stage?clear=1"):
        page.goto(address.rstrip("/") + path)
        page.wait_for_load_state("networkidle")
        picture = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
        behind = Image.new("RGBA", picture.size, (255, 0, 255, 255))
        shots.append((path, Image.alpha_composite(behind, picture).convert("RGB")))
    page.context.close()
    return shots


def sheet(shots: list[tuple[str, Image.Image]]) -> Image.Image:
    """The pages side by side, each under its name."""
    rows = [shots[start : start + ACROSS] for start in range(0, len(shots), ACROSS)]
    width = max(sum(picture.width + GAP for _, picture in row) for row in rows)
    height = sum(max(picture.height for _, picture in row) + 2 * GAP for row in rows)
    whole = Image.new("RGB", (width, height), (128, 128, 128))
    pen, top = ImageDraw.Draw(whole), 0
    for row in rows:
        left = 0
        for name, picture in row:
            pen.text((left + 4, top + 4), name.encode("ascii", "replace").decode("ascii"), fill=(255, 255, 0))
            whole.paste(picture, (left, top + GAP))
            left += picture.width + GAP
        top += max(picture.height for _, picture in row) + 2 * GAP
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--look", action="append", choices=[*LOOKS, ROOM])
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = served({"READER": reader(), "DATA": data})
        address = next(server)
        browser = launched(playwright)
        paths = [*PATHS, *played(browser, address)]
        for name in chosen.look or (*LOOKS, ROOM):
            shots = room(browser, address) if name == ROOM else looked(browser, address, LOOKS[name], paths)
            sheet(shots).save(chosen.folder / f"{name}.png")
            print(chosen.folder / f"{name}.png", flush=True)
        browser.close()
        next(server, None)


if __name__ == "__main__":
    main()
