"""The labelling canvas: one photo's boxes, and how a person walks through them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Locator, expect

from tests.e2e.support.pages.screen import Screen, becomes, box_of, catch, holds
from webui.i18n import catalog

Outline = tuple[float, float, float, float]
CHOSEN, PICKED = re.compile(r"\bchosen\b"), re.compile(r"\bpicked\b")
FETCHING = catalog("zh")["label.say.fetching"]
NOTHING_UNSENT = """() => !Object.keys(localStorage).some(
    (key) => key.startsWith('paitai-label ') && key.endsWith(` ${sessionStorage.getItem('paitai-tab')}`))"""
ENTER_WHERE_NONE_WAITS = """() => {
    if (document.querySelector('#strip .cut.unsure')) return false;
    document.getElementById('canvas').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
    return true;
}"""


@dataclass(frozen=True)
class Shown:
    """A box as the page shows it."""

    id: str
    tile: str
    box: Outline
    chosen: bool
    unsure: bool


class Canvas(Screen):
    """The page of one photo of a set."""

    def open(self, address: str, boxes: int | None = None) -> None:
        """Open the photo at this address and wait for `boxes` boxes, if given."""
        self.goto(address)
        if boxes is not None:
            expect(self.page.locator(".cut")).to_have_count(boxes)

    def at_photo(self, photo: str) -> None:
        """Wait until this photo is open, and read by the model if necessary."""
        expect(self.page.locator(f'#work[data-photo="{photo}"]')).to_have_count(1)
        expect(self.page.locator(".cut, #said:not(:empty)").first).to_be_visible()
        expect(self.page.locator("#said")).not_to_have_text(FETCHING)

    def saved(self) -> None:
        """Wait until the server has all changes of this tab, including a photo that was left."""
        expect(self.page.locator("#kept")).to_have_text("已存")
        holds(self.page, lambda: bool(self.page.evaluate(NOTHING_UNSENT)))

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def all_right(self) -> bool:
        """Enter, unless a box waits for a look: whether it was pressed. Asked and pressed at once: an answer of the
        server may bring a box of somebody else's between the two."""
        return bool(self.page.evaluate(ENTER_WHERE_NONE_WAITS))

    def choose(self, place: int, *, also: bool = False) -> None:
        """Choose the tile at this place of the rows; ``also``: in addition to the chosen ones."""
        cut = self.page.locator(".cut").nth(place)
        cut.click(modifiers=["Shift"] if also else [])
        expect(cut).to_have_class(PICKED if also else CHOSEN)

    def choose_id(self, id_: str) -> None:
        self._cut(id_).click()
        self.is_chosen(id_)

    def is_chosen(self, id_: str) -> None:
        """Wait until this tile is the chosen one."""
        expect(self._cut(id_)).to_have_class(CHOSEN)

    def _cut(self, id_: str) -> Locator:
        return self.page.locator(f'.cut[data-crop="{id_}"]')

    @contextmanager
    def pressed(self, id_: str) -> Iterator[None]:
        """Hold the mouse down on a tile of the rows during the block."""
        self._cut(id_).hover()
        self.page.mouse.down()
        yield
        self.page.mouse.up()

    def move_within(self, id_: str) -> None:
        """The mouse from the middle of a tile of the rows towards its lower corner."""
        at = box_of(self._cut(id_))
        self.page.mouse.move(at["x"] + 0.9 * at["width"], at["y"] + 0.9 * at["height"])

    def name(self, tile: str) -> None:
        """The chosen tile is this one, by its picture."""
        self.page.locator(f'button[data-tile="{tile}"]').click()
        self.saved()

    def find(self, word: str) -> None:
        """The chosen tile is this one, by a word typed into the field."""
        self.page.keyboard.press("/")
        expect(self.page.locator("#typed")).to_be_focused()
        self.page.keyboard.type(word)
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#canvas")).to_be_focused()

    def restore_latest(self) -> None:
        """Restore the latest of the shown revisions, which saves it again."""
        self.page.locator("#past-list button").first.click()
        expect(self.page.locator("#said")).to_have_attribute("data-key", "restored")
        self.saved()

    def take(self, side: str) -> None:
        """Resolve a conflict with another person's save: mine, theirs or both."""
        self.page.locator(f'[data-take="{side}"]').click()
        expect(self.page.locator("#elsewhere")).to_be_hidden()
        self.saved()

    def shown(self) -> list[Shown]:
        """The visible rows of tiles, in order, with the position of each box."""
        cuts = self.page.evaluate(
            """() => [...document.querySelectorAll('#strip .cut')].map((cut) => ({
              id: cut.dataset.crop, tile: cut.dataset.code, chosen: cut.classList.contains('chosen'),
              unsure: cut.classList.contains('unsure'),
              points: document.querySelector(`#canvas [data-id="${cut.dataset.crop}"] polygon`).getAttribute('points'),
            }))"""
        )
        boxes = []
        for cut in cuts:
            xs, ys = zip(*(map(float, point.split(",")) for point in cut.pop("points").split()), strict=True)
            boxes.append(Shown(box=(min(xs), min(ys), max(xs), max(ys)), **cut))
        return boxes

    def tiles(self) -> list[str]:
        """The names in the rows, in order."""
        return [box.tile for box in self.shown()]

    def on_screen(self, x: float, y: float) -> tuple[float, float]:
        """A point of the photo on the screen."""
        at = self.page.evaluate(
            """([x, y]) => { const matrix = document.getElementById('canvas').getScreenCTM();
            const at = new DOMPoint(x, y).matrixTransform(matrix); return [at.x, at.y]; }""",
            [x, y],
        )
        return at[0], at[1]

    def middle_of(self, selector: str) -> tuple[float, float]:
        """The middle of a visible element on the screen. The page redraws boxes when an answer arrives, so existence
        and position are read at once."""
        middle = """selector => {
            const box = document.querySelector(selector)?.getBoundingClientRect();
            return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
        }"""
        x, y = becomes(self.page, lambda: self.page.evaluate(middle, selector), bool)
        return x, y

    def draw(self, box: Outline) -> str:
        """A box with the mouse, over other boxes too; it is there and chosen, and the model was asked for its name.
        Its id."""
        before = [one.id for one in self.shown()]
        if self.page.locator("#tool-draw").get_attribute("aria-pressed") != "true":
            self.page.keyboard.press("d")
            expect(self.page.locator("#tool-draw")).to_have_attribute("aria-pressed", "true")
        self.page.mouse.move(*self.on_screen(box[0], box[1]))
        self.page.mouse.down()
        self.page.mouse.move(*self.on_screen((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
        self.page.mouse.move(*self.on_screen(box[2], box[3]))
        with self.page.expect_response("**/read"):
            self.page.mouse.up()
        fresh = """known => {
            const id = document.querySelector('.cut.chosen')?.dataset.crop;
            return id && !known.includes(id) && id;
        }"""  # somebody else's may come and go meanwhile
        return str(becomes(self.page, lambda: self.page.evaluate(fresh, before), bool))

    def drag(self, start: tuple[float, float], x: float, y: float) -> None:
        """From a place on the screen to a point of the photo; it is saved."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*self.on_screen(x, y), steps=4)
        self.page.mouse.up()
        self.saved()

    def point(self, x: float, y: float) -> None:
        """Click a missed tile on the photo: the model puts a box on it and names it."""
        with self.page.expect_response(lambda answer: answer.url.endswith("/read")):
            self.page.mouse.click(*self.on_screen(x, y))
        expect(self.page.locator(".cut.chosen")).to_have_count(1)
        self.saved()

    def point_at_box(self, x: float, y: float, id_: str) -> None:
        """Click a point of the photo inside a box, which selects that box."""
        self.page.mouse.click(*self.on_screen(x, y))
        self.is_chosen(id_)

    def add_over(self, x: float, y: float, count: int) -> None:
        """Alt + click at a point inside a box: another box over it, the tile number `count` of the photo."""
        self.page.keyboard.down("Alt")
        self.page.mouse.click(*self.on_screen(x, y))
        self.page.keyboard.up("Alt")
        expect(self.page.locator(".cut")).to_have_count(count)
        self.saved()

    def unsent(self, address: str, place: int, *keys: str) -> None:
        """A photo with a change that does not reach the server: the typed keys wait in the browser."""
        self.goto(address)
        catch(self.page, "**/labels", lambda route: route.abort())
        self.choose(place)
        self.keys(*keys)
        expect(self.page.locator("#kept")).to_contain_text("伺服器不在")


class ContactSheet(Screen):
    """Crops of one name, to be clicked and renamed together."""

    def order(self) -> list[str | None]:
        return [crop.get_attribute("data-label") for crop in self.page.locator("#sheet .cut").all()]

    def pick(self, label: str, *, through: bool = False) -> None:
        """One crop; ``through``: with all between it and the one before."""
        crop = self.page.locator(f'#sheet [data-label="{label}"]')
        crop.click(modifiers=["Shift"] if through else [])
        expect(crop).to_have_attribute("aria-pressed", "true")

    def pick_place(self, place: int, *, through: bool = False) -> None:
        """The one at this place of a list; ``through``: with all between it and the one before."""
        one = self.page.locator("#sheet [data-pick]").nth(place)
        one.click(modifiers=["Shift"] if through else [])
        expect(one).to_have_attribute("aria-pressed", "true")

    def picked(self) -> list[str | None]:
        return [one.get_attribute("data-label") for one in self.page.locator('#sheet [aria-pressed="true"]').all()]

    def drag_over(self, first: str, last: str) -> None:
        """The mouse drawn from one crop to another."""
        for label, act in ((first, self.page.mouse.down), (last, self.page.mouse.up)):
            box = box_of(self.page.locator(f'#sheet [data-label="{label}"]'))
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
            act()
        expect(self.page.locator(".drag-frame")).to_have_count(0)

    def undo(self) -> None:
        """The key that takes the last operation back; the list as it was."""
        self.left(lambda: self.page.keyboard.press("u"))
