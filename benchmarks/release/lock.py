"""Make and check `requirements.lock`: all libraries of a player's install with versions and hashes of their wheels.

    python benchmarks/release/lock.py make     # keeps the versions in it; --newest takes the newest ones
    python benchmarks/release/lock.py check    # a newly made file must be equal

Both need the network and `uv` (`pip install uv`), which finds one set of versions for every system and Python that we
name. Settings of pip and uv on this machine are ignored, so the file names no local folder, index or address. Checks
that need no network are in `tests/repo/test_lock.py`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements.lock"
HEAD = """\
# The libraries of a player's install, with the hashes of their wheels, for every system and Python that PaiTai runs on.
# Made by: python benchmarks/release/lock.py make
# Installed by: pip install --require-hashes --only-binary :all: -r requirements.lock, then pip install --no-deps .
"""


def uv(*words: str, settings: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run uv without this machine's settings for package sources. Ends the program if uv is missing."""
    program = shutil.which("uv", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if program is None:
        raise SystemExit("uv is needed: pip install uv")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "PIP_"))}
    command = [program, *words, "--no-config"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=kept | (settings or {}))


def made(newest: bool) -> str:
    """The text of a newly made file. Ends the program with uv's reason if that fails."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "lock.txt")
        if LOCK.is_file() and not newest:
            shutil.copy(LOCK, out)  # uv keeps the versions that it finds there
        form = ("--universal", "--python-version", "3.11", "--generate-hashes", "--only-binary", ":all:")
        plain = ("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links")
        done = uv("pip", "compile", "-q", "pyproject.toml", *form, *plain, "--output-file", str(out))
        if done.returncode:
            raise SystemExit(done.stderr)
        return HEAD + out.read_text(encoding="utf-8")


def main() -> int:
    """Write the file, or say whether it is the one that would be made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("make", "check"))
    parser.add_argument("--newest", action="store_true", help="make: today's versions instead of those in the file")
    args = parser.parse_args()
    text = made(args.newest)
    if args.action == "make":
        LOCK.write_text(text, encoding="utf-8")
        names = {line.split("==")[0] for line in text.splitlines() if re.match(r"[\w-]+==", line)}
        print(f"{LOCK.name}: {len(names)} libraries, {text.count('--hash=')} hashes")
        return 0
    same = LOCK.is_file() and LOCK.read_text(encoding="utf-8") == text
    print(f"{LOCK.name} is {'what is made from pyproject.toml' if same else 'out of date: run make'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
