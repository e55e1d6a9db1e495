"""看: zoom and pan, a tap on a tile, drawn boxes, the circled hand, drag, keys, undo, notes and suggestions."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.support.evenings import say_at_once
from vision.photo.sample import sample_photo_path

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])
TRUTH = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))


def tiles_of(page: Page) -> list[dict[str, Any]]:
    """The tiles on the board."""
    return json.loads(page.locator("#state").get_attribute("value") or "{}")["tiles"]  # type: ignore[no-any-return]


def board(open_page: Any, size: str, path: Path | None = None, **options: Any) -> Page:
    """The page with a photo's hand on it."""
    page: Page = open_page(size, **options)
    page.set_input_files("#choose", path or sample_photo_path())
    expect(page.locator("#hand")).to_be_visible()
    say_at_once(page)
    page.evaluate("window.scrollTo(0, 0)")  # the answers stand under the photo
    return page


def at(page: Page, group: str, code: str | None = None) -> int:
    """Number of the first tile of a group."""
    tiles = enumerate(tiles_of(page))
    return next(place for place, one in tiles if one["g"] == group and code in (None, one["t"]))


def window(page: Page) -> list[float]:
    """What part of the photo is shown: x, y, width, height."""
    return [float(one) for one in (page.locator("svg.shot").get_attribute("viewBox") or "").split()]


NARROWER = "width => document.querySelector('svg.shot').viewBox.baseVal.width < width"


