"""The server on Windows: its scripts run, it has no poll, Ctrl+C ends nothing but itself, exports leave nothing."""

from __future__ import annotations

import io
import mimetypes
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import waitress.wasyncore

from tests.unit.webui.support.records_kit import words
from webui import create_app
from webui.labelling.process_group import end_group, own_group
from webui.lan import waitress_front

CONSOLE_EVENT_STOPS_HERE = 0x200 | 0x08000000
"""CREATE_NEW_PROCESS_GROUP and CREATE_NO_WINDOW of Windows' own headers."""


@pytest.fixture
def registry_says_text() -> Any:
    """The types of `mimetypes` after another program registered every ending as plain text."""
    before = dict(mimetypes.types_map)
    for suffix in (".js", ".mjs", ".css", ".svg", ".png", ".webmanifest"):
        mimetypes.add_type("text/plain", suffix)
    yield
    for suffix in (".js", ".mjs", ".css", ".svg", ".png", ".webmanifest"):
        mimetypes.add_type(before.get(suffix, "text/plain"), suffix)


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [("*.js", "text/javascript"), ("*.css", "text/css"), ("*.svg", "image/svg+xml"), ("*.png", "image/png")],
)
def test_what_we_serve_has_its_type_whatever_the_registry_says(
    pattern: str, kind: str, registry_says_text: None, tmp_path: Path
) -> None:
    client = create_app({"DATA": str(tmp_path)}).test_client()
    static = Path(waitress_front.__file__).parents[1] / "static"
    file = next(static.rglob(pattern)).relative_to(static).as_posix()
    answer = client.get(f"/static/{file}")
    answer.close()
    assert answer.mimetype == kind
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_without_poll_a_crowd_does_not_end_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows' select takes 512 sockets; with one more it raises, and the server would end."""
    looked_at: list[int] = []

    def windows_select(reads: Any, writes: Any, errors: Any, timeout: Any = None) -> Any:
        looked_at.append(max(len(reads), len(writes), len(errors)))
        if looked_at[-1] > 512:
            raise ValueError("too many file descriptors in select()")
        return real(reads, writes, errors, timeout)

    real = select.select
    monkeypatch.setattr(waitress.wasyncore, "poll2", None)
    monkeypatch.setattr(waitress_front, "poll2", None)
    monkeypatch.setattr(waitress.wasyncore.select, "select", windows_select)
    monkeypatch.setattr(waitress_front, "THREADS", 2)
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    address = listener.getsockname()

    def app(environ: Any, start_response: Any) -> list[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
        return [b"ok"]

    server = waitress_front.make_server(app, [listener])
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    crowd: list[socket.socket] = []
    try:
        first = socket.create_connection(address)
        crowd.append(first)
        for _ in range(450):
            crowd.append(socket.create_connection(address, timeout=20))
        end = time.monotonic() + 20
        full = waitress_front.MOST_SELECTED - 2  # the sockets that listen are not looked at then
        while time.monotonic() < end and max(looked_at, default=0) < full:
            time.sleep(0.02)
        first.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        first.settimeout(20)
        assert b"200 OK" in first.recv(200)
        assert thread.is_alive()
        assert full <= max(looked_at) <= 512
    finally:
        for connection in crowd:
            connection.close()
        server.close()
        thread.join(10)


def is_at_work(process_id: int) -> bool:
    """Whether there is such a process that is not only waiting to be buried."""
    try:
        return ") Z" not in Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8")
    except OSError:
        return False


def test_ctrl_c_in_the_window_does_not_reach_a_training() -> None:
    assert own_group("nt") == {"creationflags": CONSOLE_EVENT_STOPS_HERE}
    assert own_group("posix") == {"start_new_session": True}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks at processes as Linux shows them")
def test_a_training_that_is_stopped_leaves_no_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows ends a process alone; `taskkill /T` ends what it started too. Here a script of that name does it."""
    taskkill = tmp_path / "taskkill"
    taskkill.write_text('#!/bin/sh\n[ "$1" = /PID ] && [ "$3$4" = /T/F ] && kill -9 "-$2"\n', encoding="utf-8")
    taskkill.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    worker = "import time; time.sleep(60)"
    start = f"worker = subprocess.Popen([sys.executable, '-c', {worker!r}])"
    code = f"import subprocess, sys; {start}; print(worker.pid, flush=True); worker.wait()"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    assert process.stdout is not None
    worker_id = int(process.stdout.readline())
    end_group(process, "nt")
    process.stdout.close()
    assert process.returncode == -signal.SIGKILL
    end = time.monotonic() + 10
    while time.monotonic() < end and is_at_work(worker_id):
        time.sleep(0.02)
    assert not is_at_work(worker_id)


def opened_as(link: Path) -> str:
    try:
        return os.readlink(link)
    except OSError:  # closed meanwhile
        return ""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="it looks at open files as Linux shows them")
def test_an_export_leaves_nothing_where_open_files_keep_their_folder(
    client: Any, jpeg: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    name = client.post("/label/new", data={"title": "one"}).headers["Location"].rsplit("/", 1)[1]
    client.post(f"/label/{name}/import", data={"files": (io.BytesIO(jpeg), "a.jpg")})
    removed: list[str] = []
    real = tempfile.TemporaryDirectory._rmtree

    def windows_rmtree(path: str, *more: Any, **named: Any) -> None:
        if any(str(scratch) in opened_as(link) for link in Path("/proc/self/fd").iterdir()):
            return  # ignore_cleanup_errors: Windows reports "used by another process", and the files stay
        removed.append(path)
        real(path, *more, **named)

    monkeypatch.setattr(tempfile.TemporaryDirectory, "_rmtree", staticmethod(windows_rmtree))
    answer = client.post(f"/label/{name}/export", data={"form": "yolo", "which": "all"})
    assert answer.status_code == 200, words(answer.get_data(as_text=True))
    assert answer.get_data().startswith(b"PK")
    answer.close()
    assert removed
    assert not list(scratch.iterdir())


def test_output_of_a_traditional_chinese_console_is_no_error() -> None:
    """cp950 has no ✓ and no simplified characters; output is UTF-8, whatever the console's code page."""
    environment = {
        **os.environ,
        "PYTHONIOENCODING": "cp950:strict",
        "PYTHONUTF8": "0",
        "LC_ALL": "C",
        "PAITAI_LANG": "zh",
    }
    command = [sys.executable, "-m", "paitai", "rules", "show", "common"]
    done = subprocess.run(command, capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert "台" in done.stdout.decode("utf-8")


@pytest.mark.parametrize(("named", "used"), [("cp950", "cp950"), ("", "utf-8"), ("no such", "utf-8")])
def test_output_in_the_code_page_that_is_named(named: str, used: str) -> None:
    """PowerShell 5 reads the output of a program in its console's code page."""
    command = [sys.executable, "-m", "scoring", "rules", "list"]
    done = subprocess.run(
        command, capture_output=True, env={**os.environ, "PAITAI_ENCODING": named, "PAITAI_LANG": "zh"}
    )
    assert done.returncode == 0, done.stderr
    assert "台" in done.stdout.decode(used)
