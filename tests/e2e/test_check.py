"""看: zoom and pan, a tap on a tile, drawn boxes, the circled hand, drag, keys, undo, notes and suggestions."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.support.pages import Board, becomes, box_of, holds
from vision.photo.sample import sample_photo_path

SIZES = pytest.mark.parametrize("size", ["phone", "laptop"])
LAPTOP = pytest.mark.parametrize("size", ["laptop"])
PHONE = pytest.mark.parametrize("size", ["phone"])
TRUTH = json.loads(sample_photo_path().with_suffix(".json").read_text(encoding="utf-8"))


def looked_at(open_page: Any, size: str, path: Path | None = None, **options: Any) -> Board:
    """The page with a photo's hand on it."""
    board = Board(open_page(size, **options))
    board.won(*([path] if path else []))
    board.page.evaluate("window.scrollTo(0, 0)")  # the answers stand under the photo
    return board


class Fingers:
    """Fingers on the screen, as the screen reports them."""

    def __init__(self, page: Page) -> None:
        self._client = page.context.new_cdp_session(page)

    def __call__(self, kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})


@SIZES
def test_the_photo_zooms_by_button_key_and_back(size: str, open_page: Any) -> None:
    board = looked_at(open_page, size)
    page = board.page
    start = board.window()
    board.zoom("in")
    holds(page, lambda: board.window()[2] < start[2] * 0.8)
    page.locator("svg.shot").focus()
    page.keyboard.press("+")
    near = becomes(page, board.window, lambda seen: seen[2] < start[2] * 0.6)
    page.keyboard.press("ArrowRight")
    holds(page, lambda: board.window()[0] > near[0])
    page.keyboard.press("0")
    becomes(page, board.window, [0, 0, 1600, 1200])
    board.zoom("whole")
    becomes(page, board.window, start)
    board.say("seat-S")
    expect(page.locator("#seat-S")).to_be_checked()
    board.zoom("in")
    kept = board.window()
    board.say("seat-W")
    expect(page.locator(".total-how")).to_contain_text("西家胡")
    becomes(page, board.window, kept)  # a changed context does not move the photo
    tai = page.locator(".total strong").inner_text()
    board.tools()
    board.toggle(page.locator("#plates"))
    expect(page.locator(".seen-tile text").first).to_be_hidden()  # things behind a tile are not covered
    board.press(page.locator("#turn"))
    expect(page.locator("svg.shot")).to_have_attribute("data-whole", "0 0 1200 1600")
    expect(page.locator(".seen-tile text").first).to_be_hidden()
    board.toggle(page.locator("#plates"))
    expect(page.locator(".seen-tile text").first).to_be_visible()
    becomes(page, page.locator(".total strong").inner_text, tai)
    page.set_input_files("#retake", sample_photo_path())
    expect(page.locator("svg.shot")).to_have_attribute("data-whole", "0 0 1600 1200")
    expect(page.locator(".total strong")).to_have_text(tai)  # the facts of the win stay


def test_the_wheel_zooms_where_the_mouse_is_and_a_drag_pans(open_page: Any) -> None:
    board = looked_at(open_page, "laptop")
    page = board.page
    x, y = board.on_screen(700, 650)
    page.mouse.move(x, y)
    before = board.window()
    page.mouse.wheel(0, -300)
    after = becomes(page, board.window, lambda seen: seen[2] < before[2])
    becomes(page, lambda: board.on_screen(700, 650), pytest.approx((x, y), abs=3))
    board.drag((x, y), (x - 120, y))
    holds(page, lambda: board.window()[0] > after[0])
    expect(page.locator("dialog.sheet")).to_have_count(0)  # a drag does not tap
    board.point(660, 690)


