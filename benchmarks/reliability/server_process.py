"""A real server process on a temporary data folder, a client for it, and a PostgreSQL server if requested."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from processes import kilobytes, tree

ROOT = Path(__file__).resolve().parents[2]
BOUNDARY = "----paitai-reliability"


class Server:
    """``paitai serve`` as people start it, at ``address``."""

    def __init__(self, data: str, *, lan: bool = False, environment: Mapping[str, str] | None = None) -> None:
        command = [sys.executable, "-m", "paitai", "serve", "--port", "0", "--lang", "en", "--data", data]
        self.process = subprocess.Popen(
            [*command, *(["--lan"] if lan else [])],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
        )
        assert self.process.stdout is not None
        self.said = ""
        while "Ctrl+C" not in self.said:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"the server did not start: {self.said}")
            self.said += line
        found = re.search(r"http://\S+/", self.said)
        assert found is not None
        self.address = found[0]
        own = re.search(r"http://\S+/own\?key=\S+", self.process.stdout.readline())
        assert own is not None
        self.own = own[0]
        """The owner's link."""

    def kill(self) -> None:
        """As a power cut ends it: nothing is finished."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def memory(self, kind: str = "VmHWM") -> int:
        """Megabytes of its processes together: the most that each held (``VmHWM``) or what they hold (``VmRSS``)."""
        return sum(kilobytes(one, kind) for one in tree(self.process.pid)) // 1024

    def forget_most(self) -> None:
        """The most that it held is counted from now on."""
        for one in tree(self.process.pid):
            with contextlib.suppress(OSError):
                Path(f"/proc/{one}/clear_refs").write_text("5")

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()


class Client:
    """One connection of a program at the computer itself: it needs no pairing."""

    def __init__(self, address: str, timeout: float = 60) -> None:
        where = urlsplit(address)
        self.connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=timeout)
        self.cookie: dict[str, str] = {}

    def open_owners_page(self, link: str) -> None:
        """Become the owner's browser. Raises OSError or HTTPException if the server is gone."""
        where = urlsplit(link)
        answer = self.send("GET", f"{where.path}?{where.query}")[2]
        self.cookie = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}

    def send(
        self, method: str, path: str, body: bytes | str | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, str, http.client.HTTPResponse]:
        """Status, text and the whole answer. Raises OSError or HTTPException if the server is gone."""
        self.connection.request(method, path, body, {**self.cookie, **(headers or {})})
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace"), answer

    def get(self, path: str) -> tuple[int, str]:
        """A page."""
        return self.send("GET", path)[:2]

    def form(self, path: str, fields: Mapping[str, Any] | Sequence[tuple[str, Any]]) -> tuple[int, str, str]:
        """Send a form; returns status, text, and the redirect's address."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        status, text, answer = self.send("POST", path, urlencode(fields, doseq=True), headers)
        return status, text, answer.headers.get("Location", "")

    def json(self, path: str, value: object) -> tuple[int, str]:
        """Send JSON."""
        return self.send("POST", path, json.dumps(value), {"Content-Type": "application/json"})[:2]

    def upload(
        self, path: str, files: Sequence[tuple[str, str, bytes]], fields: Mapping[str, str] | None = None
    ) -> tuple[int, str, str]:
        """Send files (field, file name, bytes) and fields as a browser does."""
        body, kind = multipart(files, fields or {})
        status, text, answer = self.send("POST", path, body, {"Content-Type": kind})
        return status, text, answer.headers.get("Location", "")


def multipart(files: Sequence[tuple[str, str, bytes]], fields: Mapping[str, str]) -> tuple[bytes, str]:
    """The body of such a form, and its content type."""
    parts = []
    for name, value in fields.items():
        parts.append(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    for name, file, data in files:
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n\r\n'
        parts.append(head.encode("utf-8", "surrogatepass") + data + b"\r\n")
    return b"".join([*parts, f"--{BOUNDARY}--\r\n".encode()]), f"multipart/form-data; boundary={BOUNDARY}"


class Postgres:
    """A PostgreSQL server in a temporary folder, which writes to the disk as one in earnest does."""

    def __init__(self) -> None:
        named = shutil.which("initdb")
        places = [*([Path(named).parent] if named else []), *sorted(Path("/usr/lib/postgresql").glob("*/bin"))[::-1]]
        found = next((path for path in places if (path / "initdb").is_file()), None)
        if found is None:
            raise RuntimeError("no PostgreSQL server found (initdb, pg_ctl)")
        self.binaries = found
        self.folder = Path(tempfile.mkdtemp(prefix="pt"))  # short: the path of a socket may not be long
        self.user: list[str] = []
        if os.getuid() == 0:  # the server refuses to run as root
            self.user = [shutil.which("runuser") or "runuser", "-u", "postgres", "--"]
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8")
        self.start()

    @property
    def url(self) -> str:
        """What ``--data`` takes."""
        return f"postgresql+psycopg://postgres@/postgres?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self.user, str(self.binaries / program), *arguments]
        subprocess.run(command, check=True, cwd=self.folder, capture_output=True)

    def start(self) -> None:
        """Start it, after a crash with its own repair."""
        options = f"-k {self.folder} -c listen_addresses='' -c shared_buffers=16MB"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-w", "-o", options, "start")

    def crash(self) -> None:
        """Kill it and its children: ``immediate`` is PostgreSQL's own word for a crash."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def close(self) -> None:
        """Stop it and remove its folder."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that goes when the work is done."""
    folder = Path(tempfile.mkdtemp(prefix="paitai-"))
    try:
        yield folder
    finally:
        for _ in range(20):  # a process that was killed may still hold a file for a moment
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                break
            time.sleep(0.1)
