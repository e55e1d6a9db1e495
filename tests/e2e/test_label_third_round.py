"""The workbench in a real browser: labels from elsewhere, many at once, look-alikes in groups, more than one person."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.support.labelling import Blind, Open, a_row, grey, served
from tests.e2e.support.pages import Canvas, ContactSheet, Screen, becomes, box_of, holds
from tests.rendered import RENDERED, truth_of
from vision.labelling.labels import Box, Label
from vision.labelling.quality.calibration import Line, keep_line, passed_under
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES, SURE

Bench = tuple[str, DatasetStore]


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Bench]:
    yield from served(tmp_path, READER=Blind())


@pytest.fixture
def seeing(tmp_path: Path) -> Iterator[Bench]:
    yield from served(tmp_path)


def x_anylabeling(photo: str, kind: str) -> str:
    """A file as X-AnyLabeling writes it, with three shapes of a kind."""
    shapes = [
        {"label": "1m", "score": None, "shape_type": kind, "points": [[x, 50], [x + 60, 50], [x + 60, 130], [x, 130]]}
        for x in (50, 150, 250)
    ]
    return json.dumps({"version": "3.3.1", "shapes": shapes, "imagePath": photo, "imageHeight": 600, "imageWidth": 800})


def test_labels_of_x_anylabeling_come_in_and_lost_ones_are_no_empty_photo(
    blind: Bench, open_page: Open, tmp_path: Path, shoot: Any
) -> None:
    address, store = blind
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        for n, kind in enumerate(("rectangle", "rotation", "polygon", "line")):
            archive.writestr(f"{kind}.png", grey(n))
            archive.writestr(f"{kind}.json", x_anylabeling(f"{kind}.png", kind))
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo")
    page.set_input_files("#files", [tmp_path / "set.zip"])
    canvas.press(page.get_by_role("button", name="收進來", exact=True))
    expect(page.locator("#report li", has_text="形狀 line 不是框")).to_have_count(1)  # one message for three shapes
    expect(page.locator(".photo-card", has_text="line.png")).to_contain_text("3 個標記讀不出來")
    shoot(page, "label-unread")
    assert {photo.photo.name: len(photo.labels) for photo in store} == {
        "rectangle.png": 3,
        "rotation.png": 3,
        "polygon.png": 3,
        "line.png": 0,
    }
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/read") else None)
    canvas.goto(f"{address}/label/demo/{store.get('line.png').photo.id}")
    expect(page.locator("#said")).to_contain_text("讀不出來")
    assert asked == [], "the model does not label anew what somebody has labelled already"


SECRET = {code: f"klass {n:02}" for n, code in enumerate(CLASSES)}


def with_secret_names(path: Path, *stems: str) -> Path:
    """Rendered photos whose labels bear names that say nothing."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("classes.txt", "\n".join(SECRET.values()))
        for stem in stems:
            archive.write(RENDERED / f"images/val/{stem}.jpg", f"{stem}.jpg")
            archive.write(RENDERED / f"labels/val/{stem}.txt", f"{stem}.txt")
    return path


def test_names_are_told_by_vote_and_remembered(seeing: Bench, open_page: Open, tmp_path: Path, shoot: Any) -> None:
    address, store = seeing
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo")
    canvas.fill("#source", "a friend")
    page.set_input_files("#files", [with_secret_names(tmp_path / "set.zip", "hand-01", "hand-02")])
    canvas.press(page.get_by_role("button", name="收進來", exact=True))
    sure = page.locator("#names li[data-sure]")
    expect(sure).not_to_have_count(0)
    shoot(page, "label-vote")
    proposed = sure.evaluate_all(
        "rows => rows.map(row => [row.querySelector('label b').textContent, row.dataset.tile])"
    )
    meanings = {name: code for code, name in SECRET.items()}
    assert [meanings[name] for name, _ in proposed] == [tile for _, tile in proposed], "what it is sure of is right"
    page.keyboard.press("a")
    expect(page.locator("#names-said")).not_to_be_empty()
    for row in page.locator("#names li:not([data-sure])").all():
        row.locator("select").select_option(meanings[row.locator("label b").inner_text()])
    canvas.press(page.get_by_role("button", name="照這樣收進來"))
    expect(page.locator(".photo-card")).to_have_count(2)
    for photo in store:
        path = RENDERED / f"images/val/{photo.photo.name}"
        assert [label.tile for label in photo.labels] == [one.tile for one in truth_of(path, *photo.photo.size)]
    canvas.goto(f"{address}/label/demo")
    canvas.unfold("details", "收照片進來")
    page.set_input_files("#files", [with_secret_names(tmp_path / "again.zip", "hand-02")])
    canvas.press(page.get_by_role("button", name="收進來", exact=True))
    expect(page.locator("#report")).to_contain_text("照上次說好的類別名稱")
    expect(page.locator("#names")).to_have_count(0)


