"""Send requests that no browser of ours would send, to every route; the server must answer each with a sentence.

    python benchmarks/reliability/hostile_requests.py [--requests 500] [--seed 1]

Deep and huge JSON, wrong types, numbers of 5,000 digits, lone surrogates, ±1e308, file names over 255 bytes, paths,
broken Origin, Referer and Host. States of the board with one changed value, and missing, doubled and endless fields.
Reports an answer of 500 or over (except 503), one without a sentence, one that takes over ten seconds, and a dead
server; exit status 1 if there was any.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import random
import re
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).parent))

from hostile_values import DEEP, FILE_NAMES, FORMS, GETS, ODD, PHOTO_FORMS, SET_FORMS, TEXTS
from server_process import Client, Server, multipart, temporary_folder

LIMIT = 10.0  # seconds: the longest time for one answer


class Attack:
    """Draws requests; `made` counts them by kind, `problems` lists faults of answers."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server, self.random = server, random.Random(seed)
        self.client = Client(server.address, timeout=60)
        self.problems: list[str] = []
        self.statuses: Counter[int] = Counter()
        self.slowest = 0.0
        self.state, self.fields = self._board()
        self.set, self.photo = self._set()

    def _board(self) -> tuple[Any, dict[str, str]]:
        """A real board's state, read by the networks."""
        page = self.client.form("/", {"sample": "1"})[1]
        found = re.search(r'name="state" value="([^"]*)"', page)
        assert found is not None
        return json.loads(unescape(found[1])), {"win": "self_draw", "seat": "E", "round": "E", "dealer": "S"}

    def _set(self) -> tuple[str, str]:
        """A set with one photo."""
        import io

        from PIL import Image

        out = io.BytesIO()
        Image.new("RGB", (320, 240), "green").save(out, "JPEG")
        name = self.client.form("/label/new", {"title": "attacked"})[2].split("/label/")[1]
        page = self.client.upload(f"/label/{name}/import", [("files", "a.jpg", out.getvalue())])[1]
        found = re.search(rf"/label/{re.escape(name)}/([0-9a-f]{{64}})", page)
        assert found is not None
        return name, found[1]

    def odd(self) -> Any:
        """A value out of place."""
        return self.random.choice(ODD)

    def text(self) -> str:
        """A text out of place, for a form."""
        return self.random.choice(TEXTS)

    def changed(self, value: Any, depth: int = 0) -> Any:
        """The value with one thing in it replaced, taken away or doubled."""
        if isinstance(value, dict) and value and self.random.random() < 0.9:
            key = self.random.choice(sorted(value))
            what = self.random.random()
            if what < 0.1:
                return {one: inner for one, inner in value.items() if one != key}
            if what < 0.2:
                return {**value, self.random.choice(("x", "", "\ud800", "__class__")): self.odd()}
            return {**value, key: self.changed(value[key], depth + 1)}
        if isinstance(value, list) and value and self.random.random() < 0.9:
            at = self.random.randrange(len(value))
            if self.random.random() < 0.1:
                return value * self.random.choice((0, 2, 50))
            return [*value[:at], self.changed(value[at], depth + 1), *value[at + 1 :]]
        return self.odd()

    def send(self, what: str, method: str, path: str, body: bytes | str | None, headers: dict[str, str]) -> None:
        """One request; what its answer must not be is noted."""
        started = time.perf_counter()
        try:
            status, text, _ = self.client.send(method, path, body, headers)
        except (ValueError, http.client.HTTPException, OSError) as error:
            self.client = Client(self.server.address, timeout=60)
            if isinstance(error, ValueError | http.client.InvalidURL):
                return  # our own client does not send such a thing
            if self.server.process.poll() is not None:
                self.problems.append(f"{what}: the server is gone")
            elif not isinstance(error, http.client.RemoteDisconnected | ConnectionError):
                self.problems.append(f"{what}: {type(error).__name__}")
            return
        taken = time.perf_counter() - started
        self.slowest = max(self.slowest, taken)
        self.statuses[status] += 1
        if status >= 500 and status != 503:
            self.problems.append(f"{what}: {status}")
        elif status >= 400 and method != "HEAD" and len(re.sub(r"<[^>]*>|\s", "", text)) < 4:
            self.problems.append(f"{what}: {status} without a sentence")
        elif "Traceback" in text:
            self.problems.append(f"{what}: a stack trace")
        if taken > LIMIT:
            self.problems.append(f"{what}: {taken:.0f} s")

    def form(self) -> None:
        """A form with odd fields, some missing, some twice."""
        path, names = self.random.choice(sorted(FORMS.items()))
        if self.random.random() < 0.25:
            inner, names = self.random.choice(sorted({**SET_FORMS, **PHOTO_FORMS}.items()))
            path = f"/label/{self.set}/{inner}" if inner in SET_FORMS else f"/label/{self.set}/{self.photo}/{inner}"
        fields: list[tuple[str, str]] = []
        for name in names:
            if name == "state":
                state = self.changed(self.state) if self.random.random() < 0.7 else self.state
                fields.append((name, json.dumps(state)))
            elif self.random.random() < 0.7:
                fields += [(name, self.text())] * self.random.choice((1, 1, 1, 2))
        body = urlencode([(name, value.encode("utf-8", "surrogatepass")) for name, value in fields])
        if path == "/label/models/train" or path.endswith("/rank"):
            body = body[:200]
        self.send(
            f"form {path} {body[:300]}", "POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"}
        )

    def board(self) -> None:
        """A board with one value of its state changed, in every place that takes one."""
        path = self.random.choice(("/hand", "/hand", "/", "/records", "/table/align"))
        state = self.changed(self.state)
        if self.random.random() < 0.3:
            state = self.changed(state)
        move = self.random.choice(
            ("", "edit:0", "undo", "redo", "set:0:1m", "win:0", "pick", "what_if", self.text()[:3000])
        )
        fields = {**self.fields, "state": json.dumps(state), "do": move.encode("utf-8", "surrogatepass")}
        body = urlencode(fields)
        self.send(
            f"board {path} {move[:40]!r} {_difference(self.state, state)}",
            "POST",
            path,
            body,
            {"Content-Type": "application/x-www-form-urlencoded"},
        )

    def json(self) -> None:
        """JSON for a JSON route, with one or two changed values, or none at all."""
        score = {
            "rules": "luohan",
            "concealed": "234m567p345s11z",
            "melds": [{"kind": "pung", "tiles": "555m"}],
            "flowers": "1f6f",
            "winning_tile": "5s",
            "win": "discard",
            "seat": "E",
            "round": "E",
            "dealer": "S",
            "streak": 0,
            "discarder": "N",
            "events": [],
            "base": 3,
            "per_tai": 1,
            "overrides": {},
        }
        labels = {
            "revision": 0,
            "labels": [{"tile": "1m", "box": [1, 2, 30, 40], "origin": "person", "confidence": None, "checked": True}],
        }
        photo = f"/label/{self.set}/{self.photo}"
        path, value = self.random.choice(
            (("/api/score", score), (f"{photo}/labels", labels), (f"{photo}/read", {"box": [1, 2, 30, 40]}))
        )
        what = self.random.random()
        if what < 0.05:
            body = DEEP
        elif what < 0.1:
            body = self.random.choice(("", "{", "NaN", '{"a":1', "\x00", "[" * 1000, '{"revision":' + "9" * 5000 + "}"))
        elif what < 0.15:
            body = json.dumps({"concealed": "1m", "events": ["x"] * 50_000, "melds": [{}] * 20_000})
        else:
            body = json.dumps(self.changed(value) if what < 0.7 else self.changed(self.changed(value)))
        self.send(f"json {path} {body[:300]}", "POST", path, body, {"Content-Type": "application/json"})

    def upload(self) -> None:
        """Files with odd names and odd bytes, in every place that takes files."""
        name = self.random.choice(FILE_NAMES)
        data = self.random.choice(
            (
                b"",
                b"x",
                b"\xff\xd8\xff" + b"\x00" * 50,
                b"PK\x03\x04" + bytes(99),
                b"[" * 90_000,
                b'id = "a"\n',
                b"\x89PNG\r\n\x1a\n" + bytes(80),
                bytes(200_000),
            )
        )
        path, field = self.random.choice(
            (
                ("/", "photo"),
                ("/api/read", "photo"),
                ("/live", "photo"),
                ("/house/import", "file"),
                ("/backup/merge", "backup"),
                ("/backup/merge", "backup"),
                (f"/label/{self.set}/import", "files"),
                ("/hand", "photo"),
            )
        )
        fields = {"watch": "0123abcd", "do": "more", "state": json.dumps(self.state)}
        body, kind = multipart([(field, name, data)] * self.random.choice((1, 1, 1, 9)), fields)
        if self.random.random() < 0.15:
            body = body[: self.random.randrange(len(body))]
        self.send(f"upload {path} {name[:60]!r} {data[:8]!r}", "POST", path, body, {"Content-Type": kind})

    def address(self) -> None:
        """Addresses with odd parts."""
        from urllib.parse import quote

        path = self.random.choice(GETS)
        while "{}" in path:
            part = self.random.choice((self.set, self.photo)) if self.random.random() < 0.3 else self.text()[:2000]
            path = path.replace("{}", quote(part.encode("utf-8", "surrogatepass"), safe=""), 1)
        self.send(f"GET {path[:200]}", "GET", path, None, {})

    def headers(self) -> None:
        """Headers that are broken or lie."""
        name = self.random.choice(
            (
                "Origin",
                "Referer",
                "Host",
                "Cookie",
                "Content-Type",
                "Accept-Language",
                "X-CSRF-Token",
                "Sec-Fetch-Site",
                "Range",
                "If-Modified-Since",
                "Content-Length",
                "X-PaiTai",
            )
        )
        value = self.random.choice(
            (
                "http://[",
                "http://[::1",
                "null",
                "//",
                "http://a:99999999/",
                ":",
                "[",
                "é",
                "x" * 9000,
                "localhost:99999999",
                "http://\x7f",
                "bytes=9-1",
                "paitai=x.y.z",
                "lang=%ff",
                "-1",
                "multipart/form-data; boundary=",
                "multipart/form-data",
                "text/html;charset=none",
                "zh;q=nan,en;q=1e999",
                "application/json;charset=utf-16",
                "https://[::1]]",
            )
        )
        method, path = self.random.choice(
            (
                ("GET", "/"),
                ("POST", "/lang"),
                ("POST", "/hand"),
                ("GET", "/static/page.css"),
                ("POST", "/api/score"),
                ("POST", "/records"),
                ("OPTIONS", "/"),
                ("HEAD", "/"),
                ("PUT", "/"),
                ("DELETE", "/records"),
            )
        )
        body = "lang=en" if method == "POST" else None
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if method == "POST" else {}
        self.send(f"{method} {path} {name}: {value[:60]!r}", method, path, body, {**headers, name: value})

    def raw(self) -> None:
        """Bytes that are almost not HTTP."""
        where = urlsplit(self.server.address)
        data = self.random.choice(
            (
                b"GET / HTTP/1.1\r\n\r\n",
                b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
                b"\x16\x03\x01\x02\x00\x01",
                b"GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
                b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
                b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
                b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
                b"\x00" * 500,
                b"GET /%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n",
                b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
            )
        )
        with socket.create_connection((str(where.hostname), where.port or 80), timeout=20) as line:
            answer = b""
            with contextlib.suppress(OSError):  # the server may hang up as soon as it has seen enough
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                while part := line.recv(65536):
                    answer += part
        if re.match(rb"HTTP/1\.[01] 500", answer):
            self.problems.append(f"raw {data[:60]!r}: 500")
        self.statuses[int(answer[9:12]) if answer[9:12].isdigit() else 0] += 1


