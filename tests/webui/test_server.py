"""The server: its printed address, a port that is taken, and that it answers."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import webui
from webui.server import Addresses, addresses, announce, qr_code, serve

ROOT = Path(webui.__file__).parent


@pytest.mark.parametrize(("lang", "word"), [("zh", "拍台"), ("en", "PaiTai")])
def test_the_printed_address(lang: str, word: str) -> None:
    text = announce(Addresses("http://127.0.0.1:8016/", None), lang)
    assert f"{word}" in text
    assert "http://127.0.0.1:8016/" in text
    assert "█" not in text  # no code for an address that no phone can open
    assert "█" in qr_code("http://192.168.1.5:8016/")


@pytest.mark.parametrize(
    ("host", "scheme", "here", "phones"),
    [
        ("127.0.0.1", "http", "http://127.0.0.1:1/", False),
        ("localhost", "http", "http://localhost:1/", False),
        ("::1", "http", "http://[::1]:1/", False),
        ("192.168.1.5", "http", "http://192.168.1.5:1/", "http://192.168.1.5:1/"),
        ("192.168.1.5", "https", "http://127.0.0.1:2/", "https://192.168.1.5:1/"),
        ("127.0.0.1", "https", "http://127.0.0.1:2/", False),
    ],
    ids=str,
)
def test_addresses(host: str, scheme: str, here: str, phones: Any) -> None:
    found = addresses(host, 1, 2 if scheme == "https" else 1, scheme)
    assert found == Addresses(here, phones or None)


@pytest.mark.parametrize("port", [65535 + 1, 99999999])
def test_a_port_that_is_none_is_answered_with_one_that_is(port: int, capsys: Any) -> None:
    assert serve("127.0.0.1", port) == 2
    said = capsys.readouterr().err
    assert f"127.0.0.1:{port}" in said
    assert "--port 8016" in said


def test_an_address_that_is_taken(capsys: Any) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert serve("127.0.0.1", port, lang="en") == 2
    assert f"--port {port + 1}" in capsys.readouterr().err


def test_it_serves() -> None:
    """The command's own way: a process that prints its address and answers there."""
    code = "import sys, webui; sys.exit(webui.serve('127.0.0.1', 0, lang='en'))"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT.parent, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            with urllib.request.urlopen(address, timeout=10) as answer:
                assert "PaiTai" in answer.read().decode()
                assert answer.headers["Server"] == "paitai"
        finally:
            process.terminate()
