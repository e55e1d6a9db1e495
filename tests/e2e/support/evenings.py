"""A page with records of its own, so that an evening played in one test is not the running table of another."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.serving import serving
from vision.detection.types import Detection
from vision.photo.image import Photo
from vision.photo.sample import sample_photo_path
from vision.reading.pipeline import Reader
from vision.tileset.matcher import Matcher

NAMES = ("阿明", "小美", "老王", "Grace")


class RememberingReader(Reader):
    """The real reader, whose networks see each photo once: what they found in it is remembered for the other tests
    that show the same pixels. Layout, hand and doubts are worked out anew each time."""

    def detect(self, photo: Photo, matcher: Matcher | None = None) -> tuple[Detection, ...]:
        if matcher is not None:
            return super().detect(photo, matcher)
        key = hashlib.blake2b(photo.pixels.tobytes()).digest(), photo.pixels.shape, photo.size
        if key not in _SEEN:
            _SEEN[key] = super().detect(photo)
        return _SEEN[key]


_SEEN: dict[tuple[Any, ...], tuple[Detection, ...]] = {}


@cache
def reader() -> Reader:
    """The shipped model, loaded once for all these pages."""
    models = os.environ.get("PAITAI_MODELS")
    return RememberingReader.load(Path(models) if models else None)


def unfold(page: Page) -> None:
    """Open everything that is folded."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")


def serve(folder: Path) -> Iterator[str]:
    """The address of the page with its records in `folder`."""
    yield from served({"READER": reader(), "DATA": str(folder)})


def served(config: dict[str, Any]) -> Iterator[str]:
    """The address of the page with these settings, served as `paitai serve` does."""
    from webui import create_app

    app = create_app(config)
    with serving(app) as port:
        yield f"http://127.0.0.1:{port}/"
    app.extensions["paitai.store"].close()


def go(page: Page, path: str) -> None:
    """To a page by its path."""
    page.goto(page.evaluate("location.origin") + path)


def follow(control: Locator) -> None:
    """Click what leads to another page, and wait until all of that is there."""
    with control.page.expect_navigation():
        control.click()


def sit_down(page: Page) -> None:
    """Open a table, or take the one that is open."""
    go(page, "/table")
    if page.locator("#name_0").count():
        for at, name in enumerate(NAMES):
            page.fill(f"#name_{at}", name)
        page.get_by_role("button", name="開一桌").click()
    expect(page.locator(".totals li")).to_have_count(4)


def totals(page: Page) -> dict[str, int]:
    """Points by name, as the table shows them."""
    page.wait_for_load_state()  # after a click that led here only half of the page may have arrived
    names = page.locator(".totals .player").all_inner_texts()
    return dict(zip(names, map(int, page.locator(".totals strong").all_inner_texts()), strict=True))


def hand_on_the_board(page: Page, players: tuple[str, ...] = ()) -> None:
    """The sample photo, read, the winning tile chosen; of a running table's `players` it is asked who won."""
    go(page, "/")
    page.get_by_role("button", name="試試樣張").click()
    expect(page.locator("#hand")).to_be_visible()
    if players:
        expect(page.locator("#tally .answer")).to_have_count(len(players))
        assert sorted(page.locator("#tally .answer").all_inner_texts()) == sorted(players)
    choose_winning_tile(page)
    expect(page.locator("#settle")).to_be_visible()


SAID = ("say:seat=E", "say:win=self_draw", "say:round=", "say:dealer=", "say:streak=0")


WHOLE_PAGE = "body:has(#hand):has(> #progress)"  # the board, and what comes last in the page: nothing still arrives


def say_how_it_was_won(page: Page) -> None:
    """The answers to what the tally asks: East, self-drawn, and the first of whatever else is asked."""
    expect(page.locator(WHOLE_PAGE)).to_be_visible()
    answers = page.locator('#tally .answer[value^="say:"]')
    while answers.count():
        values = [str(one.get_attribute("value")) for one in answers.all()]
        value = next(value for start in SAID for value in values if value.startswith(start))
        answers.and_(page.locator(f'[value="{value}"]')).click()
        expect(page.locator(f'{WHOLE_PAGE}:not(:has(#tally .answer[value="{value}"]))')).to_be_visible()


USUAL = {"seat": "E", "win": "self_draw", "round": "E", "dealer": "E", "streak": "0"}
SAY_AT_ONCE = """(usual) => {
  if (!document.documentElement.classList.contains("js")) return;
  let last = null;
  for (const [name, value] of Object.entries(usual)) {
    const field = document.getElementById(`${name}-${value}`);
    if (!field || field.disabled || document.querySelector(`#context input[name="${name}"]:checked`)) continue;
    field.checked = true;
    last = field;
  }
  if (!last) return;
  return new Promise((done, failed) => {
    const late = performance.now() + 20000;
    const look = () => {
      if (!last.isConnected) done();
      else if (performance.now() > late) failed(new Error("the board was not replaced"));
      else setTimeout(look, 10);
    };
    last.dispatchEvent(new Event("change", { bubbles: true }));
    look();
  });
}"""


def say_at_once(page: Page) -> None:
    """The same as `say_how_it_was_won`, with one request instead of five: for tests that are about something else."""
    expect(page.locator(WHOLE_PAGE)).to_be_visible()
    page.evaluate(SAY_AT_ONCE, USUAL)
    say_how_it_was_won(page)


def choose_winning_tile(page: Page) -> None:
    """The last of those that would win, where the reading found none by itself; how it was won is said before."""
    say_at_once(page)
    if not page.locator(".won").count():
        page.locator(".held:has(.would)").last.click()
    expect(page.locator(".won")).to_be_visible()


def read_without_scripts(page: Page) -> None:
    """The sample photo, chosen and sent by the button that is there where no script runs."""
    page.set_input_files("#choose", sample_photo_path())
    page.get_by_role("button", name="讀這張照片").click()
    expect(page.locator("#hand")).to_be_visible()
    say_how_it_was_won(page)


def note_by_hand(page: Page, winner: str, tai: int, source: str = "自摸") -> None:
    """A hand without a photo."""
    page.wait_for_load_state()
    before = page.locator(".hands tbody tr").count()
    page.locator("#step-won summary").click()
    page.locator("#step-won").get_by_label(winner, exact=True).fill(str(tai))
    page.locator("#step-won").get_by_label(source, exact=True).check()
    page.locator("#step-won").get_by_role("button", name="記下").click()
    expect(page.locator(".hands tbody tr")).to_have_count(before + 1)


def no_sideways(page: Page) -> None:
    """Nothing sticks out of the screen."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "the page scrolls sideways"
