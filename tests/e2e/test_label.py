"""The labelling workbench in a real browser: how many keys a photo takes, that no box is ever lost, and the canvas."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models import CLASSES
from vision.training.measure import overlaps

RENDERED = Path(__file__).parents[2] / "datasets/rendered"
PHOTOS, MOST_KEYS = 20, 1.2
SUIT_KEYS = {**{code: (code[0], code[1]) for code in CLASSES if code != "back"}, "back": ("b",)}
Outline = tuple[float, float, float, float]


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


def twenty(store: DatasetStore) -> dict[str, list[Truth]]:
    """The rendered photos, and copies of them turned upside down: truth by the photo's id."""
    truth = {}
    paths = sorted((RENDERED / "images/val").glob("*.jpg"))
    for number in range(PHOTOS):
        path = paths[number % len(paths)]
        with Image.open(path) as opened:
            image = opened.convert("RGB")
        width, height = image.size
        tiles = truth_of(path, width, height)
        data = path.read_bytes()
        if number >= len(paths):
            out = io.BytesIO()
            image.rotate(180).save(out, "JPEG", quality=92)
            data = out.getvalue()
            tiles = [Truth(one.tile, (width - one.box[2], height - one.box[3], width - one.box[0], height - one.box[1]))
                     for one in tiles]  # fmt: skip
        info, _ = store.add(data, f"photo-{number:02}.jpg", scene="rendered")
        truth[info.id] = tiles
    return truth


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[tuple[str, DatasetStore]]:
    """A server with a data folder of its own, and an empty set in it."""
    from waitress.server import create_server

    from webui import create_app

    store = DatasetStore.create(tmp_path / "datasets" / "demo", "試試")
    server = create_server(create_app({"DATA": str(tmp_path)}), host="127.0.0.1", port=0, threads=8)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}", store
    server.close()
    thread.join(5)


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


