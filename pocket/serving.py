"""試用: the folder served on this computer, with the right types and nothing else."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

TYPES = {
    **{".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"},
    **{".wasm": "application/wasm", ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png"},
    **{".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8"},
}


class Handler(SimpleHTTPRequestHandler):
    """Files of one folder; `below`: the path that they seem to lie in, as in a folder of a host."""

    extensions_map = TYPES

    def __init__(self, *args: Any, below: str = "", **options: Any) -> None:
        self._below = below
        super().__init__(*args, **options)

    def translate_path(self, path: str) -> str:
        """The file of an address; an address outside the folder has none."""
        inside = path.removeprefix(self._below) if path.startswith(f"{self._below}/") else "/nothing/here"
        return super().translate_path(inside)

    def end_headers(self) -> None:
        """A new build is seen at once."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Do not log every file."""


def server_of(folder: Path, port: int, below: str = "") -> ThreadingHTTPServer:
    """A server on this computer only; port 0 is any free one. Raises OSError if the port is taken."""
    return ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=str(folder), below=below))


@contextlib.contextmanager
def serving(folder: Path, below: str = "") -> Iterator[str]:
    """The address of the folder, for as long as it is needed; with a slash at its end."""
    server = server_of(folder, 0, below)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}{below}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