def test_two_fingers_zoom(open_page: Any) -> None:
    board = looked_at(open_page, "phone")
    page = board.page
    before = board.window()
    x, y = board.on_screen(before[0] + before[2] / 2, before[1] + before[3] / 2)
    fingers = Fingers(page)
    fingers("touchStart", (x - 30, y), (x + 30, y))
    for far in (45, 60, 80, 100):
        fingers("touchMove", (x - far, y), (x + far, y))
    fingers("touchEnd")
    becomes(page, board.window, lambda seen: seen[2] < before[2] * 0.5)
    expect(page.locator("dialog.sheet")).to_have_count(0)


@SIZES
def test_a_tap_shows_the_tile_large_and_what_it_may_be(size: str, open_page: Any) -> None:
    board = looked_at(open_page, size)
    page = board.page
    place = board.place("concealed", "2p")
    board.open_tile(place)
    crop = box_of(board.sheet.locator(".crop"))
    assert crop["width"] >= 140
    expect(page.locator("dialog.sheet .likely-tile").first).to_have_class(re.compile("now"))
    likely, every = (box_of(page.locator(f"dialog.sheet .{part}")) for part in ("likely", "all"))
    assert likely["y"] < every["y"]
    assert every["y"] + every["height"] <= (844 if size == "phone" else 800)
    board.close_sheet()
    expect(page.locator(f"#seen-{place}")).to_be_focused()  # the person's previous place
    expect(page.locator(".hand .keys")).to_be_visible(visible=size == "laptop")  # a phone has no keys
    page.locator(f"#held-{place}").focus()
    board.key("Enter")
    expect(board.sheet).to_be_visible()
    if size == "phone":  # on its side all five rows are in sight
        page.set_viewport_size({"width": 844, "height": 390})
        rows = page.locator("dialog.sheet .row")
        for box in (box_of(rows.first), box_of(rows.last)):
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 390
    page.keyboard.type("9m")
    expect(page.locator("dialog.sheet")).to_have_count(0)
    becomes(page, lambda: board.tiles()[place]["t"], "9m")
    expect(page.locator(f"#held-{place}")).to_be_focused()


@LAPTOP
def test_a_missed_tile_is_boxed_and_read(size: str, open_page: Any) -> None:
    board = looked_at(open_page, size)
    page = board.page
    place = board.place("concealed", "7p")
    x1, y1, x2, y2 = board.tiles()[place]["b"]
    board.open_held(place)
    board.press(board.sheet.locator(".danger"))
    expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]) - 1)
    board.take_tool("box")
    expect(page.locator("#tool-help")).to_be_visible()
    board.draw((x1, y1), (x2, y2))
    expect(page.locator("dialog.sheet .crop")).to_be_visible()
    expect(page.locator("dialog.sheet #all-7p")).to_have_class("now")  # the reader proposes it
    board.close_sheet()
    added = board.tiles()[-1]
    assert (added["t"], added["g"]) == ("7p", "concealed")
    assert added["c"] > 0.5
    expect(page.locator(".total strong")).to_be_visible()
    board.undo()
    expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]) - 1)


def test_a_tile_is_boxed_by_keyboard(open_page: Any) -> None:
    board = looked_at(open_page, "laptop")
    page = board.page
    board.tools()
    page.locator("button[data-tool=box]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("svg.shot")).to_be_focused()
    for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("polygon.drawing")).to_have_count(1)
    board.key("Enter")
    expect(board.sheet).to_be_visible()
    becomes(page, lambda: len(board.tiles()), len(TRUTH["tiles"]) + 1)


def test_a_slip_of_the_finger_is_no_box(open_page: Any) -> None:
    board = looked_at(open_page, "laptop")
    page = board.page
    board.take_tool("box")
    board.draw((700, 650), (701, 651))
    expect(page.locator("#notice")).to_contain_text("太小")
    becomes(page, lambda: len(board.tiles()), len(TRUTH["tiles"]))