def test_many_crops_are_chosen_and_changed_as_one_operation(blind: Bench, open_page: Open, shoot: Any) -> None:
    address, store = blind
    ids = a_row(store)
    page = open_page("laptop", blank=True)
    sheet = ContactSheet(page)
    sheet.goto(f"{address}/label/demo/sheet?tile=3p")
    becomes(page, sheet.order, [f"b{n}" for n in range(7, -1, -1)])
    sheet.pick("b6")
    sheet.pick("b3", through=True)
    becomes(page, sheet.picked, ["b6", "b5", "b4", "b3"])
    page.keyboard.press("Escape")
    sheet.drag_over("b7", "b5")
    becomes(page, sheet.picked, ["b7", "b6", "b5"])
    shoot(page, "label-sheet-drag")
    for key in ("7", "z"):
        page.keyboard.press(key)
    expect(page.locator("#sheet .cut")).to_have_count(5)
    assert [store.get(id_).labels[0].tile for id_ in ids] == ["3p"] * 5 + ["7z"] * 3
    sheet.undo()
    expect(page.locator("#sheet .cut")).to_have_count(8)
    assert {store.get(id_).labels[0].tile for id_ in ids} == {"3p"}
    page.keyboard.press("Control+a")
    becomes(page, lambda: len(sheet.picked()), 8)
    page.keyboard.press("Delete")
    expect(page.locator("#sheet .cut")).to_have_count(0)
    assert not any(store.get(id_).labels for id_ in ids)
    sheet.undo()
    expect(page.locator("#sheet .cut")).to_have_count(8)


def test_all_boxes_of_a_name_under_a_line_become_another(blind: Bench, open_page: Open) -> None:
    address, store = blind
    ids = a_row(store)
    page = open_page("laptop", blank=True)
    screen = Screen(page)
    screen.goto(f"{address}/label/demo")
    screen.unfold("details", "一起做")
    page.locator("#kind-tile").select_option("3p")
    page.locator("#kind-below").select_option("80")
    page.locator("#kind-to").select_option("3s")
    screen.button("照這樣改")
    expect(page.get_by_role("status").first).to_contain_text("改了 5 個框的牌名")
    labels = [store.get(id_).labels[0] for id_ in ids]
    assert [label.tile for label in labels] == ["3p"] * 3 + ["3s"] * 5
    assert not any(label.checked for label in labels), "nobody has looked at them"
    screen.button("取回", exact=True)
    assert {store.get(id_).labels[0].tile for id_ in ids} == {"3p"}


def looked_at(data: Path, findings: list[dict[str, Any]]) -> None:
    """A health check that ended with these findings."""
    job = data / "training/health-20260101-000000-aaaa"
    job.mkdir(parents=True)
    (job / "job.json").write_text(json.dumps({"kind": "health", "commands": [], "about": {"set": "demo"}, "begun": 1}))
    sums = {"photos": 1, "labels": 1, "checked": 0, "scenes": 0, "without_scene": 1, "splits": {}}
    sums |= {"classes": dict.fromkeys(CLASSES, 1), "sizes": {"median": 1, "low": 1, "high": 1}}
    (job / "result.json").write_text(json.dumps(sums | {"findings": findings}))
    (job / "ended.json").write_text('{"status": 0}')


