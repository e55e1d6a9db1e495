"""Check that every library of a player's install has a wheel on each system and Python that PaiTai names.

    python benchmarks/release/wheels.py                    # asks the package index; nothing is installed
    python benchmarks/release/wheels.py --weigh windows    # fetches the wheels for that system and prints their size

Needs the network and `uv` (see lock.py). Two checks for each system and Python: pip finds wheels in the ranges of
`pyproject.toml`, and `requirements.lock` has hashes of wheels for it. Exit status 1 if not.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from lock import LOCK, uv

SYSTEMS = {
    "windows": ("Windows x64", "x86_64-pc-windows-msvc", {}),
    "macos": ("macOS arm64 (14 and newer)", "aarch64-apple-darwin", {"MACOSX_DEPLOYMENT_TARGET": "14.0"}),
    "linux": ("Linux x86-64 (glibc 2.28)", "x86_64-manylinux_2_28", {}),
}
OTHERS = {
    "windows-arm": ("Windows on ARM", "aarch64-pc-windows-msvc", {}),
    "macos-13": ("macOS 13 arm64", "aarch64-apple-darwin", {"MACOSX_DEPLOYMENT_TARGET": "13.0"}),
    "macos-intel": ("macOS x86-64 (14 and newer)", "x86_64-apple-darwin", {"MACOSX_DEPLOYMENT_TARGET": "14.0"}),
    "linux-arm": ("Linux arm64 (glibc 2.28)", "aarch64-manylinux_2_28", {}),
}
"""Not promised; asked with --all to know what would stand in the way."""
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def asked(system: str, python: str, *source: str) -> str:
    """The reason why these cannot be installed from wheels there, in uv's first words; empty if they can."""
    _, platform, settings = {**SYSTEMS, **OTHERS}[system]
    words = ("--python-platform", platform, "--python-version", python, "--only-binary", ":all:")
    done = uv("pip", *source, "-q", *words, settings=settings)
    reason = " ".join(done.stderr.split())
    return "" if done.returncode == 0 else reason.partition("cause: ")[2][:160] or reason[:160]


def weigh(system: str, python: str) -> int:
    """Bytes that the lock installs there, hashes checked, without Python, PaiTai and compiled modules."""
    with tempfile.TemporaryDirectory() as folder:
        source = ("install", "--require-hashes", "-r", str(LOCK), "--target", folder, "--no-cache")
        reason = asked(system, python, *source)
        if reason:
            raise SystemExit(reason)
        return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink())


def main() -> int:
    """Ask for each; print a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weigh", choices=(*SYSTEMS, *OTHERS))
    parser.add_argument("--python", default="3.12", help="with --weigh: for which Python (default: 3.12)")
    parser.add_argument("--all", action="store_true", help="also systems that are not promised; they do not fail it")
    args = parser.parse_args()
    if args.weigh:
        size = weigh(args.weigh, args.python)
        print(f"{args.weigh}, Python {args.python}: {size:,} bytes from the lock, hashes checked")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        locked = ("install", "--dry-run", "--require-hashes", "-r", str(LOCK), "--target", folder)
        for system, (name, _, _) in (SYSTEMS | (OTHERS if args.all else {})).items():
            for python in PYTHONS:
                by_range = asked(
                    system, python, "compile", "pyproject.toml", "--output-file", str(Path(folder, "out.txt"))
                )
                by_lock = asked(system, python, *locked)
                failed += system in SYSTEMS and bool(by_range or by_lock)
                print(f"{name}, Python {python}: ranges {by_range or 'fine'}; lock {by_lock or 'fine'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