class Person:
    """Labels with the keyboard and counts every key; a box drawn with the mouse counts as three."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1

    def name(self, tile: str) -> None:
        """The class of the chosen tile, or away with the box where there is none."""
        self.press(*(SUIT_KEYS[tile] if tile else ("Delete",)))

    def photo(self, truth: list[Truth]) -> None:
        """One photo from its first doubtful tile to the next photo."""
        for _ in range(100):
            chosen = next((one for one in shown(self.page) if one.chosen), None)
            if chosen is None:
                break
            tile = meant(chosen.box, truth)
            if chosen.tile == tile:
                self.press(" ")
            else:
                self.name(tile)
                if not tile:
                    self.press("n")
        self.glance(truth)
        self.press("Enter")

    def glance(self, truth: list[Truth]) -> None:
        """What the model was sure of and wrong in, and what it missed."""
        for _ in range(100):
            boxes = shown(self.page)
            place = next((n for n, one in enumerate(boxes) if meant(one.box, truth) != one.tile), None)
            if place is None:
                break
            at = next((n for n, one in enumerate(boxes) if one.chosen), -1)
            self.press(*["ArrowRight" if place > at else "ArrowLeft"] * abs(place - at))
            self.name(meant(boxes[place].box, truth))
        boxes = shown(self.page)
        for one in truth:
            shares = overlaps(np.array([one.box]), np.array([seen.box for seen in boxes]).reshape(-1, 4))
            if not (shares >= 0.3).any():
                drag(self.page, one.box)
                self.keys += 3
                expect(self.page.locator(".cut.chosen")).to_have_count(1)
                self.name(one.tile)


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


Open = Callable[..., Page]


def test_twenty_photos_by_keyboard(bench: tuple[str, DatasetStore], open_page: Open, shoot: Any) -> None:
    address, store = bench
    truth = twenty(store)
    page = open_page("laptop")
    first = store.photos()[0]
    page.goto(f"{address}/label/demo/{first.id}")
    person = Person(page)
    for number, info in enumerate(store.photos()):
        expect(page.locator(f'#work[data-photo="{info.id}"]')).to_have_count(1)
        expect(page.locator(".cut").first).to_be_visible()
        if number == 2:
            shoot(page, "label")
        person.photo(truth[info.id])
    saved(page)
    tiles = sum(map(len, truth.values()))
    print(f"{person.keys} keys, {tiles} tiles, {person.keys / tiles:.2f} a tile")
    for photo in store:
        wanted = truth[photo.photo.id]
        assert all(label.checked for label in photo.labels), photo.photo.name
        assert sorted(label.tile for label in photo.labels) == sorted(one.tile for one in wanted), photo.photo.name
        assert all(meant(label.box.outline, wanted) == label.tile for label in photo.labels), photo.photo.name
    assert person.keys / tiles <= MOST_KEYS


@pytest.fixture
def three(bench: tuple[str, DatasetStore]) -> tuple[str, DatasetStore, str]:
    """A photo with three checked boxes: address of its page, the store, its id."""
    address, store = bench
    path = RENDERED / "images/val/hand-01.jpg"
    info, _ = store.add(path.read_bytes(), "one.jpg")
    labels = [Label(tile, Box(100 + 90 * n, 200, 170 + 90 * n, 300), checked=True, id=f"b{n}")
              for n, tile in enumerate(("1m", "2m", "3m"))]  # fmt: skip
    store.save(info.id, labels, 0)
    return f"{address}/label/demo/{info.id}", store, info.id


def tiles_of(store: DatasetStore, id_: str) -> list[str]:
    return [label.tile for label in store.get(id_).labels]


def choose(page: Page, place: int) -> None:
    page.locator(".cut").nth(place).click()


def test_draw_move_size_copy_delete_undo(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop")
    page.goto(address)
    expect(page.locator(".cut")).to_have_count(3)
    drag(page, (600, 600, 660, 690))
    expect(page.locator(".cut")).to_have_count(4)
    page.keyboard.press("7")
    page.keyboard.press("z")
    saved(page)
    assert tiles_of(store, id_)[-1] == "7z"
    drawn = store.get(id_).labels[-1]
    assert drawn.box.outline == pytest.approx((600, 600, 660, 690), abs=3)
    page.locator('.cut[data-code="7z"]').click()
    page.mouse.move(*on_screen(page, 630, 645))  # the chosen box is taken and moved
    page.mouse.down()
    page.mouse.move(*on_screen(page, 680, 645), steps=4)
    page.mouse.up()
    saved(page)
    assert store.get(id_).labels[-1].box.outline == pytest.approx((650, 600, 710, 690), abs=3)
    corner = page.locator(".handle[data-corner='2']").bounding_box()
    assert corner
    page.mouse.move(corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2)
    page.mouse.down()
    page.mouse.move(*on_screen(page, 760, 750), steps=4)
    page.mouse.up()
    saved(page)
    assert store.get(id_).labels[-1].box.outline == pytest.approx((650, 600, 760, 750), abs=5)
    before = store.get(id_).labels[-1].box
    for key in ("e", "ArrowRight", "ArrowRight", "e", "ArrowDown", "e"):
        page.keyboard.press(key)
    saved(page)
    after = store.get(id_).labels[-1].box
    assert after.x1 > before.x1
    assert after.height > before.height
    page.keyboard.press("c")
    expect(page.locator(".cut")).to_have_count(5)
    page.keyboard.press("Delete")
    expect(page.locator(".cut")).to_have_count(4)
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(page.locator(".cut")).to_have_count(4)
    page.keyboard.press("y")
    expect(page.locator(".cut")).to_have_count(5)
    page.keyboard.press("Control+z")
    saved(page)
    assert tiles_of(store, id_) == ["1m", "2m", "3m", "7z"]


def test_boxes_stay_on_their_tiles_in_a_turned_view(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop")
    page.goto(address)
    for turn in range(1, 5):
        page.keyboard.press("r")
        width, height = store.get(id_).photo.size
        expect(page.locator("#canvas")).to_have_attribute(
            "viewBox", f"0 0 {height} {width}" if turn % 2 else f"0 0 {width} {height}"
        )
    page.keyboard.press("r")
    choose(page, 0)
    page.keyboard.press("e")
    before = {label.id: label.box for label in store.get(id_).labels}
    page.keyboard.press("ArrowRight")  # to the right as it looks is up in the photo
    saved(page)
    moved = [(label.box, before[label.id]) for label in store.get(id_).labels if label.box != before[label.id]]
    assert len(moved) == 1
    now, was = moved[0]
    assert (now.x1, now.y1 < was.y1) == (was.x1, True)


def test_classes_by_name_and_by_picture(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop")
    page.goto(address)
    choose(page, 0)
    page.keyboard.press("/")
    page.keyboard.type("東")
    page.keyboard.press("Enter")
    choose(page, 1)
    page.locator('button[data-tile="8f"]').click()
    choose(page, 2)
    page.keyboard.press("b")
    saved(page)
    assert tiles_of(store, id_) == ["1z", "8f", "back"]
    choose(page, 0)
    page.keyboard.press("9")
    page.keyboard.press("z")
    expect(page.locator("#said")).to_contain_text("沒有 9z")
    assert tiles_of(store, id_) == ["1z", "8f", "back"]


def test_a_reload_while_the_server_is_away_loses_nothing(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop", service_workers="block")
    page.goto(address)
    page.route("**/labels", lambda route: route.abort())
    choose(page, 1)
    page.keyboard.press("9")
    page.keyboard.press("s")
    expect(page.locator("#kept")).to_contain_text("伺服器不在")
    assert tiles_of(store, id_) == ["1m", "2m", "3m"]
    page.reload()
    expect(page.locator('.cut[data-code="9s"]')).to_have_count(1)
    page.unroute("**/labels")
    saved(page)
    assert tiles_of(store, id_) == ["1m", "9s", "3m"]
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('paitai-label'))") == []


@pytest.mark.parametrize(
    ("take", "wanted"),
    [
        pytest.param("mine", ["1m", "2m", "9p"], id="mine"),
        pytest.param("theirs", ["5z", "2m", "3m"], id="the other"),
        pytest.param("both", ["5z", "2m", "9p"], id="both"),
    ],
)
def test_two_tabs_the_later_one_is_told(
    three: tuple[str, DatasetStore, str], open_page: Open, take: str, wanted: list[str]
) -> None:
    address, store, id_ = three
    late = open_page("laptop", service_workers="block")
    late.goto(address)
    late.route("**/labels", lambda route: route.abort())
    choose(late, 2)
    late.keyboard.press("9")
    late.keyboard.press("p")
    expect(late.locator("#kept")).to_contain_text("伺服器不在")
    early = late.context.new_page()
    early.goto(address)
    choose(early, 0)
    early.keyboard.press("5")
    early.keyboard.press("z")
    saved(early)
    late.unroute("**/labels")
    expect(late.locator("#elsewhere")).to_be_visible()
    expect(late.locator("#elsewhere-list")).to_contain_text("一萬 改成 白")
    assert tiles_of(store, id_) == ["5z", "2m", "3m"], "nothing is overwritten before a person chose"
    late.locator(f'[data-take="{take}"]').click()
    saved(late)
    assert tiles_of(store, id_) == wanted
    assert [label.tile for label in store.labels_at(id_, 2)] == ["5z", "2m", "3m"], "the other one is in the history"


def test_another_tab_shows_what_was_saved(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, _, _ = three
    one = open_page("laptop")
    one.goto(address)
    other = one.context.new_page()
    other.goto(address)
    choose(other, 0)
    other.keyboard.press("6")
    other.keyboard.press("z")
    saved(other)
    expect(one.locator('.cut[data-code="6z"]')).to_have_count(1)


def test_on_a_phone(three: tuple[str, DatasetStore, str], open_page: Open, shoot: Any) -> None:
    address, store, id_ = three
    page = open_page("phone")
    page.goto(address)
    choose(page, 1)
    page.locator('button[data-tile="4s"]').tap()
    saved(page)
    assert tiles_of(store, id_) == ["1m", "4s", "3m"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, "label-phone")


@pytest.mark.parametrize(("size", "scheme"), [("laptop", "light"), ("phone", "dark")])
def test_nobody_is_shut_out(three: tuple[str, DatasetStore, str], open_page: Open, size: str, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    address, _, _ = three
    page = open_page(size, color_scheme=scheme)
    for place in (address.rsplit("/", 1)[0], address):
        page.goto(place)
        expect(page.locator(".cut, .photo-card").first).to_be_visible()
        found = [one for one in Axe().run(page).response["violations"] if one["impact"] in ("serious", "critical")]
        assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
