"""Two browsers label one set at once. Their actions are stored here, so that a test can check that none is lost."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from playwright.sync_api import expect

from tests.e2e.support.labelling import TILE_KEYS, grey
from tests.e2e.support.pages import Canvas
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES

BOXES = 12
"""Of each photo; half of them are one browser's, half the other's."""
ACTS = ("name", "name", "name", "delete", "draw", "undo", "walk", "right")


def box_id(photo: int, place: int) -> str:
    """Of the box at a place of a photo, both from 0."""
    return f"box {photo} {place}"


def photos_with_boxes(store: DatasetStore, count: int) -> list[str]:
    """Photos in the order of the page, with checked boxes."""
    ids = []
    for n in range(count):
        info, _ = store.add(grey(300 + n), f"p{n:02}.png")
        labels = [
            Label("1m", Box(10 + 60 * m, 100, 60 + 60 * m, 160), checked=True, id=box_id(n, m)) for m in range(BOXES)
        ]
        store.save(info.id, labels, 0)
        ids.append(info.id)
    return ids


@dataclass
class Labeller:
    """One browser. ``side``: 0 or 1, selects its boxes. ``said``: its last name for each box, "" for deleted."""

    canvas: Canvas
    photos: list[str]
    side: int
    chance: random.Random
    at: int = 0
    said: dict[tuple[str, str], str] = field(default_factory=dict)
    did: Counter[str] = field(default_factory=Counter)
    steps: list[tuple[tuple[str, str], str]] = field(default_factory=list)

    def start(self, address: str) -> None:
        """The first photo."""
        self.canvas.goto(f"{address}/label/demo/{self.photos[0]}")
        self.canvas.at_photo(self.photos[0])

    def act(self, what: str = "") -> None:
        """One thing that a labeller does, of ACTS, else by chance; nothing is waited for that a person would not wait
        for."""
        what = what or self.chance.choice(ACTS)
        if (what == "undo" and not self.steps) or (what in ("name", "delete") and not self._mine()):
            what = "walk"
        self.did[what] += 1
        getattr(self, f"_{what}")()

    def _mine(self) -> list[str]:
        """Ids of its boxes that the page shows, without the ones that it drew."""
        own = {box_id(self.at, place) for place in range(self.side, BOXES, 2)}
        return [one.id for one in self.canvas.shown() if one.id in own]

    def _photo(self) -> str:
        return self.photos[self.at]

    def _say(self, box: str, tile: str) -> None:
        key = self._photo(), box
        self.steps.append((key, self.said.get(key, "1m")))
        self.said[key] = tile

    def _name(self) -> None:
        box = self.chance.choice(self._mine())
        tile = self.chance.choice([code for code in CLASSES if code != self.said.get((self._photo(), box), "1m")])
        self.canvas.choose_id(box)
        self.canvas.keys(*TILE_KEYS[tile])
        self._say(box, tile)

    def _delete(self) -> None:
        box = self.chance.choice(self._mine())
        self.canvas.choose_id(box)
        self.canvas.keys("Delete")
        expect(self.canvas.page.locator(f'.cut[data-crop="{box}"]')).to_have_count(0)
        self._say(box, "")

    def _draw(self) -> None:
        """A box of its own half of the photo, and its name."""
        x, y = self.chance.randrange(20, 700), self.chance.randrange(210, 330) + 160 * self.side
        box = self.canvas.draw((x, y, x + 40, y + 50))
        tile = self.chance.choice(CLASSES)
        self.canvas.keys(*TILE_KEYS[tile])
        self.said[self._photo(), box] = tile
        self.steps.clear()  # two steps of the page, the box and its name: they are not taken back here

    def _undo(self) -> None:
        self.canvas.keys("u")
        key, tile = self.steps.pop()
        self.said[key] = tile

    def _walk(self) -> None:
        """Move to a neighbouring photo at once; unsent changes are sent from there."""
        by = 1 if self.at == 0 else -1 if self.at == len(self.photos) - 1 else self.chance.choice((1, -1))
        self.canvas.keys("." if by == 1 else ",")
        self._arrive(self.at + by)

    def _right(self) -> None:
        """Confirm all of the photo and go on to the next. If the page has just received an unnamed box of the other
        browser, it asks about that box instead: go on without it."""
        if self.at == len(self.photos) - 1 or not self.canvas.all_right():
            self._walk()
            return
        self._arrive(self.at + 1)

    def _arrive(self, at: int) -> None:
        self.at = at
        self.steps.clear()
        self.canvas.at_photo(self._photo())

    def finish(self) -> None:
        """Wait until the server has all of it, also of photos that were left."""
        self.canvas.saved()


def lost(store: DatasetStore, both: list[Labeller]) -> list[str]:
    """The last names that are missing in the set: a sentence each."""
    found = []
    for one in both:
        for (photo, box), tile in one.said.items():
            there = next((label.tile for label in store.get(photo).labels if label.id == box), "")
            if there != tile:
                found.append(
                    f"{store.get(photo).photo.name} {box}: {tile or 'gone'} was said, {there or 'gone'} is kept"
                )
    return found
