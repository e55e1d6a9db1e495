"""A folder with what reads photos in the pocket edition, and the page that asks it."""

from __future__ import annotations

import base64
import io
import json
import shutil
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from pocket.build.npm import npm_packages
from pocket.weights import phone_models

TREE = Path(__file__).parents[3]
LEFT_OUT = ("vision/training", "vision/labelling", "vision/pixels/server", "vision/photo/data")
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}
BEGIN = """async () => {
  window.worker = new Worker("/reading.js", { type: "module" });
  window.asked = (message) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.made ?? null));
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage(message);
  });
  await asked({ begin: true });
}"""
ASK = """async ([question, files]) => asked({ question, files: files.map((text) =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))) })"""


def python_zip(models: Path) -> bytes:
    """The packages that read, without what only a computer needs; numbers in numpy's place."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for package in ("scoring", "vision", "webui/web"):
            for path in sorted((TREE / package).rglob("*")):
                name = path.relative_to(TREE).as_posix()
                if path.suffix in (".py", ".toml", ".json") and not name.startswith(LEFT_OUT):
                    made.write(path, name)
        for path in sorted((TREE / "pocket/standin").rglob("*.py")):
            made.write(path, path.relative_to(TREE / "pocket/standin").as_posix())
        made.writestr("webui/__init__.py", "")
        made.write(models / "manifest.json", "vision/models/manifest.json")
    return out.getvalue()


class Pocket:
    """A page whose worker reads photos."""

    def __init__(self, browser: Browser, packages: Path, models: Path) -> None:
        models.mkdir()
        for name, data in phone_models().items():
            (models / name).write_bytes(data)
        self.models = models
        self._folders = {"site": TREE / "pocket/site", "npm": packages, "models": models}
        self._made = {"python.zip": python_zip(models), "": b"<!doctype html><title>reading</title>"}
        self._made["reading.js"] = Path(__file__).with_name("reading.js").read_bytes()
        server = self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.context = browser.new_context()
        self.context.set_default_timeout(240_000)
        self.page: Page = self.context.new_page()
        self.page.goto(f"http://127.0.0.1:{server.server_port}/")
        self.page.evaluate(BEGIN)

    def close(self) -> None:
        """Nothing runs any more."""
        self.context.close()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        pocket = self

        class Files(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                found = pocket._file(self.path.lstrip("/"))
                self.send_response(404 if found is None else 200)
                self.send_header("Content-Type", TYPES.get(Path(self.path).suffix, "text/html"))
                self.send_header("Content-Length", str(len(found or b"")))
                self.end_headers()
                self.wfile.write(found or b"")

            def log_message(self, *_: Any) -> None: ...

        return Files

    def _file(self, name: str) -> bytes | None:
        folder, _, rest = name.partition("/")
        if name in self._made:
            return self._made[name]
        path = self._folders.get(folder, TREE / "nothing") / rest
        return path.read_bytes() if path.is_file() else None

    def ask(self, question: str, *files: bytes) -> Any:
        """The worker's answer, after the browser has done the worker's requests."""
        return self.timed(question, *files)["made"]

    def timed(self, question: str, *files: bytes) -> dict[str, Any]:
        """The answer as ``made``, how often it had to be asked again as ``turns``, and ``ms``."""
        told = [base64.b64encode(file).decode() for file in files]
        found: dict[str, Any] = self.page.evaluate(ASK, [question, told])
        return found


def packages() -> Path | None:
    """The folder of the pinned npm packages; None without npm."""
    return npm_packages() if shutil.which("npm") and shutil.which("node") else None


def same_reading(mine: dict[str, Any], theirs: dict[str, Any], within: float) -> list[str]:
    """The differences of two readings: a confidence by more than ``within``, a box by more than two pixels, or anything
    else at all. A check lists its tiles by their confidence: two of them may be exchanged if theirs is that near."""
    theirs = json.loads(json.dumps(theirs))
    for my_check, their_check in zip(mine.get("checks", ()), theirs.get("checks", ()), strict=False):
        if _exchanged(my_check.get("tiles"), their_check.get("tiles"), theirs["tiles"], within):
            my_check["tiles"] = their_check["tiles"]
    return list(_differences(mine, theirs, within, ""))


def _exchanged(mine: Any, theirs: Any, tiles: list[dict[str, Any]], within: float) -> bool:
    """Whether both lists hold the same tiles, at each place ones of nearly the same confidence."""
    if not mine or not theirs or sorted(mine) != sorted(theirs):
        return False
    return all(
        abs(tiles[one]["confidence"] - tiles[other]["confidence"]) <= within
        for one, other in zip(mine, theirs, strict=True)
    )


def _differences(mine: Any, theirs: Any, within: float, place: str) -> Iterator[str]:
    if place.endswith(("/ms", "/others")):
        return  # times; and alternatives are listed down to half a percent
    if isinstance(theirs, dict) and isinstance(mine, dict) and set(mine) == set(theirs):
        for key, value in theirs.items():
            yield from _differences(mine[key], value, within, f"{place}/{key}")
    elif isinstance(theirs, list) and isinstance(mine, list) and len(mine) == len(theirs):
        for at, value in enumerate(theirs):
            yield from _differences(mine[at], value, within, f"{place}/{at}")
    elif isinstance(theirs, float) and isinstance(mine, int | float):
        room = 2.0 if "/box" in place or "/region" in place else within
        if abs(mine - theirs) > room + 1e-9:
            yield f"{place}: {mine}, not {theirs}"
    elif "/box" in place and isinstance(mine, int | float) and abs(mine - theirs) <= 2:
        return
    elif mine != theirs:
        yield f"{place}: {str(mine)[:80]}, not {str(theirs)[:80]}"