def test_the_list_of_a_finding_renames_many(blind: Bench, open_page: Open, tmp_path: Path, shoot: Any) -> None:
    address, store = blind
    ids = a_row(store, 4)
    about = {"kind": "wrong_name", "box": [100, 100, 160, 180], "tile": "3p", "read": "4p", "percent": 95}
    findings = [about | {"photo": id_, "label": f"b{n}", "name": f"p{n}.png"} for n, id_ in enumerate(ids)]
    looked_at(tmp_path, findings)
    page = open_page("laptop", blank=True)
    sheet = ContactSheet(page)
    sheet.goto(f"{address}/label/demo/health?kind=wrong_name")
    picks = page.locator("#sheet .pick")
    sheet.toggle(picks.nth(0))
    sheet.pick_place(2, through=True)
    expect(page.locator('#sheet [aria-pressed="true"]')).to_have_count(3)
    shoot(page, "label-findings")
    sheet.press(page.get_by_role("button", name="照模型說的改"))
    expect(picks).to_have_count(1)
    assert [store.get(id_).labels[0].tile for id_ in ids] == ["4p", "4p", "4p", "3p"]
    sheet.undo()
    expect(picks).to_have_count(4)
    sheet.toggle(picks.nth(3))
    for key in ("7", "z"):
        page.keyboard.press(key)
    expect(picks).to_have_count(3)
    assert [store.get(id_).labels[0].tile for id_ in ids] == ["3p", "3p", "3p", "7z"]


def test_too_few_tiles_for_a_hand_are_said(blind: Bench, open_page: Open, shoot: Any) -> None:
    address, store = blind
    info, _ = store.add(grey(200), "few.png")
    labels = [Label(f"{1 + n % 9}m", Box(10 + 50 * n, 100, 50 + 50 * n, 160), "model", 0.99) for n in range(14)]
    store.save(info.id, [*labels, Label("1f", Box(10, 300, 50, 360), "model", 0.99)], 0)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo/{info.id}")
    expect(page.locator("#tally")).to_contain_text("看到 14 張牌、花 1")
    expect(page.locator("#tally")).to_contain_text("17")
    expect(page.locator("#said")).to_contain_text("只看到 14 張")
    shoot(page, "label-few")


def test_a_kind_of_finding_is_put_away_by_one_key(blind: Bench, open_page: Open, tmp_path: Path) -> None:
    address, store = blind
    ids = a_row(store, 3)
    found = {"kind": "missed", "label": "", "box": [300, 300, 360, 380], "read": "4p", "percent": 95}
    findings = [found | {"photo": id_, "name": f"p{n}.png", "key": f"missed {n}"} for n, id_ in enumerate(ids)]
    looked_at(tmp_path, findings)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo/{ids[0]}?finding=missed%200")
    expect(page.locator("#finding-text")).not_to_be_empty()
    page.keyboard.press("w")
    expect(page.locator("#said")).to_contain_text("不再提了")
    canvas.goto(f"{address}/label/demo/health")
    expect(page.locator("#missed")).to_have_count(0)
    canvas.button("再提", exact=True)
    expect(page.locator("#missed .findings li")).to_have_count(3)


def test_a_photo_passed_under_a_laxer_line_comes_back(blind: Bench, open_page: Open) -> None:
    address, store = blind
    info, _ = store.add(grey(210), "one.png")
    labels = [Label("1m", Box(10 + 60 * n, 100, 60 + 60 * n, 160), "model", sure) for n, sure in enumerate((0.9, 0.6))]
    store.save(info.id, labels, 0)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo/{info.id}")
    page.locator("#least").select_option("50")
    page.keyboard.press("Enter")
    canvas.saved()
    becomes(page, lambda: passed_under(store, info.id), (0.5, 0.5))
    keep_line(store, SURE, Line(0.8, 0.8, 300))
    canvas.goto(f"{address}/label/demo?state=again")
    canvas.follow(page.locator(".photo-card"))
    page.locator("#least").select_option("80")
    expect(page.locator("#count-doubtful")).to_have_text("1")
    page.keyboard.press("n")
    page.keyboard.press(" ")
    expect(page.locator("#count-doubtful")).to_have_text("0")
    page.keyboard.press("Enter")
    becomes(page, lambda: passed_under(store, info.id), (0.8, 0.8))


