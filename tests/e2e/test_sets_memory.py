"""Taught once, known afterwards, in a real browser with the real networks: flowers that no network saw, and a plate
that is not a tile, at the table and at the workbench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.support.evenings import serve
from tests.e2e.support.labelling import Open, meant, served
from tests.e2e.support.pages import Board, Canvas, becomes, holds
from tests.rendered import truth_of
from tests.strange_photos import RENDERED, TWO_FLOWERS, Strange, unknown_flowers, with_plate
from vision.geometry import covered
from vision.labelling.store import DatasetStore

HALF = 0.5


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A table of its own."""
    yield from serve(tmp_path / "data")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[tuple[str, DatasetStore]]:
    """A workbench with an empty set."""
    yield from served(tmp_path)


def at(strange: Strange, box: Any) -> str:
    """The kind of thing in a box, as the photo was made; empty: nothing strange."""
    return next((name for name, place in strange.places.items() if covered(place, box) > HALF), "")


def read(board: Board, tmp_path: Path, strange: Strange) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(strange.jpeg)
    board.go("/")
    board.read(path)


def seen(board: Board, strange: Strange) -> dict[str, str]:
    """The board's name for each strange place."""
    return {name: tile["t"] for tile in board.tiles() if tile.get("b") and (name := at(strange, tile["b"]))}


def test_flowers_of_an_unknown_set_corrected_once(open_page: Any, tmp_path: Path) -> None:
    """The first of three photos is corrected, the second and the third are right."""
    page = open_page("phone")
    board = Board(page)
    first, *others = (unknown_flowers(hand) for hand in TWO_FLOWERS)
    read(board, tmp_path, first)
    holds(page, lambda: seen(board, first) != {"3f": "3f", "4f": "4f"})
    for name in ("3f", "4f"):
        place = next(n for n, tile in enumerate(board.tiles()) if tile.get("b") and at(first, tile["b"]) == name)
        board.change(place, name)
    board.press(page.locator("#remember-new"))
    expect(page.locator(".set-memory")).to_contain_text("2 種")
    for other in others:
        read(board, tmp_path, other)
        becomes(page, lambda other=other: seen(board, other), {"3f": "3f", "4f": "4f"})


def test_what_is_no_tile_is_taken_away_once(open_page: Any, tmp_path: Path) -> None:
    page = open_page("phone")
    board = Board(page)
    first, other = with_plate("hand-02"), with_plate("hand-01")
    read(board, tmp_path, first)
    place = next(n for n, tile in enumerate(board.tiles()) if tile.get("b") and at(first, tile["b"]))
    board.unfold("#aside-tiles")
    board.open_held(place)
    board.press(board.sheet.get_by_role("button", name="不是麻將牌"))
    board.press(page.locator("#remember-new"))
    expect(page.locator(".set-memory")).to_contain_text("1 樣不是麻將牌")
    read(board, tmp_path, other)
    becomes(page, lambda: seen(board, other), {})


def test_a_scene_learns_while_it_is_labelled(bench: tuple[str, DatasetStore], open_page: Open, tmp_path: Path) -> None:
    """Three photos of an unknown set: corrections of the first two save every key in the third."""
    address, store = bench
    photos = [unknown_flowers(hand) for hand in TWO_FLOWERS]
    ids = [store.add(photo.jpeg, f"{n}.jpg", scene="阿公的牌")[0].id for n, photo in enumerate(photos)]
    page = open_page("laptop")
    canvas = Canvas(page)
    canvas.open(f"{address}/label/demo/{ids[0]}")
    canvas.at_photo(ids[0])
    expect(page.locator("#memory-text")).to_contain_text("說了是哪副牌")
    page.locator("#memory-set").select_option(label="一副新的牌")
    expect(page.locator("#memory-text")).to_contain_text("0 種")
    wrong = correct(canvas, page, photos[0], TWO_FLOWERS[0])
    assert wrong >= 2  # these flowers were unknown
    expect(page.locator("#memory-text")).to_contain_text("（阿公的牌）")
    page.keyboard.press("Enter")
    canvas.at_photo(ids[1])
    for number in (1, 2):
        again = correct(canvas, page, photos[number], TWO_FLOWERS[number])
        assert again == 0
        page.keyboard.press("Enter")
        if number == 1:
            canvas.at_photo(ids[2])
    canvas.saved()


def correct(canvas: Canvas, page: Page, photo: Strange, hand: str) -> int:
    """Every box of the photo gets its name; how many had another."""
    truth = truth_of(RENDERED / f"images/val/{hand}.jpg", *photo.size)
    wrong = 0
    for box in canvas.shown():
        tile = at(photo, box.box) or meant(box.box, truth)
        if tile != box.tile:
            wrong += 1
            canvas.choose_id(box.id)
            canvas.name(tile)
    return wrong
