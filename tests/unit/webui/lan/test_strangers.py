"""Strangers on the Wi-Fi: slow connections, many addresses, uploads over the limit; who is paired comes first."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from tests.serving import serving
from webui.lan.guard import MOST_OF_ADDRESS, MOST_STRANGERS, Guard
from webui.lan.waitress_front import TwoLines
from webui.web.security import knows_of


class Crowd:
    """Connections of a guard by name, and which of them were dropped."""

    def __init__(self, guard: Guard) -> None:
        self.guard, self.dropped = guard, list[str]()

    def come(self, address: str, *names: str) -> None:
        for name in names:
            self.guard.admit(name, address, lambda name=name: self.dropped.append(name))  # type: ignore[misc]


def test_over_its_share_an_address_loses_its_own_oldest() -> None:
    crowd = Crowd(Guard(of_address=3, strangers=100))
    crowd.come("a", "1", "2", "3")
    crowd.come("b", "x")
    crowd.come("a", "4", "5")
    assert crowd.dropped == ["1", "2"]
    assert (crowd.guard.count("a"), crowd.guard.count("b")) == (3, 1)


def test_when_strangers_are_too_many_the_address_with_the_most_gives_way() -> None:
    crowd = Crowd(Guard(of_address=10, strangers=6))
    crowd.come("a", "1", "2", "3")
    crowd.come("b", "x", "y")
    crowd.come("new phone", "n")
    crowd.come("another", "m")
    assert crowd.dropped == ["1"]
    crowd.come("third", "k")
    assert crowd.dropped == ["1", "2"]


def test_paired_phones_are_not_counted_among_strangers() -> None:
    crowd = Crowd(Guard(of_address=10, strangers=3))
    crowd.come("phone", "p1", "p2", "p3")
    for one in ("p1", "p2", "p3"):
        crowd.guard.welcome(one)
    crowd.come("a", "1", "2", "3", "4")
    assert crowd.dropped == ["1"]
    assert crowd.guard.count("phone") == 3
    crowd.guard.leave("p1")
    crowd.guard.leave("p1")
    assert crowd.guard.count("phone") == 2
    crowd.guard.welcome("gone")


def test_an_address_drops_its_unpaired_connections_before_its_paired_ones() -> None:
    crowd = Crowd(Guard(of_address=2, strangers=100))
    crowd.come("home", "paired")
    crowd.guard.welcome("paired")
    crowd.come("home", "stranger", "next")
    assert crowd.dropped == ["stranger"]


def test_the_paired_are_served_first() -> None:
    line = TwoLines()
    for name, trusted in (("s1", False), ("p1", True), ("s2", False), ("p2", True)):
        line.append(SimpleNamespace(name=name, trusted=trusted))
    assert [line.popleft().name for _ in range(len(line))] == ["p1", "p2", "s1", "s2"]
    assert not line


Front = Callable[..., tuple[str, int]]


@pytest.fixture
def front() -> Iterator[Front]:
    """Starts the server in front of an application; only 127.0.0.1 is this computer, 127.0.1.x are strangers."""
    with contextlib.ExitStack() as stack:

        def start(app: Any, **more: Any) -> tuple[str, int]:
            own = {"is_own": lambda address: address == "127.0.0.1"}
            return "127.0.0.1", stack.enter_context(serving(app, "0.0.0.0", **own, **more))

        yield start


def hello(environ: Any, start_response: Any) -> list[bytes]:
    """An application that reports the received and the declared length."""
    body = f"{environ.get('CONTENT_LENGTH', '')} {len(environ['wsgi.input'].read())}".encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def ask(where: tuple[str, int], source: str, data: bytes = b"") -> bytes:
    """The answer from that address."""
    with socket.create_connection(where, timeout=10, source_address=(source, 0)) as phone:
        phone.sendall(data or b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b""
        while part := phone.recv(65536):
            answer += part
        return answer


def test_450_slow_connections_shut_nobody_out(front: Front) -> None:
    """From one address, then from fifteen: a phone that comes after them is answered at once."""
    where = front(hello)
    for addresses in (1, 15):
        with contextlib.ExitStack() as stack:
            for number in range(450):
                source = f"127.0.1.{number % addresses + 1}"
                one = stack.enter_context(socket.create_connection(where, timeout=5, source_address=(source, 0)))
                with contextlib.suppress(OSError):
                    one.sendall(b"GET / HT")
            started = time.monotonic()
            assert b"200 OK" in ask(where, "127.0.2.1")
            assert b"200 OK" in ask(where, "127.0.0.1")
            assert time.monotonic() - started < 5
    assert MOST_OF_ADDRESS * 15 > MOST_STRANGERS


@pytest.mark.parametrize(
    ("source", "cookie", "kept"),
    [("127.0.0.1", b"", True), ("127.0.1.1", b"", False), ("127.0.1.1", b"paired=1", True)],
    ids=["this-computer", "stranger", "paired"],
)
def test_what_a_stranger_sends_is_not_kept(source: str, cookie: bytes, kept: bool, front: Front) -> None:
    where = front(hello, knows=lambda cookies: cookies == "paired=1")
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: %s\r\nContent-Length: 300000\r\n\r\n"
    answer = ask(where, source, head % cookie + b"x" * 300_000)
    assert answer.endswith(b"300000 %d" % (300_000 if kept else 0))


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_an_upload_over_every_limit_gets_its_sentence(chunked: bool, app: Flask, front: Front) -> None:
    """Also over the server's own limit, and after all of it was sent: a browser looks no sooner."""
    where = front(app)
    size, piece = 80_000_000, bytes(1_000_000)
    length = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % size
    with socket.create_connection(where, timeout=30) as phone:
        phone.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + length)
        phone.sendall(b"\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n")
        for _ in range(size // len(piece)):
            phone.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
        phone.sendall(b"0\r\n\r\n" if chunked else b"")
        answer = b""
        while part := phone.recv(65536):
            answer += part
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"40 MB" in answer


@pytest.mark.parametrize("more", [b"", b"Expect: 100-continue\r\n"], ids=["silent", "asks-first"])
def test_one_that_never_comes_to_its_end_is_answered_all_the_same(more: bytes, app: Flask, front: Front) -> None:
    where = front(app, request_seconds=0.5)
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n" + more + b"\r\n"
    assert ask(where, "127.0.0.1", head).startswith(b"HTTP/1.1 413")


def test_a_cookie_of_the_door_is_known(app: Flask) -> None:
    knows = knows_of(app)
    phone = app.test_client()
    door = app.extensions["paitai.door"]
    answer = phone.post(
        "/pair", data={"code": door.code}, environ_base={"REMOTE_ADDR": "192.168.1.7"}, base_url="http://192.168.1.5"
    )
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    assert answer.status_code == 303
    assert knows(cookie)
    assert knows(f"lang=en; {cookie}")
    assert not knows("paitai=x.y.z")
    assert not knows("")
    assert not knows(cookie[:-2])
    app.secret_key = b"another"  # every phone was forgotten
    assert not knows(cookie)


PAGE = b"x" * 20_000
ASKED = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def worked() -> list[str]:
    """The cookie of each request that was worked on."""
    return []


@pytest.fixture
def pages(worked: list[str]) -> Iterator[int]:
    """A server of large pages to which this computer is a stranger, but for who has the cookie of a phone."""

    def page(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        worked.append(environ.get("HTTP_COOKIE", ""))
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(PAGE)))])
        return [PAGE]

    with serving(page, is_own=lambda address: False, knows=lambda cookies: cookies == "phone") as port:
        yield port