def on_screen(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the photo lies on the screen."""
    found = page.evaluate(
        """([x, y]) => { const shot = document.querySelector('svg.shot');
        const at = new DOMPoint(x, y).matrixTransform(shot.getScreenCTM()); return [at.x, at.y]; }""",
        [x, y],
    )
    return found[0], found[1]


def drag(page: Page, start: tuple[float, float], *points: tuple[float, float]) -> None:
    """Press, go along, let go."""
    page.mouse.move(*start)
    page.mouse.down()
    for point in points:
        page.mouse.move(*point, steps=6)
    page.mouse.up()


class Fingers:
    """Fingers on the screen, as the screen reports them."""

    def __init__(self, page: Page) -> None:
        self._client = page.context.new_cdp_session(page)

    def __call__(self, kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


@SIZES
def test_the_photo_zooms_by_button_key_and_back(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    start = window(page)
    page.locator("[data-zoom=in]").click()
    assert window(page)[2] < start[2] * 0.8
    page.locator("svg.shot").focus()
    page.keyboard.press("+")
    near = window(page)
    assert near[2] < start[2] * 0.6
    page.keyboard.press("ArrowRight")
    assert window(page)[0] > near[0]
    page.keyboard.press("0")
    assert window(page) == [0, 0, 1600, 1200]
    page.locator("[data-zoom=whole]").click()
    assert window(page) == start
    page.locator("#seat-S").click()
    expect(page.locator("#seat-S")).to_be_checked()
    page.locator("[data-zoom=in]").click()
    kept = window(page)
    page.locator("#seat-W").click()
    expect(page.locator(".total-how")).to_contain_text("西家胡")
    assert window(page) == kept  # a changed context does not move the photo
    tai = page.locator(".total strong").inner_text()
    page.locator("#plates").click()
    expect(page.locator(".seen-tile text").first).to_be_hidden()  # what lies behind a tile is not covered
    page.locator("#turn").click()
    expect(page.locator("svg.shot")).to_have_attribute("data-whole", "0 0 1200 1600")
    expect(page.locator(".seen-tile text").first).to_be_hidden()
    page.locator("#plates").click()
    expect(page.locator(".seen-tile text").first).to_be_visible()
    assert page.locator(".total strong").inner_text() == tai
    page.set_input_files("#retake", sample_photo_path())
    expect(page.locator("svg.shot")).to_have_attribute("data-whole", "0 0 1600 1200")
    expect(page.locator(".total strong")).to_have_text(tai)  # how it was won stays said


def test_the_wheel_zooms_where_the_mouse_is_and_a_drag_pans(open_page: Any) -> None:
    page = board(open_page, "laptop")
    x, y = on_screen(page, 700, 650)
    page.mouse.move(x, y)
    before = window(page)
    page.mouse.wheel(0, -300)
    page.wait_for_function(NARROWER, arg=before[2])
    after = window(page)
    assert after[2] < before[2]
    assert on_screen(page, 700, 650) == pytest.approx((x, y), abs=3)
    drag(page, (x, y), (x - 120, y))
    assert window(page)[0] > after[0]
    expect(page.locator("dialog.sheet")).to_have_count(0)  # a drag is no tap
    page.mouse.click(*on_screen(page, 660, 690))
    expect(page.locator("dialog.sheet")).to_be_visible()


def test_two_fingers_zoom(open_page: Any) -> None:
    page = board(open_page, "phone")
    before = window(page)
    x, y = on_screen(page, before[0] + before[2] / 2, before[1] + before[3] / 2)
    fingers = Fingers(page)
    fingers("touchStart", (x - 30, y), (x + 30, y))
    for far in (45, 60, 80, 100):
        fingers("touchMove", (x - far, y), (x + far, y))
    fingers("touchEnd")
    page.wait_for_function(NARROWER, arg=before[2] * 0.5)
    expect(page.locator("dialog.sheet")).to_have_count(0)


@SIZES
def test_a_tap_shows_the_tile_large_and_what_it_may_be(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    place = at(page, "concealed", "2p")
    page.locator(f'.seen-tile[data-tile="{place}"] .box').click()
    crop = page.locator("dialog.sheet .crop").bounding_box()
    assert crop is not None
    assert crop["width"] >= 140
    expect(page.locator("dialog.sheet .likely-tile").first).to_have_class(re.compile("now"))
    likely = page.locator("dialog.sheet .likely").bounding_box()
    every = page.locator("dialog.sheet .all").bounding_box()
    assert likely is not None
    assert every is not None
    assert likely["y"] < every["y"]
    assert every["y"] + every["height"] <= page.evaluate("window.innerHeight")
    page.keyboard.press("Escape")
    expect(page.locator("dialog.sheet")).to_have_count(0)
    expect(page.locator(f"#seen-{place}")).to_be_focused()  # where the person was
    expect(page.locator(".hand .keys")).to_be_visible(visible=size == "laptop")  # a phone has no keys
    page.locator(f"#held-{place}").press("Enter")
    expect(page.locator("dialog.sheet")).to_be_visible()
    if size == "phone":  # on its side all five rows are in sight
        page.set_viewport_size({"width": 844, "height": 390})
        rows = page.locator("dialog.sheet .row").all()
        for box in (rows[0].bounding_box(), rows[-1].bounding_box()):
            assert box is not None
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 390
    page.keyboard.type("9m")
    expect(page.locator("dialog.sheet")).to_have_count(0)
    assert tiles_of(page)[place]["t"] == "9m"
    expect(page.locator(f"#held-{place}")).to_be_focused()


@SIZES
def test_a_missed_tile_is_boxed_and_read(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    place = at(page, "concealed", "7p")
    x1, y1, x2, y2 = tiles_of(page)[place]["b"]
    page.locator(f"#held-{place}").click()
    page.locator("dialog.sheet .danger").click()
    expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]) - 1)
    page.locator("button[data-tool=box]").click()
    expect(page.locator("#tool-help")).to_be_visible()
    drag(page, on_screen(page, x1, y1), on_screen(page, x2, y2))
    expect(page.locator("dialog.sheet .crop")).to_be_visible()
    expect(page.locator("dialog.sheet #all-7p")).to_have_class("now")  # the reader proposes it
    page.keyboard.press("Escape")
    added = tiles_of(page)[-1]
    assert (added["t"], added["g"]) == ("7p", "concealed")
    assert added["c"] > 0.5
    expect(page.locator(".total strong")).to_be_visible()
    page.locator("#undo").click()
    expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]) - 1)


def test_a_tile_is_boxed_by_keyboard(open_page: Any) -> None:
    page = board(open_page, "laptop")
    page.locator("button[data-tool=box]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("svg.shot")).to_be_focused()
    for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("polygon.drawing")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("dialog.sheet")).to_be_visible()
    assert len(tiles_of(page)) == len(TRUTH["tiles"]) + 1


def test_a_slip_of_the_finger_is_no_box(open_page: Any) -> None:
    page = board(open_page, "laptop")
    page.locator("button[data-tool=box]").click()
    x, y = on_screen(page, 700, 650)
    drag(page, (x, y), (x + 1, y + 1))
    expect(page.locator("#notice")).to_contain_text("太小")
    assert len(tiles_of(page)) == len(TRUTH["tiles"])


@SIZES
def test_what_is_outside_the_line_stays_aside(size: str, open_page: Any, tmp_path: Path) -> None:
    river = Image.open(sample_photo_path()).convert("RGB")
    tile = river.crop((470, 615, 610, 800))  # a tile of another player, far from the hand
    river.paste(tile, (100, 1000))
    river.paste(tile, (300, 1000))
    path = tmp_path / "river.jpg"
    river.save(path, quality=92)
    page = board(open_page, size, path)
    expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]) + 2)
    page.locator("button[data-tool=only]").click()
    assert window(page) == [0, 0, 1600, 1200]  # the hand may lie anywhere
    corners = [(30, 400), (1590, 400), (1590, 900), (30, 900)]
    drag(page, on_screen(page, *corners[0]), *(on_screen(page, *one) for one in [*corners[1:], corners[0]]))
    expect(page.locator(".seen-tile.aside")).to_have_count(2)
    expect(page.locator(".group.aside .held")).to_have_count(2)
    assert sum(one["g"] == "concealed" for one in tiles_of(page)) == 10
    expect(page.locator(".total strong")).to_be_visible()
    page.locator("#undo").click()
    page.locator("#redo").click()
    expect(page.locator(".seen-tile.aside")).to_have_count(2)


def test_a_tile_is_dragged_to_another_group(open_page: Any) -> None:
    page = board(open_page, "laptop")
    place = at(page, "concealed", "2p")
    page.evaluate("document.querySelector('.hand').scrollIntoView({block: 'start'})")
    held = page.locator(f"#held-{place}").bounding_box()
    goal = page.locator(".group.meld").first.bounding_box()
    assert held is not None
    assert goal is not None
    start = held["x"] + 20, held["y"] + 20
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 30, start[1] + 5, steps=4)
    expect(page.locator(".ghost")).to_be_visible()
    expect(page.locator(".drops")).to_be_visible()
    page.mouse.move(goal["x"] + 30, goal["y"] + 40, steps=6)
    page.mouse.up()
    expect(page.locator(".group.meld").first.locator(".held")).to_have_count(4)
    expect(page.locator("dialog.sheet")).to_have_count(0)
    assert tiles_of(page)[place]["g"] == "meld:1"
    expect(page.locator(".drops")).to_be_hidden()
    page.locator("#undo").click()
    expect(page.locator(".group.meld").first.locator(".held")).to_have_count(3)
    grip, row = page.locator(".group.meld .grip").first.bounding_box(), page.locator(".group.closed").bounding_box()
    assert grip is not None
    assert row is not None
    drag(page, (grip["x"] + 20, grip["y"] + 10), (grip["x"] + 60, grip["y"]), (row["x"] + 150, row["y"] + 60))
    expect(page.locator(".group.meld")).to_have_count(1)  # the whole group went
    assert sum(one["g"] == "concealed" for one in tiles_of(page)) == 13


def test_a_finger_drags_a_tile_after_a_moment(open_page: Any) -> None:
    page = board(open_page, "phone")
    place = at(page, "winning")
    page.locator(f"#held-{place}").scroll_into_view_if_needed()
    held = page.locator(f"#held-{place}").bounding_box()
    assert held is not None
    x, y = held["x"] + 15, held["y"] + 20
    fingers = Fingers(page)
    fingers("touchStart", (x, y))
    page.wait_for_timeout(500)
    expect(page.locator(".ghost")).to_be_visible()
    goal = page.locator('.drops [data-group="other"]').bounding_box()
    assert goal is not None
    for share in (0.3, 0.6, 1.0):
        fingers("touchMove", (x + (goal["x"] + 20 - x) * share, y + (goal["y"] + 20 - y) * share))
    fingers("touchEnd")
    expect(page.locator(".group.aside .held")).to_have_count(1)
    assert tiles_of(page)[place]["g"] == "other"


@SIZES
def test_tiles_are_moved_and_taken_away_by_keyboard(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    place = at(page, "winning")
    page.locator(f"#held-{place}").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(f'#held-{place}[data-in="meld:1"]')).to_be_focused()
    expect(page.locator(".hand [role=status]").first).to_contain_text("八筒移到第 1 組")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator(f'#held-{place}[data-in="winning"]')).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.locator(".won")).to_have_count(0)
    assert len(tiles_of(page)) == len(TRUTH["tiles"]) - 1
    expect(page.locator("*:focus")).to_have_count(1)  # the focus is not lost with the tile
    page.keyboard.press("Control+z")
    expect(page.locator(".won")).to_have_count(1)
    page.keyboard.press("Control+y")
    expect(page.locator(".won")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(page.locator(".won")).to_have_count(1)


@SIZES
def test_undo_and_redo_outlive_a_reload(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    first = tiles_of(page)
    for place, code in ((0, "9m"), (1, "8m")):
        page.locator(f"#held-{place}").click()
        page.locator(f"dialog.sheet #all-{code}").click()
        expect(page.locator("dialog.sheet")).to_have_count(0)
    changed = tiles_of(page)
    page.locator("#undo").click()
    expect(page.locator("#redo")).to_be_enabled()
    page.reload()
    expect(page.locator("#redo")).to_be_enabled()
    page.locator("#undo").click()
    expect(page.locator("#undo")).to_be_disabled()
    assert tiles_of(page) == first
    page.locator("#redo").click()
    expect(page.locator("#undo")).to_be_enabled()
    page.locator("#redo").click()
    expect(page.locator("#redo")).to_be_disabled()
    assert tiles_of(page) == changed


def test_a_note_stands_beside_its_tiles_and_goes_with_its_cause(open_page: Any) -> None:
    page = board(open_page, "phone")
    place = at(page, "flowers", "6f")
    page.locator(f"#held-{place}").click()
    page.locator("dialog.sheet #all-5f").click()
    note = page.locator('[data-group="flowers"] .note')
    expect(note).to_contain_text("2 張")
    expect(note.locator(".note-tile")).to_have_count(2)
    expect(page.locator(f"#held-{place} .mark")).to_have_text("!")
    note.locator(".note-tile").last.click()
    page.locator("dialog.sheet #all-6f").click()
    expect(note).to_have_count(0)


def test_a_suggestion_is_one_tap_and_one_undo(open_page: Any) -> None:
    """A reading with a doubtful tile, as the reader would give it."""
    page = board(open_page, "phone")
    page.evaluate(
        """() => { const field = document.getElementById('state'); const state = JSON.parse(field.value);
        const place = state.tiles.findIndex((one) => one.t === '3p');
        Object.assign(state.tiles[place], {t: '4s', w: '4s', c: 0.5, o: [['3p', 0.4]]});
        state.suggestions = [[[[place, '3p']], {zh: '照機率也可能是三筒', en: 'may be 3 dots'}]];
        field.value = JSON.stringify(state); }"""
    )
    page.locator("#seat-E").focus()
    page.locator("#round-S").click()
    expect(page.locator(".suggestion")).to_contain_text("三筒")
    expect(page.locator(".verdict")).to_contain_text("還不是胡牌")  # offered, never done by itself
    page.locator("#suggestion-1").click()
    expect(page.locator(".total strong")).to_be_visible()
    expect(page.locator(".suggestion")).to_have_count(0)
    page.locator("#undo").click()
    expect(page.locator(".suggestion")).to_have_count(1)


@SIZES
def test_every_control_has_a_name(size: str, open_page: Any) -> None:
    page = board(open_page, size)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, [role=button], input:not([type=hidden]), select, summary')]
        .filter((one) => one.checkVisibility())
        .filter((one) => !(one.getAttribute('aria-label') || one.title || one.textContent.trim()
          || one.labels?.[0]?.textContent.trim() || one.querySelector?.('img[alt]:not([alt=""])')))
        .map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert nameless == []


def test_every_doubt_is_told_without_colour(open_page: Any) -> None:
    page = board(open_page, "phone", forced_colors="active")
    kinds = page.evaluate(
        """() => ['sure', 'unsure', 'doubtful'].map((kind) => {
        const one = document.querySelector('.seen-tile');
        one.setAttribute('class', `seen-tile ${kind}`);
        return getComputedStyle(one.querySelector('.box')).strokeDasharray; })"""
    )
    assert len(set(kinds)) == 3
