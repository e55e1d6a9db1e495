"""位元碼: compiles Python files to the bytecode of our Pyodide; earlier results are reused."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from pocket.build.errors import BuildError
from pocket.build.npm import kept_folder
from pocket.build.packs import pack, unpack
from vision.files import put_file

SCRIPT = Path(__file__).with_name("compile.mjs")
SOURCES = ("webui/store/migrations/",)
"""Alembic reads these as source."""
BARE = ("sqlalchemy/", "alembic/", "werkzeug/", "flask/", "jinja2/", "mako/", "click/", "markupsafe/", "blinker/")
"""Compiled without docstrings and assertions, which allow it. Ours keep theirs."""
PATIENCE = 900.0
"""Seconds that compiling may take."""
Files = Mapping[str, bytes]


def compiled(groups: Mapping[str, Files], pyodide: Path) -> dict[str, dict[str, bytes]]:
    """The files of each group with bytecode in the place of sources (``a/b.py`` becomes ``a/b.pyc``).

    Args:
        groups: content by path, by the name of the group; of the group ``stdlib`` everything is compiled bare.
        pyodide: the folder of the npm package.

    Raises:
        BuildError: if Node.js cannot do it.
    """
    results, todo = {}, {}
    for name, files in groups.items():
        stored = _kept(name, files)
        if stored.is_file():
            results[name] = unpack(stored.read_bytes())
        else:
            todo[name] = files
    if todo:
        for name, files in _compile(todo, pyodide).items():
            stored = _kept(name, todo[name])
            for old in stored.parent.glob(f"{name}-*.pack"):
                old.unlink(missing_ok=True)
            put_file(stored, pack(files, level=1))
            results[name] = files
    return results


def _kept(name: str, files: Files) -> Path:
    """The path of the stored compiled group; its name changes with the content."""
    digest = hashlib.sha256(SCRIPT.read_bytes() + repr((SOURCES, BARE)).encode())
    for path in sorted(files):
        digest.update(f"{path} {hashlib.sha256(files[path]).hexdigest()}\n".encode())
    return kept_folder() / "bytecode" / f"{name}-{digest.hexdigest()[:20]}.pack"


def _compile(groups: Mapping[str, Files], pyodide: Path) -> dict[str, dict[str, bytes]]:
    with tempfile.TemporaryDirectory(prefix="paitai-compile-") as made:
        folder = Path(made)
        for name, files in groups.items():
            for path, content in files.items():
                target = folder / name / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        bare = [*BARE, *(path for path in groups.get("stdlib", ()) if path.endswith(".py"))]
        (folder / "plan.json").write_text(json.dumps({"sources": SOURCES, "bare": bare}), "utf-8")
        command = ["node", str(SCRIPT), str(pyodide), made]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError("node_failed", reason=str(error)) from error
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines()
            raise BuildError("node_failed", reason=lines[-1][:200] if lines else "node")
        return {
            name: {
                path.relative_to(folder / name).as_posix(): path.read_bytes()
                for path in sorted((folder / name).rglob("*"))
                if path.is_file()
            }
            for name in groups
        }


STDLIB_LEFT = (
    *("idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "test/", "curses", "xmlrpc", "wsgiref", "venv"),
    *("turtle", "doctest", "_pyrepl", "mailbox", "imaplib", "smtplib", "ftplib", "poplib", "cProfile", "profile"),
    *("multiprocessing", "unittest", "pdb.", "bdb.", "pydoc.", "pickletools.", "encodings/mac_", "encodings/cp8"),
    *("encodings/cp7", "encodings/iso8859_1", "encodings/koi8"),
    *("pstats", "antigravity", "this.", "tabnanny", "trace.", "pydoc_data", "distutils", "dbm/"),
)
"""Of Python's own library: what no page needs."""


def standard_library(pyodide: Path) -> dict[str, bytes]:
    """Python's own library as Pyodide brings it, without what no page needs."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist() if _is_needed(name)}


def _is_needed(name: str) -> bool:
    return not name.endswith("/") and not name.startswith(STDLIB_LEFT)


def zipped(files: Files) -> bytes:
    """A zip that Python imports from. The same files give the same bytes."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name], compresslevel=9)
    return out.getvalue()
