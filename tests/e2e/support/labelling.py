"""The labelling workbench in a browser, for its tests: a server with a set, the visible page, the mouse."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import Page

from scoring.tiles import BACK
from tests.e2e.support.evenings import reader
from tests.e2e.support.pages import Canvas, Outline, Shown
from tests.rendered import RENDERED, Truth
from tests.serving import serving
from vision.geometry import overlaps
from vision.labelling.labels import Box, Label
from vision.labelling.store import DatasetStore
from vision.models.manifest import CLASSES

Open = Callable[..., Page]


def served(folder: Path, **config: object) -> Iterator[tuple[str, DatasetStore]]:
    """A server with a data folder of its own: its address, and an empty set in it. For a fixture to yield from."""
    from webui import create_app

    store = DatasetStore.create(folder / "datasets" / "demo", "試試")
    with serving(create_app({"DATA": str(folder), "READER": reader(), **config})) as port:
        yield f"http://127.0.0.1:{port}", store


def meant(box: Outline, truth: list[Truth]) -> str:
    """The true tile of a box; empty for none."""
    shares = overlaps(np.array([box]), np.array([one.box for one in truth]))[0]
    best = int(shares.argmax())
    return truth[best].tile if shares[best] >= 0.3 else ""


def with_three(bench: tuple[str, DatasetStore]) -> tuple[str, DatasetStore, str]:
    """A photo with three checked boxes: address of its page, the store, its id."""
    address, store = bench
    path = RENDERED / "images/val/hand-01.jpg"
    info, _ = store.add(path.read_bytes(), "one.jpg")
    labels = [
        Label(tile, Box(100 + 90 * n, 200, 170 + 90 * n, 300), checked=True, id=f"b{n}")
        for n, tile in enumerate(("1m", "2m", "3m"))
    ]
    store.save(info.id, labels, 0)
    return f"{address}/label/demo/{info.id}", store, info.id


def tiles_of(store: DatasetStore, id_: str) -> list[str]:
    return [label.tile for label in store.get(id_).labels]


TILE_KEYS = {**{code: (code[0], code[1]) for code in CLASSES if code != "back"}, "back": ("b",)}


class Person:
    """Labels a photo as the page asks and counts every key; a click counts as one. ``backs``: the photo shows face-down
    tiles that its file leaves out; the person lets their boxes stand."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas, self.keys, self.backs = canvas, 0, False
        self.spent: Counter[str] = Counter()

    def _count(self, why: str, keys: int = 1) -> None:
        self.keys += keys
        self.spent[why] += keys

    def press(self, why: str, *keys: str) -> None:
        self.canvas.keys(*keys)
        self._count(why, len(keys))

    def name(self, why: str, tile: str) -> None:
        """Type the class of the chosen tile, or delete the box if it has none."""
        self.press(why, *(TILE_KEYS[tile] if tile else ("Delete",)))

    def _meant(self, box: Shown, truth: list[Truth]) -> str:
        """The true tile of a box, or nothing."""
        return meant(box.box, truth) or (BACK if self.backs and box.tile == BACK else "")

    def photo(self, truth: list[Truth], *, backs: bool = False) -> None:
        """One photo from its first doubtful tile to the next photo."""
        self.backs = backs
        for _ in range(200):
            chosen = next((box for box in self.canvas.shown() if box.chosen), None)
            if chosen is None:
                break
            tile = self._meant(chosen, truth)
            if chosen.tile == tile:
                self.press("in doubt", " ")
            else:
                self.name("in doubt, wrong", tile)
        self.correct(truth)
        self.add_missed(truth)
        self.press("photo", "Enter")

    def correct(self, truth: list[Truth]) -> None:
        """Correct sure errors of the model: a click on the tile, then its name."""
        for box in self.canvas.shown():
            tile = self._meant(box, truth)
            if tile != box.tile:
                self.canvas.choose_id(box.id)
                self._count("sure and wrong")
                self.name("sure and wrong", tile)

    def add_missed(self, truth: list[Truth]) -> None:
        """A click on each tile without a box; the model lays the box on and names it."""
        for tile in truth:
            boxes = np.array([seen.box for seen in self.canvas.shown()]).reshape(-1, 4)
            if (overlaps(np.array([tile.box]), boxes) >= 0.3).any():
                continue
            self.canvas.point((tile.box[0] + tile.box[2]) / 2, (tile.box[1] + tile.box[3]) / 2)
            self._count("missed")
            chosen = next(seen for seen in self.canvas.shown() if seen.chosen)
            if chosen.tile == tile.tile:
                self.press("missed", " ")
            else:
                self.name("missed", tile.tile)


def label_all(page: Page, address: str, store: DatasetStore, truth: dict[str, list[Truth]]) -> Person:
    """Every photo of a set, from the first to the last; what it took."""
    photos = store.photos()
    canvas = Canvas(page)
    canvas.goto(f"{address}/label/demo/{photos[0].id}")
    person = Person(canvas)
    for info in photos:
        canvas.at_photo(info.id)
        person.photo(truth[info.id], backs=info.hidden_backs)
    canvas.saved()
    return person


class Blind:
    """A reader that sees nothing, for tests without a model."""

    classifier = None
    models = None

    def read(self, photo: Any) -> Any:
        return SimpleNamespace(detections=(), size=photo.size)


def grey(seed: int) -> bytes:
    out = io.BytesIO()
    pixels = np.random.default_rng(seed).integers(90, 120, (60, 80, 3), dtype=np.uint8)
    Image.fromarray(pixels).resize((800, 600)).save(out, "PNG", compress_level=1)
    return out.getvalue()


def a_row(store: DatasetStore, count: int = 8) -> list[str]:
    """Photos with one box each, all called 3p, each less sure than the one before."""
    found = []
    for n in range(count):
        info, _ = store.add(grey(100 + n), f"p{n}.png")
        label = Label("3p", Box(100, 100, 160, 180), "model", 0.9 - n / 20, id=f"b{n}")
        store.save(info.id, [label], 0)
        found.append(info.id)
    return found
