"""A page with a reader that returns a test's tiles, and the real rules."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from html import unescape
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scoring.hands.notation import scan_tiles
from scoring.tiles import BACK, CODES
from vision.detection.types import Detection
from vision.layout.grouping import Group, TableLayout
from vision.reading.checks import hand_of
from vision.reading.reading import Reading
from vision.tileset.store import SETS_FOLDER
from webui import create_app

HAND = {"concealed": "234m567p34s11z", "winning": "5s", "meld:1": "555m", "meld:2": "777z", "flowers": "1f6f"}


@pytest.fixture(autouse=True)
def closed_databases(closing_engines: None) -> None:
    """What a test opens is closed after it: Python 3.13 warns of a database that is left to the collector."""


def canned_reading(
    groups: dict[str, str], size: tuple[int, int], confidences: dict[int, float], unread: Collection[int] = ()
) -> Reading:
    """A reading in a row, a box of 40 x 60 pixels a tile; `confidences` by place, 0.98 elsewhere; `unread`: places."""
    detections: list[Detection] = []
    laid: list[Group] = []
    for group, text in groups.items():
        start = len(detections)
        for code in _codes(text):
            x, sure = 20.0 + 45 * len(detections), confidences.get(len(detections), 0.98)
            box, not_read = (x, 100.0, x + 40.0, 160.0), len(detections) in unread
            detections.append(Detection(code, box, sure, (("9m", 0.01),), unread=not_read))
        members = tuple(range(start, len(detections)))
        if group.startswith("meld:"):
            laid.append(Group("meld", members, "concealed_kong" if BACK in text else "pung"))
        else:
            laid.append(Group(cast(Any, group), members))
    layout = TableLayout(0.0, (), tuple(laid))
    ms = {"decode": 1.0, "detect": 2.0, "layout": 0.0, "total": 3.0}
    return Reading(size, tuple(detections), layout, hand_of([one.tile for one in detections], layout), ms=ms)


def _codes(text: str) -> list[str]:
    """Tiles of a text; ``back`` is a word."""
    faces = [CODES[tile] for tile in scan_tiles(text.replace(BACK, ""))]
    return faces + [BACK] * text.count(BACK)


class FakeReader:
    """Reads every photo as `groups`."""

    def __init__(self) -> None:
        self.groups: dict[str, str] = dict(HAND)
        self.confidences: dict[int, float] = {}
        self.unread: set[int] = set()
        self.fails: Exception | None = None

    def read(self, photo: Any) -> Reading:
        if self.fails:
            raise self.fails
        return canned_reading(self.groups, photo.size, self.confidences, self.unread)


@pytest.fixture(autouse=True)
def no_tile_sets_left(data_folder: Path) -> Iterator[None]:
    """No other test reads with a tile set that a test taught in the folder of the whole run."""
    yield
    shutil.rmtree(data_folder / SETS_FOLDER, ignore_errors=True)


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def app(reader: FakeReader) -> Flask:
    return create_app({"READER": reader})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser on which Mahjong Luohan's rules were chosen; `app.test_client()` is one that is new here."""
    client = app.test_client()
    client.set_cookie("rules", "luohan")
    return client


@pytest.fixture
def jpeg() -> bytes:
    """A plain grey photo."""
    return grey_jpeg()


def grey_jpeg() -> bytes:
    """A plain grey photo, 1000 x 300 pixels."""
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (1000, 300), (90, 110, 100)).save(out, "JPEG")
    return out.getvalue()


class Page:
    """A browser without scripts: follows forms by their fields."""

    def __init__(self, client: FlaskClient, jpeg: bytes) -> None:
        self.client = client
        self.jpeg = jpeg
        self.html = ""
        self.status = 0

    def take(self, answer: Any) -> Page:
        self.html, self.status = answer.get_data(as_text=True), answer.status_code
        return self

    def upload(self, data: bytes | None = None, name: str = "a.jpg", **fields: str) -> Page:
        """Send a photo from the start page, and answer how the hand was won if the page asks."""
        return self.shoot(data, name, **fields).say()

    def shoot(self, data: bytes | None = None, name: str = "a.jpg", **fields: str) -> Page:
        """Send a photo from the start page."""
        photo = (io.BytesIO(self.jpeg if data is None else data), name)
        return self.take(self.client.post("/", data={"photo": photo, **fields}, content_type="multipart/form-data"))

    def say(self) -> Page:
        """East drew it and deals in the first round; known or offered facts stay."""
        fields = self.fields()
        if "state" not in fields:
            return self
        usual = {"win": "self_draw", "seat": "E", "round": "E", "dealer": "E", "streak": "0"}
        unsaid = {key: fields.get(f"offer_{key}", value) for key, value in usual.items() if key not in fields}
        return self.press("", **unsaid) if unsaid else self

    def fields(self) -> dict[str, Any]:
        """The fields that a browser would send of the current board."""
        found: dict[str, Any] = {"events": []}
        for tag in re.findall(r"<input[^>]*>", self.html, re.S):
            at = {key: unescape(value) for key, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
            if "disabled" in tag.split() or at.get("name") is None:
                continue
            if at.get("type") in ("radio", "checkbox"):
                if re.search(r"\schecked", tag):
                    found["events"].append(at["value"]) if at["name"] == "events" else found.update(
                        {at["name"]: at["value"]}
                    )
            elif at.get("type") != "file":
                found[at["name"]] = at.get("value", "")
        for name, inside in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', self.html, re.S):
            chosen = re.search(r'<option value="([^"]*)" selected', inside)
            found[name] = chosen.group(1) if chosen else ""
        return found

    def press(self, move: str = "", **changed: Any) -> Page:
        """Press a button of the board, with some fields changed."""
        return self.take(self.client.post("/hand", data={**self.fields(), "do": move, **changed}))

    @property
    def tai(self) -> int | None:
        """The total shown large."""
        found = re.search(r'class="total"[^>]*><strong>(-?\d+)</strong>', self.html)
        return int(found.group(1)) if found else None

    @property
    def text(self) -> str:
        """The words on the page."""
        return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.html)))

    def place(self, code: str, group: str = "concealed") -> int:
        """Number of the first such tile on the board."""
        import json

        tiles = json.loads(self.fields()["state"])["tiles"]
        return next(at for at, one in enumerate(tiles) if one["t"] == code and one["g"] == group)


@pytest.fixture
def page(client: FlaskClient, jpeg: bytes) -> Page:
    return Page(client, jpeg)


@pytest.fixture
def hand() -> Callable[..., dict[str, str]]:
    """The hand of the contract's example, with changes."""
    return lambda **changed: {**HAND, **changed}
