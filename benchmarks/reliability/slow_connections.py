"""450 slow connections, and a phone that wants the page meanwhile: how often is it answered, and how soon?

    python benchmarks/reliability/slow_connections.py [--front paitai] [--senders 1] [--seconds 20] [--what heads]

The strangers hold 450 connections from so many addresses of this computer (127.0.1.x, which the front here takes for
strangers), send a byte of a request a second on each, and open another for every one that is closed. The phone asks
for a page twice a second on a new connection each, and waits five seconds at most. ``--front granian`` and
``hypercorn`` serve the same application with those servers (``pip install granian hypercorn``) as they come;
``--what bodies`` drips the body of an upload instead of the head of a request; ``--what answers`` asks for ten pages a
second on each connection and reads none of them. Exit status 1 where fewer than 95% were
answered.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
PATIENCE, PAUSE = 5.0, 0.5  # seconds
PACE = 300  # new connections of strangers a second
FILES = 1024
ESTABLISHED = 1  # of Linux' states of a connection
HEADS = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODIES = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 1000000\r\n\r\n"
PAGES = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
SENT = {"heads": (HEADS, b"x"), "bodies": (BODIES, b"x"), "answers": (PAGES, PAGES * 10)}
"""By attack: what each connection begins with, and what it sends every second."""
WORDS = b"x" * 20_000  # about as much as a page


def hello(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """The application: a page that costs a few milliseconds and reads its input."""
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    time.sleep(0.005)
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(WORDS)))])
    return [WORDS]


def serve(port: int) -> None:
    """Our own front, on which only 127.0.0.1 is this computer."""
    from webui.lan.addresses import listen
    from webui.lan.waitress_front import allow_connections, make_server

    allow_connections()
    make_server(hello, [listen("0.0.0.0", port)], is_own=lambda address: address == "127.0.0.1").run()


def command_of(front: str, port: int) -> list[str]:
    """How that front is started."""
    here, program = f"{Path(__file__).stem}:hello", Path(sys.executable).with_name(front)
    if front == "granian":
        threads = ["--blocking-threads", "16", "--workers", "1"]
        return [str(program), "--interface", "wsgi", "--host", "0.0.0.0", "--port", str(port), *threads, here]
    if front == "hypercorn":
        return [str(program), "--bind", f"0.0.0.0:{port}", "--workers", "1", f"wsgi:{here}"]
    return [sys.executable, __file__, "--serve", str(port)]


class Strangers(threading.Thread):
    """Hold the connections, in one thread, until `over` is set."""

    def __init__(self, port: int, count: int, senders: int, what: str) -> None:
        super().__init__(daemon=True)
        self.port, self.count, self.senders = port, count, senders
        self.start_bytes, self.more = SENT[what]
        self.reads = what != "answers"
        self.over, self.ready = threading.Event(), threading.Event()
        self.opened = self.closed = 0

    def run(self) -> None:
        chosen, last = selectors.DefaultSelector(), 0.0
        held: set[socket.socket] = set()
        began = time.monotonic()
        while not self.over.is_set():
            allowed = self.count + PACE * (time.monotonic() - began)
            while len(held) < self.count and self.opened < allowed and not self.over.is_set():
                one = self._open()
                if one is None:
                    break
                held.add(one)
                chosen.register(one, selectors.EVENT_READ)
            self.ready.set()
            if time.monotonic() - last >= 1:
                last = time.monotonic()
                for one in held:
                    with contextlib.suppress(OSError):
                        one.send(self.more)
            for key, _ in chosen.select(0.1):
                one = key.fileobj  # type: ignore[assignment]
                with contextlib.suppress(OSError):
                    if one.recv(4096) if self.reads else not self._is_closed(one):
                        continue
                chosen.unregister(one)
                held.discard(one)
                one.close()
                self.closed += 1
        for one in held:
            one.close()

    def _is_closed(self, one: socket.socket) -> bool:
        """Whether the server has ended it, without reading; it is not looked at again before the next second."""
        time.sleep(0.001)  # something is there to be read all the time
        try:
            return one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0 or _state_of(one) != ESTABLISHED
        except OSError:
            return True

    def _open(self) -> socket.socket | None:
        self.opened += 1
        source = f"127.0.1.{self.opened % self.senders + 1}"
        try:
            one = socket.create_connection(("127.0.0.1", self.port), timeout=0.5, source_address=(source, 0))
            one.sendall(self.start_bytes)
            one.setblocking(False)
            return one
        except OSError:
            return None


def _state_of(one: socket.socket) -> int:
    """The state of a TCP connection in Linux' numbers; ESTABLISHED if the system does not tell."""
    if not hasattr(socket, "TCP_INFO"):
        return ESTABLISHED
    return one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]


def ask(port: int) -> float | None:
    """Seconds until the page arrived; None if it did not arrive in time."""
    started = time.monotonic()
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=("127.0.2.1", 0)) as phone:
            phone.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            got = b""
            while len(got) < len(WORDS):
                part = phone.recv(65536)
                if not part or time.monotonic() - started > PATIENCE:
                    return None
                got += part
            return time.monotonic() - started if got.startswith(b"HTTP/1.1 200") else None
    except OSError:
        return None


def main() -> int:
    """Serve, attack, ask; print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--front", choices=("paitai", "granian", "hypercorn"), default="paitai")
    parser.add_argument("--connections", type=int, default=450)
    parser.add_argument("--senders", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--what", choices=tuple(SENT), default="heads")
    parser.add_argument("--port", type=int, default=8130)
    parser.add_argument("--serve", type=int, metavar="PORT", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        serve(args.serve)
        return 0
    port = args.port
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), str(ROOT)))}
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    quiet["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, hard), hard))
    with subprocess.Popen(command_of(args.front, port), cwd=ROOT, env=environment, **quiet) as server:
        try:
            until = time.monotonic() + 30
            while ask(port) is None and time.monotonic() < until:
                time.sleep(0.2)
            alone = [ask(port) for _ in range(10)]
            strangers = Strangers(port, args.connections, args.senders, args.what)
            strangers.start()
            strangers.ready.wait(30)
            answers: list[float | None] = []
            until = time.monotonic() + args.seconds
            while time.monotonic() < until:
                answers.append(ask(port))
                time.sleep(PAUSE)
            strangers.over.set()
            strangers.join(5)
        finally:
            server.terminate()
    good = sorted(one for one in answers if one is not None)
    median = statistics.median(good) if good else float("nan")
    before = statistics.median([one for one in alone if one is not None] or [float("nan")])
    print(
        f"{args.front}: {args.connections} slow {args.what} from {args.senders} addresses, "
        f"{strangers.opened} opened, {strangers.closed} closed in {args.seconds:.0f} s"
    )
    print(
        f"a phone meanwhile: {len(good)} of {len(answers)} answered, median {median:.3f} s, "
        f"slowest {good[-1] if good else float('nan'):.3f} s; alone {before:.3f} s"
    )
    return 0 if len(good) >= 0.95 * len(answers) else 1


if __name__ == "__main__":
    sys.exit(main())
