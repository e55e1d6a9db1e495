"""Photos that are read in a process of their own: the same answers, and whatever happens to it, no photo is lost."""

from __future__ import annotations

import dataclasses
import io
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.processes import alive
from vision.photo.image import PhotoError, load_photo
from vision.photo.sample import sample_photo_path
from vision.reading.pipeline import Reader
from vision.tileset.store import TileSetStore
from vision.tileset.values import CROP, Reference, TileSet
from webui import create_app
from webui.web.photos.decoding_process import DecodingProcess
from webui.web.photos.page import page_jpeg
from webui.web.photos.readings import ReadPhoto
from webui.web.photos.second_process import AT_ONCE, TRIES, Read, SecondProcess, Weights

LONG = 60.0
SHIPPED = Weights(None, (1, None))
PHOTO = sample_photo_path().read_bytes()


def untimed(read: ReadPhoto) -> ReadPhoto:
    """Without how long it took."""
    return dataclasses.replace(read, reading=dataclasses.replace(read.reading, ms={}))


def wait_for(found: Any) -> Any:
    """What `found` gives at last."""
    until = time.monotonic() + LONG
    while not (value := found()):
        assert time.monotonic() < until, "nothing came of it"
        time.sleep(0.02)
    return value


def read(second: SecondProcess, photo: bytes, weights: Weights = SHIPPED) -> ReadPhoto | None:
    """Read there, once it is ready."""

    def claimed() -> list[ReadPhoto | None]:
        with second.claimed(weights) as there:
            return [there(photo)] if there else []

    return wait_for(claimed)[0]


def process_of(second: SecondProcess) -> int:
    """Its number."""
    assert second._pool is not None
    return next(iter(second._pool._processes))


@pytest.fixture(scope="module")
def here() -> ReadPhoto:
    """The sample photo read in this process."""
    photo = load_photo(PHOTO)
    return untimed(ReadPhoto(Reader.load().read(photo), page_jpeg(photo, PHOTO)))


@pytest.fixture
def second() -> Iterator[SecondProcess]:
    made = SecondProcess()
    yield made
    with made.resting():
        pass


def test_it_reads_what_would_be_read_here(second: SecondProcess, here: ReadPhoto) -> None:
    with second.claimed(SHIPPED) as there:
        assert there is None, "it cannot be ready before it was started"
    made = read(second, PHOTO)
    assert made is not None
    assert untimed(made) == here
    assert read(second, b"no photo") is None, "what is wrong with a photo is said by who asked"
    made = read(second, PHOTO)
    assert made is not None
    assert untimed(made) == here
    assert alive(process_of(second))


def test_so_many_have_it_at_once(second: SecondProcess) -> None:
    read(second, PHOTO)
    places = [second.claimed(SHIPPED) for _ in range(AT_ONCE + 1)]
    try:
        there: list[Read | None] = [place.__enter__() for place in places]
        assert [one is None for one in there] == [False] * AT_ONCE + [True]
    finally:
        for place in places:
            place.__exit__(None, None, None)


def test_one_that_is_killed_costs_no_photo_and_is_started_again(second: SecondProcess, here: ReadPhoto) -> None:
    read(second, PHOTO)
    killed = process_of(second)
    os.kill(killed, signal.SIGKILL)
    assert read(second, PHOTO) is None
    made = read(second, PHOTO)
    assert made is not None
    assert untimed(made) == here
    assert process_of(second) != killed
    assert not alive(killed)


def test_it_ends_when_nobody_has_asked_for_long(second: SecondProcess) -> None:
    read(second, PHOTO)
    process = process_of(second)
    second._idle = 0.1  # only now: a busy machine may take longer to start it
    read(second, PHOTO)
    wait_for(lambda: not alive(process))


