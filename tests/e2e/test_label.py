"""The labelling canvas in a real browser: drawing and naming boxes, no box ever lost, no barriers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.support.accessibility import accessible
from tests.e2e.support.labelling import Open, served, tiles_of, with_three
from tests.e2e.support.pages import Canvas, becomes, catch, no_sideways
from tests.rendered import RENDERED
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore


@pytest.fixture
def three(tmp_path: Path) -> Iterator[tuple[str, DatasetStore, str]]:
    """A photo with three checked boxes: address of its page, the store, its id."""
    for bench in served(tmp_path):
        yield with_three(bench)


def test_draw_move_size_copy_delete_undo(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.open(address, 3)
    canvas.draw((600, 600, 660, 690))
    expect(page.locator(".cut")).to_have_count(4)
    page.keyboard.press("7")
    page.keyboard.press("z")
    canvas.saved()
    assert tiles_of(store, id_)[-1] == "7z"
    drawn = store.get(id_).labels[-1]
    assert drawn.box.outline == pytest.approx((600, 600, 660, 690), abs=3)
    canvas.choose(3)
    page.mouse.move(*canvas.on_screen(630, 645))  # the chosen box is taken and moved
    page.mouse.down()
    page.mouse.move(*canvas.on_screen(680, 645), steps=4)
    page.locator("#only").dispatch_event("change")  # the page is redrawn, as by a late answer of the model
    page.mouse.up()
    canvas.saved()
    assert store.get(id_).labels[-1].box.outline == pytest.approx((650, 600, 710, 690), abs=3)
    canvas.drag(canvas.middle_of(".handle[data-corner='2']"), 760, 750)
    assert store.get(id_).labels[-1].box.outline == pytest.approx((650, 600, 760, 750), abs=5)
    before = store.get(id_).labels[-1].box
    for key in ("e", "ArrowRight", "ArrowRight", "Shift+ArrowDown", "e"):
        page.keyboard.press(key)
    canvas.saved()
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
    canvas.saved()
    assert tiles_of(store, id_) == ["1m", "2m", "3m", "7z"]


def test_a_missed_tile_by_keyboard(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(address)
    canvas.choose(1)
    for key in ("Delete", "ArrowLeft", "a", "5", "z"):  # the next one fills the gap in the row
        page.keyboard.press(key)
    canvas.saved()
    assert tiles_of(store, id_) == ["1m", "3m", "5z"]
    assert store.get(id_).labels[-1].box.outline == pytest.approx((190, 200, 260, 300), abs=1)
    for key in ("ArrowRight", "a", "Control+ArrowDown", "ArrowLeft", "7", "z", "ArrowLeft", "6", "z"):
        page.keyboard.press(key)
    canvas.saved()
    assert tiles_of(store, id_) == ["1m", "6z", "5z", "7z"], "once the box has its name, arrows choose tiles again"
    assert store.get(id_).labels[-1].box.outline == pytest.approx((367.2, 222.4, 437.2, 322.4), abs=1)


def test_boxes_below_the_tiles_do_not_break_their_rows(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    below = [Label("back", Box(100 + 90 * n, 255, 170 + 90 * n, 355), "model", 0.3) for n in range(3)]
    store.save(id_, [label for pair in zip(store.get(id_).labels, below, strict=True) for label in pair], 1)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.open(address, 6)
    becomes(page, canvas.tiles, ["1m", "2m", "3m", "back", "back", "back"])
    for left in (5, 4, 3):
        page.keyboard.press("Delete")  # from the first in doubt to the next
        expect(page.locator(".cut")).to_have_count(left)
    expect(page.locator(".cut.chosen")).to_have_count(0)
    canvas.saved()
    assert tiles_of(store, id_) == ["1m", "2m", "3m"]


def test_boxes_stay_on_their_tiles_in_a_turned_view(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(address)
    for turn in range(1, 5):
        page.keyboard.press("r")
        width, height = store.get(id_).photo.size
        expect(page.locator("#canvas")).to_have_attribute(
            "viewBox", f"0 0 {height} {width}" if turn % 2 else f"0 0 {width} {height}"
        )
    page.keyboard.press("r")
    canvas.choose(0)
    page.keyboard.press("e")
    before = {label.id: label.box for label in store.get(id_).labels}
    page.keyboard.press("ArrowRight")  # to the right as it looks is up in the photo
    canvas.saved()
    moved = [(label.box, before[label.id]) for label in store.get(id_).labels if label.box != before[label.id]]
    assert len(moved) == 1
    now, was = moved[0]
    assert (now.x1, now.y1 < was.y1) == (was.x1, True)


def test_classes_by_name_and_by_picture(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    late: list[Route] = []
    catch(page, "**/read", lambda look: late.append(look))
    with page.expect_request("**/read"):
        canvas.goto(address)
    canvas.choose(0)
    canvas.find("東")
    canvas.choose(1)
    canvas.name("8f")
    canvas.choose(2)
    page.keyboard.press("b")
    canvas.saved()
    assert tiles_of(store, id_) == ["1z", "8f", "back"]
    canvas.choose(0)
    page.keyboard.press("9")
    page.keyboard.press("z")
    expect(page.locator("#said")).to_contain_text("沒有 9z")
    assert tiles_of(store, id_) == ["1z", "8f", "back"]
    for look in late:
        look.continue_()
    expect(page.locator("#count-guesses")).not_to_have_text("0")
    expect(page.locator("#said")).to_contain_text("沒有 9z")  # a slow finding of the model does not hide it


def test_a_reload_while_the_server_is_away_loses_nothing(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, store, id_ = three
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.unsent(address, 1, "9", "s")
    assert tiles_of(store, id_) == ["1m", "2m", "3m"]
    canvas.reload()
    expect(page.locator('.cut[data-code="9s"]')).to_have_count(1)
    page.unroute("**/labels")
    canvas.saved()
    assert tiles_of(store, id_) == ["1m", "9s", "3m"]
    becomes(
        page, lambda: page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('paitai-label'))"), []
    )


def test_what_was_typed_just_before_leaving_is_saved(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    """The page that follows has no workbench script, so an unsent change would be lost."""
    address, store, id_ = three
    canvas = Canvas(open_page("laptop", blank=True))
    canvas.open(address, boxes=3)
    canvas.choose(1)
    canvas.keys("7", "z")
    canvas.goto(address.partition("/label")[0] + "/house")
    becomes(canvas.page, lambda: tiles_of(store, id_)[1], "7z")


def test_saved_is_said_of_the_photo_that_is_open(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    """The save of the previous photo may be answered late; its message does not appear on this one."""
    address, store, id_ = three
    other, _ = store.add((RENDERED / "images/val/hand-02.jpg").read_bytes(), "two.jpg")
    store.save(other.id, store.get(id_).labels, 0)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(address)
    late: list[Route] = []
    catch(page, "**/labels", lambda save: late.append(save))
    for photo, keys in ((id_, "9s."), (other.id, "5z")):
        expect(page.locator(f'#work[data-photo="{photo}"]')).to_have_count(1)
        canvas.choose(0)
        with page.expect_request("**/labels"):
            page.keyboard.type(keys)
    for save, said in zip(late, ("存檔中", "已存"), strict=True):
        with page.expect_response("**/labels"):
            save.continue_()
        page.evaluate("new Promise(requestAnimationFrame)")
        expect(page.locator("#kept")).to_contain_text(said)
    assert tiles_of(store, id_)[0] == "9s"
    assert tiles_of(store, other.id)[0] == "5z"


def test_a_save_whose_answer_got_lost_is_no_conflict(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    """The server has this tab's own change: the tab continues from there, and an undo is sent too."""
    address, store, id_ = three
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(address)

    def lose_the_answer(route: Route) -> None:
        route.fetch(max_retries=3)
        route.abort()

    for keys in ("9s", "u"):
        catch(page, "**/labels", lose_the_answer, times=1)
        canvas.choose(0)
        page.keyboard.type("5z")
        expect(page.locator("#kept")).to_contain_text("伺服器不在")
        assert tiles_of(store, id_) == ["5z", "2m", "3m"]
        page.keyboard.type(keys)
        canvas.saved()
        assert tiles_of(store, id_) == ["9s", "2m", "3m"]


