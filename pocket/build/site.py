"""做口袋版: the static folder, from the installed packages, the page's files and Pyodide."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from pocket.build.bytecode import compiled, standard_library, zipped
from pocket.build.errors import BuildError
from pocket.build.notices import PATCH_FROM, PATCH_TO, about_files
from pocket.build.npm import npm_packages
from pocket.build.packs import pack
from pocket.build.python_files import ROOT, library_files, own_files
from pocket.weights import phone_models
from scoring.languages import LANGUAGES
from vision.models.manifest import MANIFEST
from webui.i18n import catalog

SITE = Path(__file__).parents[1] / "site"
MARK = "sw.js"
"""What tells a folder that an earlier build made: nothing else is overwritten."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        *("style-src 'self'", "img-src 'self'", "connect-src 'self'", "worker-src 'self'", "frame-src 'self'"),
        *("manifest-src 'self'", "base-uri 'none'", "form-action 'none'"),
    )
)
"""Permissions of the shell and its worker: their own scripts and WebAssembly, requests to their own host."""
STATIC_LEFT = ("js/labelling", "js/shared/sw.js", "js/shared/shell.js", "tiles/sources")
OF_START_PAGE = ("take", "choose", "sample")
"""Texts of the application's start page that the shell shows as well, before there is an application."""
LATER = ("models/", "pocket/network/", "about/")
"""Fetched after the start page has been shown."""


@dataclass(frozen=True, slots=True)
class Built:
    """A folder that was made: its build, and how many bytes lie in it."""

    folder: Path
    build: str
    size: int


def build(folder: Path) -> Built:
    """Make the folder, or replace an earlier build in it. Raises BuildError."""
    _refuse_strange(folder)
    files = site_files()
    build_id = hashlib.sha256(json.dumps(hashes(files)).encode()).hexdigest()[:12]
    files["pocket/build.js"] = f'export const BUILD = "{build_id}";\n'.encode()
    files[MARK] = _service_worker(files, build_id)
    try:
        _write(folder, files)
    except OSError as error:
        raise BuildError("cannot_write", folder=folder, reason=error.strerror or error) from error
    return Built(folder, build_id, sum(map(len, files.values())))


def _refuse_strange(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / MARK).is_file())):
        raise BuildError("not_ours", folder=folder)


def site_files() -> dict[str, bytes]:
    """Every file of the folder by its path, except the ones that name the build."""
    npm = npm_packages()
    pyodide = npm / "pyodide"
    groups = {"stdlib": standard_library(pyodide), "libraries": library_files(), "app": own_files()}
    packed = compiled(groups, pyodide)
    return {
        **_shell_files(),
        **_static_files(),
        **_pyodide_files(pyodide),
        "python/python_stdlib.zip": zipped(packed["stdlib"]),
        "python/libraries.pack": pack(packed["libraries"]),
        "python/app.pack": pack(packed["app"]),
        **{f"models/{name}": data for name, data in phone_models().items() if name != MANIFEST},
        **about_files(npm),
    }


def _shell_files() -> dict[str, bytes]:
    files = {f"pocket/{path.relative_to(SITE).as_posix()}": path.read_bytes() for path in SITE.rglob("*.*s")}
    del files[f"pocket/{MARK}"]
    texts = {lang: _said(lang) for lang in LANGUAGES}
    files["pocket/sentences.js"] = (
        "/** @type {Record<string, Record<string, string>>} */\n"
        f"export const SENTENCES = {json.dumps(texts, ensure_ascii=False, indent=1)};\n"
    ).encode()
    page = (SITE / "index.html").read_text("utf-8").replace("@policy", POLICY)
    page = re.sub(r'(data-text="(\w+)">)', lambda place: place[1] + escape(texts[LANGUAGES[0]][place[2]]), page)
    return files | {"index.html": page.encode(), "manifest.webmanifest": _manifest()}


def _said(lang: str) -> dict[str, str]:
    """The shell's texts in a language."""
    begin, texts = "pocket.shell.", catalog(lang)
    own = {key.removeprefix(begin): text for key, text in texts.items() if key.startswith(begin)}
    return own | {name: texts[f"start.{name}"] for name in OF_START_PAGE}


def _manifest() -> bytes:
    """For the home screen."""
    texts = catalog(LANGUAGES[0])
    icons = [{"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}]
    for side in (192, 512):
        for purpose in ("any", "maskable"):
            source = f"static/icons/{purpose}-{side}.png"
            icons.append({"src": source, "sizes": f"{side}x{side}", "type": "image/png", "purpose": purpose})
    manifest = {"name": texts["title"], "short_name": texts["brand"], "description": texts["slogan"], "lang": "zh-Hant"}
    place = {"id": "./", "start_url": "./", "scope": "./", "display": "standalone"}
    colours = {"background_color": "#f5f1e8", "theme_color": "#0f5c4c"}
    return json.dumps({**place, **manifest, **colours, "icons": icons}, ensure_ascii=False, indent=1).encode()


def _static_files() -> dict[str, bytes]:
    """The static files of the pages."""
    folder = ROOT / "webui/static"
    paths = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {f"static/{name}": path.read_bytes() for name, path in paths.items() if not name.startswith(STATIC_LEFT)}


def _pyodide_files(pyodide: Path) -> dict[str, bytes]:
    """Pyodide with one changed line and without its unused list of packages."""
    names = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
    files = {f"python/{name}": (pyodide / name).read_bytes() for name in names}
    script = files["python/pyodide.asm.mjs"]
    if script.count(PATCH_FROM.encode()) != 1:
        raise BuildError("other_pyodide", file="pyodide.asm.mjs", folder=pyodide.parent)
    files["python/pyodide.asm.mjs"] = script.replace(PATCH_FROM.encode(), PATCH_TO.encode())
    info = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))["info"]
    files["python/pyodide-lock.json"] = json.dumps({"info": info, "packages": {}}).encode()
    return files


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """The hash of every file, in the form that a browser checks what it fetches against."""
    return {name: "sha256-" + base64.b64encode(hashlib.sha256(files[name]).digest()).decode() for name in sorted(files)}


def _service_worker(files: Mapping[str, bytes], build_id: str) -> bytes:
    """The service worker: what it keeps, before what it does."""
    sums = hashes(files)
    constants = {
        "build": build_id,
        "policy": f"{POLICY}; frame-ancestors 'none'",
        "core": {name: value for name, value in sums.items() if not name.startswith(LATER)},
        "later": {name: value for name, value in sums.items() if name.startswith(LATER)},
        "sizes": {name: len(files[name]) for name in sums},
    }
    return f"const PAITAI = {json.dumps(constants, indent=0)};\n".encode() + (SITE / MARK).read_bytes()


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files and remove the ones of an earlier build. The service worker is written last."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            shutil.rmtree(path)
    for name in sorted(files, key=lambda one: one == MARK):
        path = folder / name
        if path.is_file() and path.read_bytes() == files[name]:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(files[name])
