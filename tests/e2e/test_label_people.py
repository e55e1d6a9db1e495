"""The workbench in two real browsers: names, photos handed out, a second look, changes that merge, nothing lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.support.labelling import Blind, Open, a_row, grey, served, tiles_of, with_three
from tests.e2e.support.pages import Canvas, becomes
from tests.e2e.support.two_labellers import Labeller, lost, photos_with_boxes
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore

Bench = tuple[str, DatasetStore]
STEPS = (
    "name",
    "delete",
    "draw",
    "name",
    "name",
    "undo",
    "undo",
    "right",
    "name",
    "undo",
    "walk",
    "delete",
    "undo",
    "name",
)


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Bench]:
    yield from served(tmp_path, READER=Blind())


def person(open_page: Open, address: str, who: str) -> Canvas:
    """A browser of its own, whose name was asked for once."""
    canvas = Canvas(open_page("laptop", blank=True))
    canvas.goto(f"{address}/label/demo")
    canvas.fill("#who", who)
    canvas.button("儲存", exact=True)
    expect(canvas.page.locator("#me")).to_contain_text(f"你是 {who}")
    return canvas


def test_two_people_label_one_set(blind: Bench, open_page: Open, tmp_path: Path, shoot: Any) -> None:
    address, store = blind
    ids = a_row(store, 2)
    alone = Canvas(open_page("laptop", blank=True))
    alone.goto(f"{address}/label/demo")
    expect(alone.page.locator("#me")).to_have_count(0)  # one person alone sees none of it
    (tmp_path / "labelling.json").write_text('{"people": true}')
    ann, ben = person(open_page, address, "安"), person(open_page, address, "斌")
    ann.unfold("details", "一起做")
    ann.button("分出去")
    ann.link("分給我的")
    expect(ann.page.locator(".photo-card")).to_have_count(2)
    ben.link("還沒分的")
    expect(ben.page.locator(".photo-card")).to_have_count(0)
    ann.goto(f"{address}/label/demo/{ids[0]}")
    ann.choose(0)
    ann.keys("7", "z")
    ann.saved()
    ann.keys("Enter")
    ann.at_photo(ids[1])
    ann.saved()
    ben.goto(f"{address}/label/demo/{ids[0]}")
    expect(ben.page.locator("#said")).to_contain_text("安 標的")
    ben.choose(0)
    ben.keys("6", "z")
    ben.saved()
    ben.keys("Enter")
    ben.at_photo(ids[1])
    ben.saved()
    ben.goto(f"{address}/label/demo/people")
    pair = ben.page.locator(".pair", has_text="安 → 斌")
    expect(pair).to_contain_text("一致 0.0%")
    expect(pair.locator(".findings li")).to_contain_text("安：中")
    expect(pair.locator(".findings li")).to_contain_text("斌：發")
    shoot(ben.page, "label-people")
    ben.goto(f"{address}/label/demo/{ids[0]}")
    ben.unfold("#past")
    expect(ben.page.locator("#past-list")).to_contain_text("安")


def test_changes_to_different_tiles_merge_by_themselves(blind: Bench, open_page: Open) -> None:
    address, store, id_ = with_three(blind)
    late = Canvas(open_page("laptop", blank=True))
    late.unsent(address, 2, "9", "p")
    other = Canvas(open_page("laptop", blank=True))
    other.goto(address)
    other.choose(0)
    other.keys("5", "z")
    other.saved()
    late.page.unroute("**/labels")
    becomes(late.page, lambda: tiles_of(store, id_), ["5z", "2m", "9p"])
    expect(late.page.locator("#elsewhere")).to_be_hidden()
    becomes(late.page, late.tiles, ["5z", "2m", "9p"])
    late.keys("u")  # takes back one's own step, and nothing of the other's
    becomes(late.page, lambda: tiles_of(store, id_), ["5z", "2m", "3m"])
    late.keys("u")
    expect(late.page.locator("#said")).to_contain_text("沒有可以復原的")
    late.saved()
    assert tiles_of(store, id_) == ["5z", "2m", "3m"]


@pytest.mark.parametrize(
    ("deleted", "changed", "then"),
    [
        pytest.param(0, 2, ["2m", "9p"], id="that moves it away"),
        pytest.param(2, 0, ["9p", "2m"], id="that leaves it where it is"),
    ],
)
def test_a_press_chooses_though_a_change_comes_in(
    deleted: int, changed: int, then: list[str], blind: Bench, open_page: Open
) -> None:
    """Somebody else's, between mouse down and up: the tile that was pressed is chosen, wherever its button is now."""
    address, _, _ = with_three(blind)
    late, other = Canvas(open_page("laptop", blank=True)), Canvas(open_page("laptop", blank=True))
    late.unsent(address, changed, "9", "p")
    other.goto(address)
    other.choose(deleted)
    other.keys("Delete")
    other.saved()
    with late.pressed("b1"):
        late.page.unroute("**/labels")
        becomes(late.page, late.tiles, then)
    late.is_chosen("b1")


def test_a_press_drawn_off_its_tile_chooses_nothing_and_one_within_chooses(blind: Bench, open_page: Open) -> None:
    address, store, id_ = with_three(blind)
    canvas = Canvas(open_page("laptop", blank=True))
    canvas.goto(address)
    canvas.choose_id("b2")
    with canvas.pressed("b1"):
        canvas.page.mouse.move(*canvas.on_screen(300, 300))
    canvas.keys("5", "z")
    canvas.saved()
    assert tiles_of(store, id_) == ["1m", "2m", "5z"]
    with canvas.pressed("b1"):
        canvas.move_within("b1")
    canvas.is_chosen("b1")


def test_all_right_taken_back_leaves_what_somebody_else_did_since(blind: Bench, open_page: Open) -> None:
    address, store = blind
    labels = [Label("1m", Box(10 + 60 * n, 100, 60 + 60 * n, 160), "model", 0.99, id=f"b{n}") for n in range(3)]
    ids = [store.add(grey(240 + n), f"p{n}.png")[0].id for n in range(2)]
    for id_ in ids:
        store.save(id_, labels, 0)
    mine, other = Canvas(open_page("laptop", blank=True)), Canvas(open_page("laptop", blank=True))
    mine.goto(f"{address}/label/demo/{ids[0]}")
    mine.keys("Enter")
    mine.at_photo(ids[1])
    becomes(mine.page, lambda: all(one.checked for one in store.get(ids[0]).labels), wanted=True)
    other.goto(f"{address}/label/demo/{ids[0]}")
    other.choose(0)
    other.keys("5", "z")
    other.saved()
    mine.keys("u")
    mine.at_photo(ids[0])
    becomes(mine.page, lambda: [one.checked for one in store.get(ids[0]).labels], [True, False, False])
    assert tiles_of(store, ids[0]) == ["5z", "1m", "1m"]


def test_two_browsers_on_one_set_lose_nothing(blind: Bench, open_page: Open) -> None:
    """For two minutes: benchmarks/labelling/two_browsers.py."""
    address, store = blind
    ids = photos_with_boxes(store, 2)
    both = [Labeller(Canvas(open_page("laptop", blank=True)), ids, side, random.Random(side)) for side in range(2)]
    for one in both:
        one.start(address)
    for what in STEPS:
        for one in both:
            one.act(what)
    for one in both:
        one.finish()
    assert lost(store, both) == []
    assert [sum(one.did.values()) for one in both] == [len(STEPS)] * 2