def _difference(before: Any, after: Any, path: str = "$") -> str:
    """The first difference of two values."""
    if type(before) is type(after) and isinstance(before, dict):
        for key in before.keys() | after.keys():
            if key not in before or key not in after:
                return f"{path}.{key}: {'missing' if key in before else 'more'}"
            if before[key] != after[key]:
                return _difference(before[key], after[key], f"{path}.{key}")
    if type(before) is type(after) and isinstance(before, list) and len(before) == len(after):
        for at, (one, other) in enumerate(zip(before, after, strict=True)):
            if one != other:
                return _difference(one, other, f"{path}[{at}]")
    return f"{path} = {ascii(after)[:60]}"


def main() -> int:
    """Attack, print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with temporary_folder() as folder, Server(str(folder), environment={"PAITAI_DATA": str(folder)}) as server:
        attack = Attack(server, args.seed)
        kinds: tuple[Callable[[], None], ...] = (
            attack.form,
            attack.form,
            attack.board,
            attack.board,
            attack.json,
            attack.upload,
            attack.address,
            attack.headers,
            attack.raw,
        )
        started = time.monotonic()
        made: Counter[str] = Counter()
        for _ in range(args.requests):
            kind = attack.random.choice(kinds)
            made[kind.__name__] += 1
            kind()
        status = Client(server.address).get("/")[0]
        if status != 200:
            attack.problems.append(f"the start page afterwards: {status}")
        print(
            f"{args.requests} hostile requests in {time.monotonic() - started:.0f} s: "
            + ", ".join(f"{count} × {kind}" for kind, count in sorted(made.items()))
        )
        print("answers: " + ", ".join(f"{count} × {status}" for status, count in sorted(attack.statuses.items())))
        print(
            f"slowest {attack.slowest:.1f} s; server's memory at most {server.memory()} MB; "
            f"{len(attack.problems)} problems"
        )
    for one in attack.problems[:40]:
        print(one.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    return 1 if attack.problems else 0


if __name__ == "__main__":
    sys.exit(main())
