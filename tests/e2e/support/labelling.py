"""The labelling workbench in a browser, for its tests: a server with a set, what a person sees, what a mouse does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

from tests.e2e.support.evenings import reader
from tests.serving import serving
from vision.geometry import overlaps
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES
from webui.i18n import catalog

RENDERED = Path(__file__).parents[3] / "datasets/rendered"
Outline = tuple[float, float, float, float]
Open = Callable[..., Page]


@dataclass(frozen=True)
class Truth:
    """A labelled tile in pixels."""

    tile: str
    box: Outline


def truth_of(path: Path, width: int, height: int) -> list[Truth]:
    lines = (path.parents[2] / "labels/val" / f"{path.stem}.txt").read_text().splitlines()
    found = []
    for line in lines:
        number, cx, cy, w, h = map(float, line.split())
        box = (cx - w / 2) * width, (cy - h / 2) * height, (cx + w / 2) * width, (cy + h / 2) * height
        found.append(Truth(CLASSES[int(number)], box))
    return found


def served(folder: Path, **config: object) -> Iterator[tuple[str, DatasetStore]]:
    """A server with a data folder of its own: its address, and an empty set in it. For a fixture to yield from."""
    from webui import create_app

    store = DatasetStore.create(folder / "datasets" / "demo", "試試")
    with serving(create_app({"DATA": str(folder), "READER": reader(), **config})) as port:
        yield f"http://127.0.0.1:{port}", store


def shown_at(page: Page, selector: str) -> tuple[float, float]:
    """The middle of what is shown under a selector, on the screen. The page draws boxes anew when an answer comes, so
    being there and where it is are asked at once."""
    middle = """selector => {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
    }"""
    x, y = page.wait_for_function(middle, arg=selector).json_value()
    return x, y


@dataclass(frozen=True)
class Shown:
    """A box as the page shows it."""

    id: str
    tile: str
    box: Outline
    chosen: bool
    unsure: bool


def shown(page: Page) -> list[Shown]:
    """What a person sees: the rows of tiles, in order, and where each box lies."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('#strip .cut')].map((cut) => ({
          id: cut.dataset.crop, tile: cut.dataset.code, chosen: cut.classList.contains('chosen'),
          unsure: cut.classList.contains('unsure'),
          points: document.querySelector(`#canvas [data-id="${cut.dataset.crop}"] polygon`).getAttribute('points'),
        }))"""
    )
    boxes = []
    for one in found:
        xs, ys = zip(*(map(float, point.split(",")) for point in one.pop("points").split()), strict=True)
        boxes.append(Shown(box=(min(xs), min(ys), max(xs), max(ys)), **one))
    return boxes


def meant(box: Outline, truth: list[Truth]) -> str:
    """The tile that lies in a box; empty for none."""
    shares = overlaps(np.array([box]), np.array([one.box for one in truth]))[0]
    best = int(shares.argmax())
    return truth[best].tile if shares[best] >= 0.3 else ""


def on_screen(page: Page, x: float, y: float) -> tuple[float, float]:
    """A point of the photo on the screen."""
    found = page.evaluate(
        """([x, y]) => { const matrix = document.getElementById('canvas').getScreenCTM();
        const at = new DOMPoint(x, y).matrixTransform(matrix); return [at.x, at.y]; }""",
        [x, y],
    )
    return found[0], found[1]


def drag(page: Page, box: Outline) -> None:
    """Draw a box with the mouse, over other boxes too."""
    if page.locator("#tool-draw").get_attribute("aria-pressed") != "true":
        page.keyboard.press("d")
    page.mouse.move(*on_screen(page, box[0], box[1]))
    page.mouse.down()
    page.mouse.move(*on_screen(page, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    page.mouse.move(*on_screen(page, box[2], box[3]))
    page.mouse.up()


def saved(page: Page) -> None:
    """Wait until the server has everything."""
    expect(page.locator("#kept")).to_have_text("已存")


def with_three(bench: tuple[str, DatasetStore]) -> tuple[str, DatasetStore, str]:
    """A photo with three checked boxes: address of its page, the store, its id."""
    address, store = bench
    path = RENDERED / "images/val/hand-01.jpg"
    info, _ = store.add(path.read_bytes(), "one.jpg")
    labels = [
        Label(tile, Box(100 + 90 * n, 200, 170 + 90 * n, 300), checked=True, id=f"b{n}")
        for n, tile in enumerate(("1m", "2m", "3m"))
    ]
    store.save(info.id, labels, 0)
    return f"{address}/label/demo/{info.id}", store, info.id


def tiles_of(store: DatasetStore, id_: str) -> list[str]:
    return [label.tile for label in store.get(id_).labels]


def choose(page: Page, place: int) -> None:
    page.locator(".cut").nth(place).click()


def unsent(page: Page, address: str, place: int, *keys: str) -> None:
    """A photo whose change does not reach the server: what was typed on one of its tiles waits in the browser."""
    page.goto(address)
    page.route("**/labels", lambda route: route.abort())
    choose(page, place)
    for key in keys:
        page.keyboard.press(key)
    expect(page.locator("#kept")).to_contain_text("伺服器不在")


FETCHING = catalog("zh")["label.say.fetching"]
TILE_KEYS = {**{code: (code[0], code[1]) for code in CLASSES if code != "back"}, "back": ("b",)}


class Person:
    """Labels a photo as the page asks and counts every key, a click as one. ``right`` tells the tile that lies in a
    box, or nothing where none does."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys = page, 0
        self.spent: Counter[str] = Counter()

    def _count(self, why: str, keys: int = 1) -> None:
        self.keys += keys
        self.spent[why] += keys

    def press(self, why: str, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self._count(why)

    def click(self, why: str, x: float, y: float) -> None:
        """One click on a place of the photo."""
        self.page.mouse.click(*on_screen(self.page, x, y))
        self._count(why)

    def name(self, why: str, tile: str) -> None:
        """The class of the chosen tile, or away with the box where there is none."""
        self.press(why, *(TILE_KEYS[tile] if tile else ("Delete",)))

    def photo(self, truth: list[Truth]) -> None:
        """One photo from its first doubtful tile to the next photo."""
        for _ in range(200):
            chosen = next((one for one in shown(self.page) if one.chosen), None)
            if chosen is None:
                break
            tile = meant(chosen.box, truth)
            if chosen.tile == tile:
                self.press("in doubt", " ")
            else:
                self.name("in doubt, wrong", tile)
        self.correct(truth)
        self.add_missed(truth)
        self.press("photo", "Enter")

    def correct(self, truth: list[Truth]) -> None:
        """What the model was sure of and wrong in: a click on it, then its name."""
        for one in shown(self.page):
            tile = meant(one.box, truth)
            if tile != one.tile:
                self.page.locator(f'.cut[data-crop="{one.id}"]').click()
                self._count("sure and wrong")
                self.name("sure and wrong", tile)

    def add_missed(self, truth: list[Truth]) -> None:
        """A click on each tile without a box; the model lays the box on and names it."""
        for one in truth:
            boxes = np.array([seen.box for seen in shown(self.page)]).reshape(-1, 4)
            if (overlaps(np.array([one.box]), boxes) >= 0.3).any():
                continue
            with self.page.expect_response(lambda answer: answer.url.endswith("/read")):
                self.click("missed", (one.box[0] + one.box[2]) / 2, (one.box[1] + one.box[3]) / 2)
            expect(self.page.locator(".cut.chosen")).to_have_count(1)
            saved(self.page)
            chosen = next(seen for seen in shown(self.page) if seen.chosen)
            if chosen.tile == one.tile:
                self.press("missed", " ")
            else:
                self.name("missed", one.tile)


def label_all(page: Page, address: str, store: DatasetStore, truth: dict[str, list[Truth]]) -> Person:
    """Every photo of a set, from the first to the last; what it took."""
    photos = store.photos()
    page.goto(f"{address}/label/demo/{photos[0].id}")
    person = Person(page)
    for info in photos:
        expect(page.locator(f'#work[data-photo="{info.id}"]')).to_have_count(1)
        expect(page.locator(".cut, #said:not(:empty)").first).to_be_visible()
        expect(page.locator("#said")).not_to_have_text(FETCHING)
        person.photo(truth[info.id])
    saved(page)
    return person
