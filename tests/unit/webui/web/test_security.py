"""Headers, foreign names, storage of a photo, and how many photos are read at once."""

from __future__ import annotations

import contextlib
import http.client
import io
import re
import socket
import ssl
import stat
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from tests.serving import serving
from webui import create_app
from webui.lan.addresses import listen
from webui.lan.tls import identity
from webui.lan.tls_proxy import Tunnel
from webui.lan.waitress_front import make_server
from webui.web.line import Busy
from webui.web.uploads import uploaded

PHONE = {"environ_base": {"REMOTE_ADDR": "192.168.1.77"}, "base_url": "http://192.168.1.5:8016"}


@pytest.mark.parametrize("address", ["/", "/nowhere", "/api/openapi.json", "/static/base.css", "/manifest.webmanifest"])
def test_every_answer_forbids_what_is_not_needed(address: str, client: Any) -> None:
    with client.get(address) as answer:
        answer.get_data()
    policy = dict(one.split(" ", 1) for one in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["worker-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert not any("unsafe" in value or "*" in value or "http" in value for value in policy.values())
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=(self)" in answer.headers["Permissions-Policy"]
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_browser_is_not_told_what_it_would_not_take(client: Any) -> None:
    assert "Cross-Origin-Opener-Policy" not in client.get("/", **PHONE).headers


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8016", 200),
        ("127.0.0.1", 200),
        ("[::1]:8016", 200),
        ("192.168.1.5:8016", 401),
        ("[fe80::1]", 401),
        ("laptop.local:8016", 401),
        ("LAPTOP.local", 401),
        ("evil.example", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("laptop", 421),
        ("a b", 421),
        ("[::1", 421),
        ("", 421),
    ],
)
def test_only_our_own_names(host: str, status: int, reader: Any) -> None:
    app = create_app({"READER": reader, "HOSTS": ("laptop.local",)})
    for path in ("/", "/api/openapi.json", "/static/base.css"):
        with app.test_client().get(path, headers={"Host": host}) as answer:
            text = answer.get_data(as_text=True)
        expected = 200 if path.startswith("/static") and status == 401 else status
        assert answer.status_code == expected, path
        assert "Traceback" not in text


def photo_with_a_place() -> bytes:
    """A JPEG as a phone makes it: turned by EXIF, with GPS, maker, a comment and XMP."""
    image = Image.new("RGB", (200, 100), (90, 110, 100))
    exif = image.getexif()
    exif[0x0112] = 6
    exif[0x010F] = "MakerOfPhones"
    exif[0x0132] = "2026:11:21 20:15:00"
    place = exif.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = "N", (25.0, 2.0, 3.0), "E", (121.0, 33.0, 54.0)
    out = io.BytesIO()
    image.save(out, "JPEG", exif=exif, comment=b"SecretComment", xmp=b"<x:xmpmeta>SecretXmp</x:xmpmeta>", quality=90)
    return out.getvalue()


def test_nothing_but_the_picture_is_kept_of_a_photo(page: Any) -> None:
    sent = photo_with_a_place()
    assert Image.open(io.BytesIO(sent)).getexif().get_ifd(0x8825)[1] == "N"
    for secret in (b"MakerOfPhones", b"SecretComment", b"SecretXmp", b"2026:11:21"):
        assert secret in sent
    page.upload(sent)
    address = re.search(r"/photo/\w+\.jpg", page.html)
    assert address is not None
    kept = page.client.get(address[0]).data
    for secret in (b"MakerOfPhones", b"SecretComment", b"SecretXmp", b"2026:11:21", b"Exif", b"http://ns.adobe.com"):
        assert secret not in kept
    shown = Image.open(io.BytesIO(kept))
    assert shown.size == (100, 200)
    assert not shown.getexif()
    assert set(shown.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


def test_the_name_of_a_file_is_only_a_name(client: Any, jpeg: bytes) -> None:
    for name in ("../../etc/passwd", "C:\\a\\b.jpg", "<script>.jpg", "a" * 500 + ".jpg", "\u202egpj.exe"):
        answer = client.post("/api/read", data={"photo": (io.BytesIO(jpeg), name)})
        assert answer.status_code == 200
        assert len(answer.json["photo"]) <= 120
        assert "/" not in answer.json["photo"]
        assert "\\" not in answer.json["photo"]


class SlowReader:
    """Reads on demand; counts how many read at once."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.go, self.most, self._now = inner, threading.Event(), 0, 0
        self._lock = threading.Lock()

    def read(self, photo: Any) -> Any:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        self.go.wait(20)
        with self._lock:
            self._now -= 1
        return self.inner.read(photo)


@pytest.mark.parametrize("address", ["/", "/api/read"])
def test_ten_phones_are_answered_and_the_eleventh_is_asked_to_wait(address: str, reader: Any, jpeg: bytes) -> None:
    slow = SlowReader(reader)
    app = create_app({"READER": slow, "READS_AT_ONCE": 2, "READS_IN_LINE": 10})
    services = app.extensions["paitai.services"]

    def send() -> Any:
        data = {"photo": (io.BytesIO(jpeg), "a.jpg")}
        return app.test_client().post(address, data=data, content_type="multipart/form-data")

    with ThreadPoolExecutor(10) as pool:
        first = [pool.submit(send) for _ in range(10)]
        deadline = time.monotonic() + 20
        while services.line.free_slots and time.monotonic() < deadline:
            time.sleep(0.01)
        eleventh = send()
        board = app.test_client().post("/", data={"manual": "1"})  # whoever needs no reading need not wait
        slow.go.set()
        answers = [one.result().status_code for one in first]
    assert eleventh.status_code == 503
    assert int(eleventh.headers["Retry-After"]) > 0
    assert "請稍等" in eleventh.get_data(as_text=True)
    assert board.status_code == 200
    assert answers == [200] * 10
    assert slow.most == 2
    assert send().status_code == 200


def test_a_photo_that_would_wait_too_long_is_refused_before_it_is_taken_apart(
    reader: Any, jpeg: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app({"READER": reader, "READS_IN_LINE": 20, "READS_AT_ONCE": 1})
    services, client = app.extensions["paitai.services"], app.test_client()
    monkeypatch.setattr("webui.web.uploads.SURELY_A_PHOTO", 1_000)
    taken: list[int] = []
    monkeypatch.setattr("webui.views.board.pages.uploaded", lambda request: taken.append(1) or uploaded(request))

    def send() -> Any:
        return client.post("/", data={"photo": (io.BytesIO(jpeg), "a.jpg")}, headers={"X-PaiTai": "part"})

    with contextlib.ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(services.line.place())
        assert send().status_code == 200  # they are read fast
        monkeypatch.setattr(services, "seconds", 30.0)
        taken.clear()
        refused = send()
        assert (refused.status_code, taken) == (503, [])
        assert 2 <= int(refused.headers["Retry-After"]) <= 20
        assert "請稍等" in refused.get_json()["error"]
        assert client.post("/", data={"manual": "1"}, headers={"X-PaiTai": "part"}).status_code == 200
    assert send().status_code == 200


def test_live_pictures_keep_no_photo_out(reader: Any, jpeg: bytes) -> None:
    slow = SlowReader(reader)
    app = create_app({"READER": slow, "READS_AT_ONCE": 8, "FRAMES_IN_LINE": 2, "READS_IN_LINE": 1})
    services = app.extensions["paitai.services"]
    with ThreadPoolExecutor(2) as pool:
        frames = [pool.submit(services.read, jpeg, frame=True) for _ in range(2)]
        deadline = time.monotonic() + 20
        while services.frames.free_slots and time.monotonic() < deadline:
            time.sleep(0.01)
        with pytest.raises(Busy):
            services.read(jpeg, frame=True)
        photo = threading.Timer(0.1, slow.go.set)
        photo.start()
        assert services.read(jpeg)[1].detections
        photo.join()
        assert all(one.result()[1].detections for one in frames)


@pytest.fixture
def running(app: Flask) -> Iterator[int]:
    """The real server; a request must be whole after half a second."""
    with serving(app, request_seconds=0.5) as port:
        yield port


def test_a_request_that_drips_in_is_dropped_and_others_are_answered(running: int) -> None:
    with socket.create_connection(("127.0.0.1", running), timeout=10) as slow:
        slow.sendall(b"POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        dropped = False
        for _ in range(60):
            try:
                slow.sendall(b"x")
                slow.settimeout(0.1)
                dropped = slow.recv(100) == b""
            except TimeoutError:
                continue
            except OSError:
                dropped = True
            if dropped:
                break
        assert dropped
        assert raw(running, b"GET /offline HTTP/1.0\r\nHost: localhost\r\n\r\n").startswith(b"HTTP/1.0 200")


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", id="tls"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"x" * 80_000 + b"\r\n\r\n", id="long-header"),
        pytest.param(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", id="huge"),
        pytest.param(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: gzip\r\n\r\nx", id="coding"
        ),
        pytest.param(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", id="foreign-host"),
    ],
)
def test_a_strange_request_is_refused_without_a_trace(request_: bytes, running: int) -> None:
    answer = raw(running, request_)
    assert re.match(rb"HTTP/1.[01] [45]\d\d ", answer), answer[:100]
    assert b"Traceback" not in answer


def raw(port: int, request_: bytes) -> bytes:
    """The bytes received until the server ends the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request_)
        parts = []
        try:
            while part := connection.recv(65536):
                parts.append(part)
        except OSError:
            pass
        return b"".join(parts)


def test_a_certificate_is_made_kept_and_made_anew_when_the_address_changes(tmp_path: Path) -> None:
    from cryptography import x509

    names = ["localhost", "127.0.0.1", "::1", "laptop.local", "192.168.1.5"]
    files = identity(tmp_path / "keys" / "tls", names)
    for path in (tmp_path / "keys" / "tls").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
    chain = x509.load_pem_x509_certificates(files.chain.read_bytes())
    assert len(chain) == 2
    chain[0].verify_directly_issued_by(chain[1])
    known = chain[0].extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(one.value) for one in known} == set(names)
    assert (chain[0].not_valid_after_utc - chain[0].not_valid_before_utc).days <= 398
    limits = chain[1].extensions.get_extension_for_class(x509.NameConstraints)
    assert limits.critical
    before = files.chain.read_bytes()
    assert identity(tmp_path / "keys" / "tls", names[:3]).chain.read_bytes() == before
    authority = files.authority.read_bytes()
    assert identity(tmp_path / "keys" / "tls", [*names, "192.168.7.9"]).chain.read_bytes() != before
    assert files.authority.read_bytes() == authority  # a phone that installed it need not do so again
    identity(tmp_path / "keys" / "tls", [*names, "203.0.113.9"])
    assert files.authority.read_bytes() != authority  # it may not sign for an address of the internet
    files.chain.write_text("broken")
    identity(tmp_path / "keys" / "tls", names)
    assert x509.load_pem_x509_certificates(files.chain.read_bytes())


