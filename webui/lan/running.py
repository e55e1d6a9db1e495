"""已經在跑: which server serves a data folder now, so that a second double-click opens its page, no second server."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

from vision.files import put_file

FILE = "serving.json"
"""In the data folder while a server runs: the page's address on this computer, and the server's process id."""


def answers(url: str) -> bool:
    """Whether what answers at this address of this computer is PaiTai."""
    try:
        parts = urlsplit(url)
        where = (parts.hostname or "", parts.port or 80)
        request = f"HEAD /offline HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n"
        with socket.create_connection(where, timeout=2) as connection:
            connection.sendall(request.encode())
            return b"server: paitai" in connection.recv(4096).lower()
    except (OSError, ValueError):
        return False


def running(folder: Path) -> str | None:
    """The page's address of the server that serves this data folder; None if none answers."""
    try:
        url = json.loads((folder / FILE).read_text(encoding="utf-8"))["url"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return url if isinstance(url, str) and url.startswith("http://") and answers(url) else None


def owner_link(url: str, key: str) -> str:
    """The address that makes a browser the owner's; `url` ends with a slash."""
    return f"{url}own?key={quote(key)}"


def owners_page(folder: Path) -> str | None:
    """The owner's link of the server that serves this data folder, or its plain address; None if none answers."""
    url = running(folder)
    if url is None:
        return None
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        own = json.loads((folder / FILE).read_text(encoding="utf-8"))["own"]
        return own if isinstance(own, str) and own.startswith(url) else url
    return url


@contextlib.contextmanager
def said_to_run(folder: Path, url: str, own: str = "") -> Iterator[None]:
    """Keep the address in the data folder while the block runs; ignored if the folder cannot be written.

    Args:
        folder: the data folder, which only its owner can read.
        url: the page's address on this computer.
        own: the owner's link.
    """
    path = folder / FILE
    with contextlib.suppress(OSError):
        put_file(path, json.dumps({"url": url, "own": own, "process": os.getpid()}).encode(), durable=False)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
