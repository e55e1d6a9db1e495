"""The memory of a scene in a browser: renewed boxes, groups of alike tiles; one more box by one click; a tablet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.support.labelling import Blind, Open, grey, served, tiles_of, with_three
from tests.e2e.support.pages import Canvas, no_sideways
from tests.rendered import RENDERED, truth_of
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore

Bench = tuple[str, DatasetStore]
LEAST_KEY = 44


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Bench]:
    yield from served(tmp_path, READER=Blind())


@pytest.fixture
def seeing(tmp_path: Path) -> Iterator[Bench]:
    yield from served(tmp_path)


def test_a_confirmed_tile_renews_its_twin_and_says_so(seeing: Bench, open_page: Open) -> None:
    address, store = seeing
    path = RENDERED / "images/val/hand-01.jpg"
    info, _ = store.add(path.read_bytes(), "one.jpg", scene="A")
    truth = truth_of(path, *info.size)
    labels = [Label(one.tile, Box(*one.box), "model", 0.99, id=f"b{n}") for n, one in enumerate(truth)]
    twin = Label(truth[0].tile, Box(*truth[0].box), "model", 0.99, id="twin")
    store.save(info.id, [*labels, twin], 0)
    canvas = Canvas(open_page("laptop", blank=True))
    canvas.goto(f"{address}/label/demo/{info.id}")
    expect(canvas.page.locator("#memory-text")).to_contain_text("確認第一張牌就開始記")
    canvas.choose_id("b0")
    canvas.keys("8", "f")
    expect(canvas.page.locator("#said")).to_contain_text("另外 1 張改了名字")
    expect(canvas.page.locator('.cut.unsure[data-crop="twin"][data-code="8f"]')).to_have_count(1)
    expect(canvas.page.locator("#memory-text")).to_contain_text("1 種牌")
    canvas.saved()
    there = {label.id: (label.tile, label.checked) for label in store.get(info.id).labels}
    assert there["b0"] == ("8f", True)
    assert there["twin"] == ("8f", False)


def test_alike_tiles_are_named_as_a_group(blind: Bench, open_page: Open) -> None:
    address, store = blind
    for n, tile in enumerate(("3p", "3p", "5z")):
        info, _ = store.add(grey(n), f"p{n}.png", scene="A")
        store.save(info.id, [Label(tile, Box(100, 100, 160, 180), "model", 0.4, id=f"b{n}")], 0)
    page = open_page("laptop", blank=True)
    page.goto(f"{address}/label/demo/groups")
    expect(page.locator('[data-group="3p"] [aria-pressed="true"]')).to_have_count(2)
    page.keyboard.press(" ")
    expect(page.locator('[data-group="5z"] [aria-pressed="true"]')).to_have_count(1)
    page.keyboard.press("6")
    page.keyboard.press("z")
    expect(page.locator("[data-pick]")).to_have_count(0)
    labels = [label for photo in store for label in photo.labels]
    assert sorted(label.tile for label in labels) == ["3p", "3p", "6z"]
    assert all(label.checked for label in labels)


def test_alt_and_a_click_add_a_tile_where_another_box_is(blind: Bench, open_page: Open) -> None:
    address, store, id_ = with_three(blind)
    canvas = Canvas(open_page("laptop", blank=True))
    canvas.goto(address)
    canvas.point_at_box(135, 250, "b0")  # in its middle
    canvas.add_over(135, 250, count=4)
    expect(canvas.page.locator(".cut.chosen")).not_to_have_attribute("data-crop", "b0")
    assert len(tiles_of(store, id_)) == 4


def test_a_tablet_gives_the_photo_its_width_and_keys_for_fingers(blind: Bench, open_page: Open) -> None:
    address, _, _ = with_three(blind)
    page = open_page("laptop", blank=True, viewport={"width": 1024, "height": 1366}, has_touch=True)
    canvas = Canvas(page)
    canvas.goto(address)
    picture = page.locator("#canvas image").bounding_box()
    assert picture is not None
    assert picture["height"] > 520, "a landscape photo had 370 pixels of 860"
    for key in page.locator(".work-side .palette button").all():
        box = key.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= LEAST_KEY
    no_sideways(page)
