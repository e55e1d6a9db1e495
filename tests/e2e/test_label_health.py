"""The health page in a real browser: started on the page, run in the background, each finding one click from its
box."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.accessibility import accessible
from tests.e2e.support.labelling import Open, served
from tests.e2e.support.pages import Screen, no_sideways
from tests.rendered import RENDERED, truth_of
from vision.labelling.labels import Box, Label
from vision.labelling.quality.compare import compare_models
from vision.labelling.quality.examine import Seen
from vision.labelling.store import DatasetStore
from vision.models.manifest import find_models


@pytest.fixture
def messy(tmp_path: Path) -> Iterator[tuple[str, DatasetStore]]:
    """Two photos with a wrong name, a missing label, and the first of them once more in another split."""
    for address, store in served(tmp_path):
        paths = sorted((RENDERED / "images/val").glob("*.jpg"))[:2]
        for number, path in enumerate(paths):
            info, _ = store.add(path.read_bytes(), path.name, split="train", scene=f"table {number}")
            labels = [Label(one.tile, Box(*one.box), checked=True) for one in truth_of(path, *info.size)]
            wrong = replace(labels[0], tile="7z" if labels[0].tile != "7z" else "1z")
            store.save(info.id, [wrong, *labels[2:]] if number == 0 else labels, 0)
        again = paths[0].read_bytes() + b"\0"  # another file with the same picture
        store.add(again, "again.jpg", split="val", scene="table 2")
        yield address, store


def checked(page: Page, address: str) -> None:
    """Ask for the check and wait for its end, which shows by itself."""
    screen = Screen(page)
    screen.goto(f"{address}/label/demo")
    screen.link("健康檢查")
    screen.button("開始檢查")
    expect(page.locator("#job")).to_have_attribute("data-state", "running")
    expect(page.locator(".findings").first).to_be_visible(timeout=90_000)


def test_findings_lead_to_their_boxes(messy: tuple[str, DatasetStore], open_page: Open, shoot: Any) -> None:
    address, store = messy
    page = open_page("laptop", blank=True)
    screen = Screen(page)
    checked(page, address)
    shoot(page, "label-health")
    expect(page.locator(".balance li")).to_have_count(43)
    expect(page.locator("#near_duplicate_split")).to_contain_text("卻分在不同組（train / val）")
    screen.follow(page.locator("#wrong_name .findings a").first)
    expect(page.locator(".cut.chosen")).to_have_count(1)
    expect(page.locator(".pointed")).to_have_count(1)
    wrong = store.get("hand-01.jpg").labels[0]
    expect(page.locator(".cut.chosen")).to_have_attribute("data-crop", wrong.id)
    page.go_back()
    screen.follow(page.locator("#unlabelled .findings a").first)
    expect(page.locator(".pointed")).to_have_count(1)
    expect(page.locator(".cut.chosen")).to_have_count(0)
    expect(page.locator("#finding-text")).to_contain_text("這裡沒有標記")
    screen.left(lambda: page.keyboard.press("q"))  # not a mistake: on to the next, or back to the check
    screen.goto(f"{address}/label/demo/health")
    screen.follow(page.locator("#wrong_name .findings a").first)
    expect(page.locator("#finding-text")).to_contain_text("模型看成")
    expect(page.locator("#finding-accept")).to_contain_text("改成")
    page.keyboard.press("i")
    expect(page.locator("#job")).to_be_visible()
    assert store.get("hand-01.jpg").labels[0].tile != wrong.tile, "done as the model proposed"
    expect(page.locator(f'#wrong_name a[href*="{wrong.id}"]')).to_have_count(0)
    for size, scheme in (("laptop", "light"), ("phone", "dark")):
        page = open_page(size, color_scheme=scheme, blank=True)
        Screen(page).goto(f"{address}/label/demo/health")
        expect(page.locator(".findings").first).to_be_visible()
        accessible(page)
        no_sideways(page)
    shoot(page, "label-health-phone")


def second_model(store: DatasetStore) -> Path:
    """The shipped model once more, under another name."""
    shelf = store.folder.parents[1] / "models/other"
    shelf.mkdir(parents=True)
    for path in find_models().folder.iterdir():
        shutil.copy(path, shelf / path.name)
    manifest = json.loads((shelf / "manifest.json").read_text(encoding="utf-8"))
    (shelf / "manifest.json").write_text(json.dumps(manifest | {"name": "second"}), encoding="utf-8")
    return shelf


def test_the_queue_against_a_second_model(messy: tuple[str, DatasetStore], open_page: Open) -> None:
    address, store = messy
    shelf = second_model(store)
    page = open_page("laptop", blank=True)
    screen = Screen(page)
    screen.goto(f"{address}/label/demo")
    screen.unfold("details", "讓模型幫忙")
    page.get_by_label("排序依據").select_option("disagree")
    page.get_by_label("和另一個模型比").select_option("other")
    screen.button("排出最值得標的")
    (job,) = (store.folder.parents[1] / "training").glob("queue-*/job.json")
    command = json.loads(job.read_text(encoding="utf-8"))["commands"][0]["run"]
    assert command[command.index("--against") + 1] == str(shelf)
    assert command[command.index("--by") + 1] == "disagree"
    for _ in range(40):
        if (job.parent / "ended.json").is_file():
            break
        page.wait_for_timeout(1000)
    screen.goto(f"{address}/label/demo?order=queue")
    expect(page.locator(".why").first).to_be_visible()


def test_work_beside_the_page_is_followed_to_its_result(
    messy: tuple[str, DatasetStore], open_page: Open, shoot: Any
) -> None:
    address, store = messy
    second_model(store)
    job = store.folder.parents[1] / "training/compare-20260101-000000-aaaa"
    job.mkdir(parents=True)
    about = {"set": "demo", "a": "shipped", "b": "other", "split": ""}
    (job / "job.json").write_text(json.dumps({"kind": "compare", "commands": [], "about": about, "begun": 1}))
    (job / "alive").touch()
    page = open_page("laptop", blank=True)
    screen = Screen(page)
    screen.goto(f"{address}/label/models/{job.name}")
    page.get_by_role("button", name="停下").focus()
    (job / "log.txt").write_text("3/6\n", encoding="utf-8")
    expect(page.locator("#job")).to_contain_text("3 / 6 張照片")
    expect(page.get_by_role("button", name="停下")).to_be_focused()
    photo = store.get("hand-01.jpg")
    nothing = {photo.photo.id: Seen((), (), (), 1.0)}
    (job / "result.json").write_text(json.dumps(compare_models([photo], nothing, nothing)), encoding="utf-8")
    (job / "ended.json").write_text('{"status": 0}', encoding="utf-8")
    expect(page.get_by_role("heading", name="看法不同的牌")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("→ second")
    page.set_viewport_size({"width": 390, "height": 844})
    no_sideways(page)
    shoot(page, "label-compare-phone")
    screen.button("改用 B（second）")
    expect(page.get_by_role("status")).to_contain_text("已經換好")
    expect(page.locator(".model-row", has_text="second").locator(".tag")).to_contain_text("使用中")
