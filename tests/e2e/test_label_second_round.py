"""The workbench in a real browser: missed tiles, taking back, photos without tiles, names, exports, contact sheet."""

from __future__ import annotations

import base64
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.labelling import Blind, Open, grey, served, tiles_of, with_three
from tests.e2e.support.pages import Canvas, ContactSheet, becomes, box_of, catch
from tests.rendered import RENDERED, truth_of
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore

Bench = tuple[str, DatasetStore]


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Bench]:
    yield from served(tmp_path, READER=Blind())


@pytest.fixture
def seeing(tmp_path: Path) -> Iterator[Bench]:
    yield from served(tmp_path)


def five(store: DatasetStore) -> list[str]:
    """Photos with one box each: two called 3p in doubt, two 5z, one checked 3p."""
    found = []
    for n, (tile, sure, checked) in enumerate(
        [("3p", 0.9, False), ("3p", 0.4, False), ("5z", 0.3, False), ("5z", 0.9, False), ("3p", 0.8, True)]
    ):
        info, _ = store.add(grey(n), f"p{n}.png")
        store.save(info.id, [Label(tile, Box(100, 100, 160, 180), "model", sure, checked, id=f"b{n}")], 0)
        found.append(info.id)
    return found


def test_a_missed_tile_is_a_click_and_a_key(seeing: Bench, open_page: Open, shoot: Any) -> None:
    address, store = seeing
    path = RENDERED / "images/val/hand-01.jpg"
    info, _ = store.add(path.read_bytes(), "one.jpg")
    truth = truth_of(path, *info.size)
    row = sorted(truth, key=lambda one: one.box[0])
    gone = row[len(row) // 2]
    labels = [Label(one.tile, Box(*one.box), checked=True) for one in truth if one is not gone]
    store.save(info.id, labels, 0)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo/{info.id}")
    expect(page.locator(".guess")).not_to_have_count(0)
    shoot(page, "label-missed")
    width, height = gone.box[2] - gone.box[0], gone.box[3] - gone.box[1]
    page.keyboard.press("h")  # hides the names
    canvas.point(gone.box[0] + 0.35 * width, gone.box[1] + 0.6 * height)
    expect(page.locator(f'.cut.chosen[data-code="{gone.tile}"]')).to_have_count(1)
    canvas.saved()
    page.keyboard.press(" ")
    canvas.saved()
    last = store.get(info.id).labels[-1]
    assert (last.tile, last.checked) == (gone.tile, True)
    assert last.box.iou(Box(*gone.box)) > 0.6
    page.keyboard.press("u")
    page.keyboard.press("u")
    expect(page.locator(".cut")).to_have_count(len(labels))
    expect(page.locator(".guess")).not_to_have_count(0)
    page.keyboard.press("g")
    expect(page.locator(f'.cut.chosen[data-code="{gone.tile}"]')).to_have_count(1)


def test_all_right_is_taken_back_from_the_next_photo(blind: Bench, open_page: Open) -> None:
    address, store = blind
    ids = five(store)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo/{ids[0]}")
    expect(page.locator(".cut")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(f'#work[data-photo="{ids[1]}"]')).to_have_count(1)
    becomes(page, lambda: store.get(ids[0]).labels[0].checked, True)  # so that both are revisions
    page.keyboard.press("u")
    expect(page.locator(f'#work[data-photo="{ids[0]}"]')).to_have_count(1)
    expect(page.locator(".cut.checked")).to_have_count(0)
    canvas.saved()
    assert not store.get(ids[0]).labels[0].checked
    canvas.unfold("#past")
    expect(page.locator("#past-list li")).to_have_count(3)
    canvas.restore_latest()
    expect(page.locator(".cut.checked")).to_have_count(1)
    canvas.saved()
    assert store.get(ids[0]).labels[0].checked, "an earlier revision is back"


@pytest.mark.parametrize("stored", [True, False])
def test_going_back_before_the_save_was_answered(blind: Bench, open_page: Open, stored: bool) -> None:
    """It comes when the photo is open again and "all right" taken back: all of it is saved, and the page knows.

    stored: whether the server has the save already when the photo is asked for again.
    """
    address, store = blind
    ids = five(store)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo/{ids[0]}")
    expect(page.locator(".cut")).to_have_count(1)
    saves: list[Any] = []
    catch(
        page,
        "**/labels",
        lambda route: saves.append((route, route.fetch(max_retries=3) if stored else None)),
        times=1,
    )
    page.keyboard.press("Enter")
    expect(page.locator(f'#work[data-photo="{ids[1]}"]')).to_have_count(1)
    becomes(page, lambda: len(saves), 1)

    def answer_both(asked: Any) -> None:
        asked.fulfill(response=asked.fetch(max_retries=3))
        [(save, answer)] = saves
        save.fulfill(response=answer or save.fetch(max_retries=3))

    catch(page, "**/state*", answer_both, times=1)
    page.keyboard.press("u")
    expect(page.locator(f'#work[data-photo="{ids[0]}"]')).to_have_count(1)
    expect(page.locator(".cut.checked")).to_have_count(0)
    canvas.saved()
    becomes(page, lambda: store.get(ids[0]).labels[0].checked, False)
    page.reload()
    expect(page.locator(".cut:not(.checked)")).to_have_count(1)


def test_photos_boxes_and_sets_go_and_come_back(blind: Bench, open_page: Open, shoot: Any) -> None:
    address, store = blind
    ids = five(store)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo?tile=5z")
    canvas.unfold("details", "對清單上 2 張一起做")
    canvas.button("照這樣改")
    expect(page.locator(".notice.done")).to_contain_text("刪了 1 個框")
    assert [len(store.get(id_).labels) for id_ in ids] == [1, 1, 0, 1, 1], "only the one less sure than 50%"
    shoot(page, "label-bin")
    canvas.button("取回", exact=True)
    assert len(store.get(ids[2]).labels) == 1
    canvas.goto(f"{address}/label/demo/{ids[0]}")
    canvas.unfold("details", "移出這組")
    canvas.button("移出這組")
    expect(page.locator("h2", has_text="移出的照片（1）")).to_have_count(1)
    assert store.count() == 4
    canvas.button("放回來", exact=True)
    assert store.get(ids[0]).labels[0].tile == "3p"
    canvas.button("移走整組")
    expect(page.locator(".set-row")).to_have_count(0)
    canvas.button("放回來")
    expect(page.locator(".photo-card")).to_have_count(5)


def test_a_photo_without_tiles_is_a_result(blind: Bench, open_page: Open) -> None:
    address, store = blind
    ids = [store.add(grey(n), f"p{n}.png")[0].id for n in range(2)]
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo/{ids[0]}")
    expect(page.locator("#said")).to_contain_text("模型沒有看到牌")
    page.keyboard.press("Enter")
    canvas.at_photo(ids[1])
    canvas.saved()
    canvas.goto(f"{address}/label/demo?state=none")
    expect(page.locator(".photo-card")).to_have_count(1)
    assert store.get(ids[0]).photo.empty
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/read") else None)
    canvas.goto(f"{address}/label/demo/{ids[0]}")
    expect(page.locator("#empty-mark")).to_be_visible()
    assert asked == [], "it is not read again"


def foreign_zip(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("classes.txt", "kirin\nfive of hearts\n")
        archive.writestr("a.png", grey(40))
        archive.writestr("a.txt", "0 0.5 0.5 0.1 0.1\n1 0.2 0.2 0.1 0.1\n")
    return path


def test_names_are_asked_for_and_a_set_is_taken_home(blind: Bench, open_page: Open, tmp_path: Path, shoot: Any) -> None:
    address, store = blind
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo")
    (tmp_path / "broken.zip").write_bytes(b"no zip")
    page.set_input_files("#files", [foreign_zip(tmp_path / "set.zip"), tmp_path / "broken.zip"])
    canvas.press(page.get_by_role("button", name="收進來", exact=True))
    expect(page.locator("#names select")).to_have_count(2)
    shoot(page, "label-names")
    assert store.count() == 0, "nothing comes in before the names are told"
    page.locator("#names li", has_text="kirin").locator("select").select_option("3p")
    canvas.press(page.get_by_role("button", name="照這樣收進來"))
    expect(page.locator("#report")).to_contain_text("broken.zip")
    expect(page.locator("#take-in")).to_be_visible()
    photo = store.get("a.png")
    assert [label.tile for label in photo.labels] == ["3p"]
    assert photo.photo.partial == 1, "a photo of which a label was set aside trains nothing"
    canvas.goto(f"{address}/label/demo/out")
    page.locator("#form").select_option("coco")
    exported = canvas.download(page.get_by_role("button", name="下載", exact=True))
    with zipfile.ZipFile(exported.path()) as archive:
        assert "annotations/instances_default.json" in archive.namelist()
    canvas.button("把現在留成一版")
    store.save(photo.photo.id, [], photo.photo.revision)
    canvas.button("看差別")
    expect(page.locator("#versions pre")).to_contain_text("少了框 1")


def test_the_contact_sheet_renames_what_is_clicked(blind: Bench, open_page: Open, shoot: Any) -> None:
    address, store = blind
    ids = five(store)
    page = open_page("laptop", blank=True)
    sheet = ContactSheet(page)
    sheet.goto(f"{address}/label/demo/sheet?tile=3p")
    becomes(page, sheet.order, ["b1", "b0", "b4"])  # the least sure first, checked ones last
    shoot(page, "label-sheet")
    sheet.pick("b1")
    sheet.pick("b0")
    for key in ("7", "z"):
        page.keyboard.press(key)
    expect(page.locator("#sheet .cut")).to_have_count(1)
    assert [store.get(id_).labels[0].tile for id_ in ids] == ["7z", "7z", "5z", "5z", "3p"]


def test_many_boxes_are_named_at_once_and_the_canvas_fills_the_window(blind: Bench, open_page: Open) -> None:
    address, store, id_ = with_three(blind)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(address)
    canvas.choose(0)
    canvas.choose(2, also=True)
    for key in ("9", "s"):
        page.keyboard.press(key)
    canvas.saved()
    assert tiles_of(store, id_) == ["9s", "2m", "9s"]
    before = box_of(page.locator("#canvas"))
    page.keyboard.press("f")
    becomes(page, lambda: box_of(page.locator("#canvas"))["height"], lambda now: now > 1.4 * before["height"])
    page.keyboard.press("h")
    expect(page.locator("#canvas .plate").first).to_be_hidden()
    page.keyboard.press("f")
    canvas.choose(1)
    page.keyboard.press("]")
    canvas.saved()
    assert [label.box.angle for label in store.get(id_).labels] == [0, 2, 0]
    canvas.drag(canvas.middle_of(".handle.knob"), 300, 250)  # to the right of the box's middle: its top looks there
    assert [label.box.angle for label in store.get(id_).labels] == pytest.approx([0, 90, 0], abs=3)


def test_a_reload_right_after_a_key_shows_what_was_typed(blind: Bench, open_page: Open) -> None:
    address, store, id_ = with_three(blind)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(address)
    for n, tile in enumerate(("4m", "5p", "6s", "1z", "2z", "3z")):
        canvas.choose(n % 3)
        for key in tile:
            page.keyboard.press(key)
        canvas.reload()
        expect(page.locator(".cut").nth(n % 3)).to_have_attribute("data-code", tile)
    canvas.saved()
    assert tiles_of(store, id_) == ["1z", "2z", "3z"]


def drop(page: Page, path: Path) -> None:
    """Drop a file onto the zone, as from a file manager."""
    page.evaluate(
        """([name, content]) => {
          const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], name));
          const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
          document.getElementById('drop').dispatchEvent(event);
        }""",
        [path.name, base64.b64encode(path.read_bytes()).decode()],
    )


def test_a_clip_is_corrected_once_and_its_boxes_follow(seeing: Bench, open_page: Open, shoot: Any) -> None:
    address, store = seeing
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo")
    drop(page, RENDERED / "clips/phone.mov")
    expect(page.locator(".photo-card")).to_have_count(2)
    first, second = (photo.id for photo in store.photos())
    # a tile that the model would name otherwise, and one that leaves the picture
    labels = [Label("7z", Box(247, 66, 340, 137), checked=True), Label("6m", Box(250, 505, 345, 580), checked=True)]
    store.save(first, labels, 0)
    canvas.goto(f"{address}/label/demo/{second}")
    expect(page.locator(".cut").first).to_be_visible()
    becomes(page, canvas.tiles, lambda tiles: "7z" not in tiles)
    page.keyboard.press("k")
    expect(page.locator('.cut[data-code="7z"]')).to_have_count(1)
    canvas.saved()
    shoot(page, "label-follow")
    kept = store.get(second).labels
    assert next(one.box for one in kept if one.tile == "7z").iou(Box(247, 280, 340, 351)) > 0.7
    assert "6m" not in [one.tile for one in kept]
    assert len(kept) >= 7, "tiles that came into the picture are read"
    assert not any(label.checked for label in kept)
    canvas.goto(f"{address}/label/demo/bin")
    canvas.button("取回", exact=True)
    expect(page.locator(".tag", has_text="已取回")).to_have_count(1)
    assert store.count() == 0, "the whole clip is taken back"
