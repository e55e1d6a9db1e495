"""出處: licences, our patch of Pyodide, and the source code that belongs to the folder."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from pocket.build.python_files import OWN, ROOT, licences

PATCH_FROM, PATCH_TO = "return Module.HEAP8.set(t),", "return Module.growMemory(t.length),Module.HEAP8.set(t),"
"""In pyodide.asm.mjs: grown memory is larger than the memory of a new start, and did not fit in."""
NPM_LICENCES = {"pyodide": "MPL-2.0"}
SOURCES = (".py", ".toml", ".html", ".js", ".mjs", ".ts", ".css", ".svg", ".json", ".md", ".mako", ".npmrc")
ARCHIVED = (*OWN, "paitai")


def about_files(npm: Path) -> dict[str, bytes]:
    """The files of the folder ``about``: licence, notices, source."""
    return {
        "about/LICENSE.txt": _licence(),
        "about/NOTICES.txt": _notices(npm).encode(),
        "about/source.zip": _source(),
    }


def _licence() -> bytes:
    """The AGPL: of the checkout, or as the installed package carries it."""
    here = ROOT / "LICENSE"
    if here.is_file():
        return here.read_bytes()
    from importlib.metadata import distribution

    installed = distribution("paitai")
    own = next(file for file in installed.files or () if file.name == "LICENSE")
    return Path(str(installed.locate_file(own))).read_bytes()


def _notices(npm: Path) -> str:
    lines = ["拍台 PaiTai: AGPL-3.0-only (LICENSE.txt, source.zip)", ""]
    for package, licence in NPM_LICENCES.items():
        version = json.loads((npm / package / "package.json").read_text("utf-8"))["version"]
        lines.append(f"{package} {version} (npm): {licence}")
    lines += [
        "",
        "Pyodide is Covered Software under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/). Its source:",
        "https://github.com/pyodide/pyodide. One line of its pyodide.asm.mjs was changed here:",
        f"  - {PATCH_FROM}",
        f"  + {PATCH_TO}",
        "CPython within it: Python Software Foundation License.",
        "",
    ]
    for name, text in licences().items():
        lines += ["=" * 72, name, "", text, ""]
    return "\n".join(lines)


def _source() -> bytes:
    """Our own sources, with what builds this folder. The same sources give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in ARCHIVED:
            for path in sorted((ROOT / package).rglob("*")):
                if (
                    path.is_file()
                    and (path.suffix in SOURCES or path.name == ".npmrc")
                    and "__pycache__" not in path.parts
                ):
                    entry = zipfile.ZipInfo(f"paitai/{path.relative_to(ROOT).as_posix()}")
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    archive.writestr(entry, path.read_bytes())
    return out.getvalue()