@pytest.mark.parametrize(
    ("take", "wanted"),
    [
        pytest.param("mine", ["9p", "2m", "3m"], id="mine"),
        pytest.param("theirs", ["5z", "2m", "3m"], id="the other"),
    ],
)
def test_two_tabs_the_later_one_is_told(
    three: tuple[str, DatasetStore, str], open_page: Open, take: str, wanted: list[str]
) -> None:
    address, store, id_ = three
    late = open_page("laptop", blank=True)
    ours, theirs = Canvas(late), Canvas(late.context.new_page())
    ours.unsent(address, 0, "9", "p")
    theirs.goto(address)
    theirs.choose(0)
    theirs.keys("5", "z")
    theirs.saved()
    late.unroute("**/labels")
    expect(late.locator("#elsewhere")).to_be_visible()
    expect(late.locator("#elsewhere-list")).to_contain_text("一萬 改成 白")
    assert tiles_of(store, id_) == ["5z", "2m", "3m"], "nothing is overwritten before a person chose"
    ours.take(take)
    assert tiles_of(store, id_) == wanted
    assert [label.tile for label in store.labels_at(id_, 2)] == ["5z", "2m", "3m"], "the other one is in the history"


def test_another_tab_shows_what_was_saved(three: tuple[str, DatasetStore, str], open_page: Open) -> None:
    address, _, _ = three
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(address)
    elsewhere = Canvas(page.context.new_page())
    elsewhere.goto(address)
    elsewhere.choose(0)
    elsewhere.keys("6", "z")
    elsewhere.saved()
    expect(page.locator('.cut[data-code="6z"]')).to_have_count(1)


