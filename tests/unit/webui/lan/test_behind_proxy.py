"""Behind a proxy the internet is not this computer; with a real nginx if one is installed."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask

from webui import create_app
from webui.lan.addresses import listen
from webui.lan.behind_proxy import BadProxy, behind_proxy, outside_address
from webui.lan.waitress_front import make_server
from webui.web.security import owner_mark

KEY = "the owner's key"
OWNER_ONLY = "/backup"
HEADERS = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP")


def page(tmp_path: Path, **more: Any) -> Flask:
    return create_app({"DATA": str(tmp_path / "data"), "READER": object(), "SECRET_KEY": "x", "OWNER_KEY": KEY, **more})


@pytest.mark.parametrize("header", HEADERS)
def test_a_forwarded_request_is_a_strangers(tmp_path: Path, header: str) -> None:
    client = page(tmp_path).test_client()
    assert client.get("/records").status_code == 200
    assert client.get("/records", headers={header: "1.2.3.4"}).status_code == 401
    assert client.get("/records", environ_overrides={"SERVER_PROTOCOL": "HTTP/1.0"}).status_code == 401


def test_only_the_owners_browser_is_the_owner(tmp_path: Path) -> None:
    client = page(tmp_path).test_client()
    assert client.get(OWNER_ONLY).status_code == 403
    assert client.get("/own?key=wrong").status_code == 403
    assert client.get(OWNER_ONLY).status_code == 403
    assert client.get("/own", query_string={"key": KEY}).status_code == 303
    assert client.get(OWNER_ONLY).status_code == 200
    assert client.get(OWNER_ONLY, headers={"Via": "1.1 x"}).status_code == 401


def test_the_owner_stays_it_when_phones_are_forgotten(tmp_path: Path) -> None:
    client = page(tmp_path).test_client()
    client.get("/own", query_string={"key": KEY})
    assert client.post("/phones/forget").status_code == 303
    assert client.get(OWNER_ONLY).status_code == 200


def test_a_link_of_an_earlier_start_opens_nothing(tmp_path: Path) -> None:
    app = page(tmp_path)
    client = app.test_client()
    with client.session_transaction() as session:
        session["owner"] = owner_mark("an earlier key")
    assert client.get(OWNER_ONLY).status_code == 403


def test_behind_a_proxy_this_computer_needs_the_link_for_everything(tmp_path: Path) -> None:
    client = page(tmp_path, BEHIND_PROXY="https://mj.example.org/").test_client()
    assert client.get("/records").status_code == 401
    client.get("/own", query_string={"key": KEY})
    assert client.get("/records").status_code == 200


@pytest.mark.parametrize(
    "url", ["mj.example.org", "ftp://x", "https://", "https://x/y", "https://a@b", "https://x:99999"]
)
def test_an_address_that_no_proxy_has(url: str) -> None:
    with pytest.raises(BadProxy):
        outside_address(url)


@contextlib.contextmanager
def nginx(folder: Path, upstream: int, *lines: str) -> Iterator[int]:
    """A real nginx in front of a port; its own port."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.skip("nginx is not installed (apt-get install nginx-light)")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    place = f"location / {{ proxy_pass http://127.0.0.1:{upstream}; {' '.join(lines)} }}"
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary} server {{ listen 127.0.0.1:{port}; {place} }} }}\n"
    )
    process = subprocess.Popen(
        [program, "-c", str(folder / "nginx.conf"), "-p", str(folder)], stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def served(app: Any) -> Iterator[int]:
    listener = listen("127.0.0.1", 0)
    server = make_server(app, [listener])
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield int(listener.getsockname()[1])
    finally:
        server.close()
        thread.join(10)


def asked(port: int, path: str, **headers: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers=headers)
    status = connection.getresponse().status
    connection.close()
    return status


GOOD = ("proxy_http_version 1.1;", "proxy_set_header Host $host;", "proxy_set_header X-Forwarded-For $remote_addr;")


@pytest.mark.parametrize("lines", [(), GOOD], ids=["its five-line default", "as the document says"])
@pytest.mark.parametrize("option", [False, True], ids=["option forgotten", "with the option"])
def test_the_internet_behind_a_real_nginx(tmp_path: Path, lines: tuple[str, ...], option: bool) -> None:
    url = "https://mj.example.org/" if option else None
    app = page(tmp_path, BEHIND_PROXY=url, HOSTS=("mj.example.org",))
    with served(behind_proxy(app, url) if url else app) as direct, nginx(tmp_path, direct, *lines) as outside:
        for path in ("/records", "/table", OWNER_ONLY, "/backup/paitai.zip", "/label/tokens"):
            assert asked(outside, path, Host="mj.example.org") == 401, path
        assert asked(outside, f"/own?key={quote(KEY)}", Host="mj.example.org") == 401, (
            "the key works on this computer only"
        )
        assert asked(direct, "/records") == (401 if option else 200)
