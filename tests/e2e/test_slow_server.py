"""The slow server is really slow: otherwise `make e2e-slow` would find nothing."""

from __future__ import annotations

import time
import urllib.request

import pytest
from flask import Flask

from tests.e2e.support.slow_server import PARTS, PAUSE, in_parts, slowly
from tests.serving import serving

PAGE = "<!doctype html>" + "x" * 3000


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setattr(Flask, "wsgi_app", slowly(Flask.wsgi_app))
    app = Flask(__name__)
    app.add_url_rule("/", "page", view_func=lambda: PAGE)
    app.add_url_rule("/file.css", "file", view_func=lambda: (PAGE, {"Content-Type": "text/css"}))
    return app


def test_a_page_comes_in_three_parts_and_a_file_at_once(app: Flask) -> None:
    with serving(app) as port:
        address = f"http://127.0.0.1:{port}/"
        begun = time.monotonic()
        with urllib.request.urlopen(address) as answer:
            first = answer.read(len(PAGE) // PARTS)
            early = time.monotonic() - begun
            rest = answer.read()
        late = time.monotonic() - begun
        assert (first + rest).decode() == PAGE
        assert late - early > 1.5 * PAUSE
        with urllib.request.urlopen(f"{address}file.css") as answer:
            begun = time.monotonic()
            assert answer.read().decode() == PAGE
            assert time.monotonic() - begun < PAUSE


@pytest.mark.parametrize("length", [0, 1, 2, 3, 10])
def test_no_byte_is_lost(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    page = bytes(range(length))
    assert b"".join(in_parts([page[:1], page[1:]])) == page