@pytest.fixture
def over_tls(reader: Any, tmp_path: Path) -> Iterator[tuple[int, ssl.SSLContext, Flask]]:
    """The server behind the tunnel: its port, a context that trusts our authority, the application."""
    files = identity(tmp_path / "tls", ["localhost", "127.0.0.1"])
    app = create_app({"READER": reader, "AUTHORITY": files.authority})
    outer, inner = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
    tunnel = Tunnel(outer, files.chain, files.key, inner.getsockname())
    server = make_server(tunnel.in_front_of(app), [inner])
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    tunnel.start()
    yield outer.getsockname()[1], ssl.create_default_context(cafile=files.authority), app
    tunnel.close()
    server.close()
    thread.join(5)
    outer.close()


def test_over_tls_with_a_certificate_that_holds(over_tls: tuple[int, ssl.SSLContext, Flask], jpeg: bytes) -> None:
    port, context, app = over_tls
    connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=10)
    connection.request("GET", "/")
    answer = connection.getresponse()
    assert answer.status == 401  # also from this computer: who asks is not known behind the tunnel
    answer.read()
    connection.request("GET", f"/pair?key={app.extensions['paitai.door'].key}")
    answer = connection.getresponse()
    answer.read()
    cookie = str(answer.headers["Set-Cookie"])
    assert "Secure" in cookie
    connection.request("GET", "/", headers={"Cookie": cookie.partition(";")[0]})
    answer = connection.getresponse()
    body = answer.read().decode()
    assert answer.status == 200
    assert "csrf-token" in body
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    connection.request("GET", "/paitai-ca.crt")
    answer = connection.getresponse()
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert ssl.DER_cert_to_PEM_cert(answer.read())
    connection.close()


