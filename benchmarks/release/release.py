"""Make a release in dist/: archives, the pocket edition, the conformance suite, a bill of materials, checksums.

The archives are those of paitai and of its rules alone.

    python benchmarks/release/release.py             # dist/
    python benchmarks/release/release.py --twice     # also builds a second time and compares every byte
    python benchmarks/release/release.py --no-pocket # without npm

Needs the extra `dev`, and npm for the pocket edition. Everything is built from the files of this checkout. Dates in
archives do not depend on the time of the build.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATE = (2026, 1, 1, 0, 0, 0)
"""Of every file in a zip: a fixed date gives the same bytes at every build."""


def run(*command: str, into: Path | None = None) -> None:
    """Run a command in the checkout, its standard output into a file if one is given. Raises SystemExit if it fails."""
    stamp = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": stamp or "1767225600", "PAITAI_LANG": "en"}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}")
    if into is not None:
        into.write_bytes(done.stdout)


def zipped(folder: Path, archive: Path) -> None:
    """All files of a folder in a zip, sorted, with fixed dates and rights."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), DATE)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            made.writestr(entry, path.read_bytes())


def release(into: Path, *, pocket: bool) -> None:
    """Fill the empty folder `into` with the files of a release."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    into.mkdir(parents=True)
    for project in (ROOT, ROOT / "scoring"):
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(into), str(project))
    paitai = (sys.executable, "-m", "paitai")
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder) / "conformance"
        run(*paitai, "conformance", "export", str(suite))
        zipped(suite, into / f"paitai-conformance-{version}.zip")
        if pocket:
            site = Path(folder) / "pocket"
            run(*paitai, "pocket", str(site))
            zipped(site, into / f"paitai-pocket-{version}.zip")
    run(*paitai, "licences", "--sbom", into=into / f"paitai-{version}.cdx.json")
    sums = "".join(f"{digest(path)}  {path.name}\n" for path in sorted(into.iterdir()))
    (into / "SHA256SUMS").write_text(sums, encoding="utf-8")


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--twice", action="store_true")
    parser.add_argument("--no-pocket", action="store_true")
    options = parser.parse_args()
    into = ROOT / "dist"
    shutil.rmtree(into, ignore_errors=True)
    release(into, pocket=not options.no_pocket)
    print((into / "SHA256SUMS").read_text(encoding="utf-8"), end="")
    if options.twice:
        with tempfile.TemporaryDirectory() as folder:
            again = Path(folder) / "dist"
            release(again, pocket=not options.no_pocket)
            different = [path.name for path in into.iterdir() if digest(path) != digest(again / path.name)]
        print("the second build is the same" if not different else f"different: {', '.join(different)}")
        return 1 if different else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