@PHONE
def test_what_is_outside_the_line_stays_aside(size: str, open_page: Any, tmp_path: Path) -> None:
    river = Image.open(sample_photo_path()).convert("RGB")
    tile = river.crop((470, 615, 610, 800))  # a tile of another player, far from the hand
    river.paste(tile, (100, 1000))
    river.paste(tile, (300, 1000))
    path = tmp_path / "river.jpg"
    river.save(path, quality=92)
    board = looked_at(open_page, size, path)
    page = board.page
    expect(page.locator(".seen-tile")).to_have_count(len(TRUTH["tiles"]) + 2)
    board.take_tool("only")
    becomes(page, board.window, [0, 0, 1600, 1200])  # the hand may lie anywhere
    corners = [(30, 400), (1590, 400), (1590, 900), (30, 900)]
    board.draw(*corners, corners[0])
    expect(page.locator(".seen-tile.aside")).to_have_count(2)
    expect(page.locator(".group.aside .held")).to_have_count(2)
    becomes(page, lambda: sum(one["g"] == "concealed" for one in board.tiles()), 10)
    expect(page.locator(".total strong")).to_be_visible()
    board.undo()
    board.redo()
    expect(page.locator(".seen-tile.aside")).to_have_count(2)


def test_a_tile_is_dragged_to_another_group(open_page: Any) -> None:
    board = looked_at(open_page, "laptop")
    page = board.page
    place = board.place("concealed", "2p")
    page.evaluate("document.querySelector('.hand').scrollIntoView({block: 'start'})")
    held, goal = box_of(page.locator(f"#held-{place}")), box_of(page.locator(".group.meld").first)
    start = held["x"] + 20, held["y"] + 20
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 30, start[1] + 5, steps=4)
    expect(page.locator(".ghost")).to_be_visible()
    expect(page.locator(".drops")).to_be_visible()
    page.mouse.move(goal["x"] + 30, goal["y"] + 40, steps=6)
    board.answered(page.mouse.up)
    expect(page.locator(".group.meld").first.locator(".held")).to_have_count(4)
    expect(page.locator("dialog.sheet")).to_have_count(0)
    becomes(page, lambda: board.tiles()[place]["g"], "meld:1")
    expect(page.locator(".drops")).to_be_hidden()
    board.undo()
    expect(page.locator(".group.meld").first.locator(".held")).to_have_count(3)
    grip, row = box_of(page.locator(".group.meld .grip").first), box_of(page.locator(".group.closed .held").nth(3))
    way = (grip["x"] + 60, grip["y"]), (row["x"] + 10, row["y"] + 20)
    board.answered(lambda: board.drag((grip["x"] + 20, grip["y"] + 10), *way))
    expect(page.locator(".group.meld")).to_have_count(1)  # the whole group went
    becomes(page, lambda: sum(one["g"] == "concealed" for one in board.tiles()), 13)


def test_a_finger_drags_a_tile_after_a_moment(open_page: Any) -> None:
    board = looked_at(open_page, "phone")
    page = board.page
    place = board.place("winning")
    page.locator(f"#held-{place}").scroll_into_view_if_needed()
    held = box_of(page.locator(f"#held-{place}"))
    x, y = held["x"] + 15, held["y"] + 20
    fingers = Fingers(page)
    fingers("touchStart", (x, y))
    expect(page.locator(".ghost")).to_be_visible()  # after a moment
    goal = box_of(page.locator('.drops [data-group="other"]'))
    for share in (0.3, 0.6, 1.0):
        fingers("touchMove", (x + (goal["x"] + 20 - x) * share, y + (goal["y"] + 20 - y) * share))
    board.answered(lambda: fingers("touchEnd"))
    expect(page.locator(".group.aside .held")).to_have_count(1)
    becomes(page, lambda: board.tiles()[place]["g"], "other")


