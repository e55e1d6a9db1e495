"""Twenty photos labelled with the keyboard alone: how many keys a tile takes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.support.labelling import RENDERED, Open, Truth, drag, meant, saved, served, shown, truth_of
from vision.geometry import overlaps
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES

PHOTOS, MOST_KEYS = 20, 1.2
SUIT_KEYS = {**{code: (code[0], code[1]) for code in CLASSES if code != "back"}, "back": ("b",)}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[tuple[str, DatasetStore]]:
    """A server with an empty set."""
    yield from served(tmp_path)


def twenty(store: DatasetStore) -> dict[str, list[Truth]]:
    """The rendered photos, and copies of them turned upside down: truth by the photo's id."""
    truth = {}
    paths = sorted((RENDERED / "images/val").glob("*.jpg"))
    for number in range(PHOTOS):
        path = paths[number % len(paths)]
        with Image.open(path) as opened:
            image = opened.convert("RGB")
        width, height = image.size
        tiles = truth_of(path, width, height)
        data = path.read_bytes()
        if number >= len(paths):
            out = io.BytesIO()
            image.rotate(180).save(out, "JPEG", quality=92)
            data = out.getvalue()
            tiles = [
                Truth(one.tile, (width - one.box[2], height - one.box[3], width - one.box[0], height - one.box[1]))
                for one in tiles
            ]
        info, _ = store.add(data, f"photo-{number:02}.jpg", scene="rendered")
        truth[info.id] = tiles
    return truth


class Person:
    """Labels with the keyboard and counts every key; a box drawn with the mouse counts as three."""

    def __init__(self, page: Page) -> None:
        self.page, self.keys = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1

    def name(self, tile: str) -> None:
        """The class of the chosen tile, or away with the box where there is none."""
        self.press(*(SUIT_KEYS[tile] if tile else ("Delete",)))

    def photo(self, truth: list[Truth]) -> None:
        """One photo from its first doubtful tile to the next photo."""
        for _ in range(100):
            chosen = next((one for one in shown(self.page) if one.chosen), None)
            if chosen is None:
                break
            tile = meant(chosen.box, truth)
            if chosen.tile == tile:
                self.press(" ")
            else:
                self.name(tile)
        self.glance(truth)
        self.press("Enter")

    def glance(self, truth: list[Truth]) -> None:
        """What the model was sure of and wrong in, and what it missed."""
        for _ in range(100):
            boxes = shown(self.page)
            place = next((n for n, one in enumerate(boxes) if meant(one.box, truth) != one.tile), None)
            if place is None:
                break
            at = next((n for n, one in enumerate(boxes) if one.chosen), -1)
            self.press(*["ArrowRight" if place > at else "ArrowLeft"] * abs(place - at))
            self.name(meant(boxes[place].box, truth))
        boxes = shown(self.page)
        for one in truth:
            shares = overlaps(np.array([one.box]), np.array([seen.box for seen in boxes]).reshape(-1, 4))
            if not (shares >= 0.3).any():
                drag(self.page, one.box)
                self.keys += 3
                expect(self.page.locator(".cut.chosen")).to_have_count(1)
                self.name(one.tile)


def test_twenty_photos_by_keyboard(bench: tuple[str, DatasetStore], open_page: Open, shoot: Any) -> None:
    address, store = bench
    truth = twenty(store)
    page = open_page("laptop")
    first = store.photos()[0]
    page.goto(f"{address}/label/demo/{first.id}")
    person = Person(page)
    for number, info in enumerate(store.photos()):
        expect(page.locator(f'#work[data-photo="{info.id}"]')).to_have_count(1)
        expect(page.locator(".cut").first).to_be_visible()
        if number == 2:
            shoot(page, "label")
        person.photo(truth[info.id])
    saved(page)
    for _ in range(100):  # the photo before may still be on its way
        if all(label.checked for photo in store for label in photo.labels):
            break
        page.wait_for_timeout(200)
    tiles = sum(map(len, truth.values()))
    print(f"{person.keys} keys, {tiles} tiles, {person.keys / tiles:.2f} a tile")
    for photo in store:
        wanted = truth[photo.photo.id]
        assert all(label.checked for label in photo.labels), photo.photo.name
        assert sorted(label.tile for label in photo.labels) == sorted(one.tile for one in wanted), photo.photo.name
        assert all(meant(label.box.outline, wanted) == label.tile for label in photo.labels), photo.photo.name
    assert person.keys / tiles <= MOST_KEYS