def test_on_a_phone(three: tuple[str, DatasetStore, str], open_page: Open, shoot: Any) -> None:
    address, store, id_ = three
    page = open_page("phone", blank=True)
    canvas = Canvas(page)
    canvas.goto(address)
    canvas.choose(1)
    canvas.name("4s")
    canvas.saved()
    assert tiles_of(store, id_) == ["1m", "4s", "3m"]
    no_sideways(page)
    shoot(page, "label-phone")


@pytest.mark.parametrize(("size", "scheme"), [("laptop", "light"), ("phone", "dark")])
def test_nobody_is_shut_out(three: tuple[str, DatasetStore, str], open_page: Open, size: str, scheme: str) -> None:
    address, _, _ = three
    page = open_page(size, color_scheme=scheme, blank=True)
    canvas = Canvas(page)
    for place in (address.rsplit("/", 1)[0], address):
        canvas.goto(place)
        expect(page.locator(".cut, .photo-card").first).to_be_visible()
        accessible(page)


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[tuple[str, DatasetStore]]:
    """A server that takes no more than two of the rendered photos at once."""
    yield from served(tmp_path, MAX_CONTENT_LENGTH=400_000)


def test_many_photos_go_up_in_parts(narrow: tuple[str, DatasetStore], open_page: Open, tmp_path: Path) -> None:
    address, store = narrow
    photos = sorted((RENDERED / "images/val").glob("*.jpg"))[:4]
    (tmp_path / "broken.jpg").write_bytes(b"no photo")
    (tmp_path / "labels.txt").write_text("0 0.5 0.5 0.1 0.1", encoding="utf-8")
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo")
    page.set_input_files("#files", [*photos, tmp_path / "labels.txt"])
    canvas.press(page.get_by_role("button", name="收進來"))
    expect(page.locator("#import-said")).to_contain_text("標記檔和照片要一起送")
    page.set_input_files("#files", [*photos[:2], tmp_path / "broken.jpg", *photos[2:]])
    canvas.press(page.get_by_role("button", name="收進來"))
    expect(page.locator(".photo-card")).to_have_count(4)
    assert store.count() == 4
    becomes(page, page.locator(".report").count, lambda count: count >= 2)  # each part reports its result
    expect(page.locator(".report", has_text="broken.jpg")).to_have_count(1)