def test_a_large_upload_and_answer_pass_the_tunnel_whole(over_tls: tuple[int, ssl.SSLContext, Flask]) -> None:
    port, context, _ = over_tls
    connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=30)
    connection.request("POST", "/api/read", body=b"x" * 5_000_000, headers={"X-PaiTai": "part"})
    answer = connection.getresponse()
    assert answer.status == 401
    answer.read()
    connection.close()


def test_a_handshake_that_never_comes_keeps_nobody_waiting(over_tls: tuple[int, ssl.SSLContext, Flask]) -> None:
    port, context, _ = over_tls
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
    silent[0].sendall(b"GET / HTTP/1.1\r\n\r\n")  # no TLS at all
    connection = http.client.HTTPSConnection("localhost", port, context=context, timeout=10)
    connection.request("GET", "/offline")
    assert connection.getresponse().status == 200
    connection.close()
    for one in silent:
        one.close()


def test_without_the_extra_it_is_said(monkeypatch: Any, tmp_path: Path, capsys: Any) -> None:
    import sys

    from webui.lan.server import serve

    monkeypatch.setitem(sys.modules, "cryptography", None)
    assert serve("127.0.0.1", 0, lang="en", https=True, config={"KEYS": tmp_path / "keys"}) == 2
    assert 'pip install "paitai[https]"' in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, capsys: Any) -> None:
    from webui.lan.server import serve

    (tmp_path / "file").write_text("")
    assert serve("127.0.0.1", 0, lang="zh", https=True, config={"KEYS": tmp_path / "file" / "keys"}) == 2
    assert "--data" in capsys.readouterr().err
