"""Photos that may take long to decode: ended at their deadline and with their sender, and nobody waits for them."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.processes import alive
from vision.photo.image import PhotoError, load_photo
from vision.photo.sample import sample_photo_path
from webui import create_app
from webui.web.line import Gone
from webui.web.photos import decoding_process
from webui.web.photos.decoding_process import DecodingProcess

sys.path.insert(0, str(Path(__file__).parents[4] / "benchmarks" / "fuzzing"))

from tangled import jpeg, noisy_heic, with_scans

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGPROF and no kill -9")

PHOTO = sample_photo_path().read_bytes()
LONG = 60.0


def webp() -> bytes:
    """Just too large to be decoded in the server."""
    out = io.BytesIO()
    Image.linear_gradient("L").resize((3000, 2700)).save(out, "WEBP", method=0)
    return out.getvalue()


def process_of(decoder: DecodingProcess) -> int:
    """Its number."""
    assert decoder._child is not None
    number = decoder._child[0].pid
    assert isinstance(number, int)
    return number


def decode_often(decoder: DecodingProcess, data: bytes) -> None:
    for _ in range(200):
        decoder.decode(lambda: data)


def ended(process: int) -> bool:
    until = time.monotonic() + LONG
    while alive(process) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(process)


@pytest.fixture(scope="module")
def shared() -> Iterator[DecodingProcess]:
    decoder = DecodingProcess()
    yield decoder
    decoder.close()


@pytest.fixture
def decoder(monkeypatch: pytest.MonkeyPatch) -> Iterator[DecodingProcess]:
    decoder = DecodingProcess()
    yield decoder
    decoder.close()


@pytest.mark.parametrize("file", [webp, lambda: PHOTO, lambda: noisy_heic(640)], ids=["webp", "jpeg", "heic"])
def test_it_decodes_what_would_be_decoded_here(file: Callable[[], bytes], shared: DecodingProcess) -> None:
    data = file()
    there, here = shared.decode(lambda: data), load_photo(data)
    assert there.size == here.size
    assert (there.pixels == here.pixels).all()
    before = process_of(shared)
    shared.decode(lambda: data)
    assert process_of(shared) == before, "it is started once"


@pytest.mark.parametrize(
    ("file", "key"),
    [(lambda: b"no photo", "photo_not"), (lambda: webp()[:2000], "photo_damaged"), (lambda: jpeg(40), "photo_small")],
)
def test_it_refuses_what_would_be_refused_here(file: Callable[[], bytes], key: str, shared: DecodingProcess) -> None:
    with pytest.raises(PhotoError) as refused:
        shared.decode(file)
    assert refused.value.key == key


def test_a_photo_that_takes_too_long_is_ended_and_the_next_one_is_read(shared: DecodingProcess) -> None:
    shared.decode(lambda: PHOTO)
    process, data = process_of(shared), webp()
    threading.Timer(0.0, lambda: os.kill(process, signal.SIGPROF)).start()  # as the system does at the deadline
    with pytest.raises(PhotoError) as refused:
        decode_often(shared, data)
    assert refused.value.key == "photo_slow"
    assert ended(process)
    assert shared.decode(lambda: data).size == (3000, 2700)


def test_the_processor_time_of_a_photo_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own, where the limit is a hundredth of what the photo takes."""
    number = os.fork()
    if number == 0:
        decoding_process._deadline(0.02)
        for _ in range(1000):
            load_photo(PHOTO)
        os._exit(0)
    _, status = os.waitpid(number, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGPROF


def test_it_ends_with_its_sender(decoder: DecodingProcess) -> None:
    decoder.decode(lambda: PHOTO)
    process = process_of(decoder)
    os.kill(process, signal.SIGSTOP)  # as a decoder that never comes back
    with pytest.raises(Gone):
        decoder.decode(lambda: PHOTO, lambda: True)
    assert ended(process)


def test_an_idle_timer_that_comes_late_ends_nothing(decoder: DecodingProcess) -> None:
    """It ran out just before the next photo came, and waited for the lock."""
    decoder.decode(lambda: PHOTO)
    late = decoder._timer
    assert late is not None
    decoder._started()
    process = process_of(decoder)
    late.function()
    assert decoder.decode(lambda: PHOTO).size
    assert process_of(decoder) == process


def test_one_that_hangs_is_given_up(decoder: DecodingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding_process, "PATIENCE", 0.2)
    decoder._started()
    os.kill(process_of(decoder), signal.SIGSTOP)
    with pytest.raises(PhotoError) as refused:
        decoder.decode(lambda: PHOTO)
    assert refused.value.key == "photo_slow"


def test_one_that_breaks_costs_only_its_photo(decoder: DecodingProcess) -> None:
    decoder.decode(lambda: PHOTO)
    os.kill(process_of(decoder), signal.SIGKILL)
    time.sleep(0.1)
    assert decoder.decode(lambda: PHOTO).size == (1600, 1200)


def test_it_ends_when_nobody_has_asked_for_long(decoder: DecodingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding_process, "IDLE", 0.05)
    decoder.decode(lambda: PHOTO)
    assert decoder._child is None or ended(process_of(decoder))


def test_a_system_without_room_for_it_decodes_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: DecodingProcess) -> Any:
        raise OSError(11, "no more processes")

    monkeypatch.setattr(DecodingProcess, "_started", full)
    assert DecodingProcess().decode(lambda: PHOTO).size == (1600, 1200)


def test_quick_photos_do_not_wait_for_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    services = create_app({"READS_AT_ONCE": 1}).extensions["paitai.services"]
    services.choose_set = lambda: None
    slow, go_on, done = threading.Event(), threading.Event(), []

    def decode(self: DecodingProcess, file: Callable[[], bytes], gone: Callable[[], bool]) -> Any:
        slow.set()
        assert go_on.wait(LONG)
        return load_photo(PHOTO)

    monkeypatch.setattr(DecodingProcess, "decode", decode)
    bomb = webp()
    thread = threading.Thread(target=lambda: done.append(services.read_shown(bomb, ticket="slow")))
    thread.start()
    try:
        assert slow.wait(LONG)
        again = threading.Thread(target=lambda: done.append(services.read_shown(bomb, ticket="next")))
        again.start()
        until = time.monotonic() + LONG
        while services.ahead("next") is None and time.monotonic() < until:
            time.sleep(0.01)
        assert services.ahead("next") == 1
        assert len(services.read_shown(PHOTO).reading.detections) > 10
        assert not done
    finally:
        go_on.set()
        thread.join(LONG)
    again.join(LONG)
    assert len(done) == 2


def test_a_scan_bomb_below_the_limits_is_answered_in_time() -> None:
    """Of 49 megapixels, and as many scans as are let in."""
    services = create_app({"READS_AT_ONCE": 1}).extensions["paitai.services"]
    data = with_scans(19, 7000)
    assert not services._is_quick(data)
    decoder = DecodingProcess()
    try:
        decoder.decode(lambda: PHOTO)
        started = time.process_time()
        assert decoder.decode(lambda: data).size == (7000, 7000)
        assert time.process_time() - started < 1.0, "the server itself does not work for it"
    finally:
        decoder.close()
