"""What templates of every page use: addresses of static files, pictures and names of tiles, a page of one sentence."""

from __future__ import annotations

import hashlib
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import quote

from flask import Flask, Response, current_app, g, render_template, request, url_for

from scoring.messages import cite_words
from scoring.tiles import BACK, name
from vision.messages import OWN
from webui.i18n import Texts

SCRIPTS = Path(__file__).parents[1] / "static" / "js"


def register(app: Flask) -> None:
    """Static files are also served below a version in the path, from which a module's own imports have it too."""

    def static(filename: str, version: str = "") -> Response:
        return app.send_static_file(filename)

    app.view_functions["static"] = static
    app.add_url_rule(f"{app.static_url_path}/at/<version>/<path:filename>", "static")


def is_fixed() -> bool:
    """Whether the address of the static file that is asked for changes with the file: a browser need not ask again."""
    version = (request.view_args or {}).get("version")
    return version == _version_of_scripts() if version else bool(request.args.get("v"))


@cache
def _version_of_scripts() -> str:
    """Changes with any script. Empty in the pocket edition: its service worker has them, all of one build."""
    files = sorted(SCRIPTS.rglob("*.js"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12] if files else ""


def script(file: str) -> str:
    """Address of a script that imports others. It changes when any script does."""
    version = _version_of_scripts()
    if not version:
        return asset(f"js/{file}")
    return f"{request.script_root}{current_app.static_url_path}/at/{version}/js/{file}"


@cache
def _stamp(file: str) -> str:
    path = Path(__file__).parents[1] / "static" / file
    try:
        return format(path.stat().st_mtime_ns // 1_000_000 % 10**9, "x")
    except FileNotFoundError:  # in the pocket edition a service worker has them, all of one build
        return "0"


def asset(file: str) -> str:
    """Address of a static file that changes with the file."""
    return _address(request.script_root, str(current_app.static_url_path), file)


@cache
def _address(root: str, folder: str, file: str) -> str:
    """The same under these two paths. A page names sixty files, and to put an address together takes 40 µs."""
    return url_for("static", filename=file, v=_stamp(file))


_BLANK = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 80"><rect x="2" y="2" width="56" height="76" rx="7" '
    'fill="#fffdf6" stroke="#888"/><text x="30" y="40" fill="#222" font-family="sans-serif" font-size="{size}" '
    'text-anchor="middle" dominant-baseline="central">{text}</text></svg>'
)


def _size(code: str) -> int:
    """The height of a name's letters, so that it fits onto a tile."""
    wide = sum(1 if character.isascii() else 2 for character in code.removeprefix(OWN))
    return max(7, min(26, 90 // max(1, wide)))


def tile_picture(code: str) -> str:
    """Address of a tile's picture; an own name of a label set is written on a blank tile."""
    if code.startswith(OWN):
        return "data:image/svg+xml," + quote(_BLANK.format(size=_size(code), text=escape(code.removeprefix(OWN))))
    return asset(f"tiles/{code}.svg")


def tile_name(code: str) -> str:
    """Name of a tile in the language of the page; an own name of a label set is its own text."""
    texts: Texts = g.texts
    if code.startswith(OWN):
        return code.removeprefix(OWN)
    return texts("tile.back") if code == BACK else name(code, texts.lang)


def cited(cite: str | None) -> str:
    """A clause such as ``000 L28`` by its source's name, the line second, in the language of the page."""
    texts: Texts = g.texts
    return cite_words(cite, texts.lang)


def is_fragment() -> bool:
    """Whether a script asks: it wants the middle of the page only."""
    return bool(request.headers.get("X-PaiTai"))


def wants_json() -> bool:
    """Whether the sender reads an error as JSON: the API, a script, or one that has sent JSON itself."""
    return is_fragment() or request.path.startswith("/api/") or request.is_json


def page_error(sentence: str) -> str:
    """A page with one sentence."""
    return render_template("error.html", sentence=sentence)
