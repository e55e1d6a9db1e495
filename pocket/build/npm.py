"""npm 的那一包: Pyodide, as the lock file pins it; brought once and kept for the next build."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from filelock import FileLock

from pocket.build.errors import BuildError

PINS = Path(__file__).parents[1] / "npm"
LOCK = "package-lock.json"
WANTED = {
    "pyodide": (
        "pyodide.mjs",
        "pyodide.asm.mjs",
        "pyodide.asm.wasm",
        "python_stdlib.zip",
        "pyodide-lock.json",
        "package.json",
    ),
}
"""The files that a phone needs of each package; the rest is not kept."""
SUMS = "sums.json"
PATIENCE = 900.0
"""Seconds that npm may take."""


def kept_folder() -> Path:
    """The folder in which builds store downloads and results, for this version of the lock file."""
    from platformdirs import user_cache_path

    pinned = hashlib.sha256((PINS / LOCK).read_bytes()).hexdigest()[:16]
    return user_cache_path("paitai", appauthor=False) / "pocket" / pinned


def npm_packages() -> Path:
    """The folder with the wanted files of each package, from an earlier build or from npm.

    If two builds run at once, one downloads. Raises BuildError if npm is missing or fails.
    """
    folder = kept_folder() / "npm"
    if not _is_whole(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):
            if not _is_whole(folder):
                _bring(folder)
    return folder


def _is_whole(folder: Path) -> bool:
    """Whether every file is there as it was when npm had checked it."""
    try:
        sums: dict[str, str] = json.loads((folder / SUMS).read_text("utf-8"))
        wanted = {f"{package}/{file}" for package, files in WANTED.items() for file in files}
        return set(sums) == wanted and all(_sum(folder / name) == wanted_sum for name, wanted_sum in sums.items())
    except (OSError, ValueError):
        return False


def _sum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _bring(folder: Path) -> None:
    """Run `npm ci` in a separate folder; it checks the integrity hashes of the lock file."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise BuildError("no_npm")
    with tempfile.TemporaryDirectory(prefix="paitai-npm-") as scratch:
        for name in ("package.json", LOCK, ".npmrc"):
            shutil.copyfile(PINS / name, Path(scratch) / name)
        command = [npm, "ci", "--ignore-scripts", "--no-fund", "--no-audit", "--silent"]
        try:
            done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=PATIENCE)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BuildError("npm_failed", reason=str(error)) from error
        if done.returncode:
            raise BuildError("npm_failed", reason=_last_line(done.stderr or done.stdout))
        _keep(Path(scratch) / "node_modules", folder)


def _keep(modules: Path, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    sums = {}
    for package, files in WANTED.items():
        for file in files:
            target = folder / package / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(modules / package / file, target)
            sums[f"{package}/{file}"] = _sum(target)
    (folder / SUMS).write_text(json.dumps(sums), "utf-8")


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "npm ci"
