"""Which browser features do the pages use that a browser of the floor lacks?

    python benchmarks/browsers/features.py

Compares the scripts, style sheets and templates of both editions with the compatibility data that MDN publishes (npm
``@mdn/browser-compat-data``). Needs Node with npm, and a registry that answers. A member such as ``.transfer`` counts
only if every interface with that name is too new. Exit status 1 for a feature without a row in exceptions.toml, and for
a row that nothing uses.
"""

from __future__ import annotations

import fnmatch
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FLOOR = {"safari": "16.4", "safari_ios": "16.4", "firefox": "140", "chrome": "109", "chrome_android": "109"}
PACKAGES = ("@mdn/browser-compat-data@8", "acorn@8", "acorn-walk@8", "css-tree@3")
KINDS = (".js", ".mjs", ".css", ".html")
MINUTES = 5


class NoData(Exception):
    """npm could not bring the compatibility data."""


def sources() -> list[Path]:
    """The files that a browser runs or shows, of both editions."""
    paths = (path for folder in ("webui", "pocket") for path in (ROOT / folder).rglob("*"))
    return sorted(path for path in paths if path.suffix in KINDS and "node_modules" not in path.parts)


def lacking(modules: Path, files: list[Path]) -> dict[str, dict[str, list[str]]]:
    """Feature to the browsers that lack it and the files that use it.

    ``modules``: a node_modules folder with ``PACKAGES``.
    """
    script = ["node", str(HERE / "features.mjs"), str(modules), json.dumps(FLOOR)]
    names = [path.relative_to(ROOT).as_posix() for path in files]
    done = subprocess.run([*script, *names], cwd=ROOT, capture_output=True, text=True, timeout=60 * MINUTES)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return dict(json.loads(done.stdout))


def install(folder: Path) -> Path:
    """Bring ``PACKAGES`` into a folder; returns its node_modules. NoData if npm or its registry is missing."""
    command = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder), *PACKAGES]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=60 * MINUTES)
    except (OSError, subprocess.SubprocessError) as error:
        raise NoData(str(error)) from error
    return folder / "node_modules"


def problems(features: dict[str, dict[str, list[str]]], exceptions: dict[str, str]) -> list[str]:
    """One line for each feature without an exception, and for each exception without a feature."""
    without = [
        f"{feature}: not in {', '.join(row['lacking'])}; used by {', '.join(row['files'])}"
        for feature, row in features.items()
        if not any(fnmatch.fnmatchcase(feature, pattern) for pattern in exceptions)
    ]
    unused = [
        f"exceptions.toml: nothing uses {pattern}" for pattern in exceptions if not fnmatch.filter(features, pattern)
    ]
    return without + unused


def main() -> int:
    exceptions = tomllib.loads((HERE / "exceptions.toml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        try:
            modules = install(Path(folder))
        except NoData as error:
            print(f"npm could not bring the compatibility data: {error}", file=sys.stderr)
            return 2
        files = sources()
        features = lacking(modules, files)
    lines = problems(features, exceptions)
    print("\n".join(lines) or f"{len(files)} files: every feature is in {FLOOR}, or has its fallback ({len(features)})")
    return 1 if lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