@LAPTOP
def test_tiles_are_moved_and_taken_away_by_keyboard(size: str, open_page: Any) -> None:
    board = looked_at(open_page, size)
    page = board.page
    place = board.place("winning")
    page.locator(f"#held-{place}").focus()
    board.key("Shift+ArrowRight")
    expect(page.locator(f'#held-{place}[data-in="meld:1"]')).to_be_focused()
    expect(page.locator(".hand [role=status]").first).to_contain_text("八筒移到第 1 組")
    board.key("Shift+ArrowLeft")
    expect(page.locator(f'#held-{place}[data-in="winning"]')).to_be_focused()
    board.key("Delete")
    expect(page.locator(".won")).to_have_count(0)
    becomes(page, lambda: len(board.tiles()), len(TRUTH["tiles"]) - 1)
    expect(page.locator("*:focus")).to_have_count(1)  # the focus is not lost with the tile
    board.key("Control+z")
    expect(page.locator(".won")).to_have_count(1)
    board.key("Control+y")
    expect(page.locator(".won")).to_have_count(0)
    board.key("Control+z")
    expect(page.locator(".won")).to_have_count(1)


@PHONE
def test_undo_and_redo_outlive_a_reload(size: str, open_page: Any) -> None:
    board = looked_at(open_page, size)
    page = board.page
    first = board.tiles()
    for place, code in ((0, "9m"), (1, "8m")):
        board.open_held(place)
        board.name_tile(code)
        expect(page.locator("dialog.sheet")).to_have_count(0)
    changed = board.tiles()
    board.undo()
    expect(page.locator("#redo")).to_be_enabled()
    board.reload()
    expect(page.locator("#redo")).to_be_enabled()
    board.undo()
    expect(page.locator("#undo")).to_be_disabled()
    becomes(page, board.tiles, first)
    board.redo()
    expect(page.locator("#undo")).to_be_enabled()
    board.redo()
    expect(page.locator("#redo")).to_be_disabled()
    becomes(page, board.tiles, changed)


def test_a_note_stands_beside_its_tiles_and_goes_with_its_cause(open_page: Any) -> None:
    board = looked_at(open_page, "phone")
    page = board.page
    place = board.place("flowers", "6f")
    board.open_held(place)
    board.name_tile("5f")
    note = page.locator('.hand .note[data-about="flowers"]')
    expect(note).to_contain_text("2 張")
    expect(note.locator(".note-tile")).to_have_count(2)
    expect(page.locator(f"#held-{place} .mark")).to_have_text("!")
    board.press(note.locator(".note-tile").last)
    board.name_tile("6f")
    expect(note).to_have_count(0)


def test_a_suggestion_is_one_tap_and_one_undo(open_page: Any) -> None:
    """A reading with a doubtful tile, as the reader would give it."""
    board = looked_at(open_page, "phone")
    page = board.page
    page.evaluate(
        """() => { const field = document.getElementById('state'); const state = JSON.parse(field.value);
        const place = state.tiles.findIndex((one) => one.t === '3p');
        Object.assign(state.tiles[place], {t: '4s', w: '4s', c: 0.5, o: [['3p', 0.4]]});
        state.suggestions = [[[[place, '3p']], {zh: '照機率也可能是三筒', en: 'may be 3 dots'}]];
        field.value = JSON.stringify(state); }"""
    )
    board.say("round-S")
    expect(page.locator(".suggestion")).to_contain_text("三筒")
    expect(page.locator("#ask-text")).to_contain_text("這張是什麼牌？")  # offered, never done by itself
    board.press(page.locator("#suggestion-1"))
    expect(page.locator(".total strong")).to_be_visible()
    expect(page.locator(".suggestion")).to_have_count(0)
    board.undo()
    expect(page.locator(".suggestion")).to_have_count(1)


def test_every_doubt_is_told_without_colour(open_page: Any) -> None:
    board = looked_at(open_page, "phone", forced_colors="active")
    page = board.page
    kinds = page.evaluate(
        """() => ['sure', 'unsure', 'doubtful'].map((kind) => {
        const one = document.querySelector('.seen-tile');
        one.setAttribute('class', `seen-tile ${kind}`);
        return getComputedStyle(one.querySelector('.box')).strokeDasharray; })"""
    )
    assert len(set(kinds)) == 3
