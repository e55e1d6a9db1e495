"""一問一答: the Flask application answers one request after the other, without a server, a thread or a network."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from flask import Flask, request

from pocket.worker.cookies import Cookies
from pocket.worker.pages import FULL, POCKET, name_at_first_record
from webui.app import create_app
from webui.store.upkeep.device_signatures import add, to_sign
from webui.views.table.once import forget_done
from webui.web.errors import UserError
from webui.web.extensions import store

PARTS = ("sets", "live", "pocket")
"""What of the page there is in the pocket: not other phones, labelling, the API, nor a service worker for a server."""
HOST = "localhost"
LEFT_OUT = ("host", "origin", "cookie", "content-length", "content-type", "referer")
"""Headers of the browser about the folder's host, which the application does not know."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer for the service worker: status, headers and body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Application:
    """The application over a folder that JavaScript keeps, below `root` of its host (empty: at the host's root)."""

    def __init__(self, kept: Path, root: str = "", settings: Mapping[str, object] | None = None) -> None:
        os.environ["XDG_CONFIG_HOME"] = str(kept / "config")  # the key that signs backups is kept, too
        self._root = root.rstrip("/")
        self._cookies = Cookies(kept / "cookies.json")
        data = kept / "data"
        config = {"DATA": str(data), "KEYS": kept, "PARTS": PARTS, "FRAMED": True, "READS_AT_ONCE": 1}
        self.app: Flask = create_app({**config, "MORE_PAGES": (POCKET,), **(settings or {})})
        self.app.before_request(_refuse_when_full)
        self.app.before_request(name_at_first_record)

    def answer(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes, *, full: bool = False
    ) -> Answer:
        """The answer to one request.

        Args:
            method: GET or POST.
            path: decoded, below the root.
            query: the raw query string.
            headers: of the request, from the service worker.
            body: of the request; may be empty.
            full: whether the phone's storage is full; the answer then only reports that.
        """
        environ = self._environ(method, path, query, headers, body)
        environ[FULL] = full
        begun: dict[str, Any] = {}

        def start_response(status: str, sent: list[tuple[str, str]], _: object = None) -> Any:
            begun.update(status=int(status[:3]), headers=sent)
            return lambda data: None

        parts = self.app.wsgi_app(environ, start_response)
        try:
            joined = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        for name, value in begun["headers"]:
            if name.lower() == "set-cookie":
                self._cookies.take(value)
        sent = tuple((name, value) for name, value in begun["headers"] if name.lower() != "set-cookie")
        return Answer(begun["status"], sent, joined)

    def let_go(self) -> None:
        """Close the database, because its files are about to be replaced; newer changes are dropped."""
        store(self.app).close()
        forget_done(self.app)
        self._cookies.read()

    def to_sign(self) -> str:
        """The head of the records for the device to sign, as text; empty if it is signed."""
        records = store(self.app)
        with records.reading() as view:
            return to_sign(records.place.folder, view.head())

    def signed(self, head: str, x: str, y: str, signature: str) -> None:
        """Keep the device's signature of a head; public key and signature in base64url."""
        add(store(self.app).place.folder, head, (x, y), signature)

    def _environ(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> dict[str, object]:
        known = {name.lower(): value for name, value in headers.items()}
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": self._root,
            "PATH_INFO": path.encode().decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": HOST,
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": known.get("content-type", ""),
            "HTTP_HOST": HOST,
            "HTTP_COOKIE": self._cookies.header,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        if "referer" in known:
            environ["HTTP_REFERER"] = f"http://{HOST}{known['referer']}"
        for name, value in known.items():
            if name not in LEFT_OUT:
                environ["HTTP_" + name.upper().replace("-", "_")] = value
        return environ


def _refuse_when_full() -> None:
    if request.environ.get(FULL):
        raise UserError("pocket.full", 507)


def start(kept: str, root: str) -> Application:
    """The application, with the browser's functions for reading photos if they exist."""
    reading = "pocket.worker.reading"
    settings = import_module(reading).settings() if find_spec(reading) else {}
    return Application(Path(kept), root, settings)


def asked(application: Application, message: str, body: Any, full: bool) -> tuple[int, str, bytes] | None:
    """A request as JavaScript hands it over: status, headers as JSON, and body of the answer. `body`: an Uint8Array.
    None: the browser has to do something in its own time first, and is to ask again."""
    from vision.pixels.browser.bridge import NotYet

    request = json.loads(message)
    sent: bytes = body.to_bytes()
    try:
        answer = application.answer(
            request["method"], request["path"], request["query"], request["headers"], sent, full=full
        )
    except NotYet:
        return None
    return answer.status, json.dumps(answer.headers), answer.body
