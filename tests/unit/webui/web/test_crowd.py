"""A crowd at one server: `benchmarks/serving/bench_phones.py` in short, with canned readings and a shorter line."""

from __future__ import annotations

import contextlib
import http.client
import io
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PIL import Image
from werkzeug.datastructures import FileStorage
from werkzeug.test import encode_multipart

from tests.serving import serving
from webui import create_app

IN_LINE = 12
TRIES = 40  # as many as the page (`static/js/shared/net.js`)


class Counting:
    """Reads every photo as the canned reader does, in a moment, and counts how often it read each."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.lock, self.read_of = inner, threading.Lock(), Counter[int]()

    def read(self, photo: Any) -> Any:
        time.sleep(0.02)
        with self.lock:
            self.read_of[photo.size[0]] += 1  # each phone's photo has a width of its own
        return self.inner.read(photo)


@pytest.fixture
def counting(reader: Any) -> Counting:
    return Counting(reader)


@pytest.fixture
def port(counting: Counting) -> Iterator[int]:
    """The real server, with room for twelve photos."""
    with serving(create_app({"READER": counting, "READS_IN_LINE": IN_LINE, "READS_AT_ONCE": 1})) as port:
        yield port


def jpeg(width: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, 300), (90, 110, 100)).save(out, "JPEG")
    return out.getvalue()


def shoot(port: int, width: int, together: threading.Barrier) -> list[int]:
    """One phone sends its photo and repeats it as the page does: the statuses."""
    boundary, body = encode_multipart({"photo": FileStorage(io.BytesIO(jpeg(width)), "a.jpg")})
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}", "X-PaiTai": "part"}
    statuses: list[int] = []
    together.wait(30)
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        for _ in range(TRIES):
            connection.request("POST", "/", body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
            statuses.append(answer.status)
            if answer.status != 503:
                assert 'name="state"' in text, f"{answer.status} {text[:300]}"
                break
            time.sleep(int(answer.headers["Retry-After"]) * (1 + random.random()))
    return statuses


@pytest.mark.parametrize("phones", [10, 30])
def test_every_phone_of_a_crowd_gets_its_photo_read(phones: int, port: int, counting: Counting) -> None:
    together, widths = threading.Barrier(phones), range(600, 600 + phones)
    with ThreadPoolExecutor(phones) as pool:
        heard = list(pool.map(lambda width: shoot(port, width, together), widths))
    assert {one[-1] for one in heard} == {200}
    assert {status for one in heard for status in one} <= {200, 503}
    assert counting.read_of == dict.fromkeys(widths, 1), "a photo that is refused costs no reading"
    if phones > IN_LINE:
        assert any(len(one) > 1 for one in heard), "the line was never full: this test saw nothing"
    else:
        assert all(len(one) == 1 for one in heard)
