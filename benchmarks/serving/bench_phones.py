"""Ten phones at once on a real server process: they pair with the code, send a photo of 12 megapixels, correct, score.

    PYTHONPATH=. python benchmarks/serving/bench_phones.py [--phones 10] [--crowd 30] [--seconds 60]
        [--photo a.jpg] [--shrunk] [--same]

Each photo differs from every other in its bytes, so that none is answered from memory; with ``--same`` all are one.
Every phone sends its next request as soon as it has the answer, which is more than ten people do; a photo for which
there is no room it sends again when the server asked for it, as our page does. Prints errors, for each kind of request
how many there were and how long they took, and how much processor time the server took for a hand; exit status 1 where
there was an error or the 95th percentile of a kind is 5 s or more. With ``--crowd`` so many phones follow on the same
server: no photo may go unread, and together they must get nine tenths of the hands that the few got, or more.
"""

from __future__ import annotations

import argparse
import http.client
import io
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from processes import kilobytes, processor_seconds, tree

from vision.photo.sample import sample_photo_path
from webui.views.api.routes import EXAMPLE

LARGE, SHRUNK = (4032, 3024), (2000, 1500)  # pixels: of a phone's photo, and of our page's upload
P95_LIMIT = 5.0  # seconds
TRIES, PATIENCE = 40, 120  # tries and seconds, as in our page
SHARE = 0.9
BOUNDARY = "----paitai-bench"
PART = {"X-PaiTai": "part"}  # as our page asks: for the middle of the page, not for all of it again
TAG = re.compile(r"<(form|/select|select|option|input)\b((?:[^>\"]|\"[^\"]*\")*)>")
ATTRIBUTE = re.compile(r"([\w-]+)(?:=\"([^\"]*)\")?")
SAID = {"seat": "E", "win": "discard", "discarder": "W", "round": "E", "dealer": "E", "streak": "0"}


@dataclass
class Tally:
    """Seconds by kind of request, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    hands: int = 0
    refused: int = 0  # asked to come again
    lock: threading.Lock = field(default_factory=threading.Lock)


class Board:
    """The fields of the hand's form as a browser would send them.

    By regular expressions: Python's own parser takes a twentieth of the two cores for what phones do on theirs.
    """

    def __init__(self, page: str) -> None:
        self.fields: list[tuple[str, str]] = []
        inside, select = False, ""
        for tag in TAG.finditer(page):
            name = tag[1]
            if name == "/select":
                select = ""
                continue
            at = {key: unescape(value) for key, value in ATTRIBUTE.findall(tag[2])}
            if name == "form":
                inside = at.get("id") == "hand"
            elif not inside:
                continue
            elif name == "select":
                select = at.get("name", "")
            elif name == "option" and select and "selected" in at:
                self.fields.append((select, at.get("value", "")))
            elif name == "input" and at.get("name") and "disabled" not in at and at.get("type") != "file":
                chosen = at.get("type") not in ("radio", "checkbox") or "checked" in at
                self.fields += [(at["name"], at.get("value", ""))] if chosen else []


class Photos:
    """The photo without an end, each time with another density in its header, which no reader looks at."""

    def __init__(self, photo: bytes, same: bool) -> None:
        self._photo, self._same = photo, same
        self._at = photo.index(b"JFIF\x00") + 8
        self._numbers = itertools.count(1)  # next() of it is one step: safe for several threads

    def next(self) -> bytes:
        """The bytes to send."""
        if self._same:
            return self._photo
        return self._photo[: self._at] + next(self._numbers).to_bytes(4, "big") + self._photo[self._at + 4 :]


class Phone:
    """One phone: its connection, its cookie and token, and what it does until the time is over."""

    def __init__(self, address: str, code: str, photos: Photos, tally: Tally) -> None:
        self.where = urlsplit(address)
        self.connection = http.client.HTTPConnection(str(self.where.hostname), self.where.port, timeout=PATIENCE)
        self.photos, self.tally = photos, tally
        self.headers: dict[str, str] = {}
        _, answer = self.send("pair", "POST", "/pair", urlencode({"code": code}), form=True, expected=303)
        self.headers["Cookie"] = str(answer.headers["Set-Cookie"]).partition(";")[0]
        page, _ = self.send("page", "GET", "/", "")
        found = re.search(r'name="csrf-token" content="([^"]+)"', page)
        if found:
            self.headers["X-CSRF-Token"] = found[1]

    def send(
        self,
        kind: str,
        method: str,
        path: str,
        body: str | bytes,
        *,
        form: bool = False,
        expected: int = 200,
        **more: str,
    ) -> tuple[str, http.client.HTTPResponse]:
        """One request, timed from its first byte to the last of the answer, and repeated if the line is full."""
        headers = {**self.headers, **more}
        if form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        started = time.perf_counter()
        for _ in range(TRIES):
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            text = answer.read().decode()
            again = answer.headers.get("Retry-After")
            if answer.status != 503 or again is None:
                break
            with self.tally.lock:
                self.tally.refused += 1
            time.sleep(int(again) * random.uniform(1, 2))
        taken = time.perf_counter() - started
        with self.tally.lock:
            self.tally.seconds[kind].append(taken)
            if answer.status != expected:
                self.tally.errors.append(f"{kind}: {answer.status} {text[:200]}")
        return text, answer

    def hand(self) -> None:
        """A photo, two corrections, who discarded, and the same hand asked of the API."""
        start = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        body = start.encode() + self.photos.next() + f"\r\n--{BOUNDARY}--\r\n".encode()
        kind = f"multipart/form-data; boundary={BOUNDARY}"
        page, answer = self.send("photo", "POST", "/", body, **{"Content-Type": kind}, **PART)
        if answer.status != 200:
            return
        for move in ("set:0:9m", "set:0:1p"):
            fields = Board(page).fields
            page, _ = self.send("move", "POST", "/hand", urlencode([*fields, ("do", move)]), form=True, **PART)
        fields = [one for one in Board(page).fields if one[0] not in SAID]
        won = [*fields, *SAID.items(), ("do", "")]
        self.send("move", "POST", "/hand", urlencode(won), form=True, **PART)
        request = {**EXAMPLE, "explain": True}
        self.send("score", "POST", "/api/score", json.dumps(request), **{"Content-Type": "application/json"})
        with self.tally.lock:
            self.tally.hands += 1


def made_photo(path: Path, size: tuple[int, int]) -> bytes:
    """The photo as a JPEG of that size."""
    out = io.BytesIO()
    Image.open(path).convert("RGB").resize(size, Image.Resampling.LANCZOS).save(out, "JPEG", quality=90)
    return out.getvalue()


def run(phone: Phone, until: float, tally: Tally) -> None:
    try:
        while time.monotonic() < until:
            phone.hand()
    except Exception as error:  # a lost connection ends this phone, and is reported
        with tally.lock:
            tally.errors.append(f"{type(error).__name__}: {error}")


def memory(pid: int, kind: str) -> str:
    """The memory of the server's processes now (``VmRSS``) or each at its most (``VmHWM``)."""
    return f"{sum(kilobytes(one, kind) for one in tree(pid)) // 1024} MB"


