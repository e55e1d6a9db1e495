"""Python 的檔案: which of the installed packages and of our own go to the phone, and what of them stays here."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from pocket.build.errors import BuildError
from pocket.weights import phone_models
from vision.models.manifest import MANIFEST

LIBRARIES = ("flask", "sqlalchemy", "alembic", "segno", "defusedxml", "platformdirs", "tomli-w", "filelock")
"""The libraries that the application in the pocket imports; their requirements follow."""
COMPILED = frozenset({"greenlet"})
"""Machine code that libraries need only for functions that the pocket does not use; no browser can run it."""
PURE = (".py", ".toml", ".mako", ".html", ".txt")
NOT_NEEDED = (
    *("sqlalchemy/dialects/oracle", "sqlalchemy/dialects/mssql", "sqlalchemy/dialects/mysql"),
    "sqlalchemy/testing",
    *(f"sqlalchemy/ext/{name}" for name in ("asyncio", "associationproxy", "automap", "horizontal_shard", "hybrid")),
    *(f"sqlalchemy/ext/{name}" for name in ("indexable", "mutable", "mypy", "orderinglist")),
    *("alembic/testing", "alembic/templates", "mako/testing", "click/_winconsole", "werkzeug/debug/shared"),
)
OWN = ("scoring", "vision", "webui", "pocket")
OWN_LEFT = (
    *("vision/labelling", "vision/training", "vision/tileset/cli", "vision/pixels/server"),
    *("webui/labelling/", "webui/templates/label", "webui/templates/lan", "webui/views/api", "webui/static"),
    *(
        "scoring/conformance",
        "webui/lan",
        "webui/tools",
        "webui/cli",
        "pocket/build",
        "pocket/site",
        "pocket/npm",
        "pocket/command",
        "pocket/protobuf",
        "pocket/serving",
        "pocket/weights",
        "pocket/standin",
        "pocket/jsconfig",
        "webui/jsconfig",
    ),
)
"""The parts that the pocket does not have; static files go to the host as they are."""
KEPT_OF_LEFT = ("webui/labelling/__init__.py", "vision/labelling/__init__.py")
OWN_DATA = (".py", ".toml", ".html", ".json", ".jpg")
ROOT = Path(__file__).parents[2]


def library_files() -> dict[str, bytes]:
    """The Python files of the libraries by their path in the phone. Raises BuildError if one is not installed."""
    files = {}
    for library in _libraries():
        for file in library.files or ():
            name = PurePosixPath(str(file).replace("\\", "/")).as_posix()
            if _goes(name):
                files[name] = Path(str(library.locate_file(file))).read_bytes()
    return files


def _goes(name: str) -> bool:
    if name.startswith((*NOT_NEEDED, "..")) or "__pycache__" in name:
        return False
    if ".dist-info/" in name:
        return name.endswith("/METADATA")
    return name.endswith(PURE)


def licences() -> dict[str, str]:
    """Name and version of each library with the text of its licence, as far as it carries one."""
    licences = {}
    for library in _libraries():
        texts = [
            Path(str(library.locate_file(file))).read_text("utf-8", "replace")
            for file in library.files or ()
            if ".dist-info/" in str(file) and re.match(r"(LICEN[CS]E|COPYING|NOTICE|AUTHORS)", file.name, re.I)
        ]
        licence = next(
            (library.metadata[key] for key in ("License-Expression", "License") if key in library.metadata), ""
        )
        licences[f"{library.metadata['Name']} {library.version}"] = "\n\n".join([licence[:200], *texts]).strip()
    return licences


def _libraries() -> list[Distribution]:
    """The libraries and all that they need here, each once."""
    libraries: dict[str, Distribution] = {}
    wanted = list(LIBRARIES)
    while wanted:
        name = wanted.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in libraries or key in COMPILED:
            continue
        try:
            libraries[key] = distribution(name)
        except PackageNotFoundError:
            if name in LIBRARIES:
                raise BuildError("no_library", library=name) from None
            continue  # needed by another Python or system only
        wanted += [
            re.split(r"[\s;<>=!~\[(]", need, maxsplit=1)[0]
            for need in libraries[key].requires or ()
            if "extra ==" not in need
        ]
    return [libraries[key] for key in sorted(libraries)]


def own_files() -> dict[str, bytes]:
    """Our own packages as far as the pocket has them, by their path in the phone."""
    files = {}
    for package in OWN:
        for path in sorted((ROOT / package).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in OWN_DATA and "__pycache__" not in name and path.is_file() and _stays(name):
                files[name] = path.read_bytes()
    for path in sorted((ROOT / "pocket/standin").rglob("*.py")):
        files[path.relative_to(ROOT / "pocket/standin").as_posix()] = path.read_bytes()
    files[f"vision/models/{MANIFEST}"] = phone_models()[MANIFEST]
    return files


def _stays(name: str) -> bool:
    return name in KEPT_OF_LEFT or not name.startswith(OWN_LEFT)