@pytest.mark.parametrize("error", [OSError(11, "no more processes"), ImportError("no sem_open"), RuntimeError("spawn")])
def test_a_system_that_cannot_start_it_is_not_asked_again(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def start(*_: Any, **__: Any) -> None:
        asked.append(error)
        raise error

    monkeypatch.setattr("webui.web.photos.second_process.ProcessPoolExecutor", start)
    second = SecondProcess()
    for _ in range(3):
        with second.claimed(SHIPPED) as there:
            assert there is None
    assert asked == [error]


def test_one_that_dies_while_it_begins_is_started_again_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.web.photos.second_process._begin", partial(os._exit, 3))
    second, begun = SecondProcess(), []
    for _ in range(3 * TRIES):
        with second.claimed(SHIPPED) as there:
            assert there is None
        if second._ready is not None and second._ready not in begun:
            begun.append(second._ready)
            wait_for(second._ready.done)
    assert len(begun) == TRIES
    assert second._pool is None


def test_it_rests_while_something_large_goes_on(second: SecondProcess) -> None:
    read(second, PHOTO)
    process = process_of(second)
    with second.resting():
        assert not alive(process)
        with second.claimed(SHIPPED) as there:
            assert there is None
        assert second._pool is None, "it is not started meanwhile"
    assert read(second, PHOTO) is not None


def test_weights_that_cannot_be_loaded_are_not_read_with(second: SecondProcess, tmp_path: Path) -> None:
    assert read(second, PHOTO, Weights(tmp_path / "none", (2, None))) is None
    assert read(second, PHOTO) is not None


def test_it_reads_with_the_tile_set_in_use(second: SecondProcess, tmp_path: Path) -> None:
    crop = np.full((CROP, CROP, 3), 200, np.uint8)
    TileSetStore(tmp_path).save(TileSet("jade", (Reference("1f", crop),)))
    matcher = Reader.load().matcher(TileSetStore(tmp_path).load("jade"))
    expected = untimed(ReadPhoto(Reader.load().read(load_photo(PHOTO), matcher=matcher), PHOTO)).reading
    made = read(second, PHOTO, Weights(None, (1, (tmp_path, "jade", 1))))
    assert made is not None
    assert untimed(made).reading == expected
    assert read(second, PHOTO, Weights(None, (1, (tmp_path, "none", 1)))) is None, "no such set was looked for"


def test_a_large_photo_is_read_with_the_memory_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the second process, and with one photo at a time read here."""
    services = create_app({"READS_AT_ONCE": 2}).extensions["paitai.services"]
    services.choose_set = lambda: None
    read(services.second, PHOTO, Weights(None, (1, None)))
    out, large, seen = io.BytesIO(), io.BytesIO(), []
    Image.linear_gradient("L").resize((4100, 4000)).save(out, "WEBP", method=0)
    Image.linear_gradient("L").resize((4100, 4000)).save(large, "JPEG")

    def watched(decoder: DecodingProcess, photo: Callable[[], bytes], gone: Any) -> Any:
        seen.append((services.second._pool, services.here.free_slots))
        return load_photo(photo())

    monkeypatch.setattr(DecodingProcess, "decode", watched)
    try:
        services.read_shown(large.getvalue())
        assert not seen, "a JPEG is decoded small, within little memory"
        assert services.second._pool is not None
        services.read_shown(out.getvalue())
        services.read(out.getvalue())
        services.shown(out.getvalue())
        assert seen == [(None, 1)] * 3
    finally:
        services.close()


def test_photos_at_once_are_answered_as_alone(here: ReadPhoto, monkeypatch: pytest.MonkeyPatch) -> None:
    services = create_app({"READS_AT_ONCE": 2}).extensions["paitai.services"]
    services.choose_set = lambda: None
    assert read(services.second, PHOTO, Weights(None, (1, None))) is not None
    reader, read_here = services.reader(), []
    alone = reader.read
    monkeypatch.setattr(reader, "read", lambda photo: read_here.append(photo) or alone(photo))
    photos = [PHOTO + bytes(number) for number in range(1, 13)]  # what follows a JPEG's end is not looked at
    with ThreadPoolExecutor(6) as phones:
        made = list(phones.map(services.read_shown, photos))
    assert {untimed(one).reading.detections for one in made} == {here.reading.detections}
    assert 0 < len(read_here) < len(photos), "both read"
    with pytest.raises(PhotoError):
        services.read_shown(b"no photo")
    with services.second.resting():
        pass
