"""Do the tests of the page's scripts notice a fault? Faults are put into the pure modules, one at a time.

    python benchmarks/testing/script_mutants.py                 # the named ones and twenty drawn at random
    python benchmarks/testing/script_mutants.py --draw 60 --seed 5

A fault changes one sign in a copy of ``webui/static/js``: a comparison, plus and minus, a number, a word. The module's
tests (tests/e2e/scripts) run against that copy. A fault that they miss is printed with its line; look at it, because
some faults change nothing (``<= 0`` for ``< 0`` if 0 never occurs). Exit status 1 if a fault survives.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "webui/static/js"
TESTS = {  # which tests a module's faults are shown to
    "labelling/labels/model.js": "test_label_model.py",
    "labelling/labels/edits.js": "test_label_edits.py",
    "labelling/keys.js": "test_label_keys.py",
    "labelling/labels/save.js": "test_label_save.py",
    "board/board.js": "test_board.py",
    "upload/outbox.js": "test_upload.py",
    "upload/shrink.js": "test_upload.py",
}
SIGNS = {
    **{"===": "!==", "!==": "===", "<=": "<", ">=": ">", "&&": "||", "||": "&&", "??": "&&", "+=": "-=", "-=": "+="},
    **{" < ": " <= ", " > ": " >= ", " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " ? ": " && false ? "},
    **{"true": "false", "false": "true", "Math.min": "Math.max", "Math.max": "Math.min", "Math.cos": "Math.sin"},
    **{"Math.sin": "Math.cos", ".x": ".y", ".y": ".x", "return ": "return; ", "if (!": "if (", "if (": "if (!"},
}
SITE = re.compile(
    r"(?P<skip>//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`|^(?:import|export \{)[^\n]*)"
    r"|(?P<sign>" + "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True)) + r")"
    r"|(?P<number>(?<![\w.])\d+(?:\.\d+)?(?![\w.]))",
    re.S | re.M,
)
NAMED = (  # that the browser tests of the time did not notice
    ("labelling/labels/model.js", "{ x: point.y, y: width - point.x }", "{ x: point.y, y: width + point.x }"),
    ("labelling/labels/model.js", 'label.origin !== "import"', 'label.origin === "import"'),
)


@dataclass(frozen=True)
class Fault:
    """One changed sign: the module, the position, the old and the new sign."""

    module: str
    start: int
    old: str
    new: str

    def put_into(self, text: str) -> str:
        assert text[self.start : self.start + len(self.old)] == self.old
        return text[: self.start] + self.new + text[self.start + len(self.old) :]

    def told(self, text: str) -> str:
        line = text.count("\n", 0, self.start)
        return f"{self.module}:{line + 1}: {self.old.strip()} -> {self.new.strip()}   {text.splitlines()[line].strip()}"


def sites(module: str, text: str) -> Iterator[Fault]:
    """Every fault that can be put into a module; comments, texts and imports stay."""
    for match in SITE.finditer(text):
        if match["sign"]:
            yield Fault(module, match.start(), match["sign"], SIGNS[match["sign"]])
        elif match["number"]:
            yield Fault(module, match.start(), match["number"], str(float(match["number"]) + 1).removesuffix(".0"))


def named(texts: dict[str, str]) -> list[Fault]:
    found = []
    for module, old, new in NAMED:
        assert texts[module].count(old) == 1, f"{module}: {old}"
        found.append(Fault(module, texts[module].index(old), old, new))
    return found


def is_noticed(fault: Fault, text: str, folder: Path) -> bool:
    """Whether the module's tests fail with it."""
    path = folder / fault.module
    path.write_text(fault.put_into(text), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout", "60"]
    done = subprocess.run(
        [*command, str(ROOT / "tests/e2e/scripts" / TESTS[fault.module])],
        cwd=ROOT,
        env={**os.environ, "PAITAI_SCRIPTS": str(folder)},
        capture_output=True,
        text=True,
    )
    path.write_text(text, encoding="utf-8")
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout + done.stderr)
    return done.returncode == 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", type=int, default=20, help="faults drawn by chance (20)")
    parser.add_argument("--seed", type=int, default=25)
    arguments = parser.parse_args()
    texts = {module: (SCRIPTS / module).read_text(encoding="utf-8") for module in TESTS}
    every = [fault for module, text in texts.items() for fault in sites(module, text)]
    drawn = random.Random(arguments.seed).sample(every, arguments.draw)
    faults = [*named(texts), *drawn]
    print(f"{len(every)} faults can be put in; {len(NAMED)} named and {len(drawn)} drawn with seed {arguments.seed}")
    alive = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "js"
        shutil.copytree(SCRIPTS, folder)
        for fault in faults:
            noticed = is_noticed(fault, texts[fault.module], folder)
            print("noticed" if noticed else "LIVES  ", fault.told(texts[fault.module]), flush=True)
            alive += [] if noticed else [fault]
    print(f"{len(faults) - len(alive)} of {len(faults)} faults are noticed")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
