"""An application of some parts, in a folder of its host: no address leads out of it, or to a page that it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.exceptions import MethodNotAllowed, NotFound

from webui import create_app

FOLDER = "/folder"
ADDRESS = re.compile(r'\b(?:href|src|action|formaction)="([^"#?]+)[^"]*"')
PAGES = ("/", "/records", "/table", "/table/seats", "/house", "/sources", "/advise")


@pytest.fixture(params=[(), None], ids=["fewest parts", "all parts"])
def application(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return create_app({"DATA": str(tmp_path), "PARTS": request.param, "SECRET_KEY": "x"})


def addresses(html: str) -> Iterator[str]:
    """The addresses that a page leads to on its own host."""
    for address in ADDRESS.findall(html):
        if not address.startswith(("data:", "https:")):
            yield address


def pages(application: Any) -> Iterator[tuple[str, str]]:
    """Name and text of pages: all addresses without parameters, and the board."""
    client = application.test_client()
    inside = {"environ_overrides": {"SCRIPT_NAME": FOLDER}}
    for path in PAGES:
        answer = client.get(path, **inside)
        assert answer.status_code == 200, path
        yield path, answer.text
    yield "the board", client.post("/", data={"manual": "1"}, **inside).text
    names = {f"name_{chair}": name for chair, name in enumerate("甲乙丙丁")}
    client.post("/table/start", data={**names, "first_dealer": "0", "rules": "luohan"}, **inside)
    for path in ("/table", "/table/wall", "/table/incident", "/table/priority"):
        yield f"{path} of a running table", client.get(path, **inside).text


def test_every_address_lies_in_the_folder_and_is_served(application: Any) -> None:
    routes = application.url_map.bind("localhost")
    seen = set()
    for name, html in pages(application):
        for address in addresses(html):
            assert address.startswith(f"{FOLDER}/"), (name, address)
            path = address.removeprefix(FOLDER)
            seen.add(path)
            served = [method for method in ("GET", "POST") if _answers(routes, path, method)]
            assert served, (name, address)
    assert {"/hand", "/table", "/table/drawn", "/records", "/house", "/sources", "/lang"} <= seen


def _answers(routes: Any, path: str, method: str) -> bool:
    try:
        return bool(routes.match(path, method=method))
    except (NotFound, MethodNotAllowed):
        return False


def test_scripts_know_the_folder(application: Any) -> None:
    for name, html in pages(application):
        assert f'data-root="{FOLDER}"' in html, name


def test_a_part_that_is_missing_is_not_loaded_and_not_offered(tmp_path: Path) -> None:
    few = create_app({"DATA": str(tmp_path), "PARTS": (), "SECRET_KEY": "x"})
    client = few.test_client()
    for path in ("/label", "/sets", "/phones", "/pair", "/api/docs", "/sw.js", "/live"):
        assert client.get(path).status_code == 404, path
    home = client.get("/").text
    assert 'href="/label"' not in home
    assert "data-live" not in home
    assert "manifest.webmanifest" not in home


def test_only_an_application_that_says_so_may_be_framed(tmp_path: Path) -> None:
    for framed, ancestors, frame in ((False, "'none'", "DENY"), (True, "'self'", "SAMEORIGIN")):
        application = create_app({"DATA": str(tmp_path), "FRAMED": framed, "SECRET_KEY": "x"})
        headers = application.test_client().get("/").headers
        assert f"frame-ancestors {ancestors}" in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == frame


def test_the_phones_page_shows_where_a_pocket_edition_lies(tmp_path: Path) -> None:
    client = create_app({"DATA": str(tmp_path), "SECRET_KEY": "x"}).test_client()
    assert 'class="qr"' not in client.get("/phones").text
    assert 'class="qr"' in client.get("/phones?pocket=https://example.org/paitai/").text
    for bad in ("http://example.org/", "javascript:alert(1)", "https://" + "x" * 5000):
        page = client.get("/phones", query_string={"pocket": bad})
        assert page.status_code == 200
        assert 'class="qr"' not in page.text