def main() -> int:
    """Start the server, run the phones, print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=10)
    parser.add_argument("--crowd", type=int, default=0, help="so many phones afterwards")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--photo", type=Path, default=sample_photo_path())
    parser.add_argument("--same", action="store_true", help="one photo for all: read once, then answered from memory")
    parser.add_argument("--shrunk", action="store_true", help="photos as our page sends them")
    args = parser.parse_args()
    photo = made_photo(args.photo, SHRUNK if args.shrunk else LARGE)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PAITAI_DATA": folder, "PAITAI_LANG": "en"}
        command = [sys.executable, "-m", "paitai", "serve", "--lan", "--port", "0"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                said = ""
                while "Ctrl+C" not in said:
                    line = server.stdout.readline()
                    if not line:
                        return 1
                    said += line
                found = re.search(r"open (http://\S+/) and type ([\d ]+)", said)
                if found is None:
                    print("this computer has no address in a local network", file=sys.stderr)
                    return 1
                few, good = measure(args, args.phones, found[1], found[2], photo, server.pid)
                if not args.crowd:
                    return 0 if good else 1
                many, _ = measure(args, args.crowd, found[1], found[2], photo, server.pid)
                print(f"{many.hands} hands of {args.crowd} phones, {few.hands} of {args.phones}")
                return 0 if not few.errors and not many.errors and many.hands >= SHARE * few.hands else 1
            finally:
                server.terminate()


def measure(
    args: argparse.Namespace, count: int, address: str, code: str, photo: bytes, pid: int
) -> tuple[Tally, bool]:
    """Run this many phones; returns the result, and whether it is good."""
    tally = Tally()
    photos = Photos(photo, args.same)
    phones = [Phone(address, code, photos, tally) for _ in range(count)]
    phones[0].hand()  # the models are loaded
    tally.seconds.clear()
    tally.hands = 0
    held, before = [memory(pid, "VmRSS")], processor_seconds(pid)
    until = time.monotonic() + args.seconds
    threads = [threading.Thread(target=run, args=(phone, until, tally)) for phone in phones]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    time.sleep(args.seconds / 2)
    held.append(memory(pid, "VmRSS"))
    for thread in threads:
        thread.join()
    held.append(memory(pid, "VmRSS"))
    taken = time.monotonic() - started
    every = [one for times in tally.seconds.values() for one in times]
    print(f"{count} phones, {taken:.0f} s, photos of {len(photo) / 1e6:.1f} MB; load {os.getloadavg()[0]:.1f}")
    print(
        f"{len(every)} requests, {tally.hands} hands, {len(tally.errors)} errors; {tally.refused} asked to come again"
    )
    print(f"processor time of the server: {(processor_seconds(pid) - before) / max(1, tally.hands):.3f} s a hand")
    print(f"server's memory at most {memory(pid, 'VmHWM')}; before, in the middle, after: {', '.join(held)}")
    for kind, times in [*sorted(tally.seconds.items()), ("all", every)]:
        times = sorted(times)
        median, p95 = (times[min(len(times) - 1, round(len(times) * share))] for share in (0.5, 0.95))
        print(f"{kind:8} {len(times):6}   median {median:6.3f} s   p95 {p95:6.3f} s   most {times[-1]:6.3f} s")
    for error in tally.errors[:10]:
        print(error, file=sys.stderr)
    worst = max(sorted(times)[round(len(times) * 0.95) - 1] for times in tally.seconds.values())
    return tally, not tally.errors and worst < P95_LIMIT


if __name__ == "__main__":
    sys.exit(main())