def test_a_stranger_who_reads_no_answer_gets_no_more_worked_on(pages: int, worked: list[str]) -> None:
    with socket.create_connection(("127.0.0.1", pages)) as unread:
        unread.settimeout(5)
        for _ in range(400):
            try:
                unread.sendall(ASKED)
            except OSError:
                break
            time.sleep(0.005)
        assert 1 <= len(worked) < 300, "8 MB were made for one who reads nothing"


def test_a_stranger_asks_for_one_thing_after_the_other(pages: int, worked: list[str]) -> None:
    with socket.create_connection(("127.0.0.1", pages)) as many:
        many.settimeout(10)
        many.sendall(ASKED * 200)
        got = 0
        with contextlib.suppress(OSError):
            while part := many.recv(65536):
                got += len(part)
        assert got < 20 * len(PAGE)
    with socket.create_connection(("127.0.0.1", pages)) as one:
        one.settimeout(10)
        for _ in range(10):
            one.sendall(ASKED)
            answer = b""
            while len(answer) < len(PAGE):
                answer += one.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200")


def test_a_paired_phone_may_ask_ahead(pages: int, worked: list[str]) -> None:
    request = b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: phone\r\n\r\n"
    with socket.create_connection(("127.0.0.1", pages)) as phone:
        phone.settimeout(20)
        phone.sendall(request * 30)
        got = 0
        while got < 30 * len(PAGE):
            part = phone.recv(65536)
            assert part, f"only {got} bytes came"
            got += len(part)
    assert worked == ["phone"] * 30