def test_near_duplicates_are_groups_of_which_one_is_kept(
    blind: Bench, open_page: Open, tmp_path: Path, shoot: Any
) -> None:
    address, store = blind
    ids = a_row(store, 4)
    group: dict[str, Any] = {
        "kind": "near_duplicate_split",
        "photo": ids[0],
        "name": "p0.png",
        "label": "",
        "box": None,
        "key": "g1",
    }
    group |= {"other": "p1.png", "count": 2, "splits": "train / val", "members": ids[:3]}
    pair: dict[str, Any] = {
        "kind": "near_duplicate",
        "photo": ids[3],
        "name": "p3.png",
        "label": "",
        "box": None,
        "other": "p0.png",
    }
    looked_at(tmp_path, [group, pair | {"bits": 3}])  # the second as checks of before groups were made
    page = open_page("laptop", blank=True)
    screen = Screen(page)
    screen.goto(f"{address}/label/demo/health")
    expect(page.locator("#near_duplicate_split .members li")).to_have_count(3)
    expect(page.locator("#near_duplicate")).to_contain_text("幾乎是同一張照片")
    shoot(page, "label-group")
    screen.follow(page.locator("#near_duplicate_split .members li", has_text="p1.png").get_by_role("button"))
    expect(page.locator(".members")).to_have_count(0)
    assert {photo.name for photo in store.photos()} == {"p1.png", "p3.png"}
    screen.goto(f"{address}/label/demo/bin")
    screen.button("取回", exact=True)
    assert store.count() == 4


def test_a_portrait_photo_gets_the_height_and_its_names_cover_nothing(
    blind: Bench, open_page: Open, shoot: Any
) -> None:
    address, store = blind
    turned = Image.open(io.BytesIO(grey(230))).rotate(90, expand=True)
    out = io.BytesIO()
    turned.save(out, "PNG")
    info, _ = store.add(out.getvalue(), "tall.png")
    labels = [
        Label("8s", Box(60 + 40 * n, 300 + 50 * row, 100 + 40 * n, 350 + 50 * row), "model", 0.99, id=f"b{row}{n}")
        for row in range(3)
        for n in range(9)
    ]
    store.save(info.id, labels, 0)
    page = open_page("laptop", blank=True)
    canvas = Canvas(page)
    canvas.open(f"{address}/label/demo/{info.id}", 27)
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    tall = becomes(page, lambda: box_of(page.locator("#canvas")), lambda box: box["height"] > 0.6 * height)
    assert tall["width"] == pytest.approx(tall["height"] * 3 / 4, abs=2), "the photo fills it"
    holds(page, lambda: box_of(page.locator("#strip"))["x"] > tall["x"] + tall["width"])  # the rows are next to it
    shoot(page, "label-portrait")
    there = "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    plates = becomes(
        page, lambda: page.locator("#canvas .plate").evaluate_all(there), lambda found: 0 < len(found) < 27
    )
    for n, one in enumerate(plates):
        for other in plates[n + 1 :]:
            across = min(one["right"], other["right"]) - max(one["left"], other["left"])
            down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
            assert min(across, down) < 0.2 * one["height"]
    canvas.choose_id("b14")
    expect(page.locator('#canvas [data-id="b14"] .plate')).to_have_count(1)  # that of the chosen tile is always there
    page.keyboard.press("r")
    becomes(page, lambda: box_of(page.locator("#canvas"))["width"], lambda wide: wide > 0.6 * width)


def test_an_import_says_how_far_it_is(blind: Bench, open_page: Open, tmp_path: Path, monkeypatch: Any) -> None:
    address, store = blind
    add = DatasetStore.add

    def slowly(self: DatasetStore, data: bytes, name: str, **known: Any) -> Any:
        time.sleep(0.5)
        return add(self, data, name, **known)

    monkeypatch.setattr(DatasetStore, "add", slowly)
    page = open_page("laptop", blank=True)
    screen = Screen(page)
    screen.goto(f"{address}/label/demo")
    for n in range(6):
        (tmp_path / f"{n}.png").write_bytes(grey(n))
    page.set_input_files("#files", [tmp_path / f"{n}.png" for n in range(6)])
    screen.reveal(page.get_by_role("button", name="收進來", exact=True), page.locator("#import-said"))
    expect(page.locator("#import-said")).to_contain_text("/ 6 張照片")
    expect(page.locator(".photo-card")).to_have_count(6)
    assert store.count() == 6
