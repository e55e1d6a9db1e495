"""The board: a photographed hand, the facts of its win, and its tally."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.e2e.support.pages.screen import COUNT, GROWN, Screen, until
from vision.photo.sample import sample_photo_path

SAID = ("say:seat=E", "say:win=self_draw", "say:round=", "say:dealer=", "say:streak=0")
USUAL = {"seat": "E", "win": "self_draw", "round": "E", "dealer": "E", "streak": "0"}
CHECK_AT_ONCE = """usual => {
  let last = null;
  for (const [name, value] of Object.entries(usual)) {
    const field = document.getElementById(`${name}-${value}`);
    if (!field || field.disabled || document.querySelector(`#context input[name="${name}"]:checked`)) continue;
    field.checked = true;
    last = field;
  }
  last?.dispatchEvent(new Event("change", { bubbles: true }));
  return last !== null;
}"""

IN_REACH = """control => { const box = control.getBoundingClientRect(); const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2; const over = document.elementFromPoint(x, y);
  return { x, y, top: box.top, bottom: box.bottom, whole: box.top >= 0 && box.bottom <= window.innerHeight
    && box.left >= 0 && box.right <= window.innerWidth && control.contains(over) }; }"""
"""Whether all of a control is on the screen, with nothing over its middle."""


class Board(Screen):
    """The start page, and the hand that comes onto it."""

    @property
    def sheet(self) -> Locator:
        """The sheet over the board, if one is open."""
        return self.page.locator("dialog.sheet")

    # input

    def photo(self, *paths: Path, field: str = "choose") -> None:
        """Choose photo files, which starts the reading. ``field``: choose, more, second or retake."""
        files = list(paths) or [sample_photo_path()]
        self.answered(lambda: self.page.set_input_files(f"#{field}", files))

    def read(self, *paths: Path) -> None:
        """A hand from photo files, read."""
        self.photo(*paths)
        expect(self.page.locator("#hand")).to_be_visible()

    def sample(self) -> None:
        """The sample photo by its button."""
        self.press(self.page.get_by_role("button", name="試試樣張"))
        expect(self.page.locator("#hand")).to_be_visible()

    def read_without_scripts(self) -> None:
        """Choose and send the sample photo with the button for browsers without scripts, and the facts of the win."""
        self.send(sample_photo_path())
        self.say_how_it_was_won()

    def send(self, path: Path) -> None:
        """Choose and send a photo with the button for browsers without scripts."""
        self.page.set_input_files("#choose", path)
        self.button("讀這張照片")
        expect(self.page.locator("#hand")).to_be_visible()

    def send_second(self, path: Path) -> None:
        """The same with the second photo that the page asks for."""
        self.page.set_input_files("#second", path)
        self.follow(self.page.locator('#second-photo button[value="second"]'))
        expect(self.page.locator("#hand")).to_be_visible()

    def won(self, *paths: Path) -> None:
        """A hand from a photo, and how it was won."""
        self.read(*paths)
        self.say_at_once()

    def restored(self) -> None:
        """Back to the hand that was there just before."""
        self.press(self.page.get_by_role("button", name="回到剛才那一把"))
        expect(self.page.locator("#hand")).to_be_visible()

    def back(self) -> None:
        self.answered(lambda: self.page.evaluate("history.back()"))

    def forward(self) -> None:
        self.answered(lambda: self.page.evaluate("history.forward()"))

    # output

    def state(self) -> dict[str, Any]:
        """The state of the hand that the page sends."""
        return json.loads(self.page.locator("#state").get_attribute("value") or "{}")  # type: ignore[no-any-return]

    def tiles(self) -> list[dict[str, Any]]:
        """The tiles on the board."""
        return self.state()["tiles"]  # type: ignore[no-any-return]

    def place(self, group: str, code: str | None = None) -> int:
        """Number of the first tile of a group."""
        tiles = enumerate(self.tiles())
        return next(place for place, tile in tiles if tile["g"] == group and code in (None, tile["t"]))

    def total(self) -> int:
        """The large number."""
        return int(self.page.locator(".total strong").inner_text())

    def window(self) -> list[float]:
        """What part of the photo is shown: x, y, width, height."""
        return [float(side) for side in (self.page.locator("svg.shot").get_attribute("viewBox") or "").split()]

    def on_screen(self, x: float, y: float) -> tuple[float, float]:
        """The position of a point of the photo on the screen."""
        at = self.page.evaluate(
            """([x, y]) => { const shot = document.querySelector('svg.shot');
            const at = new DOMPoint(x, y).matrixTransform(shot.getScreenCTM()); return [at.x, at.y]; }""",
            [x, y],
        )
        return at[0], at[1]

    # its tiles

    def open_tile(self, place: int | str) -> None:
        """Tap a tile on the photo: its sheet."""
        self.press(self.page.locator(f'.seen-tile[data-tile="{place}"] .box'))
        expect(self.sheet).to_be_visible()

    def open_held(self, place: int) -> None:
        """Tap a tile of the hand: its sheet."""
        self.press(self.page.locator(f"#held-{place}"))
        expect(self.sheet).to_be_visible()

    def name_tile(self, code: str) -> None:
        """On the open sheet of a tile: what it is; the sheet closes."""
        self.press(self.sheet.locator(f"#all-{code}"))
        expect(self.sheet).to_have_count(0)

    def change(self, place: int, code: str) -> None:
        """Tap a tile in the photo, then the tile it really is."""
        self.open_tile(place)
        self.name_tile(code)

    def change_held(self, place: int, code: str) -> None:
        self.open_held(place)
        self.name_tile(code)

    def add_tile(self, code: str) -> None:
        """On the sheet that adds tiles: one more."""
        self.press(self.sheet.locator(f"#all-{code}"))

    def close_sheet(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.sheet).to_have_count(0)

    def undo(self) -> None:
        self.press(self.page.locator("#undo"))

    def redo(self) -> None:
        self.press(self.page.locator("#redo"))

    def open_fold(self, fold: str) -> None:
        """Open a fold of the board if it is closed."""
        if self.page.locator(f"{fold}[open]").count() == 0:
            self.unfold(fold)

    def tools(self) -> None:
        """The photo's tools."""
        self.open_fold("#photo-tools")

    def how(self) -> None:
        """The form of how the hand was won."""
        self.open_fold("#context-form")

    def take_tool(self, tool: str) -> None:
        """A tool for drawing on the photo: box or only."""
        self.tools()
        button = self.page.locator(f"button[data-tool={tool}]")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")

    def thumb(self, control: Locator) -> None:
        """Tap the control at its current position, with nothing over it and without scrolling."""
        expect(control).to_be_visible()
        assert self.page.evaluate("window.scrollY") == 0
        seen = control.evaluate(IN_REACH)
        assert seen["whole"], seen
        self.answered(lambda: self.page.touchscreen.tap(seen["x"], seen["y"]))

    def answers(self) -> list[str]:
        """The values that the buttons of the question send."""
        buttons = self.page.locator("#ask .answer")
        return [str(value) for value in buttons.evaluate_all("all => all.map((one) => one.getAttribute('value'))")]

    def edit_state(self, change: str) -> None:
        """The hand as another photo would have given it: `change` is a script that alters ``state``."""
        self.page.evaluate(
            "() => { const field = document.getElementById('state'); const state = JSON.parse(field.value);"
            f" {change}; field.value = JSON.stringify(state); }}"
        )
        self.answered(lambda: self.page.evaluate("document.querySelector('#hand button[value=\"\"]').click()"))

    def zoom(self, way: str) -> None:
        """By the button: in, out or whole."""
        self.tools()
        before = self.page.locator("svg.shot").get_attribute("viewBox") or ""
        self.page.locator(f"[data-zoom={way}]").click()
        expect(self.page.locator("svg.shot")).not_to_have_attribute("viewBox", before)

    def show(self, photo: int) -> None:
        """One of several photos."""
        self.page.locator(f"[data-show='{photo}']").click()
        expect(self.page.locator(f"svg.shot[data-shot='{photo}']")).to_be_visible()

    def point(self, x: float, y: float) -> None:
        """Click a tile on the photo, which opens its sheet."""
        self.answered(lambda: self.page.mouse.click(*self.on_screen(x, y)))
        expect(self.sheet).to_be_visible()

    def touch(self, x: float, y: float) -> None:
        """Tap a place on the screen near a tile of the photo, which opens its sheet."""
        self.answered(lambda: self.page.mouse.click(x, y))
        expect(self.sheet).to_be_visible()

    def draw(self, start: tuple[float, float], *points: tuple[float, float]) -> None:
        """Along points of the photo with a tool; the answer to it."""
        self.answered(lambda: self.drag(self.on_screen(*start), *(self.on_screen(*point) for point in points)))

    def drag(self, start: tuple[float, float], *points: tuple[float, float]) -> None:
        """Press, go along, let go, on the screen."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for point in points:
            self.page.mouse.move(*point, steps=6)
        self.page.mouse.up()

    # how it was won

    def say(self, chip: str) -> None:
        """One chip, such as ``win-discard``; without scripts the button that tallies too."""
        self.how()
        if self.page.locator(f"#{chip}[type=radio]:checked").count():
            return  # known already from the hand before
        if chip.startswith("events-"):
            self.open_fold("#more-events")
        if self.scripted:
            self.press(self.page.locator(f"#{chip}"))
            return
        self.page.locator(f"#{chip}").check()
        self.follow(self.page.get_by_role("button", name="算台").last)

    def say_if(self, switch: str) -> None:
        """One switch of 'what if', without scripts with the button that tallies."""
        if self.scripted:
            self.press(self.page.locator(f"label.switch:has(#if-{switch})"))
            return
        self.page.locator(f"#if-{switch}").check()
        self.follow(self.page.locator("#what-if").get_by_role("button", name="算台"))

    def tap_grey(self, chip: Locator) -> None:
        """Tap an impossible chip, which gives the reason."""
        chip.click(force=True)
        expect(self.page.locator(".why:visible").first).to_be_visible()

    def say_how_it_was_won(self) -> None:
        """Answer the tally's questions: East, self-drawn, and the first answer of all others."""
        answers = self.page.locator('#ask .answer[value^="say:"]')
        while answers.count():
            values = [str(answer.get_attribute("value")) for answer in answers.all()]
            value = next(value for start in SAID for value in values if value.startswith(start))
            self.press(answers.and_(self.page.locator(f'[value="{value}"]')))

    def say_at_once(self) -> None:
        """The same with one request instead of five: for tests that are about something else."""
        if self.scripted:
            before = self.page.evaluate(COUNT)
            if self.page.evaluate(CHECK_AT_ONCE, USUAL):
                until(self.page, GROWN, before)
        self.say_how_it_was_won()

    def choose_winning_tile(self) -> None:
        """Choose the last possible winning tile if the reading found none, after the facts of the win."""
        self.say_at_once()
        if not self.page.locator(".won").count():
            self.press(self.page.locator(".held:has(.would)").last)
        expect(self.page.locator(".won")).to_be_visible()

    def on_the_board(self, players: tuple[str, ...] = ()) -> None:
        """The sample photo, read, the winning tile chosen; of a running table's `players` it is asked who won."""
        self.go("/")
        self.sample()
        if players:
            expect(self.page.locator("#ask .who-row")).to_have_count(len(players))
            for player in players:  # a row of their own, and a button in the row of each of the others
                expect(self.page.locator("#ask .who-name").get_by_text(player, exact=True)).to_have_count(1)
                expect(self.page.locator("#ask .answer").get_by_text(player, exact=True)).to_have_count(
                    len(players) - 1
                )
        self.choose_winning_tile()
        expect(self.page.locator("#settle")).to_be_visible()

    def settle_game(self) -> None:
        """Enter it into the running game: its record."""
        self.follow(self.page.locator("#settle-game"))
        expect(self.page.locator(".record")).to_be_visible()

    def keep(self) -> None:
        """Keep it as a record of its own."""
        self.follow(self.page.locator("#settle-keep"))
        expect(self.page.locator(".record")).to_be_visible()

    def begin_to_keep(self) -> None:
        """Press what keeps it, and wait for nothing."""
        self.page.locator("#settle-keep").click(no_wait_after=True)

    def name_players(self, winner: str) -> None:
        """Who sits East, for a record of its own."""
        self.unfold("#settle-names")
        self.page.fill("#player_E", winner)
        self.page.locator("#player_E").blur()
        expect(self.page.locator("#player_E")).to_have_value(winner)
