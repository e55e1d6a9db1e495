"""A photo that was read is answered from memory, and never with what other networks or another tile set read."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from tests.unit.webui.conftest import FakeReader, Page
from tests.unit.webui.web.test_line import until
from vision.tileset.store import TileSetStore
from vision.tileset.values import TileSet
from webui import create_app
from webui.web.photos.readings import Readings, ReadPhoto, bytes_of, digest_of


class Counted(FakeReader):
    """Reads as the stand-in does, with or without a tile set, and counts."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def matcher(self, tile_set: TileSet) -> str:
        return tile_set.name

    def read(self, photo: Any, matcher: Any = None) -> Any:
        self.reads += 1
        return super().read(photo)


@pytest.fixture
def counted() -> Counted:
    return Counted()


@pytest.fixture
def app(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The page as it runs, its reader loaded as ever: a reader given from outside is not remembered."""
    monkeypatch.setattr("vision.reading.pipeline.Reader.load", lambda model: counted)
    return create_app({"READS_AT_ONCE": 1})  # a second process would know nothing of the stand-in


def jpeg(number: int) -> bytes:
    """A photo like no other."""
    out = io.BytesIO()
    Image.new("RGB", (1000 + number, 300), (90, 110, 100)).save(out, "JPEG")
    return out.getvalue()


def services(app: Flask) -> Any:
    return app.extensions["paitai.services"]


def tiles(page: Page) -> int:
    return page.html.count('class="tile')


def test_the_same_photo_is_read_once(app: Flask, counted: Counted) -> None:
    first, second = Page(app.test_client(), jpeg(90)).upload(), Page(app.test_client(), jpeg(90)).upload()
    assert counted.reads == 1
    assert (first.status, second.status) == (200, 200)
    assert tiles(first) == tiles(second) > 10
    Page(app.test_client(), jpeg(91)).upload()
    assert counted.reads == 2


def test_it_keeps_a_photo_of_its_own_to_be_recorded(app: Flask) -> None:
    """Two phones with the same file: neither takes the other's photo away."""
    pages = [Page(app.test_client(), jpeg(90)).upload() for _ in range(2)]
    states = {page.fields()["state"].partition('"photo":"')[2][:32] for page in pages}
    assert len(states) == 2
    for photo in states:
        assert app.test_client().get(f"/photo/{photo}.jpg").status_code == 200


def test_the_api_answers_from_memory_too(app: Flask, counted: Counted) -> None:
    client = app.test_client()
    Page(client, jpeg(90)).upload()
    answer = client.post("/api/read", data={"photo": (io.BytesIO(jpeg(90)), "b.jpg")})
    assert answer.status_code == 200
    assert answer.get_json()["photo"] == "b.jpg"
    assert counted.reads == 1


def test_other_networks_read_anew(
    app: Flask, counted: Counted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = Page(app.test_client(), jpeg(90))
    before = tiles(page.upload())
    promoted = Counted()
    promoted.groups = {"concealed": "1m2m"}
    monkeypatch.setattr("vision.reading.pipeline.Reader.load", lambda model: promoted)
    monkeypatch.setattr("vision.models.registry.ModelShelf.current", lambda shelf: tmp_path)
    after = tiles(page.shoot())
    assert (counted.reads, promoted.reads) == (1, 1)
    assert after != before


def test_another_state_of_the_tile_set_reads_anew(app: Flask, counted: Counted, tmp_path: Path) -> None:
    page, sets = Page(app.test_client(), jpeg(90)), TileSetStore(tmp_path)
    page.upload()
    sets.save(TileSet("jade"))
    services(app).choose_set = lambda: (tmp_path, "jade")
    page.upload()
    page.upload()
    assert counted.reads == 2
    sets.save(TileSet("jade", numbers_only=True))
    index = tmp_path / "jade" / "set.json"
    os.utime(index, ns=(index.stat().st_atime_ns, index.stat().st_mtime_ns + 1_000_000))
    page.upload()
    assert counted.reads == 3
    services(app).choose_set = lambda: None
    page.upload()
    assert counted.reads == 3, "without the set the first reading holds"


def test_a_photo_that_was_refused_is_refused_again(app: Flask, counted: Counted) -> None:
    for _ in range(2):
        page = Page(app.test_client(), b"no photo").shoot()
        assert page.status == 422
    assert counted.reads == 0


def test_what_comes_from_memory_waits_for_nobody(app: Flask) -> None:
    page = Page(app.test_client(), jpeg(90))
    page.upload()
    with contextlib.ExitStack() as stack:
        for _ in range(services(app).line.size):
            stack.enter_context(services(app).line.place())
        assert page.shoot().status == 200
        assert page.shoot(jpeg(91)).status == 503


def test_the_oldest_are_forgotten() -> None:
    memory = Readings(3, 1000)
    for number in range(5):
        memory.put(number, ReadPhoto(number, bytes(10)))
    assert [number for number in range(5) if memory.get(number)] == [2, 3, 4]
    memory.get(2)
    memory.put(5, ReadPhoto(5, bytes(10)))
    assert [number for number in range(6) if memory.get(number)] == [2, 4, 5]
    memory.put(6, ReadPhoto(6, bytes(990)))
    assert [number for number in range(7) if memory.get(number)] == [5, 6]


def test_an_upload_may_be_looked_at_more_than_once() -> None:
    stream = io.BytesIO(b"abc" * 1_000_000)
    assert digest_of(stream) == digest_of(b"abc" * 1_000_000) != digest_of(b"")
    assert bytes_of(stream) == bytes_of(stream) == stream.getvalue()


@pytest.fixture
def slow(counted: Counted, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The reader waits until it may go on."""
    go, read = threading.Event(), counted.read

    def waiting(photo: Any, matcher: Any = None) -> Any:
        go.wait(30)
        return read(photo, matcher)

    monkeypatch.setattr(counted, "read", waiting)
    yield go
    go.set()


def test_who_waits_can_ask_for_the_place(app: Flask, slow: threading.Event) -> None:
    of, client = services(app), app.test_client()
    reading = of.turns.size
    numbers = range(90, 93 + reading)

    def send(number: int) -> None:
        data = {"photo": (io.BytesIO(jpeg(number)), "a.jpg")}
        app.test_client().post("/", data=data, headers={"X-PaiTai": "part", "X-PaiTai-Ticket": f"mine-{number}"})

    def where() -> tuple[int, int, int]:
        """How many are read, are decoded and wait for that to come to its turn, and wait to be decoded."""
        return reading - of.turns.free_slots, of.turns.waiting, of.decoding.waiting

    threads = [threading.Thread(target=send, args=(number,)) for number in numbers]
    for count, thread in enumerate(threads, 1):
        thread.start()
        read = min(count, reading)
        decoded = min(count - read, 1)
        until(lambda at=(read, decoded, count - read - decoded): where() == at)
        until(lambda decoded=decoded: of.decoding.free_slots == 1 - decoded)
    asked = [client.get(f"/line?ticket=mine-{number}").get_json()["ahead"] for number in numbers]
    waiting = [one for one in asked if one is not None]
    assert waiting == list(range(reading + 1, reading + 1 + len(waiting)))
    assert len(waiting) == len(numbers) - reading - 1
    assert client.get("/line?ticket=somebody").get_json() == {"ahead": None, "seconds": None}
    assert client.get("/line").get_json()["ahead"] is None
    slow.set()
    for thread in threads:
        thread.join(30)
    assert client.get(f"/line?ticket=mine-{numbers[-1]}").get_json()["ahead"] is None
